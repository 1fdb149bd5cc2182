"""An end date must be one that the ticket names, or that follows from a stretch of time in it ('for two weeks')."""

import re
from collections.abc import Iterator
from datetime import date, timedelta, tzinfo

from pipeline.dates import local_day, resolve
from pipeline.events import Role
from pipeline.facts import PASSED, Candidate, Verdict
from pipeline.numerals import NUMBER, WORDS, number
from pipeline.quoting import lines_of, own_words
from pipeline.reasons import Reason
from pipeline.transcript import Transcript

SLACK = timedelta(days=1)
"""Whether the first day counts is anyone's reading."""
_STRETCH = re.compile(
    rf"(?P<n>{NUMBER}|\b(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve)\b)\s*"
    r"(?:more |full |whole |working |个工作|个)?"
    r"(?P<unit>days?|weeks?|months?|years?|天|日|周|星期|礼拜|月|年)",
    re.IGNORECASE,
)
_DAYS = {"d": 1, "w": 7, "m": 30, "y": 365, "天": 1, "日": 1, "周": 7, "星": 7, "礼": 7, "月": 30, "年": 365}


def judge_until(candidate: Candidate, transcript: Transcript, zone: tzinfo | None) -> Verdict:
    """Customer or agent may name it anywhere in the ticket: 'while I am away' has its dates elsewhere."""
    if candidate.until is None or candidate.ended:
        return PASSED
    texts = [own_words(line) for line in lines_of(transcript, (Role.CUSTOMER, Role.AGENT))]
    today = local_day(transcript.closed_at, zone)
    named = {day for text in texts for span in resolve(text, transcript.closed_at, zone) for day in _ends(span.end)}
    if candidate.until in named or any(
        _fits(candidate.until, today, days) for text in texts for days in _stretches(text)
    ):
        return PASSED
    return Verdict(reason=Reason.UNGROUNDED_NUMBER)


def _ends(day: date) -> tuple[date, date]:
    """'before the 1st' ends on the day before."""
    return day, day - timedelta(days=1) if day > date.min else day


def _stretches(text: str) -> Iterator[int]:
    for match in _STRETCH.finditer(text):
        amount = {"a": 1, "an": 1}.get(match["n"].lower()) or WORDS.get(match["n"].lower()) or number(match["n"]) or 0
        yield amount * _DAYS[match["unit"][0].lower()]


def _fits(until: date, today: date, days: int) -> bool:
    """A month is 28 to 31 days, a year may be a leap year."""
    slack = SLACK if days < 28 else timedelta(days=3)
    return 0 < days < 4_000 and abs(until - today - timedelta(days=days)) <= slack
