"""The inbox's front door: every ticket is a row before anything else happens to it.

Redis only ever carries row ids, so losing Redis loses no ticket: the sweep finds the row and publishes it again.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from sqlalchemy import Connection, Engine, func, select, update

from pipeline.events import TicketClosed
from store.dialects import insert_for, lock_shared
from store.engine import database_now, writing, writing_for_hands
from store.erased import accepting_lock, latest_erasures
from store.keys import Keys
from store.models import events as rows
from store.payload import digest, digest_as_written, event_hash, row_id, sealed
from store.states import Lane, State
from store.waiting import TenantLane, in_state, outstanding, paused_tenants, unpublished

REPUBLISH_AFTER = timedelta(minutes=5)
"""How long a published id may go unclaimed before its message counts as lost."""
_CHUNK = 500


class Outcome(StrEnum):
    """What became of one event at the door."""

    ACCEPTED = "accepted"
    DUPLICATE = "duplicate"
    CONFLICT = "conflict"


@dataclass(frozen=True, kw_only=True)
class Accepted:
    """The answer for one event: the row that holds it and the state of that row at this moment."""

    outcome: Outcome
    row_id: str
    state: State


@dataclass(frozen=True, kw_only=True)
class _Arrival:
    """An event on its way in. `late` where the customer, or the whole tenant, was forgotten after it had closed."""

    event: TicketClosed
    hash: str
    digest: str
    as_written: str
    row_id: str
    subject: str
    late: bool


def accept(
    engine: Engine, keys: Keys, events: Sequence[TicketClosed], *, lane: Lane = Lane.LIVE, now: datetime
) -> tuple[Accepted, ...]:
    """Takes the events in with one commit and answers each, in order. `now` (aware) is when they were received.

    A known (tenant, event_id) is a `duplicate` where the content is the same or was erased, else a `conflict`; neither
    changes anything. An event that closed before its customer was forgotten is accepted as `erased`: nothing of it may
    be remembered, so nothing of it is kept. Safe under any number of parallel deliveries of one event.
    """
    if not events:
        return ()
    with writing(engine, first=True) as connection:
        lock_shared(connection, *(accepting_lock(event.tenant) for event in events))
        arrivals = _arrivals(connection, keys, events)
        new = _inserted(connection, keys, arrivals, lane=lane, now=now)
        known = _known(connection, [a.row_id for a in arrivals if a.row_id not in new])
    return _answers(arrivals, known, new)


def _arrivals(connection: Connection, keys: Keys, events: Sequence[TicketClosed]) -> list[_Arrival]:
    erased = latest_erasures(connection, keys, {event.ref for event in events})
    return [
        _Arrival(
            event=event,
            hash=event_hash(keys, event.tenant, event.event_id),
            digest=digest(keys, event),
            as_written=digest_as_written(keys, event),
            row_id=row_id(keys, event.tenant, event.event_id),
            subject=keys.subject(event.ref),
            late=(at := erased.get(event.ref)) is not None and event.closed_at <= at,
        )
        for event in events
    ]


def _inserted(connection: Connection, keys: Keys, arrivals: list[_Arrival], *, lane: Lane, now: datetime) -> set[str]:
    """Row ids of the arrivals that are new. In order of their ids, so that parallel batches cannot deadlock."""
    firsts = sorted({a.row_id: a for a in reversed(arrivals)}.values(), key=lambda a: a.row_id)
    due = database_now(connection)
    values = [_erased_row(a, lane) if a.late else _row(keys, a, lane=lane, now=now, due=due) for a in firsts]
    statement = insert_for(connection, rows).on_conflict_do_nothing()
    return set(connection.execute(statement.returning(rows.c.id), values).scalars())


def _row(keys: Keys, arrival: _Arrival, *, lane: Lane, now: datetime, due: datetime) -> dict[str, Any]:
    event = arrival.event
    return {
        "id": arrival.row_id,
        "tenant": event.tenant,
        "event_hash": arrival.hash,
        "event_id": event.event_id,
        "ticket": event.ticket_id,
        "customer": event.customer_id,
        "subject": arrival.subject,
        "closed_at": event.closed_at,
        "received_at": now,
        "payload": sealed(keys, event, arrival.row_id),
        "digest": arrival.digest,
        "state": State.PENDING,
        "lane": lane,
        "next_attempt": due,
    }


_COLUMNS = (
    "event_id", "ticket", "customer", "subject", "closed_at", "received_at", "payload", "digest", "next_attempt",
)  # fmt: skip


def _erased_row(arrival: _Arrival, lane: Lane) -> dict[str, Any]:
    named = {"id": arrival.row_id, "tenant": arrival.event.tenant, "event_hash": arrival.hash}
    return {**named, **dict.fromkeys(_COLUMNS), "state": State.ERASED, "lane": lane}


def _known(connection: Connection, row_ids: list[str]) -> dict[str, Any]:
    """The rows of these ids that were there before."""
    found: dict[str, Any] = {}
    for start in range(0, len(row_ids), _CHUNK):
        named = rows.c.id.in_(row_ids[start : start + _CHUNK])
        query = select(rows.c.id, rows.c.state, rows.c.digest).where(named)
        found |= {row.id: row for row in connection.execute(query)}
    return found


def _answers(arrivals: list[_Arrival], known: dict[str, Any], new: set[str]) -> tuple[Accepted, ...]:
    """One answer an arrival. Of several that name one new event, the first was accepted."""
    firsts: dict[str, _Arrival] = {}
    answers = []
    for arrival in arrivals:
        first = firsts.setdefault(arrival.row_id, arrival)
        if arrival.row_id in new:
            state, digest = (State.ERASED, None) if first.late else (State.PENDING, first.digest)
        else:
            state, digest = State(known[arrival.row_id].state), known[arrival.row_id].digest
        same = digest in (None, arrival.digest, arrival.as_written)
        fresh = first is arrival and arrival.row_id in new
        outcome = Outcome.ACCEPTED if fresh else Outcome.DUPLICATE if same else Outcome.CONFLICT
        answers.append(Accepted(outcome=outcome, row_id=arrival.row_id, state=state))
    return tuple(answers)


def publishable(
    engine: Engine,
    row_ids: Sequence[str],
    *,
    outstanding_limit: int,
    republish_after: timedelta = REPUBLISH_AFTER,
) -> tuple[tuple[str, Lane], ...]:
    """Those of the rows that may be published now, marked as published, each with its lane, in the order given.

    A tenant has at most `outstanding_limit` rows out a lane, so that a flood waits in the database and not in a
    first-in-first-out queue before everyone. What is left over, or is never sent after all, is the sweep's.
    """
    if not row_ids:
        return ()
    with writing_for_hands(engine, first=True) as connection:
        now = database_now(connection)
        wanted = _unpublished(connection, row_ids, now)
        chosen = _within_share(connection, wanted, limit=outstanding_limit, now=now)
        marked = mark_published(connection, [row.id for row in chosen], now=now, until=now + republish_after)
    return tuple((row.id, Lane(row.lane)) for row in chosen if row.id in marked)


def _unpublished(connection: Connection, row_ids: Sequence[str], now: datetime) -> list[Any]:
    found: dict[str, Any] = {}
    for start in range(0, len(row_ids), _CHUNK):
        query = select(rows.c.id, rows.c.tenant, rows.c.lane).where(
            rows.c.id.in_(row_ids[start : start + _CHUNK]),
            in_state(State.PENDING),
            rows.c.next_attempt <= now,
            unpublished(now),
        )
        found |= {row.id: row for row in connection.execute(query)}
    return [found[row_id] for row_id in dict.fromkeys(row_ids) if row_id in found]


def _within_share(connection: Connection, wanted: list[Any], *, limit: int, now: datetime) -> list[Any]:
    paused = paused_tenants(connection)
    if "" in paused:
        return []
    out = outstanding(connection, now=now, tenants={row.tenant for row in wanted})
    chosen = []
    for row in wanted:
        share: TenantLane = (row.tenant, Lane(row.lane))
        if row.tenant not in paused and out[share] < limit:
            out[share] += 1
            chosen.append(row)
    return chosen


def mark_published(connection: Connection, row_ids: Sequence[str], *, now: datetime, until: datetime) -> set[str]:
    """Advances `next_publish` where nobody else has meanwhile: of two who publish one row, one wins."""
    marked: set[str] = set()
    for start in range(0, len(row_ids), _CHUNK):
        statement = (
            update(rows)
            .where(rows.c.id.in_(row_ids[start : start + _CHUNK]), in_state(State.PENDING), unpublished(now))
            .values(next_publish=until)
            .returning(rows.c.id)
        )
        marked |= set(connection.execute(statement).scalars())
    return marked


def pending_count(connection: Connection) -> int:
    """How many rows wait, in all."""
    return connection.execute(select(func.count()).where(in_state(State.PENDING))).scalar_one()
