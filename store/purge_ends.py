"""Ends that reach other tickets' facts (see `pipeline.across`), while what stands around them is purged.

Two things keep a purge from changing what is live. An end stays as long as a fact stands that it ended. And before a
fact goes that was live beside an end, the end is told whom it reached, since without its neighbour it might be taken
for the end of another: from then on it reaches those (`observations.reach`).
"""

from collections.abc import Iterable
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, and_, exists, or_, select, update
from sqlalchemy.sql.selectable import FromClause

from store.models import facts, observations, review_items
from store.states import ReviewState

_end = observations.alias("an_end")
_ended = facts.alias("an_ended_fact")


def still_needed(of: FromClause = observations) -> ColumnElement[bool]:
    """An observation that ended another ticket's fact, which still stands, or that a person is asked about there."""
    o, f, r = of.c, _ended.c, review_items.c
    other = and_(f.tenant == o.tenant, f.customer == o.customer, f.key == o.key, f.slot_ticket != o.slot_ticket)
    stands = exists().where(other, f.recorded_to.is_(None), f.valid_to == o.observed_at)
    asked = exists().where(r.observation == o.id, r.slot_ticket != o.slot_ticket, r.state == ReviewState.OPEN)
    return and_(o.ended, or_(stands, asked))


def beside_ends(going: ColumnElement[bool]) -> Select[Any]:
    """The ends beside which one of the facts in `going` was live, that were not told yet whom they reached."""
    e, f = _end.c, facts.c
    beside = and_(e.tenant == f.tenant, e.customer == f.customer, e.key == f.key, e.slot_ticket != f.slot_ticket)
    stood = and_(
        f.valid_from < e.observed_at,
        or_(f.valid_to.is_(None), f.valid_to >= e.observed_at),
        or_(f.expires_at.is_(None), f.expires_at > e.observed_at),
    )
    query = select(e.id, e.tenant, e.customer, e.key, e.slot_ticket, e.observed_at).distinct()
    return query.where(e.ended, e.reach.is_(None), beside, stood, f.recorded_to.is_(None), going)


def keep_reach(connection: Connection, ends: Iterable[Row[*tuple[Any, ...]]]) -> None:
    """Tells the ends (rows of `beside_ends`) whom they reached."""
    for end in ends:
        reached = sorted(set(connection.execute(_reached(end)).scalars()))
        connection.execute(update(observations).where(observations.c.id == end.id).values(reach=reached))


def _reached(end: Row[*tuple[Any, ...]]) -> Any:
    """The tickets whose facts it ended, or where a person is asked whether it does."""
    f, r = facts.c, review_items.c
    theirs = and_(f.tenant == end.tenant, f.customer == end.customer, f.key == end.key, f.recorded_to.is_(None))
    ended = select(f.slot_ticket).where(theirs, f.valid_to == end.observed_at, f.slot_ticket != end.slot_ticket)
    return ended.union(select(r.slot_ticket).where(r.observation == end.id, r.slot_ticket != end.slot_ticket))
