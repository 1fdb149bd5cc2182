"""The forms in which dates are written, Chinese and English, most specific first, each with what it means on a day."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from pipeline import date_readers as read
from pipeline.date_readers import Days, Reader
from pipeline.numerals import HAN_NUMBER, NUMBER

__all__ = ["FORMS", "Days", "Form", "Reader", "forms_for"]

_MONTH = "(?:" + "|".join(sorted(read.MONTHS, key=len, reverse=True)) + ")"
_WEEKDAY = "(?:" + "|".join(sorted(read.WEEKDAYS, key=len, reverse=True)) + ")"
_NOT_A_DAY = r"(?!(?:sun|sat|wed|mon)\b)"
"""Words of their own: only after 'on' or 'next' are they days."""
_HAN_WEEK = r"(?:周|星期|礼拜)"
_DASH = r"\s*(?:到|至|-|–|—|~|～|－|to|through|until|till)\s*"
_AMOUNT = r"(?P<n>\d{1,4}|an?|one|two|three|four|five|six|seven|eight|nine|ten|couple of|a couple of)"


class Form(NamedTuple):
    """One way to write a date, and how it is read. Without any of the signs that it `needs` (a character, or the first
    three letters of a word) it cannot match."""

    pattern: re.Pattern[str]
    read: Reader
    needs: frozenset[str]

    def others(self, match: re.Match[str], days: Days) -> tuple[Days, ...]:
        """What it may mean as well: a bare 'Monday' the last one, 'the 9th' another month's, 'May' another year's."""
        given = match.groupdict()
        if any(given.get(name) for name in ("y", "y2", "year", "step")):
            return ()
        moves = read.OPEN.get(self.read, ())
        return tuple(moved for move in moves if (moved := read.moved(days, *move)))


def forms_for(text: str) -> list[Form]:
    """The forms that could match in `text`, in their order."""
    present = {*text, *(word[:_START] for word in _WORD.findall(text.lower()))}
    return [form for form in FORMS if not form.needs or not form.needs.isdisjoint(present)]


_WORD = re.compile("[a-z]+")
_START = 3


def _form(pattern: str, reader: Reader, needs: Iterable[str] = ()) -> Form:
    return Form(re.compile(pattern, re.IGNORECASE), reader, frozenset(needs))


def _starting(*words: str) -> frozenset[str]:
    return frozenset(word[:_START] for word in words)


_OF_MONTHS, _OF_WEEK = _starting(*read.MONTHS), _starting(*read.WEEKDAYS)
_PERIODS = _starting("week", "month", "quarter", "year")
_SEASONS = _starting("spring", "summer", "autumn", "winter")
_DAYS = _starting("yesterday", "last", "today", "tonight", "this", "tomorrow")
_PREPOSITIONS = _starting("in", "since", "until", "by", "from", "during", "before", "of", "for")
_LENGTHS = _starting("day", "week", "fortnight", "month", "year")


_D = rf"(?:\d{{1,2}}|{HAN_NUMBER})"
_Y = r"(?:20\d\d|19\d\d|[一二][零〇九][零〇一二三四五六七八九]{2})"
_NEXT_BUT_ONE = "(?<![看查问说订改算讲聊等])下下"
"""But in '看下下个月' the first 下 belongs to the verb."""
FORMS: tuple[Form, ...] = (
    _form(
        rf"(?<!\d)(?P<y>(?:19|20)\d\d)[-/.](?P<m>\d{{1,2}})[-/.](?P<d>\d{{1,2}})(?!\d)"
        rf"(?:{_DASH}(?P<m2>\d{{1,2}})[-/](?P<d2>\d{{1,2}})(?![-/.\d]))?",
        read.iso,
    ),
    _form(
        rf"(?:(?P<y>{_Y}) *年 *)?(?P<m>{_D}) *月(?:份)? *(?P<d>{_D}) *(?:[号日](?!线)|(?={_DASH}{_D} *[号日]))"
        rf"(?:{_DASH}(?:(?P<m2>{_D}) *月 *)?(?P<d2>{_D}) *[号日])?",
        read.han_day,
        "月",
    ),
    _form(
        rf"(?P<step>上上|{_NEXT_BUT_ONE}|上|下|这|本)个?月(?:的)? *(?P<d>{_D}) *[号日]?"
        rf"(?:{_DASH}(?P<d2>{_D}) *[号日])?(?<=[号日])",
        read.day_of_shifted_month,
        "月",
    ),
    _form(rf"(?P<step>)(?<![\d月])(?P<d>{_D}) *[号日]?{_DASH}(?P<d2>{_D}) *号", read.day_of_shifted_month, "号"),
    _form(
        rf"\bthe (?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?:{_DASH}(?:the )?(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?)? (?:of )?"
        r"(?P<step>last|this|next) month\b",
        read.day_of_shifted_month,
        _starting("month"),
    ),
    _form(
        rf"\b(?P<step>last|this|next) month,? (?:on |from )?(?:the )?(?P<d>\d{{1,2}})(?:st|nd|rd|th)"
        rf"(?:{_DASH}(?:the )?(?P<d2>\d{{1,2}})(?:st|nd|rd|th))?\b",
        read.day_of_shifted_month,
        _starting("month"),
    ),
    _form(
        rf"\b(?P<name>{_WEEKDAY})s?,? (?:the )?(?P<d>\d{{1,2}})(?:st|nd|rd|th)?\b"
        rf"(?! ?(?:[ap]\.?m\b|[:.]\d|o'clock|of |{_MONTH}\b|{_DASH}\d{{1,2}} ?[ap]\.?m))",
        read.weekday_and_day,
        _OF_WEEK,
    ),
    _form(
        r"(?:\b(?P<since>since|from|on|by|until|till|before|after|through|including) the (?P<d>\d{1,2})(?:st|nd|rd|th)"
        rf"|\bthe (?P<d_>\d{{1,2}})(?:st|nd|rd|th)(?={_DASH}(?:the )?\d))"
        rf"(?:{_DASH}(?:the )?(?P<d2>\d{{1,2}})(?:st|nd|rd|th))?\b"
        r"(?! (?:of|floor|time|attempt|try|level|order|ticket|row|page|column|version|generation)\b)",
        read.en_day_of_month,
        _starting("the"),
    ),
    _form(
        rf"\b(?:(?P<n>a|one|two|three) (?P<much>weeks?|fortnight) (?:on|from) (?P<w1>{_WEEKDAY}|today|tomorrow)"
        rf"|(?P<w2>{_WEEKDAY}|today|tomorrow) (?P<much2>week|fortnight))\b",
        read.weeks_from,
        _starting("week", "fortnight"),
    ),
    _form(r"\b(?:the )?(?P<unit>week|month|quarter|year) (?P<far>after next|before last)\b", read.far_period, _PERIODS),
    _form(
        rf"(?<![\d/.])(?P<m>\d{{1,2}})/(?P<d>\d{{1,2}})(?![\d/])"
        rf"(?:{_DASH}(?P<m2>\d{{1,2}})/(?P<d2>\d{{1,2}})(?![\d/]))?",
        read.slash_day,
        "/",
    ),
    _form(rf"(?P<y>{_Y}) *年 *(?:的 *)?第?(?P<q>[1-4一二三四]) *季度?(?P<y2>)", read.quarter_number, "季"),
    _form(rf"(?P<y>{_Y}|(?<!\d)\d\d) *年 *(?P<m>{_D}) *月(?:份)?(?! *[底上中下])", read.year_month, "年"),
    _form(r"(?<![\d-])(?P<y>(?:19|20)\d\d)[-/](?P<m>0[1-9]|1[0-2])(?![-/\d])", read.year_month),
    _form(
        rf"\b(?P<mon>{_MONTH})\.? (?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?:{_DASH}(?:(?P<mon2>{_MONTH})\.? )?"
        rf"(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?)?(?:,? (?P<y>(?:19|20)\d\d))?(?!\d|:\d)",
        read.en_day,
        _OF_MONTHS,
    ),
    _form(
        rf"(?<![\d.])(?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?:{_DASH}(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?)? (?:of )?"
        rf"(?P<mon>{_MONTH})\b(?P<mon2>)\.?(?:,? (?P<y>(?:19|20)\d\d))?",
        read.en_day,
        _OF_MONTHS,
    ),
    _form(rf"\b(?:end|close) of (?P<mon>{_MONTH})\b(?:,? (?P<y>20\d\d)\b)?", read.month_edge, _OF_MONTHS),
    _form(rf"(?:(?P<y>{_Y}) *年 *)?(?<!\d)(?P<mon>{_D}) *月 *底", read.month_edge, "月"),
    _form(
        r"\b(?:end|close) of (?:the )?Q(?P<q>[1-4])(?:,? (?P<y>20\d\d)\b)?",
        read.quarter_edge,
        _starting("end", "close"),
    ),
    _form(rf"(?:(?P<y>{_Y}) *年 *)?第?(?P<q>[1-4一二三四]) *季度[末底]", read.quarter_edge, "季"),
    _form(
        rf"(?:(?P<step>上上|{_NEXT_BUT_ONE}|上|下|这|本)个?月|(?P<m>{_D}) *月(?:份)?)?(?P<third>上|中|下)旬",
        read.third,
        "旬",
    ),
    _form(
        r"\b(?:(?P<step>last|this|next) )?(?P<season>spring|summer|autumn|winter)\b(?:,? (?:of )?(?P<y>20\d\d)\b)?",
        read.season,
        _SEASONS,
    ),
    _form(
        rf"(?:(?P<y>{_Y}) *年|(?P<step>前|去|今|明|后)年?)?的?(?P<season>春|夏|秋|冬)(?:天|季)",
        read.season,
        "春夏秋冬",
    ),
    _form(
        r"\b(?:new year['’]s (?:day|eve)|valentine['’]s|halloween|christmas(?: eve)?)\b"
        r"|元旦|情人节|五一|劳动节|国庆|双十一|双11|双十二|双12|平安夜|圣诞",
        read.feast,
    ),
    _form(
        rf"\b(?:(?P<step>last|next|this) )?(?P<mon>{_MONTH})\b\.?,?(?: (?:of )?(?P<y>(?:19|20)\d\d))",
        read.en_month,
        _OF_MONTHS,
    ),
    _form(
        rf"(?P<step>上上|{_NEXT_BUT_ONE}|上|下|这|本)? *个? *{_HAN_WEEK}(?P<w>[一二三四五六日天1-7])"
        rf"(?:{_DASH}(?:{_HAN_WEEK})?(?P<w2>[一二三四五六日天1-7])(?![\d点个]))?",
        read.han_weekday,
        "周星礼",
    ),
    _form(rf"(?P<step>上上|{_NEXT_BUT_ONE}|上|下|这|本)?个?周末", read.weekend, "周"),
    _form(r"\b(?P<step>last|this|next|coming) weekend\b", read.weekend, _starting("weekend")),
    _form(
        rf"\b(?:(?P<step>last|this|next|coming) |on |{_NOT_A_DAY})(?P<w>{_WEEKDAY})\b(?:{_DASH}(?P<w2>{_WEEKDAY})\b)?",
        read.en_weekday,
        _OF_WEEK,
    ),
    _form(
        r"(?<![\d一二三四五六七八九十] )(?<![\d一二三四五六七八九十])(?P<step>上|下|这|本)?个?"
        r"(?P<unit>月)(?P<edge>底|末|初|中(?=旬|之|前|$|[，,。]))",
        read.edge,
        "月",
    ),
    _form(r"(?P<step>去|今|明|后|前)?(?P<unit>年)(?P<edge>底|末|初|中)", read.edge, "年"),
    _form(r"(?P<step>上|下|这|本)?个?(?P<unit>季度)(?P<edge>底|末|初)", read.edge, "季"),
    _form(
        r"\b(?:the )?(?P<edge>end|beginning|start|middle) of (?:the )?(?:(?P<step>last|this|next) )?"
        r"(?P<unit>week|month|quarter|year)\b",
        read.edge,
        _PERIODS,
    ),
    _form(
        r"\b(?P<step>)(?P<unit>year|month|quarter)[- ]?(?P<edge>end)\b",
        read.edge,
        _PERIODS | _starting("yearend", "monthend", "quarterend"),
    ),
    _form(r"(?P<step>去|今|明|后)?年?(?P<half>上|下)半年", read.half, "半"),
    _form(
        r"\bQ(?P<q>[1-4])(?:[ /-]*(?P<y>(?:19|20)\d\d))?(?P<y2>)\b"
        r"|\b(?P<year>(?:19|20)\d\d)[ -]?Q(?P<quarter>[1-4])\b",
        read.quarter_name,
        _starting("q"),
    ),
    _form(r"(?P<y>)(?P<y2>)第?(?P<q>[1-4一二三四]) *季度", read.quarter_number, "季"),
    _form(
        rf"(?P<step>上上|{_NEXT_BUT_ONE}|上|下|这|本|当)个?(?P<unit>周|星期|礼拜|月|季度)(?![一-龥]?[薪休])",
        read.period,
        "周星礼月季",
    ),
    _form(
        r"\b(?P<step>last|previous|past|this|current|next|coming) (?P<unit>week|month|quarter|year)\b",
        read.period,
        _PERIODS,
    ),
    _form(rf"(?P<step>前|去|今|明|后)年(?:(?P<m>{_D}) *月(?:份)?)?", read.named_han_year, "年"),
    _form(r"(?P<step>大前|大后|前|昨|今|当|明|后)(?:天|晚|日(?!期|历|常))", read.named_han_day, "天晚日"),
    _form(r"\b(?:the )?day (?:before yesterday|after tomorrow)\b", read.named_day, _starting("day")),
    _form(r"\b(?:yesterday|last night|today|tonight|this (?:morning|afternoon)|tomorrow)\b", read.named_day, _DAYS),
    _form(
        rf"(?P<n>{NUMBER}) *(?P<unit>天|日|周|个?星期|个?礼拜|个月|年) *(?P<dir>以前|之前|前|以后|之后|后)",
        read.han_ago,
        "前后",
    ),
    _form(rf"\b{_AMOUNT} (?P<unit>day|week|fortnight|month|year)s? (?P<dir>ago|from now)\b", read.ago, _LENGTHS),
    _form(rf"\b(?P<dir>in|within) {_AMOUNT} (?P<unit>day|week|fortnight|month|year)s?\b", read.ago, _LENGTHS),
    _form(rf"\b(?P<step>)(?P<mon>(?!may\b|mar\b|sat\b|sun\b|dec\b){_MONTH})\b(?P<y>)", read.en_month, _OF_MONTHS),
    _form(
        r"(?:\b(?:in|since|until|by|of|before|last|next) )(?P<step>)(?P<mon>may)\b(?P<y>)",
        read.en_month,
        _starting("may"),
    ),
    _form(
        r"(?<![\d个两几])(?P<m>1[0-2]|[1-9]|十[一二]?|[一二三四五六七八九]) *月(?:份)?(?!租|费)",
        read.han_month,
        "月",
    ),
    _form(rf"(?<!\d)(?P<y>{_Y}) *年", read.bare_year, "年"),
    _form(r"\b(?:in|since|until|by|from|during|before|of|for) (?P<y>20\d\d)\b", read.bare_year, _PREPOSITIONS),
    _form(rf"(?<![\d月])(?P<d>{_D}) *号(?!线|楼|门|店|码|库|机|房)", read.day_of_month, "号"),
)  # fmt: skip
