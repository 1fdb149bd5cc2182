"""Which facts of other tickets an 'it has ended' means: the old value, as it was said, against what is live.

Deterministic and lexical: the same value, or a shared identifier (an error code, an order number), is certain and
needs nothing else. Where nothing is certain the likest value counts, and where only one fact is live, that one. Values
that name different identifiers are different things, however alike they read.
"""

import re
import unicodedata
from collections.abc import Mapping

from pipeline.compare import same_value
from pipeline.facts import Slot
from pipeline.relevance import relevance

LIKE = 0.4
"""How alike two values must be (0 to 1, see `likeness`) to be taken for the same matter without better evidence."""

_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3})")
_DATE = re.compile(r"\d{4}\s?[-/.年]\s?\d{1,2}(?!\d)(?:\s?[-/.月]\s?\d{1,2}(?!\d))?|(?<![a-z\d#-])(?:19|20)\d\d(?!\d)")
_IDENTIFIER = re.compile(r"\d{3,}")


def identifiers(value: str) -> frozenset[str]:
    """The numbers in `value` of three digits or more that are no date: 'E1042' and 'error 1042' share one."""
    text = _DATE.sub(" ", unicodedata.normalize("NFKC", value).casefold())
    return frozenset(_IDENTIFIER.findall(_THOUSANDS.sub("", text)))


def certain(said: str, value: str) -> bool:
    """Whether both are surely one matter: the same value, or identifiers of which the one holds all of the other's."""
    mine, theirs = identifiers(said), identifiers(value)
    return same_value(said, value) or bool(mine & theirs and (mine <= theirs or theirs <= mine))


def apart(said: str, value: str) -> bool:
    """Whether both are surely two matters: each names an identifier that the other does not."""
    mine, theirs = identifiers(said), identifiers(value)
    return bool(mine - theirs and theirs - mine)


def alike(said: str, value: str) -> bool:
    """Whether both may be taken for one matter where nothing else competes."""
    return certain(said, value) or (not apart(said, value) and likeness(said, value) >= LIKE)


def likeness(one: str, other: str) -> float:
    """From 0 to 1: the shares of each one's letter groups that stand in the other, averaged."""
    return (relevance(one, other) + relevance(other, one)) / 2


def meant(said: str, live: Mapping[Slot, str], *, alone: bool) -> set[Slot]:
    """In which slots the matter lives that `said` calls ended. `live` holds each one's value; with `alone` the only
    one that is live is meant too, however it is worded."""
    sure = {slot for slot, value in live.items() if certain(said, value)}
    if sure:
        return sure
    possible = {slot: likeness(said, value) for slot, value in live.items() if not apart(said, value)}
    best = max(possible.values(), default=0.0)
    if best >= LIKE:
        return {slot for slot, score in possible.items() if score == best}
    return set(possible) if alone and len(live) == 1 else set()
