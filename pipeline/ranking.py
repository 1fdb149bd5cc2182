"""The order in which facts are handed out, and why: each score comes in its parts.

Three laws hold, and the tests check them: newer never scores lower, a stronger source never scores lower, and a fact's
score does not depend on its neighbours (so: no min-max, no rank fusion).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Generic, TypeVar

from pipeline.facts import Fact, Source
from pipeline.kinds import KINDS

F_co = TypeVar("F_co", bound=Fact, covariant=True)

TRUST: dict[Source, float] = {Source.SYSTEM: 1.0, Source.AGENT_CONFIRMED: 0.95, Source.EXTRACTED: 0.9}
"""Close together: whom we believe decides what is stored; in what order it is told is a matter of weight."""
BOOST = 0.05
"""How much everything but relevance may add to a score: a relevance that is greater by more than this always wins.

Cosines of right and second answers lie about 0.1 apart: with 0.2 a right answer that is older or of a lighter kind lost
its place one time in ten, with this one in fifty."""


@dataclass(frozen=True, kw_only=True)
class Score:
    """`total` is what facts are ordered by. All parts lie between 0 and 1; `relevance` is None without a query."""

    total: float
    importance: float
    recency: float
    trust: float
    relevance: float | None = None

    @property
    def parts(self) -> dict[str, float | None]:
        return {
            "importance": self.importance,
            "recency": self.recency,
            "trust": self.trust,
            "relevance": self.relevance,
        }


@dataclass(frozen=True, kw_only=True)
class Scored(Generic[F_co]):
    """A fact and its score."""

    fact: F_co
    score: Score


def score(fact: Fact, *, now: datetime, relevance: float | None = None) -> Score:
    """Importance × recency × trust; with a relevance (0 to 1), that plus a boost of at most BOOST."""
    recency, trust = _recency(fact, now), TRUST[fact.source]
    weight = fact.importance * recency * trust
    total = weight if relevance is None else relevance + BOOST * weight
    return Score(total=total, importance=fact.importance, recency=recency, trust=trust, relevance=relevance)


def ranked(
    facts: Iterable[F_co], *, now: datetime, relevances: Mapping[str, float] | None = None
) -> list[Scored[F_co]]:
    """Best first; equal scores in order of id. `relevances` is by fact id; what it does not name has none (0)."""
    known = (lambda fact: None) if relevances is None else (lambda fact: relevances.get(fact.id, 0.0))
    scored = [Scored(fact=fact, score=score(fact, now=now, relevance=known(fact))) for fact in facts]
    return sorted(scored, key=lambda one: (-one.score.total, one.fact.id))


def _recency(fact: Fact, now: datetime) -> float:
    """1 when just confirmed, half of it after each half-life of its kind. What comes from the future is new."""
    age = max((now - fact.confirmed_at).total_seconds(), 0.0)
    return float(0.5 ** (age / KINDS[fact.kind].half_life.total_seconds()))
