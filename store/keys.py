"""The secrets that the store works with, derived from one master key (HKDF-SHA256, RFC 5869)."""

import hashlib
from dataclasses import dataclass, field

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from pipeline.ids import CustomerRef, keyed_id

MASTER_BYTES = 32


@dataclass(frozen=True, kw_only=True)
class Keys:
    """`payload` encrypts inbox payloads, `ids` keys observation and event hashes, `ledger` names erased subjects.

    `key_id` tells which master key it was without telling the key.
    """

    payload: bytes = field(repr=False)
    ids: bytes = field(repr=False)
    ledger: bytes = field(repr=False)
    key_id: str

    def subject(self, ref: CustomerRef) -> str:
        """The customer's name in the ledger: a keyed hash over tenant and customer."""
        return keyed_id(self.ledger, "customer", ref.tenant, ref.customer)

    def ticket(self, tenant: str, ticket: str) -> str:
        """A ticket's name where it is kept for ever: a keyed hash over tenant and ticket."""
        return keyed_id(self.ids, "ticket", tenant, ticket)

    def tenant_subject(self, tenant: str) -> str:
        return keyed_id(self.ledger, "tenant", tenant)


def keys_from(master: bytes) -> Keys:
    """The working keys of a 32-byte master key."""
    if len(master) != MASTER_BYTES:
        raise ValueError(f"AFTERWORD_KEY: want {MASTER_BYTES} bytes")
    return Keys(
        payload=_derived(master, b"payload"),
        ids=_derived(master, b"ids"),
        ledger=_derived(master, b"ledger"),
        key_id=hashlib.sha256(_derived(master, b"key id")).hexdigest()[:8],
    )


def _derived(master: bytes, purpose: bytes) -> bytes:
    return HKDF(algorithm=SHA256(), length=32, salt=None, info=b"afterword " + purpose).derive(master)
