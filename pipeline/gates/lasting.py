"""Gate 3: what is meant for this once, for a stretch of time, or not meant at all, is no preference."""

from pipeline.events import Role
from pipeline.facts import PASSED, Candidate, Verdict
from pipeline.gates.bearing import bearing_clauses
from pipeline.gates.cues import Cue, mood_keys
from pipeline.gates.shape import is_semantic
from pipeline.gates.words import letters, pieces
from pipeline.quoting import Place, clauses_of
from pipeline.reasons import Reason

ASIDE = 14
"""Up to so many letters (Han counts two) a clause is a remark on its whole sentence: 'just this once, …'."""


def judge_lasting(candidate: Candidate, spots: tuple[Place, ...]) -> Verdict:
    if candidate.lasting == "mood" or candidate.key in mood_keys() or Cue.MOOD_VALUE.search(candidate.value):
        return Verdict(reason=Reason.MOOD)
    if not is_semantic(candidate.kind) or candidate.ended:
        return PASSED
    own = tuple(spot for spot in spots if spot.line.role is Role.CUSTOMER)
    clauses = bearing_clauses(candidate, own)
    if candidate.lasting == "once" or (clauses and all(_is_once(clause) for clause in clauses)) or _once_apart(own):
        return Verdict(reason=Reason.TEMPORARY)
    if clauses and all(_is_bounded(clause, candidate.value) for clause in clauses):
        return Verdict(reason=Reason.TEMPORARY)
    if clauses and all(Cue.SARCASM.search(sentence) for spot in own for sentence in spot.sentences):
        return Verdict(reason=Reason.MOOD)
    return PASSED


def _once_apart(own: tuple[Place, ...]) -> bool:
    return bool(own) and all(_has_once_aside(sentence) for spot in own for sentence in spot.sentences)


def _has_once_aside(sentence: str) -> bool:
    return not Cue.ALWAYS.search(sentence) and any(_is_once_aside(clause) for clause in clauses_of(sentence))


def _is_once_aside(clause: str) -> bool:
    short = letters(clause) <= ASIDE and Cue.ONCE.search(clause) is not None
    return short or Cue.ONCE_ASIDE.search(clause) is not None


def _is_once(clause: str) -> bool:
    return Cue.ONCE.search(clause) is not None and not Cue.ALWAYS.search(clause)


def _is_bounded(clause: str, value: str) -> bool:
    """'漫游期间别打电话' as a preference that does not say when: the condition must be part of the value."""
    period = Cue.WHILE.search(clause)
    return period is not None and not Cue.ALWAYS.search(clause) and not (pieces(period[0]) & pieces(value))
