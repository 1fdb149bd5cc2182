"""What one speaker answers to another's question, over one turn or several: a number cut in two, a date, an address."""
# ruff: noqa: E501 (rows of words and patterns read best one a line)

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from pipeline.normalise import turns_of
from pipeline.reasons import Reason
from pipeline.sensitive.finding import Hit
from pipeline.sensitive.nearby import ByTrigger
from pipeline.sensitive.told_people import DATE


@dataclass(frozen=True, kw_only=True)
class Question:
    """`asked` is what a turn asks for, with one of `words` in it; `pieces` what an answer's turn holds of it, `whole` what
    the pieces make."""

    reason: Reason
    words: tuple[str, ...]
    asked: re.Pattern[str]
    pieces: re.Pattern[str]
    whole: re.Pattern[str]


_NUMBER = re.compile(r"\+?[0-9][0-9 \-.()/]*[0-9]|[0-9]")
_SINGLE_DATE = re.compile(DATE)

QUESTIONS: tuple[Question, ...] = (
    Question(
        reason=Reason.HEALTH,
        words=("allerg", "medical", "health", "过敏", "病史", "基础病"),
        asked=re.compile(
            r"(?<![a-z])(?:allerg(?:y|ies|ic)|medical conditions?|health (?:issues?|conditions?))(?![a-z])|过敏|病史|基础病"
        ),
        pieces=re.compile(r"[^\n]{2,60}"),
        whole=re.compile(
            r"(?!\s*(?:no|none|nope|nothing|not|yes|yep|yeah|n/a|ok|thanks|i|why|what)(?![a-z]))(?!\s*[没无不是好嗯对])[^\n]{2,60}"
        ),
    ),
    Question(
        reason=Reason.ADDRESS,
        words=("address", "street", "where", "house number", "住", "哪个小区", "地址", "寄到哪", "送到哪", "门牌"),
        asked=re.compile(
            r"(?<![a-z])(?:(?:delivery|shipping|home|street|postal|billing|mailing|your|what|which|the) address|street|where (?:do you live|(?:should|shall|do|can|will) (?:we|i|the courier)|to)|house number)(?![a-z])|住哪|哪个小区|住址|(?:收货|收件|寄件|家庭|您的|你的)地址|地址(?:是|呢|多少|发)|寄到哪|送到哪|门牌"
        ),
        pieces=re.compile(r"[^\n。;；!?！？]{4,90}"),
        whole=re.compile(
            r"(?=.*[0-9]).*(?<![a-z])(?:street|st|road|rd|lane|avenue|ave|drive|close|way|terrace|court|place|square|flat|apt|unit|house|stra(?:ss|ß)e|str)(?![a-z]).*|(?=.*[0-9一二三四五六七八九十]).*(?:路|街|道|巷|弄|小区|花园|公寓|苑|号楼|栋|单元|村|镇|大厦).*"
        ),
    ),
    Question(
        reason=Reason.PASSWORD,
        words=("question", "maiden", "first ", "memorable", "safe word", "safeword", "密保", "安全"),
        asked=re.compile(
            r"(?<![a-z])(?:(?:security|secret) question|maiden name|first (?:pet|car|school|teacher)|memorable (?:word|name|place)|safe ?word)(?![a-z])|密保|安全问题|安全提问"
        ),
        pieces=re.compile(r"[a-z\u4e00-\u9fff][a-z'\- \u4e00-\u9fff]{1,30}"),
        whole=re.compile(
            r"(?!.*(?<![a-z])(?:yes|no|ok|okay|sure|not|don't|didn't|forgot|forget|what|why|which|sorry|wait|i|it|can|cannot|can't|help|already|done|please|hi|hello|thanks)(?![a-z]))(?!.*[不没忘是好嗯了吗？的])[^\n]{2,30}"
        ),
    ),
    Question(
        reason=Reason.SECRET,
        words=("key", "token", "secret", "header", "密钥", "令牌", "私钥", "秘钥"),
        asked=re.compile(
            r"(?<![a-z])(?:the|your|api|that|access|secret|private) (?:api |access |secret |private )?(?:keys?|tokens?|secrets?|headers?)(?![a-z])|密钥|令牌|私钥|秘钥"
        ),
        pieces=re.compile(r"[a-z0-9_\-./+=]{16,128}"),
        whole=re.compile(r"(?=[^0-9]*[0-9])(?=[^a-z]*[a-z])[a-z0-9_./+=]{16,128}"),
    ),
    Question(
        reason=Reason.PAYMENT_CARD,
        words=(
            "last",
            "final",
            "first",
            "end",
            "card",
            "visa",
            "amex",
            "long number",
            "尾号",
            "后",
            "末",
            "前",
            "卡号",
        ),
        asked=re.compile(
            r"(?<![a-z])(?:last|final|first|end(?:ing|s)?)(?: (?:four|4|six|6|eight|8))(?: digits?| numbers?)?(?![a-z])|(?:card|visa|amex) ?(?:number|no\.?|#)|long number|which card|card (?:ends|is it)|(?:尾号|后[四4]位|末[四4][位码]|前[六6八8]位|卡号)"
        ),
        pieces=_NUMBER,
        whole=re.compile(r"[0-9]{4}|[0-9]{6}|[0-9]{8}|[0-9]{12,19}"),
    ),
    Question(
        reason=Reason.CVV,
        words=("cv", "csc", "cid", "security code", "digit", "back of", "安全码", "背面", "卡背", "后", "末"),
        asked=re.compile(
            r"(?<![a-z])(?:cv[vc]2?|csc|cid|security code|(?:three|3|four|4) digits? (?:on|at) the (?:back|front|reverse)|digits on the (?:back|front|reverse)|back of (?:the|your) card)(?![a-z])|安全码|背面|卡背|(?:后|末)(?:三|3)[位码]"
        ),
        pieces=_NUMBER,
        whole=re.compile(r"[0-9]{3,4}"),
    ),
    Question(
        reason=Reason.ONE_TIME_CODE,
        words=(
            "收到",
            "短信",
            "手机上",
            "屏幕上",
            "显示",
            "位",
            "验证码",
            "动态码",
            "报一下",
            "digit",
            "number",
            "code",
            "text",
            "sent you",
            "received",
            "sms",
            "read ",
        ),
        asked=re.compile(
            r"(?:收到|短信|手机上|屏幕上|显示)[^\n]{0,14}(?:数字|数码|码)|[四五六4-8]\s?位(?:数字|数|码)|(?:digits?|numbers?|code)[^\n]{0,30}(?:texted|sent|received|sms|text message|your phone|on (?:the|your) screen)|(?:texted|sent you|text message|just received)[^\n]{0,30}(?:digits?|numbers?|code)|(?<![a-z])(?:the|your|that) code(?![a-z])|(?:sms|text|code) (?:arrive|come through|come in)|(?:get|got|receive|see|have) (?:the |an? |my |our )?(?:sms|text|code)|read (?:it|the code|them) (?:out|back|to me)|验证码|动态码|短信(?:收到|到了|来了)|报一下(?:数字|码|那串)"
        ),
        pieces=_NUMBER,
        whole=re.compile(r"[0-9]{4,8}"),
    ),
    Question(
        reason=Reason.GOVERNMENT_ID,
        words=("ssn", "social", "社安号", "社会安全号"),
        asked=re.compile(r"(?<![a-z])(?:ssn|social(?: security)?(?: number)?(?! media))(?![a-z])|社安号|社会安全号"),
        pieces=_NUMBER,
        whole=re.compile(r"[0-9]{9}"),
    ),
    Question(
        reason=Reason.DATE_OF_BIRTH,
        words=("birth", "dob", "d.o", "do.b", "born", "出生", "生日", "哪", "几几年"),
        asked=re.compile(
            r"(?<![a-z])(?:date of birth|birth ?da(?:te|y)|d\.?o\.?b|born)(?![a-z])|出生(?:日期|年月日?|时间)?|生日|哪[天年](?:出生|生|的)|几几年|哪年"
        ),
        pieces=_SINGLE_DATE,
        whole=re.compile(r".+"),
    ),
    Question(
        reason=Reason.EMAIL,
        words=("mail", "邮"),
        asked=re.compile(r"e-?mail|邮箱|邮件地址"),
        pieces=re.compile(r"(?=[a-z0-9@])[a-z0-9._%+\-]*@?[a-z0-9.\-_]*(?<=[a-z0-9@])"),
        whole=re.compile(r"[a-z0-9._%+\-]+@(?:[a-z0-9\-]+\.)+[a-z]{2,24}"),
    ),
    Question(
        reason=Reason.EMAIL,
        words=("mail", "邮"),
        asked=re.compile(r"e-?mail|邮箱|邮件地址"),
        pieces=re.compile(
            r"[a-z0-9._\-]{2,30} ?(?:at|艾特|圈a) ?[a-z0-9\-]{2,30} ?(?:dot|点|\.)? ?(?:com|net|org|cn|co|io)(?![a-z])"
        ),
        whole=re.compile(r".+"),
    ),
    Question(
        reason=Reason.PHONE,
        words=("phone", "mobile", "cell", "callback", "contact", "number", "you ", "电话", "手机", "联系方式", "号码"),
        asked=re.compile(
            r"(?<![a-z])(?:phone|mobile|cell|telephone|callback|contact) ?(?:number|no\.?|#)|number (?:to|can|should|do) (?:call|reach|we|i)|(?:call|reach|ring) you (?:on|at|back)|电话|手机号?|联系方式|号码(?:是)?多少"
        ),
        pieces=_NUMBER,
        whole=re.compile(r"\+?[0-9]{7}|\+?[0-9]{10,15}"),
    ),
)
_BY_WORD = ByTrigger(row.words for row in QUESTIONS)
_OTHER = re.compile(
    r"order|tracking|invoice|ticket|case|serial|model|version|error|booking|reservation|订单|单号|快递|发票|工单|编号|型号|版本|错误|取件|优惠|邀请"
)
_LONGEST = 100
"""Characters of an answer; a longer turn talks of other things."""
_TURNS = 3
Span = tuple[int, int]


def replies_in(text: str) -> list[Hit]:
    """Answers of `text` (lower case) to questions that ask for protected values."""
    return [hit for start, end, answers in _exchanges(text) for hit in _answered(text, text[start:end], answers)]


def _exchanges(text: str) -> Iterator[tuple[int, int, list[Span]]]:
    """Each turn, and the turns that one other speaker says right after it."""
    turns = turns_of(text)
    ends = [*(turn.start() for turn in turns[1:]), len(text)]
    for at, turn in enumerate(turns[:-1]):
        if turns[at + 1][1] == turn[1]:
            continue
        said = zip(turns[at + 1 : at + 1 + _TURNS], ends[at + 1 :], strict=False)
        spoken = groupby(said, key=lambda pair: pair[0][1])
        yield turn.end(), ends[at], [(reply.end(), end) for reply, end in next(spoken)[1]]


def _answered(text: str, question: str, answers: list[Span]) -> Iterator[Hit]:
    if not answers or _too_long(answers[0]) or _OTHER.search(question):
        return
    for row in [QUESTIONS[at] for at, _ in _BY_WORD.met(question)]:
        if row.asked.search(question) and any(row.pieces.search(text, *answer) for answer in answers):
            yield from _pieces(text, row, answers)


def _pieces(text: str, row: Question, answers: list[Span]) -> Iterator[Hit]:
    """The first answer that is whole by itself, else the pieces that make one over the turns."""
    found: list[Span] = []
    for start, end in answers:
        if _too_long((start, end)):
            return
        pieces = [m.span() for m in row.pieces.finditer(text, start, end)]
        whole = [span for span in pieces if _makes(text, row, [span])]
        found = whole or [*found, *pieces]
        if whole or _makes(text, row, found):
            yield from (Hit(row.reason, *span) for span in found)
            return


def _too_long(answer: Span) -> bool:
    return answer[1] - answer[0] > _LONGEST


_AS_SAID = frozenset({Reason.EMAIL, Reason.DATE_OF_BIRTH, Reason.ADDRESS, Reason.PASSWORD, Reason.HEALTH})
"""Whose pieces are words: blanks in them count."""
_SEPARATORS = re.compile(r"[\s()/\-]|(?<=[0-9])\.(?=[0-9])")


def _makes(text: str, row: Question, spans: list[Span]) -> bool:
    said = "".join(text[start:end] for start, end in spans)
    plain = said if row.reason in _AS_SAID else _SEPARATORS.sub("", said)
    return row.whole.fullmatch(plain) is not None
