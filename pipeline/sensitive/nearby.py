"""Runs an expensive pattern only near the words without which it cannot match, so that most text costs a cheap scan."""

import re
from collections.abc import Iterable
from functools import lru_cache

Slice = tuple[int, int]
_EDGES = frozenset(" \n,.;!?，。、（）()")
_BLANKS = frozenset(" \n")
_STRETCH = 40
"""How far a slice is widened to end between words rather than in one."""


@lru_cache(maxsize=64)
def near(text: str, trigger: tuple[str, ...] | re.Pattern[str], reach: int, stretch: int = _STRETCH) -> list[Slice]:
    """Disjoint stretches around `trigger`; `stretch` is how far a long word at their end is followed."""
    if isinstance(trigger, tuple):
        return near_words(text, trigger, reach, stretch)
    return near_matches(text, trigger, reach, reach, stretch)


def near_words(text: str, words: Iterable[str], reach: int, stretch: int = _STRETCH) -> list[Slice]:
    """Disjoint stretches of `text` within `reach` characters of any of `words` (a blank in one stands for any edge)."""
    flat = flattened(text)
    spots: list[int] = []
    for word in words:
        at = flat.find(word)
        while at >= 0:
            spots.append(at - 1)
            at = flat.find(word, at + reach)
    return around(text, sorted(spots), reach, reach + 24, stretch)


@lru_cache(maxsize=4)
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
