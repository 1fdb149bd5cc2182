"""How history leaves a slot: always as a prefix, never from inside, and never so that what is live would change.

Why a prefix changes nothing that is live: let K be the oldest fact that stays and c the instant at which it begins.
What stays are the observations from c on. If K's first evidence comes first among them in the order of the fold, the
fold of what stays begins by adding K, exactly where the fold of everything stood at that moment; from there on both
take the same steps. Where something else stands before it at the same instant, the slot is left alone.

What went is remembered by its horizon, the last instant before c, or where nothing stays the end of the last fact:
what is observed at or before it can no longer be judged by what held then, and comes too late. Under a key that holds
one value a ticket, an end may concern another slot: `store.purge_ends` sees to those.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    Row,
    Select,
    Table,
    and_,
    delete,
    exists,
    func,
    or_,
    select,
    true,
    tuple_,
)
from sqlalchemy.sql.selectable import FromClause

from pipeline.facts import Source
from store.dialects import among, insert_for
from store.models import customers, facts, observations, review_items, slot_horizons, vectors
from store.purge_ends import keep_reach, still_needed
from store.states import ReviewState

_INSTANT = timedelta(microseconds=1)
"""The smallest step of both databases' clocks."""
Key = tuple[str, str, str, str]
"""Tenant, customer, key and ticket: a slot."""

_later = facts.alias("later")
_newer = observations.alias("newer")


def _slot(table: FromClause) -> tuple[ColumnElement[str], ...]:
    return table.c.tenant, table.c.customer, table.c.key, table.c.slot_ticket


def _same_slot(one: FromClause, other: FromClause) -> ColumnElement[bool]:
    return and_(*(a == b for a, b in zip(_slot(one), _slot(other), strict=True)))


# --- which facts ------------------------------------------------------------------------------------------------------


def expired_facts(cut: datetime) -> ColumnElement[bool]:
    """The last fact of its slot, which expired at or before `cut`, with nothing said since and no question open."""
    last_word = or_(facts.c.valid_to.is_(None), facts.c.valid_to == facts.c.expires_at)
    return and_(facts.c.recorded_to.is_(None), facts.c.expires_at <= cut, last_word, _last(), _quiet(cut))


def ended_facts(cut: datetime) -> ColumnElement[bool]:
    """The last fact of its slot, which ended at or before `cut`, with nothing said since and no question open."""
    return and_(facts.c.recorded_to.is_(None), facts.c.valid_to <= cut, _last(), _quiet(cut))


def prefix_facts(old: ColumnElement[bool]) -> ColumnElement[bool]:
    """A fact that has had its time, and was followed by another."""
    return and_(facts.c.recorded_to.is_(None), old, ~_last())


def _last() -> ColumnElement[bool]:
    """No current fact of the slot begins later."""
    follows = and_(_same_slot(_later, facts), _later.c.recorded_to.is_(None), _later.c.valid_from > facts.c.valid_from)
    return ~exists().where(follows)


def _quiet(cut: datetime) -> ColumnElement[bool]:
    """Nothing was observed in the slot after `cut`, and nobody is being asked about it."""
    said = and_(_same_slot(_newer, facts), _newer.c.observed_at > cut, _newer.c.withdrawn_at.is_(None))
    return and_(~exists().where(said), ~exists().where(_same_slot(review_items, facts), _open()))


def _open() -> ColumnElement[bool]:
    return review_items.c.state == ReviewState.OPEN


# --- whole slots ------------------------------------------------------------------------------------------------------


def take_slots(
    connection: Connection, rows: Sequence[int], wanted: ColumnElement[bool], *, name: str
) -> Mapping[str, int]:
    """Empties the slots whose last facts these are, where they are still wanted under their customers' locks."""
    chosen = still_wanted(connection, facts.c.row, rows, wanted)
    last = among(connection, facts.c.row, [row.row for row in chosen])
    slots = select(*_slot(facts)).where(last)
    keep_reach(connection, _in(slots, facts))
    _remember_horizons(connection, last)
    meant = tuple_(vectors.c.tenant, vectors.c.customer, vectors.c.fact)
    _deleted(connection, vectors, meant.in_(select(facts.c.tenant, facts.c.customer, facts.c.id).where(last)))
    questions = _deleted(connection, review_items, _in(slots, review_items))
    said = _deleted(
        connection, observations, _in(slots, observations), observations.c.withdrawn_at.is_(None), ~still_needed()
    )
    gone = _deleted(connection, facts, _in(slots, facts))
    return {name: gone, "observations": said, "reviews": questions}


def still_wanted(
    connection: Connection, key: Column[Any], keys: Sequence[Any], wanted: ColumnElement[bool]
) -> list[Row[Any]]:
    """Key and slot of those rows that meet the condition now, and about whose customers nobody writes at this moment.

    Their customers stay locked until the batch is over. Whoever is being written about is left for the next purge.
    """
    theirs = select(key.table.c.tenant, key.table.c.customer).where(among(connection, key, keys))
    lock = (
        select(customers.c.tenant, customers.c.customer)
        .where(tuple_(customers.c.tenant, customers.c.customer).in_(theirs))
        .with_for_update(skip_locked=True)
    )
    locked = {(row.tenant, row.customer) for row in connection.execute(lock)}
    query = select(key, *_slot(key.table)).where(among(connection, key, keys), wanted)
    return [row for row in connection.execute(query) if (row.tenant, row.customer) in locked]


def _in(slots: Select[*tuple[Any, ...]], table: Table) -> ColumnElement[bool]:
    return tuple_(*_slot(table)).in_(slots)


def _deleted(connection: Connection, table: Table, *conditions: ColumnElement[bool]) -> int:
    return connection.execute(delete(table).where(*conditions)).rowcount


def _remember_horizons(connection: Connection, last: ColumnElement[bool]) -> None:
    """The end of each slot's last fact becomes its horizon, or where that is later, what was last observed in it."""
    ended = func.coalesce(facts.c.valid_to, facts.c.expires_at)
    observed = (
        select(func.max(observations.c.observed_at))
        .where(_same_slot(observations, facts), observations.c.withdrawn_at.is_(None))
        .scalar_subquery()
    )
    later = _later_of(connection)
    ends = select(*_slot(facts), later(ended, func.coalesce(observed, ended))).where(last)
    row: Any = insert_for(connection, slot_horizons).from_select([*_NAMES, "horizon"], ends)
    connection.execute(_or_later(connection, row))


_NAMES = ("tenant", "customer", "key", "slot_ticket")


def _later_of(connection: Connection) -> Any:
    return func.greatest if connection.dialect.name == "postgresql" else func.max


def _or_later(connection: Connection, row: Any) -> Any:
    later = _later_of(connection)(slot_horizons.c.horizon, row.excluded.horizon)
    return row.on_conflict_do_update(index_elements=list(_NAMES), set_={"horizon": later})


# --- prefixes ---------------------------------------------------------------------------------------------------------


def take_prefixes(
    connection: Connection, rows: Sequence[int], wanted: ColumnElement[bool], *, name: str
) -> Mapping[str, int]:
    """Cuts each slot behind the last of these facts that is still wanted, where that changes nothing that stays."""
    chosen = still_wanted(connection, facts.c.row, rows, wanted)
    last: dict[Key, int] = {}
    current = _current_facts(connection, [row.row for row in chosen])
    for row in chosen:
        order = [fact.row for fact in current[_key(row)]]
        last[_key(row)] = max(last.get(_key(row), -1), order.index(row.row))
    kept = {slot: current[slot][index + 1] for slot, index in last.items()}
    numbers: Counter[str] = Counter()
    for slot, fact in kept.items():
        observed = _observed(connection, slot)
        if _may_be_cut(connection, fact, observed):
            before = [o.id for o in observed if o.observed_at < fact.valid_from]
            numbers.update(_cut(connection, slot, fact.valid_from, before, name=name))
    return numbers


def _key(row: Any) -> Key:
    return row.tenant, row.customer, row.key, row.slot_ticket


def _at(table: Table, slot: Key) -> ColumnElement[bool]:
    return and_(*(column == value for column, value in zip(_slot(table), slot, strict=True)))


def _current_facts(connection: Connection, rows: Sequence[int]) -> dict[Key, list[Row[Any]]]:
    """The current facts of each slot in which these facts stand, oldest first."""
    slots = select(*_slot(facts)).where(among(connection, facts.c.row, rows))
    found: dict[Key, list[Row[Any]]] = defaultdict(list)
    query = select(facts.c.row, *_slot(facts), facts.c.valid_from, facts.c.evidence)
    query = query.where(_in(slots, facts), facts.c.recorded_to.is_(None))
    for row in connection.execute(query.order_by(facts.c.valid_from)):
        found[_key(row)].append(row)
    return found


def _observed(connection: Connection, slot: Key) -> list[Row[Any]]:
    """The observations of the slot that count, in the order of the fold."""
    c = observations.c
    query = select(c.id, c.observed_at, c.source, c.event, c.message).where(
        _at(observations, slot), c.withdrawn_at.is_(None)
    )
    return sorted(connection.execute(query), key=lambda o: (o.observed_at, -Source(o.source).rank, o.id))


def _may_be_cut(connection: Connection, fact: Row[Any], observed: list[Row[Any]]) -> bool:
    """Whether the fold of what stays begins with this fact, and nobody is asked about what would go."""
    stays = _without_corrected([o for o in observed if o.observed_at >= fact.valid_from], fact.evidence[0])
    goes = [o.id for o in observed if o.observed_at < fact.valid_from]
    asked = select(review_items.c.observation).where(review_items.c.observation.in_(goes), _open())
    begins = bool(stays) and bool(goes) and stays[0] == fact.evidence[0]
    return begins and connection.execute(asked.limit(1)).first() is None


def _without_corrected(stays: list[Row[Any]], first: str) -> list[str]:
    """The ids of what stays, but for what the ticket of the fact's first evidence had said before it corrected itself:
    the fold sets that aside wherever it stands."""
    word = next((o for o in stays if o.id == first), None)
    if word is None or not word.event:
        return [o.id for o in stays]
    return [o.id for o in stays if o.event != word.event or o.message >= word.message]


def _cut(connection: Connection, slot: Key, at: datetime, ids: list[str], *, name: str) -> Mapping[str, int]:
    """Deletes what the slot holds from before `at`, these observations among it, and remembers how far that reached."""
    keep_reach(connection, and_(_at(facts, slot), facts.c.valid_from < at))
    asked = _deleted(connection, review_items, review_items.c.observation.in_(ids))
    said = _deleted(connection, observations, observations.c.id.in_(ids), ~still_needed())
    values = dict(zip(_NAMES, slot, strict=True))
    row: Any = insert_for(connection, slot_horizons).values(**values, horizon=at - _INSTANT)
    connection.execute(_or_later(connection, row))
    gone = _deleted(connection, facts, _at(facts, slot), facts.c.valid_from < at)
    return {name: gone, "observations": said, "reviews": asked}


# --- ends that end nothing --------------------------------------------------------------------------------------------


def lone_ends(cut: datetime) -> ColumnElement[bool]:
    """Said to be over at or before `cut`, in a slot in which nothing had begun by then: no fact stands that it ended,
    and nobody is being asked there."""
    o = observations.c
    began = and_(_same_slot(_later, observations), _later.c.recorded_to.is_(None), _later.c.valid_from <= o.observed_at)
    asked = exists().where(or_(_same_slot(review_items, observations), review_items.c.observation == o.id), _open())
    old = and_(o.ended, o.withdrawn_at.is_(None), o.observed_at <= cut)
    return and_(old, ~exists().where(began), ~asked, ~still_needed())


def take_lone_ends(
    connection: Connection, ids: Sequence[str], wanted: ColumnElement[bool], *, name: str
) -> Mapping[str, int]:
    """Deletes the ends that are still wanted, and what was said in their slots up to then: it is in no fact. What is
    observed before one of them, in this slot or another ticket's, would have been ended by it: the horizon remembers
    that."""
    chosen = still_wanted(connection, observations.c.id, ids, wanted)
    if not chosen:
        return {}
    _remember_ends(connection, [row.id for row in chosen])
    gone = observations.c.observed_at <= slot_horizons.c.ends
    slots = select(*_slot(_newer)).where(among(connection, _newer.c.id, [row.id for row in chosen]))
    theirs = and_(_in(slots, observations), observations.c.withdrawn_at.is_(None))
    said = exists().where(_same_slot(slot_horizons, observations), gone)
    deleted = delete(observations).where(theirs, said, ~still_needed()).returning(observations.c.id)
    going = list(connection.execute(deleted).scalars())
    asked = _deleted(connection, review_items, review_items.c.observation.in_(going))
    return {name: len(chosen), "observations": len(going) - len(chosen), "reviews": asked}


def _remember_ends(connection: Connection, ids: Sequence[str]) -> None:
    ends = select(*_slot(observations), func.max(observations.c.observed_at).label("at"))
    last = ends.where(observations.c.id.in_(ids)).group_by(*_slot(observations)).subquery()
    row: Any = insert_for(connection, slot_horizons).from_select(
        [*_NAMES, "horizon", "ends"], select(*_slot(last), last.c.at, last.c.at).where(true())
    )
    later, c = _later_of(connection), slot_horizons.c
    moved = {
        "horizon": later(c.horizon, row.excluded.horizon),
        "ends": later(func.coalesce(c.ends, row.excluded.ends), row.excluded.ends),
    }
    connection.execute(row.on_conflict_do_update(index_elements=list(_NAMES), set_=moved))


# --- what rests on what -----------------------------------------------------------------------------------------------


def live_rests_on(connection: Connection, ids: Sequence[str]) -> set[str]:
    """Those of the observations that a current fact names as evidence."""
    return {
        name
        for evidence in _evidence(connection, ids, facts.c.recorded_to.is_(None)).values()
        for name in evidence
        if name in set(ids)
    }


def corrected_by(connection: Connection, ids: Sequence[str]) -> set[str]:
    """What the same events had said of the same slots before, and no current fact rests on."""
    query = select(_earlier.c.id).where(_corrects(), _word.c.id.in_(ids), _earlier.c.id.not_in(ids))
    found = list(connection.execute(query).scalars())
    return set(found) - live_rests_on(connection, found)


def correcting(connection: Connection, ids: Sequence[str]) -> set[str]:
    """Those of the observations that correct an end of which another ticket's fact is still in need."""
    query = select(_word.c.id).where(_corrects(), _word.c.id.in_(ids), still_needed(_earlier))
    return set(connection.execute(query).scalars())


_word, _earlier = observations.alias("word"), observations.alias("earlier")


def _corrects() -> ColumnElement[bool]:
    event = and_(_earlier.c.event == _word.c.event, _word.c.event != "", _earlier.c.message < _word.c.message)
    return and_(_same_slot(_earlier, _word), event)


def rests_on_withdrawn(connection: Connection, ids: Sequence[str]) -> list[int]:
    """Rows of the superseded versions that name one of the observations as evidence."""
    gone = set(ids)
    found = _evidence(connection, ids, facts.c.recorded_to.is_not(None))
    return [row for row, evidence in found.items() if gone & set(evidence)]


def _evidence(connection: Connection, ids: Sequence[str], condition: ColumnElement[bool]) -> dict[int, list[str]]:
    """The evidence of the facts in the slots of these observations, by row."""
    slots = select(*_slot(observations)).where(observations.c.id.in_(ids)).distinct().subquery()
    query = select(facts.c.row, facts.c.evidence).where(_same_slot(facts, slots), condition)
    return {row.row: row.evidence for row in connection.execute(query)}
