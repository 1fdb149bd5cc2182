"""What an inbox row's columns amount to: which wait, which are out in the queue, which are held by a worker.

The states stand in these conditions as literals: neither database proves a partial index from a parameter.
"""

from collections import Counter
from collections.abc import Collection
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, and_, func, literal_column, or_, select

from store.models import events, pauses
from store.states import Lane, State

TenantLane = tuple[str, Lane]


def in_state(state: State) -> ColumnElement[bool]:
    return events.c.state == literal_column(f"'{state.value}'")


def published(now: datetime) -> ColumnElement[bool]:
    """Its message is out and does not count as lost yet."""
    return and_(in_state(State.PENDING), events.c.next_publish.is_not(None), events.c.next_publish > now)


def unpublished(now: datetime) -> ColumnElement[bool]:
    return or_(events.c.next_publish.is_(None), events.c.next_publish <= now)


def paused_tenants(connection: Connection) -> frozenset[str]:
    """Tenants whose events wait because an operator said so; '' among them means everyone."""
    return frozenset(connection.execute(select(pauses.c.tenant)).scalars())


def outstanding(
    connection: Connection, *, now: datetime, tenants: Collection[str] | None = None
) -> Counter[TenantLane]:
    """How many rows of each tenant and lane are out: published and not claimed yet, or held by a worker."""
    total: Counter[TenantLane] = Counter()
    for condition in (published(now), in_state(State.PROCESSING)):
        query = select(events.c.tenant, events.c.lane, func.count()).where(condition)
        if tenants is not None:
            query = query.where(events.c.tenant.in_(tenants))
        for tenant, lane, count in connection.execute(query.group_by(events.c.tenant, events.c.lane)):
            total[tenant, Lane(lane)] += count
    return total
