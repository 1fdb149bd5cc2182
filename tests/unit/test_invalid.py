"""What is wrong with a ticket, a statement or a call is told whole, by field, and repeats nothing of what was sent."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.events import InvalidEvent, parse_event
from pipeline.invalid import MOST
from pipeline.statement import BadStatement, parse_statement

NOW = datetime(2026, 11, 30, tzinfo=UTC)
GOOD: dict[str, Any] = {
    "tenant": "acme",
    "ticket_id": "T-1",
    "customer_id": "u1",
    "closed_at": "2026-11-29T10:00:00+08:00",
    "messages": [{"role": "customer", "text": "hello"}],
}


def faults(**changed: Any) -> dict[str, str]:
    """By field, what is wrong with a good ticket so changed."""
    with pytest.raises(InvalidEvent) as raised:
        parse_event(json.dumps(GOOD | changed), now=NOW)
    return {one.field: one.problem for one in raised.value.faults}


def test_all_that_is_wrong_with_a_ticket_is_told_at_once_with_what_to_write() -> None:
    messages = [{"role": "client", "text": "x"}, {"text": "y", "at": "2026-11-29T10:00"}, "z", {"role": "bot"}]
    found = faults(ticket_id="", closed_at="yesterday", messages=messages, language="??", customer_identifiers=[])
    assert found == {
        "ticket_id": "want 1-200 characters without control characters",
        "closed_at": "want an ISO 8601 time with its zone, such as 2026-11-29T10:00:00+08:00",
        "messages[0].role": "want 'customer', 'agent', 'bot', 'system' or 'internal_note'",
        "messages[1].role": "is missing",
        "messages[1].at": "want an ISO 8601 time with its zone, such as 2026-11-29T10:00:00+08:00",
        "messages[2]": "want a JSON object",
        "messages[3].text": "is missing",
        "language": "want text of the form ^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$",
        "customer_identifiers": "want a JSON object",
    }


@pytest.mark.parametrize("closed_at", ["", "2026-11-29", "2026-11-29T10:00:00", "29.11.2026", None, True])
def test_a_time_that_is_none_says_how_one_is_written(closed_at: Any) -> None:
    assert "2026-11-29T10:00:00+08:00" in faults(closed_at=closed_at)["closed_at"]


def test_a_close_in_the_future_is_told_beside_the_rest() -> None:
    assert list(faults(closed_at="2027-01-01T00:00:00Z", ticket_id="")) == ["ticket_id", "closed_at"]


def test_an_unknown_field_is_answered_by_those_that_are_known_there() -> None:
    found = faults(messages=[{"role": "bot", "text": "x", "canary": 1}], customer_identifiers={"canary": 2})
    assert found == {
        "messages[0].(unknown field)": "known here are role, text, id, at",
        "customer_identifiers.(unknown field)": "known here are name, phone, email",
    }
    assert "closed_at" in faults(canary=3)["(unknown field)"]


def test_an_empty_ticket_lacks_every_field_that_is_required() -> None:
    with pytest.raises(InvalidEvent) as raised:
        parse_event("{}", now=NOW)
    assert {one.field for one in raised.value.faults if one.problem == "is missing"} == set(GOOD)


def test_of_very_many_faults_the_number_is_told() -> None:
    with pytest.raises(InvalidEvent) as raised:
        parse_event(json.dumps(GOOD | {"messages": [{"role": "client", "text": "x"}] * 3_000}), now=NOW)
    assert str(raised.value).count("messages[") == MOST == len(raised.value.rows())
    assert str(raised.value).endswith(f"and {3_000 - MOST} more")


def test_all_that_is_wrong_with_a_statement_is_told_at_once() -> None:
    line = {"tenant": "t", "kind": "profile", "key": "k", "source": "hearsay", "until": "soon", "importance": "much"}
    with pytest.raises(BadStatement) as raised:
        parse_statement(json.dumps(line))
    assert {one.field: one.problem for one in raised.value.faults} == {
        "customer": "is missing",
        "source": "want 'system', 'agent_confirmed' or 'extracted'",
        "importance": "want a number",
        "until": "want a day, such as 2026-11-29",
    }


CANARY = "zq9canary"
JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.just(CANARY),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([CANARY, "role", "text"]), inner),
    max_leaves=5,
)


@given(fields=st.dictionaries(st.sampled_from([*GOOD, "customer_identifiers", "language", CANARY, "value"]), JUNK))
def test_no_value_and_no_name_of_the_senders_is_ever_repeated(fields: dict[str, Any]) -> None:
    for read in (lambda line: parse_event(line, now=NOW), parse_statement):
        try:
            read(json.dumps(GOOD | fields))
        except (InvalidEvent, BadStatement) as error:
            assert CANARY not in f"{error!r}{error.rows()}"
