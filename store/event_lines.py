"""What the audit tells of one ticket, and no more than it may after an erasure.

Audit lines outlive a forgotten customer and name the ticket by its row, whose id follows from the event's own. Asked by
that id they would say again what was learnt about whom, so what is older than the erasure is not told.
"""

from datetime import datetime

from sqlalchemy import Connection, Engine, select

from pipeline.ids import CustomerRef
from pipeline.reasons import Reason
from store.audit import Entry, listed
from store.engine import reading
from store.erased import erased_at
from store.keys import Keys
from store.models import events
from store.selection import Selection
from store.states import State


def lines_of_event(engine: Engine, keys: Keys, *, tenant: str, event_id: str) -> list[Entry]:
    """The lines about the event that `event_id` names, oldest first; [] where the inbox does not hold it."""
    named = Selection(tenant=tenant, event_id=event_id).conditions(keys)
    with reading(engine) as connection:
        row = connection.execute(select(events.c.id).where(*named)).scalar_one_or_none()
    return lines_of_row(engine, keys, tenant=tenant, row_id=row) if row else []


def lines_of_row(engine: Engine, keys: Keys, *, tenant: str, row_id: str) -> list[Entry]:
    """The lines about an inbox row, oldest first. Of an erased one only those of it being refused since: they name no
    customer."""
    with reading(engine) as connection:
        erased, since = _erasure(connection, keys, row_id)
    lines = listed(engine, tenant=tenant, events=[row_id])
    if erased:
        return [one for one in lines if one.surrogate is None and one.reason == Reason.ERASED]
    return [one for one in lines if since is None or one.at > since]


def _erasure(connection: Connection, keys: Keys, row_id: str) -> tuple[bool, datetime | None]:
    """Whether the row is erased, or else when its customer, who has come back, was last forgotten."""
    row = connection.execute(
        select(events.c.state, events.c.tenant, events.c.customer).where(events.c.id == row_id)
    ).one_or_none()
    if row is None or row.state == State.ERASED or row.customer is None:
        return True, None
    return False, erased_at(connection, keys, CustomerRef(tenant=row.tenant, customer=row.customer))
