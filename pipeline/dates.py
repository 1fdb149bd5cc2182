"""Dates in running text, Chinese and English, resolved against the moment a ticket closed.

A table of our own: what is needed is a closed set of forms whose answer must be the same on every run and every
version. dateparser (BSD-3) reads neither '下周四' nor '年底前' nor a range, finds dates in 'may' and '一般', loads
for 0.3 s and takes milliseconds a sentence.

A week begins on Monday. Where a form leaves the year open, the date nearest to the close is taken.
"""

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from pipeline.date_forms import Days, Reader, forms_for
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
    or_week_before: bool = False
    """A bare 'Monday' may be the one gone by as well: `start` and `end` are the coming one, today included."""


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
            spans += [_span(match, days)] if days else []
    return tuple(sorted(spans, key=lambda span: span.begin))


def _span(match: re.Match[str], days: Days) -> DateSpan:
    groups = match.groupdict()
    bare = groups.get("w") is not None and not groups.get("step")
    return DateSpan(start=days[0], end=days[1], begin=match.start(), stop=match.end(), or_week_before=bare)


def _read(read: Reader, match: re.Match[str], today: date) -> Days | None:
    """A day that no calendar has (31 June) is no date."""
    try:
        days = read(match, today)
    except (ValueError, OverflowError):
        return None
    return days if days and days[0] <= days[1] else None
