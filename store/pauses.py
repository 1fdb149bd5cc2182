"""Pause and resume: a tenant's events wait, or everyone's, because an operator said so. The audit keeps who, also where
there was nothing to change; lines about everyone stand under no tenant's name."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, Engine, delete, select, update

from store.audit import record
from store.dialects import insert_for
from store.engine import reading, writing
from store.models import events, pauses
from store.states import State
from store.waiting import in_state

EVERYONE = ""


@dataclass(frozen=True, kw_only=True)
class Pause:
    """`tenant` is '' where everyone is paused."""

    tenant: str
    since: datetime
    actor: str


def pause(engine: Engine, tenant: str = EVERYONE, *, actor: str, now: datetime, action: str = "pause") -> bool:
    """No event of the tenant is published or claimed any more; what runs, ends. False where it was paused already.
    `action` is what the audit calls it: a drain pauses too."""
    with writing(engine) as connection:
        statement = insert_for(connection, pauses).values(tenant=tenant, since=now, actor=actor)
        inserted = connection.execute(statement.on_conflict_do_nothing().returning(pauses.c.tenant)).first()
        outcome = "already_paused" if inserted is None else "paused"
        _audited(connection, tenant, actor=actor, action=action, outcome=outcome, now=now)
    return inserted is not None


def resume(engine: Engine, tenant: str = EVERYONE, *, actor: str, now: datetime) -> bool:
    """Ends that pause. False where there was none. What was published in vain meanwhile is due again at once."""
    with writing(engine) as connection:
        removed = connection.execute(delete(pauses).where(pauses.c.tenant == tenant)).rowcount
        in_vain = update(events).where(in_state(State.PENDING), events.c.next_publish.is_not(None))
        if tenant != EVERYONE:
            in_vain = in_vain.where(events.c.tenant == tenant)
        connection.execute(in_vain.values(next_publish=None))
        outcome = "resumed" if removed else "not_paused"
        _audited(connection, tenant, actor=actor, action="resume", outcome=outcome, now=now)
    return removed == 1


def _audited(connection: Connection, tenant: str, *, actor: str, action: str, outcome: str, now: datetime) -> None:
    record(connection, at=now, tenant=tenant, surrogate=None, actor=actor, action=action, outcome=outcome)


def paused(engine: Engine) -> tuple[Pause, ...]:
    """What is paused, by tenant."""
    with reading(engine) as connection:
        found = connection.execute(select(pauses).order_by(pauses.c.tenant))
        return tuple(Pause(tenant=row.tenant, since=row.since, actor=row.actor) for row in found)
