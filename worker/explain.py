"""Why each fact of a customer was told, and why each other was not."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import Any

from pipeline.kinds import Kind
from pipeline.ranking import Score, Scored
from pipeline.reasons import Reason
from store.rows import StoredFact


class Why(StrEnum):
    """The answer for one fact. `says` is the sentence for a person."""

    TOLD = "told"
    WITHHELD = "withheld"
    NOT_AMONG_K = "not_among_k"
    NO_ROOM = "no_room"
    OTHER_KIND = "other_kind"
    WEAKER_SOURCE = "weaker_source"
    EXPIRED = "expired"
    ENDED = "ended"
    NOT_YET = "not_yet"

    @property
    def says(self) -> str:
        return _SAYS[self]


_SAYS = {
    Why.TOLD: "it is in the block",
    Why.WITHHELD: "today's gates refuse it, so it is never told: afterword rescan --yes withdraws it",
    Why.NOT_AMONG_K: "others scored higher, and only so many were asked for (--k)",
    Why.NO_ROOM: "it did not fit into the block's budget (--budget)",
    Why.OTHER_KIND: "another kind was asked for (--kind)",
    Why.WEAKER_SOURCE: "its source is weaker than was asked for (--min-source)",
    Why.EXPIRED: "it was not confirmed in time and has expired",
    Why.ENDED: "it was replaced or has ended",
    Why.NOT_YET: "it holds only from a later moment on",
}


@dataclass(frozen=True, kw_only=True)
class Explained:
    """One fact with its reason; `rank` counts from 1 among those that were scored. What is withheld keeps its value to
    itself and names the gate's `reason`."""

    fact: StoredFact = field(repr=False)
    why: Why
    reason: Reason | None = None
    rank: int | None = None
    score: Score | None = None

    def document(self) -> dict[str, Any]:
        return {
            "id": self.fact.id,
            "key": self.fact.slot.key,
            "value": None if self.reason else self.fact.value,
            "why": self.why.value,
            "reason": self.reason,
            "says": self.why.says,
            "rank": self.rank,
            "score": self.score.total if self.score else None,
            "parts": self.score.parts if self.score else None,
        }


def explained(
    scored: Sequence[Scored[StoredFact]],
    past: Sequence[StoredFact],
    told: Collection[str],
    *,
    k: int,
    now: datetime,
    kinds: Collection[Kind] | None,
    refusal: Callable[[StoredFact], Reason | None],
) -> tuple[Explained, ...]:
    """Those that were scored, best first, then all others that are recorded (`past`), the youngest first.

    `refusal` says why a gate would not let a fact be told; that comes before any other reason.
    """
    listed = [
        Explained(fact=one.fact, why=_why_scored(one.fact.id in told, rank, k), rank=rank, score=one.score)
        for rank, one in enumerate(scored, start=1)
    ]
    seen = {one.fact.id for one in scored}
    rest = sorted((f for f in past if f.id not in seen), key=lambda f: (f.valid_from, f.id), reverse=True)
    listed += [Explained(fact=fact, why=_why_not_scored(fact, now, kinds)) for fact in rest]
    return tuple(_withheld(one, refusal(one.fact)) for one in listed)


def _withheld(one: Explained, reason: Reason | None) -> Explained:
    return replace(one, why=Why.WITHHELD, reason=reason) if reason else one


def _why_scored(told: bool, rank: int, k: int) -> Why:
    if told:
        return Why.TOLD
    return Why.NOT_AMONG_K if rank > k else Why.NO_ROOM


def _why_not_scored(fact: StoredFact, now: datetime, kinds: Collection[Kind] | None) -> Why:
    if fact.valid_from > now:
        return Why.NOT_YET
    if fact.expires_at is not None and fact.expires_at <= now and fact.valid_to in (None, fact.expires_at):
        return Why.EXPIRED
    if not fact.live_at(now):
        return Why.ENDED
    return Why.OTHER_KIND if kinds is not None and fact.kind not in kinds else Why.WEAKER_SOURCE
