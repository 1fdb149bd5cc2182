"""The content of a text as comparable words: Latin words by a light stem, Han text by character.

Enough to tell whether a value says what its quote says, in whatever order and wording; not a measure of meaning. What
stands in another script than the quote cannot be compared and is left alone, names and codes excepted.
"""

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files

from pipeline.memo import lazy, once
from pipeline.traditional import simplified

_LATIN = re.compile(r"[a-zà-öø-ÿ][a-zà-öø-ÿ0-9+#.'’_-]*", re.IGNORECASE)
_FIGURE = re.compile(r"Q[1-4]|am|pm|[A-Z]|no\.?|UTC|GMT", re.IGNORECASE)
"""What stands beside numbers, and is checked with them."""
_LONGEST_FIGURE = 3
_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]")
_NONE: frozenset[str] = frozenset()
_NUMERALS = frozenset("零一二三四五六七八九十百千万两〇年月日号点时分周")
_ENDINGS = ("ations", "ation", "ingly", "ings", "ing", "edly", "ied", "ies", "ed", "es", "ly", "er", "s", "e")


@dataclass(frozen=True)
class _Lexicon:
    """`words.toml`: what carries no content, and what stands for the same."""

    stop: frozenset[str]
    stop_han: frozenset[str]
    same: Mapping[str, frozenset[str]]
    """A stem -> the stems that stand for the same thing."""
    same_han: tuple[tuple[str, ...], ...]


@lru_cache(maxsize=1)
def _lexicon() -> _Lexicon:
    data = tomllib.loads((files("pipeline") / "gates" / "words.toml").read_text("utf-8"))
    same: dict[str, set[str]] = {}
    for row in data["same"]:
        stems = {stem(word) for word in row.split("|")}
        for one in stems:
            same.setdefault(one, set()).update(stems)
    return _Lexicon(
        stop=frozenset(data["stop"].split()),
        stop_han=frozenset(data["stop_han"]),
        same={one: frozenset(others) for one, others in same.items()},
        same_han=tuple(tuple(row.split("|")) for row in data["same_han"]),
    )


@dataclass(frozen=True)
class Terms:
    """`words`: folded Latin words and stems; `han`: Han characters; `names`: words that no paraphrase changes."""

    words: frozenset[str]
    han: frozenset[str]
    names: frozenset[str]


@once
def _plain(text: str) -> str:
    """Half width, and traditional characters as simplified ones."""
    return simplified(unicodedata.normalize("NFKC", text))


def stem(word: str) -> str:
    for ending in _ENDINGS if word.endswith(_ENDINGS) else ():
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word.removesuffix(ending)
    return word


@once
def terms(text: str) -> Terms:
    plain = _comparable(text)
    return Terms(_words(plain), _han(plain), _names(plain))


def _comparable(text: str) -> str:
    return _plain(text).replace("’", "'")


@once
def _words(plain: str) -> frozenset[str]:
    return _NONE.union(*map(_content, _LATIN.findall(plain)))


@once
def _content(found: str) -> tuple[str, ...]:
    """What counts of a stretch without blanks: itself and its parts, but for what carries no content."""
    stop, raw = _lexicon().stop, found.strip(".'-_")
    parts = {raw, *_PARTS.split(raw)} if _PARTS.search(raw) else {raw}
    lowered = [part.lower().removesuffix("'s") for part in parts if not _is_figure(part)]
    return tuple(word for word in lowered if len(word) > 1 and word not in stop and stem(word) not in stop)


_PARTS = re.compile(r"[-_/]")


@once
def _han(plain: str) -> frozenset[str]:
    return frozenset(_HAN.findall(plain)) - _lexicon().stop_han - _NUMERALS


@once
def _names(plain: str) -> frozenset[str]:
    found = ((match[0].strip(".'-_"), match.start()) for match in _LATIN.finditer(plain))
    names = (raw for raw, at in found if _is_name(raw, plain, at) and not _is_figure(raw))
    return frozenset(name.lower().removesuffix("'s") for name in names)


def _is_figure(word: str) -> bool:
    return len(word) <= _LONGEST_FIGURE and _FIGURE.fullmatch(word) is not None


def _starts(text: str, at: int) -> bool:
    """Whether a sentence starts here: a capital then tells nothing."""
    while at > 0 and text[at - 1] in " \"'“(":
        at -= 1
    return at == 0 or text[at - 1] in ".!?。！？:：;；\n" or ord(text[at - 1]) > 0x3000


def _is_name(word: str, text: str, at: int) -> bool:
    """'Fly.io', 'Node22', 'GitHub', 'OAuth'; 'Heroku' where no sentence starts."""
    inner = any(c.isupper() for c in word[1:]) and not word.isupper()
    return inner or any(c.isdigit() or c == "." for c in word) or (word[0].isupper() and not _starts(text, at))


@once
def _pairs(text: str) -> frozenset[str]:
    """Neighbouring Han characters, two by two."""
    runs = re.findall(r"[\u3400-\u9fff]+", text)
    return frozenset(run[i : i + 2] for run in runs for i in range(len(run) - 1))


@once
def _same(word: str) -> frozenset[str]:
    """The stem of `word`, and of whatever stands for the same."""
    own = stem(word)
    return _lexicon().same.get(own, _NONE) | {own}


@dataclass(frozen=True, kw_only=True)
class _Stock:
    """What one text offers to a pool. `heads`: how its long words begin; `han`: characters of what means the same."""

    text: str = field(repr=False)
    words: frozenset[str] = field(repr=False)
    heads: frozenset[str] = field(repr=False)
    stems: frozenset[str] = field(repr=False)
    own: frozenset[str] = field(repr=False)
    han: frozenset[str] = field(repr=False)


@once
def _stock(text: str) -> _Stock:
    text = _plain(text).lower()
    words, own = _words(_comparable(text)), frozenset(_HAN.findall(text))
    meant = [phrase for group in _lexicon().same_han if any(map(text.__contains__, group)) for phrase in group]
    stems = [other for word in words for other in _same(word)]
    return _Stock(
        text=text,
        words=words,
        heads=frozenset(word[:_HEAD] for word in words if len(word) >= _HEAD),
        stems=frozenset((*stems, *(stem(phrase) for phrase in meant if phrase.isascii()))),
        own=own,
        han=frozenset(char for phrase in meant for char in phrase),
    )


_HEAD = 5
"""Letters that two long words must share to be taken for one."""


class Pool:
    """What a value may draw on: the words of some texts, with stems, synonyms and the text itself for Han phrases.

    A text is taken apart when it is first needed: most values stand in the first ones.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        self._texts = tuple(dict.fromkeys(texts))

    @lazy
    def has_latin(self) -> bool:
        return any(_stock(text).words for text in self._texts)

    @lazy
    def has_han(self) -> bool:
        return any(map(_HAN.search, map(_plain, self._texts)))

    def _holds(self, text: str) -> bool:
        return any(text in _stock(one).text for one in self._texts)

    def has_word(self, word: str) -> bool:
        own, head = stem(word), word[:_HEAD] if len(word) >= _HEAD else None
        return any(
            word in stock.words or own in stock.stems or head in stock.heads for stock in map(_stock, self._texts)
        )

    def has_name(self, name: str) -> bool:
        """'Node.js' also as 'Node', 'Fly.io' also as 'flyio'."""
        if self.has_word(name) or self._holds(name) or self._holds(re.sub(r"[.-]", "", name)):
            return True
        first = re.split(r"[.\-_/]|'s|(?<=[a-z])\d", name)[0]
        return len(first) >= 3 and first != name and self.has_word(first)

    def has_han_char(self, char: str, text: str, *, paired: bool) -> bool:
        """Whether `char` of `text` stands in the pool; `paired`: near a neighbour that it has there too.

        So 文 of 日文 does not stand in 中文, but 导出 stands in 导不出来.
        """
        if any(char in _stock(one).han for one in self._texts):
            return True
        pairs = [pair for pair in _pairs(text) if char in pair] if paired else []
        return any(map(self._has_pair, pairs)) if pairs else any(char in _stock(one).own for one in self._texts)

    def _has_pair(self, pair: str) -> bool:
        return self._holds(pair) or any(_holds_apart(pair, _stock(text).text) for text in self._texts)


def _holds_apart(pair: str, text: str) -> bool:
    """Whether the two characters stand on one line with one or two others between them."""
    at = text.find(pair[0])
    while at >= 0:
        if pair[1] in text[at + 1 : at + 4].partition("\n")[0][1:]:
            return True
        at = text.find(pair[0], at + 1)
    return False


def support(value: str, pool: Pool, *, but: str = "", paired: bool = False) -> tuple[int, int]:
    """How many of the value's words stand in the pool, of how many that can be compared. `but`: words not counted;
    `paired`: Han characters count only near a neighbour that they have in the value.
    """
    found, spared = terms(value), terms(but)
    words, han = found.words - spared.words, found.han - spared.han
    checked = (
        [pool.has_word(word) or pool.has_name(word) for word in words] if pool.has_latin or not pool.has_han else []
    )
    checked += [pool.has_han_char(char, _plain(value), paired=paired) for char in han] if pool.has_han else []
    return sum(checked), len(checked)


def share(value: str, pool: Pool, *, paired: bool = False) -> float:
    """How much of the value's content stands in the pool, 0 to 1; 1 where nothing can be compared."""
    hits, total = support(value, pool, paired=paired)
    return hits / total if total else 1.0


@once
def pieces(text: str) -> frozenset[str]:
    """Latin words, marks such as 'B' and '2pm', and pairs of Han characters: what two texts on one matter share."""
    plain = _plain(text)
    marks = re.findall(r"\b(?:[A-Z]|\w*\d\w*)\b", plain)
    return terms(plain).words | {mark.lower() for mark in marks if mark != "I"} | _pairs(plain)


def missing_names(value: str, pool: Pool) -> bool:
    """Whether the value names something ('Fly.io', 'GitHub') that the pool does not."""
    return any(not pool.has_name(name) for name in terms(value).names)


def letters(text: str) -> int:
    """The length of a text for people: letters and digits, a Han character counting two."""
    return sum(2 if ord(char) > 0x2E80 else 1 for char in text if char.isalnum())
