"""The gates over what is stored already: a policy that grows stricter reaches back."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import Engine

from pipeline.ids import CustomerRef
from pipeline.reasons import Reason
from pipeline.terms import Terms
from store import audit
from store.engine import reading
from store.keys import Keys
from store.models import facts, observations
from store.rows import StoredFact, fact_from_row, observation_from_row
from store.scope import CustomerTx, CustomerView, customer_reading, customer_writing, customers_of_tenant, tenants
from store.write import refold, withdraw

_PAGE = 500


@dataclass(frozen=True, kw_only=True)
class Rescanned:
    """What the gates said of one customer's observations: how many were looked at, how many each reason refuses; and
    how many facts it refuses of which nothing that they were made from is refused."""

    ref: CustomerRef
    looked_at: int
    refused: Mapping[Reason, int]
    facts: Mapping[Reason, int]


@dataclass(frozen=True, kw_only=True)
class _Refused:
    """By id why an observation no longer passes, and the facts that say by themselves what may not be kept."""

    looked_at: int
    observations: Mapping[str, Reason]
    facts: Sequence[tuple[StoredFact, Reason]] = field(repr=False)

    def __bool__(self) -> bool:
        return bool(self.observations or self.facts)


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
            refused = _judged(view, terms)
        if refused and not dry_run:
            with customer_writing(engine, keys, ref, now=now) as tx:
                refused = _withdrawn(tx, terms, actor)
        yield Rescanned(
            ref=ref,
            looked_at=refused.looked_at,
            refused=Counter(refused.observations.values()),
            facts=Counter(reason for _, reason in refused.facts),
        )


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


def _judged(view: CustomerView, terms: Terms) -> _Refused:
    rows = view.select(observations, observations.c.withdrawn_at.is_(None))
    verdicts = {row.id: terms.judge_stored(observation_from_row(row)).reason for row in rows}
    refused = {name: reason for name, reason in verdicts.items() if reason}
    return _Refused(looked_at=len(rows), observations=refused, facts=list(_standing(view, terms, refused)))


def _standing(view: CustomerView, terms: Terms, refused: Mapping[str, Reason]) -> Iterator[tuple[StoredFact, Reason]]:
    """Facts that are refused although nothing behind them is: whatever put them there, it was no fold."""
    for row in view.select(facts, facts.c.recorded_to.is_(None), order_by=[facts.c.row]):
        fact = fact_from_row(row)
        reason = terms.judge_fact(fact).reason
        if reason and not any(one in refused for one in fact.evidence):
            yield fact, reason


def _withdrawn(tx: CustomerTx, terms: Terms, actor: str) -> _Refused:
    """Judges again under the lock, since the customer may have changed meanwhile, withdraws by reason, and makes anew
    what is left of the slots whose facts are refused by themselves."""
    refused, rules = _judged(tx, terms), terms.rules(tx.ref.tenant)
    for reason in sorted(set(refused.observations.values())):
        ids = [name for name, why in refused.observations.items() if why is reason]
        withdraw(tx, ids, reason=reason, actor=actor, rules=rules)
    refold(tx, [fact.slot for fact, _ in refused.facts], rules=rules)
    audit.record_all(tx.connection, [_line(tx, fact, reason, actor) for fact, reason in refused.facts])
    return refused


def _line(tx: CustomerTx, fact: StoredFact, reason: Reason, actor: str) -> audit.Entry:
    return audit.of_customer(tx, actor=actor, action="withdraw", outcome="withdrawn", reason=reason, fact=fact.id)
