"""Standard Webhooks signatures: HMAC-SHA256 over `id.timestamp.body`, base64, several secrets for rotation.

https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md. Written out here because the
package `standardwebhooks` raises on headers that are not well formed and decodes the body, which may be any bytes; here
every fault is an answer.
"""

import base64
import binascii
import hashlib
import hmac
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from enum import StrEnum
from typing import TypeVar

TOLERANCE = timedelta(minutes=5)
"""How far the signature's time may lie from ours: as the specification's libraries have it."""
MAX_SIGNATURES = 16
"""More than any rotation needs; each costs a comparison."""
SECRET_PREFIX = "whsec_"  # noqa: S105 (a prefix, no secret)
HEADERS = ("webhook-id", "webhook-timestamp", "webhook-signature")
T = TypeVar("T")


class Fault(StrEnum):
    """Why a signature does not count. The value is the error's code."""

    MISSING = "signature_missing"
    MALFORMED = "signature_malformed"
    OLD = "signature_old"
    WRONG = "signature_wrong"


def secret_bytes(text: str) -> bytes | None:
    """The bytes of a secret as it is written, with whsec_ or without; None where it is no base64."""
    try:
        return base64.b64decode(text.removeprefix(SECRET_PREFIX), validate=True) or None
    except (binascii.Error, ValueError):
        return None


def signature(secret: bytes, *, message_id: str, timestamp: int, body: bytes) -> str:
    """`v1,BASE64`, as it stands in the header `webhook-signature`. `timestamp` is in seconds, so no zone is lost."""
    signed = b".".join((message_id.encode(), str(timestamp).encode(), body))
    return "v1," + base64.b64encode(hmac.digest(secret, signed, hashlib.sha256)).decode()


def verified(
    headers: Mapping[str, str], body: bytes, secrets: Iterable[tuple[bytes, T]], *, now: datetime
) -> T | Fault:
    """What stands beside the secret that signed this, or why it does not count. Raises nothing, whatever is sent.

    `headers` have lower-case names. Every secret is tried against every signature, in constant time each.
    """
    message_id, stamp, given = (headers.get(name, "") for name in HEADERS)
    if not (message_id and stamp and given):
        return Fault.MISSING
    signatures = _signatures(given)
    if not (stamp.isascii() and stamp.isdecimal() and len(stamp) <= 12 and signatures):
        return Fault.MALFORMED
    if abs(now.timestamp() - int(stamp)) > TOLERANCE.total_seconds():
        return Fault.OLD
    signed = b".".join((message_id.encode("latin-1", "replace"), stamp.encode(), body))  # as it came over the wire
    found: T | None = None
    for secret, whose in secrets:
        expected = hmac.digest(secret, signed, hashlib.sha256)
        if any([hmac.compare_digest(expected, one) for one in signatures]) and found is None:  # noqa: C419 (all of them)
            found = whose
    return Fault.WRONG if found is None else found


def _signatures(header: str) -> list[bytes]:
    """The v1 signatures of the header, which lists them with spaces between. What cannot be read is none."""
    found = []
    for entry in header.split(" ")[:MAX_SIGNATURES]:
        version, _, text = entry.partition(",")
        if version != "v1":
            continue
        try:
            found.append(base64.b64decode(text.encode("ascii"), validate=True))
        except (binascii.Error, UnicodeEncodeError, ValueError):
            continue
    return found
