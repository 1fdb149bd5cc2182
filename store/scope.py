"""Isolation by structure: nobody reads or writes about a customer without naming tenant and customer.

The tables about customers are reached through a `CustomerView` or `CustomerTx`, whose every statement carries both
columns; what must look across customers (finding those of a ticket, the queue of questions) is a named function at the
end of this file and returns ids alone. On PostgreSQL row level security is a second wall: the transaction takes the
role `afterword_worker` and says whose it is.
"""

import secrets
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from weakref import WeakSet

from sqlalchemy import (
    ColumnElement,
    Connection,
    Engine,
    Row,
    Select,
    Table,
    and_,
    bindparam,
    delete,
    exists,
    func,
    select,
    update,
)
from sqlalchemy import text as sql

from pipeline.ids import CustomerRef
from store.dialects import insert_for
from store.engine import database_now, writing
from store.faults import StoreUnavailable, named_faults
from store.keys import Keys
from store.models import customers, facts, observations, retractions, review_items, vectors
from store.states import ReviewState
from store.wall import WORKER_ROLE

_LOCK_TRIES = 20


class NotCustomers(TypeError):
    """The table has no tenant and customer, so it cannot be read for one. A bug in the caller."""


def _checked(table: Table) -> None:
    if "tenant" not in table.c or "customer" not in table.c:
        raise NotCustomers(table.name)


@dataclass(frozen=True)
class Owned:
    """A query on one customer's rows, built once, for where it is asked thousands of times. Only `owned` makes one."""

    statement: Select[Any]


def owned(
    table: Table,
    *where: ColumnElement[bool],
    columns: Sequence[ColumnElement[Any]] = (),
    order_by: Sequence[ColumnElement[Any]] = (),
) -> Owned:
    """`table`'s rows of one customer for which every condition holds; `bindparam`s in them are given when asked."""
    _checked(table)
    mine = (table.c.tenant == bindparam("of_tenant"), table.c.customer == bindparam("of_customer"))
    return Owned(select(*(columns or table.c)).where(*mine, *where).order_by(*order_by))


@dataclass(frozen=True, kw_only=True)
class CustomerView:
    """One customer's rows, to read. `surrogate` is '' where nothing is held on them."""

    connection: Connection = field(repr=False)
    ref: CustomerRef
    surrogate: str

    def mine(self, table: Table) -> ColumnElement[bool]:
        """The condition that every statement carries."""
        _checked(table)
        return and_(table.c.tenant == self.ref.tenant, table.c.customer == self.ref.customer)

    def select(
        self,
        table: Table,
        *where: ColumnElement[bool],
        columns: Sequence[ColumnElement[Any]] = (),
        order_by: Sequence[ColumnElement[Any]] = (),
        group_by: Sequence[ColumnElement[Any]] = (),
        limit: int | None = None,
    ) -> Sequence[Row[Any]]:
        """This customer's rows of `table` for which every condition holds."""
        query = select(*columns) if columns else select(table)
        query = query.where(self.mine(table), *where)
        query = query.group_by(*group_by).order_by(*order_by).limit(limit)
        return self.connection.execute(query).all()

    def asked(self, query: Owned, **given: Any) -> Sequence[Row[Any]]:
        """This customer's rows for a query that was built before."""
        whose = {"of_tenant": self.ref.tenant, "of_customer": self.ref.customer}
        return self.connection.execute(query.statement, whose | given).all()


@dataclass(frozen=True, kw_only=True)
class CustomerTx(CustomerView):
    """One customer's rows, to write, under the customer's lock. `now` is what the transaction takes the time to be."""

    now: datetime
    keys: Keys = field(repr=False)
    created: bool = False
    """Nothing was held on the customer before this transaction."""
    written: set[str] = field(default_factory=set, repr=False)
    """The tables into which this transaction has put rows."""

    def insert(self, table: Table, rows: Sequence[Mapping[str, Any]], *, ignore_existing: bool = False) -> None:
        """Adds rows, as this customer's whatever they say. `ignore_existing` leaves a row that is already there."""
        if not rows:
            return
        _checked(table)
        statement = insert_for(self.connection, table)
        if ignore_existing:
            statement = statement.on_conflict_do_nothing()
        self.written.add(table.name)
        whose = {"tenant": self.ref.tenant, "customer": self.ref.customer}
        self.connection.execute(statement, [{**row, **whose} for row in rows])

    def update(self, table: Table, values: Mapping[str, Any], *where: ColumnElement[bool]) -> int:
        """Changes this customer's rows for which every condition holds. Returns how many."""
        if {"tenant", "customer"} & set(values):
            raise NotCustomers(table.name)
        return self.connection.execute(update(table).where(self.mine(table), *where).values(**values)).rowcount

    def delete(self, table: Table, *where: ColumnElement[bool]) -> int:
        """Deletes this customer's rows for which every condition holds. Returns how many."""
        return self.connection.execute(delete(table).where(self.mine(table), *where)).rowcount


@contextmanager
def customer_reading(engine: Engine, ref: CustomerRef) -> Iterator[CustomerView]:
    """One snapshot of one customer. A customer who is not there has no rows. Raises StoreUnavailable."""
    with named_faults(), _snapshot(engine) as connection, connection.begin():
        _raise_wall(connection, ref)
        whose = {"of_tenant": ref.tenant, "of_customer": ref.customer}
        found = connection.execute(_KNOWN, whose).scalar_one_or_none()
        yield CustomerView(connection=connection, ref=ref, surrogate=found or "")


@contextmanager
def customer_writing(
    engine: Engine, keys: Keys, ref: CustomerRef, *, now: datetime | None = None
) -> Iterator[CustomerTx]:
    """One transaction about one customer, under their lock. Without `now` the database's clock counts. Raises
    StoreUnavailable; then nothing was changed."""
    with batch_writing(engine, keys, now=now) as batch, batch.customer(ref) as tx:
        yield tx


@contextmanager
def batch_writing(engine: Engine, keys: Keys, *, now: datetime | None = None) -> Iterator["Batch"]:
    """One transaction about several customers, one after the other. Take them in sorted order: two batches then
    never wait for each other in a circle."""
    with named_faults(), writing(engine) as connection:
        yield Batch(connection=connection, keys=keys, now=now or database_now(connection))


@dataclass(frozen=True, kw_only=True)
class Batch:
    """Hands out customers of one transaction, one at a time: the database's wall stands around one of them only."""

    connection: Connection = field(repr=False)
    keys: Keys = field(repr=False)
    now: datetime
    _held: dict[CustomerRef, tuple[str, bool]] = field(default_factory=dict, init=False, repr=False)

    @contextmanager
    def customer(self, ref: CustomerRef, *, now: datetime | None = None) -> Iterator[CustomerTx]:
        """The customer's rows. `now` is the time for them where it is another than the batch's, which began before it
        held anybody's lock."""
        _raise_wall(self.connection, ref)
        surrogate, created = self._held.get(ref) or _locked(self.connection, self.keys, ref, self.now)
        tx = CustomerTx(
            connection=self.connection,
            ref=ref,
            surrogate=surrogate,
            now=now or self.now,
            keys=self.keys,
            created=created,
        )
        yield tx
        if created and observations.name not in tx.written:
            tx.delete(customers)  # nothing was kept, so neither is who it was

    def lock(self, refs: Iterable[CustomerRef]) -> None:
        """Locks customers ahead of their turn, so that what is then read about all of them stays true."""
        for ref in sorted(set(refs)):
            _raise_wall(self.connection, ref)
            self._held[ref] = _locked(self.connection, self.keys, ref, self.now)


def _locked(connection: Connection, keys: Keys, ref: CustomerRef, now: datetime) -> tuple[str, bool]:
    """Locks the customer's row, made where it is missing, until the transaction ends. Returns its surrogate, and
    whether it was made.

    SQLite has locked the whole file already. On PostgreSQL a forget may delete the row between our two statements, so
    they are tried again.
    """
    whose = {"of_tenant": ref.tenant, "of_customer": ref.customer}
    for _ in range(_LOCK_TRIES):
        found = connection.execute(_LOCK, whose).scalar_one_or_none()
        if found:
            return found, False
        insert = insert_for(connection, customers).on_conflict_do_nothing().returning(customers.c.surrogate)
        made = connection.execute(insert, newcomer(keys, ref, now)).scalar_one_or_none()
        if made:
            return made, True
    raise StoreUnavailable("the database did not answer: the customer's row is locked")


def newcomer(keys: Keys, ref: CustomerRef, now: datetime) -> dict[str, Any]:
    """The row of a customer of whom nothing is known yet."""
    return {
        "tenant": ref.tenant,
        "customer": ref.customer,
        "surrogate": secrets.token_hex(16),
        "subject": keys.subject(ref),
        "tenant_subject": keys.tenant_subject(ref.tenant),
        "created_at": now,
    }


_KNOWN = owned(customers, columns=[customers.c.surrogate]).statement
_LOCK = _KNOWN.with_for_update()


def _snapshot(engine: Engine) -> Connection:
    if engine.dialect.name == "sqlite":
        return engine.connect()
    return engine.connect().execution_options(isolation_level="REPEATABLE READ")


# --- the second wall (PostgreSQL) ----------------------------------------------------------------------------------

_walled: WeakSet[Engine] = WeakSet()
_CAN_TAKE = sql("SELECT pg_has_role(rolname, 'MEMBER') FROM pg_roles WHERE rolname = :role")
_TAKE = sql(
    "SELECT set_config('role', :role, true), set_config('afterword.tenant', :tenant, true),"
    " set_config('afterword.customer', :customer, true)"
)


def _raise_wall(connection: Connection, ref: CustomerRef) -> None:
    """Gives up all rights but those on this customer's rows, until the transaction ends."""
    if connection.dialect.name == "sqlite" or not can_take_role(connection):
        return
    connection.execute(_TAKE, {"role": WORKER_ROLE, "tenant": ref.tenant, "customer": ref.customer})


def can_take_role(connection: Connection) -> bool:
    """Whether the migration has made the worker's role and this login may take it. Remembered once true."""
    if connection.engine in _walled:
        return True
    able = bool(connection.execute(_CAN_TAKE, {"role": WORKER_ROLE}).scalar_one_or_none())
    if able:
        _walled.add(connection.engine)
    return able


# --- across customers: ids alone ------------------------------------------------------------------------------------


def customers_of_ticket(connection: Connection, tenant: str, ticket: str) -> list[CustomerRef]:
    """Who has observations from this ticket, withdrawn ones too, sorted."""
    query = select(observations.c.customer).distinct()
    query = query.where(observations.c.tenant == tenant, observations.c.ticket == ticket)
    return sorted(CustomerRef(tenant=tenant, customer=name) for name in connection.execute(query).scalars())


def tickets_to_withdraw(connection: Connection) -> list[tuple[str, str]]:
    """(tenant, ticket) of retracted tickets that still have their plain name: a retraction was cut short."""
    rows = connection.execute(select(retractions.c.tenant, retractions.c.ticket).where(~retractions.c.hashed))
    return sorted((row.tenant, row.ticket) for row in rows)


def customers_of_tenant(
    connection: Connection, tenant: str, *, after: str = "", limit: int = 1_000
) -> list[CustomerRef]:
    """The next `limit` customers of a tenant after the one called `after`, by name."""
    query = select(customers.c.customer).where(customers.c.tenant == tenant, customers.c.customer > after)
    query = query.order_by(customers.c.customer).limit(limit)
    return [CustomerRef(tenant=tenant, customer=name) for name in connection.execute(query).scalars()]


def tenants(connection: Connection) -> list[str]:
    """Every tenant about whose customers something is held, sorted."""
    return list(connection.execute(select(customers.c.tenant).distinct().order_by(customers.c.tenant)).scalars())


def customers_with_questions(
    connection: Connection, tenant: str, *, state: ReviewState, limit: int
) -> list[CustomerRef]:
    """Customers of a tenant with review items in `state`, those who have waited longest first."""
    oldest = func.min(review_items.c.opened_at)
    query = select(review_items.c.customer).where(review_items.c.tenant == tenant, review_items.c.state == state)
    query = query.group_by(review_items.c.customer).order_by(oldest, review_items.c.customer).limit(limit)
    return [CustomerRef(tenant=tenant, customer=name) for name in connection.execute(query).scalars()]


def owner_of_observation(connection: Connection, tenant: str, observation: str) -> CustomerRef | None:
    """Whose observation of this tenant that is."""
    query = select(observations.c.customer).where(observations.c.tenant == tenant, observations.c.id == observation)
    name = connection.execute(query).scalar_one_or_none()
    return CustomerRef(tenant=tenant, customer=name) if name else None


def customers_of_surrogates(connection: Connection, tenant: str, surrogates: Collection[str]) -> dict[str, str]:
    """Whom audit lines mean by these surrogates (some hundreds at most), the forgotten left out."""
    query = select(customers.c.surrogate, customers.c.customer)
    query = query.where(customers.c.tenant == tenant, customers.c.surrogate.in_(surrogates))
    return {row.surrogate: row.customer for row in connection.execute(query)}


def owner_of_surrogate(connection: Connection, tenant: str, surrogate: str) -> CustomerRef | None:
    """Whom audit and receipts mean by this surrogate; None once they were forgotten."""
    query = select(customers.c.customer).where(customers.c.tenant == tenant, customers.c.surrogate == surrogate)
    name = connection.execute(query).scalar_one_or_none()
    return CustomerRef(tenant=tenant, customer=name) if name else None


@dataclass(frozen=True, kw_only=True)
class FactsAfter:
    """A stretch of the facts' table, in the order of recording. `without` are those who have live facts in it without a
    vector; `row` is its last row (None: there is none) and `settled` the last one behind which no late commit can come
    in with a lower number."""

    without: tuple[CustomerRef, ...]
    row: int | None
    settled: int | None


def facts_after(connection: Connection, row: int, *, model: str, settled_at: datetime, limit: int) -> FactsAfter:
    """Up to `limit` live facts behind `row`, and whose of them have no vector by `model`. A row recorded after
    `settled_at` may still be overtaken: a transaction that began earlier can commit a lower number later."""
    mine = and_(
        vectors.c.tenant == facts.c.tenant,
        vectors.c.customer == facts.c.customer,
        vectors.c.fact == facts.c.id,
        vectors.c.model == model,
    )
    made = exists().where(mine).label("made")
    query = select(facts.c.row, facts.c.tenant, facts.c.customer, facts.c.recorded_from, made)
    query = query.where(facts.c.row > row, facts.c.recorded_to.is_(None), facts.c.valid_to.is_(None))
    rows = connection.execute(query.order_by(facts.c.row).limit(limit)).all()
    young = next((r.row for r in rows if r.recorded_from > settled_at), None)
    settled = [r.row for r in rows if young is None or r.row < young]
    return FactsAfter(
        without=tuple(sorted({CustomerRef(tenant=r.tenant, customer=r.customer) for r in rows if not r.made})),
        row=rows[-1].row if rows else None,
        settled=settled[-1] if settled else None,
    )


def is_held(connection: Connection, ref: CustomerRef) -> bool:
    """Whether anything is held on this customer."""
    mine = and_(customers.c.tenant == ref.tenant, customers.c.customer == ref.customer)
    return bool(connection.execute(select(exists().where(mine))).scalar_one())
