"""What can go wrong with a database, as named errors that repeat neither SQL nor customer text."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout


class StoreError(Exception):
    """The database did not do what was asked. Nothing was changed: the transaction was rolled back."""


class StoreUnavailable(StoreError):
    """The database is down, full, locked or read-only. Nothing was changed; try again once it is back."""

    for_people = True


class SchemaMissing(StoreUnavailable):
    """The database has no tables of ours yet: run `afterword migrate`."""


class SchemaTooNew(StoreUnavailable):
    """The database was made by a newer Afterword: install that version, or restore a backup of this one's."""


class StoreFault(StoreError):
    """The database refused a statement (a constraint, a privilege, a type). A bug here or a schema not ours."""


# By SQLSTATE, the longest prefix that fits (https://www.postgresql.org/docs/current/errcodes-appendix.html).
_BY_STATE = {
    "08": "the connection failed",
    "25006": "it is read-only",
    "40": "it gave way to another transaction",
    "53": "it is out of resources",
    "53100": "its disk is full",
    "53300": "it has too many connections",
    "55P03": "it is locked",
    "57": "it is shutting down or cancelled the statement",
    "58": "its disk failed",
}
# By words of SQLite's message (https://www.sqlite.org/rescode.html), which never quotes a value.
_BY_WORDS = {
    "locked": "it is locked by another process",
    "full": "its disk is full",
    "readonly": "it is read-only",
    "unable to open": "its file cannot be opened: check path and permissions",
    "disk i/o": "its disk failed",
    "not a database": "its file is not a SQLite database",
    "malformed": "its file is damaged: restore a backup",
}


@contextmanager
def named_faults() -> Iterator[None]:
    """Turns what the driver raises into a StoreError. The cause is cut off: PostgreSQL's DETAIL quotes rows."""
    try:
        yield
    except PoolTimeout:
        raise StoreUnavailable("the database has no free connection") from None
    except DBAPIError as error:
        raise _named(error) from None


def _named(error: DBAPIError) -> StoreError:
    state = getattr(error.orig, "sqlstate", None) or ""
    words = str(error.orig).lower() if not state else ""
    if state == "42P01" or "no such table" in words:
        return SchemaMissing("the database has no tables of ours yet: run `afterword migrate`")
    known = [what for prefix, what in sorted(_BY_STATE.items()) if state.startswith(prefix)]
    known += [what for word, what in _BY_WORDS.items() if word in words]
    if known:
        return StoreUnavailable(f"the database did not answer: {known[-1] if state else known[0]}")
    if error.connection_invalidated or isinstance(error, (OperationalError, InterfaceError)):
        return StoreUnavailable("the database did not answer: it is down or cannot be reached")
    return StoreFault(f"the database refused a statement: {type(error.orig).__name__} {state}".rstrip())
