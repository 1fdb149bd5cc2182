"""Moments that can be worked with, wherever they come from."""

from datetime import datetime

FIRST_YEAR, LAST_YEAR = 1900, 9000


def countable(value: datetime) -> datetime:
    """`value` as it is, or ValueError: at the ends of the calendar a time cannot be said in another zone, nor have a
    day added."""
    if not FIRST_YEAR <= value.year <= LAST_YEAR:
        raise ValueError(f"want a time between the years {FIRST_YEAR} and {LAST_YEAR}")
    return value
