"""Files handed to the demonstration: whole tickets, bare dialogues, and lines that are neither."""

import json
from datetime import UTC, datetime

from worker.demo import Recall, Ticket, load_story, read_lines

NOW = datetime(2026, 11, 29, 12, tzinfo=UTC)
BARE = {"dialogue_id": "d-1", "messages": [{"role": "customer", "text": "I moved to Oslo."}]}


def lines(*rows: object) -> list[str]:
    return [row if isinstance(row, str) else json.dumps(row) for row in rows]


def test_a_bare_dialogue_becomes_the_same_event_each_time() -> None:
    first, again = (next(read_lines(lines(BARE), closed_at=NOW, now=NOW)).event for _ in range(2))
    assert first == again
    assert first and (first.tenant, first.ticket_id, first.closed_at) == ("demo", "d-1", NOW)


def test_other_words_are_another_customer_and_another_event() -> None:
    other = {**BARE, "messages": [{"role": "customer", "text": "I moved to Bergen."}]}
    one, two = (line.event for line in read_lines(lines(BARE, other), closed_at=NOW, now=NOW))
    assert one and two and one.customer_id != two.customer_id and one.event_id != two.event_id


def test_a_session_date_is_when_the_dialogue_ended() -> None:
    (line,) = read_lines(lines({**BARE, "session_date": "2023-04-28"}), closed_at=NOW, now=NOW)
    assert line.event and line.event.closed_at == datetime(2023, 4, 28, 12, tzinfo=UTC)


def test_names_of_roles_from_chat_data_sets_are_understood() -> None:
    chat = {"messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}]}
    (line,) = read_lines(lines(chat), closed_at=NOW, now=NOW)
    assert line.event and [m.role.value for m in line.event.messages] == ["customer", "agent"]


def test_a_bad_line_is_named_by_number_and_field_without_its_content_and_the_rest_goes_on() -> None:
    secret = "hunter2-canary"
    bad = {"messages": [{"role": secret, "text": "x"}]}
    answers = list(read_lines(lines(BARE, "{not json " + secret, "", bad, [1]), closed_at=NOW, now=NOW))
    assert [(a.number, a.error.field if a.error else None) for a in answers] == [
        (1, None),
        (2, "line"),
        (4, "messages[0].role"),
        (5, "line"),
    ]
    assert secret not in "".join(str(a.error) for a in answers)


def test_the_story_ends_on_the_day_it_was_started_and_with_a_recall() -> None:
    story = load_story(started=NOW)
    assert isinstance(story[-1], Recall)
    assert max(step.event.closed_at for step in story if isinstance(step, Ticket)) == NOW
    assert load_story(started=NOW) == story
