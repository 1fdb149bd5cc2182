"""Which inbox rows an operator means: the filters that `events`, `replay` and `stats` share."""

import re
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, and_, exists, or_, select

from store.keys import Keys
from store.models import events
from store.payload import event_hash
from store.states import State


class BadSelection(ValueError):
    """Event, ticket and customer are names within a tenant: say which tenant too."""


@dataclass(frozen=True, kw_only=True)
class Selection:
    """Filters, all of which must hold; None leaves one out. `since` is included, `until` is not; both mean when the
    event was received. Without a tenant it is everyone's rows: that is an operator's view, no fact is read by it."""

    tenant: str | None = None
    event_id: str | None = None
    ticket: str | None = None
    customer: str | None = None
    states: tuple[State, ...] | None = None
    reason: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    model: str | None = None
    prompt_version: str | None = None
    limit: int | None = None

    def __post_init__(self) -> None:
        if self.named and self.tenant is None:
            raise BadSelection(BadSelection.__doc__)

    @property
    def named(self) -> bool:
        """Whether it names an event, a ticket or a customer."""
        return any((self.event_id, self.ticket, self.customer))

    def conditions(self, keys: Keys) -> list[ColumnElement[bool]]:
        """What the rows must meet. An erased row, which has lost its names, is still found by its event id.
        An event is also named by the id of its row."""
        c = events.c
        wanted = {
            c.tenant: self.tenant,
            c.ticket: self.ticket,
            c.customer: self.customer,
            c.reason: self.reason,
            c.model: self.model,
            c.prompt_version: self.prompt_version,
        }
        found = [column == value for column, value in wanted.items() if value is not None]
        if self.event_id is not None and self.tenant is not None:
            found.append(_named(keys, self.tenant, self.event_id))
        found += [c.state.in_(self.states)] if self.states is not None else []
        found += [c.received_at >= self.since] if self.since else []
        found += [c.received_at < self.until] if self.until else []
        return found


_ROW_ID = re.compile(r"[0-9a-f]{32}")


def _named(keys: Keys, tenant: str, event_id: str) -> ColumnElement[bool]:
    """The event of this id; where there is none, the row of this id, which is what a log line calls an event."""
    hashed = event_hash(keys, tenant, event_id)
    its_own = events.c.event_hash == hashed
    if not _ROW_ID.fullmatch(event_id):
        return its_own
    other = events.alias()
    taken = exists(select(other.c.id).where(other.c.tenant == tenant, other.c.event_hash == hashed))
    return or_(its_own, and_(events.c.id == event_id, ~taken))
