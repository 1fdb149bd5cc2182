"""A purge rehearsed: what it would take, without taking it.

A purge's steps look at what the steps before them have left, so counting the rows of each class by themselves tells
another number. Where something might go of a customer, what is held of them is read, some customers at a time, into an
empty SQLite database in memory, and the steps run there. Reads are short and nobody waits for them; nothing is written
but in memory, and no customer's words are read.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import groupby
from operator import itemgetter
from typing import Any

from sqlalchemy import ColumnElement, Connection, Engine, Table, and_, create_engine, insert, or_, select, tuple_, union
from sqlalchemy.pool import StaticPool

from store.engine import reading
from store.models import (
    customers,
    event_totals,
    events,
    facts,
    metadata,
    observations,
    past_horizons,
    review_items,
    slot_horizons,
    vectors,
)
from store.purge_steps import Step

Name = tuple[str, str]
"""Tenant and customer."""
_WINDOW = 50_000
"""Names read at a time."""
_TOGETHER = 100
"""Customers whose rows are in memory at a time."""
_BATCH = 1_000
_READ: dict[Table, Mapping[str, Any]] = {
    customers: {},
    observations: {"value": "", "quotes": []},
    facts: {"value": ""},
    review_items: {},
    slot_horizons: {},
    events: {"payload": None},
}
"""What is read of a customer. The columns named beside it are not: they hold words, and no step looks at them."""
_WRITTEN = (vectors, past_horizons, event_totals)
"""What the steps write, or delete without counting it."""


def rehearsed(engine: Engine, plan: Sequence[Step]) -> dict[str, int]:
    """How many rows of each class the steps of the plan would take now, under the names that they use.

    What is written meanwhile may be in it or not. A purge leaves for the next one about whom somebody writes just then.
    """
    numbers: Counter[str] = Counter()
    with reading(engine) as connection:
        numbers.update({step.name: step.count(connection) for step in plan if not step.of_customers})
    with _in_memory() as copy:
        for names in _concerned(engine, [step for step in plan if step.of_customers]):
            _copied(engine, copy, names)
            numbers.update(_taken(copy, [step for step in plan if step.table in _READ]))
            copy.rollback()
    return dict(numbers)


@contextmanager
def _in_memory() -> Iterator[Connection]:
    """A database of this process alone, in which whatever is written is rolled back. Its rows are of several moments,
    so their references are not checked."""
    engine = create_engine("sqlite://", poolclass=StaticPool, hide_parameters=True)
    try:
        metadata.create_all(engine, tables=[*_READ, *_WRITTEN])
        with engine.connect() as connection:
            yield connection
    finally:
        engine.dispose()


def _concerned(engine: Engine, steps: Sequence[Step]) -> Iterator[list[Name]]:
    """The customers of whom one of the steps might take something, some at a time."""
    found = union(*(select(s.table.c.tenant, s.table.c.customer).where(s.scanned) for s in steps)).subquery()
    query = select(found).order_by(*found.c).limit(_WINDOW)
    after: list[Name] = []
    while True:
        beyond = [tuple_(*found.c) > tuple_(*name) for name in after]
        with reading(engine) as connection:
            names = [(row.tenant, row.customer) for row in connection.execute(query.where(*beyond))]
        if not names:
            return
        yield from _slices(names, _TOGETHER)
        after = names[-1:]


def _copied(engine: Engine, copy: Connection, names: Sequence[Name]) -> None:
    with reading(engine) as connection:
        for table, unread in _READ.items():
            columns = [column for column in table.c if column.name not in unread]
            found = connection.execute(select(*columns).where(_of(names, table)))
            rows = [{**row._mapping, **unread} for row in found]
            if rows:
                copy.execute(insert(table), rows)


def _of(names: Sequence[Name], table: Table) -> ColumnElement[bool]:
    """Tenant by tenant: SQLite looks for pairs in no index."""
    by_tenant = groupby(names, key=itemgetter(0))
    return or_(*(and_(table.c.tenant == t, table.c.customer.in_([n for _, n in ns])) for t, ns in by_tenant))


def _taken(copy: Connection, steps: Sequence[Step]) -> Counter[str]:
    """Runs the steps to their ends. Those of the inbox run for what the others see of it, and are not counted."""
    numbers: Counter[str] = Counter()
    for step in steps:
        keys = [found[1] for found in step.candidates(copy, after=None, limit=None)]
        for some in _slices(keys, _BATCH):
            took = step.take(copy, some)
            numbers.update(took if step.of_customers else {})
    return numbers


def _slices(items: Sequence[Any], size: int) -> Iterator[Any]:
    return (items[at : at + size] for at in range(0, len(items), size))
