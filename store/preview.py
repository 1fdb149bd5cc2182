"""What an erasure would take, in numbers, before anybody says yes."""

from sqlalchemy import Engine, Table, distinct, func, select

from store.engine import reading
from store.models import customers, events, facts, observations, review_items
from store.states import State
from store.wipe import Whose


def would_forget(engine: Engine, tenant: str, customer: str | None = None) -> dict[str, int]:
    """Counts by kind of row, named as `store.wipe.Wiped` names them. Without a customer: the whole tenant."""
    whose = Whose(tenant=tenant, customer=customer)
    counted: dict[str, tuple[Table, object]] = {
        "customers": (customers, func.count()),
        "facts": (facts, func.count(distinct(facts.c.id))),
        "observations": (observations, func.count()),
        "reviews": (review_items, func.count()),
        "events": (events, func.count().filter(events.c.state != State.ERASED)),
    }
    with reading(engine) as connection:
        return {
            name: int(connection.execute(select(number).where(whose.rows_of(table))).scalar_one())  # type: ignore[call-overload]
            for name, (table, number) in counted.items()
        }
