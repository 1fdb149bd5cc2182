"""What the inbox keeps of a ticket: sealed with AES-256-GCM, bound to its row and tenant, so no blob fits another row.

A blob is one version byte, a random nonce of 12 bytes (NIST SP 800-38D, 8.2.2), then ciphertext and tag.
"""

import os
from datetime import UTC

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from pydantic import ValidationError

from pipeline.events import TicketClosed
from pipeline.ids import keyed_id
from store.keys import Keys

_VERSION = b"\x01"
_NONCE_BYTES = 12
_HEAD = len(_VERSION) + _NONCE_BYTES


class Undecryptable(Exception):
    """The payload does not decrypt. Its key was lost or changed (compare AFTERWORD_KEY with the one that the inbox
    was filled with), or the row was tampered with. Nothing can read it: the ticket is dead, replay it once the key is
    back."""

    def __init__(self) -> None:
        super().__init__("the payload does not decrypt: wrong or lost AFTERWORD_KEY, or a damaged row")


def sealed(keys: Keys, event: TicketClosed, row_id: str) -> bytes:
    """The event as the inbox row `row_id` keeps it."""
    nonce = os.urandom(_NONCE_BYTES)
    text = event.model_dump_json(exclude_none=True).encode()
    return _VERSION + nonce + AESGCM(keys.payload).encrypt(nonce, text, _bound_to(row_id, event.tenant))


def opened(keys: Keys, blob: bytes, *, row_id: str, tenant: str) -> TicketClosed:
    """The event that `sealed` put into row `row_id` of `tenant`. Raises Undecryptable."""
    if blob[:1] != _VERSION:
        raise Undecryptable
    try:
        text = AESGCM(keys.payload).decrypt(blob[1:_HEAD], blob[_HEAD:], _bound_to(row_id, tenant))
        return TicketClosed.model_validate_json(text)
    except (InvalidTag, ValidationError, ValueError):
        raise Undecryptable from None  # the cause could carry text


def digest(keys: Keys, event: TicketClosed) -> str:
    """A keyed hash of all that the event says: the same id with another digest is a conflict. The zone in which its
    close was written does not count: the moment is the same."""
    return digest_as_written(keys, event.model_copy(update={"closed_at": event.closed_at.astimezone(UTC)}))


def digest_as_written(keys: Keys, event: TicketClosed) -> str:
    """As rows have it that were taken in while the zone still counted."""
    return keyed_id(keys.ids, "content", event.model_dump_json())


def event_hash(keys: Keys, tenant: str, event_id: str) -> str:
    """The event's name once it may no longer be named: a keyed hash of tenant and event id."""
    return keyed_id(keys.ids, "event", tenant, event_id)


def row_id(keys: Keys, tenant: str, event_id: str) -> str:
    """The id of the event's inbox row: all that a queue ever carries of it.

    It follows from the event, and observation ids follow from it. So an event that is delivered once more when its row
    was purged long ago still says the same observations, and none that was forgotten comes back under another id.
    """
    return keyed_id(keys.ids, "row", tenant, event_id)


def _bound_to(row_id: str, tenant: str) -> bytes:
    return f"{row_id}:{tenant}".encode()
