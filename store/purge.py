"""The purge: what was forgotten or has had its time is deleted for good, in small batches, each its own transaction.

Candidates are read outside of the writing transaction and looked at again inside it, so a concurrent write waits for
one batch at most, and a kill between two batches costs nothing: the next purge goes on.
"""

import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Engine

from store.engine import reading, writing, writing_lazily
from store.exclusive import alone
from store.heartbeat import beat
from store.purge_classes import CLASSES
from store.purge_steps import Step, steps
from store.rehearsal import rehearsed
from store.retention import Retention
from store.turns import let_pass


@dataclass(frozen=True, kw_only=True)
class _Pace:
    """How a database is spared. A batch is made larger or smaller by how long the last one took: `seconds` is what it
    should take. Behind each, whoever waits goes first: for up to `patience` seconds."""

    seconds: float
    smallest: int
    largest: int
    patience: float


_PACES = {
    # One writer: whoever writes waits for the batch.
    "sqlite": _Pace(seconds=0.012, smallest=50, largest=1_000, patience=0.1),
    # Only those wait who write about its customers, and they are skipped.
    "postgresql": _Pace(seconds=0.03, smallest=500, largest=5_000, patience=0.0),
}
_WINDOW = 10_000
"""Candidates read at a time: sorted by customer, a batch locks few of them and finds its rows side by side."""
_CHECKPOINT_WAITS_MS = 2_000


@dataclass(frozen=True, kw_only=True)
class PurgeReport:
    """How many rows of each class (`store.purge_classes`) went, or would go. `busy`: SQLite's log could not be cleared,
    because somebody was reading, so deleted text may still stand in it; purge again."""

    numbers: Mapping[str, int]
    dry_run: bool
    busy: bool = False

    @property
    def rows(self) -> int:
        return sum(self.numbers.values())


def purge(
    engine: Engine, *, now: datetime, retention: Retention, dry_run: bool = False, batch: int | None = None
) -> PurgeReport:
    """Deletes what `retention` gives no more time at `now` (aware). Raises AlreadyRunning where another one runs.

    A dry run tells the same numbers, reads only, and takes about as long (see `store.rehearsal`).
    """
    plan = steps(retention, now)
    if dry_run:
        return PurgeReport(numbers={**dict.fromkeys(CLASSES, 0), **rehearsed(engine, plan)}, dry_run=True)
    with alone(engine, "purge"):
        numbers: Counter[str] = Counter(dict.fromkeys(CLASSES, 0))
        for step in plan:
            for taken in _batches(engine, step, batch):
                numbers.update(taken)
        busy = not _log_cleared(engine)
        with writing(engine) as connection:
            beat(connection, "purge", {**numbers, "busy": busy})
    return PurgeReport(numbers=dict(numbers), dry_run=False, busy=busy)


def _batches(engine: Engine, step: Step, fixed: int | None) -> Iterator[Mapping[str, int]]:
    """Runs the step to its end. The cursor only moves on, so what cannot be taken now is left for the next purge.

    Commits are lazy: a batch that a power cut takes back is taken again.
    """
    pace = _PACES[engine.dialect.name]
    size = fixed or pace.smallest
    for keys in _windows(engine, step):
        at = 0
        while batch := keys[at : at + size]:
            began = time.monotonic()
            with writing_lazily(engine) as connection:
                _walk_indexes(connection)
                yield step.take(connection, batch)
            took = time.monotonic() - began
            at += len(batch)
            size = fixed or _next_size(pace, len(batch), took)
            let_pass(engine, seconds=pace.patience)


def _windows(engine: Engine, step: Step) -> Iterator[list[Any]]:
    """The keys of the step's candidates, customer by customer as far as a window reaches."""
    after: tuple[Any, ...] | None = None
    while True:
        with reading(engine) as connection:
            _walk_indexes(connection)
            found = step.candidates(connection, after=after, limit=_WINDOW)
        if not found:
            return
        after = max(found)
        yield [key for _, key in found]


def _next_size(pace: _Pace, taken: int, took: float) -> int:
    """As many as would have taken the pace's seconds, at most twice as many as before."""
    wanted = int(taken * min(pace.seconds / max(took, 0.001), 2.0))
    return min(max(wanted, pace.smallest), pace.largest)


def _walk_indexes(connection: Connection) -> None:
    """A batch is small and its tables are not, but PostgreSQL's guess of a batch is large enough to scan them whole."""
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(_NO_SCANS)


_NO_SCANS = "SELECT " + ", ".join(
    f"set_config('enable_{method}', 'off', true)" for method in ("seqscan", "hashjoin", "mergejoin")
)


def _log_cleared(engine: Engine) -> bool:
    """Empties SQLite's write-ahead log into the file, where deleted rows were overwritten (`secure_delete`).

    PostgreSQL keeps no promise about bytes, so there is nothing to do: see the README on vacuum and backups.
    """
    if engine.dialect.name != "sqlite":
        return True
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.exec_driver_sql(f"PRAGMA busy_timeout={_CHECKPOINT_WAITS_MS}")
        try:
            busy, _log, _moved = connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)").one()
        finally:
            connection.invalidate()  # its time-out is not the others'
    return not busy
