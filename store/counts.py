"""What the inbox amounts to: counts that reconcile, what waits longest, what died of what, and single events."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Engine, Row, func, select

from pipeline.ids import CustomerRef
from store.engine import reading
from store.keys import Keys
from store.models import audit, event_totals, events
from store.selection import Selection
from store.states import State
from store.waiting import in_state


@dataclass(frozen=True, kw_only=True)
class Counts:
    """Events by state, those included that a purge has taken from the inbox."""

    pending: int = 0
    processing: int = 0
    done: int = 0
    dead: int = 0
    erased: int = 0

    @property
    def accepted(self) -> int:
        """All that was ever accepted: nothing leaves the inbox but into these states."""
        return self.pending + self.processing + self.done + self.dead + self.erased

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(**{state.value: getattr(self, state) + getattr(other, state) for state in State})


def counts(engine: Engine, *, tenant: str | None = None) -> dict[str, Counts]:
    """Each tenant's counts, or the one tenant's, read in one statement, so that they belong together."""
    live = select(events.c.tenant, events.c.state, func.count().label("number")).group_by(
        events.c.tenant, events.c.state
    )
    purged = select(event_totals.c.tenant, event_totals.c.state, event_totals.c.purged)
    if tenant is not None:
        live, purged = live.where(events.c.tenant == tenant), purged.where(event_totals.c.tenant == tenant)
    with reading(engine) as connection:
        rows = connection.execute(live.union_all(purged)).all()
    found: dict[str, Counts] = {} if tenant is None else {tenant: Counts()}
    for name, state, number in rows:
        found[name] = found.get(name, Counts()) + Counts(**{state: int(number)})
    return dict(sorted(found.items()))


def total(engine: Engine) -> Counts:
    """All tenants' counts in one."""
    return sum(counts(engine).values(), Counts())


def oldest_pending(engine: Engine, *, tenant: str | None = None) -> datetime | None:
    """When the event that has waited longest was received; None where none waits."""
    query = select(func.min(events.c.received_at)).where(in_state(State.PENDING))
    if tenant is not None:
        query = query.where(events.c.tenant == tenant)
    with reading(engine) as connection:
        found: datetime | None = connection.execute(query).scalar_one()
    return found


def dead_by_reason(engine: Engine, *, tenant: str | None = None) -> dict[str, int]:
    """How many dead letters each reason has, the most frequent first."""
    number = func.count().label("number")
    query = select(events.c.reason, number).where(in_state(State.DEAD)).group_by(events.c.reason)
    if tenant is not None:
        query = query.where(events.c.tenant == tenant)
    with reading(engine) as connection:
        rows = connection.execute(query.order_by(number.desc(), events.c.reason)).all()
    return {row.reason: row.number for row in rows}


def failing_by_reason(engine: Engine) -> dict[str, int]:
    """How many tickets wait out a passing fault, by the reason of its last occurrence, the most frequent first."""
    number = func.count().label("number")
    query = select(events.c.reason, number).where(in_state(State.PENDING), events.c.failing_since.is_not(None))
    with reading(engine) as connection:
        rows = connection.execute(query.group_by(events.c.reason).order_by(number.desc(), events.c.reason)).all()
    return {row.reason: row.number for row in rows}


def pending_for(connection: Connection, ref: CustomerRef) -> int:
    """How many of the customer's tickets are not in memory yet: waiting, or at a worker."""
    query = select(func.count()).where(
        events.c.tenant == ref.tenant,
        events.c.customer == ref.customer,
        events.c.state.in_([State.PENDING, State.PROCESSING]),
    )
    return connection.execute(query).scalar_one()


_SHOWN = (
    "id", "tenant", "event_id", "ticket", "customer", "state", "reason", "lane", "attempts", "crashes", "closed_at",
    "received_at", "next_attempt", "finished_at", "model", "prompt_version", "model_ms", "prompt_tokens",
    "reply_tokens",
)  # fmt: skip


def events_listed(engine: Engine, keys: Keys, selection: Selection) -> tuple[dict[str, Any], ...]:
    """The selected events, oldest first, as values for JSON. An erased one has lost its names."""
    query = select(*(events.c[name] for name in _SHOWN)).where(*selection.conditions(keys))
    query = query.order_by(events.c.received_at, events.c.closed_at, events.c.id).limit(selection.limit)
    with reading(engine) as connection:
        return tuple(_shown(row) for row in connection.execute(query))


def event_shown(engine: Engine, keys: Keys, *, tenant: str, event_id: str) -> dict[str, Any] | None:
    """One event as values for JSON, an erased one under the id by which it was asked for; None where none is known."""
    found = events_listed(engine, keys, Selection(tenant=tenant, event_id=event_id))
    return {**found[0], "event_id": found[0]["event_id"] or event_id} if found else None


def _shown(row: Row[Any]) -> dict[str, Any]:
    """`row_id` is what log lines call the event. A next attempt is told only while the event waits for it."""
    values = row._asdict()
    row_id = values.pop("id")
    if values["state"] != State.PENDING:
        values["next_attempt"] = None
    told = {name: value.isoformat() if isinstance(value, datetime) else value for name, value in values.items()}
    return {**told, "row_id": row_id}


def states_of(engine: Engine, row_ids: Sequence[str]) -> dict[str, State]:
    """The states of these rows. One that a purge has taken in the meantime has ended as erased."""
    found = dict.fromkeys(row_ids, State.ERASED)
    with reading(engine) as connection:
        for start in range(0, len(row_ids), 500):
            query = select(events.c.id, events.c.state).where(events.c.id.in_(row_ids[start : start + 500]))
            found |= {row.id: State(row.state) for row in connection.execute(query)}
    return found


def ends_of(engine: Engine, row_ids: Sequence[str]) -> Counter[tuple[State, str | None]]:
    """How many of these rows are in each state for each reason. One that a purge has taken has ended as erased."""
    wanted = list(dict.fromkeys(row_ids))
    found: dict[str, tuple[State, str | None]] = dict.fromkeys(wanted, (State.ERASED, None))
    with reading(engine) as connection:
        for start in range(0, len(wanted), 500):
            query = select(events.c.id, events.c.state, events.c.reason)
            query = query.where(events.c.id.in_(wanted[start : start + 500]))
            found |= {row.id: (State(row.state), row.reason) for row in connection.execute(query)}
    return Counter(found.values())


def row_shown(engine: Engine, row_id: str) -> dict[str, Any]:
    """One inbox row as values for JSON, as `events_listed` gives it; {} where it is gone."""
    query = select(*(events.c[name] for name in _SHOWN)).where(events.c.id == row_id)
    with reading(engine) as connection:
        row = connection.execute(query).one_or_none()
    return _shown(row) if row else {}


def decisions_of(engine: Engine, row_ids: Sequence[str]) -> Counter[tuple[str, str]]:
    """How often each (decision, reason) was the answer to a candidate of these events, erased ones left out."""
    found: Counter[tuple[str, str]] = Counter()
    for start in range(0, len(row_ids), 500):
        query = select(audit.c.outcome, audit.c.reason, func.count().label("number"))
        query = query.join(events, events.c.id == audit.c.event).where(events.c.state != State.ERASED)
        query = query.where(events.c.id.in_(row_ids[start : start + 500]), audit.c.action == "write")
        with reading(engine) as connection:
            for row in connection.execute(query.group_by(audit.c.outcome, audit.c.reason)):
                found[row.outcome, row.reason] += row.number
    return found
