"""Which rows go when somebody is forgotten. Everything here runs inside the erasure's one transaction.

Rows are deleted at once and not marked: a mark would leave it to every later query to look the other way. What the
files below still hold (SQLite's log, PostgreSQL's dead rows) is the purge's and the vacuum's matter.
"""

import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    Table,
    and_,
    delete,
    exists,
    func,
    or_,
    select,
    true,
    union,
    update,
)
from sqlalchemy import text as sql

from pipeline.facts import Slot
from pipeline.ids import CustomerRef
from pipeline.reasons import Reason
from store.dialects import insert_for
from store.keys import Keys
from store.models import (
    access_tokens,
    customers,
    events,
    facts,
    fetches,
    observations,
    past_horizons,
    pauses,
    retractions,
    review_items,
    slot_horizons,
    vectors,
)
from store.rows import slot_of_row
from store.scope import CustomerTx, newcomer
from store.states import Lane, State
from store.write import Rules, refold

_LOCK_TRIES = 20


@dataclass(frozen=True, kw_only=True)
class Wiped:
    """What went, in numbers. `facts` counts facts, history included, and not their recorded versions."""

    customers: int = 0
    facts: int = 0
    observations: int = 0
    reviews: int = 0
    events: int = 0

    def __add__(self, other: "Wiped") -> "Wiped":
        return Wiped(**{f.name: getattr(self, f.name) + getattr(other, f.name) for f in fields(self)})


@dataclass(frozen=True, kw_only=True)
class Whose:
    """A customer's rows, or with no customer named a whole tenant's."""

    tenant: str
    customer: str | None = None

    def rows_of(self, table: Table) -> ColumnElement[bool]:
        theirs = true() if self.customer is None else table.c.customer == self.customer
        return and_(table.c.tenant == self.tenant, theirs)


def lock_customer(connection: Connection, keys: Keys, ref: CustomerRef, now: datetime) -> str:
    """The customer's lock, for a transaction that sees all customers. Returns the surrogate; an unknown customer gets
    a row, so that a first write at this moment waits for us, or we for it."""
    row = newcomer(keys, ref, now)
    mine = Whose(tenant=ref.tenant, customer=ref.customer).rows_of(customers)
    for _ in range(_LOCK_TRIES):
        connection.execute(insert_for(connection, customers).values(row).on_conflict_do_nothing())
        found = connection.execute(select(customers.c.surrogate).where(mine).with_for_update()).scalar_one_or_none()
        if found:
            return str(found)
    raise RuntimeError("the customer's row is made and deleted again and again")


def lock_tenants(connection: Connection) -> None:
    """Waits for whoever writes about any customer and lets nobody begin: what a tenant has is not known beforehand."""
    if connection.dialect.name == "postgresql":
        connection.execute(sql("LOCK TABLE customers IN EXCLUSIVE MODE"))
        connection.execute(sql("LOCK TABLE events IN EXCLUSIVE MODE"))


def latest_moment(connection: Connection, whose: Whose, now: datetime) -> datetime:
    """`now`, or the latest moment that any of these rows speaks of: clocks differ, and nothing may outlive its erasure
    by having been stated a minute ahead."""
    columns = (
        (observations.c.observed_at, observations),
        (events.c.closed_at, events),
    )
    latest = [now]
    for column, table in columns:
        found: datetime | None = connection.execute(select(func.max(column)).where(whose.rows_of(table))).scalar_one()
        latest += [found] if found else []
    return max(latest)


def wipe(connection: Connection, keys: Keys, whose: Whose, *, until: datetime, rules: Rules) -> Wiped:
    """Deletes what was observed or received at or before `until`. What came later stays, folded anew from itself."""
    facts_before = _count_facts(connection, whose)
    _fetches_dropped(connection, whose, until)
    gone = _deleted(
        connection,
        observations,
        whose,
        or_(observations.c.observed_at <= until, observations.c.recorded_at <= until),
    )
    _deleted(
        connection, facts, whose, or_(_nothing_left(facts), facts.c.valid_from <= until, facts.c.recorded_from <= until)
    )
    _deleted(connection, vectors, whose, _fact_gone())
    reviews = _deleted(connection, review_items, whose, _question_gone())
    horizons = _deleted(
        connection, slot_horizons, whose, or_(_nothing_left(slot_horizons), slot_horizons.c.horizon <= until)
    )
    inbox = erase_events(
        connection, whose.rows_of(events), or_(events.c.closed_at <= until, events.c.received_at <= until)
    )
    known = _deleted(connection, customers, whose, _nothing_left(customers))
    known += _start_anew(connection, keys, whose, rules=rules, now=until)
    if whose.customer is not None:
        known = int(any((gone, reviews, horizons, inbox)))  # the row may be there for the lock alone
    if whose.customer is None:
        _forget_names(connection, whose, until)
    _past_dropped(connection, keys, whose, until)
    facts_gone = facts_before - _count_facts(connection, whose)
    return Wiped(customers=known, facts=facts_gone, observations=gone, reviews=reviews, events=inbox)


def _deleted(connection: Connection, table: Table, whose: Whose, *conditions: ColumnElement[bool]) -> int:
    return connection.execute(delete(table).where(whose.rows_of(table), *conditions)).rowcount


def _none_in(table: Table) -> ColumnElement[bool]:
    return ~exists().where(table.c.tenant == customers.c.tenant, table.c.customer == customers.c.customer)


def _nothing_left(table: Table) -> ColumnElement[bool]:
    """No observation is left of this row's customer."""
    theirs = and_(observations.c.tenant == table.c.tenant, observations.c.customer == table.c.customer)
    return ~exists().where(theirs)


def _question_gone() -> ColumnElement[bool]:
    return ~exists().where(observations.c.id == review_items.c.observation)


def _fact_gone() -> ColumnElement[bool]:
    return ~exists().where(facts.c.id == vectors.c.fact)


def _count_facts(connection: Connection, whose: Whose) -> int:
    distinct = select(facts.c.customer, facts.c.id).where(whose.rows_of(facts)).distinct().subquery()
    return connection.execute(select(func.count()).select_from(distinct)).scalar_one()


def erase_events(connection: Connection, *conditions: ColumnElement[bool]) -> int:
    """Leaves of these inbox rows the tenant, the keyed hash of the event id and the state. Returns how many.

    Whatever column is added later is emptied too. A worker that holds one of them loses its lease.
    """
    emptied: dict[str, Any] = {column.name: None for column in events.c if column.nullable}
    kept = {"state": State.ERASED, "reason": Reason.ERASED, "lane": Lane.LIVE, "attempts": 0, "crashes": 0}
    statement = update(events).where(events.c.state != State.ERASED, *conditions)
    return connection.execute(statement.values(**{**emptied, **kept, "fence": events.c.fence + 1})).rowcount


def _start_anew(connection: Connection, keys: Keys, whose: Whose, *, rules: Rules, now: datetime) -> int:
    """Customers who came back after they were forgotten: a new surrogate, and facts from what is left alone."""
    returned = connection.execute(select(customers.c.tenant, customers.c.customer).where(whose.rows_of(customers)))
    refs = [CustomerRef(tenant=row.tenant, customer=row.customer) for row in returned.all()]
    for ref in refs:
        mine = Whose(tenant=ref.tenant, customer=ref.customer)
        surrogate = secrets.token_hex(16)
        connection.execute(update(customers).where(mine.rows_of(customers)).values(surrogate=surrogate))
        fold_anew(connection, keys, ref, slots_of(connection, ref), rules=rules, now=now)
    return len(refs)


def slots_of(connection: Connection, ref: CustomerRef, *conditions: ColumnElement[bool]) -> set[Slot]:
    """The slots in which observations of this customer stand that meet the conditions."""
    mine = Whose(tenant=ref.tenant, customer=ref.customer).rows_of(observations)
    c = observations.c
    query = select(c.tenant, c.customer, c.key, c.slot_ticket).where(mine, *conditions).distinct()
    return {slot_of_row(row._mapping) for row in connection.execute(query)}


def fold_anew(
    connection: Connection, keys: Keys, ref: CustomerRef, slots: Iterable[Slot], *, rules: Rules, now: datetime
) -> None:
    """Folds these slots from the observations that are left."""
    mine = Whose(tenant=ref.tenant, customer=ref.customer).rows_of(customers)
    surrogate = connection.execute(select(customers.c.surrogate).where(mine)).scalar_one()
    refold(CustomerTx(connection=connection, ref=ref, surrogate=surrogate, now=now, keys=keys), slots, rules=rules)


def _past_dropped(connection: Connection, keys: Keys, whose: Whose, until: datetime) -> None:
    """How far memory was purged, of customers of whom nothing else is left: the erasure says it now."""
    c = past_horizons.c
    if whose.customer is None:
        theirs = c.tenant_subject == keys.tenant_subject(whose.tenant)
    else:
        theirs = c.subject == keys.subject(CustomerRef(tenant=whose.tenant, customer=whose.customer))
    connection.execute(delete(past_horizons).where(theirs, c.horizon <= until))


def _fetches_dropped(connection: Connection, whose: Whose, until: datetime) -> None:
    """Promises to fetch one of their tickets name no customer; the inbox and the observations know whose it is."""
    theirs = (select(t.c.ticket).where(whose.rows_of(t), t.c.ticket.is_not(None)) for t in (observations, events))
    mine = and_(fetches.c.tenant == whose.tenant, fetches.c.ticket.in_(union(*theirs)), fetches.c.received_at <= until)
    connection.execute(delete(fetches).where(mine))


_NAMED = (
    (retractions, retractions.c.retracted_at),
    (pauses, pauses.c.since),
    (fetches, fetches.c.received_at),
    (access_tokens, access_tokens.c.created_at),
)


def _forget_names(connection: Connection, whose: Whose, until: datetime) -> None:
    """What else names the tenant's tickets, holds the tenant up or lets them in."""
    for table, since in _NAMED:
        connection.execute(delete(table).where(table.c.tenant == whose.tenant, since <= until))


def resting_on(connection: Connection, whose: Whose, ids: Sequence[str]) -> list[Row[*tuple[Any, ...]]]:
    """Row and id of every version of a fact that rests on one of these observations."""
    versions = connection.execute(select(facts.c.row, facts.c.id, facts.c.evidence).where(whose.rows_of(facts)))
    return [row for row in versions if set(row.evidence) & set(ids)]


def wipe_observations(
    connection: Connection, keys: Keys, ref: CustomerRef, ids: Sequence[str], *, rules: Rules, now: datetime
) -> Wiped:
    """Deletes these observations, every version of a fact that rests on one of them, and the questions about them."""
    whose = Whose(tenant=ref.tenant, customer=ref.customer)
    slots = slots_of(connection, ref, observations.c.id.in_(ids))
    gone = _deleted(connection, observations, whose, observations.c.id.in_(ids))
    reviews = _deleted(connection, review_items, whose, review_items.c.observation.in_(ids))
    resting = resting_on(connection, whose, ids)
    _deleted(connection, facts, whose, facts.c.row.in_([row.row for row in resting]))
    _deleted(connection, vectors, whose, vectors.c.fact.in_({row.id for row in resting}))
    fold_anew(connection, keys, ref, slots, rules=rules, now=now)
    _deleted(connection, customers, whose, *(_none_in(t) for t in (observations, facts, slot_horizons)))
    return Wiped(facts=len({row.id for row in resting}), observations=gone, reviews=reviews)
