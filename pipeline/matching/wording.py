"""The words of a value as an evaluation compares them, and which of them are negated."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field

from pipeline.matching.figures import Figures, read

_SAME = (
    (re.compile(r"\be-?mails?\b|电子邮件|电邮|邮件|邮箱"), " email "),
    (re.compile(r"(?:增值税)?(?:普票|普通发票)"), " vat-plain "),
    (re.compile(r"(?:增值税)?(?:专票|专用发票)"), " vat-special "),
    (re.compile(r"\b(?:ring(?:ing)?|phoning|telephones?|calls?|calling|phones?(?: calls?)?)\b"), "call"),
    (re.compile(r"\b(?:text messages?|texts?|texting|sms)\b"), "sms"),
    (re.compile(r"\b(?:packages?|packets?)\b"), "parcel"),
    (re.compile(r"\bmornings\b"), "morning"),
    (re.compile(r"電話|来电|來電"), "电话"),
    (re.compile(r"每[个個](?=月|周|星期|季)"), "每"),
)
"""Words that say one thing. Short on purpose: likeness does the rest."""

_EXCLUSIVE: tuple[tuple[tuple[str, ...], ...], ...] = (
    (("vat-special",), ("vat-plain",)),
    (("电子",), ("纸质",)),
    (("靠窗", "window"), ("过道", "aisle")),
    (("早上", "上午", "morning"), ("下午", "afternoon"), ("晚上", "evening")),
    (("工作日", "weekday"), ("周末", "weekend")),
    (("automatic", "自动挡"), ("manual", "手动挡")),
    (("原路",), ("余额", "store credit")),
    (("weekly", "每周"), ("daily", "每天", "每日"), ("monthly", "每月"), ("yearly", "每年")),
    (("large",), ("medium",), ("small",)),
)
"""Choices of which one excludes the others, each as the words for it."""

_NEGATION = re.compile(
    r"不(?!变|错|同|仅|但|久|断|过)|(?<![特区分级类个识性])别(?!墅|的|人|名|处)|(?<=升级)别|勿|无(?!锡|线|人|论)|没(?!问题)|未(?!来)"
    r"|非(?!常|洲)|拒|避免|禁止|停(?=止|用|发|了|每|掉)|唔"
    r"|\bno\b(?!\.? ?\d)|\b(?:not|never|without|avoids?|nor|neither|none|refuses?|dislikes?|hates?|stop)\b|n['’]t\b"
    r"|\binstead of\b|\brather than\b|\bcannot\b|\bleft\b(?= [a-z])|\bmoved off\b"
    r"|\bfrom\b(?=[^,.;]*\bto\b)|[从由](?=[^，,。.；;]*[搬换改迁转升到])"
)
"""Words that negate what follows; what one moved away from counts as negated."""
_KEPT = re.compile(r"别停|不要停|不停|never stop|don't stop")
_SCOPE_ENDS = re.compile(r"[,，.。;；:：!！?？、()（）|]|\bbut\b|\bonly\b|\bjust\b|\bto\b|而|但|只|改|搬|换|迁")
_HAN_RUN = re.compile(r"[\u3400-\u9fff]+")
_FUNCTION_HAN = re.compile(r"[的了我您你就都也请吧啊呢是在把被给只要和与用，]|以后|可以|需要|客户")
_STOP = frozenset(
    re.findall(
        r"\w+",
        "a an the to of in on at by for from with and or is are be was were it its they their them i we my our you your"
        " please always as that this all any every per so do does did has have had will would customer",
    )
)
_AVOID_KEY = re.compile(r"avoid|do_not|dont|_no_|^no_|dislike|opt_out|unwanted")


@dataclass(frozen=True, kw_only=True)
class Wording:
    """`words` with whether each is negated (None: it stands both ways); `figures`; `choices`: by row of the table of
    exclusive choices, which are taken."""

    words: dict[str, bool | None] = field(repr=False)
    figures: Figures = field(repr=False)
    choices: dict[int, frozenset[int]] = field(repr=False)

    def within(self, other: "Wording") -> bool:
        """Whether it says nothing that the other does not say."""
        return self.words.keys() <= other.words.keys() and not self.figures.missing_from(other.figures).count


def plain(text: str) -> str:
    """NFKC, case and space folded, and what says one thing said one way."""
    folded = " ".join(unicodedata.normalize("NFKC", text).casefold().split())
    for pattern, word in _SAME:
        folded = pattern.sub(word, folded)
    return folded


def wording(value: str, key: str = "") -> Wording:
    """What a value says under its key: one that names what to avoid negates a value without a negation of its own."""
    text = _KEPT.sub(" ", plain(value))
    negated = bool(_AVOID_KEY.search(key)) and not _NEGATION.search(text)
    words: dict[str, bool | None] = {}
    found, rest = read(text)
    for stretch, no in _stretches(rest):
        for word in _words(stretch):
            said = no or negated
            words[word] = said if words.get(word, said) == said else None
    return Wording(words=words, figures=found, choices={} if negated else _choices(text))


def _stretches(text: str) -> Iterator[tuple[str, bool]]:
    """Pieces of the text, each with whether a negation governs it: from its word to the end of the clause."""
    for clause in _SCOPE_ENDS.split(text):
        at = 0
        for match in _NEGATION.finditer(clause):
            yield clause[at : match.start()], at > 0
            at = match.end()
        yield clause[at:], at > 0


def _words(text: str) -> Iterator[str]:
    for part in _FUNCTION_HAN.sub(" ", text).split():
        for run in _HAN_RUN.findall(part):
            yield from (run[i : i + 2] for i in range(max(len(run) - 1, 1)))
    for word in re.findall(r"[a-z](?:[a-z'’+#]|-(?=plain|special))*", _HAN_RUN.sub(" ", text)):
        if word not in _STOP:
            yield _stem(word)


def _stem(word: str) -> str:
    """Without the commonest endings: invoices, invoiced and invoicing are one word."""
    for ending in ("ies", "ing", "ed", "es", "s", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):
            return word[: -len(ending)] + ("y" if ending == "ies" else "")
    return word


def _choices(text: str) -> dict[int, frozenset[int]]:
    """What is chosen in the clauses that negate nothing: in Chinese what is refused may stand before its negation."""
    text = " ".join(clause for clause in _SCOPE_ENDS.split(text) if not _NEGATION.search(clause))
    found = {}
    for row, members in enumerate(_EXCLUSIVE):
        taken = frozenset(n for n, words in enumerate(members) if any(word in text for word in words))
        if taken:
            found[row] = taken
    return found
