"""What may not be written whatever it says: erased, opted out, retracted, purged away, from the future, not yours."""

import hashlib
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Integer, Row, bindparam, literal, select, union_all

from pipeline.events import MAX_AHEAD
from pipeline.facts import Observation, Slot, Source
from pipeline.fold import SlotRules
from pipeline.ids import CustomerRef
from pipeline.reasons import Reason
from store.dialects import lock_shared
from store.erased import latest_erasures
from store.keys import Keys
from store.models import erasures, opt_outs, past_horizons, slot_horizons
from store.retracted import Ticket, retracted
from store.rows import slot_of_row
from store.scope import CustomerTx, owned
from store.states import ErasureScope


@dataclass(frozen=True, kw_only=True)
class Bars:
    """What was decided about one customer and is looked up by keyed hash: forgotten, switched off, retracted."""

    erased_until: datetime | None
    forgotten: frozenset[str]
    opted_out: bool
    past: datetime | None
    """How far memory was purged, where nothing else was left of the customer."""
    retracted: frozenset[str]


@dataclass(frozen=True, kw_only=True)
class Refusals:
    """What stands against one customer's statements, read once a transaction."""

    now: datetime
    bars: Bars
    horizons: dict[Slot, datetime]
    ends: dict[str, datetime]
    """How far back ends were purged, by key: what they would have ended comes too late in every ticket's slot."""
    rules: Callable[[str], SlotRules]

    def of(self, observation: Observation) -> Reason | None:
        """Why this observation may not be written, None where it may."""
        standing = self.of_statement(observation.observed_at, observation.ticket)
        if standing is not None:
            return standing
        if observation.id in self.bars.forgotten:
            return Reason.ERASED
        if observation.observed_at > self.now + MAX_AHEAD:
            return Reason.FUTURE
        rules = self.rules(observation.slot.key)
        if rules.system_owned and observation.source is not Source.SYSTEM:
            return Reason.SYSTEM_OWNED
        horizons = (
            self.horizons.get(observation.slot),
            self.ends.get(observation.slot.key) if rules.per_ticket else None,
            self.bars.past,
        )
        return Reason.TOO_LATE if any(at and observation.observed_at <= at for at in horizons) else None

    def beside_purged(self, observation: Observation) -> bool:
        """Whether another ticket's history under the same key was purged past this moment, so that what was live beside
        the observation is no longer known."""
        slot = observation.slot
        beside = (at for other, at in self.horizons.items() if other.key == slot.key and other != slot)
        return any(observation.observed_at <= at for at in beside)

    def of_statement(self, observed_at: datetime, ticket: str) -> Reason | None:
        """What comes before any gate: forgotten, switched off, retracted."""
        if self.bars.erased_until and observed_at <= self.bars.erased_until:
            return Reason.ERASED
        if self.bars.opted_out:
            return Reason.OPTED_OUT
        return Reason.RETRACTED if ticket and ticket in self.bars.retracted else None


def refusals_for(
    tx: CustomerTx,
    *,
    tickets: Iterable[str],
    keys: Iterable[str],
    rules: Callable[[str], SlotRules],
    bars: Bars | None = None,
) -> Refusals:
    """What stands against statements from these tickets on these keys. `bars`, where they were read ahead for many."""
    known = bars or bars_of(tx.connection, tx.keys, {tx.ref: set(tickets)})[tx.ref]
    rows = _horizons(tx, set(keys))
    return Refusals(
        now=tx.now,
        bars=known,
        horizons={slot_of_row(row._mapping): row.horizon for row in rows},
        ends=_latest((row.key, row.ends) for row in rows if row.ends),
        rules=rules,
    )


def bars_of(
    connection: Connection, keys: Keys, wanted: Mapping[CustomerRef, Collection[str]]
) -> dict[CustomerRef, Bars]:
    """The bars against each customer and the tickets named with them. The caller holds the customers' locks."""
    subjects = {ref: keys.subject(ref) for ref in wanted}
    erased = latest_erasures(connection, keys, list(wanted))
    single: dict[str, set[str]] = {}
    for row in connection.execute(_FORGOTTEN, {"subjects": list(subjects.values())}):
        single.setdefault(row.subject, set()).update(row.observations)
    noted = connection.execute(_NOTED, {"subjects": list(subjects.values())}).all()
    off, past = {row.subject for row in noted if row.off}, {row.subject: row.at for row in noted if not row.off}
    barred = _retracted(connection, keys, {(ref.tenant, t) for ref, tickets in wanted.items() for t in tickets if t})
    return {
        ref: Bars(
            erased_until=erased.get(ref),
            forgotten=frozenset(single.get(subject, ())),
            opted_out=subject in off,
            past=past.get(subject),
            retracted=frozenset(ticket for tenant, ticket in barred if tenant == ref.tenant),
        )
        for ref, subject in subjects.items()
    }


_FORGOTTEN = select(erasures.c.subject, erasures.c.observations).where(
    erasures.c.subject.in_(bindparam("subjects", expanding=True)), erasures.c.scope == ErasureScope.FACT
)
_NOTED = union_all(
    *(
        select(table.c.subject, at.label("at"), literal(off, Integer).label("off")).where(
            table.c.subject.in_(bindparam("subjects", expanding=True))
        )
        for table, at, off in ((opt_outs, opt_outs.c.since, 1), (past_horizons, past_horizons.c.horizon, 0))
    )
)


def retraction_lock(tenant: str, ticket: str) -> int:
    """The advisory lock that a retraction takes alone and every write from the ticket takes shared.

    Without it a write could look before the bar is there and commit after the retraction has looked for it.
    """
    name = "".join(f"{len(part)}:{part}" for part in ("retract", tenant, ticket))
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big", signed=True)


def _retracted(connection: Connection, keys: Keys, tickets: set[Ticket]) -> set[Ticket]:
    if tickets:
        lock_shared(connection, *(retraction_lock(tenant, ticket) for tenant, ticket in tickets))
    return retracted(connection, keys, tickets)


def _latest(moments: Iterable[tuple[str, datetime]]) -> dict[str, datetime]:
    found: dict[str, datetime] = {}
    for key, at in moments:
        found[key] = max(at, found.get(key, at))
    return found


def _horizons(tx: CustomerTx, keys: set[str]) -> Sequence[Row[Any]]:
    return tx.asked(_HORIZONS, keys=sorted(keys)) if keys and not tx.created else []


_HORIZONS = owned(slot_horizons, slot_horizons.c.key.in_(bindparam("keys", expanding=True)))
