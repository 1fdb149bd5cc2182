"""Receipts: which facts a recall handed out, so that a reply can be explained and a wrong memory reported by it."""

import logging
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Engine, Row, insert, select
from sqlalchemy import text as sql

from pipeline.facts import Fact
from pipeline.ranking import Scored
from store.engine import BUSY_SECONDS, reading, writing
from store.faults import StoreError, named_faults
from store.models import receipts

_log = logging.getLogger(__name__)
_PATIENCE_MS = 250
"""How long a receipt may wait for the database. The agent is waiting too."""
_CHECKPOINT_PAGES, _USUAL_PAGES = 20_000, 1_000
"""Pages of SQLite's write-ahead log at which a commit copies them into the database, which can take half a second: a
receipt leaves that to the next other commit, such as a worker's, unless there was none for some 80 MB."""
_HURRY = sql(
    "SELECT set_config('lock_timeout', :patience, true), set_config('statement_timeout', :patience, true),"
    " set_config('synchronous_commit', 'off', true)"
)


@dataclass(frozen=True, kw_only=True)
class Receipt:
    """What one recall handed out: `facts` as (id, version, score). `surrogate` is '' for an unknown customer."""

    id: str
    at: datetime
    tenant: str
    surrogate: str
    actor: str
    facts: tuple[tuple[str, int, float], ...]
    degraded: bool


def write(
    engine: Engine,
    *,
    tenant: str,
    surrogate: str,
    actor: str,
    handed_out: Sequence[Scored[Fact]],
    now: datetime,
    degraded: bool = False,
) -> str | None:
    """Leaves a receipt and returns its id; None where the database would not take it in time, which is logged."""
    row = {
        "id": secrets.token_hex(16),
        "at": now,
        "tenant": tenant,
        "surrogate": surrogate,
        "actor": actor,
        "facts": [{"id": s.fact.id, "version": s.fact.version, "score": s.score.total} for s in handed_out],
        "degraded": degraded,
    }
    try:
        with _impatient(engine) as connection:
            connection.execute(insert(receipts), row)
    except StoreError as error:
        _log.warning("a recall left no receipt", extra={"error": str(error)})
        return None
    return str(row["id"])


def read(engine: Engine, *, tenant: str, receipt: str) -> Receipt | None:
    """One receipt of this tenant's, None where there is none (any more)."""
    query = select(receipts).where(receipts.c.tenant == tenant, receipts.c.id == receipt)
    with reading(engine) as connection:
        row = connection.execute(query).one_or_none()
    return _receipt(row) if row else None


def of_customer(connection: Connection, *, tenant: str, surrogate: str) -> list[Receipt]:
    """All receipts of one customer, oldest first."""
    query = select(receipts).where(receipts.c.tenant == tenant, receipts.c.surrogate == surrogate)
    return [_receipt(row) for row in connection.execute(query.order_by(receipts.c.at, receipts.c.id))]


def _receipt(row: Row[Any]) -> Receipt:
    handed = tuple((fact["id"], fact["version"], fact["score"]) for fact in row.facts)
    return Receipt(**{**row._mapping, "facts": handed})


@contextmanager
def _impatient(engine: Engine) -> Iterator[Connection]:
    """A writing transaction that gives up soon, and does not wait for the disk: of receipts the last few may be lost
    with the machine's power."""
    if engine.dialect.name == "postgresql":
        with writing(engine) as connection:
            connection.execute(_HURRY, {"patience": str(_PATIENCE_MS)})
            yield connection
        return
    with named_faults(), engine.connect().execution_options(afterword_writes=True) as connection:
        raw: Any = connection.connection.dbapi_connection
        raw.execute(f"PRAGMA busy_timeout={_PATIENCE_MS}")
        raw.execute("PRAGMA synchronous=NORMAL")
        raw.execute(f"PRAGMA wal_autocheckpoint={_CHECKPOINT_PAGES}")
        try:
            with connection.begin():
                yield connection
        finally:
            raw.execute(f"PRAGMA busy_timeout={BUSY_SECONDS * 1000}")
            raw.execute("PRAGMA synchronous=FULL")
            raw.execute(f"PRAGMA wal_autocheckpoint={_USUAL_PAGES}")
