"""A worker's hold on a ticket: a lease that ends by itself, and a fence that an outlived worker cannot pass."""

from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, Engine, exists, or_, select, update

from pipeline.reasons import Reason
from store.engine import clock_in, database_now, writing, writing_for_hands
from store.models import events as rows
from store.models import pauses
from store.states import Lane, State
from store.waiting import in_state

MAX_WAIT = timedelta(days=3)


class LostLease(Exception):
    """The row is no longer this worker's: its lease ran out and another took over, or it was erased meanwhile. Nothing
    of this attempt may be written; whoever holds the row now does the work. Many of these mean that AFTERWORD_LEASE
    is too short for the model's answers."""

    def __init__(self) -> None:
        super().__init__("the lease was lost: another worker has the ticket, or it was erased")


@dataclass(frozen=True, kw_only=True)
class Claim:
    """One attempt at one ticket. `payload` is sealed: `store.payload.opened` reads it. Times are aware."""

    row_id: str
    tenant: str
    fence: int
    lane: Lane
    attempts: int
    crashes: int
    closed_at: datetime
    received_at: datetime
    failing_since: datetime | None
    lease_until: datetime
    payload: bytes = field(repr=False)


def claim(engine: Engine, row_id: str, *, lease: timedelta, lanes: Collection[Lane] | None = None) -> Claim | None:
    """Takes the row for `lease`, or None where it is not to be had: not pending, not due yet, paused, of other lanes.

    So a second delivery of the same id, however it came about, claims nothing. A worker that passes `lanes` leaves
    alone what has meanwhile moved to another one: quarantine is not to be entered through an old message.
    """
    with writing_for_hands(engine) as connection:
        now = clock_in(connection)
        statement = (
            update(rows)
            .where(rows.c.id == row_id, in_state(State.PENDING), rows.c.next_attempt <= now, _not_paused(), _in(lanes))
            .values(
                state=State.PROCESSING,
                fence=rows.c.fence + 1,
                attempts=rows.c.attempts + 1,
                lease_until=now + lease,
                claimed_at=now,
                next_publish=None,
            )
            .returning(*(rows.c[name] for name in _CLAIMED))
        )
        row = connection.execute(statement).one_or_none()
    return _claim_of(row) if row else None


_CLAIMED = (
    "id", "tenant", "fence", "lane", "attempts", "crashes", "closed_at", "received_at", "failing_since", "lease_until",
    "payload",
)  # fmt: skip


def _not_paused() -> ColumnElement[bool]:
    return ~exists(select(pauses.c.tenant).where(or_(pauses.c.tenant == rows.c.tenant, pauses.c.tenant == "")))


def _in(lanes: Collection[Lane] | None) -> ColumnElement[bool]:
    return rows.c.lane.in_(list(Lane) if lanes is None else list(lanes))


def _claim_of(row: Any) -> Claim:
    values = row._asdict()
    return Claim(row_id=values.pop("id"), lane=Lane(values.pop("lane")), **values)


def held_by(claim: Claim) -> ColumnElement[bool]:
    """The condition that every write of an attempt rests on: this row, still in this worker's hands."""
    return (rows.c.id == claim.row_id) & in_state(State.PROCESSING) & (rows.c.fence == claim.fence)


def _change(connection: Connection, claim: Claim, **values: Any) -> None:
    if connection.execute(update(rows).where(held_by(claim)).values(**values)).rowcount != 1:
        raise LostLease


_LET_GO: dict[str, Any] = {"lease_until": None, "next_publish": None}


def finish(
    connection: Connection,
    claim: Claim,
    *,
    state: State,
    reason: Reason,
    model: str | None = None,
    prompt_version: str | None = None,
    model_ms: int | None = None,
    prompt_tokens: int | None = None,
    reply_tokens: int | None = None,
) -> None:
    """Ends the attempt as `done` or `dead` inside the caller's transaction. Raises LostLease, which must roll it back.

    Call it with the customer's lock held and before the facts are written or after, but in the same transaction:
    facts, audit and this state are one commit.
    """
    if state not in (State.DONE, State.DEAD):
        raise ValueError("an attempt ends as done or dead")
    _change(
        connection,
        claim,
        **_LET_GO,
        state=state,
        reason=reason,
        finished_at=clock_in(connection),
        failing_since=None,
        model=model,
        prompt_version=prompt_version,
        model_ms=model_ms,
        prompt_tokens=prompt_tokens,
        reply_tokens=reply_tokens,
    )


def postpone(
    engine: Engine, claim: Claim, *, reason: Reason, delay: timedelta, max_wait: timedelta = MAX_WAIT
) -> State:
    """Puts the ticket back for `delay` after a passing fault; returns `pending`, or `dead` where faults have lasted
    longer than `max_wait`. It ends by age and not by count: an outage must not kill good tickets. Raises LostLease.
    """
    with writing(engine) as connection:
        now = database_now(connection)
        since = claim.failing_since or now
        if now - since > max_wait:
            _change(connection, claim, **_LET_GO, state=State.DEAD, reason=Reason.TOO_OLD, finished_at=now)
            return State.DEAD
        _change(
            connection,
            claim,
            **_LET_GO,
            state=State.PENDING,
            reason=reason,
            failing_since=since,
            next_attempt=now + delay,
        )
        return State.PENDING


def bury(engine: Engine, claim: Claim, *, reason: Reason, **read_by: Any) -> None:
    """Makes the ticket dead at once, after a lasting fault. `read_by`: the model and its figures, as `finish` takes
    them. Raises LostLease."""
    with writing(engine) as connection:
        finish(connection, claim, state=State.DEAD, reason=reason, **read_by)


def release(engine: Engine, claim: Claim) -> None:
    """Gives the ticket back untried, as a worker does that is asked to stop: no attempt is lost. Raises LostLease."""
    with writing(engine) as connection:
        _change(connection, claim, **_LET_GO, state=State.PENDING, attempts=rows.c.attempts - 1)


def extend(engine: Engine, claim: Claim, *, lease: timedelta) -> None:
    """The lease runs for `lease` from now on. Raises LostLease."""
    with writing(engine) as connection:
        _change(connection, claim, lease_until=clock_in(connection) + lease)
