"""Gates 2 and 3: whose words these are, whom they are about, and whether they are meant to last.

Preferences and profile are held to all cues; an episode or a situation is dated and short-lived, so only quoted mail,
another person as its subject and an undecided future count against it.
"""

from pipeline.events import Role
from pipeline.facts import PASSED, Candidate, Verdict
from pipeline.gates.cues import Cue, mood_keys
from pipeline.gates.figures import numbers, times
from pipeline.gates.grounding import is_semantic, letters
from pipeline.gates.words import Pool, pieces, share, terms
from pipeline.kinds import Kind
from pipeline.quoting import Place, clauses_of, lines_of, own_words
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
    clauses = _bearing(candidate, own)
    if clauses and all(_is_third_party(clause, candidate.kind) for clause in clauses):
        return Verdict(reason=Reason.THIRD_PARTY)
    if _is_guess(candidate, own, clauses):
        return Verdict(reason=Reason.SPECULATION)
    return PASSED


def _is_third_party(clause: str, kind: str) -> bool:
    named = Cue.THIRD_PARTY.search(clause)
    if named:
        return not Cue.OWN.search(clause[named.end() :])
    return is_semantic(kind) and Cue.THIRD_PERSON.search(clause) is not None


def _is_guess(candidate: Candidate, own: tuple[Place, ...], clauses: tuple[str, ...]) -> bool:
    if candidate.kind == Kind.EPISODE or not clauses:
        return False
    undecided = any(Cue.UNDECIDED.search(sentence) for spot in own for sentence in spot.sentences)
    hedged = all(Cue.HEDGE.search(clause) for clause in clauses)
    return undecided or hedged or (is_semantic(candidate.kind) and all(_is_question(clause) for clause in clauses))


def _is_question(clause: str) -> bool:
    return Cue.ASKED.search(clause) is not None and not Cue.REQUEST.search(clause)


def judge_lasting(candidate: Candidate, spots: tuple[Place, ...]) -> Verdict:
    if candidate.lasting == "mood" or candidate.key in mood_keys() or Cue.MOOD_VALUE.search(candidate.value):
        return Verdict(reason=Reason.MOOD)
    if not is_semantic(candidate.kind) or candidate.ended:
        return PASSED
    own = tuple(spot for spot in spots if spot.line.role is Role.CUSTOMER)
    clauses = _bearing(candidate, own)
    if candidate.lasting == "once" or (clauses and all(_is_once(clause) for clause in clauses)) or _once_apart(own):
        return Verdict(reason=Reason.TEMPORARY)
    if clauses and all(_is_bounded(clause, candidate.value) for clause in clauses):
        return Verdict(reason=Reason.TEMPORARY)
    if clauses and all(Cue.SARCASM.search(sentence) for spot in own for sentence in spot.sentences):
        return Verdict(reason=Reason.MOOD)
    return PASSED


ASIDE = 14
"""Up to so many letters (a Han character counts two) a clause is a remark on its whole sentence: 'just this once, …'."""


def _once_apart(own: tuple[Place, ...]) -> bool:
    return bool(own) and all(_has_once_aside(sentence) for spot in own for sentence in spot.sentences)


def _has_once_aside(sentence: str) -> bool:
    asides = (clause for clause in clauses_of(sentence) if letters(clause) <= ASIDE)
    return not Cue.ALWAYS.search(sentence) and any(Cue.ONCE.search(clause) for clause in asides)


def _is_once(clause: str) -> bool:
    return Cue.ONCE.search(clause) is not None and not Cue.ALWAYS.search(clause)


def _is_bounded(clause: str, value: str) -> bool:
    """'漫游期间别打电话' as a preference that does not say when: the condition must be part of the value."""
    period = Cue.WHILE.search(clause)
    return period is not None and not Cue.ALWAYS.search(clause) and not (pieces(period[0]) & pieces(value))


def _bearing(candidate: Candidate, own: tuple[Place, ...]) -> tuple[str, ...]:
    """The clauses that bear the value: those of the quoted ones that share most with it, else all of them."""
    clauses = tuple(clause for spot in own for clause in spot.clauses)
    scores = [_overlap(candidate.value, clause) for clause in clauses]
    best = max(scores, default=0.0)
    return tuple(c for c, score in zip(clauses, scores, strict=True) if score >= 0.99 * best) if best else clauses


def _overlap(value: str, clause: str) -> float:
    found = terms(value)
    return share(value, Pool((clause,))) if found.words or found.han else 0.0


# --- the customer's own correction ------------------------------------------------------------------------------------


def judge_corrected(candidate: Candidate, spots: tuple[Place, ...], transcript: Transcript) -> Verdict:
    """Something the customer says after it takes the matter up with 'no, …' and holds less of the value than before."""
    if not is_semantic(candidate.kind) or candidate.ended or not spots:
        return PASSED
    last = max(spots, key=lambda spot: (spot.line.position, spot.end))
    matter = pieces(candidate.value) & pieces(" ".join(spot.quote for spot in spots))
    later = [own_words(line) for line in lines_of(transcript, (Role.CUSTOMER,)) if line.position > last.line.position]
    rest = last.line.text[last.end :]
    if any(_corrects(matter, text) for text in (rest, *later)) or _other_figure(candidate.value, (rest, *later[:1])):
        return Verdict(reason=Reason.CORRECTED)
    return PASSED


def _corrects(matter: frozenset[str], later: str) -> bool:
    """It shares a good part of the matter but not all of it: '增值税专用发票' after '增值税普通发票'."""
    if len(matter) < 2 or not Cue.CORRECTION.search(later):
        return False
    return 0.3 <= len(matter & pieces(later)) / len(matter) < 1.0


def _other_figure(value: str, later: tuple[str, ...]) -> bool:
    """'Sorry, I meant 3pm' right after '2pm': the same sort of figure, and none alike."""
    for text in later:
        if Cue.SLIP.search(text) and (
            _differ(times(value), times(text)) or (not times(value) and _differ(numbers(value), numbers(text)))
        ):
            return True
    return False


def _differ(mine: frozenset[int] | frozenset[str], theirs: frozenset[int] | frozenset[str]) -> bool:
    return bool(mine and theirs) and not set(mine) & set(theirs)
