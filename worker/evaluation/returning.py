"""Customers who come back: what they must say again, and what outdated things the agent is told. Judged on the block.

A customer without memory repeats everything they need; with one, what the block does not say.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from pipeline.annotation import Trap
from pipeline.catalogue import Catalogue
from pipeline.facts import Fact
from pipeline.matching import Said, Wanted, likeness
from pipeline.observe import FOR_NOW
from worker.evaluation.runner import Visited
from worker.evaluation.scoring import caught, wanted

LIKE = 0.45
"""How alike a told fact must be to a needed one under any key: the agent reads the value, not the key."""


@dataclass(frozen=True, kw_only=True)
class Visit:
    """One visit: what is needed, what of it the block says, and what is outdated in it."""

    customer: str
    lang: str
    ticket: str
    needed: tuple[str, ...]
    told: tuple[str, ...]
    outdated: tuple[str, ...] = field(default=(), repr=False)
    facts: int = 0

    @property
    def repeated(self) -> int:
        return len(self.needed) - len(self.told)

    def document(self) -> dict[str, Any]:
        return {
            "customer": self.customer,
            "ticket": self.ticket,
            "needed": list(self.needed),
            "told": list(self.told),
            "missing": [key for key in self.needed if key not in self.told],
            "outdated": list(self.outdated),
            "facts_in_block": self.facts,
        }


def visits(found: Sequence[Visited], catalogue: Catalogue) -> list[Visit]:
    return [_visit(one, catalogue) for one in found]


def _visit(one: Visited, catalogue: Catalogue) -> Visit:
    customer, ranked = one.customer, [scored.fact for scored in one.recalled.facts]
    places = [
        _place(wanted(customer.tickets[need.ticket], customer.needed(need), catalogue), ranked)
        for need in one.visit.needs
    ]
    needed = tuple(need.key for need in one.visit.needs)
    return Visit(
        customer=customer.customer_id,
        lang=customer.lang,
        ticket=customer.tickets[one.visit.ticket].dialogue_id,
        needed=needed,
        told=tuple(key for key, place in zip(needed, places, strict=True) if place is not None),
        outdated=tuple(sorted({trap.text for trap in outdated(one.visit.stale, ranked, catalogue)})),
        facts=len(ranked),
    )


def _place(need: Wanted, ranked: Sequence[Fact]) -> int | None:
    """The rank, from 1, of the first fact that says what is needed."""
    return next((n for n, fact in enumerate(ranked, 1) if answers(fact, need)), None)


def answers(fact: Fact, need: Wanted) -> bool:
    key = fact.slot.key.removesuffix(FOR_NOW)
    found = likeness(Said(key=key, value=fact.value), need)
    return found.veto is None and found.score >= (0.34 if key == need.key else LIKE)


def outdated(stale: Sequence[Trap], ranked: Sequence[Fact], catalogue: Catalogue) -> Iterator[Trap]:
    for trap in stale:
        if any(caught(trap, f.slot.key.removesuffix(FOR_NOW), f.kind, f.value, catalogue) for f in ranked):
            yield trap


def summary(of: Sequence[Visit]) -> dict[str, Any]:
    """With and without memory, over all visits."""
    needed = sum(len(visit.needed) for visit in of)
    repeated = sum(visit.repeated for visit in of)
    return {
        "customers": len({visit.customer for visit in of}),
        "visits": len(of),
        "needed": needed,
        "repeated_without_memory": needed,
        "repeated_with_memory": repeated,
        "spared": None if not needed else round(1 - repeated / needed, 4),
        "visits_with_outdated": sum(bool(visit.outdated) for visit in of),
        "outdated": sum(len(visit.outdated) for visit in of),
    }
