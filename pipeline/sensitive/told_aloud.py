"""Values told as one tells them on the phone or in passing: 'six eights', 'the PIN for the till is …', 'number 9, Quince
Row', a number in two turns."""
# ruff: noqa: E501 (rows of words and patterns read best one a line)

import re

from pipeline.lookalikes import EN_DIGITS, EN_REPEATS, EN_TENS
from pipeline.reasons import Reason
from pipeline.sensitive.finding import Hit
from pipeline.sensitive.phrase import CONTEXT, Phrase

_MIXED = re.compile(r"(?=[^a-z]{0,39}[a-z])(?=[^0-9]{0,39}[0-9])[!-~]{5,40}")
_WORDS_AND_DIGITS = re.compile(r"(?=[^0-9]{0,60}[0-9])[a-z]{2,20}(?: [a-z0-9]{1,20}){1,4}")
_RULES = re.compile(
    r"(?<![a-z])(?:at least|characters?|digits?|letters?|minimum|must|should|required|reset|expire[sd]?|changed?|days|not|wrong|long|weak)(?![a-z])"
)


def _made_up(value: str) -> bool:
    return _MIXED.fullmatch(value.rstrip(".,;!?)")) is not None


def _passphrase(value: str) -> bool:
    return _WORDS_AND_DIGITS.fullmatch(value.strip()) is not None and not _RULES.search(value)


_STREET = r"(?:street|road|lane|avenue|drive|close|way|terrace|crescent|court|gardens|place|square|mews|hill|grove|row|walk|rise|yard|wharf)"
_HAN_DIGIT = "零〇一二三四五六七八九幺壹贰叁肆伍陆柒捌玖0-9"

ALOUD: tuple[Phrase, ...] = (
    Phrase(
        reason=Reason.PASSWORD,
        words=("pin ", "passcode "),
        pattern=re.compile(
            r"(?<![a-z])(?:pin|passcode) (?:for|to|of|on|at) (?:the |my |our |your |his |her )?[a-z]{2,16}(?: [a-z]{2,16})?\s?(?:is|was|:|=)\s?(?P<value>[0-9]{3,8})(?![0-9a-z%]|[.:][0-9])"
        ),
    ),
    Phrase(
        reason=Reason.PASSWORD,
        words=(" as the pass", " as my pass", " as pass", " as the pw", " as the pwd"),
        pattern=re.compile(
            r"(?<![!-~])(?P<value>[!-~]{5,40}) as (?:the |my |a )?(?:pass|password|passphrase|passcode|pw|pwd)(?![a-z])"
        ),
        valid=_made_up,
    ),
    Phrase(
        reason=Reason.PASSWORD,
        words=("password", "passcode", "passphrase", "密码", "口令"),
        pattern=re.compile(r"(?:password|passcode|passphrase|密码|口令)\s?\?\s{0,2}(?P<value>[!-~]{5,40})"),
        valid=_made_up,
    ),
    Phrase(
        reason=Reason.PASSWORD,
        words=("password", "passcode", "密码", "口令"),
        pattern=re.compile(
            r"(?:password|passcode|密码|口令)[^\n]{0,60}\n(?:[^\n]{0,60}\n)?(?:customer|client|user|caller|客户|用户|顾客)\s?:\s?(?P<value>[!-~]{6,40})(?=[^\S\n]*(?:\n|$))"
        ),
        valid=_made_up,
        reach=200,
    ),
    Phrase(
        reason=Reason.PASSWORD,
        words=("密码", "口令", "password", "passphrase"),
        pattern=re.compile(
            r"(?:(?:密码|口令)\s?(?:是|为|:|也?(?:给|告诉|发)(?:你们?|您|他们?)\s?[,，:])|(?:password|passphrase)\s?(?:is|:|=))\s?(?P<value>[a-z]{2,20}(?: [a-z0-9]{1,20}){1,4})(?=\s?(?:[，。,.;!\n]|$))"
        ),
        valid=_passphrase,
    ),
    Phrase(
        reason=Reason.PASSWORD,
        words=("密码", "口令"),
        pattern=re.compile(
            rf"(?:密码|口令)\s?(?:是|为|就是|:)?\s?(?P<value>[三四五六七八九3-9]\s?个\s?[{_HAN_DIGIT}])(?![{_HAN_DIGIT}]|月|年|字|位)"
        ),
        digits=False,
    ),
    Phrase(
        reason=Reason.PASSWORD,
        words=("门码", "门禁码", "开门码", "门锁码"),
        pattern=re.compile(
            rf"(?:门|门禁|开门|门锁)码\s?(?:是|为|:)?\s?(?P<value>[井#*星]?[{_HAN_DIGIT}]{{4,8}}[井#*]?)(?![{_HAN_DIGIT}])"
        ),
        digits=False,
    ),
    Phrase(
        reason=Reason.PASSWORD,
        words=("gate", "door", "garage", "key safe", "lock box", "lockbox", "alarm"),
        pattern=re.compile(
            r"(?<![a-z])(?:gate|door|garage|key ?safe|lock ?box|alarm)(?:'s| is|:)(?: code)? (?P<value>(?=[a-z\-]{0,9}[0-9])[a-z0-9]{1,4}(?:-[a-z0-9]{1,4}){1,4})(?![a-z0-9])"
        ),
    ),
    Phrase(
        reason=Reason.SECRET,
        words=("token", "api key"),
        pattern=re.compile(
            r"(?<![a-z])(?:token|api key)[^\n:]{0,40}:\s?(?P<value>(?=[^0-9\s]{0,30}[0-9])[a-z]{2,12}_[a-z0-9_\-]{12,60})"
        ),
    ),
    Phrase(
        reason=Reason.PAYMENT_CARD,
        words=("卡号",),
        pattern=re.compile(
            rf"卡号\s?(?:是|为|:)?\s?(?P<value>[{_HAN_DIGIT}](?:[。、，, .\-]{{1,2}}[{_HAN_DIGIT}]){{12,18}})(?![{_HAN_DIGIT}])"
        ),
        digits=False,
    ),
    Phrase(
        reason=Reason.BANK_ACCOUNT,
        words=("sort code",),
        pattern=re.compile(
            r"sort ?code[^\n]{0,60}?(?<![a-z])acc(?:oun)?t(?: number| no\.?)?(?: is|:)? (?P<value>[0-9](?:[ \-]?[0-9]){6,8})(?![0-9])"
        ),
    ),
    Phrase(
        reason=Reason.GOVERNMENT_ID,
        words=("身份证",),
        pattern=re.compile(
            r"身份证[^\n]{0,20}\n[^\n0-9]{0,12}(?:前面|前半|前六位|开头)[^0-9\n]{0,6}(?P<value>[0-9]{4,10})(?:[^0-9]{1,20}(?:后面|后半|剩下|再)[^0-9\n]{0,6}(?P<value2>[0-9]{6,13}x?))?"
        ),
        reach=160,
    ),
    Phrase(
        reason=Reason.DATE_OF_BIRTH,
        words=("月初", "月廿", "月十"),
        pattern=re.compile(
            r"(?P<value>(?:[0-9一二三四五六七八九〇零]{2,4}年)?(?:农历|阴历)?(?:正|[0-9一二三四五六七八九十冬腊]{1,2})月(?:初|廿|十)[0-9一二三四五六七八九十]{0,2})(?:日|号)?(?:出?生(?:的|人|$|[，。,.;!])|(?:是|的)?(?:我的?)?生日)"
        ),
        digits=False,
    ),
    Phrase(
        reason=Reason.BIOMETRIC,
        words=("fingerprint", "face ", "iris", "voice", "指纹", "人脸"),
        pattern=re.compile(
            r"(?:fingerprint|face|iris|voice ?print|指纹|人脸)\s?(?:template|hash|vector|data|minutiae|模板|数据|特征)[^\n]{0,12}?(?P<value>(?:[0-9a-f]{2}[ :]){5,80}[0-9a-f]{2})(?![0-9a-f])"
        ),
    ),
    Phrase(
        reason=Reason.ADDRESS,
        words=("number ", "no. ", "no "),
        pattern=re.compile(
            rf"(?<![a-z])(?:number|no\.?) (?P<value>[0-9]{{1,4}}[a-z]?,? (?:the )?[a-z'’\-]{{3,20}} {_STREET})(?![a-z])"
        ),
    ),
    Phrase(
        reason=Reason.LICENCE_PLATE,
        words=("vehicle", "car ", "van ", "truck", "plate", "rego"),
        pattern=re.compile(
            r"(?<![a-z])(?:vehicle|car|van|truck|plate|rego)s?(?![a-z])[^\n]{0,60}?(?<![a-z0-9])(?P<value>[0-9][a-z]{2}[·\- ]?[0-9][a-z]{2})(?![a-z0-9])"
        ),
    ),
)

_SAID = "|".join(sorted([*EN_DIGITS, *EN_TENS, *EN_REPEATS], key=len, reverse=True))
_RUN = re.compile(rf"(?<![a-z])(?:(?:{_SAID})(?:[ ,.\-]{{1,3}}|(?![a-z]))){{5,24}}")
_ONE = re.compile(_SAID)
_RINGS = re.compile(
    r"(?<![a-z])(?:call|ring|reach|text|phone|mobile|cell|number|dial|contact|whatsapp|sms|tel)(?:s|ed|ing)?(?![a-z])"
)


def phones_said(text: str) -> list[Hit]:
    """'oh double-seven double-oh, nine hundred, four six one': 7 to 15 digits in English words, that begin with a nought
    or stand by a word of telephones."""
    if not any(word in text for word in ("oh", "zero", "double", "five", "seven")):
        return []
    return [
        Hit(Reason.PHONE, m.start(), m.start() + len(m[0].rstrip(" ,.-")))
        for m in _RUN.finditer(text)
        if 7 <= _digits(m[0]) <= 15
        and (re.match(r"(?:oh|zero)(?![a-z])", m[0]) or _RINGS.search(text, max(0, m.start() - CONTEXT), m.start()))
    ]


def _digits(words: str) -> int:
    total, repeat, tens = 0, 1, False
    for word in _ONE.findall(words):
        if word in EN_REPEATS:
            repeat = EN_REPEATS[word]
            continue
        unit_of_tens = tens and len(EN_DIGITS.get(word, "00")) == 1
        total += 0 if unit_of_tens else repeat * (2 if word in EN_TENS else len(EN_DIGITS[word]))
        repeat, tens = 1, word in EN_TENS
    return total
