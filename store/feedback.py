"""'This memory is wrong', said by whoever was handed it: a question for a person, never a change by itself."""

from dataclasses import dataclass
from enum import StrEnum

from sqlalchemy import Engine

from pipeline.facts import Decision, Source
from pipeline.ids import CustomerRef
from pipeline.statement import Statement
from pipeline.terms import Terms
from store import receipts
from store.engine import reading
from store.history import current, show
from store.keys import Keys
from store.receipts import Receipt
from store.rows import StoredFact
from store.scope import customer_reading, owner_of_surrogate
from store.statements import Stating, remember

MIN_REFERENCE = 8
"""Hexadecimal digits. Blocks give twelve."""


class Reported(StrEnum):
    """How a report was taken."""

    FILED = "filed"
    """A person will be asked (`afterword review list`)."""
    GONE = "gone"
    """The fact has been replaced, ended or forgotten since, so there is nothing to ask."""
    REFUSED = "refused"
    """It may not even be asked: the decision says why (a business system owns the key, a gate forbids the text)."""
    UNKNOWN = "unknown"
    """There is no such receipt of this tenant's, or it handed out no such fact."""


@dataclass(frozen=True, kw_only=True)
class Report:
    outcome: Reported
    fact: str = ""
    decision: Decision | None = None


def report(
    engine: Engine,
    keys: Keys,
    *,
    tenant: str,
    receipt: str,
    reference: str,
    terms: Terms,
    stating: Stating,
    instead: str = "",
) -> Report:
    """Files a review item: should the fact end, or with `instead` have that value?

    `reference` is the fact's id or its beginning, as the block gives it. What is filed is an `extracted` statement with
    no transcript, which no fold lets hold before a person has said so. It is dated as the receipt is, so the same
    report twice is one question. Raises StoreError.
    """
    given = receipts.read(engine, tenant=tenant, receipt=receipt)
    name = handed_out(given, reference) if given else None
    if given is None or name is None:
        return Report(outcome=Reported.UNKNOWN)
    with reading(engine) as connection:
        ref = owner_of_surrogate(connection, tenant, given.surrogate)
    fact = _standing(engine, ref, name) if ref else None
    if ref is None or fact is None:
        return Report(outcome=Reported.GONE, fact=name)
    statement = Statement(
        tenant=ref.tenant,
        customer=ref.customer,
        kind=fact.kind,
        key=fact.slot.key,
        value=instead or fact.value,
        source=Source.EXTRACTED,
        observed_at=max(given.at, fact.confirmed_at),
        ticket=fact.slot.ticket or None,
        ended=not instead,
    )
    decision = remember(engine, keys, statement, terms=terms, stating=stating)
    outcome = Reported.FILED if decision.for_review else Reported.REFUSED
    return Report(outcome=outcome, fact=name, decision=decision)


def handed_out(given: Receipt, reference: str) -> str | None:
    """The id of the receipt's fact whose id begins so; None where it handed out none."""
    if len(reference) < MIN_REFERENCE:
        return None
    return next((name for name, _, _ in given.facts if name.startswith(reference)), None)


def _standing(engine: Engine, ref: CustomerRef, name: str) -> StoredFact | None:
    """The fact where it is what holds in its slot."""
    with customer_reading(engine, ref) as view:
        shown = show(view, name)
        live = current(view, shown.fact.slot) if shown else None
    return live if live and live.id == name else None
