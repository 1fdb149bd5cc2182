"""When two values are the same."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.compare import comparable, same_value

SAME = [
    ("Email", "e\u200bmail".replace("\u200b", "")),
    ("E-MAIL", "e-mail"),
    ("ｅ-ｍａｉｌ", "e-mail"),
    ("企业 微信", "企业微信"),
    ("企业微信。", "企业微信"),
    ("“ACME Ltd.”", "ACME Ltd"),
    ("weekdays  after\t7", "weekdays after 7"),
    ("Straße", "STRASSE"),
]
OTHER = [
    ("UTC+8", "UTC-8"),
    ("UTC+8", "UTC 8"),
    ("1.5", "15"),
    ("C++", "C"),
    ("C#", "C"),
    ("10²", "102"),
    ('7"', "7"),
    ("-5", "5"),
    ("v2.0", "v20"),
    ("$100", "100"),
    ("50%", "50"),
    ("e-mail", "email"),
    ("Team", "Teams"),
    ("3:30", "330"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_spelling_alone_makes_no_other_value(one: str, other: str) -> None:
    assert same_value(one, other)


@pytest.mark.parametrize(("one", "other"), OTHER)
def test_what_touches_a_digit_or_is_a_symbol_makes_another_value(one: str, other: str) -> None:
    assert not same_value(one, other)


@given(st.text(max_size=40))
def test_comparing_is_settled_after_one_pass(text: str) -> None:
    assert comparable(comparable(text)) == comparable(text)


@given(st.text(min_size=1, max_size=40))
def test_a_value_that_is_all_marks_is_still_a_value(text: str) -> None:
    assert comparable(text)
