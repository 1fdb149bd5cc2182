"""How long each kind of row is kept, as data."""

from dataclasses import dataclass
from datetime import datetime, timedelta


@dataclass(frozen=True, kw_only=True)
class Retention:
    """Days. What `forget` took has none: it is gone at once, and the next purge clears what it left in files."""

    payload_days: int = 7
    """Payloads of tickets that are done."""
    event_days: int = 90
    """Inbox rows of tickets that are done."""
    dead_days: int = 30
    """Dead letters, payload and row."""
    retention_days: int = 30
    """Observations that were withdrawn, by a retract or a replay, and the recorded facts that rested on them."""
    expired_grace_days: int = 30
    """Facts after they have expired."""
    history_days: int = 730
    """Facts that have ended, and versions that were recorded and superseded."""
    review_days: int = 180
    """Questions for a person, from their answer on, or from their asking where nobody answered."""
    receipt_days: int = 90
    audit_days: int = 730

    def cut(self, days: int, now: datetime) -> datetime:
        """What is at or before this moment has had its time."""
        return now - timedelta(days=days)
