"""Gate 2: whose words these are, and whom they are about.

Preferences and profile are held to all cues; an episode or a situation is dated and short-lived, so only quoted mail,
another person as its subject and an undecided future count against it.
"""

from pipeline.events import Role
from pipeline.facts import PASSED, Candidate, Verdict
from pipeline.gates.bearing import bearing_clauses
from pipeline.gates.cues import Cue
from pipeline.gates.shape import is_semantic
from pipeline.kinds import Kind
from pipeline.quoting import Place, clauses_of
from pipeline.reasons import Reason
from pipeline.transcript import Transcript


def judge_speaker(candidate: Candidate, spots: tuple[Place, ...], transcript: Transcript) -> Verdict:
    """Quotes of anyone but the customer and the agent are refused; the agent alone shows nothing."""
    roles = {spot.line.role for spot in spots}
    own = tuple(spot for spot in spots if spot.line.role is Role.CUSTOMER)
    if roles - {Role.CUSTOMER, Role.AGENT} or not own:
        return Verdict(reason=Reason.NOT_CUSTOMER)
    if is_semantic(candidate.kind) and candidate.speaker != Role.CUSTOMER:
        return Verdict(reason=Reason.NOT_CUSTOMER)
    if candidate.about == "agent" or candidate.speaker not in (Role.CUSTOMER, Role.AGENT):
        return Verdict(reason=Reason.NOT_CUSTOMER)
    if candidate.about == "third_party" or any(spot.foreign for spot in own):
        return Verdict(reason=Reason.THIRD_PARTY)
    return _subject(candidate, own)


def usable_spots(candidate: Candidate, spots: tuple[Place, ...]) -> tuple[Place, ...]:
    """What an agent says is no evidence of a preference or a profile: those rest on the customer's quotes alone."""
    if not is_semantic(candidate.kind):
        return spots
    return tuple(spot for spot in spots if spot.line.role is not Role.AGENT) or spots


def _subject(candidate: Candidate, own: tuple[Place, ...]) -> Verdict:
    clauses = tuple(_with_subject(clause, own) for clause in bearing_clauses(candidate, own))
    if clauses and all(_is_third_party(clause, candidate.kind) for clause in clauses):
        return Verdict(reason=Reason.THIRD_PARTY)
    if _is_guess(candidate, own, clauses):
        return Verdict(reason=Reason.SPECULATION)
    return PASSED


def _with_subject(clause: str, own: tuple[Place, ...]) -> str:
    """'Tom, our intern, uses Opera': the sentence, where the clause begins with its verb after somebody."""
    sentences = (sentence for spot in own for sentence in spot.sentences if clause in sentence)
    named = (sentence for sentence in sentences if Cue.SOMEBODY.search(sentence.split(clause)[0]))
    return f"somebody else {clause}" if Cue.BARE_VERB.search(clause) and any(named) else clause


def _is_third_party(clause: str, kind: str) -> bool:
    named = Cue.THIRD_PARTY.search(clause)
    if named:
        return not Cue.OWN.search(clause[named.end() :])
    return is_semantic(kind) and Cue.THIRD_PERSON.search(clause) is not None


def _is_guess(candidate: Candidate, own: tuple[Place, ...], clauses: tuple[str, ...]) -> bool:
    if candidate.kind == Kind.EPISODE or not clauses:
        return False
    undecided = any(Cue.UNDECIDED.search(sentence) for spot in own for sentence in spot.sentences)
    hedged = all(Cue.HEDGE.search(clause) or _is_hearsay(clause, own) for clause in clauses)
    return undecided or hedged or (is_semantic(candidate.kind) and all(_is_question(clause) for clause in clauses))


def _is_hearsay(clause: str, own: tuple[Place, ...]) -> bool:
    """'Someone told me, e-mail is best': the clause stands right behind one that says it is another's word."""
    for sentence in (sentence for spot in own for sentence in spot.sentences if clause in sentence):
        before = clauses_of(sentence.split(clause)[0])
        if before and Cue.HEARSAY_ASIDE.search(before[-1]):
            return True
    return False


def _is_question(clause: str) -> bool:
    return Cue.ASKED.search(clause) is not None and not Cue.REQUEST.search(clause)
