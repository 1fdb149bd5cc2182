"""What is known of a customer before a ticket of theirs is read: whether it may be read at all, and which keys live."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Engine, bindparam, or_

from pipeline.events import TicketClosed
from pipeline.reasons import Reason
from store.erased import erased_at, opted_out
from store.keys import Keys
from store.models import facts
from store.retracted import retracted
from store.scope import CustomerView, customer_reading, owned


@dataclass(frozen=True, kw_only=True)
class Before:
    """`refusal`: why nothing of the ticket may be kept, so that no model need be asked. `live_keys` are names of live
    facts, never values, in order. `erased_at`: when the customer was last forgotten."""

    refusal: Reason | None = None
    live_keys: tuple[str, ...] = ()
    erased_at: datetime | None = None

    def remembered(self, event: TicketClosed) -> TicketClosed:
        """The event without messages from before the customer was forgotten."""
        if self.erased_at is None:
            return event
        moment = self.erased_at
        kept = tuple(message for message in event.messages if message.at is None or message.at > moment)
        return event.model_copy(update={"messages": kept})


def known_before(engine: Engine, keys: Keys, event: TicketClosed) -> Before:
    """One snapshot. The writing transaction asks again, under the customer's lock. Raises StoreUnavailable."""
    with customer_reading(engine, event.ref) as view:
        erased = erased_at(view.connection, keys, event.ref)
        return Before(
            refusal=_refusal(view, keys, event, erased), live_keys=_live_keys(view, event.closed_at), erased_at=erased
        )


def _refusal(view: CustomerView, keys: Keys, event: TicketClosed, erased: datetime | None) -> Reason | None:
    if erased is not None and event.closed_at <= erased:
        return Reason.ERASED
    if opted_out(view.connection, keys, event.ref):
        return Reason.OPTED_OUT
    barred = retracted(view.connection, keys, [(event.tenant, event.ticket_id)])
    return Reason.RETRACTED if barred else None


def _live_keys(view: CustomerView, at: datetime) -> tuple[str, ...]:
    return tuple(sorted({row.key for row in view.asked(_LIVE, at=at)}))


_LIVE = owned(
    facts,
    facts.c.recorded_to.is_(None),
    facts.c.valid_to.is_(None),
    or_(facts.c.expires_at.is_(None), facts.c.expires_at > bindparam("at", type_=facts.c.expires_at.type)),
    columns=[facts.c.key],
)
