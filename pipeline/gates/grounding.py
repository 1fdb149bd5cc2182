"""Gate 4: the quotes stand in those messages, and the value says nothing that they do not show."""

from datetime import tzinfo

from pipeline.catalogue import Catalogue
from pipeline.events import Role
from pipeline.facts import PASSED, Candidate, Verdict
from pipeline.gates.cues import Cue
from pipeline.gates.figures import (
    figures_follow,
    numbers,
    plain,
    times,
    times_and_numbers_follow,
    undated,
    without_codes,
)
from pipeline.gates.negation import flips
from pipeline.gates.shape import is_semantic
from pipeline.gates.words import Pool, letters, missing_names, pieces, share, support, terms
from pipeline.quoting import Place, clauses_of, lines_of, own_words
from pipeline.reasons import Reason
from pipeline.transcript import Transcript

QUOTED = 0.2
"""Least share of a value's content, the key's own words apart, that the quoted clauses must hold."""
ANYWHERE = 0.5
"""Least share that all that may be drawn on must hold: the customer's messages, the question answered, the key."""
SHORT_ANSWER = 20
"""Up to so many letters (Han counts two) a quote is an answer ('yes', '对的') and says what its question says; so is
one that points back at it ('I always take it')."""


def judge_grounding(
    candidate: Candidate, spots: tuple[Place, ...], transcript: Transcript, catalogue: Catalogue, zone: tzinfo | None
) -> Verdict:
    if candidate.ended:
        return _judge_ending(spots)
    sources = _figure_sources(candidate, spots, transcript)
    rest = undated(candidate.value, sources, transcript.closed_at, zone)
    if not times_and_numbers_follow(without_codes(rest, _said(candidate, transcript)), sources):
        return Verdict(reason=Reason.UNGROUNDED_NUMBER)
    if (
        not _supported(rest, candidate, spots, transcript, catalogue)
        or flips(candidate, spots, tuple(_answered(spot, transcript) for spot in spots))
        or _unsaid(candidate.value, spots)
    ):
        return Verdict(reason=Reason.UNGROUNDED)
    return PASSED


def _unsaid(value: str, spots: tuple[Place, ...]) -> bool:
    """Whether all that is quoted is to be struck out: by its name, or as 'it' or 'that one'."""
    own = [sentence for spot in spots if spot.line.role is Role.CUSTOMER for sentence in spot.sentences]
    return bool(own) and all(_strikes_out(value, sentence) for sentence in own)


def _strikes_out(value: str, sentence: str) -> bool:
    """A clause that strikes out points back, or says more of the value than the others do."""
    clauses, mine = clauses_of(sentence), pieces(value)
    struck = [clause for clause in clauses if Cue.UNSAY.search(clause)]
    others = max((len(mine & pieces(clause)) for clause in clauses if clause not in struck), default=0)
    return any(Cue.POINTER.search(clause) or len(mine & pieces(clause)) > others for clause in struck)


def _judge_ending(spots: tuple[Place, ...]) -> Verdict:
    """What ends a fact is its key; the quotes must say that something is over."""
    sentences = [sentence for spot in spots for sentence in spot.sentences]
    over = any(cue.search(sentence) for sentence in sentences for cue in (Cue.ENDING, Cue.UNSAY))
    return PASSED if over else Verdict(reason=Reason.UNGROUNDED)


def says_value(candidate: Candidate, spots: tuple[Place, ...], transcript: Transcript, catalogue: Catalogue) -> bool:
    """Whether the value of an ending stands in its quotes; where it does not, the key alone is kept."""
    sources = _figure_sources(candidate, spots, transcript)
    figures = figures_follow(candidate.value, sources, transcript.closed_at, None)
    return figures and _supported(candidate.value, candidate, spots, transcript, catalogue)


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


def _drawn_on(candidate: Candidate, transcript: Transcript) -> tuple[str, ...]:
    """What may be drawn on beside the quotes: the customer's messages, of an episode or a situation the agent's too."""
    roles = (Role.CUSTOMER,) if is_semantic(candidate.kind) else (Role.CUSTOMER, Role.AGENT)
    return tuple(own_words(line) for line in lines_of(transcript, roles))


def _said(candidate: Candidate, transcript: Transcript) -> str:
    return "\n".join(_drawn_on(candidate, transcript))


def _supported(
    value: str, candidate: Candidate, spots: tuple[Place, ...], transcript: Transcript, catalogue: Catalogue
) -> bool:
    """`value` is the candidate's, without the dates that were found to follow."""
    name = _name(candidate, catalogue)
    answered = tuple(_answered(spot, transcript) for spot in spots)
    everything = Pool((name, *answered, *_drawn_on(candidate, transcript)))
    if not _comparable(value, spots) and not _any_support(value, answered):
        return not missing_names(value, everything)
    return (
        _quoted_enough(value, candidate.value, spots, answered, name)
        and share(value, everything, paired=True) >= ANYWHERE
        and not missing_names(value, everything)
    )


def _any_support(value: str, texts: tuple[str, ...]) -> bool:
    hits, total = support(value, Pool(texts))
    return bool(total) and hits > 0


def _comparable(value: str, spots: tuple[Place, ...]) -> bool:
    """Whether value and quotes share a script; a paraphrase in another language is held to names and figures only."""
    quotes, found = terms(" ".join(spot.quote for spot in spots)), terms(value)
    if not (quotes.words or quotes.han):
        return True  # 'I want it' says nothing by itself, in any language
    return bool((found.words and quotes.words) or (found.han and quotes.han)) or not (found.words or found.han)


def _quoted_enough(value: str, whole: str, spots: tuple[Place, ...], answered: tuple[str, ...], name: str) -> bool:
    """Whether the quotes themselves say a fair part of it; a number or a date that they hold counts as said. `whole` is
    the value with its dates."""
    clauses = tuple(sentence for spot in spots for sentence in spot.sentences)
    short = all(letters(spot.quote) <= SHORT_ANSWER or Cue.ANAPHORA.search(spot.quote) for spot in spots)
    pool = Pool((*clauses, *answered)) if short else Pool(clauses)
    hits, total = support(value, pool, but=name)
    if not total:
        hits, total = support(value, pool)
    figures = len(numbers(whole) & numbers(" ".join(clauses))) or bool(times(whole) & times(" ".join(clauses)))
    figures += plain(whole) != value  # a date that follows
    return not total or (hits + figures) / (total + figures) >= QUOTED
