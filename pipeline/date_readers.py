"""What each way of writing a date means on a day. The patterns whose groups are read here stand in `date_forms`."""

import calendar
import re
from collections.abc import Callable
from datetime import date, timedelta

from pipeline.numerals import WORDS, number

Days = tuple[date, date]
Reader = Callable[[re.Match[str], date], Days | None]

MONTHS = {name.lower(): n for n, name in enumerate(calendar.month_name) if name}
MONTHS |= {name.lower(): n for n, name in enumerate(calendar.month_abbr) if name} | {"sept": 9}
WEEKDAYS = {name.lower(): n for n, name in enumerate(calendar.day_name)}
WEEKDAYS |= {"mon": 0, "tue": 1, "tues": 1, "wed": 2, "thu": 3, "thur": 3, "thurs": 3, "fri": 4, "sat": 5, "sun": 6}
_HAN_WEEKDAYS = {c: n for n, c in enumerate("一二三四五六日")} | {"天": 6} | {str(n): n - 1 for n in range(1, 8)}
_HAN_STEPS = {"上上": -2, "上": -1, "这": 0, "本": 0, "当": 0, "": 0, "下": 1, "下下": 2}
_STEPS = {"last": -1, "previous": -1, "past": -1, "this": 0, "current": 0, "next": 1, "coming": 1}
_HAN_DAYS = {"大前": -3, "前": -2, "昨": -1, "今": 0, "当": 0, "明": 1, "后": 2, "大后": 3}
_EN_DAYS = {
    "day before yesterday": -2, "yesterday": -1, "last night": -1, "today": 0, "tonight": 0, "this morning": 0,
    "this afternoon": 0, "tomorrow": 1, "day after tomorrow": 2,
}  # fmt: skip
_UNITS = {"day": 1, "week": 7, "fortnight": 14, "天": 1, "日": 1, "周": 7, "星期": 7, "礼拜": 7}


# --- building blocks --------------------------------------------------------------------------------------------------


def num(text: str | None) -> int:
    value = number(text) if text else None
    if value is None:
        raise ValueError("not a number")
    return value


def month_of(year: int, month: int) -> Days:
    return date(year, month, 1), date(year, month, calendar.monthrange(year, month)[1])


def shifted_month(today: date, step: int) -> Days:
    index = today.year * 12 + today.month - 1 + step
    return month_of(index // 12, index % 12 + 1)


def year_of(year: int) -> Days:
    return date(year, 1, 1), date(year, 12, 31)


def quarter_of(year: int, quarter: int) -> Days:
    return date(year, quarter * 3 - 2, 1), month_of(year, quarter * 3)[1]


def week_of(today: date, step: int) -> Days:
    monday = today - timedelta(days=today.weekday()) + timedelta(weeks=step)
    return monday, monday + timedelta(days=6)


def nearest(today: date, build: Callable[[int], Days]) -> Days:
    """The year that brings the days closest to `today`."""
    options = []
    for year in (today.year, today.year - 1, today.year + 1):
        try:
            options.append(build(year))
        except ValueError:
            continue
    return min(options, key=lambda days: abs((days[0] - today).days))


def full_year(text: str) -> int:
    value = num(text)
    return value + 2000 if value < 100 else value


# --- readers ----------------------------------------------------------------------------------------------------------


def iso(match: re.Match[str], today: date) -> Days:
    """2026-11-16, 2026-11-16 至 11-20."""
    day = date(num(match["y"]), num(match["m"]), num(match["d"]))
    if not match["d2"]:
        return day, day
    end = date(day.year, num(match["m2"]), num(match["d2"]))
    return day, end if end >= day else end.replace(year=end.year + 1)


def year_month(match: re.Match[str], today: date) -> Days:
    return month_of(full_year(match["y"]), num(match["m"]))


def han_day(match: re.Match[str], today: date) -> Days:
    """11月16日, 11 月 16–20 日, 2026年11月16日到20日, 11月16日至12月2日."""

    def build(year: int) -> Days:
        start = date(year, num(match["m"]), num(match["d"]))
        if not match["d2"]:
            return start, start
        end = date(year, num(match["m2"] or match["m"]), num(match["d2"]))
        return start, end if end >= start else end.replace(year=year + 1)

    return build(full_year(match["y"])) if match["y"] else nearest(today, build)


def day_of_shifted_month(match: re.Match[str], today: date) -> Days:
    """下个月3号到10号, 'the 3rd of next month', 3号到10号."""
    step = (match["step"] or "").lower()
    month = shifted_month(today, _HAN_STEPS[step] if step in _HAN_STEPS else _STEPS[step])[0]
    first = month.replace(day=num(match["d"]))
    return first, month.replace(day=num(match["d2"])) if match["d2"] else first


def en_day(match: re.Match[str], today: date) -> Days:
    def build(year: int) -> Days:
        month = MONTHS[match["mon"].lower()]
        start = date(year, month, num(match["d"]))
        if not match["d2"]:
            return start, start
        end = date(year, MONTHS[(match["mon2"] or match["mon"]).lower()], num(match["d2"]))
        return start, end if end >= start else end.replace(year=year + 1)

    return build(num(match["y"])) if match["y"] else nearest(today, build)


def en_month(match: re.Match[str], today: date) -> Days:
    month = MONTHS[match["mon"].lower()]
    step = _STEPS.get((match["step"] or "").lower())
    if match["y"]:
        return month_of(num(match["y"]), month)
    if step == 1:
        return month_of(today.year + (month <= today.month), month)
    if step == -1:
        return month_of(today.year - (month >= today.month), month)
    return nearest(today, lambda year: month_of(year, month))


def han_weekday(match: re.Match[str], today: date) -> Days:
    """下周四, 下周一到周五, 这周末; a bare 周五 is the coming one, today included."""
    week = week_of(today, _HAN_STEPS[match["step"] or ""])[0]
    first = week + timedelta(days=_HAN_WEEKDAYS[match["w"]])
    if not match["step"] and first < today:
        first += timedelta(weeks=1)
    last = first
    if match["w2"]:
        last = first + timedelta(days=(_HAN_WEEKDAYS[match["w2"]] - _HAN_WEEKDAYS[match["w"]]) % 7)
    return first, last


def en_weekday(match: re.Match[str], today: date) -> Days:
    """'next Friday' is next week's, as 'this Friday' is this week's; 'last Friday' is the one gone by."""
    step = _STEPS.get((match["step"] or "").lower())
    wanted = WEEKDAYS[match["w"].lower()]
    if step in (0, 1) and match["step"].lower() != "coming":
        first = week_of(today, step)[0] + timedelta(days=wanted)
    elif step == -1:
        first = today - timedelta(days=(today.weekday() - wanted) % 7 or 7)
    else:
        first = today + timedelta(days=(wanted - today.weekday()) % 7)
    last = first + timedelta(days=(WEEKDAYS[match["w2"].lower()] - wanted) % 7) if match["w2"] else first
    return first, last


def weekend(match: re.Match[str], today: date) -> Days:
    step = match["step"] or ""
    monday = week_of(today, _HAN_STEPS[step] if step in _HAN_STEPS else _STEPS[step.lower()])[0]
    return monday + timedelta(days=5), monday + timedelta(days=6)


def period(match: re.Match[str], today: date) -> Days:
    """上周, 本月, next quarter, last year; 月底, 年底前, 'end of next month'."""
    step = match["step"] or ""
    count = _HAN_STEPS[step] if step in _HAN_STEPS else _STEPS[step.lower()]
    return _PERIODS[match["unit"].lower()](today, count)


def quarter(today: date, step: int) -> Days:
    index = today.year * 4 + (today.month - 1) // 3 + step
    return quarter_of(index // 4, index % 4 + 1)


_PERIODS: dict[str, Callable[[date, int], Days]] = {
    **dict.fromkeys(("week", "周", "星期", "礼拜"), week_of),
    **dict.fromkeys(("month", "月"), shifted_month),
    **dict.fromkeys(("quarter", "季度", "季"), quarter),
    "year": lambda today, step: year_of(today.year + step),
}


def edge(match: re.Match[str], today: date) -> Days:
    """The end, the beginning or the middle of a month, a quarter or a year."""
    days = _PERIODS[_EDGE_UNITS.get(match["unit"].lower(), match["unit"].lower())](today, edge_step(match))
    where = match["edge"].lower()
    if where in ("初", "beginning", "start"):
        return days[0], days[0] + timedelta(days=9)
    if where in ("中", "middle"):
        middle = days[0] + (days[1] - days[0]) // 2
        return middle - timedelta(days=5), middle + timedelta(days=5)
    return days[1], days[1]


_EDGE_UNITS = {"年": "year"}
_HAN_YEARS = {"前": -2, "去": -1, "今": 0, "本": 0, "明": 1, "后": 2}


def edge_step(match: re.Match[str]) -> int:
    step = (match["step"] or "").lower()
    if match["unit"] == "年":
        return _HAN_YEARS.get(step, 0)
    return _HAN_STEPS.get(step, _STEPS.get(step, 0))


def month_edge(match: re.Match[str], today: date) -> Days:
    """3月底, 'end of March', 'end of March 2027'."""
    name = match["mon"].lower()
    month = MONTHS[name] if name in MONTHS else num(name)
    days = month_of(full_year(match["y"]), month) if match["y"] else nearest(today, lambda y: month_of(y, month))
    return days[1], days[1]


def quarter_edge(match: re.Match[str], today: date) -> Days:
    """'end of Q1', 一季度末."""
    quarter = num(match["q"])
    year = match["y"]
    days = quarter_of(full_year(year), quarter) if year else nearest(today, lambda y: quarter_of(y, quarter))
    return days[1], days[1]


def third(match: re.Match[str], today: date) -> Days:
    """12月中旬, 下个月上旬: the days up to the 10th, up to the 20th, and the rest."""
    step = _HAN_STEPS.get(match["step"] or "", 0)
    named = match["m"] and nearest(today, lambda year: month_of(year, num(match["m"])))
    first, last = named or shifted_month(today, step)
    begin = {"上": 1, "中": 11, "下": 21}[match["third"]]
    return first.replace(day=begin), last if begin == 21 else first.replace(day=begin + 9)


_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "winter": 12, "春": 3, "夏": 6, "秋": 9, "冬": 12}


def season(match: re.Match[str], today: date) -> Days:
    """'last summer', 'winter 2027', 去年夏天: three months from March, June, September or December."""
    month = _SEASONS[match["season"].lower()]

    def build(year: int) -> Days:
        return date(year, month, 1), shifted_month(date(year, month, 1), 2)[1]

    step = (match["step"] or "").lower()
    if match["y"]:
        return build(full_year(match["y"]))
    if step in _HAN_YEARS:
        return build(today.year + _HAN_YEARS[step])
    seasons = [build(today.year + n) for n in (-1, 0, 1)]
    if step == "last":
        return [one for one in seasons if one[1] < today][-1]
    if step == "next":
        return next(one for one in seasons if one[0] > today)
    return nearest(today, build)


_FEASTS = {
    "new year's day": (1, 1), "元旦": (1, 1), "valentine's": (2, 14), "情人节": (2, 14), "五一": (5, 1),
    "劳动节": (5, 1),
    "halloween": (10, 31), "国庆": (10, 1), "双十一": (11, 11), "双11": (11, 11), "双十二": (12, 12),
    "双12": (12, 12),
    "christmas eve": (12, 24), "平安夜": (12, 24), "christmas": (12, 25), "圣诞": (12, 25), "new year's eve": (12, 31),
}  # fmt: skip
"""Those that fall on one day of the calendar every year."""


def feast(match: re.Match[str], today: date) -> Days:
    month, day = _FEASTS[match[0].lower().replace("’", "'")]
    return nearest(today, lambda year: (date(year, month, day), date(year, month, day)))


def slash_day(match: re.Match[str], today: date) -> Days:
    """12/18, 12/18 到 12/22: month and day, or day and month where the month would be none."""
    first, second = num(match["m"]), num(match["d"])
    swapped = first > 12

    def day(year: int, one: int, two: int) -> date:
        return date(year, two, one) if swapped else date(year, one, two)

    def build(year: int) -> Days:
        start = day(year, first, second)
        end = day(year, num(match["m2"]), num(match["d2"])) if match["d2"] else start
        return start, end if end >= start else end.replace(year=year + 1)

    return nearest(today, build)


def far_period(match: re.Match[str], today: date) -> Days:
    """'the week after next', 'the month before last'."""
    return _PERIODS[match["unit"].lower()](today, 2 if match["far"].lower() == "after next" else -2)


def weeks_from(match: re.Match[str], today: date) -> Days:
    """'a week on Monday', 'Tuesday week', 'two weeks from today': British for weeks after the coming one."""
    name = (match["w1"] or match["w2"]).lower()
    weeks = {"a": 1, "one": 1, "two": 2, "three": 3}[(match["n"] or "a").lower()] * (
        2 if (match["much"] or match["much2"]).lower().startswith("fortnight") else 1
    )
    ahead = _EN_DAYS[name] if name in _EN_DAYS else (WEEKDAYS[name] - today.weekday()) % 7
    day = today + timedelta(days=ahead, weeks=weeks)
    return day, day


def weekday_and_day(match: re.Match[str], today: date) -> Days | None:
    """'Wednesday the 6th', 'Sunday 16': the nearest such day that is one."""
    months = [shifted_month(today, step)[0] for step in range(-6, 8)]
    day, weekday = num(match["d"]), WEEKDAYS[match["name"].lower()]
    days = [m.replace(day=day) for m in months if day <= month_of(m.year, m.month)[1].day]
    fitting = [one for one in days if one.weekday() == weekday]
    nearest = min(fitting, key=lambda one: abs((one - today).days), default=None)
    return (nearest, nearest) if nearest else None


def half(match: re.Match[str], today: date) -> Days:
    year = today.year + _HAN_YEARS.get(match["step"] or "今", 0)
    return (date(year, 1, 1), date(year, 6, 30)) if match["half"] == "上" else (date(year, 7, 1), date(year, 12, 31))


def quarter_number(match: re.Match[str], today: date) -> Days | None:
    quarter = num(match["q"])
    if not 1 <= quarter <= 4:
        return None
    year = match["y"] or match["y2"]
    if year:
        return quarter_of(full_year(year), quarter)
    return nearest(today, lambda y: quarter_of(y, quarter))


def named_day(match: re.Match[str], today: date) -> Days:
    day = today + timedelta(days=_EN_DAYS[re.sub(r"\s+", " ", match[0].lower().removeprefix("the "))])
    return day, day


def named_han_day(match: re.Match[str], today: date) -> Days:
    day = today + timedelta(days=_HAN_DAYS[match["step"]])
    return day, day


def named_han_year(match: re.Match[str], today: date) -> Days:
    year = today.year + _HAN_YEARS[match["step"]]
    return month_of(year, num(match["m"])) if match["m"] else year_of(year)


def ago(match: re.Match[str], today: date) -> Days:
    """三天前, 2 weeks ago, in 3 days, 两个月后."""
    raw = match["n"].lower()
    amount = {"a": 1, "an": 1, "couple of": 2, "a couple of": 2}.get(raw) or WORDS.get(raw) or num(raw)
    sign = -1 if match["dir"].lower() in ("前", "以前", "之前", "ago") else 1
    unit = match["unit"].lower()
    if unit in _UNITS:
        day = today + timedelta(days=sign * amount * _UNITS[unit])
        return day, day
    if unit in ("month", "个月"):
        return shifted_month(today, sign * amount)
    return year_of(today.year + sign * amount)


def han_month(match: re.Match[str], today: date) -> Days:
    month = num(match["m"])
    return nearest(today, lambda year: month_of(year, month))


def day_of_month(match: re.Match[str], today: date) -> Days:
    """25号 is this month's."""
    day = today.replace(day=num(match["d"]))
    return day, day


def en_day_of_month(match: re.Match[str], today: date) -> Days:
    """'since the 9th' has gone by, 'by the 9th' is to come; 'on the 9th', 'the 3rd to the 5th' are the nearest."""
    months = [shifted_month(today, step)[0] for step in (-1, 0, 1)]
    day = num(match["d"] or match["d_"])
    last = num(match["d2"]) if match["d2"] else day
    days = [m.replace(day=day) for m in months if max(day, last) <= month_of(m.year, m.month)[1].day]
    word = (match["since"] or "").lower()
    if word == "since":
        days = [one for one in days if one <= today]
    elif word in ("by", "until", "till", "before", "through"):
        days = [one for one in days if one >= today]
    nearest = min(days, key=lambda one: abs((one - today).days))
    end = nearest.replace(day=last)
    return nearest, end if end >= nearest else shifted_month(nearest, 1)[0].replace(day=last)


def bare_year(match: re.Match[str], today: date) -> Days:
    return year_of(num(match["y"]))


def quarter_name(match: re.Match[str], today: date) -> Days | None:
    quarter, year = int(match["q"] or match["quarter"]), match["y"] or match["year"]
    return quarter_of(int(year), quarter) if year else nearest(today, lambda y: quarter_of(y, quarter))


def han_ago(match: re.Match[str], today: date) -> Days:
    unit = match["unit"].removeprefix("个") if match["unit"] != "个月" else "个月"
    amount, sign = num(match["n"]), -1 if match["dir"] in ("前", "以前", "之前") else 1
    if unit in _UNITS:
        day = today + timedelta(days=sign * amount * _UNITS[unit])
        return day, day
    return shifted_month(today, sign * amount) if unit == "个月" else year_of(today.year + sign * amount)


# --- what a form leaves open ------------------------------------------------------------------------------------------

_WEEK, _ANY_MONTH, _ANY_YEAR = ((0, -7),), ((-1, 0), (1, 0)), ((-12, 0), (12, 0))
OPEN: dict[Reader, tuple[tuple[int, int], ...]] = {
    **dict.fromkeys((en_weekday, han_weekday), _WEEK),
    **dict.fromkeys((day_of_month, en_day_of_month, day_of_shifted_month), _ANY_MONTH),
    **dict.fromkeys((han_day, en_day, slash_day, en_month, han_month, month_edge, quarter_edge), _ANY_YEAR),
    **dict.fromkeys((season, feast, quarter_number, quarter_name), _ANY_YEAR),
}
"""By how many months and days the other readings of a form lie apart, where it leaves week, month or year open."""


def moved(days: Days, months: int, by: int) -> Days | None:
    try:
        first, last = (in_months(day, months) + timedelta(days=by) for day in days)
    except (ValueError, OverflowError):
        return None
    return first, last


def in_months(day: date, months: int) -> date:
    """The same day so many months on; the end of a month stays its end."""
    if not months:
        return day
    target = shifted_month(day, months)
    return target[1] if day == month_of(day.year, day.month)[1] else target[0].replace(day=day.day)
