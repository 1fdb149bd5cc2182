"""Dates in running text, Chinese and English, resolved against the moment a ticket closed.

A table of our own: what is needed is a closed set of forms whose answer must be the same on every run and every
version. dateparser (BSD-3) reads neither '下周四' nor '年底前' nor a range, finds dates in 'may' and '一般', loads
for 0.3 s and takes milliseconds a sentence.

A week begins on Monday. Where a form leaves the year open, the date nearest to the close is taken, and the others
are named too.
"""

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from pipeline.date_forms import Days, Form, Reader, forms_for
from pipeline.memo import once

MAX_TEXT = 20_000
"""Longer texts are resolved up to here: a date is evidence only where a quote holds it, and quotes are short."""


@dataclass(frozen=True, kw_only=True)
class DateSpan:
    """A date or a range of dates (both ends inclusive), and where it stands in the text (offsets, end exclusive)."""

    start: date
    end: date
    begin: int
    stop: int
    others: tuple[Days, ...] = ()
    """What it may mean as well: a bare 'Monday' is the coming one, today included, and may be the one gone by."""

    @property
    def readings(self) -> tuple[Days, ...]:
        return ((self.start, self.end), *self.others)


def local_day(moment: datetime, zone: tzinfo | None) -> date:
    """The day it was at `moment` in `zone`, else in the offset that the moment itself carries."""
    return (moment.astimezone(zone) if zone else moment).date()


def end_of_day(day: date, moment: datetime, zone: tzinfo | None) -> datetime:
    """The instant (UTC) at which `day` is over in `zone`, else in the offset of `moment`: an `until` is inclusive."""
    if day >= date.max:
        return datetime.max.replace(tzinfo=UTC)
    midnight = datetime.combine(day + timedelta(days=1), time.min, tzinfo=zone or moment.tzinfo or UTC)
    return midnight.astimezone(UTC)


def resolve(text: str, anchor: datetime, zone: tzinfo | None = None) -> tuple[DateSpan, ...]:
    """The dates that `text` names, in order, relative ones counted from `anchor` (aware). Never raises."""
    return _resolved(text[:MAX_TEXT], local_day(anchor, zone))


@once
def _resolved(text: str, today: date) -> tuple[DateSpan, ...]:
    taken: list[tuple[int, int]] = []
    spans: list[DateSpan] = []
    for form in forms_for(text):
        for match in form.pattern.finditer(text):
            if any(match.start() < stop and begin < match.end() for begin, stop in taken):
                continue
            taken.append(match.span())  # also where no calendar has it: 31 June is not a June
            days = _read(form.read, match, today)
            spans += [_span(form, match, days)] if days else []
    return tuple(sorted(spans, key=lambda span: span.begin))


def _span(form: Form, match: re.Match[str], days: Days) -> DateSpan:
    others = form.others(match, days)
    return DateSpan(start=days[0], end=days[1], begin=match.start(), stop=match.end(), others=others)


def _read(read: Reader, match: re.Match[str], today: date) -> Days | None:
    """A day that no calendar has (31 June) is no date."""
    try:
        days = read(match, today)
    except (ValueError, OverflowError):
        return None
    return days if days and days[0] <= days[1] else None
