"""One key in a writing transaction: what is stored of its slots, what they fold to, and how the two differ."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Row, Table, and_, bindparam, func, or_

from pipeline.across import fold_key
from pipeline.facts import Fact, Observation, Slot
from pipeline.fold import Folded, SlotRules
from store.models import facts, observations, review_items, vectors
from store.rows import StoredFact, fact_from_row, fact_row, observation_from_row, same_content, slot_of_row
from store.scope import CustomerTx, Owned, owned
from store.states import ReviewState


@dataclass(kw_only=True)
class KeyBook:
    """What is stored under one key: of the slots that are written, or of all that it has, where an end in one ticket
    may mean another's. `stated` holds the observations that count, `withdrawn` the ids that do not."""

    rules: SlotRules
    slots: set[Slot] = field(default_factory=set)
    stated: dict[str, Observation] = field(default_factory=dict)
    withdrawn: set[str] = field(default_factory=set)
    reach: dict[str, Sequence[str]] = field(default_factory=dict)
    current: dict[Slot, list[StoredFact]] = field(default_factory=lambda: defaultdict(list))
    reviews: dict[str, ReviewState] = field(default_factory=dict)
    asked: dict[str, tuple[Slot, str]] = field(default_factory=dict)
    """Where each of the reviews' questions is asked, and for which reason."""

    def folded(self, only: Collection[Slot] | None = None) -> dict[Slot, Folded]:
        """What the slots amount to, or those of `only`; a slot with nothing said in it amounts to nothing."""
        wanted = self.slots if only is None else set(only)
        stated: Collection[Observation] = self.stated.values()
        if only is not None and not any(one.ended for one in stated):
            stated = [one for one in stated if one.slot in wanted]
        resolved = {i for i, state in self.reviews.items() if state is not ReviewState.OPEN}
        found = fold_key(stated, self.rules, resolved=resolved, reach=self.reach)
        return {slot: found.get(slot, Folded()) for slot in wanted}

    def live(self, slot: Slot) -> StoredFact | None:
        """The recorded fact that has no end, expired or not."""
        return next((fact for fact in self.current[slot] if fact.valid_to is None), None)


def standing(fact: StoredFact | None) -> str:
    """What holds in a slot, as a word: changes when the fact or its version does. '' for nothing."""
    return f"{fact.id}:{fact.version}" if fact else ""


def opened(
    tx: CustomerTx, slots: Iterable[Slot], rules: Callable[[str], SlotRules], *, ending: Collection[str] = ()
) -> dict[str, KeyBook]:
    """The books of these slots of the customer's, by key. `ending` names the keys under which ends come or go."""
    books: dict[str, KeyBook] = {}
    for slot in slots:
        books.setdefault(slot.key, KeyBook(rules=rules(slot.key))).slots.add(slot)
    if not books or tx.created:
        return books
    tickets = sorted({slot.ticket for book in books.values() for slot in book.slots})
    stated = tx.asked(_STATED, keys=sorted(books), tickets=tickets)
    whole = {row.key for row in stated if row.ended} | set(ending)
    whole = {key for key in whole if books[key].rules.per_ticket}
    if whole:
        stated = [*(row for row in stated if row.key not in whole), *tx.asked(_ALL_STATED, keys=sorted(whole))]
    _enter(tx, books, stated, whole)
    return books


def _enter(tx: CustomerTx, books: dict[str, KeyBook], stated: Iterable[Row[Any]], whole: set[str]) -> None:
    """Puts the rows into their books; of the keys in `whole`, those of all their slots."""
    for book, slot, row in _of_books(books, stated, whole):
        if row.reach is not None:
            book.reach[row.id] = row.reach
        if row.withdrawn_at is None:
            book.stated[row.id] = observation_from_row(row, slot=slot)
        else:
            book.withdrawn.add(row.id)
    for book, slot, row in _of_books(books, _asked(tx, _CURRENT, _ALL_CURRENT, books, whole), whole):
        book.current[slot].append(fact_from_row(row, slot=slot))
    for book, slot, row in _of_books(books, _asked(tx, _ASKED, _ALL_ASKED, books, whole), whole):
        book.reviews[row.observation] = ReviewState(row.state)
        book.asked[row.observation] = slot, row.reason


def _of_books(
    books: dict[str, KeyBook], rows: Iterable[Row[Any]], whole: set[str]
) -> Iterator[tuple[KeyBook, Slot, Row[Any]]]:
    """Each row with its book and slot. A query over keys and tickets is over-broad: what no book asked for is left
    out."""
    known = {(slot.key, slot.ticket): slot for book in books.values() for slot in book.slots}
    for row in rows:
        slot = known.get((row.key, row.slot_ticket))
        if slot is None and row.key in whole:
            slot = known[row.key, row.slot_ticket] = slot_of_row(row._mapping)
            books[row.key].slots.add(slot)
        if slot is not None:
            yield books[row.key], slot, row


def _asked(tx: CustomerTx, some: Owned, every: Owned, books: dict[str, KeyBook], whole: set[str]) -> Iterator[Row[Any]]:
    """Rows of the books' slots: `some` asks for keys and tickets, `every` for all of a key."""
    if plain := sorted(books.keys() - whole):
        tickets = sorted({slot.ticket for key in plain for slot in books[key].slots})
        yield from tx.asked(some, keys=plain, tickets=tickets)
    if whole:
        yield from tx.asked(every, keys=sorted(whole))


def _of_keys(table: Table, *where: ColumnElement[bool]) -> Owned:
    return owned(table, table.c.key.in_(bindparam("keys", expanding=True)), *where)


def _of_slots(table: Table, *where: ColumnElement[bool], also: ColumnElement[bool] | None = None) -> Owned:
    """Rows of some slots, and those of their keys for which `also` holds."""
    theirs = table.c.slot_ticket.in_(bindparam("tickets", expanding=True))
    return _of_keys(table, theirs if also is None else or_(theirs, also), *where)


_STATED = _of_slots(observations, also=and_(observations.c.ended, observations.c.slot_ticket != ""))
_CURRENT = _of_slots(facts, facts.c.recorded_to.is_(None))
_ASKED = _of_slots(review_items)
_ALL_STATED = _of_keys(observations)
_ALL_CURRENT = _of_keys(facts, facts.c.recorded_to.is_(None))
_ALL_ASKED = _of_keys(review_items)


def saved(tx: CustomerTx, books: Iterable[KeyBook]) -> None:
    """Writes what the slots fold to by now, as far as it differs from what is recorded."""
    fresh: list[dict[str, Any]] = []
    for book in books:
        folded = book.folded()
        slots = sorted(folded, key=_by_ticket)
        holds = {slot: _saved(tx, slot, book.current[slot], folded[slot], fresh) for slot in slots}
        _reconcile_reviews(tx, book, folded, holds)
    tx.insert(facts, fresh)


def _by_ticket(slot: Slot) -> str:
    return slot.ticket


def _saved(
    tx: CustomerTx, slot: Slot, current: Sequence[StoredFact], folded: Folded, rows: list[dict[str, Any]]
) -> str:
    """Records one slot's facts, those that are new as `rows` to be added. Returns what holds in it now."""
    wanted = {fact.id: fact for fact in folded.facts}
    kept = {f.id: f.version for f in current if f.id in wanted and same_content(f, wanted[f.id])}
    gone = [fact for fact in current if fact.id not in kept]
    fresh = [fact for fact in folded.facts if fact.id not in kept]
    versions = kept | _recorded(tx, slot, gone, fresh, rows)
    live = next((fact for fact in folded.facts if fact.valid_to is None), None)
    return f"{live.id}:{versions[live.id]}" if live else ""


def _recorded(
    tx: CustomerTx, slot: Slot, gone: Collection[StoredFact], fresh: Collection[Fact], rows: list[dict[str, Any]]
) -> dict[str, int]:
    """Closes the versions that are gone and puts those that are fresh into `rows`. Returns the version of each fresh
    fact."""
    if not gone and not fresh:
        return {}
    stamp, highest = _recorded_so_far(tx, slot)
    if gone:
        tx.update(facts, {"recorded_to": stamp}, facts.c.row.in_([fact.row for fact in gone]))
        over = {fact.id for fact in gone} - {fact.id for fact in fresh if fact.valid_to is None}
        tx.delete(vectors, vectors.c.fact.in_(over))
    versions = {fact.id: highest.get(fact.id, 0) + 1 for fact in fresh}
    rows += [fact_row(f, version=versions[f.id], recorded_from=stamp) for f in fresh]
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


def _reconcile_reviews(tx: CustomerTx, book: KeyBook, folded: dict[Slot, Folded], holds: dict[Slot, str]) -> None:
    """Open questions become those of the fold; what a person has answered stays. One that is put elsewhere now, or for
    another reason, is put anew."""
    wanted = {review.observation_id: (slot, review) for slot, one in folded.items() for review in one.reviews}
    asked = {i: question for i, question in book.asked.items() if book.reviews[i] is ReviewState.OPEN}
    put = {i: (slot, review.reason.value) for i, (slot, review) in wanted.items()}
    settled = [i for i, question in asked.items() if put.get(i) != question]
    if settled:
        tx.delete(review_items, review_items.c.observation.in_(settled))
    rows = [
        {
            "observation": review.observation_id,
            "key": slot.key,
            "slot_ticket": slot.ticket,
            "ticket": book.stated[review.observation_id].ticket,
            "reason": review.reason.value,
            "opened_at": tx.now,
            "standing": holds[slot],
            "state": ReviewState.OPEN.value,
        }
        for slot, review in wanted.values()
        if review.observation_id not in book.reviews or review.observation_id in settled
    ]
    tx.insert(review_items, rows)
