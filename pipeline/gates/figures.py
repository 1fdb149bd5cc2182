"""Numbers, dates and times in a value must stand in a quote, or follow from it and the day the ticket closed."""

import re
import unicodedata
from datetime import date, datetime, timedelta, tzinfo

from pipeline.dates import DateSpan, local_day, resolve
from pipeline.gates.cues import Cue
from pipeline.gates.stretch import fits, stretches
from pipeline.memo import once
from pipeline.numerals import HAN_NUMBER, ORDINALS, WORDS, number

_DIGITS = re.compile(r"(?<![\d.])\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\d,])|\d+(?:\.\d+)*")
_WORD = re.compile(r"[a-z]+(?:-[a-z]+)?", re.IGNORECASE)
_HAN = re.compile(rf"(?<!第){HAN_NUMBER}|(?<=第){HAN_NUMBER}")
_NOT_NUMBERS = re.compile(
    r"一(?:般|直|定|样|起|些|下|点(?!到|至|半|钟|前|后|以|之|[-–—~])|切|旦|致|向|再|律|边|同|共|种|类|家人|个|次|趟|条|方面|线|贯|并|会儿?|"
    r"手|道|天到晚)|统一|唯一|万一|第一时间|之一|[周期礼拜]{1,2}[一二三四五六日天]|星期[一二三四五六]|十分|百度|千万(?!元)|三方|万能|五金|二维码|"
    r"四川|三星|千寻|八折|九折|百分|两者|三亚|七牛|六安|九江|一卡通|八达岭|万科|一体|二手|双十一|三七|万一"
)
_CODE = re.compile(r"(?<![A-Za-z0-9])[A-Za-z]{1,8}-?\d{2,}(?:-?[A-Za-z0-9]{1,12})*(?![A-Za-z0-9])")
_LENIENT = frozenset({"1", "0"})
"""'a', 'once', '一次': small words that a paraphrase adds or drops."""
_HALF = r"(?:早上|早晨|清晨|凌晨|上午|中午|下午|傍晚|晚上|晚间|夜里|夜间)"
_HOUR = r"(?:\d{1,2}|[零一二两三四五六七八九十]{1,3})"
_CLOCK = re.compile(
    rf"(?P<half>{_HALF})?\s*(?P<h>{_HOUR})\s*"
    r"(?:[:：](?P<m>\d\d)(?::\d\d)?\s*(?P<ap1>[ap]\.?m\b)?|\.(?P<m3>\d\d) ?(?P<ap3>[ap]\.?m\b)|(?P<ap>[ap]\.?m\b\.?)"
    r"|\s*(?:o'?clock)"
    r"|[点點时時](?!间|候|段|区|代)(?:(?P<half_past>半)|(?P<ke>[一三])刻|(?P<m2>[零一二三四五六七八九十\d]{1,3})分?)?)",
    re.IGNORECASE,
)
_RANGE = re.compile(
    rf"(?P<half>{_HALF})?\s*(?<![\d.])(?P<a>{_HOUR})(?:[:：]\d\d)?\s*(?P<ap1>[ap]\.?m)?\s*(?:点)?\s*"
    rf"(?:-|–|—|~|～|到|至|to|and|until|till)\s*{_HALF}?(?P<b>{_HOUR})(?:[:：]\d\d)?\s*"
    r"(?P<ap>[ap]\.?m\b|点|in the (?:morning|afternoon|evening)|o'?clock)?",
    re.IGNORECASE,
)
_SPOKEN = r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
_SPOKEN_RANGE = re.compile(
    rf"\b(?P<a>{_SPOKEN})(?P<ap1> ?[ap]\.?m)? (?:and|to|till|until) (?P<b>{_SPOKEN}) ?"
    r"(?P<ap>[ap]\.?m\b|in the (?:morning|afternoon|evening)|o'?clock)"
    rf"|\b(?:between|from) (?P<a2>{_SPOKEN}) (?:and|to|till|until) (?P<b2>{_SPOKEN})\b(?! (?:\w+s)\b)",
    re.IGNORECASE,
)
"""'between three and five in the afternoon'; 'from two to three days' is none."""
_BARE_HOUR = re.compile(
    r"\b(?:before|after|until|till|by|at|from|around|past|between) (?P<h>\d{1,2}|[a-z]+)(?![\d.:%-])"
    r"(?! (?:days?|weeks?|months?|people|hours?|minutes?|times?|euros?|dollars?|items?|pallets?))"
    r"(?: (?P<part>in the \w+))?"
)
"""'before ten', 'after 4 in the afternoon'."""
_NAMED_TIMES = {
    "noon": 12 * 60,
    "midday": 12 * 60,
    "中午": 12 * 60,
    "正午": 12 * 60,
    "midnight": 0,
    "零点": 0,
    "午夜": 0,
}


def plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text)


@once
def numbers(text: str) -> frozenset[str]:
    """The numbers in `text` as digits: '1,200.50' as 1200.5, '八' as 8, 'twice' as 2, 'v3.14' as 3.14."""
    text = plain(text)
    found = {_canonical(match[0]) for match in _DIGITS.finditer(text)}
    for match in _WORD.finditer(text.lower()):
        found.update(_word_number(match[0], text, match.end()))
    for match in _HAN.finditer(_NOT_NUMBERS.sub(lambda m: "＿" * len(m[0]), text)):
        value = number(match[0])
        found.update({str(value)} if value is not None else ())
    return frozenset(found)


def _canonical(raw: str) -> str:
    digits = raw.replace(",", "")
    if digits.count(".") == 1:
        whole, part = digits.split(".")
        return f"{int(whole)}.{part.rstrip('0')}".rstrip(".")
    return digits if digits.count(".") else str(int(digits)) if len(digits) < 8 else digits


def _word_number(word: str, text: str, end: int) -> set[str]:
    if word in ORDINALS and (
        word != "second" or re.match(r" (?:time|order|half|ticket|pallet|delivery|one|week|quarter)", text[end:])
    ):
        return {str(ORDINALS[word])}
    parts = word.split("-")
    if all(part in WORDS for part in parts):
        return {str(sum(WORDS[part] for part in parts))}
    return {str(WORDS[part]) for part in parts if part in WORDS}


@once
def times(text: str) -> frozenset[int]:
    """The times of day in `text`, in minutes, under every reading that its words leave open."""
    text = plain(text)
    found: set[int] = {at for name, at in _NAMED_TIMES.items() if name in text.lower()}
    for match in _CLOCK.finditer(text):
        hour = number(match["h"])
        if hour is not None and hour <= 24:
            found.update(_readings(hour, _minutes(match), _mark(match)))
    for match in _BARE_HOUR.finditer(text.lower()):
        hour = WORDS.get(match["h"]) or number(match["h"]) or 0
        found.update(_readings(hour, 0, match["part"] or "") if hour <= 24 else ())
    for match in _SPOKEN_RANGE.finditer(text):
        for word in (match["a"] or match["a2"], match["b"] or match["b2"]):
            found.update(_readings(WORDS[word.lower()], 0, (match["ap"] or "").lower()))
    for match in _RANGE.finditer(text):
        mark = (match["ap"] or match["half"] or "").lower()
        first_mark = (match["ap1"] or match["half"] or ("" if match["ap"] in (None, "点") else mark)).lower()
        for raw, half in ((match["a"], first_mark), (match["b"], mark)):
            hour = number(raw)
            found.update(_readings(hour, 0, half) if hour is not None and hour <= 24 else ())
    return frozenset(found)


def _mark(match: re.Match[str]) -> str:
    return (match["ap"] or match["ap1"] or match["ap3"] or match["half"] or "").lower()


def _minutes(match: re.Match[str]) -> int:
    if match["half_past"]:
        return 30
    if match["ke"]:
        return {"一": 15, "三": 45}[match["ke"]]
    raw = match["m"] or match["m2"] or match["m3"]
    return (number(raw) or 0) if raw else 0


_MORNING = ("a", "早", "清", "凌", "上", "in the m")
_LATER = ("p", "下", "傍", "晚", "夜", "in the a", "in the e")


def _readings(hour: int, minute: int, mark: str) -> set[int]:
    """6 as 06:00 and 18:00; '6pm' and '下午6点' as 18:00 alone."""
    at = hour % 24 * 60 + minute
    if hour > 12:
        return {at}
    if mark.startswith(_LATER):
        return {hour % 12 * 60 + minute + 720}
    if mark.startswith(_MORNING):
        return {hour % 12 * 60 + minute}
    return {at, hour % 12 * 60 + minute + 720}


def figures_follow(value: str, quotes: tuple[str, ...], closed_at: datetime, zone: tzinfo | None) -> bool:
    """Whether every date, time and number of `value` is in `quotes` or follows from them and the close."""
    return times_and_numbers_follow(undated(value, quotes, closed_at, zone), quotes)


def undated(value: str, quotes: tuple[str, ...], closed_at: datetime, zone: tzinfo | None) -> str:
    """`value` without the dates that `quotes` name, or that follow from them and the close."""
    evidence, today = "\n".join(quotes), local_day(closed_at, zone)
    known = resolve(evidence, closed_at, zone)
    days = named_days(known) | ({today} if _leaves_open(evidence, known, today) else set())
    later = {(day, n) for n in stretches(_without_past(evidence, known, today)) for day in (today, *days)}
    rest = plain(value)
    for span in reversed(resolve(rest, closed_at, zone)):
        told = {today} if Cue.ACT.search(_clause_around(rest, span)) else set()
        if _date_follows(span, known, days | told) or any(fits(span.end, day, length) for day, length in later):
            rest = rest[: span.begin] + " " * (span.stop - span.begin) + rest[span.stop :]
    return rest


_STOPS = re.compile(r"[,，;；。、!！]|\.\s")
_EACH = re.compile(r"(?:\b(?:every|each)(?: other)?|每(?:隔)?(?:一?个)?|逢)\s*$", re.IGNORECASE)


def _leaves_open(evidence: str, known: tuple[DateSpan, ...], today: date) -> bool:
    """Whether what is told may be of the day of the close: it says 'now', or it names no day but that. Days that come
    round ('every Friday') are no other day."""
    others = (span for span in known if not _comes_round(evidence, span))
    return Cue.NOW.search(evidence) is not None or all(_may_hold(span, today) for span in others)


def _clause_around(text: str, span: DateSpan) -> str:
    return _STOPS.split(text[: span.begin])[-1] + " " + _STOPS.split(text[span.stop :])[0]


def _comes_round(text: str, span: DateSpan) -> bool:
    each = _EACH.search(text[max(0, span.begin - 12) : span.begin])
    return bool(span.others) and each is not None


def _may_hold(span: DateSpan, day: date) -> bool:
    return any(begin <= day <= end for begin, end in span.readings)


def _without_past(text: str, known: tuple[DateSpan, ...], today: date) -> str:
    """`text` without the days gone by: 'three days ago' names a day, no stretch that could end on another."""
    for span in reversed(known):
        if span.end < today:
            text = text[: span.begin] + " " + text[span.stop :]
    return text


def without_codes(value: str, said: str) -> str:
    """`value` without the codes ('E2031', 'C-4471', 'LX-200') that stand in `said`: they name a thing."""
    known = said.lower()
    return _CODE.sub(lambda code: " " if code[0].lower() in known else code[0], value)


def _date_follows(span: DateSpan, known: tuple[DateSpan, ...], days: set[date]) -> bool:
    """A date is an end of a known one, or the close; a month, a quarter or a year is one that a known date lies in; a
    weekday beside its date is that date's."""
    if span.start == span.end:
        return span.start in days or (bool(span.others) and span.start.weekday() in {day.weekday() for day in days})
    whole = (span.end - span.start).days
    inside = any(span.start <= day <= span.end for day in days)
    same = any((span.start, span.end) in other.readings for other in known)
    return same or (inside and whole >= 27) or (span.start in days and span.end in days)


def named_days(known: tuple[DateSpan, ...]) -> set[date]:
    """The first and last days that dates may mean; of a bare weekday also those of the weeks that stand beside it:
    'the week after next I'm there Monday to Wednesday'."""
    days = {day for span in known for reading in span.readings for day in reading}
    weeks = [span.start for span in known if (span.end - span.start).days == 6 and span.start.weekday() == 0]
    bare = [day for span in known if span.others and (span.end - span.start).days < 6 for day in (span.start, span.end)]
    return days | {monday + timedelta(days=day.weekday()) for monday in weeks for day in bare}


def times_and_numbers_follow(value: str, quotes: tuple[str, ...]) -> bool:
    """Whether every time and number of `value` is in `quotes`, in any way of writing it."""
    evidence = "\n".join(quotes)
    allowed_times, allowed = times(evidence), numbers(evidence) | _LENIENT
    allowed |= {str(int(n)) for n in allowed if n.isdigit()}
    rest = value
    for pattern in (_CLOCK, _RANGE):
        for match in reversed(list(pattern.finditer(rest))):
            wanted = times(match[0])
            if wanted and wanted & allowed_times and _both_ends(match[0], allowed_times):
                rest = rest[: match.start()] + " " * len(match[0]) + rest[match.end() :]
    return numbers(rest) <= allowed | _amounts(allowed)


def _both_ends(text: str, allowed: frozenset[int]) -> bool:
    match = _RANGE.fullmatch(text.strip())
    if not match:
        return True
    mark = match["ap"] or match["half"] or ""
    ends = [
        _readings(number(raw) or 0, 0, mark.lower() if raw is match["b"] else "") for raw in (match["a"], match["b"])
    ]
    return all(end & allowed for end in ends)


def _amounts(allowed: frozenset[str]) -> frozenset[str]:
    """'12.50' also answers for 12.5, '3.0' for 3; versions also for their beginning ('22.1.0' for 22)."""
    return frozenset(n.split(".")[0] for n in allowed if n.count(".") >= 2)
