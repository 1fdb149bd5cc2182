"""Who did what, when, why and with which outcome: by id and reason code, never a value."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import TypedDict, Unpack

from sqlalchemy import Connection, Engine, insert, select

from store.engine import reading
from store.keys import Keys
from store.models import audit, events
from store.scope import CustomerTx

PAGE = 500


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One line of the audit. `surrogate` names the customer; forget destroys what it stands for."""

    at: datetime
    tenant: str
    actor: str
    action: str
    outcome: str
    surrogate: str | None = None
    reason: str | None = None
    event: str | None = None
    observation: str | None = None
    fact: str | None = None
    key: str | None = None
    """A key of the catalogue; never one that a model made up, which might say something about the customer."""
    job: str | None = None
    note: str | None = None
    id: int | None = None
    """The line's number, given by the database."""


class About(TypedDict, total=False):
    """What a line may name besides. `note` is an operator's own words and must have passed the gates."""

    reason: str | None
    event: str | None
    observation: str | None
    fact: str | None
    key: str | None
    job: str | None
    note: str | None


def of_customer(tx: CustomerTx, *, actor: str, action: str, outcome: str, **about: Unpack[About]) -> Entry:
    """A line about the customer of this transaction, at its moment."""
    return Entry(
        at=tx.now,
        tenant=tx.ref.tenant,
        surrogate=tx.surrogate,
        actor=actor,
        action=action,
        outcome=outcome,
        **about,
    )


def record(
    connection: Connection,
    *,
    at: datetime,
    tenant: str,
    surrogate: str | None,
    actor: str,
    action: str,
    outcome: str,
    **about: Unpack[About],
) -> None:
    """Writes one line in the caller's transaction, so that it stands exactly where the deed does."""
    entry = Entry(at=at, tenant=tenant, surrogate=surrogate, actor=actor, action=action, outcome=outcome, **about)
    record_all(connection, [entry])


def record_all(connection: Connection, entries: Iterable[Entry]) -> None:
    """`record` for many lines at once."""
    rows = [{name: value or None for name, value in asdict(e).items() if name != "id"} for e in entries]
    for row in rows:
        row["tenant"] = row["tenant"] or ""  # everyone: what was done to the house
    if rows:
        connection.execute(insert(audit), rows)


def listed(
    engine: Engine,
    *,
    tenant: str,
    since: datetime | None = None,
    until: datetime | None = None,
    surrogate: str | None = None,
    events: Collection[str] | None = None,
    action: str | None = None,
    reason: str | None = None,
    limit: int | None = None,
) -> Iterator[Entry]:
    """A tenant's lines, oldest first, `since` included, `until` not. Read in pages, so the table may be long.

    `events`: only lines that name one of these, as `names_of_ticket` gives them.
    """
    wanted = [audit.c.tenant == tenant]
    wanted += [audit.c.event.in_(events)] if events is not None else []
    wanted += [audit.c.at >= since] if since else []
    wanted += [audit.c.at < until] if until else []
    chosen = {audit.c.surrogate: surrogate, audit.c.action: action, audit.c.reason: reason}
    wanted += [column == value for column, value in chosen.items() if value is not None]
    last, left = 0, limit
    while left is None or left > 0:
        page = PAGE if left is None else min(PAGE, left)
        query = select(audit).where(*wanted, audit.c.id > last).order_by(audit.c.id).limit(page)
        with reading(engine) as connection:
            rows = connection.execute(query).all()
        yield from (Entry(**row._mapping) for row in rows)
        if len(rows) < page:
            return
        last, left = rows[-1].id, None if left is None else left - page


def names_of_ticket(engine: Engine, keys: Keys, tenant: str, ticket: str) -> list[str]:
    """What lines about a ticket name it by: its own keyed hash (a retraction does), and its events' row ids."""
    theirs = select(events.c.id).where(events.c.tenant == tenant, events.c.ticket == ticket)
    with reading(engine) as connection:
        return [keys.ticket(tenant, ticket), *connection.execute(theirs).scalars()]
