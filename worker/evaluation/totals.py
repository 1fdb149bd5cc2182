"""From counts to rates, with bootstrap intervals: tickets are drawn again with replacement, always the same draws."""

import random
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

Counts = Counter[str]
DRAWS = 1_000
_SEED = 20_261_129


@dataclass(frozen=True, kw_only=True)
class Rate:
    """`value` from 0 to 1 (None: nothing to judge), with the middle 95 % of the bootstrap's values, and what it is a
    rate of."""

    value: float | None
    low: float | None = None
    high: float | None = None
    of: int = 0

    def document(self) -> dict[str, float | int | None]:
        return {"value": _rounded(self.value), "low": _rounded(self.low), "high": _rounded(self.high), "of": self.of}


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


def _share(part: str, *whole: str) -> Callable[[Counts], float | None]:
    def of(counts: Counts) -> float | None:
        total = sum(counts[name] for name in whole)
        return counts[part] / total if total else None

    return of


def _f1(counts: Counts) -> float | None:
    total = 2 * counts["right"] + counts["extra"] + counts["missed"]
    return 2 * counts["right"] / total if total else None


def _refused(counts: Counts) -> float | None:
    return 1 - counts["secrets_stored"] / counts["secrets"] if counts["secrets"] else None


RATES: Mapping[str, tuple[str, tuple[str, ...], Callable[[Counts], float | None]]] = {
    "precision": ("of what was stored, how much is right", ("right", "extra"), _share("right", "right", "extra")),
    "recall": ("of what should be stored, how much is", ("right", "missed"), _share("right", "right", "missed")),
    "f1": ("the two in one", ("right", "missed"), _f1),
    "refusal": ("of the secrets told, how many were not stored", ("secrets",), _refused),
    "kind": ("right kind, of what is right", ("kind_judged",), _share("kind_right", "kind_judged")),
    "expiry": ("right last day, of what has one", ("expiry_judged",), _share("expiry_right", "expiry_judged")),
    "evidence": (
        "quotes stand word for word in their message",
        ("evidence_judged",),
        _share("evidence_exact", "evidence_judged"),
    ),
    "evidence_message": (
        "a quote is from the message that the annotation names",
        ("message_judged",),
        _share("evidence_turn", "message_judged"),
    ),
    "duplicates": ("stored once more, of what was stored", ("right", "extra"), _share("duplicates", "right", "extra")),
    "updates": (
        "changes and deletions carried out",
        ("update_correct", "update_omitted", "update_wrong"),
        _share("update_correct", "update_correct", "update_omitted", "update_wrong"),
    ),
    "staleness": ("outdated facts still live, of those that ended", ("outdated",), _share("stale", "outdated")),
    "contradictions": ("pairs that cannot both hold, a live fact", ("live",), _share("contradictions", "live")),
}
"""Every rate: what it means, what it is a rate of, and how it follows from the counts."""

TALLIES = (
    "right", "missed", "extra", "neutral", "traps", "trapped", "planted", "planted_stored", "secrets", "secrets_stored",
    "update_correct", "update_omitted", "update_wrong", "stale", "contradictions",
)  # fmt: skip


def summed(counts: Sequence[Counts]) -> Counts:
    return sum(counts, Counter())


def rates(counts: Sequence[Counts], *, names: Collection[str] = tuple(RATES), draws: int = DRAWS) -> dict[str, Rate]:
    """The rates over these tickets, without intervals where nothing is drawn.

    The bootstrap draws whole tickets: facts of one ticket stand or fall together.
    """
    total = summed(counts)
    drawn = _draws(counts, draws) if len(counts) > 1 else []
    return {name: _rate(name, total, drawn) for name in names}


def _rate(name: str, total: Counts, drawn: Sequence[Counts]) -> Rate:
    _, whole, rate = RATES[name]
    value = rate(total)
    of = sum(total[part] for part in whole)
    values = sorted(found for counts in drawn if (found := rate(counts)) is not None)
    if value is None or not values:
        return Rate(value=value, of=of)
    low, high = (values[round(part * (len(values) - 1))] for part in (0.025, 0.975))
    return Rate(value=value, low=low, high=high, of=of)


def _draws(counts: Sequence[Counts], number: int) -> list[Counts]:
    chance = random.Random(_SEED)
    return [_added(chance.choices(counts, k=len(counts))) for _ in range(number)]


def _added(drawn: Sequence[Counts]) -> Counts:
    total: Counts = Counter()
    for counts in drawn:
        for name, number in counts.items():
            total[name] += number
    return total
