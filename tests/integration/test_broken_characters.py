"""Half a character in what was said loses no ticket; in an id it is refused. Every way in says the same."""

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from commandline import CommandLine
from door import DoorWorld, cloud_event, door_world, ticket
from sqlalchemy import select

from pipeline.events import InvalidEvent, TicketClosed, parse_event
from pipeline.wire import wire_json
from store.engine import reading
from store.models import events
from store.payload import opened
from worker.client import enqueue
from worker.runtime import Runtime, open_runtime
from worker.settings import read_settings

HALF = "\ud800"
SAID, KEPT = f"E-mail {HALF}only, \ud83d\ude00", "E-mail \ufffdonly, \U0001f600"


@pytest.fixture
def door(tmp_path: Path, sqlite_url: str) -> Iterator[DoorWorld]:
    with door_world(tmp_path / "door", sqlite_url) as world:
        yield world


def said(runtime: Runtime) -> list[str]:
    with reading(runtime.engine) as connection:
        (row,) = connection.execute(select(events)).all()
    event = opened(runtime.keys, row.payload, row_id=row.id, tenant=row.tenant)
    assert event.customer_identifiers is not None
    return [event.messages[0].text, event.customer_identifiers.name or ""]


def broken(**given: Any) -> dict[str, Any]:
    return ticket(SAID, customer_identifiers={"name": f"M{HALF}"}) | given


def test_over_http_the_ticket_is_taken_in_with_a_replacement_for_the_half(door: DoorWorld) -> None:
    assert door.post_event(cloud_event(broken())).status_code == 202
    assert said(door.runtime) == [KEPT, "M\ufffd"]


def test_from_python_too(door: DoorWorld) -> None:
    enqueue({"tenant": "acme", **broken()}, using=door.runtime)
    assert said(door.runtime) == [KEPT, "M\ufffd"]


def test_on_the_command_line_too(afterword: CommandLine) -> None:
    done = afterword("enqueue", "--json", stdin=json.dumps({"tenant": "acme", **broken()}) + "\n")
    assert (done.code, done.rows[0]["outcome"]) == (0, "accepted")
    runtime = open_runtime(read_settings())
    assert said(runtime) == [KEPT, "M\ufffd"]
    runtime.close()


@pytest.mark.parametrize("field", ["customer_id", "ticket_id", "event_id", "tenant"])
def test_an_id_that_holds_a_half_is_refused_by_every_way_in(
    door: DoorWorld, afterword: CommandLine, field: str
) -> None:
    raw = {"tenant": "acme", "event_id": "e", **broken(), field: f"a{HALF}"}
    with pytest.raises(InvalidEvent, match=f"^{field}: ") as raised:
        enqueue(raw, using=door.runtime)
    done = afterword("enqueue", "--json", stdin=json.dumps(raw) + "\n")
    assert (done.code, done.rows[0]["outcome"], done.rows[0]["field"]) == (3, "invalid", field)
    assert str(raised.value).isascii()
    if field in ("customer_id", "ticket_id"):
        answer = door.post_event(cloud_event(broken(**{field: f"a{HALF}"})))
        assert (answer.status_code, answer.json()["error"]["message"].split(":")[0]) == (422, f"data.{field}")


@pytest.mark.parametrize("field", ["id", "source"])
def test_an_event_that_is_named_by_half_a_character_is_no_cloud_event(door: DoorWorld, field: str) -> None:
    assert door.post_event(cloud_event(**{field: f"a{HALF}"})).status_code == 400


def test_a_stated_value_is_kept_likewise_over_http_and_on_the_command_line(
    door: DoorWorld, afterword: CommandLine
) -> None:
    fact = {"kind": "preference", "key": "contact_channel", "value": SAID}
    answer = door.client.post("/v1/customers/c-1/facts", content=json.dumps(fact), headers=door.bearer() | JSON)
    assert answer.json()["decision"] == "ADD"
    assert door.facts() == [f"contact_channel = {KEPT}"]
    line = {"tenant": "acme", "customer": "c-1", "source": "system", **fact}
    done = afterword("remember", "--lines", "-", "--json", stdin=json.dumps(line) + "\n")
    assert done.rows[0]["decision"] == "ADD"
    assert afterword("facts", "list", "--tenant", "acme", "--customer", "c-1", "--json").rows[0]["value"] == KEPT


JSON = {"content-type": "application/json"}


@pytest.mark.parametrize(
    "address", ["/v1/customers/%FF/facts", "/v1/recall?customer=%FF", "/v1/customers/%ED%A0%80/facts"]
)
def test_an_address_that_is_not_utf8_names_nobody(door: DoorWorld, address: str) -> None:
    answer = door.client.get(address, headers=door.bearer())
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "malformed")


@pytest.mark.parametrize("make", [dict, lambda raw: [raw], lambda raw: {"x": {"text": raw["text"]}}])
def test_what_is_whole_is_written_as_json_writes_it(make: Callable[[Any], Any]) -> None:
    raw = make({"text": "客户 \U0001f600", "number": 1.5, "none": None})
    assert json.loads(wire_json(raw, words=("text",))) == raw


def test_a_name_that_is_half_a_character_is_an_unknown_field() -> None:
    with pytest.raises(InvalidEvent, match="unknown field"):
        parse_event(json.dumps({"tenant": "acme", **broken(), HALF: 1}), now=datetime.now(UTC))


def test_a_ticket_that_is_made_in_python_is_whole_too() -> None:
    made = TicketClosed.model_validate({"tenant": "acme", **broken()})
    assert made.messages[0].text == KEPT
