"""Which of the quoted clauses bear the value: what their cues say counts, not what a neighbour's cues say."""

from pipeline.facts import Candidate
from pipeline.gates.words import Pool, share, terms
from pipeline.quoting import Place


def bearing_clauses(candidate: Candidate, own: tuple[Place, ...]) -> tuple[str, ...]:
    """The clauses that bear the value: those of the quoted ones that share most with it, else all of them."""
    clauses = tuple(clause for spot in own for clause in spot.clauses)
    scores = [_overlap(candidate.value, clause) for clause in clauses]
    best = max(scores, default=0.0)
    return tuple(c for c, score in zip(clauses, scores, strict=True) if score >= 0.99 * best) if best else clauses


def _overlap(value: str, clause: str) -> float:
    found = terms(value)
    return share(value, Pool((clause,))) if found.words or found.han else 0.0
