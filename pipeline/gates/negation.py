"""A negation that was turned round: 'phone' from 'please don't phone me', 'Heroku' from 'moved off Heroku'."""

from pipeline.facts import Candidate
from pipeline.gates.cues import Cue
from pipeline.gates.shape import is_semantic
from pipeline.gates.words import Pool, terms
from pipeline.quoting import Place, clauses_of


def flips(candidate: Candidate, spots: tuple[Place, ...]) -> bool:
    """Whether a preference states plainly what its quote only denies: 'phone' from 'please don't phone me'.

    The other direction is left alone: 'not e-mail' may well follow from 'e-mail gets lost'.
    """
    if not is_semantic(candidate.kind) or candidate.ended or Cue.NEGATIVE_KEY.search(candidate.key):
        return False
    if Cue.ANY_NEGATION.search(candidate.value):
        return False
    shared = [_stands(candidate.value, clause) for spot in spots for clause in _quoted_clauses(spot)]
    return any(denied for _, denied in shared) and not any(plain for plain, _ in shared)


def _quoted_clauses(spot: Place) -> tuple[str, ...]:
    return spot.clauses or clauses_of(spot.quote)


def _stands(value: str, clause: str) -> tuple[bool, bool]:
    """Whether the value's content stands in the clause plainly, and whether it stands there denied."""
    denied: list[str] = []
    plain = clause
    for cue in (Cue.NEGATED, Cue.LEFT_BEHIND, Cue.NO_USE):
        found, plain = cue.taken_from(plain)
        denied += found
    return _overlaps(value, plain), bool(denied) and _overlaps(value, " ".join(denied))


def _overlaps(value: str, text: str) -> bool:
    pool, found = Pool((text,)), terms(value)
    han = [char for char in found.han if pool.has_han_char(char, value, paired=False)]
    return any(pool.has_word(word) for word in found.words) or len(han) >= min(2, max(1, len(found.han)))
