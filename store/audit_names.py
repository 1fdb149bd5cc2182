"""Whom and which ticket audit lines mean, as far as that is still known: a forget destroys both links."""

from collections.abc import Collection, Iterable, Sequence

from sqlalchemy import Column, Connection, Engine, Table, select

from store.audit import Entry
from store.engine import reading
from store.models import customers, events

_CHUNK = 500


def with_names(engine: Engine, tenant: str, lines: Iterable[Entry]) -> list[tuple[Entry, str | None, str | None]]:
    """Each line of the tenant with its customer's id and its ticket's; None where there is none or it was forgotten."""
    entries = list(lines)
    with reading(engine) as connection:
        whose = _found(connection, tenant, customers.c.surrogate, customers.c.customer, [e.surrogate for e in entries])
        which = _found(connection, tenant, events.c.id, events.c.ticket, [e.event for e in entries])
    return [(one, whose.get(one.surrogate or ""), which.get(one.event or "")) for one in entries]


def _found(
    connection: Connection, tenant: str, key: Column[str], name: Column[str], wanted: Sequence[str | None]
) -> dict[str, str | None]:
    table: Table = key.table
    asked = _distinct(wanted)
    found: dict[str, str | None] = {}
    for start in range(0, len(asked), _CHUNK):
        query = select(key, name).where(table.c.tenant == tenant, key.in_(asked[start : start + _CHUNK]))
        found |= {row[0]: row[1] for row in connection.execute(query)}
    return found


def _distinct(wanted: Collection[str | None]) -> list[str]:
    return sorted({one for one in wanted if one})
