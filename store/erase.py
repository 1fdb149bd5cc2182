"""Forgetting, read top down: lock, stamp, note it in the ledger, let the rows go, commit.

The line goes to the ledger before the rows go, so a crash in between leaves a database that is behind its ledger and
catches up at the next start; never a customer who was forgotten in the database alone, whom a backup would bring back.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, Engine, select

from pipeline.ids import CustomerRef, checked_id
from pipeline.reasons import Reason
from store import audit
from store.dialects import lock_alone
from store.engine import reading, writing
from store.erased import accepting_lock
from store.faults import StoreError
from store.keys import Keys
from store.ledger import Entry, Ledger, LedgerUnavailable, Line
from store.models import erasures, facts
from store.reapply import apply_line, locked_mark, reapply
from store.scope import is_held
from store.states import ErasureScope
from store.wipe import Whose, Wiped, latest_moment, lock_customer, lock_tenants
from store.write import Rules

_TRIES = 10


class LedgerBusy(Exception):
    """Another process notes erasures in the same ledger without applying them here. One ledger serves one database:
    check that no second database is pointed at it."""


class OnlyNoted(StoreError):
    """The erasure stands in the ledger, but the database has not carried it out: it is finished by the next re-apply,
    which runs at every start and every few minutes (`afterword erasures reapply` does it at once)."""

    for_people = True


class _Behind(Exception):
    """The ledger holds lines that this database has not applied: catch up first, then try again."""


@dataclass(frozen=True, kw_only=True)
class Forgotten:
    """`number` is the line of the ledger; `erased_at` is what it says; `wiped` is what went, in numbers."""

    number: int
    erased_at: datetime
    wiped: Wiped

    @property
    def numbers(self) -> dict[str, int]:
        return asdict(self.wiped)


@dataclass(frozen=True, kw_only=True)
class _Order:
    """Who wants it, when and why."""

    actor: str
    now: datetime
    note: str | None = None


@dataclass(frozen=True, kw_only=True)
class _Plan:
    """What one erasure notes, and who is locked for it."""

    entry: Entry
    tenant: str
    surrogate: str | None = None
    action: str


def forget(
    engine: Engine,
    keys: Keys,
    ledger: Ledger,
    ref: CustomerRef,
    *,
    rules: Rules,
    actor: str,
    now: datetime,
    note: str | None = None,
    opt_out: bool | None = None,
) -> Forgotten:
    """Makes the customer unknown: one line in the ledger, one transaction here. An unknown one too, who may be in a
    backup. `opt_out` also switches memory off (True) or on (False).

    `note` is the operator's own words, after the gates. `erased_at` is `now`, or the latest moment that any of the
    customer's rows speaks of. Raises LedgerUnavailable or StoreError, and nothing was forgotten; or OnlyNoted, and the
    next re-apply forgets.
    """
    order = _Order(actor=actor, now=now, note=note)

    def plan(connection: Connection) -> _Plan:
        surrogate = lock_customer(connection, keys, ref, order.now)
        lock_alone(connection, accepting_lock(ref.tenant))
        at = latest_moment(connection, Whose(tenant=ref.tenant, customer=ref.customer), order.now)
        entry = _entry(keys, ErasureScope.CUSTOMER, keys.subject(ref), at, opt_out=opt_out)
        return _Plan(entry=entry, tenant=ref.tenant, surrogate=surrogate, action="forget")

    return _carried_out(engine, keys, ledger, plan, rules=rules, order=order)


def forget_tenant(
    engine: Engine,
    keys: Keys,
    ledger: Ledger,
    tenant: str,
    *,
    rules: Rules,
    actor: str,
    now: datetime,
    note: str | None = None,
) -> Forgotten:
    """Forgets every customer of the tenant in one transaction. On PostgreSQL writes of all tenants wait meanwhile."""
    checked_id("tenant", tenant)
    order = _Order(actor=actor, now=now, note=note)

    def plan(connection: Connection) -> _Plan:
        lock_tenants(connection)
        at = latest_moment(connection, Whose(tenant=tenant), order.now)
        entry = _entry(keys, ErasureScope.TENANT, keys.tenant_subject(tenant), at)
        return _Plan(entry=entry, tenant=tenant, action="forget_tenant")

    return _carried_out(engine, keys, ledger, plan, rules=rules, order=order)


def forget_fact(
    engine: Engine,
    keys: Keys,
    ledger: Ledger,
    ref: CustomerRef,
    fact: str,
    *,
    rules: Rules,
    actor: str,
    now: datetime,
    note: str | None = None,
) -> Forgotten | None:
    """Forgets one fact by its id, with all observations that it rests on; they may not come back. None where this
    customer has no such fact. What it had replaced holds again, as after a retract: forget that too where it should."""
    order = _Order(actor=actor, now=now, note=note)

    def plan(connection: Connection) -> _Plan:
        surrogate = lock_customer(connection, keys, ref, order.now)
        evidence = evidence_of(connection, ref, fact)
        entry = _entry(keys, ErasureScope.FACT, keys.subject(ref), order.now, observations=evidence)
        return _Plan(entry=entry, tenant=ref.tenant, surrogate=surrogate, action="forget_fact")

    with reading(engine) as connection:
        if not is_held(connection, ref) or not evidence_of(connection, ref, fact):
            return None
    return _carried_out(engine, keys, ledger, plan, rules=rules, order=order)


def opt_out(
    engine: Engine,
    keys: Keys,
    ledger: Ledger,
    ref: CustomerRef,
    *,
    rules: Rules,
    actor: str,
    now: datetime,
    note: str | None = None,
) -> Forgotten:
    """Switches memory off for the customer and erases nothing. In the ledger too: a restored backup obeys it."""
    return _switched(engine, keys, ledger, ref, rules=rules, order=_Order(actor=actor, now=now, note=note), off=True)


def opt_in(
    engine: Engine,
    keys: Keys,
    ledger: Ledger,
    ref: CustomerRef,
    *,
    rules: Rules,
    actor: str,
    now: datetime,
    note: str | None = None,
) -> Forgotten:
    """Switches memory on again. What was said while it was off stays unknown."""
    return _switched(engine, keys, ledger, ref, rules=rules, order=_Order(actor=actor, now=now, note=note), off=False)


def _switched(
    engine: Engine, keys: Keys, ledger: Ledger, ref: CustomerRef, *, rules: Rules, order: _Order, off: bool
) -> Forgotten:
    def plan(_connection: Connection) -> _Plan:
        entry = _entry(keys, ErasureScope.SWITCH, keys.subject(ref), order.now, opt_out=off)
        return _Plan(entry=entry, tenant=ref.tenant, action="opt_out" if off else "opt_in")

    return _carried_out(engine, keys, ledger, plan, rules=rules, order=order)


def _carried_out(
    engine: Engine, keys: Keys, ledger: Ledger, plan: Callable[[Connection], _Plan], *, rules: Rules, order: _Order
) -> Forgotten:
    noted: list[int] = []
    for _ in range(_TRIES):
        try:
            reapply(engine, keys, ledger, rules=rules)
            with writing(engine) as connection:
                planned = plan(connection)
                return _noted_and_applied(connection, keys, ledger, planned, noted, rules=rules, order=order)
        except _Behind:
            continue
        except (StoreError, LedgerUnavailable):
            if noted:
                raise OnlyNoted("the forgetting is noted in the ledger; the next re-apply finishes it") from None
            raise
    raise LedgerBusy("the erasure ledger grows while this database catches up with it")


def _noted_and_applied(
    connection: Connection,
    keys: Keys,
    ledger: Ledger,
    planned: _Plan,
    noted: list[int],
    *,
    rules: Rules,
    order: _Order,
) -> Forgotten:
    """The mark's lock makes erasures take turns, so that the ledger's order is the order of the commits. `noted` is
    told the number of the line as soon as it is on disk, whatever comes of the transaction."""
    applied = locked_mark(connection, ledger)
    if applied != ledger.last():
        raise _Behind
    (number,) = ledger.append([planned.entry])
    noted.append(number)
    if number != applied + 1:
        raise _Behind
    line = Line(number=number, **vars(planned.entry))
    wiped = apply_line(connection, keys, line, rules=rules)
    audit.record(
        connection,
        at=order.now,
        tenant=planned.tenant,
        surrogate=planned.surrogate,
        actor=order.actor,
        action=planned.action,
        outcome="done",
        reason=Reason.ERASED if line.scope is not ErasureScope.SWITCH else None,
        note=order.note,
    )
    return Forgotten(number=number, erased_at=line.erased_at, wiped=wiped)


def _entry(
    keys: Keys,
    scope: ErasureScope,
    subject: str,
    at: datetime,
    *,
    observations: tuple[str, ...] = (),
    opt_out: bool | None = None,
) -> Entry:
    return Entry(
        scope=scope,
        subject=subject,
        erased_at=at,
        key_id=keys.key_id,
        observations=observations,
        opt_out=opt_out,
    )


def evidence_of(connection: Connection, ref: CustomerRef, fact: str) -> tuple[str, ...]:
    """Ids of the observations that any version of the fact rests on."""
    mine = Whose(tenant=ref.tenant, customer=ref.customer).rows_of(facts)
    versions = connection.execute(select(facts.c.evidence).where(mine, facts.c.id == fact)).scalars()
    return tuple(sorted({name for names in versions for name in names}))


@dataclass(frozen=True, kw_only=True)
class Erasure:
    """One erasure as the database has applied it. `subject` is a keyed hash."""

    number: int
    scope: ErasureScope
    subject: str
    erased_at: datetime
    applied_at: datetime


def listed(engine: Engine, *, after: int = 0, limit: int = 1_000) -> tuple[Erasure, ...]:
    """The erasures that this database has applied, in the ledger's order."""
    return _listed(engine, erasures.c.number > after, limit=limit)


def listed_of(engine: Engine, keys: Keys, ref: CustomerRef) -> tuple[Erasure, ...]:
    """The erasures that this database has applied to this customer: of one of their facts, of them, of their tenant."""
    subjects = (keys.subject(ref), keys.tenant_subject(ref.tenant))
    return _listed(engine, erasures.c.subject.in_(subjects))


def _listed(engine: Engine, *which: ColumnElement[bool], limit: int | None = None) -> tuple[Erasure, ...]:
    c = erasures.c
    query = select(c.number, c.scope, c.subject, c.erased_at, c.applied_at).where(*which)
    with reading(engine) as connection:
        found = connection.execute(query.order_by(c.number).limit(limit)).all()
    return tuple(Erasure(**{**row._asdict(), "scope": ErasureScope(row.scope)}) for row in found)
