"""How history leaves a slot: always as a prefix, never from inside, and never so that what is live would change.

Why a prefix changes nothing that is live: let K be the oldest fact that stays and c the instant at which it begins.
What stays are the observations from c on. If K's first evidence comes first among them in the order of the fold, the
fold of what stays begins by adding K, exactly where the fold of everything stood at that moment; from there on both
take the same steps. Where something else stands before it at the same instant, the slot is left alone.

What went is remembered by its horizon, the last instant before c, or where nothing stays the end of the last fact:
what is observed at or before it can no longer be judged by what held then, and comes too late. Under a key that holds
one value a ticket, an end may concern another slot: `store.purge_ends` sees to those.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Executable,
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

from pipeline.facts import Source
from store.dialects import among, among_listed, as_list, built_once, insert_for, later_of
from store.models import facts, observations, review_items, slot_horizons
from store.purge_ends import beside_ends, keep_reach, still_needed
from store.purge_held import SLOT, raised, same_slot, slot_of, still_wanted
from store.states import ReviewState

_INSTANT = timedelta(microseconds=1)
"""The smallest step of both databases' clocks."""
Key = tuple[str, str, str, str]
"""Tenant, customer, key and ticket: a slot."""

_later = facts.alias("later")
_newer = observations.alias("newer")


# --- which facts ------------------------------------------------------------------------------------------------------


def prefix_facts(old: ColumnElement[bool]) -> ColumnElement[bool]:
    """A fact that has had its time, and was followed by another."""
    return and_(facts.c.recorded_to.is_(None), old, ~_last())


def _last() -> ColumnElement[bool]:
    """No current fact of the slot begins later."""
    follows = and_(same_slot(_later, facts), _later.c.recorded_to.is_(None), _later.c.valid_from > facts.c.valid_from)
    return ~exists().where(follows)


def _open() -> ColumnElement[bool]:
    return review_items.c.state == ReviewState.OPEN


# --- prefixes ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class _Cut:
    """What a slot holds from before `at`: the rows of its facts, the ids of its observations."""

    slot: Key
    at: datetime
    facts: Sequence[int]
    observations: Sequence[str]


def take_prefixes(
    connection: Connection, rows: Sequence[int], wanted: ColumnElement[bool], *, name: str
) -> Mapping[str, int]:
    """Cuts each slot behind the last of these facts that is still wanted, where that changes nothing that stays."""
    chosen = {row.row for row in still_wanted(connection, facts.c.row, rows, wanted)}
    slots = {"rows": as_list(chosen)}
    held, said = _by_slot(connection, _facts_of, slots), _by_slot(connection, _observations_of, slots)
    possible = (_cut(slot, held[slot], said[slot], chosen) for slot in held)
    cuts = [cut for cut in possible if cut is not None]
    asked = _asked(connection, [id_ for cut in cuts for id_ in cut.observations])
    return _made(connection, [cut for cut in cuts if not asked.intersection(cut.observations)], name=name)


def _key(row: Any) -> Key:
    return row.tenant, row.customer, row.key, row.slot_ticket


def _by_slot(
    connection: Connection, query: Callable[[Connection], Executable], slots: Mapping[str, str]
) -> dict[Key, list[Row[Any]]]:
    found: dict[Key, list[Row[Any]]] = defaultdict(list)
    for row in connection.execute(query(connection), slots):
        found[_key(row)].append(row)
    return found


def _slots(connection: Connection) -> Select[*tuple[Any, ...]]:
    return select(*slot_of(facts)).where(among_listed(connection, facts.c.row, "rows"))


@built_once
def _facts_of(connection: Connection) -> Executable:
    """All facts of the slots in which the `rows` stand, oldest first."""
    f = _later.c
    query = select(f.row, *slot_of(_later), f.valid_from, f.recorded_to, f.evidence)
    return query.where(tuple_(*slot_of(_later)).in_(_slots(connection))).order_by(f.valid_from)


@built_once
def _observations_of(connection: Connection) -> Executable:
    """The observations of these slots that count."""
    o = observations.c
    query = select(o.id, *slot_of(observations), o.observed_at, o.source, o.event, o.message)
    return query.where(tuple_(*slot_of(observations)).in_(_slots(connection)), o.withdrawn_at.is_(None))


def _cut(slot: Key, held: list[Row[Any]], said: list[Row[Any]], chosen: Collection[int]) -> _Cut | None:
    """Where a slot's prefix ends with the last of the `chosen` facts; None where the fold of what stays would not begin
    with the fact behind it."""
    current = [fact for fact in held if fact.recorded_to is None]
    last = max(index for index, fact in enumerate(current) if fact.row in chosen)
    kept = current[last + 1]
    ordered = sorted(said, key=lambda o: (o.observed_at, -Source(o.source).rank, o.id))  # as the fold has it
    goes = [o.id for o in ordered if o.observed_at < kept.valid_from]
    stays = _without_corrected([o for o in ordered if o.observed_at >= kept.valid_from], kept.evidence[0])
    if not goes or stays[:1] != kept.evidence[:1]:
        return None
    old = [fact.row for fact in held if fact.valid_from < kept.valid_from]
    return _Cut(slot=slot, at=kept.valid_from, facts=old, observations=goes)


def _without_corrected(stays: list[Row[Any]], first: str) -> list[str]:
    """The ids of what stays, but for what the ticket of the fact's first evidence had said before it corrected itself:
    the fold sets that aside wherever it stands."""
    word = next((o for o in stays if o.id == first), None)
    if word is None or not word.event:
        return [o.id for o in stays]
    return [o.id for o in stays if o.event != word.event or o.message >= word.message]


def _asked(connection: Connection, ids: Sequence[str]) -> set[str]:
    """Those of the observations about which a person is being asked."""
    about = among(connection, review_items.c.observation, ids)
    return set(connection.execute(select(review_items.c.observation).where(about, _open())).scalars())


def _made(connection: Connection, cuts: Sequence[_Cut], *, name: str) -> Mapping[str, int]:
    """Makes the cuts, and remembers how far they reached."""
    if not cuts:
        return {}
    rows = among(connection, facts.c.row, [row for cut in cuts for row in cut.facts])
    ids = [id_ for cut in cuts for id_ in cut.observations]
    keep_reach(connection, connection.execute(beside_ends(rows)).all())
    ends = [{**dict(zip(SLOT, cut.slot, strict=True)), "horizon": cut.at - _INSTANT} for cut in cuts]
    connection.execute(raised(connection, insert_for(connection, slot_horizons)), ends)
    asked = _deleted(connection, review_items, among(connection, review_items.c.observation, ids))
    gone = _deleted(connection, facts, rows)
    said = _deleted(connection, observations, among(connection, observations.c.id, ids), ~still_needed())
    return {name: gone, "observations": said, "reviews": asked}


def _deleted(connection: Connection, table: Table, *conditions: ColumnElement[bool]) -> int:
    return connection.execute(delete(table).where(*conditions)).rowcount


# --- ends that end nothing --------------------------------------------------------------------------------------------


def lone_ends(cut: datetime) -> ColumnElement[bool]:
    """Said to be over at or before `cut`, in a slot in which nothing had begun by then: no fact stands that it ended,
    and nobody is being asked there."""
    o = observations.c
    began = and_(same_slot(_later, observations), _later.c.recorded_to.is_(None), _later.c.valid_from <= o.observed_at)
    asked = exists().where(or_(same_slot(review_items, observations), review_items.c.observation == o.id), _open())
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
    slots = select(*slot_of(_newer)).where(among(connection, _newer.c.id, [row.id for row in chosen]))
    theirs = and_(tuple_(*slot_of(observations)).in_(slots), observations.c.withdrawn_at.is_(None))
    said = exists().where(same_slot(slot_horizons, observations), gone)
    deleted = delete(observations).where(theirs, said, ~still_needed()).returning(observations.c.id)
    going = list(connection.execute(deleted).scalars())
    asked = _deleted(connection, review_items, review_items.c.observation.in_(going))
    return {name: len(chosen), "observations": len(going) - len(chosen), "reviews": asked}


def _remember_ends(connection: Connection, ids: Sequence[str]) -> None:
    ends = select(*slot_of(observations), func.max(observations.c.observed_at).label("at"))
    last = ends.where(observations.c.id.in_(ids)).group_by(*slot_of(observations)).subquery()
    row: Any = insert_for(connection, slot_horizons).from_select(
        [*SLOT, "horizon", "ends"], select(*slot_of(last), last.c.at, last.c.at).where(true())
    )
    later, c = later_of(connection), slot_horizons.c
    moved = {
        "horizon": later(c.horizon, row.excluded.horizon),
        "ends": later(func.coalesce(c.ends, row.excluded.ends), row.excluded.ends),
    }
    connection.execute(row.on_conflict_do_update(index_elements=list(SLOT), set_=moved))


# --- what rests on what -----------------------------------------------------------------------------------------------


def live_rests_on(connection: Connection, ids: Sequence[str]) -> set[str]:
    """Those of the observations that a current fact names as evidence."""
    found = _evidence(connection, ids, facts.c.recorded_to.is_(None))
    return {name for evidence in found.values() for name in evidence}.intersection(ids)


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
    return and_(same_slot(_earlier, _word), event)


def rests_on_withdrawn(connection: Connection, ids: Sequence[str]) -> list[int]:
    """Rows of the superseded versions that name one of the observations as evidence."""
    gone = set(ids)
    found = _evidence(connection, ids, facts.c.recorded_to.is_not(None))
    return [row for row, evidence in found.items() if gone & set(evidence)]


def _evidence(connection: Connection, ids: Sequence[str], condition: ColumnElement[bool]) -> dict[int, list[str]]:
    """The evidence of the facts in the slots of these observations, by row."""
    slots = select(*slot_of(observations)).where(observations.c.id.in_(ids)).distinct().subquery()
    query = select(facts.c.row, facts.c.evidence).where(same_slot(facts, slots), condition)
    return {row.row: row.evidence for row in connection.execute(query)}
