"""Stretches of time ('for two weeks', '三天'): a day may follow from one and the day the ticket closed."""

import re
from collections.abc import Iterator
from datetime import date, timedelta

from pipeline.numerals import NUMBER, WORDS, number

SLACK = timedelta(days=1)
"""Whether the first day counts is anyone's reading."""
_STRETCH = re.compile(
    rf"(?P<n>{NUMBER}|\b(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve)\b)\s*"
    r"(?:more |full |whole |working |个工作|个)?"
    r"(?P<unit>days?|nights?|weeks?|fortnights?|months?|years?|天|日|晚|夜|周|星期|礼拜|月|年)",
    re.IGNORECASE,
)
_DAYS = {
    "d": 1,
    "n": 1,
    "f": 14,
    "晚": 1,
    "夜": 1,
    "w": 7,
    "m": 30,
    "y": 365,
    "天": 1,
    "日": 1,
    "周": 7,
    "星": 7,
    "礼": 7,
    "月": 30,
    "年": 365,
}


def stretches(text: str) -> Iterator[int]:
    """The lengths in days that `text` names."""
    for match in _STRETCH.finditer(text):
        amount = {"a": 1, "an": 1}.get(match["n"].lower()) or WORDS.get(match["n"].lower()) or number(match["n"]) or 0
        yield amount * _DAYS[match["unit"][0].lower()]


def fits(day: date, today: date, days: int) -> bool:
    """Whether `day` is so many `days` after `today`. A month is 28 to 31 days, a year may be a leap year."""
    slack = SLACK if days < 28 else timedelta(days=3)
    return 0 < days < 4_000 and abs(day - today - timedelta(days=days)) <= slack
