"""Runs an expensive pattern only near the words without which it cannot match, so that most text costs a cheap scan."""

import re
from collections.abc import Iterable, Sequence
from operator import add

from pipeline.memo import once

Slice = tuple[int, int]
_EDGES = frozenset(" \n,.;!?，。、（）()")
_BLANKS = frozenset(" \n")
_STRETCH = 40
"""How far a slice is widened to end between words rather than in one."""


def near(text: str, trigger: tuple[str, ...] | re.Pattern[str], reach: int, stretch: int = _STRETCH) -> list[Slice]:
    """Disjoint stretches around `trigger`; `stretch` is how far a long word at their end is followed."""
    if isinstance(trigger, tuple):
        return near_words(text, trigger, reach, stretch)
    return _near_pattern(text, trigger, reach, stretch)


@once
def _near_pattern(text: str, trigger: re.Pattern[str], reach: int, stretch: int) -> list[Slice]:
    """Several detectors ask for what stands near the same: two digits, a long word."""
    return near_matches(text, trigger, reach, reach, stretch)


def near_words(text: str, words: Iterable[str], reach: int, stretch: int = _STRETCH) -> list[Slice]:
    """Disjoint stretches of `text` within `reach` characters of any of `words` (a blank in one stands for any edge)."""
    flat = flattened(text)
    spots: list[int] = []
    for word in [word for word in words if word in flat]:  # most texts hold none of them
        at = flat.find(word)
        while at >= 0:
            spots.append(at - 1)
            at = flat.find(word, at + reach)
    return around(text, sorted(spots), reach, reach + 24, stretch)


class ByWord:
    """Which of many rows are worth trying in a text: each word is looked for once, whatever number of rows name it.

    `rows`: the words of each row; one without words is always worth it.
    """

    def __init__(self, rows: Iterable[Sequence[str]]) -> None:
        self._always: list[int] = []
        self._by_word: dict[str, list[int]] = {}
        for at, words in enumerate(rows):
            self._always += [] if words else [at]
            for word in words:
                self._by_word.setdefault(word, []).append(at)
        self._by_start: dict[str, list[str]] = {}
        for word in self._by_word:
            self._by_start.setdefault(word[:2], []).append(word)

    def met(self, text: str) -> list[int]:
        """The positions of the rows one of whose words stands in `text`, in order."""
        starts = self._by_start.keys() & _starts(text)
        words = [word for start in starts for word in self._by_start[start] if word in text]
        return sorted({at for word in words for at in self._by_word[word]}.union(self._always))


@once
def _starts(text: str) -> frozenset[str]:
    """With what a word in `text` can begin: each of its characters, and each two neighbours."""
    return frozenset(text).union(map(add, text, text[1:]))


@once
def flattened(text: str) -> str:
    """One line between two blanks."""
    return " " + text.replace("\n", " ") + " "


def near_matches(text: str, trigger: re.Pattern[str], before: int, after: int, stretch: int = _STRETCH) -> list[Slice]:
    """Disjoint stretches of `text` around each match of `trigger`."""
    return around(text, [m.start() for m in trigger.finditer(text)], before, after, stretch)


def around(text: str, spots: list[int], before: int, after: int, stretch: int = _STRETCH) -> list[Slice]:
    """Disjoint stretches around each of `spots` (ascending)."""
    found: list[Slice] = []
    for spot in spots:
        start, end = spot - before, spot + after
        if found and start <= found[-1][1] + _STRETCH:
            found[-1] = (found[-1][0], max(found[-1][1], end))
        else:
            found.append((start, end))
    return [(_left(text, start), _right(text, end, stretch)) for start, end in found]


def _left(text: str, at: int) -> int:
    stop = max(0, at - _STRETCH // 2)
    at = max(0, at)
    while at > stop and text[at - 1] not in _EDGES:
        at -= 1
    return at


def _right(text: str, at: int, stretch: int) -> int:
    at = min(len(text), at)
    stop = min(len(text), at + stretch)
    edges = _EDGES if stretch <= _STRETCH else _BLANKS
    while at < stop and text[at] not in edges:
        at += 1
    return at
