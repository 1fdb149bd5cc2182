"""The purge: what was forgotten or has had its time is deleted for good, in small batches, each its own transaction.

Candidates are read outside of the writing transaction and looked at again inside it, so a concurrent write waits for
one batch at most, and a kill between two batches costs nothing: the next purge goes on.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Engine

from store.engine import reading, writing
from store.exclusive import alone
from store.heartbeat import beat
from store.purge_steps import Step, steps
from store.retention import Retention

BATCH = {"sqlite": 250, "postgresql": 2_000}
"""Rows that begin a batch. SQLite has one writer, so whoever else writes waits for a whole batch; on PostgreSQL only
those wait who write about its customers."""
_CHECKPOINT_WAITS_MS = 2_000


@dataclass(frozen=True, kw_only=True)
class PurgeReport:
    """How many rows of each class went, or would go. `busy`: SQLite's log could not be cleared, because somebody was
    reading, so deleted text may still stand in it; purge again."""

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

    A dry run counts the rows that begin each class; what hangs on them (a fact's observations) is not counted.
    """
    plan = steps(retention, now)
    if dry_run:
        with reading(engine) as connection:
            return PurgeReport(numbers={step.name: step.count(connection) for step in plan}, dry_run=True)
    with alone(engine, "purge"):
        numbers: Counter[str] = Counter({step.name: 0 for step in plan})
        for step in plan:
            for taken in _batches(engine, step, batch or BATCH[engine.dialect.name]):
                numbers.update(taken)
        busy = not _log_cleared(engine)
        with writing(engine) as connection:
            beat(connection, "purge", {**numbers, "busy": busy})
    return PurgeReport(numbers=dict(numbers), dry_run=False, busy=busy)


def _batches(engine: Engine, step: Step, batch: int) -> Iterator[Mapping[str, int]]:
    """Runs the step to its end. The cursor only moves on, so what cannot be taken now is left for the next purge."""
    after: tuple[Any, ...] | None = None
    while True:
        with reading(engine) as connection:
            _walk_indexes(connection)
            found = step.candidates(connection, after=after, limit=batch)
        if not found:
            return
        after = found[-1]
        with writing(engine) as connection:
            _walk_indexes(connection)
            yield step.take(connection, [keys[-1] for keys in found])


def _walk_indexes(connection: Connection) -> None:
    """A batch is small and its tables are not, but PostgreSQL's guess of a batch is large enough to scan them whole."""
    if connection.dialect.name == "postgresql":
        for method in ("seqscan", "hashjoin", "mergejoin"):
            connection.exec_driver_sql(f"SET LOCAL enable_{method} = off")


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
