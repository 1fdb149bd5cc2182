"""What keeps the house running, and when it last did: beat, sweep, purge, workers."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Engine, select

from store.dialects import insert_for
from store.engine import database_now, reading, writing
from store.models import heartbeats


@dataclass(frozen=True, kw_only=True)
class Heartbeat:
    """`at` is on the database's clock; `detail` holds numbers and codes."""

    at: datetime
    detail: Mapping[str, Any]


def beat(connection: Connection, name: str, detail: Mapping[str, Any] | None = None) -> None:
    """Notes in the caller's transaction that `name` has just run."""
    values = {"at": database_now(connection), "detail": dict(detail or {})}
    statement = insert_for(connection, heartbeats).values(name=name, **values)
    connection.execute(statement.on_conflict_do_update(index_elements=["name"], set_=values))


def record(engine: Engine, name: str, detail: Mapping[str, Any] | None = None) -> None:
    """Notes in a transaction of its own that `name` has just run."""
    with writing(engine) as connection:
        beat(connection, name, detail)


def last_runs(engine: Engine) -> dict[str, Heartbeat]:
    """When each last ran."""
    with reading(engine) as connection:
        return {row.name: Heartbeat(at=row.at, detail=row.detail) for row in connection.execute(select(heartbeats))}
