"""How asking a model can end. Every fault is a value; what is slow to load (the model client) is not needed here."""

import time
from dataclasses import dataclass, field

from pipeline.reasons import Reason


@dataclass(frozen=True, kw_only=True)
class Reply:
    """The model's words and what they cost: tokens as the server counts them, wall time in milliseconds."""

    text: str = field(repr=False)
    prompt_tokens: int = 0
    reply_tokens: int = 0
    ms: int = 0


@dataclass(frozen=True, kw_only=True)
class Passing:
    """A fault that time mends. `retry_after`: seconds, where the server named them."""

    reason: Reason
    retry_after: float | None = None


@dataclass(frozen=True, kw_only=True)
class Spent:
    """What the calls about one ticket cost, and whom they asked; nothing where none was answered."""

    model: str | None = None
    prompt_version: str | None = None
    model_ms: int | None = None
    prompt_tokens: int | None = None
    reply_tokens: int | None = None


@dataclass(frozen=True, kw_only=True)
class Lasting:
    """A fault that asking again does not mend."""

    reason: Reason
    spent: Spent = field(default=Spent(), compare=False)


@dataclass(frozen=True, kw_only=True)
class TooLong:
    """The prompt does not fit the model, or its reply was cut off: then that much of it is in `reply`."""

    reply: Reply | None = None


Answer = Reply | Passing | Lasting | TooLong


class Deadline:
    """One end for call, repair and parts of a ticket together. Counts on the monotonic clock."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    def left(self) -> float:
        return self._end - time.monotonic()
