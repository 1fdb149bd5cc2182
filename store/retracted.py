"""Which tickets were retracted: by their plain name while what they said is withdrawn, by a keyed hash ever after."""

from collections.abc import Collection

from sqlalchemy import Connection, bindparam, select

from store.keys import Keys
from store.models import retractions

Ticket = tuple[str, str]
"""Tenant and ticket."""


def retracted(connection: Connection, keys: Keys, tickets: Collection[Ticket]) -> set[Ticket]:
    """Those of the tickets that may never come back."""
    forms = {(tenant, form): (tenant, t) for tenant, t in tickets if t for form in (t, keys.ticket(tenant, t))}
    if not forms:
        return set()
    asked = {"tenants": list({tenant for tenant, _ in forms}), "names": [form for _, form in forms]}
    known = connection.execute(_KNOWN, asked)
    return {forms[row.tenant, row.ticket] for row in known if (row.tenant, row.ticket) in forms}


_KNOWN = select(retractions.c.tenant, retractions.c.ticket).where(
    retractions.c.tenant.in_(bindparam("tenants", expanding=True)),
    retractions.c.ticket.in_(bindparam("names", expanding=True)),
)
