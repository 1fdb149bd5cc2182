"""Gate 4: the quotes stand in those messages, and the value says nothing that they do not show."""

import re
from datetime import tzinfo

from pipeline.catalogue import Catalogue
from pipeline.events import Role
from pipeline.facts import PASSED, Candidate, Verdict
from pipeline.quoting import Place, clauses_of, lines_of, own_words
from pipeline.gates.figures import figures_follow
from pipeline.gates.words import Pool, missing_names, share, terms
from pipeline.kinds import KINDS, Kind
from pipeline.reasons import Reason
from pipeline.transcript import Transcript

NEAR = 0.25
"""Least share of a value's content that the quoted messages must hold, with the question they answer."""
ANYWHERE = 0.55
"""Least share that the whole of what may be drawn on must hold."""


def judge_grounding(
    candidate: Candidate, spots: tuple[Place, ...], transcript: Transcript, catalogue: Catalogue, zone: tzinfo | None
) -> Verdict:
    if candidate.ended and not candidate.value.strip():
        return PASSED
    near = _near(candidate, spots, transcript, catalogue)
    if not figures_follow(candidate.value, _figure_sources(candidate, spots, transcript), transcript.closed_at, zone):
        return Verdict(reason=Reason.UNGROUNDED_NUMBER)
    if not _supported(candidate, near, transcript) or _flips(candidate, spots):
        return Verdict(reason=Reason.UNGROUNDED)
    return PASSED


def is_semantic(kind: str) -> bool:
    return kind in set(Kind) and KINDS[Kind(kind)].coala == "semantic"


def _answered(spot: Place, transcript: Transcript) -> str:
    """The agent's message right before the quoted one: what an answer answers belongs to it."""
    before = [line for line in transcript.lines if line.position < spot.line.position]
    return before[-1].text if before and before[-1].role is Role.AGENT else ""


def _near(
    candidate: Candidate, spots: tuple[Place, ...], transcript: Transcript, catalogue: Catalogue
) -> tuple[str, ...]:
    row = catalogue.find(candidate.key)
    name = " ".join((candidate.key.replace("_", " "), *((row.zh, row.en) if row else ())))
    quoted = tuple(own_words(spot.line) for spot in spots)
    return (*quoted, *(_answered(spot, transcript) for spot in spots), name)


def _figure_sources(candidate: Candidate, spots: tuple[Place, ...], transcript: Transcript) -> tuple[str, ...]:
    """Numbers come from the quotes; a date may also come from the sentence around them or the question answered."""
    texts = tuple(spot.quote for spot in spots) + tuple(s for spot in spots for s in spot.sentences)
    return texts + tuple(_answered(spot, transcript) for spot in spots)


def _supported(candidate: Candidate, near: tuple[str, ...], transcript: Transcript) -> bool:
    roles = (Role.CUSTOMER,) if is_semantic(candidate.kind) else (Role.CUSTOMER, Role.AGENT)
    everything = Pool((*near, *(own_words(line) for line in lines_of(transcript, roles))))
    return (
        share(candidate.value, Pool(near)) >= NEAR
        and share(candidate.value, everything) >= ANYWHERE
        and not missing_names(candidate.value, everything)
    )


# --- a negation that was turned round ---------------------------------------------------------------------------------

_NEGATED = re.compile(
    r"(?:\b(?:not|never|no|stop|without|avoid|don['’]?t|doesn['’]?t|didn['’]?t|won['’]?t|isn['’]?t|aren['’]?t|can['’]?t|cannot|nor|"
    r"instead of|rather than)\b(?! only| just| mind| problem| worries| longer a problem| sure| bad| least| matter)(?:\W+[\w'’-]+){1,4}"
    r"|(?:不(?!错|但|仅|过|管|论|如|好意思|同|变|客气)|别(?!的|人|处)|勿|没(?!问题|关系|事)|拒绝|禁止|非(?!常))[^，,。；;！!？?\n、]{1,8})",
    re.IGNORECASE,
)
_ANY_NEGATION = re.compile(
    r"\b(?:no|not|never|without|avoid\w*|stop\w*|nor|dislik\w*|hates?|refus\w*|exclud\w*|except|against|instead of|rather than|un\w+)\b|n['’]t\b"
    r"|不|别|勿|没|未|无|非|拒|禁|避|免|讨厌|反感|排除|除外|以外",
    re.IGNORECASE,
)
_NEGATIVE_KEY = re.compile(
    r"avoid|exclu|dislike|block|never|no_|not_|without|refus|unwanted|ban|restriction|allerg|勿|不"
)


def _flips(candidate: Candidate, spots: tuple[Place, ...]) -> bool:
    """Whether a preference states plainly what its quote only denies: 'phone' from 'please don't phone me'.

    The other direction is left alone: 'not e-mail' may well follow from 'e-mail gets lost'.
    """
    if not is_semantic(candidate.kind) or candidate.ended or _NEGATIVE_KEY.search(candidate.key):
        return False
    if _ANY_NEGATION.search(candidate.value):
        return False
    shared = [_stands(candidate.value, clause) for spot in spots for clause in _quoted_clauses(spot)]
    return any(denied for _, denied in shared) and not any(plain for plain, _ in shared)


def _quoted_clauses(spot: Place) -> tuple[str, ...]:
    return spot.clauses or clauses_of(spot.quote)


def _stands(value: str, clause: str) -> tuple[bool, bool]:
    """Whether the value's content stands in the clause plainly, and whether it stands there denied."""
    denied = " ".join(match[0] for match in _NEGATED.finditer(clause))
    plain = _NEGATED.sub(" ", clause)
    return _overlaps(value, plain), bool(denied) and _overlaps(value, denied)


def _overlaps(value: str, text: str) -> bool:
    pool, found = Pool((text,)), terms(value)
    return any(pool.has_word(word) for word in found.words) or len(
        [char for char in found.han if pool.has_han_char(char)]
    ) >= min(2, max(1, len(found.han)))
