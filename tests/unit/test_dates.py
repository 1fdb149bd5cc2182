"""Relative and absolute dates, Chinese and English, against the close of the ticket."""

from datetime import UTC, date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipeline.date_forms import FORMS, Form, forms_for
from pipeline.dates import end_of_day, local_day, resolve

CLOSED = datetime.fromisoformat("2026-11-13T15:26:00+08:00")  # a Friday


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("下周四上门", "2026-11-19", "2026-11-19"),
        ("下周一到周五去新加坡", "2026-11-16", "2026-11-20"),
        ("上周", "2026-11-02", "2026-11-08"),
        ("这周末", "2026-11-14", "2026-11-15"),
        ("昨天下午", "2026-11-12", "2026-11-12"),
        ("大后天", "2026-11-16", "2026-11-16"),
        ("年底前", "2026-12-31", "2026-12-31"),
        ("下个月底", "2026-12-31", "2026-12-31"),
        ("上个月的账单", "2026-10-01", "2026-10-31"),
        ("下个月 3 号到 10 号", "2026-12-03", "2026-12-10"),
        ("11 月 16–20 日", "2026-11-16", "2026-11-20"),
        ("2026 年 10 月", "2026-10-01", "2026-10-31"),
        ("十一月二十号", "2026-11-20", "2026-11-20"),
        ("明年三月", "2027-03-01", "2027-03-31"),
        ("本季度", "2026-10-01", "2026-12-31"),
        ("帮我看下下个月 8 号", "2026-12-08", "2026-12-08"),
        ("下下个月 8 号", "2027-01-08", "2027-01-08"),
        ("查下下周三", "2026-11-18", "2026-11-18"),
        ("2026-11-16 至 11-20", "2026-11-16", "2026-11-20"),
        ("2026-12-28 to 01-03", "2026-12-28", "2027-01-03"),
        ("since the 9th", "2026-11-09", "2026-11-09"),
        ("since the 20th", "2026-10-20", "2026-10-20"),
        ("by the 9th", "2026-12-09", "2026-12-09"),
        ("on the 12th", "2026-11-12", "2026-11-12"),
        ("the storm of September 12: the roof", "2026-09-12", "2026-09-12"),
        ("12/18 到 12/22", "2026-12-18", "2026-12-22"),
        ("18/12", "2026-12-18", "2026-12-18"),
        ("the 3rd to the 5th", "2026-11-03", "2026-11-05"),
        ("through the 16th", "2026-11-16", "2026-11-16"),
        ("next month 14th to 19th", "2026-12-14", "2026-12-19"),
        ("a week on Monday", "2026-11-23", "2026-11-23"),
        ("Tuesday week", "2026-11-24", "2026-11-24"),
        ("in a fortnight", "2026-11-27", "2026-11-27"),
        ("the week after next", "2026-11-23", "2026-11-29"),
        ("the month before last", "2026-09-01", "2026-09-30"),
        ("Wednesday the 6th", "2027-01-06", "2027-01-06"),
        ("Sunday 15", "2026-11-15", "2026-11-15"),
        ("end of March 2028", "2028-03-31", "2028-03-31"),
        ("end of Q1", "2027-03-31", "2027-03-31"),
        ("2027年3月底", "2027-03-31", "2027-03-31"),
        ("一季度末", "2027-03-31", "2027-03-31"),
        ("下个月中旬", "2026-12-11", "2026-12-20"),
        ("12月下旬", "2026-12-21", "2026-12-31"),
        ("last summer", "2026-06-01", "2026-08-31"),
        ("winter 2027", "2027-12-01", "2028-02-29"),
        ("去年夏天", "2025-06-01", "2025-08-31"),
        ("since Valentine's", "2027-02-14", "2027-02-14"),
        ("元旦", "2027-01-01", "2027-01-01"),
        ("今年上半年", "2026-01-01", "2026-06-30"),
        ("三天前", "2026-11-10", "2026-11-10"),
        ("两周后", "2026-11-27", "2026-11-27"),
        ("yesterday", "2026-11-12", "2026-11-12"),
        ("the day after tomorrow", "2026-11-15", "2026-11-15"),
        ("next Friday", "2026-11-20", "2026-11-20"),
        ("last Monday", "2026-11-09", "2026-11-09"),
        ("Monday to Wednesday", "2026-11-16", "2026-11-18"),
        ("last month", "2026-10-01", "2026-10-31"),
        ("this quarter", "2026-10-01", "2026-12-31"),
        ("by the end of March", "2027-03-31", "2027-03-31"),
        ("end of next month", "2026-12-31", "2026-12-31"),
        ("the 3rd of next month", "2026-12-03", "2026-12-03"),
        ("March 3, 2019", "2019-03-03", "2019-03-03"),
        ("3rd of May 2027", "2027-05-03", "2027-05-03"),
        ("Dec 5–9", "2026-12-05", "2026-12-09"),
        ("October", "2026-10-01", "2026-10-31"),
        ("Q4 2026", "2026-10-01", "2026-12-31"),
        ("two weeks ago", "2026-10-30", "2026-10-30"),
        ("in 3 days", "2026-11-16", "2026-11-16"),
        ("2026-11-20", "2026-11-20", "2026-11-20"),
    ],
)
def test_a_date_resolves_against_the_close(text: str, start: str, end: str) -> None:
    spans = resolve(text, CLOSED)
    assert [(str(span.start), str(span.end)) for span in spans] == [(start, end)]


def test_an_outage_yesterday_is_counted_from_the_close_and_not_from_today() -> None:
    (span,) = resolve("outage yesterday", datetime(2024, 3, 5, 12, tzinfo=UTC))
    assert span.start == date(2024, 3, 4)


@pytest.mark.parametrize(
    "text",
    [
        "I may do it",
        "the sun",
        "一般都是周到的服务",
        "2 月 31 日",
        "version 3.14",
        "4 号线",
        "we met in person",
        "日常",
        "二月三十日",
        "每月25号",
    ],
)
def test_what_is_no_date_is_none(text: str) -> None:
    assert resolve(text, CLOSED) == ()


def test_the_tenants_zone_decides_what_day_it_is() -> None:
    late = datetime(2026, 11, 13, 23, 30, tzinfo=UTC)
    assert local_day(late, ZoneInfo("Asia/Shanghai")) == date(2026, 11, 14)
    assert local_day(late, None) == date(2026, 11, 13)
    assert resolve("今天", late, ZoneInfo("Asia/Shanghai"))[0].start == date(2026, 11, 14)


def test_an_end_date_is_inclusive_in_local_time() -> None:
    assert end_of_day(date(2026, 11, 20), CLOSED, None) == datetime(2026, 11, 20, 16, tzinfo=UTC)
    summer = end_of_day(date(2026, 3, 29), CLOSED, ZoneInfo("Europe/Berlin"))
    assert summer == datetime(2026, 3, 29, 22, tzinfo=UTC)


@settings(max_examples=200, deadline=None)
@given(
    text=st.text(
        alphabet="上下本这个月周年日号末底初前后一二三四五六十0123456789-/ next last Monday ago in of Q", max_size=40
    ),
    moment=st.datetimes(min_value=datetime(1950, 1, 1), max_value=datetime(2150, 1, 1)),
    hours=st.integers(-12, 14),
)
def test_any_text_at_any_moment_gives_ordered_spans_that_lie_in_the_text(
    text: str, moment: datetime, hours: int
) -> None:
    anchor = moment.replace(tzinfo=timezone(timedelta(hours=hours)))
    for span in resolve(text, anchor):
        assert span.start <= span.end
        assert 0 <= span.begin < span.stop <= len(text)


_DATE_SIGNS = "0123456789上下去今明后前大这本个年月日号天晚周星期礼拜季度半底末初中一二三十 -/to to of last in Q"


@settings(max_examples=300)
@given(st.text(st.sampled_from(_DATE_SIGNS), max_size=40) | st.text(max_size=40))
def test_a_form_is_left_out_only_where_it_cannot_match(text: str) -> None:
    left_out = [form for form in FORMS if form not in forms_for(text)]
    assert not [form.pattern.pattern for form in left_out if form.pattern.search(text)]


@pytest.mark.parametrize("form", FORMS, ids=[form.pattern.pattern[:40] for form in FORMS])
@settings(max_examples=60, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_a_form_is_tried_wherever_it_could_match(form: Form, data: st.DataObject) -> None:
    text = data.draw(st.from_regex(form.pattern, alphabet=st.characters(codec="gb2312")))
    assert form in forms_for(text)
