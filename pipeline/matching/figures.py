"""What an evaluation reads of the numbers, dates and times in a value.

Apart from the gates' own reading on purpose: a mistake in the one must not hide in the other.
"""
# ruff: noqa: E501 (a pattern reads best on one line)

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any

from pipeline.numerals import HAN_NUMBER, ORDINALS, WORDS, number

Date = tuple[int | None, int | None, int | None]
"""Year, month and day, as far as they are said."""


@dataclass(frozen=True, kw_only=True)
class Figures:
    """`times` are minutes of the day, each with all that it may mean (8 is morning or evening); `weekdays` count from
    Monday, 1; `numbers` are decimals without padding. 1 is left out: 'a', 'one' and '一' say too little."""

    dates: frozenset[Date] = frozenset()
    times: frozenset[frozenset[int]] = frozenset()
    weekdays: frozenset[int] = frozenset()
    numbers: frozenset[str] = frozenset()

    def __or__(self, other: "Figures") -> "Figures":
        return Figures(
            dates=self.dates | other.dates,
            times=self.times | other.times,
            weekdays=self.weekdays | other.weekdays,
            numbers=self.numbers | other.numbers,
        )

    def __getitem__(self, sort: str) -> frozenset[Any]:
        found: frozenset[Any] = getattr(self, sort)
        return found

    @property
    def count(self) -> int:
        return len(self.dates) + len(self.times) + len(self.weekdays) + len(self.numbers)

    def missing_from(self, other: "Figures") -> "Figures":
        """Those of mine that nothing in `other` agrees with. A time may stand there as a bare number ('at 6')."""
        hours = frozenset(frozenset({int(n) * 60, (int(n) + 12) * 60}) for n in other.numbers if _is_hour(n))
        said = {str(minutes // 60) for options in other.times for minutes in options if minutes % 60 == 0}
        parts = {str(part) for date in other.dates for part in date if part}
        return Figures(
            dates=frozenset(d for d in self.dates if not any(_agree(d, o) for o in other.dates)),
            times=frozenset(t for t in self.times if not any(t & o for o in other.times | hours)),
            weekdays=self.weekdays - other.weekdays,
            numbers=self.numbers - other.numbers - said - parts,
        )

    def changed_in(self, other: "Figures", known: "Figures") -> str | None:
        """Which sort of figure `other` has changed: it lacks one of mine and has one of its own instead.

        What `known` holds besides (the evidence's) may stand beside one of mine, but in the place of none.
        """
        lacking, foreign, unknown = self.missing_from(other), other.missing_from(self), other.missing_from(self | known)
        return next((s for s in _SORTS if _changed(self[s], other[s], lacking[s], foreign[s], unknown[s])), None)


_SORTS = ("numbers", "dates", "times", "weekdays")


_Sort = frozenset[Any]


def _changed(mine: _Sort, other: _Sort, lacking: _Sort, foreign: _Sort, unknown: _Sort) -> bool:
    """Of one sort: something is lacking, and something else is there that is either new or in the place of all mine."""
    return bool(lacking and foreign and (unknown or (lacking == mine and foreign == other)))


def _is_hour(text: str) -> bool:
    return text.isdecimal() and int(text) <= 24


def _agree(one: Date, other: Date) -> bool:
    both = [(a, b) for a, b in zip(one, other, strict=True) if a is not None and b is not None]
    return bool(both) and all(a == b for a, b in both)


# --- reading ----------------------------------------------------------------------------------------------------------

_MONTHS = (
    *("january", "february", "march", "april", "may", "june", "july", "august"),
    *("september", "october", "november", "december"),
)
_MONTH_OF = {name: n for n, name in enumerate(_MONTHS, 1)} | {name[:3]: n for n, name in enumerate(_MONTHS, 1)}
_MONTH_OF["sept"] = 9
_MONTH = r"(?P<m>" + "|".join(sorted(_MONTH_OF, key=len, reverse=True)) + r")\b\.?"
_NTH = r"(?:st|nd|rd|th)?"
_TO = r"\s?(?:[-–—~至到]|to|and|until)\s?"
_HALF = {
    **dict.fromkeys(("凌晨", "早上", "早晨", "清晨", "早", "上午", "am", "a.m.", "in the morning"), "am"),
    **dict.fromkeys(("下午", "晚上", "傍晚", "夜里", "夜间", "晚", "pm", "p.m.", "in the afternoon"), "pm"),
    **dict.fromkeys(("in the evening", "at night"), "pm"),
}
_EN_HALF = r"(?P<h>am\b|pm\b|a\.m\.|p\.m\.|in the (?:morning|afternoon|evening)|at night)"
_ZH_HALF = r"(?P<h>凌晨|早上|早晨|清晨|早|上午|中午|下午|晚上|傍晚|夜里|夜间|晚)?\s?"
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_HAN_WEEKDAY = {c: n for n, c in enumerate("一二三四五六", 1)} | {"日": 7, "天": 7}
_UNIT = "月日号點点时時半个個席天周年元块塊箱次台条張张家店层楼岁人名位米毫厘公斤克升分秒小倍趟款件份折路间週"


def figures(text: str) -> Figures:
    """The figures in `text`, which is NFKC-normalised and case-folded."""
    return read(text)[0]


def read(text: str) -> tuple[Figures, str]:
    """The figures, and the text without its dates and times."""
    reader = _Reader(text)
    return reader.read(), reader.rest


class _Reader:
    """Takes figures out of a text, the most specific form first, so that no digit is read twice."""

    def __init__(self, text: str) -> None:
        self._text = _with_digits(_weekdays_out(text))
        self._dates: set[Date] = set()
        self._times: set[frozenset[int]] = set()
        self._weekdays = frozenset(_weekdays(text))

    @property
    def rest(self) -> str:
        return self._text

    def read(self) -> Figures:
        for pattern, take in _FORMS:
            self._text = pattern.sub(lambda m, take=take: self._taken(m, take), self._text)  # type: ignore[misc]
        numbers = frozenset(n for n in _numbers(self._text) if n != "1")
        return Figures(
            dates=frozenset(self._dates), times=frozenset(self._times), weekdays=self._weekdays, numbers=numbers
        )

    def _taken(self, match: re.Match[str], take: Callable[[re.Match[str]], "_Found"]) -> str:
        for one in take(match):
            if isinstance(one, frozenset):
                self._times.add(one)
            else:
                self._dates.add(one)
        return "  "


_Found = Iterator[Date | frozenset[int]]


def _date(match: re.Match[str]) -> _Found:
    found = match.groupdict()
    month = found.get("m")
    year = int(found["y"]) if found.get("y") else None
    at = None if month is None else _MONTH_OF.get(month) or (int(month) if month.isdecimal() else None)
    days: list[int | None] = [int(found[name]) for name in ("d", "e") if found.get(name)]
    yield from ((year, at, day) for day in days or [None])


def _time(match: re.Match[str]) -> _Found:
    found = match.groupdict()
    half = _HALF.get(found.get("h") or "")
    for hour, minute in (("a", "n"), ("b", "o")):
        if found.get(hour):
            said = found.get(minute)
            minutes = 30 if said == "半" else int(said) if said else 0
            yield frozenset(_minutes(int(found[hour]), minutes, half))


def _minutes(hour: int, minute: int, half: str | None) -> Iterator[int]:
    if half == "pm" and hour < 12:
        yield (hour + 12) * 60 + minute
        return
    yield hour * 60 + minute
    if half is None and 0 < hour <= 12:
        yield (hour + 12) % 24 * 60 + minute


def _noon(_: re.Match[str]) -> _Found:
    yield frozenset({720})


def _clock(match: re.Match[str]) -> _Found:
    """'18:00' is what it says, '6:00 pm' and '下午 6:00' are not; '07:00' is a morning's."""
    half = _HALF.get(match["h"] or match["g"] or "")
    hour, minute = int(match["a"]), int(match["n"])
    exact = half or ("am" if match["a"].startswith("0") or hour > 12 else None)
    yield frozenset(_minutes(hour, minute, exact))


_FORMS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], _Found]], ...] = tuple(
    (re.compile(pattern), take)
    for pattern, take in (
        (r"(?<!\d)(?P<y>\d{4})[-/.](?P<m>\d{1,2})[-/.](?P<d>\d{1,2})(?!\d)", _date),
        (rf"(?<!\d)(?:(?P<y>\d{{4}})\s?年\s?)?(?P<m>\d{{1,2}})\s?月\s?(?P<d>\d{{1,2}})\s?[日号]?(?:{_TO}(?P<e>\d{{1,2}})\s?[日号])?", _date),
        (rf"(?<!\d)(?P<d>\d{{1,2}}){_NTH}(?:{_TO}(?P<e>\d{{1,2}}){_NTH})?\s(?:of )?{_MONTH}(?:,?\s(?P<y>\d{{4}}))?", _date),
        (rf"\b{_MONTH}\s(?P<d>\d{{1,2}}){_NTH}(?!\d)(?:{_TO}(?P<e>\d{{1,2}}){_NTH}(?!\d))?(?:,?\s(?P<y>\d{{4}}))?", _date),
        (rf"\b{_MONTH},?\s(?P<y>\d{{4}})", _date),
        (r"(?<!\d)(?P<y>\d{4})\s?年\s?(?P<m>\d{1,2})\s?月", _date),
        (r"(?<![\d-])(?P<y>20\d\d)-(?P<m>\d{2})(?![\d-])", _date),
        (r"(?<!\d)(?P<m>\d{1,2})\s?月(?!包|租)", _date),
        (r"\b(?:in|of|since|until|by|last|next|from|this)\s" + _MONTH, _date),
        (r"\b(?!may\b|march\b|mar\b)" + _MONTH, _date),
        (r"(?<!\d)(?P<y>20\d\d)\s?年|(?<![\d.-])(?P<yy>20\d\d)(?![\d.-])", lambda m: iter([(int(m["y"] or m["yy"]), None, None)])),
        (r"(?<!\d)(?P<d>\d{1,2})\s?[日号](?!线|店|楼)", _date),
        (_ZH_HALF + r"(?<!\d)(?P<a>\d{1,2}):(?P<n>\d{2})(?:\s?" + _EN_HALF.replace("<h>", "<g>") + ")?", _clock),
        (_ZH_HALF + rf"(?<!\d)(?P<a>\d{{1,2}})(?:\s?[点點时時]\s?(?P<n>半|\d{{1,2}}(?=分))?分?)?{_TO}(?P<b>\d{{1,2}})\s?[点點时時](?!间)\s?(?P<o>半|\d{{1,2}}(?=分))?", _time),
        (_ZH_HALF + r"(?<!\d)(?P<a>\d{1,2})\s?[点點时時](?!间)\s?(?P<n>半|\d{1,2}(?=分))?", _time),
        (rf"(?<!\d)(?P<a>\d{{1,2}}){_TO}(?P<b>\d{{1,2}})\s?{_EN_HALF}", _time),
        (rf"(?<!\d)(?P<a>\d{{1,2}})\s?{_EN_HALF}", _time),
        (r"\bnoon\b|正午|中午(?!\d)", _noon),
    )
)  # fmt: skip


def _weekdays(text: str) -> Iterator[int]:
    for n, name in enumerate(_WEEKDAYS, 1):
        if re.search(rf"\b{name}s?\b", text):
            yield n
    for match in re.finditer(r"(?:周|星期|礼拜|週)([一二三四五六日天])", text):
        yield _HAN_WEEKDAY[match[1]]


def _weekdays_out(text: str) -> str:
    return re.sub(r"(?:周|星期|礼拜|週)[一二三四五六日天]", " ", text)


def _with_digits(text: str) -> str:
    """Han numerals and number words as digits, where they are meant as numbers ('一律' is none)."""
    han = re.sub(
        rf"(?<!\d)(?<!\d ){HAN_NUMBER}(?=\s?[{_UNIT}])|(?<=第){HAN_NUMBER}|[二三四五六七八九]?十[零一二三四五六七八九]?",
        _han,
        text,
    )
    return re.sub(r"\b[a-z]+\b", lambda m: _WORD_DIGITS.get(m[0], m[0]), han)


_WORD_DIGITS = {word: str(n) for word, n in (WORDS | ORDINALS).items() if word not in ("both", "couple", "zero")}


def _han(match: re.Match[str]) -> str:
    value = number(match[0])
    return match[0] if value is None else str(value)


def _numbers(text: str) -> Iterator[str]:
    for match in re.finditer(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?", text):
        try:
            value = Decimal(match[0].replace(",", ""))
        except InvalidOperation:
            continue
        tens = 10_000 if text[match.end() :].lstrip().startswith(("万", "萬")) else 1
        yield format((value * tens).normalize(), "f")
