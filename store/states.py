"""The states of an inbox row, a review item and a fetch; an erasure's scope; who a token speaks for."""

from enum import StrEnum


class State(StrEnum):
    PENDING = "pending"
    PROCESSING = "processing"
    DONE = "done"
    DEAD = "dead"
    ERASED = "erased"


class Lane(StrEnum):
    """Which queue an event travels on. A backfill never delays today; what lost its worker twice runs alone."""

    LIVE = "live"
    BACKFILL = "backfill"
    QUARANTINE = "quarantine"


class ReviewState(StrEnum):
    OPEN = "open"
    ACCEPTED = "accepted"
    DISMISSED = "dismissed"


class ErasureScope(StrEnum):
    CUSTOMER = "customer"
    TENANT = "tenant"
    FACT = "fact"
    SWITCH = "switch"
    """Memory switched off or on for a customer: a line of the ledger that erases nothing."""


class TokenKind(StrEnum):
    """A token is shown by who calls; a signing secret signs what they send."""

    TOKEN = "token"  # noqa: S105 (a word, no secret)
    SIGNING = "signing"


class Role(StrEnum):
    """What stands behind a token, which decides the source of what it states."""

    SYSTEM = "system"
    PERSON = "person"
    AGENT = "agent"


class FetchState(StrEnum):
    PENDING = "pending"
    DEAD = "dead"
