"""Tickets, claims and clocks for the tests of the inbox."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from remembering import DAY_0, KEYS, REF
from sqlalchemy import Engine, select, update

from pipeline.events import TicketClosed
from pipeline.ids import CustomerRef
from pipeline.reasons import Reason
from store.claim import Claim, claim, finish
from store.engine import reading, writing
from store.inbox import Accepted, accept
from store.models import events
from store.states import Lane, State

NOW = DAY_0
LEASE = timedelta(minutes=5)


def ticket(name: str = "1", *, ref: CustomerRef = REF, text: str = "我更喜欢邮件", **changes: Any) -> TicketClosed:
    """A closed ticket of `ref`; event, ticket and text follow from `name`."""
    values: dict[str, Any] = {
        "tenant": ref.tenant,
        "customer_id": ref.customer,
        "ticket_id": f"ticket-{name}",
        "event_id": f"event-{name}",
        "closed_at": NOW,
        "messages": [{"role": "customer", "text": text}],
    }
    return TicketClosed.model_validate({**values, **changes})


def received(
    engine: Engine, *tickets: TicketClosed, now: datetime = NOW, lane: Lane = Lane.LIVE
) -> tuple[Accepted, ...]:
    return accept(engine, KEYS, tickets, lane=lane, now=now)


def row_of(engine: Engine, tickets: TicketClosed) -> str:
    """Takes a ticket in and tells its row."""
    return received(engine, tickets)[0].row_id


def claimed(engine: Engine, row_id: str, lease: timedelta = LEASE) -> Claim:
    found = claim(engine, row_id, lease=lease)
    assert found is not None
    return found


def finished(engine: Engine, held: Claim, *, state: State = State.DONE, reason: Reason = Reason.APPLIED) -> None:
    with writing(engine) as connection:
        finish(connection, held, state=state, reason=reason)


def done(engine: Engine, *tickets: TicketClosed) -> list[str]:
    """Takes tickets in and finishes them."""
    rows = [answer.row_id for answer in received(engine, *tickets)]
    for row_id in rows:
        finished(engine, claimed(engine, row_id))
    return rows


def row(engine: Engine, row_id: str) -> Any:
    with reading(engine) as connection:
        return connection.execute(select(events).where(events.c.id == row_id)).one()


def states(engine: Engine, row_ids: Sequence[str]) -> list[str]:
    return [row(engine, row_id).state for row_id in row_ids]


def set_columns(engine: Engine, row_id: str, **values: Any) -> None:
    """Makes time pass, or a worker vanish, by writing what the row would then say."""
    with writing(engine) as connection:
        connection.execute(update(events).where(events.c.id == row_id).values(**values))


LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)


def lose_worker(engine: Engine, row_id: str) -> None:
    """The row's worker is gone and its lease has run out."""
    set_columns(engine, row_id, lease_until=LONG_AGO)
