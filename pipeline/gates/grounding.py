"""Gate 4: the quotes stand in those messages, and the value says nothing that they do not show."""

import re
from datetime import tzinfo

from pipeline.catalogue import Catalogue
from pipeline.events import Role
from pipeline.facts import PASSED, Candidate, Verdict
from pipeline.gates.figures import figures_follow, numbers, times
from pipeline.gates.words import Pool, missing_names, share, support, terms
from pipeline.kinds import KINDS, Kind
from pipeline.quoting import Place, clauses_of, lines_of, own_words
from pipeline.reasons import Reason
from pipeline.transcript import Transcript

QUOTED = 0.2
"""Least share of a value's content, the key's own words apart, that the quoted clauses must hold."""
ANYWHERE = 0.55
"""Least share that the whole of what may be drawn on must hold: the customer's messages, the question answered, the key."""
SHORT_ANSWER = 20
"""Up to so many letters (a Han character counts two) a quote is an answer ('yes', '对的') and says what its question says."""


def judge_grounding(
    candidate: Candidate, spots: tuple[Place, ...], transcript: Transcript, catalogue: Catalogue, zone: tzinfo | None
) -> Verdict:
    if candidate.ended and not candidate.value.strip():
        return PASSED
    if not figures_follow(candidate.value, _figure_sources(candidate, spots, transcript), transcript.closed_at, zone):
        return Verdict(reason=Reason.UNGROUNDED_NUMBER)
    if not _supported(candidate, spots, transcript, catalogue, zone) or _flips(candidate, spots):
        return Verdict(reason=Reason.UNGROUNDED)
    return PASSED


def is_semantic(kind: str) -> bool:
    return kind in set(Kind) and KINDS[Kind(kind)].coala == "semantic"


def _answered(spot: Place, transcript: Transcript) -> str:
    """The agent's message right before the quoted one: what an answer answers belongs to it."""
    before = [line for line in transcript.lines if line.position < spot.line.position]
    return before[-1].text if before and before[-1].role is Role.AGENT else ""


def _name(candidate: Candidate, catalogue: Catalogue) -> str:
    row = catalogue.find(candidate.key)
    return " ".join((candidate.key.replace("_", " "), *((row.zh, row.en) if row else ())))


def _figure_sources(candidate: Candidate, spots: tuple[Place, ...], transcript: Transcript) -> tuple[str, ...]:
    """Numbers come from the quotes; a date may also come from the sentence around them or the question answered."""
    texts = tuple(spot.quote for spot in spots) + tuple(s for spot in spots for s in spot.sentences)
    return texts + tuple(_answered(spot, transcript) for spot in spots)


def _supported(
    candidate: Candidate, spots: tuple[Place, ...], transcript: Transcript, catalogue: Catalogue, zone: tzinfo | None
) -> bool:
    roles = (Role.CUSTOMER,) if is_semantic(candidate.kind) else (Role.CUSTOMER, Role.AGENT)
    name = _name(candidate, catalogue)
    answered = tuple(_answered(spot, transcript) for spot in spots)
    everything = Pool((name, *answered, *(own_words(line) for line in lines_of(transcript, roles))))
    if not _comparable(candidate.value, spots) and not _any_support(candidate.value, answered):
        return not missing_names(candidate.value, everything)
    return (
        _quoted_enough(candidate.value, spots, answered, name)
        and share(candidate.value, everything) >= ANYWHERE
        and not missing_names(candidate.value, everything)
    )


def _any_support(value: str, texts: tuple[str, ...]) -> bool:
    hits, total = support(value, Pool(texts))
    return bool(total) and hits > 0


def letters(text: str) -> int:
    """The length of a text for people: letters and digits, a Han character counting two."""
    return sum(2 if ord(char) > 0x2E80 else 1 for char in text if char.isalnum())


def _comparable(value: str, spots: tuple[Place, ...]) -> bool:
    """Whether value and quotes share a script; a paraphrase in another language can only be held to names and figures."""
    quotes, found = terms(" ".join(spot.quote for spot in spots)), terms(value)
    return bool((found.words and quotes.words) or (found.han and quotes.han)) or not (found.words or found.han)


def _quoted_enough(value: str, spots: tuple[Place, ...], answered: tuple[str, ...], name: str) -> bool:
    """Whether the quotes themselves say a fair part of it; a number or a date that they hold counts as said."""
    clauses = tuple(sentence for spot in spots for sentence in spot.sentences)
    short = all(letters(spot.quote) <= SHORT_ANSWER for spot in spots)
    pool = Pool((*clauses, *answered)) if short else Pool(clauses)
    hits, total = support(value, pool, but=name)
    if not total:
        hits, total = support(value, pool)
    figures = len(numbers(value) & numbers(" ".join(clauses))) or bool(times(value) & times(" ".join(clauses)))
    return not total or (hits + figures) / (total + figures) >= QUOTED


# --- a negation that was turned round ---------------------------------------------------------------------------------

_NEGATED = re.compile(
    r"(?:\b(?:not|never|no|stop|without|avoid|don['’]?t|doesn['’]?t|didn['’]?t|won['’]?t|isn['’]?t|aren['’]?t|can['’]?t|cannot|nor|"
    r"instead of|rather than)\b(?! only| just| mind| problem| worries| longer a problem| sure| bad| least| matter)(?:\W+[\w'’-]+){1,4}"
    r"|(?:(?<!差)不(?!错|但|仅|过|管|论|如|好意思|同|变|客气)|别(?!的|人|处)|勿|没(?!问题|关系|事)|拒绝|禁止|非(?!常))[^，,。；;！!？?\n、]{1,8})",
    re.IGNORECASE,
)
_LEFT = re.compile(
    r"(?:\b(?:mov(?:ed|ing)|switch(?:ed|ing)|migrat(?:ed|ing)|chang(?:ed|ing)|com(?:e|ing)|came|went|gone|got|upgrad(?:ed|ing)) (?:\w+ ){0,2}?"
    r"(?:off|from|away from|out of)(?: (?:of|the|our|my))*(?:\W+[\w.'’-]+){1,2}|\b(?:used to|formerly|previously|no longer|until recently)(?:\W+[\w.'’-]+){1,4}"
    r"|\b(?:left|dropped|ditched|abandoned|quit|retired|replaced)(?: the| our| my)?(?:\W+[\w.'’-]+){1,2}"
    r"|(?:从|由)[^，,。；;！!？?\n、]{1,8}?(?=搬|换|改|迁|转|调|升|到)|(?<![号日点月年天周期\d])(?:以前|之前|原来|曾经|原先|过去|本来)[^，,。；;！!？?\n、]{1,10})",
    re.IGNORECASE,
)
"""What is left behind: '从成都搬到苏州', 'moved off Heroku', '之前说晚上'."""
_FAILS = re.compile(
    r"(?:[\w-]+ ){1,2}(?:(?:just |always |often |only )?(?:gets? lost|never (?:arrives?|works?)|(?:does|do)n['’]t (?:work|arrive)|"
    r"(?:is|are) (?:useless|unreliable|no good|no use|too slow)|goes? to spam))\b"
    r"|[^，,。；;！!？?\n、]{1,6}(?:收不到|不方便|没人看|不看|没用|会丢|太慢|不好用|看不到)",
    re.IGNORECASE,
)
"""What is said to be no use: 'e-mail gets lost'."""
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
    denied, plain = [], clause
    for cue in (_NEGATED, _LEFT, _FAILS):
        denied += [match[0] for match in cue.finditer(plain)]
        plain = cue.sub(" ", plain)
    return _overlaps(value, plain), bool(denied) and _overlaps(value, " ".join(denied))


def _overlaps(value: str, text: str) -> bool:
    pool, found = Pool((text,)), terms(value)
    return any(pool.has_word(word) for word in found.words) or len(
        [char for char in found.han if pool.has_han_char(char)]
    ) >= min(2, max(1, len(found.han)))
