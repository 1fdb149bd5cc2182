"""The masked ticket: the only form in which a conversation leaves the inbox."""

from dataclasses import dataclass, field
from datetime import datetime

from pipeline.events import Role

_MADE_BY_MASK = object()


@dataclass(frozen=True, kw_only=True)
class Line:
    """One masked message. `position` counts from 0 in the ticket as it came; `id` is the helpdesk's, where given."""

    position: int
    role: Role
    text: str = field(repr=False)
    id: str | None = None
    at: datetime | None = None


@dataclass(frozen=True, kw_only=True)
class Span:
    """One masked value: where it stood in the original message (character offsets, end exclusive)."""

    position: int
    start: int
    end: int
    placeholder: str


@dataclass(frozen=True)
class Transcript:
    """Masked messages. Only `pipeline.mask` makes one (it holds the token), and a prompt accepts nothing else."""

    lines: tuple[Line, ...] = field(repr=False)
    closed_at: datetime
    language: str
    spans: tuple[Span, ...] = field(repr=False)
    token: object = field(repr=False)

    def __post_init__(self) -> None:
        if self.token is not _MADE_BY_MASK:
            raise TypeError("a Transcript is made by pipeline.mask.masked() and by nothing else")

    def part(self, first: int, last: int) -> "Transcript":
        """The lines from index `first` up to, not including, `last`: for a ticket that is too long for one prompt."""
        return Transcript(self.lines[first:last], self.closed_at, self.language, self.spans, self.token)
