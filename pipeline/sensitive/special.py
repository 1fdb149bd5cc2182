"""Statements about a person that are protected by their meaning: birth, health, belief, body, sexual life, politics, a
child, income, origin, a criminal record. A word of the topic is no statement: a church supply store is a trade.
"""
# ruff: noqa: E501 (rows of words and patterns read best one a line)

import re
from collections.abc import Iterator
from functools import lru_cache

from pipeline.reasons import Reason
from pipeline.sensitive.asides import ASIDES
from pipeline.sensitive.finding import Hit
from pipeline.sensitive.nearby import around
from pipeline.sensitive.statements import STATEMENTS, TRADE_AFTER, TRADE_BEFORE
from pipeline.sensitive.topics import TOPICS
from pipeline.trie import trie

_D = r"[0-9一二三四五六七八九十〇零]"
_MONTHS = r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
_DATE = (
    rf"(?:(?:19|20)?[0-9]{{2}}[-/.年\s][0-9]{{1,2}}[-/.月\s][0-9]{{1,4}}日?|[0-9]{{1,2}}[-/.\s][0-9]{{1,2}}[-/.\s](?:19|20)?[0-9]{{2}}|(?:19|20)[0-9]{{6}}|[0-9]{{1,2}}(?:st|nd|rd|th)?\s?(?:of\s)?{_MONTHS}\.?,?\s?(?:(?:19|20)[0-9]{{2}}|'?[0-9]{{2}})?"
    rf"|{_MONTHS}\.?\s[0-9]{{1,2}}(?:st|nd|rd|th)?(?:,?\s(?:19|20)[0-9]{{2}})?|(?:19|20)?[0-9]{{2}}\s?年(?:\s?{_D}{{1,3}}\s?月(?:\s?{_D}{{1,3}}[日号]?)?)?|{_D}{{1,3}}月(?:{_D}{{1,3}}[日号]?|初{_D})?|[0-9]{{1,2}}/[0-9]{{1,2}}(?![0-9/])|(?:19[3-9]|200|201)[0-9](?![0-9])"
    r"|[0-9*x]{2,4}[-/.][0-9*x]{2}[-/.][0-9*x]{2,4}|(?:the\s)?[0-9]{1,2}(?:st|nd|rd|th)\sof\s"
    + _MONTHS
    + r"|农历[\u4e00-\u9fff0-9]{2,8})"
)
_BIRTH = re.compile(
    rf"(?<![a-z])(?:d\.?o\.?b\.?|date of birth|birth ?date|birth ?day|b-?day|born(?: (?:on|in|at))?|birth year|year of birth)(?:\s?\([a-z/]{{2,12}}\))?(?:\s?(?:is|was|:|=|on|in|falls on|-|>|the|his|her|my|to)){{0,3}}\s{{0,2}}(?P<value>{_DATE})"
    rf"|(?:出生日期|出生年月日?|出生时间|出生年份|出生于|生于|生日|生辰|农历生日|阳历生日|阴历生日|出生)(?:\s?(?:是|为|:|=|在|就在|改成|改为|填的?|写的?|应该是|每年)){{0,3}}\s?(?P<value2>(?:农历|阳历|阴历|公历)?{_DATE})"
    rf"|(?P<value3>{_DATE})\s?(?:出生|生人|生的|生日|过生日|诞生|生(?![产效成活日命意理长态存病机气鲜肖])|is (?:my|his|her|the customer's|their) (?:birthday|dob|date of birth|birth date)|was born)"
    rf"|(?<![a-z])(?:d\.?o\.?b\.?|date of birth|birth ?date|birth ?day|born)(?:\s?(?:is|was|:|=|on|in|falls on|the)){{0,3}}\s{{0,2}}(?P<value5>(?:[a-z\-]{{3,14}} ){{0,2}}(?:of )?{_MONTHS}(?![a-z])(?: [a-z0-9\-]{{2,12}}){{0,3}})"
    rf"|(?:他|她|我|客户|用户|本人)(?:是)?(?P<value4>(?:19)?[4-9][0-9]年?|[0-9]{{2}}后)\s?(?:的人|生|出生)"
)
_NOT_PERSON = re.compile(
    r"company|firm|startup|business|founded|project|product|brand|公司|企业|品牌|成立|项目|优惠|活动|券|产品|店|account(?! holder)|workspace|tenant|repo|integration|(?:ticket|team|database|table|field|record|file) (?:was|were)|coupon|voucher|promo|discount|campaign|sale|feature|bug|idea|version|release|system"
)

_OF_THING = re.compile(rf"(?:的[^，。,.\n]{{0,8}}?)?\s?(?:{_NOT_PERSON.pattern})")

_BIOMETRIC = re.compile(
    r"(?:人脸|面部|脸部|指纹|虹膜|声纹|掌纹|指静脉|视网膜|面容|步态|笔迹|基因|dna|耳廓)(?:识别)?(?:的)?(?:照片|特征值?|特征码|特征向量|模板|向量|数据|图像|样本|编码|哈希|id|编号|信息|序列|检测结果|档案|图谱)?(?:值|id|编号)?\s?(?:是|为|:|=|如下|已|编码|:)?\s?(?:-?[0-9]*\.[0-9]+\s?[,，、\s]\s?-?[0-9]*\.[0-9]+|[0-9a-f]{12,}|[a-z0-9+/_\-]*[0-9][a-z0-9+/_\-]{5,}|\[|(?:已)?(?:采集|录入|提取|入库|留存|登记|上传|保存|备案|存档)(?!失败|不了|不上|报错|异常|超时|功能|页面|设备|仪|机|按钮|提示|有问题|很慢))"
    r"|(?:采集|录入|留存|保存|存储|登记|提取)(?:了|过)?(?:他|她|我|客户|用户|本人|其|该客户|员工)的?(?:人脸|面部|指纹|虹膜|声纹|掌纹|指静脉|dna|基因)"
    r"|(?:face|facial|fingerprint|iris|retina(?:l)?|voice ?print|voice|palm(?: ?print| ?vein)?|biometric|gait|dna|hand geometry|thumb ?print|vein)s?(?: (?:scan|recognition|id))?[ _-]?(?:template|vector|embedding|hash|data|features?|encoding|descriptor|minutiae|signature|map|profile|sample|id|code|sequence|record|pattern|print|scan)s?(?:[ _-](?:hash|data|vector|id|value|code|template))?\s?(?:is|was|:|=|->|>|of the (?:customer|user)|value)?\s?[\[(\"']?(?:-?[0-9]*\.[0-9]+\s?[, ]\s?-?[0-9]*\.[0-9]+|(?=[a-z+/=_\-]{0,30}[0-9])[a-z0-9+/=_\-]{6,}|(?:is |was |has been |have been |were |are )?(?:enrolled|captured|collected|on file|stored|registered|recorded|taken|uploaded|attached|extracted|scanned))"
    r"|(?:enrolled|captured|collected|recorded|scanned|stored|took|have|has|uploaded|registered|provided|submitted|attached)\s(?:the |a |an |his |her |my |their |customer's |user's |client's |(?:the )?(?:customer|user|client|employee)'?s? )*(?:face|facial|fingerprints?|iris|retina|voice ?prints?|palm ?prints?|thumb ?prints?|dna|biometrics?|left index|right index|right thumb|left thumb)(?: ?(?:template|vector|embedding|hash|data|scan|geometry|sample|prints?|fingerprint|features))+"
    r"|(?:his|her|my|their|customer's|user's|client's|employee's) (?:face|facial data|fingerprints?|iris|retina|voice ?prints?|palm ?prints?|thumb ?prints?|dna|biometrics?|biometric data) (?:were|was|have been|has been|are|is) (?:collected|captured|enrolled|recorded|scanned|stored|taken|registered|on file|uploaded)"
    r"|(?:brca[12]|apoe(?: ?e4)?|htt|cftr)\s?(?:gene|mutation|positive|variant|carrier|阳性|突变)|基因(?:检测|突变)(?:结果)?(?:显示|为|是|:)?\s?[^。\n]{0,8}(?:阳性|突变|携带|风险)|[acgt]{16,}|(?:genetic|dna) (?:test|result)s? (?:shows?|found|positive|confirms?|says?|came back)"
)
_HAN_PERSON = r"(?:他|她|我|其|客户|用户|本人|对方|孩子|女儿|儿子|妻子|老婆|丈夫|老公|母亲|父亲|妈妈|爸爸|爷爷|奶奶|家人|太太|员工|同事)"


def statements_in(text: str) -> list[Hit]:
    """Protected statements of `text` (lower case)."""
    places = _places(text)
    hits = [Hit(Reason.BIOMETRIC, *m.span()) for m in _in(text, places, Reason.BIOMETRIC, (_BIOMETRIC,))]
    hits += [Hit(Reason.BIOMETRIC, *m.span()) for m in _BASES.finditer(text)]
    hits += _births(text, places)
    for reason in TOPICS:
        patterns = (*STATEMENTS.get(reason, ()), *ASIDES.get(reason, ()))
        hits += [Hit(reason, *m.span()) for m in _in(text, places, reason, patterns) if not _trade(text, m)]
    return hits


_REACH = 100
"""How far a statement reaches from the word that tells its topic."""
_AGE = re.compile(r"(?:[0-9]|1[0-7])(?![0-9.:%])")
_SAID_OF = re.compile(r"(?:is|was|are|am|'s|'m|aged?|turn(?:s|ed)|[,(]) ?(?:only |just |about |now |a )*$")
_AGE_WORDS = (
    "is one",
    "is two",
    "is three",
    "is four",
    "is five",
    "is six",
    "is seven",
    "is eight",
    "is nine",
    "is ten",
)
_BASES = re.compile(r"(?<![a-z])[acgt]{16,}(?![a-z])")


Places = dict[Reason, list[tuple[int, int]]]


def _places(text: str) -> Places:
    """Where each matter could stand, from one scan for the English stems and a look-up of the Chinese ones."""
    spots: dict[Reason, list[int]] = {reason: [] for reason in TOPICS}
    for at, stem in _english(text):
        for reason in _matters(stem):
            spots[reason].append(at)
    if any(ending in text for ending in _MEDICAL_HINTS):
        spots[Reason.HEALTH] += [m.start() for m in _MEDICAL_ENDING.finditer(text)]
    spots[Reason.MINOR] += [
        m.start() for m in _AGE.finditer(text) if _SAID_OF.search(text, max(0, m.start() - 24), m.start())
    ]
    spots[Reason.MINOR] += [at for word in _AGE_WORDS if word in text for at in _all(text, word)]
    if not text.isascii():
        for at, reason in _chinese(text):
            spots[reason].append(at)
    return {reason: around(text, sorted(found), _REACH, _REACH) for reason, found in spots.items() if found}


def _all(text: str, word: str) -> Iterator[int]:
    at = text.find(word)
    while at >= 0:
        yield at
        at = text.find(word, at + _REACH)


_MEDICAL_ENDINGS = frozenset({"itis", "osis", "emia ", "oma ", "pathy", "plegia", "algia", "phobia"})
_MEDICAL_ENDING = re.compile("itis|osis|emia|oma(?![a-z])|pathy|plegia|algia|phobia")
_MEDICAL_HINTS = tuple(ending.rstrip() for ending in _MEDICAL_ENDINGS)
_WORD = re.compile("[a-z]+")
_EDGE = r"[\s,.;!?)]"
_HEAD = 3


def _english(text: str) -> Iterator[tuple[int, str]]:
    """Where a word begins with an English stem, and the stem. The first letters rule most words out."""
    heads, stems = _english_stems()
    for word in _WORD.finditer(text):
        if word[0][:_HEAD] in heads and (m := stems.match(text, word.start())):
            yield word.start(), m[0]
    for stem in _UNUSUAL:
        yield from ((at, stem) for at in _all(text, stem))


_UNUSUAL = ("-old", "-grade")
"""Stems that do not begin with a letter."""


@lru_cache(maxsize=1)
def _english_stems() -> tuple[frozenset[str], re.Pattern[str]]:
    stems = {stem.lstrip() for found in TOPICS.values() for stem in found if stem.isascii()}
    stems -= {*_MEDICAL_ENDINGS, *_UNUSUAL}
    heads = frozenset(m[0][:_HEAD] for stem in stems if (m := _WORD.match(stem)))
    options = trie(stem.replace(" ", "\0") for stem in sorted(stems)).replace("\\\0", _EDGE).replace("\0", _EDGE)
    return heads, re.compile(options)


def _chinese(text: str) -> Iterator[tuple[int, Reason]]:
    """Where a Chinese stem stands, and what it is about."""
    first, by_first = _chinese_stems()
    for m in first.finditer(text):
        for stem, reason in by_first[m[0]]:
            if text.startswith(stem, m.start()):
                yield m.start(), reason


@lru_cache(maxsize=1)
def _chinese_stems() -> tuple[re.Pattern[str], dict[str, list[tuple[str, Reason]]]]:
    by_first: dict[str, list[tuple[str, Reason]]] = {}
    for reason, stems in TOPICS.items():
        for stem in stems:
            if not stem.isascii():
                by_first.setdefault(stem[0], []).append((stem, reason))
    return re.compile(f"[{re.escape(''.join(by_first))}]"), by_first


@lru_cache(maxsize=4096)
def _matters(found: str) -> tuple[Reason, ...]:
    """What a found stem, or a shorter stem that it begins with, is about."""
    plain = re.sub(r"[\s,.;!?)]", " ", found)
    return tuple(
        r for r, stems in TOPICS.items() if any(plain.startswith(stem.lstrip()) for stem in stems if stem.isascii())
    )


def _in(text: str, places: Places, reason: Reason, patterns: tuple[re.Pattern[str], ...]) -> Iterator[re.Match[str]]:
    for pattern in patterns if reason in places else ():
        for start, end in places[reason]:
            yield from pattern.finditer(text, start, end)


def _births(text: str, places: Places) -> list[Hit]:
    hits = []
    for m in _in(text, places, Reason.DATE_OF_BIRTH, (_BIRTH,)):
        group = next(name for name in ("value", "value2", "value3", "value4", "value5") if m[name])
        if not _NOT_PERSON.search(text[max(0, m.start() - 28) : m.start()]) and not _OF_THING.match(text, m.end()):
            hits.append(Hit(Reason.DATE_OF_BIRTH, *m.span(group)))
    return hits


def _trade(text: str, m: re.Match[str]) -> bool:
    """What the customer sells or builds, not what a person is or has."""
    after = TRADE_AFTER.match(text, m.end())
    before = TRADE_BEFORE.search(text[max(0, m.start() - 24) : m.start()])
    return bool(after or before)
