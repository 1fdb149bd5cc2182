"""Closed tickets whose words are still with the helpdesk: a webhook was answered, and the promise outlives the process.

A row holds no customer and no text. It goes once the ticket is in the inbox; what cannot be fetched stays as dead until
it is put back or has had its time. `next_attempt` is also the lease: who takes a row moves it on.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Engine, Row, and_, delete, exists, func, select, update

from pipeline.ids import keyed_id
from store.dialects import insert_for
from store.engine import database_now, reading, writing
from store.keys import Keys
from store.models import events, fetches
from store.payload import event_hash
from store.selection import Selection
from store.states import FetchState

LEASE = timedelta(minutes=3)
_PENDING = fetches.c.state == FetchState.PENDING.value


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """A ticket to be fetched, and the event that it becomes."""

    tenant: str
    vendor: str
    ticket: str
    event_id: str
    closed_at: datetime


@dataclass(frozen=True, kw_only=True)
class Fetch:
    """One that is at work, or shown. `fence` tells who holds it."""

    id: str
    wanted: Wanted
    state: FetchState
    reason: str | None
    attempts: int
    fence: int
    received_at: datetime


def want(engine: Engine, keys: Keys, wanted: Wanted, *, now: datetime) -> str | None:
    """Notes the ticket and returns the row's id; None where it is noted or in the inbox already."""
    row = {
        "id": keyed_id(keys.ids, "fetch", wanted.tenant, wanted.vendor, wanted.event_id),
        **vars(wanted),
        "received_at": now,
        "state": FetchState.PENDING.value,
    }
    known = exists().where(
        events.c.tenant == wanted.tenant, events.c.event_hash == event_hash(keys, wanted.tenant, wanted.event_id)
    )
    with writing(engine) as connection:
        if connection.execute(select(known)).scalar_one():
            return None
        statement = insert_for(connection, fetches).values(**row, next_attempt=database_now(connection))
        noted = statement.on_conflict_do_nothing().returning(fetches.c.id)
        row_id: str | None = connection.execute(noted).scalar_one_or_none()
    return row_id


def claim(engine: Engine, row_id: str) -> Fetch | None:
    """Takes a pending row for LEASE. None where it is gone, dead, or another one has it."""
    with writing(engine) as connection:
        now = database_now(connection)
        due = and_(fetches.c.id == row_id, _PENDING, fetches.c.next_attempt <= now)
        values = {
            "next_attempt": now + LEASE,
            "fence": fetches.c.fence + 1,
            "attempts": fetches.c.attempts + 1,
        }
        row = connection.execute(update(fetches).where(due).values(values).returning(*fetches.c)).one_or_none()
    return _fetch(row) if row else None


def due(engine: Engine, *, limit: int) -> tuple[str, ...]:
    """Rows that may be taken now, those that have waited longest first."""
    with reading(engine) as connection:
        query = select(fetches.c.id).where(_PENDING, fetches.c.next_attempt <= database_now(connection))
        return tuple(connection.execute(query.order_by(fetches.c.next_attempt).limit(limit)).scalars())


def done(engine: Engine, fetch: Fetch) -> None:
    """The ticket is in the inbox, or was not closed after all: the promise is kept."""
    with writing(engine) as connection:
        connection.execute(delete(fetches).where(_held(fetch)))


def postpone(engine: Engine, fetch: Fetch, *, reason: str, delay: timedelta, max_wait: timedelta) -> None:
    """Puts it back for `delay`, or buries it where it has waited longer than `max_wait` since it was received or put
    back. It ends by age and not by count: the close was promised, and an outage must not kill good tickets."""
    with writing(engine) as connection:
        now = database_now(connection)
        values: dict[str, Any] = {"reason": reason, "next_attempt": now + delay}
        if now - fetch.received_at > max_wait:
            values["state"] = FetchState.DEAD.value
        connection.execute(update(fetches).where(_held(fetch)).values(values))


def bury(engine: Engine, fetch: Fetch, *, reason: str) -> None:
    """Asking again does not mend it: it is dead until somebody puts it back."""
    with writing(engine) as connection:
        values = {"reason": reason, "state": FetchState.DEAD.value}
        connection.execute(update(fetches).where(_held(fetch)).values(values))


def put_back(engine: Engine, row_id: str, *, tenant: str) -> bool:
    """Lets a dead one of this tenant be tried again, for as long as a new one. False where there is none."""
    mine = and_(fetches.c.id == row_id, fetches.c.tenant == tenant, fetches.c.state == FetchState.DEAD.value)
    with writing(engine) as connection:
        now = database_now(connection)
        values = {"state": FetchState.PENDING.value, "attempts": 0, "received_at": now, "next_attempt": now}
        return connection.execute(update(fetches).where(mine).values(values)).rowcount == 1


def listed(engine: Engine, *, tenant: str, state: FetchState, limit: int = 200) -> tuple[Fetch, ...]:
    """One tenant's, oldest first."""
    query = select(fetches).where(fetches.c.tenant == tenant, fetches.c.state == state.value)
    with reading(engine) as connection:
        rows = connection.execute(query.order_by(fetches.c.received_at).limit(limit)).all()
    return tuple(_fetch(row) for row in rows)


def dead_listed(engine: Engine, selection: Selection) -> tuple[dict[str, Any], ...]:
    """The selected dead ones, oldest first, as values for JSON named as those of events are. A row names no customer,
    model or prompt: where the selection does, it means none."""
    if any((selection.customer, selection.model, selection.prompt_version)):
        return ()
    query = select(fetches).where(fetches.c.state == FetchState.DEAD.value, *_meant(selection))
    with reading(engine) as connection:
        rows = connection.execute(query.order_by(fetches.c.received_at, fetches.c.id).limit(selection.limit)).all()
    return tuple(
        {
            "tenant": row.tenant,
            "event_id": row.event_id,
            "ticket": row.ticket,
            "state": row.state,
            "reason": row.reason,
            "attempts": row.attempts,
            "closed_at": row.closed_at.isoformat(),
            "received_at": row.received_at.isoformat(),
            "vendor": row.vendor,
        }
        for row in rows
    )


def _meant(selection: Selection) -> list[ColumnElement[bool]]:
    c = fetches.c
    wanted = {
        c.tenant: selection.tenant,
        c.event_id: selection.event_id,
        c.ticket: selection.ticket,
        c.reason: selection.reason,
    }
    found = [column == value for column, value in wanted.items() if value is not None]
    found += [c.received_at >= selection.since] if selection.since else []
    found += [c.received_at < selection.until] if selection.until else []
    return found


def dead_by_reason(engine: Engine, *, tenant: str | None = None) -> dict[str, int]:
    """How many dead ones each reason has, the most frequent first."""
    number = func.count().label("number")
    query = select(fetches.c.reason, number).where(fetches.c.state == FetchState.DEAD.value).group_by(fetches.c.reason)
    if tenant is not None:
        query = query.where(fetches.c.tenant == tenant)
    with reading(engine) as connection:
        rows = connection.execute(query.order_by(number.desc(), fetches.c.reason)).all()
    return {row.reason: row.number for row in rows}


def purge_dead(engine: Engine, *, before: datetime) -> int:
    """Deletes dead ones that were received before that moment. Returns how many."""
    with writing(engine) as connection:
        old = and_(fetches.c.state == FetchState.DEAD.value, fetches.c.received_at < before)
        return connection.execute(delete(fetches).where(old)).rowcount


def _held(fetch: Fetch) -> ColumnElement[bool]:
    return and_(fetches.c.id == fetch.id, _PENDING, fetches.c.fence == fetch.fence)


def _fetch(row: Row[Any]) -> Fetch:
    wanted = Wanted(
        tenant=row.tenant, vendor=row.vendor, ticket=row.ticket, event_id=row.event_id, closed_at=row.closed_at
    )
    return Fetch(
        id=row.id,
        wanted=wanted,
        state=FetchState(row.state),
        reason=row.reason,
        attempts=row.attempts,
        fence=row.fence,
        received_at=row.received_at,
    )
