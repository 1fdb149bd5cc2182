"""Which tickets were retracted: by their plain name while what they said is withdrawn, by a keyed hash ever after."""

from collections.abc import Collection

from sqlalchemy import Connection, select

from store.keys import Keys
from store.models import retractions

Ticket = tuple[str, str]
"""Tenant and ticket."""


def retracted(connection: Connection, keys: Keys, tickets: Collection[Ticket]) -> set[Ticket]:
    """Those of the tickets that may never come back."""
    forms = {(tenant, form): (tenant, t) for tenant, t in tickets if t for form in (t, keys.ticket(tenant, t))}
    if not forms:
        return set()
    c = retractions.c
    tenants, names = {tenant for tenant, _ in forms}, {form for _, form in forms}
    known = select(c.tenant, c.ticket).where(c.tenant.in_(tenants), c.ticket.in_(names))
    return {forms[row.tenant, row.ticket] for row in connection.execute(known) if (row.tenant, row.ticket) in forms}
