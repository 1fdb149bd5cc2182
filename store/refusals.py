"""What may not be written whatever it says: erased, opted out, retracted, purged away, from the future, not yours."""

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select

from pipeline.events import MAX_AHEAD
from pipeline.facts import Observation, Slot, Source
from pipeline.fold import SlotRules
from pipeline.reasons import Reason
from store.dialects import lock_shared
from store.erased import erased_at, forgotten_observations, opted_out
from store.models import retractions, slot_horizons
from store.rows import slot_of_row
from store.scope import CustomerTx


@dataclass(frozen=True, kw_only=True)
class Refusals:
    """What stands against one customer's statements, read once a transaction."""

    now: datetime
    erased_until: datetime | None
    forgotten: frozenset[str]
    opted_out: bool
    retracted: frozenset[str]
    horizons: dict[Slot, datetime]
    rules: Callable[[str], SlotRules]

    def of(self, observation: Observation) -> Reason | None:
        """Why this observation may not be written, None where it may."""
        standing = self.of_statement(observation.observed_at, observation.ticket)
        if standing is not None:
            return standing
        if observation.id in self.forgotten:
            return Reason.ERASED
        if observation.observed_at > self.now + MAX_AHEAD:
            return Reason.FUTURE
        if self.rules(observation.slot.key).system_owned and observation.source is not Source.SYSTEM:
            return Reason.SYSTEM_OWNED
        horizon = self.horizons.get(observation.slot)
        return Reason.TOO_LATE if horizon and observation.observed_at <= horizon else None

    def of_statement(self, observed_at: datetime, ticket: str) -> Reason | None:
        """What comes before any gate: forgotten, switched off, retracted."""
        if self.erased_until and observed_at <= self.erased_until:
            return Reason.ERASED
        if self.opted_out:
            return Reason.OPTED_OUT
        return Reason.RETRACTED if ticket and ticket in self.retracted else None


def refusals_for(
    tx: CustomerTx, *, tickets: Iterable[str], keys: Iterable[str], rules: Callable[[str], SlotRules]
) -> Refusals:
    """What stands against statements from these tickets on these keys."""
    return Refusals(
        now=tx.now,
        erased_until=erased_at(tx.connection, tx.keys, tx.ref),
        forgotten=forgotten_observations(tx.connection, tx.keys, tx.ref),
        opted_out=opted_out(tx.connection, tx.keys, tx.ref),
        retracted=_retracted(tx, {ticket for ticket in tickets if ticket}),
        horizons=_horizons(tx, set(keys)),
        rules=rules,
    )


def retraction_lock(tenant: str, ticket: str) -> int:
    """The advisory lock that a retraction takes alone and every write from the ticket takes shared.

    Without it a write could look before the bar is there and commit after the retraction has looked for it.
    """
    name = "".join(f"{len(part)}:{part}" for part in ("retract", tenant, ticket))
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big", signed=True)


def _retracted(tx: CustomerTx, tickets: set[str]) -> frozenset[str]:
    if not tickets:
        return frozenset()
    lock_shared(tx.connection, *(retraction_lock(tx.ref.tenant, ticket) for ticket in tickets))
    query = select(retractions.c.ticket).where(retractions.c.tenant == tx.ref.tenant)
    return frozenset(tx.connection.execute(query.where(retractions.c.ticket.in_(tickets))).scalars())


def _horizons(tx: CustomerTx, keys: set[str]) -> dict[Slot, datetime]:
    if not keys or tx.created:
        return {}
    rows = tx.select(slot_horizons, slot_horizons.c.key.in_(keys))
    return {slot_of_row(row._mapping): row.horizon for row in rows}
