"""Words looked for in bytes: in files, dumps and queues, where nothing tells one column from the next.

A word of four bytes and more is looked for as it is, in JSON's escapes and, from five bytes on, in base64. A shorter
one stands everywhere by chance: in text it must be a whole word, and of a number, or in anything but text, only its
absence proves something.
"""

import base64
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass

_SHORTEST = 4
"""Bytes. Shorter words are found everywhere by chance."""
_SHORTEST_CODED = 6
"""Characters of base64, which a word of five bytes always fills."""
_PACKED = (b"\x1f\x8b", b"PK\x03\x04", b"BZh", b"\xfd7zXZ\x00", b"\x28\xb5\x2f\xfd", b"PGDMP", b"7z\xbc\xaf\x27\x1c")
"""How gzip, zip, bzip2, xz, zstd, pg_dump's own format and 7z begin: their bytes do not show what they hold."""
_ESCAPED_BEFORE = rb"(?:(?<![0-9A-Za-z])|(?<=\\[bfnrt])|(?<=\\u[0-9A-Fa-f]{4}))"
"""Where a word may begin: not inside letters and digits, but behind the letter that ends one of JSON's escapes."""


@dataclass(frozen=True, kw_only=True)
class Trace:
    """Where something of the customer is left, as 'table.column' or the name of a file, and how often."""

    where: str
    count: int


@dataclass(frozen=True, kw_only=True)
class Doubt:
    """A place of which nothing can be said, and why."""

    where: str
    why: str


@dataclass(frozen=True, kw_only=True)
class Look:
    """One look at some bytes: how many there were, and what came of it."""

    size: int
    trace: Trace | None = None
    doubt: Doubt | None = None


@dataclass(frozen=True, kw_only=True)
class Needles:
    """The words to look for, by how that can be done."""

    long: tuple[str, ...]
    short: tuple[str, ...]

    @classmethod
    def of(cls, *words: str) -> "Needles":
        long = tuple(word for word in words if len(word.encode()) >= _SHORTEST)
        return cls(long=long, short=tuple(word for word in words if word and word not in long))

    def found(self, where: str, raw: bytes) -> Look:
        """A look at a file or a dump."""
        if raw.startswith(_PACKED):
            return Look(size=len(raw), doubt=Doubt(where=where, why="is compressed: unpack it and name what was in it"))
        if b"\0" in raw:
            return self._look(where, raw, 0, _chance(where, sum(raw.count(word.encode()) for word in self.short)))
        numbers = [word for word in self.short if word.isdigit()]
        words = sum(_as_words(word, raw) for word in self.short if word not in numbers)
        return self._look(where, raw, words, _chance(where, sum(_as_words(number, raw) for number in numbers)))

    def in_own_file(self, where: str, raw: bytes) -> Look:
        """A look at a file of the database whose tables were read: what is short was looked for there, exactly."""
        return self._look(where, raw, 0)

    def _look(self, where: str, raw: bytes, short: int, doubt: Doubt | None = None) -> Look:
        count = short + sum(raw.count(form) for word in self.long for form in _forms(word))
        return Look(size=len(raw), trace=Trace(where=where, count=count) if count else None, doubt=doubt)


def _chance(where: str, count: int) -> Doubt | None:
    """None where it does not stand there, which is a proof however short it is."""
    times = "once" if count == 1 else f"{count} times"
    why = f"a word of under {_SHORTEST} bytes stands in it {times}, by chance or not: look there with a tool of its own"
    return Doubt(where=where, why=why) if count else None


def _as_words(word: str, raw: bytes) -> int:
    """How often a short word stands in a text by itself. One that is not ASCII, 张 say, is seldom there by chance, and
    its language may write no spaces: it counts anywhere."""
    if not word.isascii():
        return sum(raw.count(form) for form in _plain(word))
    return len(re.findall(_ESCAPED_BEFORE + re.escape(word.encode()) + rb"(?![0-9A-Za-z])", raw))


def _plain(text: str) -> set[bytes]:
    return {text.encode(), json.dumps(text)[1:-1].encode()}


def _forms(text: str) -> Iterable[bytes]:
    """How a text may stand in a file: as it is, escaped as JSON, or inside base64 at each of its three offsets."""
    coded = map(_base64_at, [text.encode()] * 3, range(3))
    return {*_plain(text), *(form for form in coded if len(form) >= _SHORTEST_CODED)}


def _base64_at(raw: bytes, offset: int) -> bytes:
    """What `raw` looks like inside base64 behind `offset` bytes, without the ends that depend on its neighbours."""
    encoded = base64.b64encode(bytes(offset) + raw)
    return encoded[(offset * 8 + 5) // 6 : (offset + len(raw)) * 8 // 6]
