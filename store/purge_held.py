"""Whose rows a batch of the purge may take: of customers about whom nobody writes at this moment."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Column, ColumnElement, Connection, Row, and_, select
from sqlalchemy.sql.selectable import FromClause

from store.dialects import among, among_listed, as_list, later_of, listed
from store.models import customers, slot_horizons

SLOT = ("tenant", "customer", "key", "slot_ticket")
"""The four columns that say in which slot a row stands."""


def slot_of(table: FromClause) -> tuple[ColumnElement[str], ...]:
    return table.c.tenant, table.c.customer, table.c.key, table.c.slot_ticket


def same_slot(one: FromClause, other: FromClause) -> ColumnElement[bool]:
    return and_(*(a == b for a, b in zip(slot_of(one), slot_of(other), strict=True)))


def held(connection: Connection, key: Column[Any], keys: Sequence[Any]) -> str:
    """Lists (see `dialects.listed`) those of the rows whose customers are locked from here on, until the batch is over.
    Whoever is being written about is not waited for: they are left for the next purge.

    SQLite has locked the whole file already.
    """
    if connection.dialect.name == "sqlite":
        return as_list(keys)
    table = key.table
    theirs = and_(customers.c.tenant == table.c.tenant, customers.c.customer == table.c.customer)
    lock = select(key.label("key")).select_from(table).join(customers, theirs).where(among(connection, key, keys))
    mine = lock.with_for_update(of=customers, skip_locked=True).subquery()
    return connection.execute(select(listed(mine.c.key))).scalar_one() or ""


def still_wanted(
    connection: Connection, key: Column[Any], keys: Sequence[Any], wanted: ColumnElement[bool]
) -> list[Row[Any]]:
    """Key and slot of those rows that meet the condition now, and whose customers are `held`."""
    query = select(key, *slot_of(key.table)).where(among_listed(connection, key, "keys"), wanted)
    return list(connection.execute(query, {"keys": held(connection, key, keys)}))


def raised(connection: Connection, horizon: Any) -> Any:
    """An INSERT of horizons, by which one that stands there already is only moved on."""
    later = later_of(connection)(slot_horizons.c.horizon, horizon.excluded.horizon)
    return horizon.on_conflict_do_update(index_elements=list(SLOT), set_={"horizon": later})
