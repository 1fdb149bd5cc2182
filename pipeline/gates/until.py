"""An end date must be one that the ticket names, or that follows from a stretch of time in it ('for two weeks')."""

from datetime import date, timedelta, tzinfo

from pipeline.dates import local_day, resolve
from pipeline.events import Role
from pipeline.facts import PASSED, Candidate, Verdict
from pipeline.gates.figures import named_days
from pipeline.gates.stretch import fits, stretches
from pipeline.quoting import lines_of, own_words
from pipeline.reasons import Reason
from pipeline.transcript import Transcript


def judge_until(candidate: Candidate, transcript: Transcript, zone: tzinfo | None) -> Verdict:
    """Customer or agent may name it anywhere in the ticket: 'while I am away' has its dates elsewhere."""
    if candidate.until is None or candidate.ended:
        return PASSED
    texts = [own_words(line) for line in lines_of(transcript, (Role.CUSTOMER, Role.AGENT))]
    today = local_day(transcript.closed_at, zone)
    named = named_days(tuple(span for text in texts for span in resolve(text, transcript.closed_at, zone)))
    lengths = {days for text in texts for days in stretches(text)}
    if candidate.until in {end for day in named for end in _ends(day)} or any(
        fits(candidate.until, day, length) for length in lengths for day in (today, *named)
    ):
        return PASSED
    return Verdict(reason=Reason.UNGROUNDED_NUMBER)


def _ends(day: date) -> tuple[date, date]:
    """'before the 1st' ends on the day before."""
    return day, day - timedelta(days=1) if day > date.min else day
