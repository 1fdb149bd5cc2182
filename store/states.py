"""The states of an inbox row, of a review item and of an erasure's scope."""

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
