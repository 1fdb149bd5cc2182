"""The sweep: what the beat runs every few seconds, so that nothing waits on a message that was lost.

Redis is only the wake-up. Whatever happens to it, the rows that are due are found here and published again; and a row
whose worker vanished is found here by its lease.
"""

from collections import Counter, deque
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Engine, Select, func, literal_column, select, update

from pipeline.reasons import Reason
from store.engine import database_now, writing, writing_for_hands
from store.heartbeat import beat
from store.inbox import mark_published
from store.models import events as rows
from store.states import Lane, State
from store.waiting import TenantLane, in_state, outstanding, paused_tenants, unpublished

QUARANTINE_AT = 2
"""At this many lost leases a ticket goes on alone, so that one that kills its worker takes no neighbours along."""
_LANES = (Lane.LIVE, Lane.QUARANTINE, Lane.BACKFILL)


def due(
    engine: Engine,
    *,
    limit: int,
    outstanding_limit: int,
    republish_after: timedelta,
    queued: Collection[str] | None = None,
) -> tuple[tuple[str, Lane], ...]:
    """Up to `limit` rows to publish now, each with its lane, marked as published until `republish_after` from now.

    First takes back what lost its worker. Then, lane by lane, tenants take turns, each with at most
    `outstanding_limit` rows out a lane; paused tenants take none. `queued` are the row ids that the queue holds, None
    where that is not known: they are not published twice. Two sweeps at once publish a row once.
    """
    with writing(engine) as connection:
        recover_lost(connection)
        now = database_now(connection)
        chosen = _chosen(connection, now, limit=limit, share=outstanding_limit, queued=frozenset(queued or ()))
        marked = _marked(connection, chosen, now=now, until=now + republish_after)
        beat(connection, "sweep", {"published": len(marked)})
    return marked


def next_in_line(
    engine: Engine, *, limit: int, outstanding_limit: int, republish_after: timedelta
) -> tuple[tuple[str, Lane], ...]:
    """Up to `limit` rows to publish now that room was made, marked like those of `due` and as fairly chosen. Only such
    as were never out: what may have been lost is the sweep's, which knows what the queue holds."""
    with writing_for_hands(engine) as connection:
        now = database_now(connection)
        chosen = _chosen(connection, now, limit=limit, share=outstanding_limit, never_out=True)
        return _marked(connection, chosen, now=now, until=now + republish_after)


def _marked(
    connection: Connection, chosen: list[tuple[str, Lane]], *, now: datetime, until: datetime
) -> tuple[tuple[str, Lane], ...]:
    """Those of the chosen that nobody else has published meanwhile."""
    marked = mark_published(connection, [row_id for row_id, _ in chosen], now=now, until=until)
    return tuple(pair for pair in chosen if pair[0] in marked)


def recover_lost(connection: Connection) -> Counter[State]:
    """Takes back the rows whose lease has run out: each counts a crash. Returns how many now wait and how many died.

    At the second crash a row goes to quarantine; lost there again, it is dead.
    """
    now = database_now(connection)
    query = (
        select(rows.c.id, rows.c.lane, rows.c.crashes)
        .where(in_state(State.PROCESSING), rows.c.lease_until <= now)
        .with_for_update(skip_locked=True)
    )
    recovered: Counter[State] = Counter()
    for row in connection.execute(query).all():
        values = _after_crash(Lane(row.lane), row.crashes + 1, now)
        connection.execute(update(rows).where(rows.c.id == row.id).values(values))
        recovered[values["state"]] += 1
    return recovered


def _after_crash(lane: Lane, crashes: int, now: datetime) -> Mapping[str, Any]:
    lost = {"crashes": crashes, "lease_until": None, "next_publish": None}
    if lane is Lane.QUARANTINE:
        return {**lost, "state": State.DEAD, "reason": Reason.WORKER_LOST, "finished_at": now}
    lane = Lane.QUARANTINE if crashes >= QUARANTINE_AT else lane
    return {**lost, "state": State.PENDING, "lane": lane}


def _chosen(
    connection: Connection,
    now: datetime,
    *,
    limit: int,
    share: int,
    queued: Collection[str] = frozenset(),
    never_out: bool = False,
) -> list[tuple[str, Lane]]:
    paused = paused_tenants(connection)
    if "" in paused:
        return []
    out = outstanding(connection, now=now)
    chosen: list[tuple[str, Lane]] = []
    for lane in _LANES:
        tenants = [tenant for tenant in _waiting_tenants(connection, lane) if tenant not in paused]
        offers = [
            _offer(
                connection, due_rows((tenant, lane), now, never_out=never_out), min(limit, share - out[tenant, lane])
            )
            for tenant in tenants
        ]
        chosen += ((row_id, lane) for row_id in _in_turn(offers) if row_id not in queued)
    return chosen[:limit]


def _waiting_tenants(connection: Connection, lane: Lane) -> list[str]:
    """Tenants with pending rows in the lane, each found by one step through the index, however long the backlog."""
    pending = (in_state(State.PENDING), rows.c.lane == lane)
    walk = select(func.min(rows.c.tenant).label("tenant")).where(*pending).cte("walk", recursive=True)
    beyond = select(func.min(rows.c.tenant)).where(*pending, rows.c.tenant > walk.c.tenant).scalar_subquery()
    walk = walk.union_all(select(beyond).where(walk.c.tenant.is_not(None)))
    return list(connection.execute(select(walk.c.tenant).where(walk.c.tenant.is_not(None))).scalars())


def _offer(connection: Connection, due: Select[str], at_most: int) -> list[str]:
    """What the tenant would publish next, oldest first."""
    if at_most <= 0:
        return []
    return list(connection.execute(due.limit(at_most).with_for_update(skip_locked=True)).scalars())


def due_rows(share: TenantLane, now: datetime, *, never_out: bool = False) -> Select[str]:
    """The tenant's rows of this lane whose time has come, oldest first: a walk along `ix_events_due`."""
    tenant, lane = share
    return (
        select(rows.c.id)
        .where(
            in_state(State.PENDING),
            rows.c.lane == literal_column(f"'{lane.value}'"),
            rows.c.tenant == tenant,
            rows.c.next_attempt <= now,
            rows.c.next_publish.is_(None) if never_out else unpublished(now),
        )
        .order_by(rows.c.next_attempt)
    )


def _in_turn(offers: Iterable[list[str]]) -> Iterable[str]:
    """One of each tenant, then the second of each, and so on."""
    queue = deque(deque(offer) for offer in offers if offer)
    while queue:
        offer = queue.popleft()
        yield offer.popleft()
        if offer:
            queue.append(offer)
