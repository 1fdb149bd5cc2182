"""The second look of gate 7: how much, all words together, a sentence sounds like an order about rights or money.

The rules (pipeline/authority.toml) know the ways in which an order was ever given. A new one is mostly made of old
pieces, so each piece has a weight: a word, two in a row, four letters of one, a word after a negation, the kinds of
words (pipeline/tagging.py) and which of them follow one another. The weights are integers in `authority_weights.txt`,
learned offline from labelled lines (tests/evaluation/authority_weights.py), and their sum over the square root of the
number of pieces is a score. No random number, no float, no library: one text has one score, and `heaviest` says which
pieces made it. A linear model is the most that a gate can use whose every refusal has to be explained.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache
from itertools import product
from math import isqrt

from pipeline.memo import once
from pipeline.tagging import Lexicon

LONGEST = 48
"""Words, or Chinese characters, that are read together; a longer sentence goes in overlapping stretches."""
_OVERLAP = 16
_NEAR, _FAR = 3, 10
"""How far apart two kinds of words are neighbours, and two topics."""
TOPIC = "@"
"""How the kinds begin that say what a word is about (pipeline/authority_topics.toml)."""
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?|[0-9]+|[\u3400-\u9fff]|[^\w\s]")
_STOP = re.compile(r"(?<=[!?;。\n])|(?<=\.)(?=\s)")
_STEM = 5
"""Letters from which a word is known by its first and its last ones too."""
START, END, CLOSE = "^", "$", ">"
_NEGATIONS = frozenset(
    "avoid can't cannot didn't doesn't don't isn't aren't mustn't needn't neither never no nobody none nor not nothing"  # noqa: SIM905  a line of words is easier to read
    " shouldn't skip wasn't without won't 不 别 勿 无 未 没 免".split()
)
_REACH, _HAN_REACH = 5, 8
"""Words, or Chinese characters, after a negation that it may deny."""

Piece = str | tuple[str, ...]
"""A word, its ends (`veri*`), four of its letters (`~erif`), the start of one denied (`!verif`) or a kind (`CHECKN`);
two words in a row; two kinds close together (with `>`)."""


class Evidence(Enum):
    """What the rules say of a text, by the name of the limit that its score then has."""

    NONE = "limit"
    WEAK = "suspected"
    STRONG = "certain"


@dataclass(frozen=True, kw_only=True)
class Weights:
    """`of`: a piece's weight. A sentence whose score is above `limit` is refused, one that meets a weak rule already
    above `suspected`, and one that meets a strong rule above `certain`, the lowest. Units: thousandths of a margin.
    """

    of: Mapping[Piece, int] = field(repr=False)
    bias: int
    limit: int
    suspected: int
    certain: int


def read_weights(text: str) -> Weights:
    """The file's form: `weight<TAB>piece`, a piece a line, after bias and limits. ValueError for any other."""
    rows = [line.split("\t") for line in text.splitlines()]
    bias, limit, suspected, certain = (int(weight) for weight, _ in rows[:4])
    of = {_piece(name): int(weight) for weight, name in rows[4:]}
    return Weights(of=of, bias=bias, limit=limit, suspected=suspected, certain=certain)


def written(weights: Weights) -> str:
    head = "".join(f"{getattr(weights, name)}\t{name}\n" for name in ("bias", "limit", "suspected", "certain"))
    return head + "".join(f"{weight}\t{named(piece)}\n" for piece, weight in weights.of.items())


def named(piece: Piece) -> str:
    return piece if isinstance(piece, str) else " ".join(piece)


def _piece(name: str) -> Piece:
    return tuple(name.split(" ")) if " " in name else name


class Scorer:
    """Scores text by weights. Linear in the text's length."""

    def __init__(self, lexicon: Lexicon, weights: Weights) -> None:
        self._pieces = Pieces(lexicon)
        self._weights = weights

    def orders(self, text: str, evidence: Callable[[], Evidence] = lambda: Evidence.NONE) -> bool:
        """Whether `text` (normalised) scores too high with that evidence, which is asked for only where it matters."""
        score, limits = self.score(text), self._weights
        if score > limits.limit or score <= limits.certain:
            return score > limits.limit
        allowed: int = getattr(limits, evidence().value)
        return score > allowed

    def score(self, text: str) -> int:
        """The highest score of a sentence, and of two in a row, in thousandths of a margin."""
        highest, before, of = -(10**9), (0, 0), self._weights.of.get
        for found in self._pieces.by_sentence(text):
            here = (sum(filter(None, map(of, found))), len(found))
            for total, size in (here, (here[0] + before[0], here[1] + before[1])):
                highest = max(highest, total * 256 // isqrt(size * 65536) + self._weights.bias)
            before = here
        return highest

    def heaviest(self, text: str, most: int = 5) -> list[str]:
        """The pieces of the whole text that count most for an order."""
        found = dict.fromkeys(piece for sentence in self._pieces.by_sentence(text) for piece in sentence)
        heavy = sorted(((self._weights.of.get(piece, 0), named(piece)) for piece in found), key=lambda w: (-w[0], w[1]))
        return [name for weight, name in heavy[:most] if weight > 0]


class Pieces:
    """What of a text has a weight."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        self._near = lru_cache(maxsize=20_000)(self._pairs)
        self._far = lru_cache(maxsize=20_000)(self._topic_pairs)

    def by_sentence(self, text: str) -> Iterator[list[Piece]]:
        """Of each sentence of a normalised text its pieces, each once, in an order that is always the same."""
        for sentence, words in _sentences(text):
            found: dict[Piece, None] = dict.fromkeys(words)
            found |= dict.fromkeys(zip([START, *words], [*words, END], strict=True))
            for word in words:
                found |= _parts(word)
            _add_denied(found, words)
            for letters in self._lexicon.sentences(sentence):
                self._add_kinds(found, letters)
            yield list(found)

    def _add_kinds(self, found: dict[Piece, None], letters: str) -> None:
        """The kinds of words, and those that follow one another closely."""
        known = [(at, letter) for at, letter in enumerate(letters) if self._lexicon.kinds(letter)]
        for i, (at, letter) in enumerate(known):
            found |= dict.fromkeys(self._lexicon.kinds(letter))
            for other_at, other in known[i + 1 : i + 1 + _FAR]:
                if other_at - at > _FAR:
                    break
                found |= (self._near if other_at - at <= _NEAR else self._far)(letter, other)

    def _pairs(self, letter: str, other: str) -> dict[Piece, None]:
        return dict.fromkeys(product(self._lexicon.kinds(letter), CLOSE, self._lexicon.kinds(other)))

    def _topic_pairs(self, letter: str, other: str) -> dict[Piece, None]:
        return {pair: None for pair in self._pairs(letter, other) if pair[0][0] == TOPIC == pair[2][0]}


@once
def _parts(word: str) -> dict[Piece, None]:
    """The ends of a longer word, and each four letters in a row of any, with its borders."""
    if not word.isascii() or not word[0].isalpha():
        return {}
    whole = f"<{word}>"
    parts = [f"~{whole[at : at + 4]}" for at in range(len(whole) - 3)]
    return dict.fromkeys([f"{word[:4]}*", f"*{word[-4:]}", *parts] if len(word) >= _STEM else parts)


def _add_denied(found: dict[Piece, None], words: list[str]) -> None:
    for at, word in enumerate(words):
        if word in _NEGATIONS:
            reach = _REACH if word.isascii() else _HAN_REACH
            found |= dict.fromkeys(f"!{denied[:_STEM]}" for denied in words[at + 1 : at + 1 + reach])


def _sentences(text: str) -> Iterator[tuple[str, list[str]]]:
    """The text's sentences with their words; a long one in overlapping stretches."""
    for sentence in _STOP.split(text):
        words = ["0" if word[0].isdecimal() else word for word in _WORD.findall(sentence)]
        if len(words) > LONGEST:
            ends = [m.end() for m in _WORD.finditer(sentence)]
            for first in range(0, len(ends) - _OVERLAP, LONGEST - _OVERLAP):
                last = min(first + LONGEST, len(ends))
                yield sentence[ends[first - 1] if first else 0 : ends[last - 1]], words[first:last]
        elif words:
            yield sentence, words
