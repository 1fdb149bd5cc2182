"""Whom and which ticket audit lines mean, as far as that is still known: a forget destroys both links."""

from collections.abc import Collection, Iterable, Iterator

from sqlalchemy import Connection, Engine, select

from store.audit import Entry
from store.engine import reading
from store.models import events
from store.scope import customers_of_surrogates

_CHUNK = 500


def with_names(engine: Engine, tenant: str, lines: Iterable[Entry]) -> list[tuple[Entry, str | None, str | None]]:
    """Each line of the tenant with its customer's id and its ticket's; None where there is none or it was forgotten."""
    entries = list(lines)
    whose: dict[str, str] = {}
    which: dict[str, str] = {}
    with reading(engine) as connection:
        for some in _chunks(one.surrogate for one in entries):
            whose |= customers_of_surrogates(connection, tenant, some)
        for some in _chunks(one.event for one in entries):
            which |= _tickets(connection, tenant, some)
    return [(one, whose.get(one.surrogate or ""), which.get(one.event or "")) for one in entries]


def _tickets(connection: Connection, tenant: str, rows: Collection[str]) -> dict[str, str]:
    query = select(events.c.id, events.c.ticket).where(events.c.tenant == tenant, events.c.id.in_(rows))
    return {row.id: row.ticket for row in connection.execute(query)}


def _chunks(names: Iterable[str | None]) -> Iterator[list[str]]:
    wanted = sorted({name for name in names if name})
    for start in range(0, len(wanted), _CHUNK):
        yield wanted[start : start + _CHUNK]
