"""Customers of whom nothing is left: their row goes too.

A keyed hash remembers how far their memory was purged, so that what comes from before that is still too late.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Table, and_, delete, exists, func, select

from store.dialects import insert_for, later_of
from store.models import customers, events, facts, observations, past_horizons, review_items, slot_horizons


def departed(cut: datetime) -> ColumnElement[bool]:
    """Known since before `cut`, with nothing held and nothing purged past it."""
    nothing = (~exists().where(_theirs(table)) for table in (observations, facts, review_items, events))
    recent = exists().where(_theirs(slot_horizons), slot_horizons.c.horizon > cut)
    return and_(customers.c.created_at <= cut, *nothing, ~recent)


def unheard_of() -> ColumnElement[bool]:
    """No statement is held of theirs."""
    return ~exists().where(_theirs(observations))


def take_departed(
    connection: Connection, surrogates: Sequence[str], wanted: ColumnElement[bool], *, name: str
) -> Mapping[str, int]:
    """Deletes the customers that are still wanted, about whom nobody writes at this moment."""
    known = customers.c.surrogate.in_(surrogates)
    lock = select(customers.c.surrogate).where(known).with_for_update(skip_locked=True)
    mine = customers.c.surrogate.in_(list(connection.execute(lock).scalars()))
    going = list(connection.execute(select(customers.c.surrogate).where(mine, wanted)).scalars())
    gone = customers.c.surrogate.in_(going)
    _remember(connection, gone)
    connection.execute(delete(slot_horizons).where(exists().where(_theirs(slot_horizons), gone)))
    return {name: connection.execute(delete(customers).where(gone)).rowcount}


def _remember(connection: Connection, gone: ColumnElement[bool]) -> None:
    whose, last = (customers.c.subject, customers.c.tenant_subject), func.max(slot_horizons.c.horizon)
    ends = select(*whose, last).where(_theirs(slot_horizons), gone).group_by(*whose)
    row: Any = insert_for(connection, past_horizons).from_select(["subject", "tenant_subject", "horizon"], ends)
    moved = {"horizon": later_of(connection)(past_horizons.c.horizon, row.excluded.horizon)}
    connection.execute(row.on_conflict_do_update(index_elements=["subject"], set_=moved))


def _theirs(table: Table) -> ColumnElement[bool]:
    return and_(table.c.tenant == customers.c.tenant, table.c.customer == customers.c.customer)
