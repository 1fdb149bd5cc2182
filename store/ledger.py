"""The erasure ledger: who was forgotten, kept outside the database so that a restored backup forgets again.

A line holds a number, a scope, keyed hashes and a time; no content and no plain identifier. Numbers run without a gap
from 1. On one host the ledger is an append-only file of JSON Lines; where there are several it is a table of a second
database. Either way an appended line is on disk before `append` returns.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol

from store.states import ErasureScope


class LedgerDamaged(Exception):
    """A line of the ledger in the middle of it cannot be read, or its numbers have a gap. Restore the ledger from its
    own backup; it must never be older than the database's."""

    for_people = True


class LedgerUnavailable(Exception):
    """The ledger cannot be read or written: check AFTERWORD_LEDGER, permissions and free space. Nothing was forgotten
    and nothing was lost; forget again once it is back."""

    for_people = True


@dataclass(frozen=True, kw_only=True)
class Entry:
    """What is to be noted. `subject` is the customer's keyed hash, or the tenant's where the scope is a tenant.

    `observations` are the keyed ids behind one forgotten fact; `opt_out` switches memory off (True) or on (False), None
    leaves it; `key_id` tells which master key the hashes were made with.
    """

    scope: ErasureScope
    subject: str
    erased_at: datetime
    key_id: str
    observations: tuple[str, ...] = ()
    opt_out: bool | None = None


@dataclass(frozen=True, kw_only=True)
class Line(Entry):
    """An entry with its number."""

    number: int


class Ledger(Protocol):
    """What a ledger must do, whatever keeps it."""

    def identity(self) -> str:
        """Its random name, '' where there is no ledger yet."""

    def create(self) -> str:
        """Begins an empty ledger where there is none. Returns its name."""

    def last(self) -> int:
        """The number of the last line, 0 for none."""

    def after(self, number: int) -> Iterator[Line]:
        """The lines that follow `number`, in order. Raises LedgerDamaged."""

    def append(self, entries: Sequence[Entry]) -> tuple[int, ...]:
        """Notes the entries, all on disk at return, and tells their numbers. Raises LedgerUnavailable: then none is."""

    def place(self) -> Path | None:
        """The file that holds it, None for a server: `doctor` warns where that is beside the database."""


def open_ledger(target: str) -> Ledger:
    """The ledger at a path, or in the database at a URL (postgresql://…, sqlite:///…). Creates nothing yet."""
    from store.ledger_database import DatabaseLedger
    from store.ledger_file import FileLedger

    return DatabaseLedger(target) if "://" in target else FileLedger(Path(target))


def as_values(entry: Entry, number: int) -> dict[str, Any]:
    """The line as plain values, for JSON."""
    return {"number": number, **asdict(entry), "erased_at": entry.erased_at.isoformat()}


def line_from(values: dict[str, Any]) -> Line:
    """The line that `as_values` described. Raises LedgerDamaged."""
    try:
        return Line(
            number=int(values["number"]),
            scope=ErasureScope(values["scope"]),
            subject=str(values["subject"]),
            erased_at=datetime.fromisoformat(values["erased_at"]),
            key_id=str(values["key_id"]),
            observations=tuple(values["observations"]),
            opt_out=values["opt_out"],
        )
    except (KeyError, TypeError, ValueError):
        raise LedgerDamaged("a line of the erasure ledger does not read as one") from None


def decoded(raw: bytes) -> dict[str, Any]:
    """One line of JSON. Raises LedgerDamaged."""
    try:
        values = json.loads(raw)
    except ValueError:
        raise LedgerDamaged("a line of the erasure ledger is not JSON") from None
    if not isinstance(values, dict):
        raise LedgerDamaged("a line of the erasure ledger is not a JSON object")
    return values
