"""The content of a text as comparable words: Latin words by a light stem, Han text by character.

Enough to tell whether a value says what its quote says, in whatever order and wording; not a measure of meaning. What
stands in another script than the quote cannot be compared and is left alone, names and codes excepted.
"""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

_LATIN = re.compile(r"[a-zà-öø-ÿ][a-zà-öø-ÿ0-9+#.'’_-]*", re.IGNORECASE)
_FIGURE = re.compile(r"Q[1-4]|am|pm|[A-Z]|no\.?|UTC|GMT", re.IGNORECASE)
"""What stands beside numbers, and is checked with them."""
_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]")
_NUMERALS = frozenset("零一二三四五六七八九十百千万两〇年月日号点时分周")
_STOP_HAN = frozenset(
    "的了是在我你您他她它们们有和与及或也就都要不别勿请会能可以把被给让对从到于为吗呢吧啊这那个些之其客户用户本此该并而且但因所如只还很最更再又没无未非即已将"
)
_STOP = frozenset(
    "a an the and or but if of in on at to from by for with as is are was were be been being am do does did have has had "
    "i me my we us our you your he she it its they them their this that these those there here so not no never dont "
    "don't cannot can't won't isn't will would can could should may must shall just only also too very more most any "
    "based located all some each every own same than then now new about into out up over per via etc please prefer prefers preferred "
    "preference want wants wanted like likes need needs use uses using used customer user client always usually wish "
    "wishes ask asks asked request requests requested requires says said don doesn isn wants s t re ve ll d".split()
)
_ENDINGS = ("ations", "ation", "ingly", "ings", "ing", "edly", "ied", "ies", "ed", "es", "ly", "er", "s", "e")
SYNONYMS = (
    {"email", "e-mail", "emails", "mail", "mailbox", "e-mails", "emailed", "emailing", "inbox"},
    {"phone", "call", "calls", "calling", "telephone", "phoned", "ring", "called", "phones"},
    {"sms", "text", "texts", "texting"},
    {"buy", "bought", "purchase", "purchased", "order", "ordered"},
    {"broken", "damaged", "damage", "wet", "smashed", "cracked"},
    {"based", "located", "living", "lives", "live", "moved", "relocated"},
    {"fix", "fixed", "solved", "resolved", "stopped", "works", "gone"},
    {"fail", "fails", "failed", "failing", "failure", "error", "errors", "crash", "crashes", "crashing", "broken"},
    {
        "delivery",
        "deliver",
        "delivered",
        "ship",
        "shipping",
        "shipped",
        "parcel",
        "parcels",
        "package",
        "packages",
        "pallet",
    },
    {"cancel", "cancelled", "canceled", "cancellation"},
    {"return", "refund", "refunded", "money"},
    {"dislikes", "hates", "hate", "stand", "avoid", "avoids"},
    {"morning", "mornings", "am"},
    {"afternoon", "afternoons", "pm", "evening", "evenings"},
    {"reply", "replies", "answer", "answers", "response", "responses", "respond"},
    {"short", "brief", "concise"},
    {"company", "firm", "business", "organisation", "organization"},
    {"staff", "employees", "people", "team", "headcount"},
)
HAN_SYNONYMS = (
    "邮件|邮箱|电邮|email|e-mail|mail|发邮", "电话|来电|致电|打给|call|phone|拨打", "短信|sms|text", "退款|退钱|退回|退掉|退货|refund",
    "联系|打扰|沟通|contact", "居住|现居|住在|搬到|搬去|常住", "买|购", "次|趟", "每月|每个月|月月", "上午|早上|早晨", "晚上|晚间|夜里",
    "称呼|叫", "专票|专用发票", "普票|普通发票", "扣|多收", "席位|坐席|席", "简短|简洁|短", "公司|企业|单位|我司", "破|损|碎|坏",
    "报错|错误|失败|error|故障|异常", "使用|采用|用", "平时|一般|通常|平常", "配送|发货|寄|送", "行业|做|主营", "开票|发票",
)  # fmt: skip


@dataclass(frozen=True)
class Terms:
    """`words`: folded Latin words and stems; `han`: Han characters; `names`: words that no paraphrase changes."""

    words: frozenset[str]
    han: frozenset[str]
    names: frozenset[str]


def stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word.removesuffix(ending)
    return word


@lru_cache(maxsize=2048)
def terms(text: str) -> Terms:
    plain = unicodedata.normalize("NFKC", text).replace("’", "'")
    words, names = set(), set()
    for match in _LATIN.finditer(plain):
        raw = match[0].strip(".'-_")
        for word in {raw, *re.split(r"[-_/]", raw)}:
            lower = word.lower().removesuffix("'s")
            if len(lower) > 1 and lower not in _STOP:
                words.add(lower)
        if _is_name(raw, _starts(plain, match.start())) and not _FIGURE.fullmatch(raw):
            names.add(raw.lower().removesuffix("'s"))
    return Terms(frozenset(words), frozenset(_HAN.findall(plain)) - _STOP_HAN - _NUMERALS, frozenset(names))


def _starts(text: str, at: int) -> bool:
    """Whether a sentence starts here: a capital then tells nothing."""
    before = text[:at].rstrip(" \"'“(")
    return not before or before[-1] in ".!?。！？:：;；\n" or ord(before[-1]) > 0x3000


def _is_name(word: str, starts_sentence: bool) -> bool:
    """'Fly.io', 'Node22', 'GitHub', 'OAuth'; 'Heroku' where no sentence starts."""
    inner = any(c.isupper() for c in word[1:]) and not word.isupper()
    return inner or any(c.isdigit() or c == "." for c in word) or (word[0].isupper() and not starts_sentence)


def _groups() -> dict[str, frozenset[str]]:
    """A word or its stem -> the words that stand for the same."""
    table: dict[str, set[str]] = {}
    for group in SYNONYMS:
        for word in group:
            table.setdefault(stem(word), set()).update(stem(other) for other in group)
    return {word: frozenset(others) for word, others in table.items()}


_GROUPS = _groups()
_HAN_GROUPS = tuple(tuple(row.split("|")) for row in HAN_SYNONYMS)


class Pool:
    """What a value may draw on: the words of some texts, with stems, synonyms and the text itself for Han phrases."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._text = unicodedata.normalize("NFKC", "\n".join(texts)).lower()
        found = terms(self._text)
        self.has_latin = bool(found.words)
        self.has_han = bool(found.han) or bool(_HAN.search(self._text))
        self._words = set(found.words)
        self._stems = {other for word in found.words for other in _GROUPS.get(stem(word), frozenset()) | {stem(word)}}
        self._han = set(_HAN.findall(self._text))
        for group in _HAN_GROUPS:
            if any(phrase in self._text for phrase in group):
                self._han.update(char for phrase in group for char in phrase)
                self._stems.update(stem(phrase) for phrase in group if phrase.isascii())

    def has_word(self, word: str) -> bool:
        if word in self._words or stem(word) in self._stems:
            return True
        return len(word) >= 5 and any(known.startswith(word[:5]) for known in self._words if len(known) >= 5)

    def has_name(self, name: str) -> bool:
        """'Node.js' also as 'Node', 'Fly.io' also as 'flyio'."""
        if self.has_word(name) or name in self._text or re.sub(r"[.-]", "", name) in self._text:
            return True
        first = re.split(r"[.\-_/]|'s|(?<=[a-z])\d", name)[0]
        return len(first) >= 3 and first != name and self.has_word(first)

    def has_han_char(self, char: str) -> bool:
        return char in self._han


def support(value: str, pool: Pool, *, but: str = "") -> tuple[int, int]:
    """How many of the value's words stand in the pool, and of how many that can be compared. `but`: words not counted."""
    found, spared = terms(value), terms(but)
    words, han = found.words - spared.words, found.han - spared.han
    checked = [pool.has_word(word) or pool.has_name(word) for word in words] if pool.has_latin or not pool.has_han else []
    checked += [pool.has_han_char(char) for char in han] if pool.has_han else []
    return sum(checked), len(checked)


def share(value: str, pool: Pool) -> float:
    """How much of the value's content stands in the pool, 0 to 1; 1 where nothing can be compared."""
    hits, total = support(value, pool)
    return hits / total if total else 1.0


def pieces(text: str) -> frozenset[str]:
    """Latin words and pairs of Han characters: what two texts on one matter share."""
    plain = unicodedata.normalize("NFKC", text)
    runs = re.findall(r"[\u3400-\u9fff]+", plain)
    return terms(plain).words | {run[i : i + 2] for run in runs for i in range(len(run) - 1)}


def missing_names(value: str, pool: Pool) -> bool:
    """Whether the value names something ('Fly.io', 'GitHub') that the pool does not."""
    return any(not pool.has_name(name) for name in terms(value).names)
