"""The second look of gate 7: how much, all words together, a sentence sounds like an order about rights or money.

The rules (pipeline/authority.toml) know the ways in which an order was ever given. A new one is mostly made of old
pieces, so each piece has a weight: a word, two or three in a row, the beginnings and ends of words, the kinds of words
(pipeline/tagging.py) and which of them stand together. The weights are integers in `authority_weights.txt`, learned
offline from labelled lines (tests/evaluation/authority_weights.py), and their sum over the square root of the number
of pieces is a score. No random number, no float, no library: one text has one score, and `heaviest` says which pieces
made it. A linear model is the most that a gate can use whose every refusal has to be explained.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations, product
from math import isqrt

from pipeline.tagging import Lexicon

LONGEST = 48
"""Words, or Chinese characters, that are read together; a longer sentence goes in overlapping stretches."""
_OVERLAP = 16
_NEAR = 3
"""How far apart two kinds of words are neighbours."""
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?|[0-9]+|[\u3400-\u9fff]|[^\w\s]")
_STOP = re.compile(r"(?<=[!?;。\n])|(?<=\.)(?=\s)")
_STEM = 5
"""Letters from which a word is known by its first and its last ones too."""
START, END, CLOSE = "^", "$", ">"

Piece = str | tuple[str, ...]
"""A word, a part of one (`veri*`) or a kind (`CHECKN`); words in a row; kinds close together (with `>`) or not."""


@dataclass(frozen=True, kw_only=True)
class Weights:
    """`of`: a piece's weight. A sentence whose score is above `limit` is refused, and one that meets a weak rule
    already above `suspected`. Units: thousandths of a margin.
    """

    of: Mapping[Piece, int] = field(repr=False)
    bias: int
    limit: int
    suspected: int


def read_weights(text: str) -> Weights:
    """The file's form: `weight<TAB>piece`, a piece a line, after bias and limits. ValueError for any other."""
    rows = [(name, int(weight)) for weight, name in (line.split("\t") for line in text.splitlines())]
    (_, bias), (_, limit), (_, suspected) = rows[:3]
    of = {_piece(name): weight for name, weight in rows[3:]}
    return Weights(of=of, bias=bias, limit=limit, suspected=suspected)


def written(weights: Weights) -> str:
    head = f"{weights.bias}\tbias\n{weights.limit}\tlimit\n{weights.suspected}\tsuspected\n"
    return head + "".join(f"{weight}\t{named(piece)}\n" for piece, weight in weights.of.items())


def named(piece: Piece) -> str:
    return piece if isinstance(piece, str) else " ".join(piece)


def _piece(name: str) -> Piece:
    parts = name.split(" ")
    return parts[0] if len(parts) == 1 else tuple(parts)


class Scorer:
    """Scores text by weights. Linear in the text's length."""

    def __init__(self, lexicon: Lexicon, weights: Weights) -> None:
        self._pieces = Pieces(lexicon)
        self._weights = weights

    def orders(self, text: str, *, suspected: bool = False) -> bool:
        """Whether a sentence of `text` (normalised), or two in a row, score too high; suspected, a lower score is."""
        return self.score(text) > (self._weights.suspected if suspected else self._weights.limit)

    def score(self, text: str) -> int:
        """The highest score of a sentence, and of two in a row, in thousandths of a margin."""
        highest, before = -(10**9), (0, 0)
        for found in self._pieces.by_sentence(text):
            here = (sum(filter(None, map(self._weights.of.get, found))), len(found))
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
        self._close = lru_cache(maxsize=20_000)(self._closely)

    def by_sentence(self, text: str) -> Iterator[list[Piece]]:
        """Of each sentence of a normalised text its pieces, each once, in an order that is always the same."""
        for sentence, words in _sentences(text):
            found: dict[Piece, None] = dict.fromkeys(words)
            found |= dict.fromkeys(zip([START, *words], [*words, END], strict=True))
            found |= dict.fromkeys(zip(words, words[1:], words[2:], strict=False))
            for word in words:
                if len(word) >= _STEM:
                    found[f"{word[:4]}*"] = found[f"*{word[-4:]}"] = None
            for letters in self._lexicon.sentences(sentence):
                self._add_kinds(found, letters)
            yield list(found)

    def _add_kinds(self, found: dict[Piece, None], letters: str) -> None:
        """The kinds of words, those that follow one another closely, and those that stand in one sentence."""
        known = [(at, letter) for at, letter in enumerate(letters) if self._lexicon.kinds(letter)]
        every = sorted({kind for _, letter in known for kind in self._lexicon.kinds(letter)})
        found |= dict.fromkeys(every)
        found |= dict.fromkeys(combinations(every, 2))
        for i, (at, letter) in enumerate(known):
            for other_at, other in known[i + 1 : i + 1 + _NEAR]:
                if other_at - at <= _NEAR:
                    found |= self._close(letter, other)

    def _closely(self, letter: str, other: str) -> dict[Piece, None]:
        return dict.fromkeys(product(self._lexicon.kinds(letter), CLOSE, self._lexicon.kinds(other)))


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
