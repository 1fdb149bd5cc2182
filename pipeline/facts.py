"""The words of the domain: candidate, observation, fact, decision. Frozen, keyword-only, silent about their text."""

from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum

from pipeline.ids import CustomerRef
from pipeline.kinds import Kind
from pipeline.reasons import Reason


class Source(StrEnum):
    """Who says so. `rank` orders them: a lower rank never replaces a higher one."""

    SYSTEM = "system"
    AGENT_CONFIRMED = "agent_confirmed"
    EXTRACTED = "extracted"

    @property
    def rank(self) -> int:
        return {Source.SYSTEM: 3, Source.AGENT_CONFIRMED: 2, Source.EXTRACTED: 1}[self]


class Action(StrEnum):
    ADD = "ADD"
    UPDATE = "UPDATE"
    NOOP = "NOOP"
    REJECT = "REJECT"


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """A gate's answer. `reason` is None where it passed."""

    reason: Reason | None = None

    @property
    def passed(self) -> bool:
        return self.reason is None


PASSED = Verdict()


@dataclass(frozen=True, kw_only=True)
class Quote:
    """The exact words that show a fact, and where they stand: the message's position in the ticket, from 0."""

    message: int
    text: str = field(repr=False)


@dataclass(frozen=True, kw_only=True)
class Candidate:
    """What a model proposes. It never has an id: only what passed the gates is stored."""

    kind: str
    key: str
    value: str = field(repr=False)
    ended: bool = False
    quotes: tuple[Quote, ...] = ()
    speaker: str = "customer"
    """customer, agent, bot, system, internal_note: who said it."""
    about: str = "customer"
    """customer, organisation, third_party, agent: whom it is about."""
    lasting: str = "lasting"
    """lasting, until_date, once, mood: how long it is meant to hold."""
    until: date | None = None
    confidence: float = 1.0


@dataclass(frozen=True, kw_only=True)
class Slot:
    """What holds one value at a time: the customer's key, and the ticket for keys that hold one value a ticket."""

    ref: CustomerRef
    key: str
    ticket: str = ""


@dataclass(frozen=True, kw_only=True)
class Observation:
    """A statement that passed the gates, or that a system or a person made. Stored once, never changed.

    `id` is `pipeline.fold.observation_id`: a keyed hash of event, slot, value, source, `observed_at` and message.
    """

    id: str
    slot: Slot
    kind: Kind
    value: str = field(repr=False)
    ended: bool
    source: Source
    observed_at: datetime
    confidence: float
    importance: float
    expires_at: datetime | None
    event: str = ""
    """Row id of the event that it was read from; '' for what a system or a person stated."""
    ticket: str = ""
    """The ticket that it comes from, also where the slot holds one value for all tickets."""
    message: int = -1
    quotes: tuple[Quote, ...] = field(default=(), repr=False)
    has_transcript: bool = False
    """False for what an agent wrote over HTTP or MCP: `extracted` with no transcript needs a person's confirmation."""
    model: str = ""
    prompt_version: str = ""
    actor: str = ""


@dataclass(frozen=True, kw_only=True)
class Fact:
    """What the observations of a slot amount to over one stretch of valid time. Live while `valid_to` is None."""

    id: str
    slot: Slot
    kind: Kind
    value: str = field(repr=False)
    source: Source
    confidence: float
    importance: float
    valid_from: datetime
    valid_to: datetime | None
    expires_at: datetime | None
    evidence: tuple[str, ...]
    """Ids of the observations that state or confirm it, in order."""
    confirmed_at: datetime
    """The latest observation that states or confirms it: what recency counts from."""
    version: int = 1
    """Counts the recorded changes of this fact; set by the store."""

    def live_at(self, moment: datetime) -> bool:
        ended = self.valid_to is not None and self.valid_to <= moment
        expired = self.expires_at is not None and self.expires_at <= moment
        return self.valid_from <= moment and not ended and not expired


@dataclass(frozen=True, kw_only=True)
class Decision:
    """What became of one observation or candidate."""

    action: Action
    reason: Reason
    observation_id: str = ""
    fact_id: str = ""

    @property
    def for_review(self) -> bool:
        return self.reason in FOR_REVIEW


FOR_REVIEW = frozenset({Reason.OUTRANKED, Reason.UNSURE, Reason.NEEDS_CONFIRMATION, Reason.TIE})
