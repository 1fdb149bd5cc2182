"""A ticket too long for one prompt is read in parts, and nothing of it is lost."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.parts import TooLong, merged, parts
from pipeline.prompt import rendered_line
from pipeline.tokens import estimated_tokens
from pipeline.transcript import Transcript
from tests.tickets import candidate, transcript


def cost(part: Transcript) -> int:
    return sum(estimated_tokens(rendered_line(line)) for line in part.lines)


def test_a_short_ticket_stays_whole() -> None:
    said = transcript("hello", ("agent", "hi"))
    assert parts(said, budget_tokens=1_000) == (said,)


def test_320_messages_are_read_in_parts_that_overlap_and_fit() -> None:
    said = transcript(*(f"message number {at} about the invoice" for at in range(320)))
    found = parts(said, budget_tokens=800, overlap_messages=2)
    assert len(found) > 1
    assert {line.position for part in found for line in part.lines} == set(range(320))
    assert all(cost(part) <= 800 for part in found)
    for before, after in pairwise(found):
        assert before.lines[-2:] == after.lines[:2]


@pytest.mark.parametrize("word", ["export{} fails. ", "第{}次导出失败了。", "x{}"])
def test_one_overlong_message_is_cut_into_pieces_that_keep_its_place(word: str) -> None:
    text = "".join(word.format(at) for at in range(4_000))
    found = parts(transcript("hi", text), budget_tokens=1_000)
    pieces = [line for part in found for line in part.lines if line.position == 1]
    assert len(pieces) > 1
    assert all(cost(part) <= 1_000 for part in found)
    at = 0
    for piece in pieces:
        start = text.find(piece.text)
        assert 0 <= start <= at
        at = start + len(piece.text)
    assert at == len(text)


def test_more_parts_than_allowed_are_too_long_and_not_cut_off() -> None:
    with pytest.raises(TooLong):
        parts(transcript("word " * 50_000), budget_tokens=500, max_parts=4)


def test_a_budget_that_no_message_fits_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="budget_tokens"):
        parts(transcript("hi"), budget_tokens=10)


def test_what_two_parts_say_alike_is_kept_once() -> None:
    weak, strong = (candidate("Oslo", (0, "in Oslo"), key="city", confidence=c) for c in (0.6, 0.9))
    other = candidate("e-mail", (1, "e-mail"), key="contact_channel")
    assert merged([[weak, other], [strong]]) == (strong, other)


@settings(max_examples=60, deadline=None)
@given(
    sizes=st.lists(st.integers(0, 1_500), min_size=1, max_size=30),
    budget=st.integers(400, 1_500),
    overlap=st.integers(0, 5),
)
def test_every_message_is_read_whatever_the_sizes(sizes: list[int], budget: int, overlap: int) -> None:
    said = transcript(*("word " * size for size in sizes))
    found = parts(said, budget_tokens=budget, overlap_messages=overlap, max_parts=10_000)
    assert {line.position for part in found for line in part.lines} == set(range(len(sizes)))
    assert all(cost(part) <= budget for part in found)
