"""What of a query is asked for, and what the codes in it add."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.relevance import MAX_QUERY, NAMED, blended, codes, named, presentable

shares = st.floats(0, 1, allow_nan=False)


@given(st.text(max_size=200) | st.text("ab ", min_size=MAX_QUERY - 2, max_size=MAX_QUERY + 5))
def test_a_query_is_short_plain_and_asks_the_same_twice(query: str) -> None:
    text = presentable(query)
    assert len(text) <= MAX_QUERY
    assert presentable(text) == text
    assert not any(unicodedata.category(char) in ("Cc", "Cf", "Cs") for char in text)


@pytest.mark.parametrize("query", ["", "   ", "\x00\x1b\n", "\u200b\u202e", "\ud800"])
def test_a_query_without_a_word_asks_for_nothing(query: str) -> None:
    assert presentable(query) == ""


def test_a_megabyte_is_cut() -> None:
    assert MAX_QUERY - 1 <= len(presentable("发票 " * 300_000)) <= MAX_QUERY


@pytest.mark.parametrize(
    ("query", "text", "share"),
    [
        ("what became of order 77342", "Order 77342 came late", 1.0),
        ("what became of order 77342", "Order 77120 was damaged", 0.0),
        ("E4017 是什么情况", "导出时报错e4017。", 1.0),
        ("E4017 or E9921", "fails with E4017", 0.5),
        ("order 7734", "Order 77342 came late", 0.0),
        ("which city", "Oslo", 0.0),
    ],
)
def test_a_code_counts_whole_or_not_at_all(query: str, text: str, share: float) -> None:
    assert named(codes(query), text) == share


@given(st.floats(-1, 1, allow_nan=False), st.floats(-1, 1, allow_nan=False), shares)
def test_meaning_more_never_makes_less_relevant(one: float, other: float, share: float) -> None:
    low, high = sorted((one, other))
    assert 0 <= blended(low, share) <= blended(high, share) <= 1


@given(st.floats(-1, 1, allow_nan=False), shares)
def test_a_code_that_is_there_adds_at_most_what_it_may(meaning: float, share: float) -> None:
    assert blended(meaning, 0) <= blended(meaning, share) <= blended(meaning, 0) + NAMED
