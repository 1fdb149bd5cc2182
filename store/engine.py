"""Databases, opened the one way that Afterword relies on: SQLite by default, PostgreSQL by URL."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, DateTime, Engine, create_engine, event, func, select
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from store import private_files
from store.faults import named_faults
from store.turns import waiting

BUSY_SECONDS = 15
_ASK_AGAIN = 0.001
IDLE_SECONDS = 60
"""PostgreSQL ends a transaction whose client says nothing for this long: its host may be gone, and it holds locks."""
_NETWORK = {
    "connect_timeout": 5,
    # A peer that is gone without a word is noticed after a minute, and not after the system's two hours.
    "keepalives_idle": 30,
    "keepalives_interval": 10,
    "keepalives_count": 3,
    "tcp_user_timeout": 60_000,
}


class BadDatabaseUrl(ValueError):
    """AFTERWORD_DATABASE_URL is not one we can open: want sqlite:////path/to/file or postgresql://user@host/name."""


def open_engine(url: str) -> Engine:
    """One engine a process. Raises BadDatabaseUrl; connects to nothing yet."""
    try:
        parsed = make_url(url)
    except ArgumentError:
        raise BadDatabaseUrl(BadDatabaseUrl.__doc__) from None
    if parsed.drivername in ("postgresql", "postgres"):
        parsed = parsed.set(drivername="postgresql+psycopg")
    if parsed.drivername not in ("sqlite", "postgresql+psycopg"):
        raise BadDatabaseUrl(BadDatabaseUrl.__doc__)
    # hide_parameters: SQLAlchemy would print customer text in its exceptions.
    options: dict[str, Any] = {"hide_parameters": True, "pool_pre_ping": True}
    if parsed.drivername != "sqlite":
        options |= {"pool_size": 20, "max_overflow": 100, "connect_args": _NETWORK}
    engine = create_engine(parsed, **options)
    prepare = _prepare_sqlite if engine.dialect.name == "sqlite" else _prepare_postgresql
    prepare(engine)
    return engine


def _prepare_postgresql(engine: Engine) -> None:
    @event.listens_for(engine, "connect")
    def _connect(connection: Any, _record: Any) -> None:
        connection.execute(f"SET idle_in_transaction_session_timeout = '{IDLE_SECONDS}s'")
        connection.commit()


def _prepare_sqlite(engine: Engine) -> None:
    file = engine.url.database or ":memory:"
    if not file.startswith((":memory:", "file:")):
        event.listen(engine, "do_connect", _make_file)

    @event.listens_for(engine, "connect")
    def _connect(connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # the driver must not begin transactions behind our back
        for pragma in (
            f"busy_timeout={BUSY_SECONDS * 1000}",
            "journal_mode=WAL",
            "synchronous=FULL",
            "foreign_keys=ON",
            "secure_delete=ON",  # what is deleted is overwritten, not only unlinked
        ):
            connection.execute(f"PRAGMA {pragma}").close()

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        options = connection.get_execution_options()
        if options.get("afterword_last", False):
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        elif options.get("afterword_writes", False):
            _begin_writing(connection, first=options.get("afterword_first", False))
        else:
            connection.exec_driver_sql("BEGIN")


def _begin_writing(connection: Connection, *, first: bool) -> None:
    """Takes the write lock; where another one has it, says so (`store.turns`) and waits as long as the connection may:
    BUSY_SECONDS, if nobody has told it otherwise.

    SQLite's own waiting asks ever less often, up to 100 ms apart, and whoever came last may go first: who waits so
    beside busy workers can wait for seconds. Who goes first asks every millisecond.
    """
    raw: Any = connection.connection.dbapi_connection
    (patience,) = raw.execute("PRAGMA busy_timeout").fetchone()
    raw.execute("PRAGMA busy_timeout=0")
    try:
        if _locked_out(raw):
            with waiting(connection.engine):
                _ask_on(raw, patience) if first else _wait_as_others(raw, patience)
        if not raw.in_transaction:
            connection.exec_driver_sql("BEGIN IMMEDIATE")  # which raises as SQLAlchemy does
    finally:
        raw.execute(f"PRAGMA busy_timeout={patience}")


def _ask_on(raw: Any, patience: int) -> None:
    deadline = time.monotonic() + patience / 1000
    while _locked_out(raw) and time.monotonic() < deadline:
        time.sleep(_ASK_AGAIN)


def _wait_as_others(raw: Any, patience: int) -> None:
    raw.execute(f"PRAGMA busy_timeout={patience}")
    _locked_out(raw)
    raw.execute("PRAGMA busy_timeout=0")


def _locked_out(raw: Any) -> bool:
    """Whether another one holds the lock. Where not, the transaction has begun, or something else is wrong."""
    try:
        raw.execute("BEGIN IMMEDIATE")
    except sqlite3.Error as error:
        return error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
    return False


def _make_file(_dialect: Any, _record: Any, arguments: Any, _options: Any) -> None:
    """Before SQLite does, which would let others read it. Its -wal and -shm take after it."""
    private_files.make(arguments[0])


@contextmanager
def reading(engine: Engine) -> Iterator[Connection]:
    """A transaction that only reads. Raises StoreError."""
    with named_faults(), engine.connect() as connection, connection.begin():
        yield connection


@contextmanager
def writing(engine: Engine, *, first: bool = False) -> Iterator[Connection]:
    """A transaction that writes: commits at the end, rolls back on an exception. Raises StoreError.

    SQLite takes its lock at the beginning; with `first` before others who wait for it, for what somebody waits for.
    """
    options = {"afterword_writes": True, "afterword_first": first}
    with named_faults(), engine.connect().execution_options(**options) as connection, connection.begin():
        yield connection


@contextmanager
def writing_for_hands(engine: Engine, *, first: bool = False) -> Iterator[Connection]:
    """As `writing`, for what says only in whose hands a row is: void once the host has gone down, with all its hands.

    SQLite lies on the workers' own host, so there the commit does not wait for the disk. PostgreSQL may go down while
    the workers live, and must then still know whose the row is: there it waits.
    """
    options = {"afterword_writes": True, "afterword_first": first}
    with named_faults(), engine.connect().execution_options(**options) as connection:
        try:
            _synced(connection, "NORMAL")
            with connection.begin():
                yield connection
        finally:
            _synced(connection, "FULL")


@contextmanager
def writing_lazily(engine: Engine) -> Iterator[Connection]:
    """As `writing`, for work that may be done again: the commit does not wait for the disk, the next one of `writing`
    does so for both. A power cut in between takes it back, whole. Who works so has time: see `store.turns.let_pass`."""
    with named_faults(), engine.connect().execution_options(afterword_writes=True, afterword_last=True) as connection:
        try:
            _synced(connection, "NORMAL")
            with connection.begin():
                if connection.dialect.name == "postgresql":
                    connection.exec_driver_sql("SET LOCAL synchronous_commit = off")
                yield connection
        finally:
            _synced(connection, "FULL")


def _synced(connection: Connection, how: str) -> None:
    """How SQLite's commits on this connection wait for the disk. Only to be said between two transactions."""
    if connection.dialect.name == "sqlite" and not connection.invalidated:
        raw: Any = connection.connection.dbapi_connection
        raw.execute(f"PRAGMA synchronous={how}").close()


def clock(engine: Engine) -> datetime:
    """`database_now` outside of a transaction. Raises StoreError."""
    with reading(engine) as connection:
        return database_now(connection)


_CLOCK = func.clock_timestamp(type_=DateTime(timezone=True))


def clock_in(connection: Connection) -> ColumnElement[datetime] | datetime:
    """The database's clock for use in a statement: PostgreSQL reads it there, so that nobody need ask beforehand."""
    return database_now(connection) if connection.dialect.name == "sqlite" else _CLOCK


def database_now(connection: Connection) -> datetime:
    """The database's clock, aware: what leases, retention and the workers' writing run on, so that the clocks of their
    hosts do not matter."""
    if connection.dialect.name == "sqlite":
        text = connection.exec_driver_sql("SELECT strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now')").scalar_one()
        return datetime.fromisoformat(text)
    moment: datetime = connection.execute(select(func.clock_timestamp())).scalar_one()
    return moment.astimezone(UTC)
