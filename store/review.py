"""Questions for a person: what was not applied and perhaps should hold after all."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import Engine, Row

from pipeline.facts import Action, Candidate, Decision, Observation, Source
from pipeline.ids import CustomerRef
from pipeline.observe import Origin, observation_from
from pipeline.reasons import Reason
from pipeline.terms import Terms
from store import audit
from store.engine import reading
from store.history import current
from store.models import observations, review_items
from store.refusals import refusals_for
from store.rows import StoredFact, observation_from_row, slot_of_row
from store.scope import CustomerTx, CustomerView, customer_reading, customers_with_questions
from store.slots import opened, standing
from store.states import ReviewState
from store.write import apply

_PAGE = 200


class Outcome(StrEnum):
    """How an answer to a question was taken."""

    ACCEPTED = "accepted"
    DISMISSED = "dismissed"
    CHANGED = "changed"
    """The slot has changed since the question was put: look again, and pass the standing that was seen."""
    REFUSED = "refused"
    """It may not be written: the decision says why. The question stays open."""
    ALREADY_RESOLVED = "already_resolved"
    UNKNOWN = "unknown"


@dataclass(frozen=True, kw_only=True)
class Item:
    """A question: `observation` was not applied for `reason`, `live` is what holds instead.

    `standing` names what holds now; `changed` says whether it differs from when the question was put. Its age counts
    from `opened_at`.
    """

    observation: Observation
    reason: Reason
    opened_at: datetime
    state: ReviewState
    resolved_at: datetime | None
    resolved_by: str | None
    live: StoredFact | None
    standing: str
    changed: bool


@dataclass(frozen=True, kw_only=True)
class Resolution:
    """What came of an answer. `standing` is what holds in the slot now, to be passed back after CHANGED."""

    outcome: Outcome
    decision: Decision | None = None
    standing: str = ""


def listed(
    engine: Engine,
    *,
    tenant: str,
    customer: str | None = None,
    state: ReviewState = ReviewState.OPEN,
    limit: int = _PAGE,
) -> list[Item]:
    """A tenant's (or one customer's) questions in `state`, those that have waited longest first."""
    if customer is not None:
        refs = [CustomerRef(tenant=tenant, customer=customer)]
    else:
        with reading(engine) as connection:
            refs = customers_with_questions(connection, tenant, state=state, limit=limit)
    items: list[Item] = []
    for ref in refs:
        with customer_reading(engine, ref) as view:
            items += of_customer(view, state=state)
    return sorted(items, key=lambda item: (item.opened_at, item.observation.id))[:limit]


def of_customer(view: CustomerView, *, state: ReviewState | None = None) -> list[Item]:
    """One customer's questions, oldest first; in every state for None."""
    wanted = [review_items.c.state == state] if state else []
    rows = view.select(review_items, *wanted, order_by=(review_items.c.opened_at, review_items.c.observation))
    stated = _observations(view, [row.observation for row in rows])
    return [_item(view, row, stated[row.observation]) for row in rows if row.observation in stated]


def accept(tx: CustomerTx, observation: str, *, actor: str, terms: Terms, seen: str | None = None) -> Resolution:
    """Lets the observation hold after all: an `agent_confirmed` statement at `tx.now`, by `actor`.

    Where the slot has changed since the question was put the answer is CHANGED, unless `seen` is the slot's standing
    now. What a stronger source contradicts, or the gates or refusals forbid, is REFUSED and stays open.
    """
    item, early = _open_item(tx, observation)
    if item is None or early is not None:
        return early or Resolution(outcome=Outcome.UNKNOWN)
    if (item.changed or seen is not None) and seen != item.standing:
        return Resolution(outcome=Outcome.CHANGED, standing=item.standing)
    acceptance = _acceptance(tx, item.observation, actor, terms)
    reason = _forbidden(tx, acceptance, terms)
    if reason is not None:
        refused = Decision(action=Action.REJECT, reason=reason, observation_id=acceptance.id)
        _audit(tx, item, actor, Outcome.REFUSED, reason)
        return Resolution(outcome=Outcome.REFUSED, decision=refused, standing=item.standing)
    _resolve(tx, item, actor, ReviewState.ACCEPTED)  # before the write, whose fold drops questions that are answered
    (decision,) = apply(tx, [acceptance], rules=terms.rules(tx.ref.tenant))
    _audit(tx, item, actor, Outcome.ACCEPTED, decision.reason)
    live = current(tx, acceptance.slot)
    return Resolution(outcome=Outcome.ACCEPTED, decision=decision, standing=standing(live))


def dismiss(tx: CustomerTx, observation: str, *, actor: str) -> Resolution:
    """Lets the observation rest. It is not asked about again, also not after a replay."""
    item, early = _open_item(tx, observation)
    if item is None or early is not None:
        return early or Resolution(outcome=Outcome.UNKNOWN)
    _resolve(tx, item, actor, ReviewState.DISMISSED)
    _audit(tx, item, actor, Outcome.DISMISSED, item.reason)
    return Resolution(outcome=Outcome.DISMISSED, standing=item.standing)


def _open_item(tx: CustomerTx, observation: str) -> tuple[Item | None, Resolution | None]:
    rows = tx.select(review_items, review_items.c.observation == observation)
    stated = _observations(tx, [observation])
    if not rows or not stated:
        return None, None
    item = _item(tx, rows[0], stated[observation])
    done = item.state is not ReviewState.OPEN
    return item, Resolution(outcome=Outcome.ALREADY_RESOLVED, standing=item.standing) if done else None


def _observations(view: CustomerView, ids: Sequence[str]) -> dict[str, Observation]:
    rows = view.select(observations, observations.c.id.in_(ids), observations.c.withdrawn_at.is_(None)) if ids else []
    return {row.id: observation_from_row(row) for row in rows}


def _item(view: CustomerView, row: Row[Any], observation: Observation) -> Item:
    live = current(view, slot_of_row(row._mapping))
    return Item(
        observation=observation,
        reason=Reason(row.reason),
        opened_at=row.opened_at,
        state=ReviewState(row.state),
        resolved_at=row.resolved_at,
        resolved_by=row.resolved_by,
        live=live,
        standing=standing(live),
        changed=standing(live) != row.standing,
    )


def _acceptance(tx: CustomerTx, asked: Observation, actor: str, terms: Terms) -> Observation:
    """What a person says by accepting. It comes from the same ticket, so that retracting that takes it along, and from
    no event, so that replaying one does not. An end date that was stated stays; a kind's life begins anew."""
    origin = Origin(
        source=Source.AGENT_CONFIRMED,
        observed_at=tx.now,
        ticket=asked.ticket,
        has_transcript=asked.has_transcript,
        model=asked.model,
        prompt_version=asked.prompt_version,
        actor=actor,
    )
    candidate = Candidate(
        kind=asked.kind, key=asked.slot.key, value=asked.value, ended=asked.ended, quotes=asked.quotes
    )
    fresh = observation_from(
        candidate,
        ref=tx.ref,
        origin=origin,
        catalogue=terms.catalogue,
        ids_key=tx.keys.ids,
        importance=asked.importance,
    )
    ends = [moment for moment in (asked.expires_at, fresh.expires_at) if moment]
    return replace(fresh, slot=asked.slot, expires_at=max(ends, default=None))


def _forbidden(tx: CustomerTx, acceptance: Observation, terms: Terms) -> Reason | None:
    """Why the acceptance may not be written: a refusal, a gate, or what the fold would say of it."""
    rules = terms.rules(tx.ref.tenant)
    key = acceptance.slot.key
    refusal = refusals_for(tx, tickets=[acceptance.ticket], keys=[key], rules=rules).of(acceptance)
    reason = refusal or terms.judge_stored(acceptance).reason
    if reason is not None:
        return reason
    book = opened(tx, [acceptance.slot], rules, ending=[key] if acceptance.ended else [])[key]
    book.stated[acceptance.id] = acceptance
    step = book.folded(only=[acceptance.slot])[acceptance.slot].decisions[acceptance.id]
    return step.reason if step.action is Action.REJECT else None


def _resolve(tx: CustomerTx, item: Item, actor: str, state: ReviewState) -> None:
    values = {"state": state.value, "resolved_at": tx.now, "resolved_by": actor}
    tx.update(review_items, values, review_items.c.observation == item.observation.id)


def _audit(tx: CustomerTx, item: Item, actor: str, outcome: Outcome, reason: Reason) -> None:
    line = audit.of_customer(
        tx, actor=actor, action="review", outcome=outcome, reason=reason, observation=item.observation.id
    )
    audit.record_all(tx.connection, [line])
