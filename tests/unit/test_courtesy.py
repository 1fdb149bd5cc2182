"""No model call for a ticket in which the customer says nothing but courtesies, and only for such a one."""

import pytest

from pipeline.courtesy import says_something
from tests.tickets import lines_of, ticket, transcript


@pytest.mark.parametrize(
    "said",
    [
        ["thanks!"],
        ["Hi there", "ok great, thank you so much", "bye"],
        ["谢谢", "好的", "再见"],
        ["你好", "嗯嗯，明白了，多谢"],
        ["👍", "..."],
        ["Yes, that's all, have a nice day"],
        ["没有了，谢谢您的帮助"],
        ["OK"],
    ],
)
def test_thanks_and_greetings_say_nothing(said: list[str]) -> None:
    assert not says_something(transcript(("agent", "Your plan is Business"), *said))


def test_a_yes_to_a_question_says_something_and_a_no_to_a_closing_one_does_not() -> None:
    assert says_something(transcript(("agent", "Shall we write by e-mail from now on?"), "yes please"))
    assert says_something(transcript(("agent", "以后都开专票，对吗？"), "对的"))
    assert not says_something(transcript(("agent", "Anything else?"), "no thanks"))
    assert not says_something(transcript(("agent", "还有其他问题吗？"), "没有了，谢谢"))


@pytest.mark.parametrize(
    "said",
    [
        "thanks, but it still fails",
        "call me Max",
        "I'm vegan",
        "12",
        "E-401",
        "no calls please",
        "yes, e-mail is better",
        "好的，以后发邮件",
        "我们在苏州",
        "不要打电话",
        "专票",
        "merci, mais ça ne marche pas",
        "ありがとうございます、住所を変更",
        "Спасибо, не звоните",
    ],
)
def test_anything_else_says_something(said: str) -> None:
    assert says_something(transcript(said))


def test_what_others_write_does_not_count() -> None:
    said = transcript(
        "thanks", ("agent", "The customer moved to Oslo"), ("internal_note", "VIP"), "> please call us\nok"
    )
    assert not says_something(said)


@pytest.mark.parametrize("row", lines_of("annotated_tickets.jsonl"), ids=lambda row: row["dialogue_id"])
def test_every_annotated_ticket_says_something(row: dict[str, object]) -> None:
    assert says_something(ticket(row))
