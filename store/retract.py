"""Taking a whole ticket back: closed on the wrong customer, typed by a stranger, filed by mistake."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, Engine, and_, bindparam, insert, select, update

from pipeline.ids import checked_id
from pipeline.reasons import Reason
from pipeline.terms import Terms
from store import audit
from store.dialects import lock_alone
from store.engine import reading, writing
from store.keys import Keys
from store.models import events, fetches, observations, retractions, review_items
from store.refusals import retraction_lock
from store.retracted import retracted
from store.scope import (
    CustomerTx,
    CustomerView,
    customer_reading,
    customer_writing,
    customers_of_ticket,
    tickets_to_withdraw,
)
from store.write import withdraw


@dataclass(frozen=True, kw_only=True)
class Retracted:
    """What retracting a ticket took back. All 0 where nothing was known of it: the ticket stays barred all the same."""

    tenant: str
    ticket: str
    customers: int
    observations: int
    already: bool


def retract(
    engine: Engine, keys: Keys, tenant: str, ticket: str, *, actor: str, now: datetime, terms: Terms, note: str = ""
) -> Retracted:
    """Bars the ticket for ever, withdraws what it said, and lets what it had superseded come back.

    Three steps: the bar is committed first, so that no late delivery slips in between, then each customer is put right,
    then the bar forgets the ticket's plain name. Killed in between, `resume` (or the same call again) finishes. Raises
    BadId, StoreError.
    """
    checked_id("tenant", tenant)
    checked_id("ticket", ticket)
    with writing(engine) as connection:
        already = not _barred(connection, keys, tenant, ticket, actor=actor, now=now)
        audit.record(
            connection,
            at=now,
            tenant=tenant,
            surrogate=None,
            actor=actor,
            action="retract",
            outcome="already" if already else "retracted",
            reason=Reason.RETRACTED,
            event=keys.ticket(tenant, ticket),
            note=note or None,
        )
    return _withdrawn(engine, keys, tenant, ticket, actor=actor, now=now, terms=terms, already=already)


def is_known(engine: Engine, keys: Keys, tenant: str, ticket: str) -> bool:
    """Whether anything here names the ticket: the inbox, a statement, a question, a helpdesk to be asked, its bar. The
    bar has no way back, so a misspelt id must not set one by accident."""
    with reading(engine) as connection:
        named = any(connection.execute(query, {"tenant": tenant, "ticket": ticket}).first() for query in _NAMED)
        return named or bool(retracted(connection, keys, [(tenant, ticket)]))


def dry_run(engine: Engine, keys: Keys, tenant: str, ticket: str) -> Retracted:
    """What `retract` would take back."""
    with reading(engine) as connection:
        refs = customers_of_ticket(connection, tenant, ticket)
        already = bool(retracted(connection, keys, [(tenant, ticket)]))
    counts = []
    for ref in refs:
        with customer_reading(engine, ref) as view:
            counts.append(len(_of_ticket(view, ticket)))
    return _counted(tenant, ticket, counts, already=already)


def resume(engine: Engine, keys: Keys, *, now: datetime, terms: Terms) -> list[Retracted]:
    """Finishes retractions that were killed between their steps. Cheap where there are none: run it at start."""
    with reading(engine) as connection:
        left = tickets_to_withdraw(connection)
    return [_withdrawn(engine, keys, *one, actor="worker", now=now, terms=terms, already=True) for one in left]


def _barred(connection: Connection, keys: Keys, tenant: str, ticket: str, *, actor: str, now: datetime) -> bool:
    """Writes the lasting row, once every write of this ticket that is under way has ended. False if it was there."""
    lock_alone(connection, retraction_lock(tenant, ticket))
    if retracted(connection, keys, [(tenant, ticket)]):
        return False
    row = {"tenant": tenant, "ticket": ticket, "retracted_at": now, "actor": actor}
    connection.execute(insert(retractions), row)
    return True


def _withdrawn(
    engine: Engine, keys: Keys, tenant: str, ticket: str, *, actor: str, now: datetime, terms: Terms, already: bool
) -> Retracted:
    with reading(engine) as connection:
        refs = customers_of_ticket(connection, tenant, ticket)
    counts = []
    for ref in refs:
        with customer_writing(engine, keys, ref, now=now) as tx:
            ids = _of_ticket(tx, ticket)
            counts.append(withdraw(tx, ids, reason=Reason.RETRACTED, actor=actor, rules=terms.rules(tenant)))
            # Answers to its questions go too: what a person said of a ticket that never was is no answer.
            tx.delete(review_items, review_items.c.ticket == ticket)
            _noted(tx, ticket, actor)
    _name_hashed(engine, keys, tenant, ticket)
    return _counted(tenant, ticket, counts, already=already)


def _counted(tenant: str, ticket: str, counts: list[int], *, already: bool) -> Retracted:
    """`counts`: observations by customer."""
    touched = sum(count > 0 for count in counts)
    return Retracted(tenant=tenant, ticket=ticket, customers=touched, observations=sum(counts), already=already)


def _noted(tx: CustomerTx, ticket: str, actor: str) -> None:
    """A line for each customer whom the ticket had spoken of: by surrogate, so that forgetting them takes the name."""
    hashed = tx.keys.ticket(tx.ref.tenant, ticket)
    line = audit.of_customer(
        tx, actor=actor, action="retract", outcome="withdrawn", reason=Reason.RETRACTED, event=hashed
    )
    audit.record_all(tx.connection, [line])


def _name_hashed(engine: Engine, keys: Keys, tenant: str, ticket: str) -> None:
    """From here on the bar names the ticket by a keyed hash: it stays, whoever is forgotten."""
    plain = and_(retractions.c.tenant == tenant, retractions.c.ticket == ticket, ~retractions.c.hashed)
    with writing(engine) as connection:
        connection.execute(update(retractions).where(plain).values(ticket=keys.ticket(tenant, ticket), hashed=True))


def _of_ticket(view: CustomerView, ticket: str) -> list[str]:
    """The observations of this ticket that count; what a person accepted from it is one of them."""
    c = observations.c
    return [row.id for row in view.select(observations, c.ticket == ticket, c.withdrawn_at.is_(None), columns=[c.id])]


_NAMED = tuple(
    select(table.c.ticket).where(table.c.tenant == bindparam("tenant"), table.c.ticket == bindparam("ticket")).limit(1)
    for table in (events, observations, review_items, fetches)
)
