"""Moments that can be worked with, wherever they come from."""

import re
from datetime import date, datetime
from typing import Any

FIRST_YEAR, LAST_YEAR = 1900, 9000
_TIME = re.compile(r"\d{4}-\d\d-\d\d[Tt _]\d", re.ASCII)
_DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)


def countable(value: datetime) -> datetime:
    """`value` as it is, or ValueError: at the ends of the calendar a time cannot be said in another zone, nor have a
    day added."""
    if not FIRST_YEAR <= value.year <= LAST_YEAR:
        raise ValueError(f"want a time between the years {FIRST_YEAR} and {LAST_YEAR}")
    return value


def written_time(value: Any) -> Any:
    """`value` as it is where it may be a time in ISO 8601, else ValueError. A number, in quotes or not, is none:
    whether it counts seconds or milliseconds could only be guessed, as pydantic does.
    """
    if isinstance(value, datetime) or (isinstance(value, str) and _TIME.match(value)):
        return value
    raise ValueError("want an ISO 8601 time with its zone, such as 2026-11-29T10:00:00+08:00")


def written_day(value: Any) -> Any:
    """The same for a day, which has no time."""
    if (isinstance(value, date) and not isinstance(value, datetime)) or (
        isinstance(value, str) and _DAY.fullmatch(value)
    ):
        return value
    raise ValueError("want a day, such as 2026-11-29")
