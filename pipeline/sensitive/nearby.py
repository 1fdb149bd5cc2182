"""Runs an expensive pattern only near the words without which it cannot match, so that most text costs a cheap scan."""

import re
from collections.abc import Iterable, Sequence
from operator import add, itemgetter

from pipeline.memo import once

Slice = tuple[int, int]
Trigger = str | re.Pattern[str]
"""A word (a blank in it stands for any edge), or a cheap pattern."""
_EDGES = frozenset(" \n,.;!?，。、（）()")
_BLANKS = frozenset(" \n")
STRETCH = 40
"""How far a slice is widened to end between words rather than in one."""


def near(text: str, triggers: Sequence[Trigger], reach: int, stretch: int = STRETCH) -> list[Slice]:
    """Stretches around `triggers`, words or one pattern; `stretch`: how far a long word at their end goes on."""
    if isinstance(triggers[0], str):
        return near_words(text, [word for word in triggers if isinstance(word, str)], reach, stretch)
    return near_pattern(text, triggers[0], reach, stretch)


@once
def near_pattern(text: str, trigger: re.Pattern[str], reach: int, stretch: int) -> list[Slice]:
    """Several detectors ask for what stands near the same."""
    return near_matches(text, trigger, reach, reach, stretch)


def near_words(text: str, words: Iterable[str], reach: int, stretch: int = STRETCH) -> list[Slice]:
    """Disjoint stretches of `text` within `reach` characters of any of `words` (a blank in one stands for any edge)."""
    flat = flattened(text)
    spots: list[int] = []
    for word in [word for word in words if word in flat]:  # most texts hold none of them
        at = flat.find(word)
        while at >= 0:
            spots.append(at - 1)
            at = flat.find(word, at + reach)
    return around(text, sorted(spots), reach, reach + 24, stretch)


class ByTrigger:
    """Which of many rows are worth trying in a text: each trigger is looked for once, whatever number of rows name it.

    `rows`: the triggers of each row, words (see `near_words`) and patterns; one without any is always worth it.
    """

    def __init__(self, rows: Iterable[Sequence[Trigger]]) -> None:
        self._always: dict[int, tuple[Trigger, ...]] = {}
        self._by_trigger: dict[Trigger, list[int]] = {}
        for at, triggers in enumerate(rows):
            if not triggers:
                self._always[at] = ()
            for trigger in dict.fromkeys(triggers):
                self._by_trigger.setdefault(trigger, []).append(at)
        self._by_start: dict[str, list[str]] = {}
        for word in self._by_trigger:
            if isinstance(word, str):
                self._by_start.setdefault(word[:_START], []).append(word)
        self._patterns = [trigger for trigger in self._by_trigger if not isinstance(trigger, str)]

    def met(self, text: str) -> list[tuple[int, tuple[Trigger, ...]]]:
        """The positions of the rows one of whose triggers stands in `text`, in order, with those that do."""
        found = dict(self._always)
        stand: list[Trigger] = [*self._words_in(text)]
        stand += [pattern for pattern in self._patterns if _stands(text, pattern)]
        for trigger in stand:
            for at in self._by_trigger[trigger]:
                found[at] = (*found.get(at, ()), trigger)
        return sorted(found.items(), key=itemgetter(0))

    def _words_in(self, text: str) -> list[str]:
        if not self._by_start:
            return []
        flat = flattened(text)
        starts = self._by_start.keys() & _starts(flat)
        return [word for start in starts for word in self._by_start[start] if word in flat]


@once
def _stands(text: str, pattern: re.Pattern[str]) -> bool:
    """Several tables ask for the same: two digits, a long word."""
    return pattern.search(text) is not None


_START = 3
"""Characters by which a word is known before it is looked for."""


@once
def _starts(text: str) -> frozenset[str]:
    """With what a word in `text` can begin: each of its characters, each two neighbours and each three."""
    pairs = list(map(add, text, text[1:]))
    return frozenset(text).union(pairs, map(add, pairs, text[2:]))


@once
def flattened(text: str) -> str:
    """One line between two blanks."""
    return " " + text.replace("\n", " ") + " "


def near_matches(text: str, trigger: re.Pattern[str], before: int, after: int, stretch: int = STRETCH) -> list[Slice]:
    """Disjoint stretches of `text` around each match of `trigger`."""
    return around(text, [m.start() for m in trigger.finditer(text)], before, after, stretch)


def around(text: str, spots: list[int], before: int, after: int, stretch: int = STRETCH) -> list[Slice]:
    """Disjoint stretches around each of `spots` (ascending)."""
    found: list[Slice] = []
    for spot in spots:
        start, end = spot - before, spot + after
        if found and start <= found[-1][1] + STRETCH:
            found[-1] = (found[-1][0], max(found[-1][1], end))
        else:
            found.append((start, end))
    return [(_left(text, start), _right(text, end, stretch)) for start, end in found]


def _left(text: str, at: int) -> int:
    stop = max(0, at - STRETCH // 2)
    at = max(0, at)
    while at > stop and text[at - 1] not in _EDGES:
        at -= 1
    return at


def _right(text: str, at: int, stretch: int) -> int:
    at = min(len(text), at)
    stop = min(len(text), at + stretch)
    edges = _EDGES if stretch <= STRETCH else _BLANKS
    while at < stop and text[at] not in edges:
        at += 1
    return at
