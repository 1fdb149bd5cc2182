"""The gates over what is stored already: a policy that grows stricter reaches back."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Engine

from pipeline.ids import CustomerRef
from pipeline.reasons import Reason
from pipeline.terms import Terms
from store.engine import reading
from store.keys import Keys
from store.models import observations
from store.rows import observation_from_row
from store.scope import CustomerTx, CustomerView, customer_reading, customer_writing, customers_of_tenant, tenants
from store.write import withdraw

_PAGE = 500


@dataclass(frozen=True, kw_only=True)
class Rescanned:
    """What the gates said of one customer's observations: how many were looked at, how many each reason refuses."""

    ref: CustomerRef
    looked_at: int
    refused: Mapping[Reason, int]


def rescan(
    engine: Engine,
    keys: Keys,
    *,
    terms: Terms,
    now: datetime,
    actor: str,
    tenant: str | None = None,
    after: str = "",
    dry_run: bool = True,
) -> Iterator[Rescanned]:
    """Judges everything stored by today's policy, one customer a transaction, and withdraws what no longer passes.

    One line a customer, in order of name, so that work broken off goes on behind the last one (`tenant`, `after`).
    With `dry_run` nothing is changed. A second run finds nothing more to withdraw.
    """
    for ref in _customers(engine, tenant, after):
        with customer_reading(engine, ref) as view:
            looked_at, refused = _judged(view, terms)
        if refused and not dry_run:
            with customer_writing(engine, keys, ref, now=now) as tx:
                refused = _withdrawn(tx, terms, actor)
        yield Rescanned(ref=ref, looked_at=looked_at, refused=Counter(refused.values()))


def _customers(engine: Engine, tenant: str | None, after: str) -> Iterator[CustomerRef]:
    with reading(engine) as connection:
        wanted = [tenant] if tenant is not None else tenants(connection)
    for name in wanted:
        last = after if tenant is not None else ""
        while True:
            with reading(engine) as connection:
                page = customers_of_tenant(connection, name, after=last, limit=_PAGE)
            yield from page
            if len(page) < _PAGE:
                break
            last = page[-1].customer


def _judged(view: CustomerView, terms: Terms) -> tuple[int, dict[str, Reason]]:
    """How many observations count, and by id why some of them no longer pass."""
    rows = view.select(observations, observations.c.withdrawn_at.is_(None))
    verdicts = {row.id: terms.judge_stored(observation_from_row(row)) for row in rows}
    return len(rows), {name: v.reason for name, v in verdicts.items() if v.reason is not None}


def _withdrawn(tx: CustomerTx, terms: Terms, actor: str) -> dict[str, Reason]:
    """Judges again under the lock, since the customer may have changed meanwhile, and withdraws by reason."""
    _, refused = _judged(tx, terms)
    for reason in sorted(set(refused.values())):
        ids = [name for name, why in refused.items() if why is reason]
        withdraw(tx, ids, reason=reason, actor=actor, rules=terms.rules(tx.ref.tenant))
    return refused
