"""Gate 4: the quotes stand in those messages, and the value says nothing that they do not show."""

from dataclasses import dataclass, field
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
from pipeline.gates.negation import flips, unsaid
from pipeline.gates.shape import is_semantic
from pipeline.gates.words import Pool, letters, missing_names, share, support, terms
from pipeline.quoting import Place, lines_of, own_words
from pipeline.reasons import Reason
from pipeline.transcript import Transcript

QUOTED = 0.2
"""Least share of a value's content, the key's own words apart, that the quoted clauses must hold."""
ANYWHERE = 0.5
"""Least share that all that may be drawn on must hold: the customer's messages, the question answered, the key."""
SHORT_ANSWER = 20
"""Up to so many letters (Han counts two) a quote is an answer ('yes', '对的') and says what its question says; so is
one that points back at it ('I always take it')."""


@dataclass(frozen=True, kw_only=True)
class _Evidence:
    """What a candidate may rest on. `answered`: what each quote answers; `said`: what may be drawn on beside them,
    the customer's messages, of an episode or a situation the agent's too; `name`: what its key is called."""

    spots: tuple[Place, ...]
    answered: tuple[str, ...] = field(repr=False)
    said: tuple[str, ...] = field(repr=False)
    name: str

    @property
    def nearest(self) -> tuple[str, ...]:
        """What may be drawn on of the messages that are quoted: where most of a value stands."""
        own = [own_words(spot.line) for spot in self.spots]
        return tuple(text for text in own if text in self.said)

    @property
    def figures(self) -> tuple[str, ...]:
        """Numbers come from the quotes; a date may also come from the sentence around them or the question answered."""
        return (*(s.quote for s in self.spots), *(text for s in self.spots for text in s.sentences), *self.answered)


def _evidence(
    candidate: Candidate, spots: tuple[Place, ...], transcript: Transcript, catalogue: Catalogue
) -> _Evidence:
    roles = (Role.CUSTOMER,) if is_semantic(candidate.kind) else (Role.CUSTOMER, Role.AGENT)
    return _Evidence(
        spots=spots,
        answered=tuple(_answered(spot, transcript) for spot in spots),
        said=tuple(own_words(line) for line in lines_of(transcript, roles)),
        name=_name(candidate, catalogue),
    )


def judge_grounding(
    candidate: Candidate, spots: tuple[Place, ...], transcript: Transcript, catalogue: Catalogue, zone: tzinfo | None
) -> Verdict:
    if candidate.ended:
        return _judge_ending(spots)
    shown = _evidence(candidate, spots, transcript, catalogue)
    rest = undated(candidate.value, shown.figures, transcript.closed_at, zone)
    if not times_and_numbers_follow(without_codes(rest, "\n".join(shown.said)), shown.figures):
        return Verdict(reason=Reason.UNGROUNDED_NUMBER)
    turned = flips(candidate, spots, shown.answered) or unsaid(candidate.value, spots)
    if turned or not _supported(rest, candidate.value, shown):
        return Verdict(reason=Reason.UNGROUNDED)
    return PASSED


def _judge_ending(spots: tuple[Place, ...]) -> Verdict:
    """What ends a fact is its key; the quotes must say that something is over."""
    sentences = [sentence for spot in spots for sentence in spot.sentences]
    over = any(cue.search(sentence) for sentence in sentences for cue in (Cue.ENDING, Cue.UNSAY))
    return PASSED if over else Verdict(reason=Reason.UNGROUNDED)


def says_value(candidate: Candidate, spots: tuple[Place, ...], transcript: Transcript, catalogue: Catalogue) -> bool:
    """Whether the value of an ending stands in its quotes; where it does not, the key alone is kept."""
    shown, value = _evidence(candidate, spots, transcript, catalogue), candidate.value
    return figures_follow(value, shown.figures, transcript.closed_at, None) and _supported(value, value, shown)


def _answered(spot: Place, transcript: Transcript) -> str:
    """The agent's message right before the quoted one: what an answer answers belongs to it."""
    before = [line for line in transcript.lines if line.position < spot.line.position]
    return before[-1].text if before and before[-1].role is Role.AGENT else ""


def _name(candidate: Candidate, catalogue: Catalogue) -> str:
    row = catalogue.find(candidate.key)
    return " ".join((candidate.key.replace("_", " "), *((row.zh, row.en) if row else ())))


def _supported(value: str, whole: str, shown: _Evidence) -> bool:
    """`whole` is the value as it came, `value` without the dates that were found to follow."""
    everything = Pool((*shown.nearest, shown.name, *shown.answered, *shown.said))
    if not _comparable(value, shown.spots) and not _any_support(value, shown.answered):
        return not missing_names(value, everything)
    return (
        _quoted_enough(value, whole, shown)
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


def _quoted_enough(value: str, whole: str, shown: _Evidence) -> bool:
    """Whether the quotes themselves say a fair part of it; a number or a date that they hold counts as said."""
    clauses = tuple(sentence for spot in shown.spots for sentence in spot.sentences)
    short = all(letters(spot.quote) <= SHORT_ANSWER or Cue.ANAPHORA.search(spot.quote) for spot in shown.spots)
    pool = Pool((*clauses, *shown.answered)) if short else Pool(clauses)
    hits, total = support(value, pool, but=shown.name)
    if not total:
        hits, total = support(value, pool)
    figures = len(numbers(whole) & numbers(" ".join(clauses))) or bool(times(whole) & times(" ".join(clauses)))
    figures += plain(whole) != value  # a date that follows
    return not total or (hits + figures) / (total + figures) >= QUOTED
