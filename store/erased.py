"""Who was forgotten, and when: what every door asks before it lets anything in."""

import hashlib
from collections.abc import Collection
from datetime import datetime

from sqlalchemy import Connection, bindparam, func, select

from pipeline.ids import CustomerRef
from store.keys import Keys
from store.models import erasures, opt_outs
from store.states import ErasureScope


def latest_erasures(connection: Connection, keys: Keys, refs: Collection[CustomerRef]) -> dict[CustomerRef, datetime]:
    """For each customer who was ever forgotten, alone or with the whole tenant: the last time that it happened."""
    subjects = {keys.subject(ref): ref for ref in refs}
    tenants = {keys.tenant_subject(tenant): tenant for tenant in {ref.tenant for ref in refs}}
    found = _latest(connection, [*subjects, *tenants])
    latest: dict[CustomerRef, datetime] = {}
    for ref in refs:
        times = [found.get(keys.subject(ref)), found.get(keys.tenant_subject(ref.tenant))]
        if known := [at for at in times if at]:
            latest[ref] = max(known)
    return latest


def _latest(connection: Connection, subjects: list[str]) -> dict[str, datetime]:
    return {row.subject: row.at for row in connection.execute(_LATEST, {"subjects": subjects})}


_LATEST = (
    select(erasures.c.subject, func.max(erasures.c.erased_at).label("at"))
    .where(
        erasures.c.subject.in_(bindparam("subjects", expanding=True)),
        erasures.c.scope.in_([ErasureScope.CUSTOMER, ErasureScope.TENANT]),
    )
    .group_by(erasures.c.subject)
)


def erased_at(connection: Connection, keys: Keys, ref: CustomerRef) -> datetime | None:
    """When this customer was last forgotten; None for never."""
    return latest_erasures(connection, keys, [ref]).get(ref)


def opted_out(connection: Connection, keys: Keys, ref: CustomerRef) -> bool:
    """Whether this customer has switched memory off."""
    return connection.execute(_OPTED_OUT, {"of": keys.subject(ref)}).first() is not None


_OPTED_OUT = select(opt_outs.c.subject).where(opt_outs.c.subject == bindparam("of"))


def accepting_lock(tenant: str) -> int:
    """The advisory lock that an erasure takes alone and every accept of this tenant takes shared.

    Without it an event could be inserted, unseen, while its customer is being forgotten, and stay.
    """
    return int.from_bytes(hashlib.sha256(f"accept:{tenant}".encode()).digest()[:8], "big", signed=True)
