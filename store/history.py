"""What is and was remembered of one customer, on two clocks: `at` is the customer's, `known_at` is ours."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import BindParameter, ColumnElement, and_, bindparam, or_

from pipeline.facts import Observation, Slot
from store.models import facts, observations, slot_horizons
from store.rows import StoredFact, fact_from_row, observation_from_row
from store.scope import CustomerView, owned

_OLDEST_FIRST = (facts.c.valid_from, facts.c.id)


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """One observation behind a fact, and whether it still counts."""

    observation: Observation
    recorded_at: datetime
    withdrawn_at: datetime | None
    withdrawn_reason: str | None


@dataclass(frozen=True, kw_only=True)
class Shown:
    """Everything that explains one fact. `versions` and `evidence` are oldest first."""

    fact: StoredFact
    versions: tuple[StoredFact, ...]
    evidence: tuple[Evidence, ...]
    replaced: StoredFact | None
    replaced_by: StoredFact | None


def live(
    tx: CustomerView, *, at: datetime, known_at: datetime | None = None, key: str | None = None
) -> list[StoredFact]:
    """What is true and unexpired at `at`, as it was recorded at `known_at` (None: now). Oldest first.

    Of a moment in the past, what we took for true before it was corrected is only seen with `known_at`.
    """
    if known_at is None and key is None:
        return [fact_from_row(row) for row in tx.asked(_LIVE, at=at)]
    return _found(tx, _holds(at), _recorded(known_at), *_of_key(key))


def changed(tx: CustomerView, *, since: datetime) -> tuple[set[str], set[str]]:
    """Ids of the facts that were recorded after `since` and stand, and of those that stood then and do so no longer."""
    rows = tx.select(
        facts,
        or_(facts.c.recorded_from > since, facts.c.recorded_to > since),
        columns=[facts.c.id, facts.c.recorded_from, facts.c.recorded_to, facts.c.valid_to],
    )
    stands = {row.id for row in rows if row.recorded_to is None and row.valid_to is None}
    stood = {row.id for row in rows if row.recorded_from <= since and row.valid_to is None}
    return stands, stood - stands


def history(tx: CustomerView, *, key: str | None = None, known_at: datetime | None = None) -> list[StoredFact]:
    """Every fact that ever held, ended and expired ones too, oldest first."""
    return _found(tx, _recorded(known_at), *_of_key(key))


def purged_until(tx: CustomerView, *, key: str | None = None) -> datetime | None:
    """How far history was purged, where it was: what held at or before that moment is not told any more, of whatever
    key (or of `key`)."""
    theirs = [slot_horizons.c.key == key] if key else []
    return max((row.horizon for row in tx.select(slot_horizons, *theirs)), default=None)


def live_keys(tx: CustomerView, *, at: datetime) -> list[str]:
    """The names under which something is known, sorted: what a prompt may carry, since values it may not."""
    return sorted({fact.slot.key for fact in live(tx, at=at)})


def show(tx: CustomerView, fact_id: str) -> Shown | None:
    """One fact with its evidence and neighbours, None where this customer has none of that id."""
    versions = _found(tx, facts.c.id == fact_id, order_by=(facts.c.version,))
    if not versions:
        return None
    fact = versions[-1]
    before, after = _neighbours(tx, fact)
    return Shown(
        fact=fact,
        versions=tuple(versions),
        evidence=tuple(_evidence(tx, fact)),
        replaced=before,
        replaced_by=after,
    )


def current(tx: CustomerView, slot: Slot) -> StoredFact | None:
    """The fact of a slot that has no end, expired or not."""
    found = _found(
        tx,
        facts.c.key == slot.key,
        facts.c.slot_ticket == slot.ticket,
        facts.c.recorded_to.is_(None),
        facts.c.valid_to.is_(None),
    )
    return found[0] if found else None


def plain(fact: StoredFact) -> dict[str, Any]:
    """A fact as the command line, HTTP and the export print it: times as ISO 8601 in UTC, confidence from 0 to 1."""
    return {
        "id": fact.id,
        "kind": fact.kind.value,
        "key": fact.slot.key,
        "value": fact.value,
        "source": fact.source.value,
        "valid_from": fact.valid_from.isoformat(),
        "valid_to": fact.valid_to.isoformat() if fact.valid_to else None,
        "expires_at": fact.expires_at.isoformat() if fact.expires_at else None,
        "confirmed_at": fact.confirmed_at.isoformat(),
        "confidence": fact.confidence,
        "importance": fact.importance,
        "ticket": fact.slot.ticket or None,
        "version": fact.version,
        "evidence": list(fact.evidence),
        "recorded_from": fact.recorded_from.isoformat(),
        "recorded_to": fact.recorded_to.isoformat() if fact.recorded_to else None,
    }


def plainly_shown(found: Shown) -> dict[str, Any]:
    """One fact with all that explains it, as the command line and HTTP print it."""
    return {
        **plain(found.fact),
        "observations": [_stated(one) for one in found.evidence],
        "replaced": plain(found.replaced) if found.replaced else None,
        "replaced_by": plain(found.replaced_by) if found.replaced_by else None,
        "versions": [plain(version) for version in found.versions],
    }


def _stated(one: Evidence) -> dict[str, Any]:
    said = one.observation
    return {
        "id": said.id,
        "value": said.value,
        "source": said.source.value,
        "observed_at": said.observed_at.isoformat(),
        "recorded_at": one.recorded_at.isoformat(),
        "ticket": said.ticket or None,
        "quotes": quoted(said),
        "model": said.model or None,
        "prompt_version": said.prompt_version or None,
        "actor": said.actor or None,
        "confidence": said.confidence,
        "withdrawn": one.withdrawn_reason,
    }


def quoted(said: Observation) -> list[dict[str, Any]]:
    """The words that a statement rests on."""
    return [{"message": quote.message, "text": quote.text} for quote in said.quotes]


def _found(
    tx: CustomerView, *where: ColumnElement[bool], order_by: Sequence[ColumnElement[Any]] = _OLDEST_FIRST
) -> list[StoredFact]:
    return [fact_from_row(row) for row in tx.select(facts, *where, order_by=order_by)]


def _holds(at: datetime | BindParameter[datetime]) -> ColumnElement[bool]:
    """True and unexpired at that moment."""
    return and_(
        facts.c.valid_from <= at,
        or_(facts.c.valid_to.is_(None), facts.c.valid_to > at),
        or_(facts.c.expires_at.is_(None), facts.c.expires_at > at),
    )


def _of_key(key: str | None) -> list[ColumnElement[bool]]:
    return [facts.c.key == key] if key else []


def _recorded(known_at: datetime | None) -> ColumnElement[bool]:
    """The versions that a reader saw at `known_at`; those that stand now for None."""
    if known_at is None:
        return facts.c.recorded_to.is_(None)
    return and_(facts.c.recorded_from <= known_at, or_(facts.c.recorded_to.is_(None), facts.c.recorded_to > known_at))


def _neighbours(tx: CustomerView, fact: StoredFact) -> tuple[StoredFact | None, StoredFact | None]:
    """What this fact replaced and what replaced it: the ones that it touches in valid time."""
    others = [f for f in history(tx, key=fact.slot.key) if f.slot == fact.slot and f.id != fact.id]
    before = next((f for f in others if f.valid_to == fact.valid_from), None)
    after = next((f for f in others if fact.valid_to and f.valid_from == fact.valid_to), None)
    return before, after


def _evidence(tx: CustomerView, fact: StoredFact) -> list[Evidence]:
    rows = tx.select(
        observations,
        observations.c.id.in_(fact.evidence),
        order_by=(observations.c.observed_at, observations.c.id),
    )
    return [
        Evidence(
            observation=observation_from_row(row),
            recorded_at=row.recorded_at,
            withdrawn_at=row.withdrawn_at,
            withdrawn_reason=row.withdrawn_reason,
        )
        for row in rows
    ]


def values_of(view: CustomerView, ids: Sequence[str]) -> dict[str, str]:
    """What these observations of the customer say, as 'key = value' by id."""
    c = observations.c
    rows = view.select(observations, c.id.in_(ids), columns=[c.id, c.key, c.value, c.ended]) if ids else ()
    return {row.id: f"{row.key} ended" if row.ended else f"{row.key} = {row.value}" for row in rows}


_LIVE = owned(
    facts,
    _holds(bindparam("at", type_=facts.c.valid_from.type)),
    facts.c.recorded_to.is_(None),
    order_by=_OLDEST_FIRST,
)
"""What every recall and every prompt reads."""
