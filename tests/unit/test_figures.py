"""Numbers, times and dates of a value against its quotes, in every way of writing them."""

from datetime import datetime

import pytest

from pipeline.gates.figures import figures_follow, numbers, times

CLOSED = datetime.fromisoformat("2026-11-24T15:00:00+08:00")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("1,200.50 EUR", {"1200.5"}),
        ("两箱", {"2"}),
        ("三十多个人", {"30"}),
        ("一百零五", {"105"}),
        ("twice", {"2"}),
        ("the second time", {"2"}),
        ("a second", set()),
        ("twenty-two", {"22"}),
        ("v3.14.159", {"3.14.159"}),
        ("一般都可以", set()),
        ("BL-20931", {"20931"}),
        ("周三下午", set()),
        ("５０", {"50"}),
        ("0012", {"12"}),
    ],
)
def test_numbers_are_read_in_any_writing(text: str, found: set[str]) -> None:
    assert numbers(text) == found


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("6pm", {1080}),
        ("18:00", {1080}),
        ("下午三点", {900}),
        ("早上八点半", {510}),
        ("八点", {480, 1200}),
        ("noon", {720}),
        ("上午 8–10 点", {480, 600}),
        ("7-11am", {420, 660}),
        ("9:30 p.m.", {1290}),
        ("5.30pm", {1050}),
        ("between three and five in the afternoon", {900, 1020}),
    ],
)
def test_times_are_read_under_every_open_reading(text: str, minutes: set[int]) -> None:
    assert times(text) >= minutes


@pytest.mark.parametrize(
    ("value", "quote", "follows"),
    [
        ("08:00–10:00", "早上八点到十点", True),
        ("09:00–10:00", "早上八点到十点", False),
        ("after 14:00", "after 2pm", True),
        ("after 15:00", "after 2pm", False),
        ("2026-10", "上个月", True),
        ("2026-09", "上个月", False),
        ("Q4 2026", "this quarter", True),
        ("Q3 2026", "this quarter", False),
        ("2026-11-24 提交", "我要退款", True),
        ("2026-11-23 提交", "我要退款", False),
        ("468 元", "扣了 468 元", True),
        ("48 元", "扣了 468 元", False),
        ("订单 77120", "order 77120", True),
        ("订单 77121", "order 77120", False),
        ("每月 25 日前", "每月 25 号之前", True),
        ("每月 20 日前", "每月 25 号之前", False),
        ("30 人", "三十人", True),
        ("Node 22", "Node 22.1.0", True),
        ("12.50", "12.5", True),
        ("3 times", "three times", True),
    ],
)
def test_a_value_may_hold_only_figures_that_follow_from_its_quote(value: str, quote: str, follows: bool) -> None:
    assert figures_follow(value, (quote,), CLOSED, None) is follows


@pytest.mark.parametrize(
    "quote",
    ["outage yesterday", "three days ago the site was down", "it failed last Friday", "down on Monday", "last week",
     "last night it broke", "a week ago", "the site was down on Nov 20", "the day before yesterday",
     "昨天宕机", "三天前坏的", "上周五坏的", "上周出的故障", "11月20号宕机", "前天晚上断网",
     "大前天", "一周前", "明天搬家", "next Friday I move"],
)  # fmt: skip
@pytest.mark.parametrize("value", ["outage on 2026-11-24", "2026年11月24日宕机", "outage on 24 November 2026"])
def test_the_day_of_the_close_does_not_follow_from_a_quote_that_names_another(value: str, quote: str) -> None:
    assert not figures_follow(value, (quote,), CLOSED, None)


@pytest.mark.parametrize(
    "quote",
    ["outage", "outage today", "down again just now", "it was fine yesterday but now it is down", "down this week",
     "fine on Friday, but an hour ago it broke", "the report of every Friday is empty", "it broke on Tuesday",
     "it has been down for three days", "宕机", "今天宕机", "刚刚掉线，昨天还好好的", "昨天还好，现在不行",
     "每周五的报表是空的", "这周宕机", "周二坏的", "每月25号的账单没来", "已经坏了三天"],
)  # fmt: skip
def test_the_day_of_the_close_follows_where_the_quote_means_it_or_names_no_day(quote: str) -> None:
    assert figures_follow("outage on 2026-11-24", (quote,), CLOSED, None)


@pytest.mark.parametrize(
    ("value", "follows"),
    [
        ("上周误买，2026-11-24 提交退款", True),
        ("outage of last week reported on 2026-11-24", True),
        ("asked on 24 November 2026 for a refund", True),
        ("2026-11-24 误买，提交退款", False),
        ("outage on 2026-11-24, reported", False),
    ],
)
def test_what_the_ticket_itself_does_is_of_its_day(value: str, follows: bool) -> None:
    assert figures_follow(value, ("我想退掉上周误买的附加包", "outage last week"), CLOSED, None) is follows
