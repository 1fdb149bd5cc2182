"""Pause and resume: a tenant's events wait, or everyone's, because an operator said so."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Engine, delete, select, update

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


def pause(engine: Engine, tenant: str = EVERYONE, *, actor: str, now: datetime) -> bool:
    """No event of the tenant is published or claimed any more; what runs, ends. False where it was paused already."""
    with writing(engine) as connection:
        statement = insert_for(connection, pauses).values(tenant=tenant, since=now, actor=actor)
        inserted = connection.execute(statement.on_conflict_do_nothing().returning(pauses.c.tenant)).first()
    return inserted is not None


def resume(engine: Engine, tenant: str = EVERYONE) -> bool:
    """Ends that pause. False where there was none. What was published in vain meanwhile is due again at once."""
    with writing(engine) as connection:
        removed = connection.execute(delete(pauses).where(pauses.c.tenant == tenant)).rowcount
        in_vain = update(events).where(in_state(State.PENDING), events.c.next_publish.is_not(None))
        if tenant != EVERYONE:
            in_vain = in_vain.where(events.c.tenant == tenant)
        connection.execute(in_vain.values(next_publish=None))
    return removed == 1


def paused(engine: Engine) -> tuple[Pause, ...]:
    """What is paused, by tenant."""
    with reading(engine) as connection:
        found = connection.execute(select(pauses).order_by(pauses.c.tenant))
        return tuple(Pause(tenant=row.tenant, since=row.since, actor=row.actor) for row in found)
