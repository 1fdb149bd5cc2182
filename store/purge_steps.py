"""The classes of a purge, one step each, in the order in which they run."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Table, and_, delete, func, or_, select, tuple_, update

from pipeline.reasons import Reason
from store.dialects import insert_for
from store.models import audit, customers, event_totals, events, facts, observations, receipts, review_items
from store.purge_departed import departed, take_departed, unheard_of
from store.purge_held import still_wanted
from store.purge_slots import (
    corrected_by,
    correcting,
    live_rests_on,
    lone_ends,
    prefix_facts,
    rests_on_withdrawn,
    take_lone_ends,
    take_prefixes,
)
from store.purge_whole import WholeSlots, ended, expired
from store.retention import Retention
from store.states import ReviewState, State
from store.waiting import in_state

_OF_CUSTOMERS = (customers, facts, observations, review_items)
Take = Callable[[Connection, Sequence[Any]], Mapping[str, int]]


@dataclass(frozen=True, kw_only=True)
class Step:
    """One class: the rows of `table` for which `wanted` holds, walked along `order` and then the key; `take` deletes
    those of a batch that are still wanted and says what went.

    Where `wanted` looks at other rows too, `scan` is the part of it that an index answers: candidates are found by it
    alone, so that no batch is joined with the whole table.
    """

    name: str
    table: Table
    key: ColumnElement[Any]
    order: ColumnElement[Any]
    wanted: ColumnElement[bool]
    take: Take
    scan: ColumnElement[bool] | None = None

    @property
    def scanned(self) -> ColumnElement[bool]:
        return self.wanted if self.scan is None else self.scan

    @property
    def of_customers(self) -> bool:
        """Whether what it takes hangs on what else is held of a customer. Rows of other tables stand for themselves."""
        return self.table in _OF_CUSTOMERS

    def candidates(
        self, connection: Connection, *, after: tuple[Any, ...] | None, limit: int | None
    ) -> list[tuple[Any, ...]]:
        """Up to `limit` rows beyond `after`, as (order, key): customer by customer where it is about customers."""
        whose = [self.table.c.tenant, self.table.c.customer] if self.of_customers else []
        query = select(self.order.label("at"), self.key.label("of"), *whose).where(self.scanned)
        if after is not None:
            query = query.where(tuple_(self.order, self.key) > tuple_(*after))
        window = query.order_by(self.order, self.key).limit(limit).subquery()
        sorted_ = select(window.c.at, window.c.of).order_by(*(window.c[column.name] for column in whose))
        return [(at, of) for at, of in connection.execute(sorted_)]

    def count(self, connection: Connection) -> int:
        """How many rows it would take, where they stand for themselves."""
        return connection.execute(select(func.count()).select_from(self.table).where(self.wanted)).scalar_one()


def steps(retention: Retention, now: datetime) -> tuple[Step, ...]:
    """All classes with their cuts at `now`."""

    def cut(days: int) -> datetime:
        return retention.cut(days, now)

    grace, history = cut(retention.expired_grace_days), cut(retention.history_days)
    return (
        _inbox("erased_events", in_state(State.ERASED), State.ERASED, order=events.c.id),
        _payloads(and_(in_state(State.DONE), events.c.finished_at <= cut(retention.payload_days))),
        _inbox("done_events", _finished(State.DONE, cut(retention.event_days)), State.DONE),
        _inbox("dead_events", _finished(State.DEAD, cut(retention.dead_days)), State.DEAD),
        _withdrawn(observations.c.withdrawn_at <= cut(retention.retention_days)),
        _versions(facts.c.recorded_to <= history),
        _reviews(cut(retention.review_days)),
        _whole("expired", facts.c.expires_at, expired(grace), grace),
        _whole("ended", facts.c.valid_to, ended(history), history),
        _prefixes("history", facts.c.valid_to, facts.c.valid_to <= history),
        _prefixes("expired_history", facts.c.expires_at, _expired_within(grace)),
        _lone_ends(history),
        _customers(history),
        _by_age("receipts", receipts, receipts.c.at <= cut(retention.receipt_days)),
        _by_age("audit", audit, audit.c.at <= cut(retention.audit_days)),
    )


def _by_age(name: str, table: Table, wanted: ColumnElement[bool]) -> Step:
    def take(connection: Connection, keys: Sequence[Any]) -> Mapping[str, int]:
        return {name: connection.execute(delete(table).where(table.c.id.in_(keys), wanted)).rowcount}

    return Step(name=name, table=table, key=table.c.id, order=table.c.at, wanted=wanted, take=take)


# --- the inbox --------------------------------------------------------------------------------------------------------


def _finished(state: State, cut: datetime) -> ColumnElement[bool]:
    return and_(in_state(state), events.c.finished_at.is_not(None), events.c.finished_at <= cut)


def _inbox(name: str, wanted: ColumnElement[bool], state: State, *, order: ColumnElement[Any] | None = None) -> Step:
    """Rows that go from the inbox into the tenant's totals, in one transaction, so that the counts reconcile."""

    def take(connection: Connection, keys: Sequence[Any]) -> Mapping[str, int]:
        gone = delete(events).where(events.c.id.in_(keys), wanted).returning(events.c.tenant)
        tenants = Counter(connection.execute(gone).scalars())
        for tenant in sorted(tenants):
            _add_total(connection, tenant, state, tenants[tenant])
        return {name: tenants.total()}

    order = events.c.finished_at if order is None else order
    return Step(name=name, table=events, key=events.c.id, order=order, wanted=wanted, take=take)


def _add_total(connection: Connection, tenant: str, state: State, number: int) -> None:
    row: Any = insert_for(connection, event_totals).values(tenant=tenant, state=state, purged=number)
    more = {"purged": event_totals.c.purged + row.excluded.purged}
    connection.execute(row.on_conflict_do_update(index_elements=["tenant", "state"], set_=more))


def _payloads(finished: ColumnElement[bool]) -> Step:
    wanted = and_(finished, events.c.finished_at.is_not(None), events.c.payload.is_not(None))

    def take(connection: Connection, keys: Sequence[Any]) -> Mapping[str, int]:
        cleared = update(events).where(events.c.id.in_(keys), wanted).values(payload=None)
        return {"payloads": connection.execute(cleared).rowcount}

    order = events.c.finished_at
    return Step(name="payloads", table=events, key=events.c.id, order=order, wanted=wanted, take=take)


# --- observations, facts and questions --------------------------------------------------------------------------------


def _withdrawn(old: ColumnElement[bool]) -> Step:
    """Observations that no fold counts any more, and the superseded versions of facts that rested on them."""
    wanted = and_(observations.c.withdrawn_at.is_not(None), old)

    def take(connection: Connection, keys: Sequence[Any]) -> Mapping[str, int]:
        versions = rests_on_withdrawn(connection, keys)
        superseded = delete(facts).where(facts.c.row.in_(versions), facts.c.recorded_to.is_not(None))
        numbers = {"versions": connection.execute(superseded).rowcount}
        gone = delete(observations).where(observations.c.id.in_(keys), wanted).returning(observations.c.id)
        ids = list(connection.execute(gone).scalars())
        asked = connection.execute(delete(review_items).where(review_items.c.observation.in_(ids))).rowcount
        return {**numbers, "withdrawn": len(ids), "reviews": asked}

    column = observations.c.withdrawn_at
    return Step(name="withdrawn", table=observations, key=observations.c.id, order=column, wanted=wanted, take=take)


def _versions(old: ColumnElement[bool]) -> Step:
    """What was recorded and superseded long ago: from here on `known_at` no longer reaches back that far."""
    wanted = and_(facts.c.recorded_to.is_not(None), old)

    def take(connection: Connection, keys: Sequence[Any]) -> Mapping[str, int]:
        return {"versions": connection.execute(delete(facts).where(facts.c.row.in_(keys), wanted)).rowcount}

    return Step(name="versions", table=facts, key=facts.c.row, order=facts.c.recorded_to, wanted=wanted, take=take)


def _reviews(cut: datetime) -> Step:
    """Questions that were settled, or asked in vain, long ago, and what they were about.

    A tie is only closed: both statements hold their places in the history. Else the statement goes with its question:
    it is in no fact, and if it stayed it would be asked about again. What the same ticket had said before it and then
    corrected goes too, or it would count in its place.
    """
    asked = func.coalesce(review_items.c.resolved_at, review_items.c.opened_at)
    tie = review_items.c.reason == Reason.TIE
    wanted = and_(asked <= cut, or_(~tie, review_items.c.state == ReviewState.OPEN))

    def take(connection: Connection, keys: Sequence[Any]) -> Mapping[str, int]:
        chosen = [row.observation for row in still_wanted(connection, review_items.c.observation, keys, wanted)]
        lapsed = update(review_items).where(review_items.c.observation.in_(chosen), tie)
        closed = connection.execute(lapsed.values(state=ReviewState.DISMISSED, resolved_at=cut, resolved_by="purge"))
        idle = set(chosen) - live_rests_on(connection, chosen) - correcting(connection, chosen)
        gone = delete(review_items).where(review_items.c.observation.in_(idle), ~tie)
        ids = list(connection.execute(gone.returning(review_items.c.observation)).scalars())
        stated = corrected_by(connection, ids) | set(ids)
        statements = connection.execute(delete(observations).where(observations.c.id.in_(stated))).rowcount
        return {"reviews": len(ids), "ties": closed.rowcount, "observations": statements}

    key = review_items.c.observation
    return Step(name="reviews", table=review_items, key=key, order=asked, wanted=wanted, take=take)


def _whole(name: str, order: ColumnElement[Any], old: ColumnElement[bool], cut: datetime) -> Step:
    slots = WholeSlots(old, cut=cut)

    def take(connection: Connection, keys: Sequence[Any]) -> Mapping[str, int]:
        return slots.take(connection, keys, name=name)

    return Step(name=name, table=facts, key=facts.c.row, order=order, wanted=old, take=take)


def _lone_ends(cut: datetime) -> Step:
    wanted, c = lone_ends(cut), observations.c

    def take(connection: Connection, keys: Sequence[Any]) -> Mapping[str, int]:
        return take_lone_ends(connection, keys, wanted, name="lone_ends")

    scan = and_(c.ended, c.observed_at <= cut)
    return Step(
        name="lone_ends", table=observations, key=c.id, order=c.observed_at, wanted=wanted, take=take, scan=scan
    )


def _customers(cut: datetime) -> Step:
    """Customers of whom nothing is left but how far their memory was purged, long ago."""
    wanted = departed(cut)
    scan = and_(customers.c.created_at <= cut, unheard_of())

    def take(connection: Connection, keys: Sequence[Any]) -> Mapping[str, int]:
        return take_departed(connection, keys, wanted, name="customers")

    key = customers.c.surrogate
    return Step(name="customers", table=customers, key=key, order=key, wanted=wanted, take=take, scan=scan)


def _expired_within(cut: datetime) -> ColumnElement[bool]:
    return and_(facts.c.expires_at <= cut, facts.c.valid_to == facts.c.expires_at)


def _prefixes(name: str, order: ColumnElement[Any], old: ColumnElement[bool]) -> Step:
    wanted = prefix_facts(old)
    scan = and_(facts.c.recorded_to.is_(None), old)

    def take(connection: Connection, keys: Sequence[Any]) -> Mapping[str, int]:
        return take_prefixes(connection, keys, wanted, name=name)

    return Step(name=name, table=facts, key=facts.c.row, order=order, wanted=wanted, take=take, scan=scan)
