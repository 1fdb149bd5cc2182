"""The kinds of memory, as rows of policy (CoALA's semantic and episodic memory, https://arxiv.org/abs/2309.02427)."""

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum


class Kind(StrEnum):
    PREFERENCE = "preference"
    PROFILE = "profile"
    SITUATION = "situation"
    EPISODE = "episode"


@dataclass(frozen=True, kw_only=True)
class KindPolicy:
    """How long a kind lives after its last confirmation (None: until replaced), what it weighs, how fast it fades."""

    coala: str
    lives: timedelta | None
    importance: float
    half_life: timedelta


KINDS: dict[Kind, KindPolicy] = {
    Kind.PREFERENCE: KindPolicy(coala="semantic", lives=None, importance=0.8, half_life=timedelta(days=730)),
    Kind.PROFILE: KindPolicy(coala="semantic", lives=None, importance=0.7, half_life=timedelta(days=730)),
    Kind.SITUATION: KindPolicy(
        coala="episodic (open)", lives=timedelta(days=30), importance=0.7, half_life=timedelta(days=30)
    ),
    Kind.EPISODE: KindPolicy(coala="episodic", lives=timedelta(days=180), importance=0.5, half_life=timedelta(days=30)),
}
