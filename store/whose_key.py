"""Whether the master key is the one that database and ledger began with.

Keyed hashes name who is to be forgotten. Under another key they name nobody: a forget would take nothing, and its line
in the ledger would forget nobody in a restored backup either.
"""

from sqlalchemy import Connection, Engine, Table, select

from pipeline.ids import CustomerRef
from store.engine import reading
from store.keys import Keys
from store.ledger import Ledger
from store.models import customers, events


class WrongKey(Exception):
    """Put back the master key that it began with (AFTERWORD_KEY, or the key file under AFTERWORD_HOME); where that is
    lost for good, begin with a new database and a new ledger. Nothing was changed."""

    for_people = True


def check_key(engine: Engine, keys: Keys, ledger: Ledger) -> None:
    """Raises WrongKey, unless a customer's keyed name in the database, or where it holds nobody the ledger's last line,
    was made with these keys; of an empty database without a ledger any key is the right one."""
    with reading(engine) as connection:
        known = _known(connection, keys, customers)
        known = _known(connection, keys, events) if known is None else known
    if known is None:
        _check_ledger(keys, ledger)
    elif not known:
        raise WrongKey(f"the database was written under another master key than {keys.key_id}")


def _known(connection: Connection, keys: Keys, table: Table) -> bool | None:
    """Whether a customer whom the table names is named by these keys; None where it names nobody."""
    c = table.c
    named = select(c.tenant, c.customer, c.subject).where(c.customer.is_not(None), c.subject.is_not(None))
    row = connection.execute(named.limit(1)).first()
    return row and row.subject == keys.subject(CustomerRef(tenant=row.tenant, customer=row.customer))


def _check_ledger(keys: Keys, ledger: Ledger) -> None:
    for line in ledger.after(ledger.last() - 1):
        if line.key_id != keys.key_id:
            raise WrongKey(f"the erasure ledger was written under the master key {line.key_id}, not {keys.key_id}")
