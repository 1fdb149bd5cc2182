"""Ledger and database brought together: a database behind its ledger forgets again before it serves."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import Connection, Engine, select, union, update

from pipeline.ids import CustomerRef
from store.dialects import insert_for, lock_alone
from store.engine import database_now, reading, writing
from store.erased import accepting_lock
from store.keys import Keys
from store.ledger import Ledger, Line
from store.models import customers, erasures, events, ledger_mark, opt_outs
from store.states import ErasureScope
from store.whose_key import check_key
from store.wipe import Whose, Wiped, lock_customer, lock_tenants, wipe, wipe_observations
from store.write import Rules

_MARK = 1


class LedgerBehind(Exception):
    """The database has applied more erasures than the ledger holds: an old copy of the ledger was put back, or lines
    were cut off. Put the newest ledger in its place (AFTERWORD_LEDGER); until then the database must not serve, for a
    restored backup of it could not forget again."""


class LedgerMissing(Exception):
    """The database follows an erasure ledger that is not there. Put it back (AFTERWORD_LEDGER); without it a restored
    backup would remember whom you forgot."""


class OtherLedger(Exception):
    """The ledger is not the one that this database follows: AFTERWORD_LEDGER or AFTERWORD_DATABASE_URL names the wrong
    one."""


class LedgerKeyUnknown(Exception):
    """A line of the ledger was written under another master key, so whom it names cannot be told. A database and its
    ledger keep the key that they began with: start with the AFTERWORD_KEY of that time."""


class _Overtaken(Exception):
    """Another process has applied the line meanwhile."""


@dataclass(frozen=True, kw_only=True)
class Reapplied:
    """How many lines the database had not applied yet, and what they took."""

    lines: int = 0
    wiped: Wiped = field(default_factory=Wiped)


def lines_behind(engine: Engine, ledger: Ledger) -> int:
    """How many lines the database is behind. Raises LedgerBehind, LedgerMissing or OtherLedger; changes nothing."""
    with reading(engine) as connection:
        followed = connection.execute(select(ledger_mark.c.ledger, ledger_mark.c.applied)).one_or_none()
    name = ledger.identity()
    applied = followed.applied if followed else 0
    if followed and applied and not name:
        raise LedgerMissing(f"the erasure ledger is missing, of which {applied} lines were applied")
    if followed and applied and followed.ledger != name:
        raise OtherLedger("this is not the erasure ledger that the database follows")
    last = ledger.last()
    if applied > last:
        raise LedgerBehind(f"the erasure ledger ends at line {last}, the database has applied {applied}")
    return last - applied


def reapply(engine: Engine, keys: Keys, ledger: Ledger, *, rules: Rules) -> Reapplied:
    """Applies what the ledger holds and the database has not, line by line, each with its mark in one transaction.

    Begins the ledger where there is none yet. Several processes may do this at once. Raises as `lines_behind` does,
    WrongKey, and LedgerKeyUnknown.
    """
    check_key(engine, keys, ledger)
    if lines_behind(engine, ledger) == 0 and _follows(engine, ledger):
        return Reapplied()
    ledger.create()
    with writing(engine) as connection:
        applied = locked_mark(connection, ledger)
    done = [wiped for line in ledger.after(applied) if (wiped := _applied(engine, keys, ledger, line, rules))]
    return Reapplied(lines=len(done), wiped=sum(done, Wiped()))


def _follows(engine: Engine, ledger: Ledger) -> bool:
    with reading(engine) as connection:
        name = connection.execute(select(ledger_mark.c.ledger)).scalar_one_or_none()
    return bool(name) and name == ledger.identity()


def locked_mark(connection: Connection, ledger: Ledger) -> int:
    """The number of the last line applied, locked until the transaction ends: erasures commit in the ledger's order.

    A database that has applied nothing yet follows whatever ledger it is given.
    """
    name = ledger.identity()
    row = insert_for(connection, ledger_mark).values(id=_MARK, ledger=name, applied=0)
    connection.execute(row.on_conflict_do_nothing())
    mark = connection.execute(select(ledger_mark).where(ledger_mark.c.id == _MARK).with_for_update()).one()
    if mark.ledger != name and mark.applied:
        raise OtherLedger("this is not the erasure ledger that the database follows")
    if mark.ledger != name:
        connection.execute(update(ledger_mark).values(ledger=name))
    return int(mark.applied)


def _applied(engine: Engine, keys: Keys, ledger: Ledger, line: Line, rules: Rules) -> Wiped | None:
    """One line in its own transaction; None where another process has applied it meanwhile."""
    if line.key_id != keys.key_id:
        raise LedgerKeyUnknown(f"line {line.number} of the erasure ledger was written under the key {line.key_id}")
    try:
        with writing(engine) as connection:
            _lock(connection, keys, line, database_now(connection))
            if locked_mark(connection, ledger) != line.number - 1:
                raise _Overtaken  # rolls back what the locks have made
            return apply_line(connection, keys, line, rules=rules)
    except _Overtaken:
        return None


def _lock(connection: Connection, keys: Keys, line: Line, now: datetime) -> None:
    """In the order that every erasure keeps: the customer, the tenant's door, and then the mark."""
    if line.scope is ErasureScope.TENANT:
        lock_tenants(connection)
    elif line.scope is not ErasureScope.SWITCH:
        for ref in _customers_named(connection, line.subject):
            lock_customer(connection, keys, ref, now)
            lock_alone(connection, accepting_lock(ref.tenant))


def apply_line(connection: Connection, keys: Keys, line: Line, *, rules: Rules) -> Wiped:
    """What a line of the ledger means for this database, and the note that it was applied. The caller holds the locks
    and has made sure that the line before it was applied."""
    now = database_now(connection)
    wiped = sum(_wiped(connection, keys, line, rules, now), Wiped())
    if line.opt_out is not None:
        _switch(connection, line.subject, line.opt_out, line.erased_at)
    if line.scope is not ErasureScope.SWITCH:
        _noted(connection, line, now)
    connection.execute(update(ledger_mark).where(ledger_mark.c.id == _MARK).values(applied=line.number))
    return wiped


def _wiped(connection: Connection, keys: Keys, line: Line, rules: Rules, now: datetime) -> Iterator[Wiped]:
    if line.scope is ErasureScope.SWITCH:
        return
    if line.scope is ErasureScope.FACT:
        for ref in _customers_named(connection, line.subject):
            yield wipe_observations(connection, keys, ref, line.observations, rules=rules, now=now)
        return
    for whose in _named(connection, keys, line):
        yield wipe(connection, keys, whose, until=line.erased_at, rules=rules)


def _named(connection: Connection, keys: Keys, line: Line) -> list[Whose]:
    """Whose rows a keyed hash means, as far as this database holds any."""
    if line.scope is ErasureScope.TENANT:
        known = union(select(customers.c.tenant), select(events.c.tenant))
        tenants = connection.execute(known).scalars()
        return [Whose(tenant=tenant) for tenant in tenants if keys.tenant_subject(tenant) == line.subject]
    return [Whose(tenant=r.tenant, customer=r.customer) for r in _customers_named(connection, line.subject)]


def _customers_named(connection: Connection, subject: str) -> list[CustomerRef]:
    known = union(
        *(select(t.c.tenant, t.c.customer).where(t.c.subject == subject) for t in (customers, events)),
    )
    return [CustomerRef(tenant=row.tenant, customer=row.customer) for row in connection.execute(known)]


def _switch(connection: Connection, subject: str, off: bool, since: datetime) -> None:
    """Memory off or on for the customer of this keyed hash."""
    if off:
        row = insert_for(connection, opt_outs).values(subject=subject, since=since)
        connection.execute(row.on_conflict_do_nothing())
    else:
        connection.execute(opt_outs.delete().where(opt_outs.c.subject == subject))


def _noted(connection: Connection, line: Line, now: datetime) -> None:
    row = insert_for(connection, erasures).values(
        number=line.number,
        scope=line.scope,
        subject=line.subject,
        erased_at=line.erased_at,
        observations=list(line.observations),
        applied_at=now,
    )
    connection.execute(row.on_conflict_do_nothing())
