"""Proof of forgetting: looks for a customer in every table and column, and in the bytes of files and queues.

Tables and columns come from the schema itself, so one that is added later is searched too. What is found is counted by
place and never repeated.
"""

import base64
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Column, Connection, Engine, LargeBinary, Table, select

from pipeline.ids import CustomerRef
from store.engine import reading
from store.keys import Keys
from store.models import erasures, events, metadata, opt_outs
from store.payload import Undecryptable, opened

Source = Callable[[], bytes]
_MAY_NAME_SUBJECTS = (erasures, opt_outs)
"""Tables that keep the keyed hash of whom was forgotten: that is what they are for."""
_SHORTEST = 4
"""Bytes. Shorter values are found everywhere by chance, so files are not searched for them."""
_PAGE = 1_000


@dataclass(frozen=True, kw_only=True)
class Trace:
    """Where something of the customer is left, as 'table.column' or the name of a file, and how often."""

    where: str
    count: int


def traces(
    engine: Engine,
    keys: Keys,
    ref: CustomerRef,
    *,
    values: Sequence[str] = (),
    files: Sequence[Path] = (),
    sources: Mapping[str, Source] | None = None,
) -> tuple[Trace, ...]:
    """Everything in which the customer still shows; empty when they are gone.

    Tables are searched for the customer's id, their keyed hash, payloads that open as theirs, and `values` (what was
    stored about them, names, tickets) inside any text. The database's own files where it is SQLite, `files`, and what
    `sources` give (a queue's dump, by name) are searched for the id and `values` as bytes, plain, in JSON's escapes
    and in base64. A file that is not there holds nothing.
    """
    with reading(engine) as connection:
        found = [trace for table in metadata.sorted_tables for trace in _in_table(connection, keys, ref, table, values)]
        found += _in_payloads(connection, keys, ref)
    needles = [value for value in (ref.customer, *values) if len(value.encode()) >= _SHORTEST]
    for path in (*_files_of(engine), *files):
        found += _in_bytes(str(path), path.read_bytes() if path.exists() else b"", needles)
    for name, source in (sources or {}).items():
        found += _in_bytes(name, source(), needles)
    return tuple(found)


# --- tables -----------------------------------------------------------------------------------------------------------


def _in_table(
    connection: Connection, keys: Keys, ref: CustomerRef, table: Table, values: Sequence[str]
) -> Iterator[Trace]:
    """Traces by column. A row that names another tenant or another customer is theirs, whatever it says."""
    columns = [column for column in table.c if not isinstance(column.type, LargeBinary)]
    counts = dict.fromkeys((column.name for column in columns), 0)
    subject = "" if table in _MAY_NAME_SUBJECTS else keys.subject(ref)
    for row in _rows(connection, table, columns):
        elsewhere = row.get("tenant", ref.tenant) != ref.tenant or row.get("customer") not in (None, ref.customer)
        for name, value in row.items():
            counts[name] += not elsewhere and _shows(value, ref.customer, subject, values)
    yield from (Trace(where=f"{table.name}.{name}", count=count) for name, count in counts.items() if count)


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


# --- bytes ------------------------------------------------------------------------------------------------------------


def _files_of(engine: Engine) -> tuple[Path, ...]:
    """SQLite's file and its write-ahead log."""
    name = engine.url.database
    if engine.dialect.name != "sqlite" or not name or name == ":memory:":
        return ()
    return Path(name), Path(f"{name}-wal")


def _in_bytes(where: str, raw: bytes, needles: Iterable[str]) -> list[Trace]:
    count = sum(raw.count(form) for needle in needles for form in _forms(needle))
    return [Trace(where=where, count=count)] if count else []


def _forms(text: str) -> set[bytes]:
    """How a text may stand in a file: as it is, escaped as JSON, or inside base64 at each of its three offsets."""
    plain = text.encode()
    escaped = json.dumps(text)[1:-1].encode()
    return {plain, escaped, *(form for form in map(_base64_at, [plain] * 3, range(3)) if len(form) >= 2 * _SHORTEST)}


def _base64_at(raw: bytes, offset: int) -> bytes:
    """What `raw` looks like inside base64 behind `offset` bytes, without the ends that depend on its neighbours."""
    encoded = base64.b64encode(bytes(offset) + raw)
    return encoded[(offset * 8 + 5) // 6 : (offset + len(raw)) * 8 // 6]
