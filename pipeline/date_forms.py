"""The forms in which dates are written, Chinese and English, most specific first, each with what it means on a day."""

import calendar
import re
from collections.abc import Callable
from datetime import date, timedelta
from typing import NamedTuple

from pipeline.numerals import HAN_NUMBER, NUMBER, WORDS, number

__all__ = ["FORMS", "Days", "Form", "Reader", "forms_for"]

Days = tuple[date, date]
Reader = Callable[[re.Match[str], date], Days | None]

_MONTHS = {name.lower(): n for n, name in enumerate(calendar.month_name) if name}
_MONTHS |= {name.lower(): n for n, name in enumerate(calendar.month_abbr) if name} | {"sept": 9}
_WEEKDAYS = {name.lower(): n for n, name in enumerate(calendar.day_name)}
_WEEKDAYS |= {"mon": 0, "tue": 1, "tues": 1, "wed": 2, "thu": 3, "thur": 3, "thurs": 3, "fri": 4, "sat": 5, "sun": 6}
_HAN_WEEKDAYS = {c: n for n, c in enumerate("一二三四五六日")} | {"天": 6} | {str(n): n - 1 for n in range(1, 8)}
_HAN_STEPS = {"上上": -2, "上": -1, "这": 0, "本": 0, "当": 0, "": 0, "下": 1, "下下": 2}
_STEPS = {"last": -1, "previous": -1, "past": -1, "this": 0, "current": 0, "next": 1, "coming": 1}
_HAN_DAYS = {"大前": -3, "前": -2, "昨": -1, "今": 0, "当": 0, "明": 1, "后": 2, "大后": 3}
_EN_DAYS = {
    "day before yesterday": -2, "yesterday": -1, "last night": -1, "today": 0, "tonight": 0, "this morning": 0,
    "this afternoon": 0, "tomorrow": 1, "day after tomorrow": 2,
}  # fmt: skip
_UNITS = {"day": 1, "week": 7, "fortnight": 14, "天": 1, "日": 1, "周": 7, "星期": 7, "礼拜": 7}
_MONTH = "(?:" + "|".join(sorted(_MONTHS, key=len, reverse=True)) + ")"
_WEEKDAY = "(?:" + "|".join(sorted(_WEEKDAYS, key=len, reverse=True)) + ")"
_NOT_A_DAY = r"(?!(?:sun|sat|wed|mon)\b)"
"""Words of their own: only after 'on' or 'next' are they days."""
_HAN_WEEK = r"(?:周|星期|礼拜)"
_DASH = r"\s*(?:到|至|-|–|—|~|～|－|to|through|until|till)\s*"
_AMOUNT = r"(?P<n>\d{1,4}|an?|one|two|three|four|five|six|seven|eight|nine|ten|couple of|a couple of)"


# --- building blocks --------------------------------------------------------------------------------------------------


def _num(text: str | None) -> int:
    value = number(text) if text else None
    if value is None:
        raise ValueError("not a number")
    return value


def _month_of(year: int, month: int) -> Days:
    return date(year, month, 1), date(year, month, calendar.monthrange(year, month)[1])


def _shifted_month(today: date, step: int) -> Days:
    index = today.year * 12 + today.month - 1 + step
    return _month_of(index // 12, index % 12 + 1)


def _year_of(year: int) -> Days:
    return date(year, 1, 1), date(year, 12, 31)


def _quarter_of(year: int, quarter: int) -> Days:
    return date(year, quarter * 3 - 2, 1), _month_of(year, quarter * 3)[1]


def _week_of(today: date, step: int) -> Days:
    monday = today - timedelta(days=today.weekday()) + timedelta(weeks=step)
    return monday, monday + timedelta(days=6)


def _nearest(today: date, build: Callable[[int], Days]) -> Days:
    """The year that brings the days closest to `today`."""
    options = []
    for year in (today.year, today.year - 1, today.year + 1):
        try:
            options.append(build(year))
        except ValueError:
            continue
    return min(options, key=lambda days: abs((days[0] - today).days))


def _full_year(text: str) -> int:
    value = _num(text)
    return value + 2000 if value < 100 else value


# --- forms, most specific first ---------------------------------------------------------------------------------------


def _iso(match: re.Match[str], today: date) -> Days:
    """2026-11-16, 2026-11-16 至 11-20."""
    day = date(_num(match["y"]), _num(match["m"]), _num(match["d"]))
    if not match["d2"]:
        return day, day
    end = date(day.year, _num(match["m2"]), _num(match["d2"]))
    return day, end if end >= day else end.replace(year=end.year + 1)


def _year_month(match: re.Match[str], today: date) -> Days:
    return _month_of(_full_year(match["y"]), _num(match["m"]))


def _han_day(match: re.Match[str], today: date) -> Days:
    """11月16日, 11 月 16–20 日, 2026年11月16日到20日, 11月16日至12月2日."""

    def build(year: int) -> Days:
        start = date(year, _num(match["m"]), _num(match["d"]))
        if not match["d2"]:
            return start, start
        end = date(year, _num(match["m2"] or match["m"]), _num(match["d2"]))
        return start, end if end >= start else end.replace(year=year + 1)

    return build(_full_year(match["y"])) if match["y"] else _nearest(today, build)


def _day_of_shifted_month(match: re.Match[str], today: date) -> Days:
    """下个月3号到10号, 'the 3rd of next month', 3号到10号."""
    step = (match["step"] or "").lower()
    month = _shifted_month(today, _HAN_STEPS[step] if step in _HAN_STEPS else _STEPS[step])[0]
    first = month.replace(day=_num(match["d"]))
    return first, month.replace(day=_num(match["d2"])) if match["d2"] else first


def _en_day(match: re.Match[str], today: date) -> Days:
    def build(year: int) -> Days:
        month = _MONTHS[match["mon"].lower()]
        start = date(year, month, _num(match["d"]))
        if not match["d2"]:
            return start, start
        end = date(year, _MONTHS[(match["mon2"] or match["mon"]).lower()], _num(match["d2"]))
        return start, end if end >= start else end.replace(year=year + 1)

    return build(_num(match["y"])) if match["y"] else _nearest(today, build)


def _en_month(match: re.Match[str], today: date) -> Days:
    month = _MONTHS[match["mon"].lower()]
    step = _STEPS.get((match["step"] or "").lower())
    if match["y"]:
        return _month_of(_num(match["y"]), month)
    if step == 1:
        return _month_of(today.year + (month <= today.month), month)
    if step == -1:
        return _month_of(today.year - (month >= today.month), month)
    return _nearest(today, lambda year: _month_of(year, month))


def _han_weekday(match: re.Match[str], today: date) -> Days:
    """下周四, 下周一到周五, 这周末; a bare 周五 is the coming one, today included."""
    week = _week_of(today, _HAN_STEPS[match["step"] or ""])[0]
    first = week + timedelta(days=_HAN_WEEKDAYS[match["w"]])
    if not match["step"] and first < today:
        first += timedelta(weeks=1)
    last = first
    if match["w2"]:
        last = first + timedelta(days=(_HAN_WEEKDAYS[match["w2"]] - _HAN_WEEKDAYS[match["w"]]) % 7)
    return first, last


def _en_weekday(match: re.Match[str], today: date) -> Days:
    """'next Friday' is next week's, as 'this Friday' is this week's; 'last Friday' is the one gone by."""
    step = _STEPS.get((match["step"] or "").lower())
    wanted = _WEEKDAYS[match["w"].lower()]
    if step in (0, 1) and match["step"].lower() != "coming":
        first = _week_of(today, step)[0] + timedelta(days=wanted)
    elif step == -1:
        first = today - timedelta(days=(today.weekday() - wanted) % 7 or 7)
    else:
        first = today + timedelta(days=(wanted - today.weekday()) % 7)
    last = first + timedelta(days=(_WEEKDAYS[match["w2"].lower()] - wanted) % 7) if match["w2"] else first
    return first, last


def _weekend(match: re.Match[str], today: date) -> Days:
    step = match["step"] or ""
    monday = _week_of(today, _HAN_STEPS[step] if step in _HAN_STEPS else _STEPS[step.lower()])[0]
    return monday + timedelta(days=5), monday + timedelta(days=6)


def _period(match: re.Match[str], today: date) -> Days:
    """上周, 本月, next quarter, last year; 月底, 年底前, 'end of next month'."""
    step = match["step"] or ""
    count = _HAN_STEPS[step] if step in _HAN_STEPS else _STEPS[step.lower()]
    return _PERIODS[match["unit"].lower()](today, count)


def _quarter(today: date, step: int) -> Days:
    index = today.year * 4 + (today.month - 1) // 3 + step
    return _quarter_of(index // 4, index % 4 + 1)


_PERIODS: dict[str, Callable[[date, int], Days]] = {
    **dict.fromkeys(("week", "周", "星期", "礼拜"), _week_of),
    **dict.fromkeys(("month", "月"), _shifted_month),
    **dict.fromkeys(("quarter", "季度", "季"), _quarter),
    "year": lambda today, step: _year_of(today.year + step),
}


def _edge(match: re.Match[str], today: date) -> Days:
    """The end, the beginning or the middle of a month, a quarter or a year."""
    days = _PERIODS[_EDGE_UNITS.get(match["unit"].lower(), match["unit"].lower())](today, _edge_step(match))
    where = match["edge"].lower()
    if where in ("初", "beginning", "start"):
        return days[0], days[0] + timedelta(days=9)
    if where in ("中", "middle"):
        middle = days[0] + (days[1] - days[0]) // 2
        return middle - timedelta(days=5), middle + timedelta(days=5)
    return days[1], days[1]


_EDGE_UNITS = {"年": "year"}
_HAN_YEARS = {"前": -2, "去": -1, "今": 0, "本": 0, "明": 1, "后": 2}


def _edge_step(match: re.Match[str]) -> int:
    step = (match["step"] or "").lower()
    if match["unit"] == "年":
        return _HAN_YEARS.get(step, 0)
    return _HAN_STEPS.get(step, _STEPS.get(step, 0))


def _month_edge(match: re.Match[str], today: date) -> Days:
    """3月底, 'end of March', 'end of March 2027'."""
    name = match["mon"].lower()
    month = _MONTHS[name] if name in _MONTHS else _num(name)
    days = _month_of(_full_year(match["y"]), month) if match["y"] else _nearest(today, lambda y: _month_of(y, month))
    return days[1], days[1]


def _quarter_edge(match: re.Match[str], today: date) -> Days:
    """'end of Q1', 一季度末."""
    quarter = _num(match["q"])
    year = match["y"]
    days = _quarter_of(_full_year(year), quarter) if year else _nearest(today, lambda y: _quarter_of(y, quarter))
    return days[1], days[1]


def _third(match: re.Match[str], today: date) -> Days:
    """12月中旬, 下个月上旬: the days up to the 10th, up to the 20th, and the rest."""
    step = _HAN_STEPS.get(match["step"] or "", 0)
    named = match["m"] and _nearest(today, lambda year: _month_of(year, _num(match["m"])))
    first, last = named or _shifted_month(today, step)
    begin = {"上": 1, "中": 11, "下": 21}[match["third"]]
    return first.replace(day=begin), last if begin == 21 else first.replace(day=begin + 9)


_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12, "春": 3, "夏": 6, "秋": 9, "冬": 12}


def _season(match: re.Match[str], today: date) -> Days:
    """'last summer', 'winter 2027', 去年夏天: three months from March, June, September or December."""
    month = _SEASONS[match["season"].lower()]

    def build(year: int) -> Days:
        return date(year, month, 1), _shifted_month(date(year, month, 1), 2)[1]

    step = (match["step"] or "").lower()
    if match["y"]:
        return build(_full_year(match["y"]))
    if step in _HAN_YEARS:
        return build(today.year + _HAN_YEARS[step])
    seasons = [build(today.year + n) for n in (-1, 0, 1)]
    if step == "last":
        return [one for one in seasons if one[1] < today][-1]
    if step == "next":
        return next(one for one in seasons if one[0] > today)
    return _nearest(today, build)


_FEASTS = {
    "new year's day": (1, 1), "元旦": (1, 1), "valentine's": (2, 14), "情人节": (2, 14), "五一": (5, 1),
    "劳动节": (5, 1),
    "halloween": (10, 31), "国庆": (10, 1), "双十一": (11, 11), "双11": (11, 11), "双十二": (12, 12),
    "双12": (12, 12),
    "christmas eve": (12, 24), "平安夜": (12, 24), "christmas": (12, 25), "圣诞": (12, 25), "new year's eve": (12, 31),
}  # fmt: skip
"""Those that fall on one day of the calendar every year."""


def _feast(match: re.Match[str], today: date) -> Days:
    month, day = _FEASTS[match[0].lower().replace("’", "'")]
    return _nearest(today, lambda year: (date(year, month, day), date(year, month, day)))


def _slash_day(match: re.Match[str], today: date) -> Days:
    """12/18, 12/18 到 12/22: month and day, or day and month where the month would be none."""
    first, second = _num(match["m"]), _num(match["d"])
    swapped = first > 12

    def day(year: int, one: int, two: int) -> date:
        return date(year, two, one) if swapped else date(year, one, two)

    def build(year: int) -> Days:
        start = day(year, first, second)
        end = day(year, _num(match["m2"]), _num(match["d2"])) if match["d2"] else start
        return start, end if end >= start else end.replace(year=year + 1)

    return _nearest(today, build)


def _far_period(match: re.Match[str], today: date) -> Days:
    """'the week after next', 'the month before last'."""
    return _PERIODS[match["unit"].lower()](today, 2 if match["far"].lower() == "after next" else -2)


def _weeks_from(match: re.Match[str], today: date) -> Days:
    """'a week on Monday', 'Tuesday week', 'two weeks from today': British for weeks after the coming one."""
    name = (match["w1"] or match["w2"]).lower()
    weeks = {"a": 1, "one": 1, "two": 2, "three": 3}[(match["n"] or "a").lower()] * (
        2 if (match["much"] or match["much2"]).lower().startswith("fortnight") else 1
    )
    ahead = _EN_DAYS[name] if name in _EN_DAYS else (_WEEKDAYS[name] - today.weekday()) % 7
    day = today + timedelta(days=ahead, weeks=weeks)
    return day, day


def _weekday_and_day(match: re.Match[str], today: date) -> Days | None:
    """'Wednesday the 6th', 'Sunday 16': the nearest such day that is one."""
    months = [_shifted_month(today, step)[0] for step in range(-6, 8)]
    day, weekday = _num(match["d"]), _WEEKDAYS[match["name"].lower()]
    days = [m.replace(day=day) for m in months if day <= _month_of(m.year, m.month)[1].day]
    fitting = [one for one in days if one.weekday() == weekday]
    nearest = min(fitting, key=lambda one: abs((one - today).days), default=None)
    return (nearest, nearest) if nearest else None


def _half(match: re.Match[str], today: date) -> Days:
    year = today.year + _HAN_YEARS.get(match["step"] or "今", 0)
    return (date(year, 1, 1), date(year, 6, 30)) if match["half"] == "上" else (date(year, 7, 1), date(year, 12, 31))


def _quarter_number(match: re.Match[str], today: date) -> Days | None:
    quarter = _num(match["q"])
    if not 1 <= quarter <= 4:
        return None
    year = match["y"] or match["y2"]
    if year:
        return _quarter_of(_full_year(year), quarter)
    return _nearest(today, lambda y: _quarter_of(y, quarter))


def _named_day(match: re.Match[str], today: date) -> Days:
    day = today + timedelta(days=_EN_DAYS[re.sub(r"\s+", " ", match[0].lower().removeprefix("the "))])
    return day, day


def _named_han_day(match: re.Match[str], today: date) -> Days:
    day = today + timedelta(days=_HAN_DAYS[match["step"]])
    return day, day


def _named_han_year(match: re.Match[str], today: date) -> Days:
    year = today.year + _HAN_YEARS[match["step"]]
    return _month_of(year, _num(match["m"])) if match["m"] else _year_of(year)


def _ago(match: re.Match[str], today: date) -> Days:
    """三天前, 2 weeks ago, in 3 days, 两个月后."""
    raw = match["n"].lower()
    amount = {"a": 1, "an": 1, "couple of": 2, "a couple of": 2}.get(raw) or WORDS.get(raw) or _num(raw)
    sign = -1 if match["dir"].lower() in ("前", "以前", "之前", "ago") else 1
    unit = match["unit"].lower()
    if unit in _UNITS:
        day = today + timedelta(days=sign * amount * _UNITS[unit])
        return day, day
    if unit in ("month", "个月"):
        return _shifted_month(today, sign * amount)
    return _year_of(today.year + sign * amount)


def _han_month(match: re.Match[str], today: date) -> Days:
    month = _num(match["m"])
    return _nearest(today, lambda year: _month_of(year, month))


def _day_of_month(match: re.Match[str], today: date) -> Days:
    """25号 is this month's."""
    day = today.replace(day=_num(match["d"]))
    return day, day


def _en_day_of_month(match: re.Match[str], today: date) -> Days:
    """'since the 9th' has gone by, 'by the 9th' is to come; 'on the 9th', 'the 3rd to the 5th' are the nearest."""
    months = [_shifted_month(today, step)[0] for step in (-1, 0, 1)]
    day = _num(match["d"] or match["d_"])
    last = _num(match["d2"]) if match["d2"] else day
    days = [m.replace(day=day) for m in months if max(day, last) <= _month_of(m.year, m.month)[1].day]
    word = (match["since"] or "").lower()
    if word == "since":
        days = [one for one in days if one <= today]
    elif word in ("by", "until", "till", "before", "through"):
        days = [one for one in days if one >= today]
    nearest = min(days, key=lambda one: abs((one - today).days))
    end = nearest.replace(day=last)
    return nearest, end if end >= nearest else _shifted_month(nearest, 1)[0].replace(day=last)


def _bare_year(match: re.Match[str], today: date) -> Days:
    return _year_of(_num(match["y"]))


def _quarter_name(match: re.Match[str], today: date) -> Days | None:
    quarter, year = int(match["q"] or match["quarter"]), match["y"] or match["year"]
    return _quarter_of(int(year), quarter) if year else _nearest(today, lambda y: _quarter_of(y, quarter))


def _han_ago(match: re.Match[str], today: date) -> Days:
    unit = match["unit"].removeprefix("个") if match["unit"] != "个月" else "个月"
    amount, sign = _num(match["n"]), -1 if match["dir"] in ("前", "以前", "之前") else 1
    if unit in _UNITS:
        day = today + timedelta(days=sign * amount * _UNITS[unit])
        return day, day
    return _shifted_month(today, sign * amount) if unit == "个月" else _year_of(today.year + sign * amount)


class Form(NamedTuple):
    """One way to write a date, and how it is read. Without any of the signs that it `needs` it cannot match."""

    pattern: re.Pattern[str]
    read: Reader
    needs: frozenset[str]

    def others(self, match: re.Match[str], days: Days) -> tuple[Days, ...]:
        """What it may mean as well: a bare 'Monday' the last one, 'the 9th' another month's, 'May' another year's."""
        given = match.groupdict()
        if any(given.get(name) for name in ("y", "y2", "year", "step")):
            return ()
        moves = _OPEN.get(self.read, ())
        return tuple(moved for move in moves if (moved := _moved(days, *move)))


_WEEK, _ANY_MONTH, _ANY_YEAR = ((0, -7),), ((-1, 0), (1, 0)), ((-12, 0), (12, 0))
_OPEN: dict[Reader, tuple[tuple[int, int], ...]] = {
    **dict.fromkeys((_en_weekday, _han_weekday), _WEEK),
    **dict.fromkeys((_day_of_month, _en_day_of_month, _day_of_shifted_month), _ANY_MONTH),
    **dict.fromkeys((_han_day, _en_day, _slash_day, _en_month, _han_month, _month_edge, _quarter_edge), _ANY_YEAR),
    **dict.fromkeys((_season, _feast, _quarter_number, _quarter_name), _ANY_YEAR),
}
"""By how many months and days the other readings of a form lie apart, where it leaves week, month or year open."""


def _moved(days: Days, months: int, by: int) -> Days | None:
    try:
        first, last = (_in_months(day, months) + timedelta(days=by) for day in days)
    except (ValueError, OverflowError):
        return None
    return first, last


def _in_months(day: date, months: int) -> date:
    """The same day so many months on; the end of a month stays its end."""
    if not months:
        return day
    target = _shifted_month(day, months)
    return target[1] if day == _month_of(day.year, day.month)[1] else target[0].replace(day=day.day)


def forms_for(text: str) -> list[Form]:
    """The forms that could match in `text`, in their order."""
    present = set(text)
    return [form for form in FORMS if not form.needs or not form.needs.isdisjoint(present)]


def _form(pattern: str, read: Reader, needs: str = "") -> Form:
    return Form(re.compile(pattern, re.IGNORECASE), read, frozenset(needs))


_D = rf"(?:\d{{1,2}}|{HAN_NUMBER})"
_Y = r"(?:20\d\d|19\d\d|[一二][零〇九][零〇一二三四五六七八九]{2})"
_NEXT_BUT_ONE = "(?<![看查问说订改算讲聊等])下下"
"""But in '看下下个月' the first 下 belongs to the verb."""
FORMS: tuple[Form, ...] = (
    _form(
        rf"(?<!\d)(?P<y>(?:19|20)\d\d)[-/.](?P<m>\d{{1,2}})[-/.](?P<d>\d{{1,2}})(?!\d)"
        rf"(?:{_DASH}(?P<m2>\d{{1,2}})[-/](?P<d2>\d{{1,2}})(?![-/.\d]))?",
        _iso,
    ),
    _form(
        rf"(?:(?P<y>{_Y}) *年 *)?(?P<m>{_D}) *月(?:份)? *(?P<d>{_D}) *(?:[号日](?!线)|(?={_DASH}{_D} *[号日]))"
        rf"(?:{_DASH}(?:(?P<m2>{_D}) *月 *)?(?P<d2>{_D}) *[号日])?",
        _han_day,
        "月",
    ),
    _form(
        rf"(?P<step>上上|{_NEXT_BUT_ONE}|上|下|这|本)个?月(?:的)? *(?P<d>{_D}) *[号日]?"
        rf"(?:{_DASH}(?P<d2>{_D}) *[号日])?(?<=[号日])",
        _day_of_shifted_month,
        "月",
    ),
    _form(rf"(?P<step>)(?<![\d月])(?P<d>{_D}) *[号日]?{_DASH}(?P<d2>{_D}) *号", _day_of_shifted_month, "号"),
    _form(
        rf"\bthe (?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?:{_DASH}(?:the )?(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?)? (?:of )?"
        r"(?P<step>last|this|next) month\b",
        _day_of_shifted_month,
    ),
    _form(
        rf"\b(?P<step>last|this|next) month,? (?:on |from )?(?:the )?(?P<d>\d{{1,2}})(?:st|nd|rd|th)"
        rf"(?:{_DASH}(?:the )?(?P<d2>\d{{1,2}})(?:st|nd|rd|th))?\b",
        _day_of_shifted_month,
    ),
    _form(
        rf"\b(?P<name>{_WEEKDAY})s?,? (?:the )?(?P<d>\d{{1,2}})(?:st|nd|rd|th)?\b"
        rf"(?! ?(?:[ap]\.?m\b|[:.]\d|o'clock|of |{_MONTH}\b|{_DASH}\d{{1,2}} ?[ap]\.?m))",
        _weekday_and_day,
    ),
    _form(
        r"(?:\b(?P<since>since|from|on|by|until|till|before|after|through|including) the (?P<d>\d{1,2})(?:st|nd|rd|th)"
        rf"|\bthe (?P<d_>\d{{1,2}})(?:st|nd|rd|th)(?={_DASH}(?:the )?\d))"
        rf"(?:{_DASH}(?:the )?(?P<d2>\d{{1,2}})(?:st|nd|rd|th))?\b"
        r"(?! (?:of|floor|time|attempt|try|level|order|ticket|row|page|column|version|generation)\b)",
        _en_day_of_month,
    ),
    _form(
        rf"\b(?:(?P<n>a|one|two|three) (?P<much>weeks?|fortnight) (?:on|from) (?P<w1>{_WEEKDAY}|today|tomorrow)"
        rf"|(?P<w2>{_WEEKDAY}|today|tomorrow) (?P<much2>week|fortnight))\b",
        _weeks_from,
    ),
    _form(r"\b(?:the )?(?P<unit>week|month|quarter|year) (?P<far>after next|before last)\b", _far_period),
    _form(
        rf"(?<![\d/.])(?P<m>\d{{1,2}})/(?P<d>\d{{1,2}})(?![\d/])"
        rf"(?:{_DASH}(?P<m2>\d{{1,2}})/(?P<d2>\d{{1,2}})(?![\d/]))?",
        _slash_day,
        "/",
    ),
    _form(rf"(?P<y>{_Y}) *年 *(?:的 *)?第?(?P<q>[1-4一二三四]) *季度?(?P<y2>)", _quarter_number, "季"),
    _form(rf"(?P<y>{_Y}|(?<!\d)\d\d) *年 *(?P<m>{_D}) *月(?:份)?(?! *[底上中下])", _year_month, "年"),
    _form(r"(?<![\d-])(?P<y>(?:19|20)\d\d)[-/](?P<m>0[1-9]|1[0-2])(?![-/\d])", _year_month),
    _form(
        rf"\b(?P<mon>{_MONTH})\.? (?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?:{_DASH}(?:(?P<mon2>{_MONTH})\.? )?"
        rf"(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?)?(?:,? (?P<y>(?:19|20)\d\d))?(?!\d|:\d)",
        _en_day,
    ),
    _form(
        rf"(?<![\d.])(?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?:{_DASH}(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?)? (?:of )?"
        rf"(?P<mon>{_MONTH})\b(?P<mon2>)\.?(?:,? (?P<y>(?:19|20)\d\d))?",
        _en_day,
    ),
    _form(rf"\b(?:end|close) of (?P<mon>{_MONTH})\b(?:,? (?P<y>20\d\d)\b)?", _month_edge),
    _form(rf"(?:(?P<y>{_Y}) *年 *)?(?<!\d)(?P<mon>{_D}) *月 *底", _month_edge, "月"),
    _form(r"\b(?:end|close) of (?:the )?Q(?P<q>[1-4])(?:,? (?P<y>20\d\d)\b)?", _quarter_edge),
    _form(rf"(?:(?P<y>{_Y}) *年 *)?第?(?P<q>[1-4一二三四]) *季度[末底]", _quarter_edge, "季"),
    _form(
        rf"(?:(?P<step>上上|{_NEXT_BUT_ONE}|上|下|这|本)个?月|(?P<m>{_D}) *月(?:份)?)?(?P<third>上|中|下)旬",
        _third,
        "旬",
    ),
    _form(
        r"\b(?:(?P<step>last|this|next) )?(?P<season>spring|summer|autumn|winter)\b(?:,? (?:of )?(?P<y>20\d\d)\b)?",
        _season,
    ),
    _form(rf"(?:(?P<y>{_Y}) *年|(?P<step>前|去|今|明|后)年?)?的?(?P<season>春|夏|秋|冬)(?:天|季)", _season, "春夏秋冬"),
    _form(
        r"\b(?:new year['’]s (?:day|eve)|valentine['’]s|halloween|christmas(?: eve)?)\b"
        r"|元旦|情人节|五一|劳动节|国庆|双十一|双11|双十二|双12|平安夜|圣诞",
        _feast,
    ),
    _form(rf"\b(?:(?P<step>last|next|this) )?(?P<mon>{_MONTH})\b\.?,?(?: (?:of )?(?P<y>(?:19|20)\d\d))", _en_month),
    _form(
        rf"(?P<step>上上|{_NEXT_BUT_ONE}|上|下|这|本)? *个? *{_HAN_WEEK}(?P<w>[一二三四五六日天1-7])"
        rf"(?:{_DASH}(?:{_HAN_WEEK})?(?P<w2>[一二三四五六日天1-7])(?![\d点个]))?",
        _han_weekday,
        "周星礼",
    ),
    _form(rf"(?P<step>上上|{_NEXT_BUT_ONE}|上|下|这|本)?个?周末", _weekend, "周"),
    _form(r"\b(?P<step>last|this|next|coming) weekend\b", _weekend),
    _form(
        rf"\b(?:(?P<step>last|this|next|coming) |on |{_NOT_A_DAY})(?P<w>{_WEEKDAY})\b(?:{_DASH}(?P<w2>{_WEEKDAY})\b)?",
        _en_weekday,
    ),
    _form(
        r"(?<![\d一二三四五六七八九十] )(?<![\d一二三四五六七八九十])(?P<step>上|下|这|本)?个?"
        r"(?P<unit>月)(?P<edge>底|末|初|中(?=旬|之|前|$|[，,。]))",
        _edge,
        "月",
    ),
    _form(r"(?P<step>去|今|明|后|前)?(?P<unit>年)(?P<edge>底|末|初|中)", _edge, "年"),
    _form(r"(?P<step>上|下|这|本)?个?(?P<unit>季度)(?P<edge>底|末|初)", _edge, "季"),
    _form(
        r"\b(?:the )?(?P<edge>end|beginning|start|middle) of (?:the )?(?:(?P<step>last|this|next) )?"
        r"(?P<unit>week|month|quarter|year)\b",
        _edge,
    ),
    _form(r"\b(?P<step>)(?P<unit>year|month|quarter)[- ]?(?P<edge>end)\b", _edge),
    _form(r"(?P<step>去|今|明|后)?年?(?P<half>上|下)半年", _half, "半"),
    _form(
        r"\bQ(?P<q>[1-4])(?:[ /-]*(?P<y>(?:19|20)\d\d))?(?P<y2>)\b"
        r"|\b(?P<year>(?:19|20)\d\d)[ -]?Q(?P<quarter>[1-4])\b",
        _quarter_name,
    ),
    _form(r"(?P<y>)(?P<y2>)第?(?P<q>[1-4一二三四]) *季度", _quarter_number, "季"),
    _form(
        rf"(?P<step>上上|{_NEXT_BUT_ONE}|上|下|这|本|当)个?(?P<unit>周|星期|礼拜|月|季度)(?![一-龥]?[薪休])", _period,
        "周星礼月季",
    ),
    _form(r"\b(?P<step>last|previous|past|this|current|next|coming) (?P<unit>week|month|quarter|year)\b", _period),
    _form(rf"(?P<step>前|去|今|明|后)年(?:(?P<m>{_D}) *月(?:份)?)?", _named_han_year, "年"),
    _form(r"(?P<step>大前|大后|前|昨|今|当|明|后)(?:天|晚|日(?!期|历|常))", _named_han_day, "天晚日"),
    _form(r"\b(?:the )?day (?:before yesterday|after tomorrow)\b", _named_day),
    _form(r"\b(?:yesterday|last night|today|tonight|this (?:morning|afternoon)|tomorrow)\b", _named_day),
    _form(
        rf"(?P<n>{NUMBER}) *(?P<unit>天|日|周|个?星期|个?礼拜|个月|年) *(?P<dir>以前|之前|前|以后|之后|后)",
        _han_ago,
        "前后",
    ),
    _form(rf"\b{_AMOUNT} (?P<unit>day|week|fortnight|month|year)s? (?P<dir>ago|from now)\b", _ago),
    _form(rf"\b(?P<dir>in|within) {_AMOUNT} (?P<unit>day|week|fortnight|month|year)s?\b", _ago),
    _form(rf"\b(?P<step>)(?P<mon>(?!may\b|mar\b|sat\b|sun\b|dec\b){_MONTH})\b(?P<y>)", _en_month),
    _form(r"(?:\b(?:in|since|until|by|of|before|last|next) )(?P<step>)(?P<mon>may)\b(?P<y>)", _en_month),
    _form(r"(?<![\d个两几])(?P<m>1[0-2]|[1-9]|十[一二]?|[一二三四五六七八九]) *月(?:份)?(?!租|费)", _han_month, "月"),
    _form(rf"(?<!\d)(?P<y>{_Y}) *年", _bare_year, "年"),
    _form(r"\b(?:in|since|until|by|from|during|before|of|for) (?P<y>20\d\d)\b", _bare_year),
    _form(rf"(?<![\d月])(?P<d>{_D}) *号(?!线|楼|门|店|码|库|机|房)", _day_of_month, "号"),
)  # fmt: skip
