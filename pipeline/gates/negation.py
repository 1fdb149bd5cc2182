"""What says the opposite of its quote: 'phone' from 'please don't phone me', 'do not call' from 'please call me', jazz
from 'the thing about me liking jazz: wipe it'.
"""

from pipeline.events import Role
from pipeline.facts import Candidate
from pipeline.gates.cues import Cue
from pipeline.gates.shape import is_semantic
from pipeline.gates.words import Pool, pieces, terms
from pipeline.quoting import Place, clauses_of

_DENYING = (Cue.NEGATED, Cue.LEFT_BEHIND, Cue.NO_USE)


def flips(candidate: Candidate, spots: tuple[Place, ...], answered: tuple[str, ...] = ()) -> bool:
    """Whether a preference or profile says the opposite of its quote. `answered`: the questions that quotes answer."""
    if not is_semantic(candidate.kind) or candidate.ended:
        return False
    names_what_to_avoid = Cue.NEGATIVE_KEY.search(candidate.key) is not None
    if names_what_to_avoid or Cue.NEGATION.search(candidate.value):
        return not _denies(spots, answered)
    return not Cue.BOUND.search(candidate.value) and _affirms_what_is_denied(candidate.value, spots)


def _denies(spots: tuple[Place, ...], answered: tuple[str, ...]) -> bool:
    """Whether what is quoted denies anything, or says something from which a denial may follow: 'e-mail gets lost'."""
    texts = (*(text for spot in spots for text in (spot.quote, *spot.sentences)), *answered)
    return any(cue.search(text) for text in texts for cue in (Cue.NEGATION, Cue.DENIAL, *_DENYING))


def _affirms_what_is_denied(value: str, spots: tuple[Place, ...]) -> bool:
    """'phone' from 'please don't phone me', 'e-mail only' from 'never e-mail us, phone only'."""
    shared = [_stands(value, clause) for spot in spots for clause in _quoted_clauses(spot)]
    return any(denied for _, denied in shared) and not any(plain for plain, _ in shared)


def _quoted_clauses(spot: Place) -> tuple[str, ...]:
    return spot.clauses or clauses_of(spot.quote)


def _split(text: str) -> tuple[str, str]:
    """What `text` denies, and what it says."""
    denied: list[str] = []
    for cue in _DENYING:
        found, text = cue.taken_from(text)
        denied += found
    return " ".join(denied), text


def _stands(value: str, clause: str) -> tuple[bool, bool]:
    """Whether the value's content stands in the clause plainly, and whether it stands there denied."""
    denied, plain = _split(clause)
    return _overlaps(value, plain), _overlaps(value, denied)


def _overlaps(value: str, text: str) -> bool:
    pool, found = Pool((text,)), terms(value)
    han = [char for char in found.han if pool.has_han_char(char, value, paired=False)]
    return any(pool.has_word(word) for word in found.words) or len(han) >= min(2, max(1, len(found.han)))


def unsaid(value: str, spots: tuple[Place, ...]) -> bool:
    """Whether all that is quoted is to be struck out: by its name, or as 'it' or 'that one'."""
    own = [sentence for spot in spots if spot.line.role is Role.CUSTOMER for sentence in spot.sentences]
    return bool(own) and all(_strikes_out(value, sentence) for sentence in own)


def _strikes_out(value: str, sentence: str) -> bool:
    """A clause that strikes out points back, or says more of the value than the others do."""
    clauses, mine = clauses_of(sentence), pieces(value)
    struck = [clause for clause in clauses if Cue.UNSAY.search(clause)]
    others = max((len(mine & pieces(clause)) for clause in clauses if clause not in struck), default=0)
    return any(Cue.POINTER.search(clause) or len(mine & pieces(clause)) > others for clause in struck)
