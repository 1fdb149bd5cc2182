"""Whole slots whose last fact has had its time: what stands in them is looked up once, and then goes by its keys.

A batch is a handful of statements, built once. From one to the next its keys travel as one text, so that no row of it
is touched in Python.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime

from sqlalchemy import (
    ColumnElement,
    Connection,
    Delete,
    Executable,
    Subquery,
    and_,
    case,
    delete,
    exists,
    func,
    or_,
    select,
    tuple_,
)

from store.dialects import among_listed, beside, built_once, insert_for, listed
from store.models import facts, observations, review_items, slot_horizons, vectors
from store.purge_ends import beside_ends, keep_reach, still_needed
from store.purge_held import SLOT, held, raised, same_slot, slot_of
from store.states import ReviewState

_every = facts.alias("every")
_END = func.coalesce(facts.c.valid_to, facts.c.expires_at)
_COUNTS = and_(same_slot(observations, facts), observations.c.withdrawn_at.is_(None))
"""Observations of a fact's slot, but for those that were withdrawn."""
_ASKED = exists().where(same_slot(review_items, facts), review_items.c.state == ReviewState.OPEN)


def expired(cut: datetime) -> ColumnElement[bool]:
    """A current fact that expired at or before `cut`, where nothing else had ended it."""
    last_word = or_(facts.c.valid_to.is_(None), facts.c.valid_to == facts.c.expires_at)
    return and_(facts.c.recorded_to.is_(None), facts.c.expires_at <= cut, last_word)


def ended(cut: datetime) -> ColumnElement[bool]:
    """A current fact that ended at or before `cut`."""
    return and_(facts.c.recorded_to.is_(None), facts.c.valid_to <= cut)


class WholeSlots:
    """Slots whose last fact is `old`, with nothing said since `cut` and no question open."""

    def __init__(self, old: ColumnElement[bool], *, cut: datetime) -> None:
        self._old, self._cut = old, cut
        self._batch = built_once(self._batch_query)

    def take(self, connection: Connection, rows: Sequence[int], *, name: str) -> Mapping[str, int]:
        """Empties those whose last facts these are, where they still are under their customers' locks."""
        mine = {"rows": held(connection, facts.c.row, rows)}
        going = dict(connection.execute(self._batch(connection), mine).one()._mapping)
        if not going["rows"]:
            return {}
        keep_reach(connection, connection.execute(_beside(connection), going).all())
        connection.execute(_horizons(connection), going)
        gone = {table: connection.execute(_gone(connection), going).rowcount for table, _gone in _GONE.items()}
        return {name: gone["facts"], "observations": gone["observations"], "reviews": gone["review_items"]}

    def _batch_query(self, connection: Connection) -> Executable:
        """What goes with a batch, each as a list: last facts (those of `late` were spoken of after their end), all
        facts, all observations."""
        slots = self._slots(connection)
        late = case((slots.c.said > slots.c.ended, slots.c.row))
        lists = {"rows": slots.c.row, "late": late, "facts": slots.c.facts, "observations": slots.c.observations}
        return select(*(listed(column).label(name) for name, column in lists.items()))

    def _slots(self, connection: Connection) -> Subquery:
        """The slots, a row each: their last fact, when it ended, all facts, all observations and the last of those."""
        newest = func.max(_every.c.valid_from).filter(_every.c.recorded_to.is_(None))
        of_slot = {"facts": listed(_every.c.row), "newest": newest}
        outer, held = beside(connection, facts, _every, same_slot(_every, facts), **of_slot)
        words = {"observations": listed(observations.c.id), "said": func.max(observations.c.observed_at)}
        outer, said = beside(connection, outer, observations, _COUNTS, **words)
        quiet = and_(or_(said["said"].is_(None), said["said"] <= self._cut), ~_ASKED)
        shown = {"row": facts.c.row, "ended": _END, "facts": held["facts"], **said}
        query = select(*(column.label(name) for name, column in shown.items())).select_from(outer)
        chosen = among_listed(connection, facts.c.row, "rows")
        return query.where(chosen, self._old, held["newest"] <= facts.c.valid_from, quiet).subquery()


# --- what goes with a batch -------------------------------------------------------------------------------------------


@built_once
def _beside(connection: Connection) -> Executable:
    return beside_ends(among_listed(connection, facts.c.row, "facts"))


@built_once
def _horizons(connection: Connection) -> Executable:
    """The end of each slot's last fact becomes its horizon, or where that is later, what was last observed in it."""
    said = select(func.max(observations.c.observed_at)).where(_COUNTS).scalar_subquery()
    horizon = case((among_listed(connection, facts.c.row, "late"), said), else_=_END)
    ends = select(*slot_of(facts), horizon).where(among_listed(connection, facts.c.row, "rows"))
    insert: Executable = raised(connection, insert_for(connection, slot_horizons).from_select([*SLOT, "horizon"], ends))
    return insert


@built_once
def _vectors(connection: Connection) -> Delete:
    whose = select(facts.c.tenant, facts.c.customer, facts.c.id).where(among_listed(connection, facts.c.row, "rows"))
    return delete(vectors).where(tuple_(vectors.c.tenant, vectors.c.customer, vectors.c.fact).in_(whose))


@built_once
def _reviews(connection: Connection) -> Delete:
    slots = select(*slot_of(facts)).where(among_listed(connection, facts.c.row, "rows"))
    return delete(review_items).where(tuple_(*slot_of(review_items)).in_(slots))


@built_once
def _observations(connection: Connection) -> Delete:
    return delete(observations).where(among_listed(connection, observations.c.id, "observations"), ~still_needed())


@built_once
def _facts(connection: Connection) -> Delete:
    return delete(facts).where(among_listed(connection, facts.c.row, "facts"))


_GONE = {"vectors": _vectors, "review_items": _reviews, "observations": _observations, "facts": _facts}
"""In the order in which they go: each is found by what stands after it."""
