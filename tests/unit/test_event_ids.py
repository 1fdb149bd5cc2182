"""The id of a ticket that came without one, and what a Python program may hand in."""

import json
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.events import InvalidEvent, TicketClosed, derived_id, parse_event, validated_event

NOW = datetime(2026, 11, 30, tzinfo=UTC)
NINE = datetime(2026, 11, 24, 9, tzinfo=UTC)
SAID = [{"role": "customer", "text": "E-mail only, please."}]


def fields(**given: Any) -> dict[str, Any]:
    return {"tenant": "acme", "ticket_id": "T-1", "customer_id": "u1", "closed_at": NINE, "messages": SAID} | given


def test_one_moment_has_one_id_however_it_is_written() -> None:
    texts = (
        "2026-11-24T09:00:00Z", "2026-11-24T09:00:00+00:00", "2026-11-24T09:00:00.000Z", "2026-11-24T17:00:00+08:00",
    )  # fmt: skip
    lines = [parse_event(json.dumps(fields(closed_at=text)), now=NOW).event_id for text in texts]
    dicts = [validated_event(fields(closed_at=datetime.fromisoformat(text)), now=NOW).event_id for text in texts]
    objects = [TicketClosed(**fields(closed_at=datetime.fromisoformat(text))).event_id for text in texts]
    assert len({*lines, *dicts, *objects}) == 1


def test_the_id_of_the_usual_spelling_is_the_one_it_always_was() -> None:
    for text in ("2026-11-24T09:00:00Z", "2026-11-24T09:00:00.120Z"):
        event = parse_event(json.dumps(fields(closed_at=text)), now=NOW)
        assert event.event_id == derived_id("acme", "T-1", text)


moments = st.datetimes(datetime(2000, 1, 1), datetime(2026, 1, 1), timezones=st.just(UTC))
zones = st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))


@given(one=moments, other=moments, zone=zones)
def test_ids_are_the_same_exactly_where_moments_are(one: datetime, other: datetime, zone: timezone) -> None:
    first = TicketClosed(**fields(closed_at=one)).event_id
    assert TicketClosed(**fields(closed_at=one.astimezone(zone))).event_id == first
    assert (TicketClosed(**fields(closed_at=other)).event_id == first) == (one == other)


@pytest.mark.parametrize("nothing", ["", None])
def test_two_tickets_without_an_id_never_share_one(nothing: str | None) -> None:
    first = TicketClosed(**fields(event_id=nothing))
    second = validated_event(fields(ticket_id="T-2", event_id=nothing), now=NOW)
    assert len({first.event_id, second.event_id, ""}) == 3


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"closed_at": datetime(2026, 11, 24)}, "closed_at"),
        ({"closed_at": NOW + timedelta(minutes=6)}, "closed_at"),
        ({"closed_at": NINE.date()}, "event"),
        ({"messages": [{**SAID[0], "at": datetime(2026, 11, 24)}]}, "messages[0].at"),
        ({"customer_id": {"canary"}}, "event"),
        ({"customer_id": b"canary"}, "event"),
        ({"event_id": 0}, "event_id"),
    ],
)
def test_what_is_wrong_in_a_dict_with_datetimes_is_an_invalid_event(wrong: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidEvent) as raised:
        validated_event(fields(**wrong), now=NOW)
    assert raised.value.field == field
    assert "canary" not in str(raised.value)


def test_without_an_id_a_wrong_close_is_one_fault_and_no_second_is_made_of_the_id() -> None:
    with pytest.raises(InvalidEvent) as raised:
        validated_event(fields(closed_at="yesterday"), now=NOW)
    assert [fault.field for fault in raised.value.faults] == ["closed_at"]
