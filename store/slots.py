"""One slot in a writing transaction: what is stored of it, what it folds to, and the difference between the two."""

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Row, Table, bindparam, func

from pipeline.facts import Fact, Observation, Slot
from pipeline.fold import Folded, SlotRules, fold
from store.models import facts, observations, review_items, vectors
from store.rows import StoredFact, fact_from_row, fact_row, observation_from_row, same_content, slot_of_row
from store.scope import CustomerTx, Owned, owned
from store.states import ReviewState


@dataclass(kw_only=True)
class SlotBook:
    """What is stored of one slot. `stated` holds the observations that count, `withdrawn` the ids that do not."""

    slot: Slot
    rules: SlotRules
    stated: dict[str, Observation] = field(default_factory=dict)
    withdrawn: set[str] = field(default_factory=set)
    current: list[StoredFact] = field(default_factory=list)
    reviews: dict[str, ReviewState] = field(default_factory=dict)

    def folded(self) -> Folded:
        resolved = {i for i, state in self.reviews.items() if state is not ReviewState.OPEN}
        return fold(self.stated.values(), self.rules, resolved=resolved)

    def live(self) -> StoredFact | None:
        """The recorded fact that has no end, expired or not."""
        return next((fact for fact in self.current if fact.valid_to is None), None)


def standing(fact: StoredFact | None) -> str:
    """What holds in a slot, as a word: changes when the fact or its version does. '' for nothing."""
    return f"{fact.id}:{fact.version}" if fact else ""


def opened(tx: CustomerTx, slots: Iterable[Slot], rules: Callable[[str], SlotRules]) -> dict[Slot, SlotBook]:
    """The books of these slots of the customer's."""
    books = {slot: SlotBook(slot=slot, rules=rules(slot.key)) for slot in slots}
    if not books or tx.created:
        return books
    for book, row in _rows(tx, _STATED, books):
        if row.withdrawn_at is None:
            book.stated[row.id] = observation_from_row(row)
        else:
            book.withdrawn.add(row.id)
    for book, row in _rows(tx, _CURRENT, books):
        book.current.append(fact_from_row(row))
    for book, row in _rows(tx, _ASKED, books):
        book.reviews[row.observation] = ReviewState(row.state)
    return books


def _of_slots(table: Table, *where: ColumnElement[bool]) -> Owned:
    """Rows of some slots; over-broad where several keys meet several tickets, so the caller looks again."""
    keys = table.c.key.in_(bindparam("keys", expanding=True))
    return owned(table, keys, table.c.slot_ticket.in_(bindparam("tickets", expanding=True)), *where)


_STATED = _of_slots(observations)
_CURRENT = _of_slots(facts, facts.c.recorded_to.is_(None))
_ASKED = _of_slots(review_items)


def _rows(tx: CustomerTx, query: Owned, books: dict[Slot, SlotBook]) -> Iterator[tuple[SlotBook, Row[Any]]]:
    keys, tickets = sorted({slot.key for slot in books}), sorted({slot.ticket for slot in books})
    for row in tx.asked(query, keys=keys, tickets=tickets):
        if book := books.get(slot_of_row(row._mapping)):
            yield book, row


def saved(tx: CustomerTx, book: SlotBook) -> None:
    """Writes what the slot folds to by now, as far as it differs from what is recorded."""
    folded = book.folded()
    wanted = {fact.id: fact for fact in folded.facts}
    kept = {f.id: f.version for f in book.current if f.id in wanted and same_content(f, wanted[f.id])}
    gone = [fact for fact in book.current if fact.id not in kept]
    fresh = [fact for fact in folded.facts if fact.id not in kept]
    versions = kept | _recorded(tx, book.slot, gone, fresh)
    live = next((fact for fact in folded.facts if fact.valid_to is None), None)
    _reconcile_reviews(tx, book, folded, f"{live.id}:{versions[live.id]}" if live else "")


def _recorded(tx: CustomerTx, slot: Slot, gone: Collection[StoredFact], fresh: Collection[Fact]) -> dict[str, int]:
    """Closes the versions that are gone and adds those that are fresh. Returns the version of each fresh fact."""
    if not gone and not fresh:
        return {}
    stamp, highest = _recorded_so_far(tx, slot)
    if gone:
        tx.update(facts, {"recorded_to": stamp}, facts.c.row.in_([fact.row for fact in gone]))
        over = {fact.id for fact in gone} - {fact.id for fact in fresh if fact.valid_to is None}
        tx.delete(vectors, vectors.c.fact.in_(over))
    versions = {fact.id: highest.get(fact.id, 0) + 1 for fact in fresh}
    tx.insert(facts, [fact_row(f, version=versions[f.id], recorded_from=stamp) for f in fresh])
    return versions


def _recorded_so_far(tx: CustomerTx, slot: Slot) -> tuple[datetime, dict[str, int]]:
    """The moment to record under, and the highest version of each fact of the slot.

    Workers' clocks differ: a version never begins before the one that it follows.
    """
    rows = [] if tx.created else tx.asked(_RECORDED, key=slot.key, ticket=slot.ticket)
    moments = [moment for row in rows for moment in (row.began, row.closed) if moment]
    return max([tx.now, *moments]), {row.id: row.version for row in rows}


_RECORDED = Owned(
    owned(
        facts,
        facts.c.key == bindparam("key"),
        facts.c.slot_ticket == bindparam("ticket"),
        columns=[
            facts.c.id,
            func.max(facts.c.version).label("version"),
            func.max(facts.c.recorded_from).label("began"),
            func.max(facts.c.recorded_to).label("closed"),
        ],
    ).statement.group_by(facts.c.id)
)


def _reconcile_reviews(tx: CustomerTx, book: SlotBook, folded: Folded, now_standing: str) -> None:
    """Open questions become those of the fold; what a person has answered stays."""
    wanted = {review.observation_id: review for review in folded.reviews}
    settled = [i for i, state in book.reviews.items() if state is ReviewState.OPEN and i not in wanted]
    if settled:
        tx.delete(review_items, review_items.c.observation.in_(settled))
    rows = [
        {
            "observation": review.observation_id,
            "key": book.slot.key,
            "slot_ticket": book.slot.ticket,
            "ticket": book.stated[review.observation_id].ticket,
            "reason": review.reason.value,
            "opened_at": tx.now,
            "standing": now_standing,
            "state": ReviewState.OPEN.value,
        }
        for review in wanted.values()
        if review.observation_id not in book.reviews
    ]
    tx.insert(review_items, rows)
