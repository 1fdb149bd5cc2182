"""What an erasure would take, in numbers, before anybody says yes: the numbers that `store.wipe` then tells."""

from dataclasses import asdict, replace

from sqlalchemy import ColumnElement, Connection, Engine, Table, distinct, func, select

from pipeline.ids import CustomerRef
from store.engine import reading
from store.erase import evidence_of
from store.models import customers, events, facts, observations, review_items, slot_horizons
from store.states import State
from store.wipe import Whose, Wiped, resting_on


def would_forget(engine: Engine, tenant: str, customer: str | None = None) -> dict[str, int]:
    """What `store.erase.forget` would take of this customer, or without one, `forget_tenant` of the whole tenant."""
    whose = Whose(tenant=tenant, customer=customer)
    with reading(engine) as connection:
        return asdict(_all_of(connection, whose))


def would_forget_fact(engine: Engine, ref: CustomerRef, fact: str) -> dict[str, int]:
    """What `store.erase.forget_fact` would take."""
    whose = Whose(tenant=ref.tenant, customer=ref.customer)
    with reading(engine) as connection:
        ids = evidence_of(connection, ref, fact)
        resting = {row.id for row in resting_on(connection, whose, ids)}
        said = _rows(connection, observations, whose, observations.c.id.in_(ids))
        asked = _rows(connection, review_items, whose, review_items.c.observation.in_(ids))
    return asdict(Wiped(facts=len(resting), observations=said, reviews=asked))


def _all_of(connection: Connection, whose: Whose) -> Wiped:
    names = select(func.count(distinct(facts.c.id))).where(whose.rows_of(facts))
    found = Wiped(
        customers=_rows(connection, customers, whose),
        facts=connection.execute(names).scalar_one(),
        observations=_rows(connection, observations, whose),
        reviews=_rows(connection, review_items, whose),
        events=_rows(connection, events, whose, events.c.state != State.ERASED),
    )
    if whose.customer is None:
        return found
    known = found.observations or found.reviews or found.events or _rows(connection, slot_horizons, whose)
    return replace(found, customers=int(bool(known)))


def _rows(connection: Connection, table: Table, whose: Whose, *conditions: ColumnElement[bool]) -> int:
    query = select(func.count()).select_from(table).where(whose.rows_of(table), *conditions)
    return connection.execute(query).scalar_one()
