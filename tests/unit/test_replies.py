"""A question is only looked at where one of its words stands: that spares work and changes no verdict."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.reasons import Reason
from pipeline.sensitive import findings
from pipeline.sensitive.nearby import flattened
from pipeline.sensitive.replies import QUESTIONS, Question


@pytest.mark.parametrize("row", QUESTIONS, ids=[f"{at}-{row.reason}" for at, row in enumerate(QUESTIONS)])
@settings(max_examples=100)
@given(data=st.data())
def test_what_asks_holds_one_of_the_questions_words(row: Question, data: st.DataObject) -> None:
    asked = data.draw(st.from_regex(row.asked))
    assert any(word in flattened(asked) for word in row.words)


def test_a_word_that_ends_its_question_asks_too() -> None:
    said = "agent: Did you get the text?\ncustomer: 482913\n"
    assert [(said[one.start : one.end], one.reason) for one in findings(said)] == [("482913", Reason.ONE_TIME_CODE)]
