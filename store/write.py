"""The one door through which anything becomes a memory. Read `apply` first.

Refusals come first; what is left is stored as observations; the slots that they touch are folded anew and only what
differs is recorded. All of it happens in the caller's transaction, under the customer's lock.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby
from typing import Any

from pipeline.facts import Action, Decision, Observation, Slot
from pipeline.fold import Folded, SlotRules
from pipeline.reasons import Reason
from store import audit
from store.models import observations as observations_table
from store.refusals import Bars, Refusals, refusals_for
from store.rows import observation_row, revisable, slot_of_row
from store.scope import CustomerTx
from store.slots import KeyBook, opened, saved

Rules = Callable[[str], SlotRules]


class NotTheirs(ValueError):
    """An observation of another customer reached this customer's transaction. A bug in the caller."""


@dataclass(frozen=True, kw_only=True)
class Refusal:
    """A statement that a gate refused, with nothing of what it said."""

    reason: Reason
    observed_at: datetime
    ticket: str = ""
    event: str = ""
    key: str = ""
    """The catalogue's key, where it is one."""
    actor: str = "worker"


def apply(
    tx: CustomerTx, observations: Sequence[Observation], *, rules: Rules, bars: Bars | None = None
) -> tuple[Decision, ...]:
    """Writes what passed the gates. One answer an observation, in their order.

    What one event says is decided as a whole; statements without an event are decided one after the other, as if each
    came alone. An observation that is already there answers NOOP · same, or once more its refusal.
    """
    return _written(tx, observations, rules=rules, bars=bars)


def replace_event(
    tx: CustomerTx, event: str, observations: Sequence[Observation], *, rules: Rules
) -> tuple[Decision, ...]:
    """Makes `observations` all that the event (its row id) says: what it said before and says no more is withdrawn.

    The first time there is nothing to withdraw. The same answer again changes nothing.
    """
    return _written(tx, observations, rules=rules, replaced=event)


def withdraw(tx: CustomerTx, ids: Collection[str], *, reason: Reason, actor: str, rules: Rules) -> int:
    """Takes observations back for good reason; what they had superseded comes back. Returns how many there were."""
    rows = _stated(tx, observations_table.c.id.in_(ids)) if ids else []
    books = opened(tx, {slot_of_row(row._mapping) for row in rows}, rules)
    _withdrawn(tx, books, {row.id for row in rows}, reason=reason, actor=actor)
    saved(tx, books.values())
    return len(rows)


def refold(tx: CustomerTx, slots: Iterable[Slot], *, rules: Rules) -> None:
    """Folds slots anew after their observations were changed by other means (one fact forgotten, policy changed)."""
    touched = set(slots)
    saved(tx, opened(tx, touched, rules, ending={slot.key for slot in touched}).values())


def refuse(
    tx: CustomerTx, refusals: Sequence[Refusal], *, rules: Rules, bars: Bars | None = None
) -> tuple[Decision, ...]:
    """Puts what the gates refused into the audit. What stands before the gates (erased, opted out) names it first."""
    if not refusals:
        return ()
    standing = refusals_for(tx, tickets=[r.ticket for r in refusals], keys=(), rules=rules, bars=bars)
    reasons = [standing.of_statement(r.observed_at, r.ticket) or r.reason for r in refusals]
    decisions = tuple(Decision(action=Action.REJECT, reason=reason) for reason in reasons)
    entries = [
        replace(_entry(tx, decision, actor=r.actor, event=r.event), key=r.key or None)
        for decision, r in zip(decisions, refusals, strict=True)
    ]
    audit.record_all(tx.connection, entries)
    return decisions


def _written(
    tx: CustomerTx,
    observations: Sequence[Observation],
    *,
    rules: Rules,
    replaced: str = "",
    bars: Bars | None = None,
) -> tuple[Decision, ...]:
    if any(observation.slot.ref != tx.ref for observation in observations):
        raise NotTheirs("an observation names another customer than its transaction")
    standing = _standing(tx, observations, rules, bars)
    answers = _refused(standing, observations)
    accepted = {i: o for i, o in enumerate(observations) if i not in answers}
    former = _stated(tx, observations_table.c.event == replaced) if replaced and not tx.created else []
    slots = {o.slot for o in accepted.values()} | {slot_of_row(row._mapping) for row in former}
    books = opened(tx, slots, rules, ending={o.slot.key for o in accepted.values() if o.ended})
    stale = {row.id for row in former} - {o.id for o in accepted.values()}
    _withdrawn(tx, books, stale, reason=Reason.REPLAYED, actor="worker")
    late = {o.id for o in accepted.values() if o.ended and standing.beside_purged(o)}
    answers |= _taken(tx, books, accepted, late, revise=bool(replaced))
    saved(tx, books.values())
    decisions = tuple(answers[i] for i in range(len(observations)))
    _audit(tx, decisions, observations, rules)
    return decisions


def _standing(tx: CustomerTx, observations: Sequence[Observation], rules: Rules, bars: Bars | None) -> Refusals:
    tickets, keys = {o.ticket for o in observations}, {o.slot.key for o in observations}
    return refusals_for(tx, tickets=tickets, keys=keys, rules=rules, bars=bars)


def _refused(standing: Refusals, observations: Sequence[Observation]) -> dict[int, Decision]:
    """Refusals by position."""
    reasons = {i: standing.of(observation) for i, observation in enumerate(observations)}
    return {
        i: Decision(action=Action.REJECT, reason=reason, observation_id=observations[i].id)
        for i, reason in reasons.items()
        if reason is not None
    }


def _taken(
    tx: CustomerTx, books: dict[str, KeyBook], accepted: dict[int, Observation], late: Collection[str], *, revise: bool
) -> dict[int, Decision]:
    """Stores the observations and answers each with its own step in the fold as it stands when its turn has come.

    Ends in `late` come after a neighbour's history was purged: they reach what they surely mean, and nothing else.
    """
    answers: dict[int, Decision] = {}
    fresh: dict[str, Observation] = {}
    changed: dict[str, Observation] = {}
    for _, group in groupby(accepted.items(), key=lambda item: item[1].event or item[0]):
        step = list(group)
        known = {i: _put(books[o.slot.key], o, fresh, changed, revise=revise) for i, o in step}
        for one in (o for _, o in step if o.id in late and o.id in fresh):
            books[one.slot.key].reach[one.id] = []
        folds = _folded(books, {o.slot for _, o in step})
        answers |= {i: _answer(folds[o.slot].decisions[o.id], known=known[i]) for i, o in step}
    tx.insert(
        observations_table,
        [
            {**observation_row(o, recorded_at=tx.now), "reach": books[o.slot.key].reach.get(o.id)}
            for o in fresh.values()
        ],
    )
    for observation in changed.values():
        again: dict[str, Any] = {**revisable(observation), "withdrawn_at": None, "withdrawn_reason": None}
        tx.update(observations_table, again, observations_table.c.id == observation.id)
    return answers


def _folded(books: dict[str, KeyBook], slots: set[Slot]) -> dict[Slot, Folded]:
    keys = {slot.key for slot in slots}
    return {
        slot: folded
        for key in keys
        for slot, folded in books[key].folded(only={slot for slot in slots if slot.key == key}).items()
    }


def _put(
    book: KeyBook,
    observation: Observation,
    fresh: dict[str, Observation],
    changed: dict[str, Observation],
    *,
    revise: bool,
) -> bool:
    """Enters an observation into its slot. Returns whether it counted already.

    One that is there stays as it is, but for a replay, whose model may be surer now or quote better.
    """
    known = book.stated.get(observation.id)
    if known is not None and not (revise and known != observation):
        return True
    (changed if known or observation.id in book.withdrawn else fresh)[observation.id] = observation
    book.stated[observation.id] = observation
    book.withdrawn.discard(observation.id)
    return known is not None


def _answer(decision: Decision, *, known: bool) -> Decision:
    if not known or decision.action is Action.REJECT:
        return decision
    return Decision(
        action=Action.NOOP, reason=Reason.SAME, observation_id=decision.observation_id, fact_id=decision.fact_id
    )


def _stated(tx: CustomerTx, condition: Any) -> list[Any]:
    """Where observations that count stand: their ids and slots."""
    c = observations_table.c
    columns = [c.id, c.tenant, c.customer, c.key, c.slot_ticket]
    return list(tx.select(observations_table, condition, c.withdrawn_at.is_(None), columns=columns))


def _withdrawn(tx: CustomerTx, books: dict[str, KeyBook], ids: Collection[str], *, reason: Reason, actor: str) -> None:
    if not ids:
        return
    values = {"withdrawn_at": tx.now, "withdrawn_reason": reason.value}
    tx.update(observations_table, values, observations_table.c.id.in_(ids))
    for book in books.values():
        for observation in [o for i, o in book.stated.items() if i in ids]:
            del book.stated[observation.id]
            book.withdrawn.add(observation.id)
    entries = [
        audit.of_customer(tx, actor=actor, action="withdraw", outcome="withdrawn", reason=reason, observation=i)
        for i in sorted(ids)
    ]
    audit.record_all(tx.connection, entries)


def _audit(tx: CustomerTx, decisions: Sequence[Decision], observations: Sequence[Observation], rules: Rules) -> None:
    entries = [
        replace(
            _entry(tx, decision, actor=o.actor or "worker", event=o.event),
            key=o.slot.key if rules(o.slot.key).known else None,
        )
        for decision, o in zip(decisions, observations, strict=True)
    ]
    audit.record_all(tx.connection, entries)


def _entry(tx: CustomerTx, decision: Decision, *, actor: str, event: str) -> audit.Entry:
    return audit.of_customer(
        tx,
        actor=actor,
        action="write",
        outcome=decision.action,
        reason=decision.reason,
        event=event or None,
        observation=decision.observation_id or None,
        fact=decision.fact_id or None,
    )
