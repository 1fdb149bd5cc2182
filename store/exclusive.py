"""One at a time: a lock that ends with its process, so that a killed purge never stands in the next one's way."""

import fcntl
import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Engine
from sqlalchemy import text as sql

from store.faults import named_faults


class AlreadyRunning(Exception):
    """Another process is at it. Wait until it has ended; nothing was done."""


@contextmanager
def alone(engine: Engine, name: str) -> Iterator[None]:
    """Holds the lock `name` of this database. Raises AlreadyRunning at once where another process holds it."""
    if engine.dialect.name == "postgresql":
        with named_faults(), _advisory(engine, name):
            yield
    elif engine.url.database and engine.url.database != ":memory:":
        with _locked_file(Path(f"{engine.url.database}.{name}.lock"), name):
            yield
    else:
        yield  # a database in memory belongs to one process


@contextmanager
def _advisory(engine: Engine, name: str) -> Iterator[None]:
    """A session's lock: PostgreSQL drops it with the connection."""
    key = int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big", signed=True)
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        if not connection.execute(sql("SELECT pg_try_advisory_lock(:key)"), {"key": key}).scalar_one():
            raise AlreadyRunning(f"a {name} is running already")
        try:
            yield
        finally:
            connection.execute(sql("SELECT pg_advisory_unlock(:key)"), {"key": key})


@contextmanager
def _locked_file(path: Path, name: str) -> Iterator[None]:
    with path.open("ab") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise AlreadyRunning(f"a {name} is running already") from None
        yield
