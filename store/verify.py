"""Proof of forgetting: looks for a customer in every table and column, and in the bytes of files and queues.

Tables and columns come from the schema itself, so one that is added later is searched too. What is found is counted by
place and never repeated. What was searched is told too, and what could not be: silence would pass for a proof.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Column, Connection, Engine, LargeBinary, Table, select

from pipeline.ids import CustomerRef
from store.engine import reading
from store.keys import Keys
from store.models import erasures, events, metadata, opt_outs
from store.payload import Undecryptable, opened
from store.verify_bytes import Doubt, Needles, Trace

Source = Callable[[], bytes]
_MAY_NAME_SUBJECTS = (erasures, opt_outs)
"""Tables that keep the keyed hash of whom was forgotten: that is what they are for."""
_PAGE = 1_000


@dataclass(frozen=True, kw_only=True)
class Search:
    """What was looked at, and what was found.

    `tables` are rows by table; `files` and `sources` are bytes by name. `doubts` are places of which neither can be
    said that the customer is there nor that they are not: with one, no trace is no proof.
    """

    tables: Mapping[str, int]
    files: Mapping[str, int]
    sources: Mapping[str, int]
    traces: tuple[Trace, ...]
    doubts: tuple[Doubt, ...]


def traces(engine: Engine, keys: Keys, ref: CustomerRef, **where: Any) -> tuple[Trace, ...]:
    """What `search` finds; empty when they are gone."""
    return search(engine, keys, ref, **where).traces


def search(
    engine: Engine,
    keys: Keys,
    ref: CustomerRef,
    *,
    values: Sequence[str] = (),
    files: Sequence[Path] = (),
    sources: Mapping[str, Source] | None = None,
) -> Search:
    """Looks for everything in which the customer still shows.

    Tables are searched for the customer's id, their keyed hash, payloads that open as theirs, and `values` (what was
    stored about them, names, tickets) inside any text. The database's own files where it is SQLite, `files`, and what
    `sources` give (a queue's dump, by name) are searched for the id and `values` as `Needles` says. A file that is not
    there holds nothing and is not among those that were searched.
    """
    sought = _Sought(keys=keys, ref=ref, values=values)
    with reading(engine) as connection:
        tables = {table.name: _in_table(connection, sought, table) for table in metadata.sorted_tables}
        sealed = _in_payloads(connection, keys, ref)
    needles = Needles.of(ref.customer, *values)
    own = {str(path): needles.in_own_file(str(path), raw) for path, raw in _read(_files_of(engine))}
    given = {str(path): needles.found(str(path), raw) for path, raw in _read(files)}
    queues = {name: needles.found(name, source()) for name, source in (sources or {}).items()}
    looked = (*own.values(), *given.values(), *queues.values())
    return Search(
        tables={name: rows for name, (rows, _) in tables.items()},
        files={name: one.size for name, one in (own | given).items()},
        sources={name: one.size for name, one in queues.items()},
        traces=(
            *(t for _, found in tables.values() for t in found),
            *sealed,
            *(one.trace for one in looked if one.trace),
        ),
        doubts=tuple(one.doubt for one in looked if one.doubt),
    )


# --- tables -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class _Sought:
    """Whom and what to look for."""

    keys: Keys
    ref: CustomerRef
    values: Sequence[str]


def _in_table(connection: Connection, sought: _Sought, table: Table) -> tuple[int, list[Trace]]:
    """How many rows there are, and traces by column. A row that names another tenant or another customer is theirs,
    whatever it says."""
    columns = [column for column in table.c if not isinstance(column.type, LargeBinary)]
    counts = dict.fromkeys((column.name for column in columns), 0)
    ref, rows = sought.ref, 0
    subject = "" if table in _MAY_NAME_SUBJECTS else sought.keys.subject(ref)
    for row in _rows(connection, table, columns):
        rows += 1
        elsewhere = row.get("tenant", ref.tenant) != ref.tenant or row.get("customer") not in (None, ref.customer)
        for name, value in row.items():
            counts[name] += not elsewhere and _shows(value, ref.customer, subject, sought.values)
    return rows, [Trace(where=f"{table.name}.{name}", count=count) for name, count in counts.items() if count]


def _rows(connection: Connection, table: Table, columns: Sequence[Column[Any]]) -> Iterator[Mapping[str, Any]]:
    result = connection.execute(select(*columns).execution_options(yield_per=_PAGE))
    yield from (row._asdict() for row in result)


def _shows(value: Any, customer: str, subject: str, values: Sequence[str]) -> bool:
    """Whether one value of a row is the customer's id or hash, or holds one of the values, however deep."""
    if isinstance(value, str):
        exact = value == customer or (bool(subject) and value == subject)
        return exact or any(text in value for text in values)
    if isinstance(value, Mapping):
        return any(_shows(inner, customer, subject, values) for inner in (*value.keys(), *value.values()))
    if isinstance(value, list | tuple):
        return any(_shows(inner, customer, subject, values) for inner in value)
    return False


def _in_payloads(connection: Connection, keys: Keys, ref: CustomerRef) -> list[Trace]:
    """Sealed payloads that open as this customer's: what is encrypted is held all the same."""
    query = select(events.c.id, events.c.payload).where(events.c.tenant == ref.tenant, events.c.payload.is_not(None))
    held = 0
    for row in connection.execute(query.execution_options(yield_per=_PAGE)):
        try:
            held += opened(keys, row.payload, row_id=row.id, tenant=ref.tenant).customer_id == ref.customer
        except Undecryptable:
            continue  # nobody can read it, whose it is included
    return [Trace(where="events.payload", count=held)] if held else []


# --- files ------------------------------------------------------------------------------------------------------------


def _read(paths: Sequence[Path]) -> Iterator[tuple[Path, bytes]]:
    yield from ((path, path.read_bytes()) for path in paths if path.exists())


def _files_of(engine: Engine) -> tuple[Path, ...]:
    """SQLite's file and its write-ahead log."""
    name = engine.url.database
    if engine.dialect.name != "sqlite" or not name or name == ":memory:":
        return ()
    return Path(name), Path(f"{name}-wal")
