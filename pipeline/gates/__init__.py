"""The gates: code decides what may be remembered, and every refusal has its reason code. A gate that errs refuses."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo

from pipeline import authority, sensitive
from pipeline.authority import judge_authority
from pipeline.catalogue import Catalogue, CatalogueKey
from pipeline.dates import end_of_day
from pipeline.ending import alike, apart
from pipeline.facts import PASSED, Candidate, Quote, Verdict
from pipeline.forbidden import judge_key
from pipeline.gates.correction import judge_corrected
from pipeline.gates.grounding import judge_grounding, says_value
from pipeline.gates.lasting import judge_lasting
from pipeline.gates.shape import is_semantic, judge_shape
from pipeline.gates.speaker import judge_speaker, usable_spots
from pipeline.gates.until import judge_until
from pipeline.kinds import Kind
from pipeline.memo import working
from pipeline.observe import FOR_NOW
from pipeline.policy import Policy
from pipeline.quoting import Place, places
from pipeline.reasons import Reason
from pipeline.sensitive import judge_text
from pipeline.transcript import Transcript

__all__ = ["Judged", "judge", "judge_all", "judge_statement", "judge_told", "preload"]

PLACEHOLDER = re.compile(r"<[A-Z][A-Z_]*_\d+>")


def preload() -> None:
    """Builds what the gates work with, so that the first ticket does not pay for it (two to four seconds)."""
    sensitive.preload()
    authority.preload()


@dataclass(frozen=True, kw_only=True)
class Judged:
    """A candidate as it would be stored (key and kind folded, quotes as they stand), and what the gates say.

    `expires_at` (UTC) is the end of the local day of `until`; None where the kind alone decides.
    """

    candidate: Candidate
    verdict: Verdict
    expires_at: datetime | None = None

    @property
    def kind(self) -> Kind:
        """Only of a candidate that passed."""
        return Kind(self.candidate.kind)

    @property
    def message(self) -> int:
        """The latest message quoted, from 0; -1 without one."""
        return max((quote.message for quote in self.candidate.quotes), default=-1)


def judge(
    candidate: Candidate,
    transcript: Transcript,
    *,
    catalogue: Catalogue,
    policy: Policy,
    timezone: tzinfo | None = None,
) -> Judged:
    """All gates in order over what a model proposed. Never raises: a gate that does refuses with GATE_ERROR.

    `timezone` is the tenant's; None takes the offset that `closed_at` carries.
    """
    try:
        return _judged(candidate, transcript, catalogue, policy, timezone)
    except Exception:  # a gate that fails must refuse, whatever it failed on; its text must not travel
        return Judged(candidate=candidate, verdict=Verdict(reason=Reason.GATE_ERROR))


def judge_statement(
    *, kind: str, key: str, value: str, ended: bool = False, catalogue: Catalogue, policy: Policy
) -> Judged:
    """Gates 1, 5, 6 and 7, for what a system or a person states, for imports, and for stored facts. Never raises."""
    stated = Candidate(kind=kind.strip().lower(), key=catalogue.fold(key), value=value, ended=ended)
    try:
        verdict = _first(_standing_gates(stated, key, catalogue, policy))
    except Exception:  # as above
        verdict = Verdict(reason=Reason.GATE_ERROR)
    return Judged(candidate=stated, verdict=verdict)


def judge_told(*, key: str, value: str, policy: Policy) -> Verdict:
    """Gates 5, 6 and 7, for a fact that is about to be told: what it may not say, however it got in. Never raises."""
    try:
        return _first(_told_gates(key, value, policy))
    except Exception:  # as above
        return Verdict(reason=Reason.GATE_ERROR)


def judge_all(
    candidates: Iterable[Candidate],
    transcript: Transcript,
    *,
    catalogue: Catalogue,
    policy: Policy,
    timezone: tzinfo | None = None,
) -> tuple[Judged, ...]:
    """Every candidate judged. Of one key the latest statement passes, earlier ones are CORRECTED, doubles dropped.
    Under a key that holds one value a ticket, the end of one matter and the value of another pass both."""
    with working():
        judged = [judge(c, transcript, catalogue=catalogue, policy=policy, timezone=timezone) for c in candidates]
    kept = (_unless_later(one, _last_word(i, judged, transcript, catalogue)) for i, one in enumerate(judged))
    return tuple(one for one in kept if one)


def _last_word(index: int, judged: list[Judged], transcript: Transcript, catalogue: Catalogue) -> Judged:
    """The ticket's last word on what the candidate at `index`, which passed, is about; it may be that itself."""
    one = judged[index].candidate
    row = catalogue.find(one.key)
    related = _of_its_matter if row and row.per_ticket else _of_its_key
    words = [i for i, other in enumerate(judged) if other.verdict.passed and related(one, other.candidate)]
    if len(words) < 2:
        return judged[index]
    return judged[max(words, key=lambda i: (_standing(judged[i], transcript), i))]


def _of_its_key(one: Candidate, other: Candidate) -> bool:
    return one.key == other.key


def _of_its_matter(one: Candidate, other: Candidate) -> bool:
    """Whether `other`, said later, puts `one` right. An end and what surely is something else stand side by side, so
    that a ticket may end what another one began and have its own matter. An end that names nothing may mean
    anything."""
    if one.key != other.key or not (one.ended or other.ended):
        return one.key == other.key
    if one.ended and not other.ended:
        return not one.value or alike(one.value, other.value)
    return not apart(one.value, other.value)


def _standing(one: Judged, transcript: Transcript) -> tuple[int, bool, int]:
    """Where it was said: message, then offset. In one message a new value beats the end of the old one."""
    spots = places(one.candidate, transcript) or ()
    message, end = max(((spot.line.position, spot.end) for spot in spots), default=(-1, -1))
    return message, not one.candidate.ended, end


def _unless_later(one: Judged, word: Judged) -> Judged | None:
    if not one.verdict.passed or word is one:
        return one
    if _statement(one) == _statement(word):
        return None
    return replace(one, verdict=Verdict(reason=Reason.CORRECTED))


def _statement(one: Judged) -> tuple[str, bool]:
    return " ".join(one.candidate.value.casefold().split()), one.candidate.ended


# --- the gates in order -----------------------------------------------------------------------------------------------

_Gate = Callable[[], Verdict]


def _first(gates: Iterable[_Gate]) -> Verdict:
    """The first refusal; a gate after it is not run."""
    return next((verdict for gate in gates if not (verdict := gate()).passed), PASSED)


def _judged(
    raw: Candidate, transcript: Transcript, catalogue: Catalogue, policy: Policy, zone: tzinfo | None
) -> Judged:
    candidate = _folded(raw, catalogue)
    spots = places(candidate, transcript)
    refused = Verdict(reason=Reason.NO_QUOTE)
    usable = usable_spots(candidate, spots or ())
    verdict = _first(
        (
            lambda: judge_shape(candidate, catalogue=catalogue, policy=policy),
            lambda: judge_speaker(candidate, spots, transcript) if spots else _unquoted(candidate, transcript),
            lambda: judge_lasting(candidate, usable),
            lambda: PASSED if spots else refused,
            lambda: judge_grounding(candidate, usable, transcript, catalogue, zone),
            lambda: judge_until(candidate, transcript, zone),
            lambda: judge_corrected(candidate, usable, transcript),
            lambda: _unmasked(candidate, transcript),
            *_content_gates(candidate, raw.key, policy),
            lambda: _confident(candidate, policy),
        )
    )
    final = _as_it_stands(candidate, usable) if verdict.passed else candidate
    if verdict.passed and final.ended and not says_value(final, usable, transcript, catalogue):
        final = replace(final, value="")
    return Judged(candidate=final, verdict=verdict, expires_at=_expiry(final, transcript, zone))


def _unquoted(candidate: Candidate, transcript: Transcript) -> Verdict:
    """What names another speaker or subject is refused as that; what has no quote, at the gate for quotes."""
    if candidate.about == "third_party":
        return Verdict(reason=Reason.THIRD_PARTY)
    return PASSED


def _unmasked(candidate: Candidate, transcript: Transcript) -> Verdict:
    """A placeholder is refused also where the model has changed its brackets or its case."""
    text = "\n".join((candidate.key, candidate.value, *(quote.text for quote in candidate.quotes))).casefold()
    names = {span.placeholder.strip("<>").casefold() for span in transcript.spans}
    return Verdict(reason=Reason.PLACEHOLDER) if any(name in text for name in names) else PASSED


def _standing_gates(stated: Candidate, raw_key: str, catalogue: Catalogue, policy: Policy) -> Iterable[_Gate]:
    yield lambda: judge_shape(stated, catalogue=catalogue, policy=policy)
    yield from _content_gates(stated, raw_key, policy)


def _content_gates(candidate: Candidate, raw_key: str, policy: Policy) -> Iterable[_Gate]:
    """Gates 5 to 7, over key, value and quotes."""
    texts = (candidate.key.replace("_", " "), candidate.value, *(quote.text for quote in candidate.quotes))
    yield lambda: judge_key(raw_key, policy)
    yield lambda: judge_key(candidate.key, policy)
    yield lambda: Verdict(reason=Reason.PLACEHOLDER) if any(PLACEHOLDER.search(t) for t in texts) else PASSED
    yield from ((lambda text=text: judge_text(text, policy)) for text in texts)
    yield lambda: judge_text(f"{candidate.key.replace('_', ' ')}: {candidate.value}", policy)
    yield from ((lambda text=text: judge_authority(text)) for text in texts)


def _told_gates(key: str, value: str, policy: Policy) -> Iterable[_Gate]:
    """The value by itself and as it is told; the key is seen with it. An agent waits for this: each text costs."""
    told = f"{key.replace('_', ' ')}: {value}"
    yield lambda: judge_key(key, policy)
    yield lambda: Verdict(reason=Reason.PLACEHOLDER) if PLACEHOLDER.search(value) else PASSED
    yield lambda: judge_text(value, policy)
    yield lambda: judge_text(told, policy)
    yield lambda: judge_authority(value)
    yield lambda: judge_authority(told)


def _confident(candidate: Candidate, policy: Policy) -> Verdict:
    return PASSED if candidate.confidence >= policy.confidence_floor else Verdict(reason=Reason.LOW_CONFIDENCE)


# --- the candidate as it would be stored ------------------------------------------------------------------------------


def _folded(raw: Candidate, catalogue: Catalogue) -> Candidate:
    """Key and kind as the catalogue has them, the value on one line."""
    value = " ".join(raw.value.split())
    row = catalogue.claimed(value) or catalogue.find(raw.key)
    kind = _kind(raw.kind.strip().lower(), row, bounded=raw.until is not None and not raw.ended)
    key = row.key if row else catalogue.fold(raw.key)
    if row and is_semantic(row.kind) and not is_semantic(kind) and not row.system_owned:
        key = f"{key}{FOR_NOW}"
    return replace(raw, kind=kind, key=key, value=value)


def _kind(kind: str, row: CatalogueKey | None, *, bounded: bool) -> str:
    """A known key's kind holds, unless the candidate's lives shorter; what has an end date is a situation."""
    if kind not in set(Kind):
        return kind
    if is_semantic(kind) and bounded:
        return Kind.SITUATION.value
    return row.kind.value if row and is_semantic(kind) else kind


def _as_it_stands(candidate: Candidate, spots: tuple[Place, ...]) -> Candidate:
    """Quotes in the message's own white space."""
    quotes = tuple(Quote(message=spot.line.position, text=spot.quote) for spot in spots)
    return replace(candidate, quotes=quotes or candidate.quotes)


def _expiry(candidate: Candidate, transcript: Transcript, zone: tzinfo | None) -> datetime | None:
    return end_of_day(candidate.until, transcript.closed_at, zone) if candidate.until else None
