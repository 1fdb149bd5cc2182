"""Values that a whole phrase tells, where one announcing word does not: a code in the clause after its word, the first
six of a card, a password on a command line, a lock pattern. Data first: one row a phrase.
"""
# ruff: noqa: E501 (rows of words and patterns read best one a line)

import re
from collections.abc import Callable
from dataclasses import dataclass

from pipeline.lookalikes import EN_DIGITS, EN_REPEATS
from pipeline.reasons import Reason
from pipeline.sensitive.finding import Hit


@dataclass(frozen=True, kw_only=True)
class Phrase:
    """`pattern` is tried where the text holds one of `words`; groups named value… are found, if they are `valid`."""

    reason: Reason
    words: tuple[str, ...]
    pattern: re.Pattern[str]
    valid: Callable[[str], bool] = bool
    beside: re.Pattern[str] | None = None
    """What must stand within 60 characters."""
    before: re.Pattern[str] | None = None
    """What must not stand right before."""


def _mixed(value: str) -> bool:
    """Letters with a digit or a sign, and no version, measure or address."""
    value = value.rstrip(".,;!?。，")
    letters = sum("a" <= c <= "z" for c in value)
    others = sum(c in "0123456789@#$%^&*!+=~?_" for c in value)
    return letters >= 2 and others >= 1 and len(value) >= 4 and not value.startswith(("<", "http", "{", "$"))


def _account(value: str) -> bool:
    return any(c.isdigit() or c in "_." for c in value.strip(".")) or value.startswith("@")


def _key(value: str) -> bool:
    return any(c.isdigit() for c in value) and any("a" <= c <= "z" for c in value)


DATE = (
    r"(?:(?:19|20)[0-9]{2}[-/.年 ]\s?[0-9]{1,2}[-/.月 ]\s?[0-9]{1,2}(?:日|号)?|[0-9]{1,2}[-/. ][0-9]{1,2}[-/. ](?:19|20)?[0-9]{2}|(?:19|20)[0-9]{6}(?![0-9])"
    r"|[0-9]{1,2}(?:st|nd|rd|th)? (?:of )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?(?:,? (?:19|20)[0-9]{2})?|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.? [0-9]{1,2}(?:st|nd|rd|th)?(?:,? (?:19|20)[0-9]{2})?|[0-9]{1,2}月[0-9]{1,2}[日号]?)"
)
_CODE = (
    r"(?:[0-9]{4,8}|[0-9]{3}[ \-][0-9]{3,4})(?![0-9a-z]|[ \-][0-9]|\s?(?:年|元|次|个|条|分钟|秒|人|%|px|users|times))"
)
_CODE_WORD = r"(?:验证码|动态码|校验码|登录码|短信码|确认码|认证码|(?:verification|login|sms|security|one[- ]time|2fa|auth|sign-?in|texted) (?:pass)?codes?|codes? (?:are|is) (?:now )?(?:arriving|coming)|otps?|passcodes?)"
_POINTS = r"(?:刚才|刚刚|刚|那个|这个|那条|这条|那串|最新|上一个|just now|just|the one|the latest|the last|this one|that one|latest|it)"
_FILL = r"(?:刚才|刚刚|刚|那个|这个|那条|这条|那串|一个|的|是|为|就|收到|发来|了|号码|码|:|\s|,|，|one|i|we|he|she|they|got|was|is|it|received|just|now|came|in|as|says|said|sent|me){0,10}"
_NO_CODE = re.compile(
    r"(?:error|zip|promo|discount|coupon|voucher|tracking|postal|area|product|status|item|country|referral|invite|source|sku|dial(?:ing)?|colou?r|qr|bar|exit|hs|tax|dress|currency|language|booking) ?$"
)
_CARD_GAP = r"(?:[\s,，\"')(]|that's|that|is|was|the|it|this|one|a|my|our|his|her|on|i|we|的|那|这|张|是|就|我|他|她|客户){0,12}"
_CN_PROVINCE = "京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼"
_NETWORK = r"(?:signal|telegram|tg|whatsapp|wechat|weixin|line|skype|discord|instagram|insta|ig|snapchat|viber|kakao(?:talk)?|zalo|threema|twitter|tiktok|messenger)"
_READ_AS_DIGIT = r"[0-9lioqszb|!]"

PHRASES: tuple[Phrase, ...] = (
    # one-time codes
    Phrase(
        reason=Reason.ONE_TIME_CODE,
        words=("code", "otp"),
        pattern=re.compile(r"(?<![a-z])(?:pass)?(?:code|otp)s?(?: [a-z']{1,10}){0,6}?\s?(?: is| was|:|=)\s?(?P<value>[0-9]{3}[ \-][0-9]{3,4})(?![0-9a-z]|[ \-][0-9])"),
        before=_NO_CODE,
    ),
    Phrase(
        reason=Reason.ONE_TIME_CODE,
        words=("码", "数字"),
        pattern=re.compile(rf"(?:短信|手机|收到|发来|发过来|弹出)(?!费|套餐|余额|条数)[^。\n,，;:0-9]{{0,8}}(?:(?<![号请惠编条维件换误态货券源])码|[四五六4-8]位数字?|(?<=[里上中的])数字)(?:是|为|:|就是|\s){{0,3}}(?P<value>{_CODE})"),
    ),
    Phrase(
        reason=Reason.ONE_TIME_CODE,
        words=("码", "code", "otp"),
        pattern=re.compile(rf"(?<![0-9a-z\-])(?P<value>[0-9]{{4,8}}|[0-9]{{3}}[ \-][0-9]{{3}})\s?(?:,|，)?\s?(?:(?:这个)?(?:就?是|为)[^。\n,，;0-9]{{0,10}}(?:验证码|动态码|校验码|登录码|短信码|确认码|认证码)|(?:is|was) (?:the |my |your |our )?{_CODE_WORD}(?![a-z])|(?:is|was) the code (?:i|we|you|they|he|she|that)(?![a-z])|(?:刚|刚刚|刚才)?收到的(?:验证码|动态码|校验码|登录码|短信码)|(?:came (?:in|through)|arrived|showed up) as (?:the |my |your )?{_CODE_WORD})"),
    ),
    Phrase(
        reason=Reason.ONE_TIME_CODE,
        words=("码", "code", "otp"),
        pattern=re.compile(rf"{_CODE_WORD}(?:[^\n0-9]{{0,40}}?{_POINTS}|s?\s?(?:已经?)?(?:收到|到|来)了?\s?[,，]?\s?(?:是|:)){_FILL}(?P<value>{_CODE})"),
    ),
    # cards
    Phrase(
        reason=Reason.PAYMENT_CARD,
        words=("bin", "iin", "first six", "first 6"),
        pattern=re.compile(r"(?<![a-z])(?:bin|iin|first (?:six|6)(?: digits)?)(?: (?:number|code|no\.?))?\s?(?:is|was|are|:|=|是|为)?\s?(?P<value>[2-6][0-9]{5}(?:[0-9]{2})?)(?![0-9])"),
        beside=re.compile(r"(?<![a-z])(?:card|visa|mastercard|amex|issuer)|卡"),
    ),
    Phrase(
        reason=Reason.PAYMENT_CARD,
        words=("ending", "ends ", "尾号", "末四位", "后四位"),
        pattern=re.compile(rf"(?:(?<![a-z])(?:ending|ends)(?: in| with| on)?|尾号|末四位|后四位)\s?(?:是|为|:|is)?\s?(?P<value>[0-9]{{4}})(?![0-9]){_CARD_GAP}(?:(?:debit |credit |visa |bank )?(?:card|visa|amex|mastercard)(?![a-z])|(?:银行|信用|储蓄)?卡)"),
    ),
    Phrase(
        reason=Reason.PAYMENT_CARD,
        words=("card", "visa", "amex", "卡"),
        pattern=re.compile(rf"(?:card|visa|amex|卡)[^\n0-9]{{0,16}}(?P<value>(?=[a-z|! \-]{{0,18}}[0-9]){_READ_AS_DIGIT}{{4}}(?P<sep>[ \-]?)(?:{_READ_AS_DIGIT}{{4}}(?P=sep)){{2}}{_READ_AS_DIGIT}{{3,4}})(?![a-z0-9])"),
    ),
    Phrase(
        reason=Reason.PAYMENT_CARD,
        words=("^", "="),
        pattern=re.compile(r"(?P<value>[0-9]{10,19}\^[a-z][a-z /.\-]{1,28}\^[0-9]{4,40})|;(?P<value2>[0-9]{13,19}=[0-9]{7,40})"),
    ),
    # passwords
    Phrase(
        reason=Reason.PASSWORD,
        words=("mima", "mi ma"),
        pattern=re.compile(r"(?<![a-z])mi ?ma\s?(?:shi|is|[:=是为])\s?(?P<value>[^\s，。,;]{4,40})"),
    ),
    Phrase(
        reason=Reason.PASSWORD,
        words=("mm",),
        pattern=re.compile(r"(?<![a-z0-9])(?<![a-z0-9]:)mm\s?[:=是]\s?(?P<value>[^\s，。,;]{4,40})"),
        valid=_mixed,
    ),
    Phrase(
        reason=Reason.PASSWORD,
        words=("password", "passcode", "pwd", "passphrase"),
        pattern=re.compile(r"(?:password|passcode|passphrase|pwd)s? (?:for [a-z]{2,14} )?(?:was |just |has been )?(?:issued|generated|assigned|provided|created|given|chosen|shared|e?mailed|texted|sent|set)(?: (?:to|by|for) [a-z ]{2,20}?| (?:today|now|here|below)){0,2}\s?(?:[:=]|->)\s?(?P<value>[^\s，。,;]{4,40})"),
        valid=_mixed,
    ),
    Phrase(
        reason=Reason.PASSWORD,
        words=(" -p",),
        pattern=re.compile(r"(?<![a-z0-9\-])(?:mysql(?:dump|admin|import)?|mariadb(?:-dump)?|sshpass|7z|zip|unrar|rar|mongo(?:sh|dump)?)(?![a-z])[^\n]{0,60}? -p ?(?P<value>[^\s\-<][^\s]{3,40})"),
        valid=_mixed,
    ),
    Phrase(
        reason=Reason.PASSWORD,
        words=("--", "redis-cli", "curl", "wget"),
        pattern=re.compile(r"--(?:[a-z]{2,10}-)?pass(?:word|wd|phrase)?[= ](?P<value>[^\s\-<][^\s]{3,40})|redis-cli[^\n]{0,40}? -a (?P<value2>[^\s]{4,40})|(?:curl|wget)[^\n]{0,60} (?:-u|--user) [^\s:]{1,40}:(?P<value3>[^\s]{4,40})"),
        valid=_mixed,
    ),
    Phrase(
        reason=Reason.PASSWORD,
        words=("from ", "从"),
        pattern=re.compile(r"(?:changed|reset|switched|updated|rotated)(?: (?:it|them|mine|the (?:password|login|pw)|(?:my |our |his |her )?(?:password|pw|pwd|passcode)))? from (?P<value>[^\s,;]{5,30}) (?:to|into) (?P<value2>[^\s,;]{5,30})|(?:密码|口令)?从\s?(?P<value3>[^\s，。,;\u4e00-\u9fff]{5,30})\s?(?:改|换)(?:成|为|到)了?\s?(?P<value4>[^\s，。,;\u4e00-\u9fff]{5,30})"),
        valid=_mixed,
        beside=re.compile(r"(?<![a-z])(?:log ?in|sign ?in|log(?:ged)? in|passw|pwd|credential|locked out|pw(?![a-z]))|密码|口令|登录|登陆"),
    ),
    Phrase(
        reason=Reason.PASSWORD,
        words=("pattern", "图案", "手势"),
        pattern=re.compile(r"(?:(?:锁屏|解锁|屏幕|手机)(?:的)?图案|手势(?:密码)?|(?:lock|unlock|swipe)(?:ing)?(?: ?screen)? pattern)\s?(?:is|was|:|=|是|为|画的是)\s?(?P<value>[1-9](?:\s?(?:-|→|>|,|、)?\s?[1-9]){3,8})(?![0-9])"),
    ),
    Phrase(
        reason=Reason.SECRET,
        words=("-",),
        pattern=re.compile(r"(?<![a-z0-9\-])(?P<value>[a-z0-9]{5}(?:-[a-z0-9]{5}){4})(?![a-z0-9\-])|(?:(?:product|licen[cs]e|activation|cd|windows|office) ?key|产品密钥|激活码|激活密钥|许可证?密钥|产品激活码)(?: (?:is|was))?\s?(?:[:=是为]\s?)?(?P<value2>[a-z0-9]{4,6}(?:-[a-z0-9]{4,6}){2,7})(?![a-z0-9\-])"),
        valid=_key,
    ),
    # contacts
    Phrase(
        reason=Reason.IM_ACCOUNT,
        words=(" on ", " via ", " over "),
        pattern=re.compile(rf"(?<![a-z])(?:on|via|over) {_NETWORK}(?:,? (?:as|under|by|with|at|i'm|i am)(?: the)?(?: (?:name|handle|username|user|id))?|,? (?:name|handle|username|user|id)(?: is)?):? ?(?P<value>@?[a-z][a-z0-9_.]{{3,31}})(?![a-z0-9@])"),
        valid=_account,
    ),
    Phrase(
        reason=Reason.IM_ACCOUNT,
        words=("signal",),
        pattern=re.compile(r"(?<![a-z])signal(?: (?:id|handle|username|account|name))?\s?(?:[:=]|is)\s?(?P<value>@?[a-z][a-z_.]{1,24}[._][a-z0-9_.]{1,12})(?![a-z0-9@])"),
        valid=_account,
    ),
    Phrase(
        reason=Reason.IM_ACCOUNT,
        words=("赖", "賴"),
        pattern=re.compile(r"(?:[赖賴]\s?(?:id|号|账号|帐号)|加(?:我|我的)?[赖賴])\s?(?:[:是为]\s?){0,2}(?P<value>@?[a-z0-9_][a-z0-9_.\-]{3,30})"),
    ),
    Phrase(
        reason=Reason.PHONE,
        words=("x", "ext"),
        pattern=re.compile(r"(?<![0-9a-z.\-])(?P<value>(?:[2-9][0-9]{2}[\-. ])?[2-9][0-9]{2}[\-. ][0-9]{4},? ?(?:x|ext\.?|extension) ?[0-9]{1,5})(?![0-9a-z])"),
    ),
    Phrase(
        reason=Reason.PHONE,
        words=("-",),
        pattern=re.compile(r"(?<![0-9a-z.\-/])(?P<value>0[1-9][0-9]{1,2}-[0-9]{7,8})(?![0-9a-z\-])"),
        before=re.compile(r"(?:bill|awb|运单号?|提单号?|单号|isbn|sku|order|part|货号|编号|no\.?|number)\W{0,4}(?:is|was|是|为|no\.?|number)?\W{0,3}$"),
    ),
    Phrase(
        reason=Reason.ADDRESS,
        words=("-ku", "-shi", "-cho", "-machi", "-gun"),
        pattern=re.compile(r"(?<![0-9\-])(?P<value>[0-9]{1,4}-[0-9]{1,4}(?:-[0-9]{1,4})?,? [a-z\-]{3,24},? (?:[a-z\-]{3,24},? )?[a-z]{3,20}-(?:ku|shi|cho|machi|gun)(?![a-z])(?:,? [a-z]{3,20}(?: [0-9]{3}-[0-9]{4})?)?)"),
    ),
    Phrase(
        reason=Reason.LICENCE_PLATE,
        words=tuple(_CN_PROVINCE),
        pattern=re.compile(rf"(?P<value>[{_CN_PROVINCE}] ?[a-z][ ·.\-*]{{0,3}}[a-z0-9](?:[ ·.\-][a-z0-9]){{4,5}})(?![a-z0-9])"),
        valid=lambda value: sum(c.isdigit() for c in value) >= 3,
    ),
    # birth
    Phrase(
        reason=Reason.DATE_OF_BIRTH,
        words=("turn", "birthday", "岁"),
        pattern=re.compile(rf"(?<![a-z])(?:turn(?:s|ed|ing)? [0-9]{{1,3}}|[0-9]{{1,2}}(?:st|nd|rd|th) birthday)(?: (?:is|was|will be|falls))?(?: on| this| next)? (?P<value>{DATE})|(?P<value2>{DATE})\s?(?:就|刚好|正好|将)?满\s?[0-9]{{1,2}}\s?周?岁"),
    ),
)  # fmt: skip

_CONTEXT = 60


def phrases_in(text: str) -> list[Hit]:
    """What the phrases announce in `text` (lower case), and card numbers told in words."""
    hits = [hit for row in PHRASES if any(word in text for word in row.words) for hit in _found(text, row)]
    return hits + _told_cards(text)


def _found(text: str, row: Phrase) -> list[Hit]:
    hits = []
    for m in row.pattern.finditer(text):
        around = text[max(0, m.start() - _CONTEXT) : m.end() + _CONTEXT]
        if row.beside and not row.beside.search(around):
            continue
        if row.before and row.before.search(text[max(0, m.start() - 24) : m.start()]):
            continue
        hits += [Hit(row.reason, *m.span(n)) for n, value in m.groupdict().items() if _counts(row, n, value)]
    return hits


def _counts(row: Phrase, name: str, value: str | None) -> bool:
    return name.startswith("value") and value is not None and row.valid(value)


_SAID = "|".join(sorted([*EN_DIGITS, *EN_REPEATS], key=len, reverse=True))
_TOLD = re.compile(
    rf"(?<![a-z])(?:(?:{_SAID})(?:[ ,.\-]{{1,3}}(?:then|and|followed by|next)?[ ,]{{0,2}})?){{5,24}}(?![a-z])"
)
_ONE = re.compile(_SAID)
_CARD = re.compile(r"(?<![a-z])(?:card|visa|mastercard|amex)(?![a-z])|卡")


def _told_cards(text: str) -> list[Hit]:
    """'four one one one, then triple one one, quadruple one …': 12 to 19 digits in words, beside a card's word."""
    if not any(word in text for word in EN_REPEATS) and " then " not in text:
        return []
    return [
        Hit(Reason.PAYMENT_CARD, *m.span())
        for m in _TOLD.finditer(text)
        if 12 <= _digits_told(m[0]) <= 19 and _CARD.search(text, max(0, m.start() - _CONTEXT), m.end() + _CONTEXT)
    ]


def _digits_told(words: str) -> int:
    total, repeat = 0, 1
    for word in _ONE.findall(words):
        if word in EN_REPEATS:
            repeat = EN_REPEATS[word]
        else:
            total, repeat = total + repeat * len(EN_DIGITS[word]), 1
    return total
