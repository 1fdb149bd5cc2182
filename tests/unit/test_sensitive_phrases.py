"""Values that a phrase or an answer tells: every piece is found, so that masking leaves none of it."""

import pytest

from pipeline.sensitive import findings, judge_text


def left_over(text: str) -> str:
    """`text` without what was found."""
    kept = list(text)
    for finding in findings(text):
        kept[finding.start : finding.end] = [" "] * (finding.end - finding.start)
    return "".join(kept)


@pytest.mark.parametrize(
    "text",
    [
        "customer: 电话是010-67013036，010-67028866，010-67028811",
        "agent: What is the best phone number?\ncustomer: sure, 4155550132 thanks",
        "agent: 请把收到的六位数字发我\ncustomer: 902114",
        "agent: your social?\ncustomer: 987 65\ncustomer: 4321",
        "agent: date of birth?\ncustomer: 1990-01-02",
    ],
)
def test_no_digit_of_a_list_or_an_answer_is_left(text: str) -> None:
    assert not any(char.isdigit() for char in left_over(text))


def test_a_key_is_found_to_its_end() -> None:
    assert left_over("Token: dnstok_9fK2-xQ7v-B1mZ-44aa. Thanks").strip() == "Token:                           . Thanks"


@pytest.mark.parametrize("question", ["What is your order number?", "快递单号是多少？", "How many seats?"])
def test_an_answer_to_a_harmless_question_passes(question: str) -> None:
    assert judge_text(f"agent: {question}\ncustomer: 20231145").passed
