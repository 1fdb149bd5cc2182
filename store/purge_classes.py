"""What the numbers of a purge count, by name, and after which setting each goes."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Class:
    """`after` is the setting that says how many days it is kept, or how else it goes."""

    explain: str
    after: str


def _days(name: str) -> str:
    return f"AFTERWORD_{name}_DAYS"


CLASSES = {
    "erased_events": Class(explain="inbox rows that a forget emptied: their number stays", after="at once"),
    "payloads": Class(explain="texts of tickets that are done: the inbox rows stay", after=_days("PAYLOAD")),
    "done_events": Class(explain="inbox rows of tickets that are done: their number stays", after=_days("EVENT")),
    "dead_events": Class(explain="dead letters, row and text: their number stays", after=_days("DEAD")),
    "withdrawn": Class(explain="statements that a retract, a replay or a rescan took back", after=_days("RETENTION")),
    "versions": Class(
        explain="versions of facts that a later version replaced; those that rested on what was withdrawn go with it",
        after=_days("HISTORY"),
    ),
    "reviews": Class(
        explain="questions, from the answer on or from the asking; also those about statements that go",
        after=_days("REVIEW"),
    ),
    "ties": Class(explain="questions about ties that nobody answered: closed, not deleted", after=_days("REVIEW")),
    "observations": Class(explain="statements that facts, questions or ends rested on", after="with those"),
    "expired": Class(
        explain="facts that have expired, with nothing said since, and what their slots held before",
        after=_days("EXPIRED_GRACE"),
    ),
    "ended": Class(
        explain="facts that have ended, with nothing said since, and what their slots held before",
        after=_days("HISTORY"),
    ),
    "history": Class(explain="facts that have ended and were followed by others", after=_days("HISTORY")),
    "expired_history": Class(
        explain="facts that have expired and were followed by others", after=_days("EXPIRED_GRACE")
    ),
    "lone_ends": Class(explain="statements that something is over, of which no fact stands", after=_days("HISTORY")),
    "customers": Class(explain="customers of whom nothing else is left", after=_days("HISTORY")),
    "receipts": Class(explain="receipts of recalls", after=_days("RECEIPT")),
    "audit": Class(explain="audit lines", after=_days("AUDIT")),
}
"""A fact counts with each of its recorded versions."""
