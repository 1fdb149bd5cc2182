"""The normalised view, and its map back."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.normalise import joined, normalised, spoken


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("４１１１", "4111"),
        ("④②④②", "4242"),
        ("𝟒𝟐", "42"),
        ("٤١", "41"),
        ("4\u200b1\u00ad1", "411"),
        ("&#52;&#x31;", "41"),
        ("41%2011", "41 11"),
        ("\\u0034", "4"),
        ("pаsswоrd", "password"),
        ("cárd", "card"),
        ("p4ssw0rd", "password"),
        ("p a s s w o r d", "password"),
        ("身 份 证", "身份证"),
        ("密碼", "密码"),
        ("12–34—5", "12-34-5"),
        ("a   b", "a b"),
    ],
)
def test_a_disguise_reads_as_what_is_meant(text: str, seen: str) -> None:
    assert normalised(text).text == seen


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("五一零一零四", "510104"),
        ("壹捌捌零", "1880"),
        ("幺三八零零", "13800"),
        ("六二〇〇 0000", "6200 0000"),
        ("nine eight seven", "9 8 7"),
        ("double four one two", "44 1 2"),
        ("三月十五日", "3月15日"),
        ("一九二点零点二点四四", "192.0.2.44"),
    ],
)
def test_numerals_read_as_digits(text: str, seen: str) -> None:
    assert spoken(normalised(text)).text == seen


def test_a_word_with_a_numeral_stays_a_word() -> None:
    assert spoken(normalised("统一用一张卡")).text == "统一用一张卡"


def test_russian_stays_russian() -> None:
    assert normalised("привет, как дела").text == "привет, как дела"


def test_the_turns_of_one_speaker_come_together() -> None:
    view = joined(normalised("Customer: card 4111 1111\nAgent: go on\nCustomer: 1111 1111"))
    assert view is not None
    assert "4111 1111\n1111 1111" in view.text


def test_an_origin_covers_what_was_hidden_in_it() -> None:
    text = "卡 4\u200b1\u200b1"
    view = normalised(text)
    at = view.text.index("411")
    assert text[slice(*view.origin(at, at + 3))] == "4\u200b1\u200b1"


@settings(max_examples=250, deadline=None)
@given(st.one_of(st.text(max_size=80), st.text(alphabet="一二十点 0aо&#;%4١１\u200b.-\n", max_size=80)))
def test_every_character_of_a_view_points_into_the_original(text: str) -> None:
    for view in (normalised(text), spoken(normalised(text))):
        assert len(view.lower) == len(view.text)
        for at in range(len(view.text)):
            start, end = view.origin(at, at + 1)
            assert 0 <= start < end <= len(text)
