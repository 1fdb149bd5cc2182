"""The customer's own correction later in the ticket: what it takes back may not be kept."""

from pipeline.dates import resolve
from pipeline.events import Role
from pipeline.facts import PASSED, Candidate, Verdict
from pipeline.gates.cues import Cue
from pipeline.gates.figures import numbers, times
from pipeline.gates.shape import is_semantic
from pipeline.gates.words import pieces
from pipeline.quoting import Place, clauses_of, lines_of, own_words
from pipeline.reasons import Reason
from pipeline.transcript import Transcript

SLIP_WITHIN = 14
"""A slip so close behind the quote ('放前台。哦不，…') is about the quote, whatever comes instead."""


def judge_corrected(candidate: Candidate, spots: tuple[Place, ...], transcript: Transcript) -> Verdict:
    """Something the customer says after it takes the matter up with 'no, …' and holds less of the value than before."""
    if not is_semantic(candidate.kind) or candidate.ended or not spots:
        return PASSED
    last = max(spots, key=lambda spot: (spot.line.position, spot.end))
    matter = pieces(candidate.value) & pieces(" ".join(spot.quote for spot in spots))
    later = [own_words(line) for line in lines_of(transcript, (Role.CUSTOMER,)) if line.position > last.line.position]
    rest = last.line.text[last.end :]
    if any(_slips_inside(candidate.value, spot.quote) for spot in spots):
        return Verdict(reason=Reason.CORRECTED)
    if Cue.SLIP.search(rest[:SLIP_WITHIN]) and not pieces(candidate.value) <= pieces(rest):
        return Verdict(reason=Reason.CORRECTED)
    if any(_corrects(matter, text) for text in (rest, *later)) or _other_figure(
        _without_dates(candidate.value, transcript), (rest, *later[:1])
    ):
        return Verdict(reason=Reason.CORRECTED)
    return PASSED


def _slips_inside(value: str, quote: str) -> bool:
    """A quote that holds its own correction ('高楼层——不对，是离电梯远') shows what stands behind the slip alone."""
    slip = Cue.SLIP.search(quote)
    if not slip:
        return False
    before, after = pieces(quote[: slip.start()]), pieces(quote[slip.end() :])
    return bool(pieces(value) & before - after) and len(pieces(value) & after) < len(pieces(value) & before)


def _corrects(matter: frozenset[str], later: str) -> bool:
    """It shares a good part of the matter but not all of it: '增值税专用发票' after '增值税普通发票'. What it affirms
    ('账单分开没错') is not put right."""
    if len(matter) < 2 or not Cue.CORRECTION.search(later):
        return False
    open_ones = " ".join(clause for clause in clauses_of(later) if not Cue.AFFIRMED.search(clause))
    return 0.3 <= len(matter & pieces(open_ones)) / len(matter) < 1.0


def _other_figure(value: str, later: tuple[str, ...]) -> bool:
    """'Sorry, I meant 3pm' right after '2pm': the same sort of figure, and none alike."""
    for text in later:
        if Cue.SLIP.search(text) and (
            _differ(times(value), times(text)) or (not times(value) and _differ(numbers(value), numbers(text)))
        ):
            return True
    return False


def _without_dates(value: str, transcript: Transcript) -> str:
    """A year that was worked out from the close is no figure that a later one replaces."""
    for span in reversed(resolve(value, transcript.closed_at)):
        value = value[: span.begin] + " " + value[span.stop :]
    return value


def _differ(mine: frozenset[int] | frozenset[str], theirs: frozenset[int] | frozenset[str]) -> bool:
    return bool(mine and theirs) and not set(mine) & set(theirs)
