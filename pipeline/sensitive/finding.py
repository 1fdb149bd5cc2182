"""What a detector found: where, and of which kind. Never the text itself."""

from dataclasses import dataclass
from typing import NamedTuple

from pipeline.reasons import Reason


class Hit(NamedTuple):
    """A find in the text that a detector was given: offsets there, end exclusive."""

    reason: Reason
    start: int
    end: int


@dataclass(frozen=True, kw_only=True, order=True)
class Finding:
    """A sensitive value or statement. Offsets in the original text, end exclusive."""

    start: int
    end: int
    reason: Reason


STATEMENTS = frozenset(
    {
        Reason.HEALTH,
        Reason.RELIGION,
        Reason.SEXUAL_LIFE,
        Reason.POLITICS,
        Reason.MINOR,
        Reason.SPECIAL_CATEGORY,
    }
)
"""Kinds that no placeholder can stand for: refused at the gate, left readable for the model."""
