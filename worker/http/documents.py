"""What the routes answer with: the shapes that the OpenAPI document promises."""

from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from worker.explain import Why
from worker.recalling import Flag, RankedBy


class Fact(BaseModel):
    """Times are ISO 8601 in UTC. Live while `valid_to` is null and `expires_at` is ahead or null."""

    id: str
    kind: str
    key: str
    value: str
    source: str
    valid_from: str
    valid_to: str | None
    expires_at: str | None
    confirmed_at: str
    confidence: float
    importance: float
    ticket: str | None
    version: int
    evidence: list[str]
    recorded_from: str
    recorded_to: str | None


class ScoreParts(BaseModel):
    importance: float
    recency: float
    trust: float
    relevance: float | None


class ScoredFact(Fact):
    score: float
    parts: ScoreParts


class Changes(BaseModel):
    """Ids of facts: those that are new or changed since then, and those that held then and do no more."""

    since: str
    fresh: list[str]
    gone: list[str]


class WhyOfFact(BaseModel):
    """One fact, told or not: `why` is for programs, `says` for people. `rank` counts from 1; null: was not ranked."""

    id: str
    key: str
    value: str | None = Field(description="null: withheld")
    why: Why
    reason: str | None = Field(description="which gate withholds it")
    says: str
    rank: int | None
    score: float | None
    parts: ScoreParts | None


class Recalled(BaseModel):
    """`block` goes into the agent's prompt as data. `receipt` explains the reply later.

    `changes` and `explained` are there where they were asked for.
    """

    facts: list[ScoredFact]
    block: str
    left_out: int
    pending: int = Field(description="tickets of this customer that are not read yet")
    degraded: bool = Field(description="the database did not answer: nothing was looked up")
    receipt: str | None
    ranked_by: RankedBy
    flags: list[Flag]
    changes: Changes | None = None
    explained: list[WhyOfFact] | None = None


class FactList(BaseModel):
    facts: list[Fact]


class QuoteOf(BaseModel):
    message: int
    text: str


class Observed(BaseModel):
    """One statement behind a fact."""

    id: str
    value: str
    source: str
    observed_at: str
    recorded_at: str
    ticket: str | None
    quotes: list[QuoteOf]
    model: str | None
    prompt_version: str | None
    actor: str | None
    confidence: float
    withdrawn: str | None


class ExplainedFact(Fact):
    observations: list[Observed]
    replaced: Fact | None
    replaced_by: Fact | None
    versions: list[Fact]


class Decided(BaseModel):
    decision: str = Field(examples=["ADD"])
    reason: str = Field(examples=["new"])
    fact: str | None


class Forgotten(BaseModel):
    """`line` is the number in the erasure ledger; `erased` counts what went."""

    line: int
    erased_at: str
    erased: dict[str, int]


class Export(BaseModel):
    """Everything that is held on a customer; the README describes it."""

    model_config = ConfigDict(extra="allow")

    schema_: str = Field(alias="schema")
    tenant: str
    customer: str
    facts: list[dict[str, Any]]
    observations: list[dict[str, Any]]
    events: list[dict[str, Any]]
