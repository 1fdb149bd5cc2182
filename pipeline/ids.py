"""Identifiers: whose a fact is, and keyed hashes that name things without telling what they are."""

import hashlib
import hmac
import unicodedata
from dataclasses import dataclass

MAX_ID = 200


class BadId(ValueError):
    """An id is empty, over 200 characters, or holds control characters or surrogates. Names the field, not the id."""

    def __init__(self, field: str) -> None:
        super().__init__(f"{field}: want 1-{MAX_ID} characters without control characters")
        self.field = field


def checked_id(field: str, value: str) -> str:
    """`value` as it is, or BadId. Ids are compared byte for byte: nothing is folded or stripped."""
    if not 0 < len(value) <= MAX_ID or not (value.isprintable() or _without_controls(value)):
        raise BadId(field)
    return value


def _without_controls(value: str) -> bool:
    return not any(unicodedata.category(char) in ("Cc", "Cs") for char in value)


@dataclass(frozen=True, kw_only=True, order=True)
class CustomerRef:
    """Whose memory it is. Every read or write of a fact takes one: there is no wildcard and no default tenant."""

    tenant: str
    customer: str

    def __post_init__(self) -> None:
        checked_id("tenant", self.tenant)
        checked_id("customer", self.customer)


def keyed_id(key: bytes, *parts: str) -> str:
    """HMAC-SHA256 over length-prefixed UTF-8 parts, as 32 hex digits (128 bits).

    The prefixes keep ('ab', 'c') and ('a', 'bc') apart; the key keeps anyone without it from guessing the parts back.
    """
    mac = hmac.new(key, digestmod=hashlib.sha256)
    for part in parts:
        raw = part.encode("utf-8", "surrogatepass")
        mac.update(len(raw).to_bytes(8, "big"))
        mac.update(raw)
    return mac.hexdigest()[:32]
