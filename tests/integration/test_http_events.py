"""POST /v1/events: what is taken in, what is turned away, and with which answer."""

import json
import socket
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from door import DoorWorld, cloud_event, door_world, ticket
from services import free_port

from store.counts import total
from store.states import Role
from store.tokens import Scope


@pytest.fixture
def door(tmp_path: Path, database_url: str) -> Iterator[DoorWorld]:
    with door_world(tmp_path / "home", database_url) as world:
        yield world


@pytest.fixture
def small(tmp_path: Path, sqlite_url: str) -> Iterator[DoorWorld]:
    """A door that takes little and waits for little."""
    with door_world(tmp_path / "home", sqlite_url, http_body_bytes="2000", http_body_seconds="0.5") as world:
        yield world


def code(response: Any) -> str:
    return str(response.json()["error"]["code"])


def post_signed(door: DoorWorld, secret: str, body: bytes, **headers: str) -> Any:
    return door.client.post("/v1/events", content=body, headers=door.signed(secret, body) | headers)


def test_a_signed_event_is_taken_in_once(door: DoorWorld) -> None:
    secret, body = door.signing().secret, json.dumps(cloud_event()).encode()
    first, again = post_signed(door, secret, body), post_signed(door, secret, body)
    assert (first.status_code, first.json()["outcome"]) == (202, "accepted")
    assert (again.status_code, again.json()["outcome"]) == (200, "duplicate")
    assert total(door.runtime.engine).accepted == 1
    status = door.client.get(f"/v1/events/{first.json()['event_id']}", headers=door.bearer())
    assert status.json()["state"] == "pending"


def test_source_and_id_together_name_an_event(door: DoorWorld) -> None:
    assert door.post_event(cloud_event(id="1")).status_code == 202
    assert door.post_event(cloud_event(id="1", source="/other")).status_code == 202
    assert door.post_event(cloud_event(id="1")).status_code == 200
    conflict = door.post_event(cloud_event(ticket("something else"), id="1"))
    assert (conflict.status_code, code(conflict)) == (409, "conflict")


def test_events_that_arrive_together_are_each_answered(door: DoorWorld) -> None:
    def post(number: int) -> None:
        answers.append(door.post_event(cloud_event(id=str(number % 20))).json()["outcome"])

    answers: list[str] = []
    threads = [threading.Thread(target=post, args=(number,)) for number in range(40)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == ["accepted"] * 20 + ["duplicate"] * 20


@pytest.mark.parametrize(
    ("event", "status", "said"),
    [
        (cloud_event(specversion="0.3"), 400, "not_a_cloud_event"),
        (cloud_event(type="other"), 400, "not_a_cloud_event"),
        (cloud_event(id=""), 400, "not_a_cloud_event"),
        (cloud_event(source=7), 400, "not_a_cloud_event"),
        (cloud_event(data="text"), 400, "not_a_cloud_event"),
        (cloud_event(datacontenttype="text/plain"), 400, "not_a_cloud_event"),
        ([cloud_event()], 400, "not_a_cloud_event"),
        (cloud_event(ticket(tenant="globex")), 403, "other_tenant"),
        (cloud_event(ticket(messages=[])), 422, "invalid_event"),
        (cloud_event(ticket(customer_id="a\x00b")), 422, "invalid_event"),
        (cloud_event(ticket(closed_at="2026-03-02T09:00:00")), 422, "invalid_event"),
        (cloud_event(ticket(closed_at=(datetime.now(UTC) + timedelta(hours=1)).isoformat())), 422, "invalid_event"),
        (cloud_event(ticket(secret_of_the_customer=1)), 422, "invalid_event"),
    ],
)
def test_what_is_no_ticket_is_turned_away_by_name_and_without_its_content(
    small: DoorWorld, event: Any, status: int, said: str
) -> None:
    response = small.post_event(event)
    assert (response.status_code, code(response)) == (status, said)
    assert "secret_of_the_customer" not in response.text
    assert total(small.runtime.engine).accepted == 0


def test_all_that_is_wrong_with_a_ticket_is_told_in_one_answer(small: DoorWorld) -> None:
    messages = [{"role": "client", "text": "x"}]
    message = small.post_event(cloud_event(ticket(closed_at="monday", messages=messages))).json()["error"]["message"]
    assert message == (
        "data.closed_at: want an ISO 8601 time with its zone, such as 2026-11-29T10:00:00+08:00; "
        "data.messages[0].role: want 'customer', 'agent', 'bot', 'system' or 'internal_note'"
    )


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"\xff\xfe", b"[" * 1_500, b'{"a":' * 300, b"NaN", '{"specversion": "１.0"}'.encode(), b"\x00"],
)
def test_a_signed_body_that_is_no_cloud_event_is_400_and_never_500(small: DoorWorld, body: bytes) -> None:
    assert post_signed(small, small.signing().secret, body).status_code == 400


def test_a_ticket_nested_as_deep_as_a_parser_can_go_is_400_or_422(door: DoorWorld) -> None:
    for depth in range(100, 1_100, 50):
        deep = "[" * depth + "]" * depth
        body = json.dumps(cloud_event(ticket(language="DEEP"))).replace('"DEEP"', deep).encode()
        assert post_signed(door, door.signing().secret, body).status_code in (400, 422)


def test_wrong_old_truncated_and_missing_proofs_are_401(small: DoorWorld) -> None:
    secret, body = small.signing().secret, json.dumps(cloud_event()).encode()
    good = small.signed(secret, body)
    old = small.signed(secret, body, at=datetime.now(UTC) - timedelta(minutes=6))
    cases = {
        "signature_wrong": small.signed("whsec_AAAA", body),
        "signature_old": old,
        "signature_malformed": good | {"webhook-signature": good["webhook-signature"][:20]},
        "signature_missing": {k: v for k, v in good.items() if k != "webhook-id"},
        "no_token": {"content-type": "application/json"},
        "bad_token": {"content-type": "application/json", "authorization": "Bearer aw_x_y"},
    }
    for said, headers in cases.items():
        response = small.client.post("/v1/events", content=body, headers=headers)
        assert (response.status_code, code(response)) == (401, said)
        assert "WWW-Authenticate" in response.headers
    assert total(small.runtime.engine).accepted == 0


def test_a_body_that_changes_after_it_was_signed_is_refused(small: DoorWorld) -> None:
    body = json.dumps(cloud_event()).encode()
    headers = small.signed(small.signing().secret, body)
    changed = body.replace(b"c-1", b"c-2")
    assert small.client.post("/v1/events", content=changed, headers=headers).status_code == 401


def test_a_revoked_secret_and_a_revoked_token_end_at_once(small: DoorWorld) -> None:
    made, shown, body = small.signing(), small.create(), json.dumps(cloud_event()).encode()
    headers = {"authorization": f"Bearer {shown.secret}"}
    assert small.post_event(cloud_event(), headers=headers).status_code == 202
    assert post_signed(small, made.secret, body).status_code == 200
    for one in (made, shown):
        small.revoke(one)
    assert code(post_signed(small, made.secret, body)) == "signature_wrong"
    assert code(small.post_event(cloud_event(), headers=headers)) == "bad_token"


def test_a_signature_and_a_token_of_two_tenants_do_not_go_together(small: DoorWorld) -> None:
    body = json.dumps(cloud_event()).encode()
    mixed = small.bearer(tenant="globex", role=Role.SYSTEM, scopes=(Scope.ENQUEUE,))
    response = post_signed(small, small.signing("acme").secret, body, **mixed)
    assert (response.status_code, code(response)) == (403, "other_tenant")


def test_a_token_without_the_scope_may_not_hand_in(small: DoorWorld) -> None:
    response = small.post_event(cloud_event(), headers=small.bearer(scopes=(Scope.RECALL,)))
    assert (response.status_code, code(response)) == (403, "scope_missing")


def test_another_content_type_is_415(small: DoorWorld) -> None:
    response = small.post_event(cloud_event(), headers=small.bearer() | {"content-type": "text/plain"})
    assert response.status_code == 415


def test_a_body_that_is_too_large_is_413_also_in_chunks(small: DoorWorld) -> None:
    large = json.dumps(cloud_event(ticket("x" * 3_000))).encode()
    whole = small.client.post("/v1/events", content=large)
    chunked = small.client.post("/v1/events", content=iter([large[i : i + 100] for i in range(0, len(large), 100)]))
    assert [whole.status_code, chunked.status_code] == [413, 413]


def test_too_many_requests_are_429_with_retry_after(tmp_path: Path, sqlite_url: str) -> None:
    with door_world(tmp_path / "home", sqlite_url, http_rate="2") as door:
        answers = [door.client.get("/v1/recall?customer=c-1", headers=door.bearer()) for _ in range(8)]
        assert {answer.status_code for answer in answers} == {200, 429}
        assert answers[-1].headers["Retry-After"] == "1"
        other = door.bearer(tenant="globex")
        assert door.client.get("/v1/recall?customer=c-1", headers=other).status_code == 200


def test_a_slow_body_is_408_and_holds_up_nobody(small: DoorWorld) -> None:
    port = free_port()
    server = uvicorn.Server(uvicorn.Config(small.client.app, port=port, log_config=None, lifespan="off"))
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        while not server.started:
            time.sleep(0.02)
        with socket.create_connection(("127.0.0.1", port), timeout=10) as slow:
            slow.sendall(b"POST /v1/events HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{")
            assert small.post_event(cloud_event()).status_code == 202
            assert slow.recv(4096).startswith(b"HTTP/1.1 408 ")
    finally:
        server.should_exit = True
        thread.join()


def test_no_word_of_a_ticket_reaches_a_log(
    small: DoorWorld, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    with caplog.at_level("DEBUG"):
        small.post_event(cloud_event(ticket("zebra-crossing")))
        small.post_event(cloud_event(ticket(messages=[{"role": "zebra-crossing", "text": "zebra-crossing"}])))
        small.post_event(cloud_event(ticket(**{"zebra-crossing": 1})))
    shown = capfd.readouterr()
    assert "zebra-crossing" not in caplog.text + shown.out + shown.err


def test_a_database_that_is_down_is_503_with_retry_after_and_recall_says_that_it_is_degraded(
    small: DoorWorld, tmp_path: Path
) -> None:
    headers = small.bearer()
    assert small.client.get("/v1/recall?customer=c-1", headers=headers).json()["degraded"] is False
    small.runtime.engine.dispose()
    database = Path(str(small.runtime.engine.url.database))
    database.rename(tmp_path / "away.db")
    database.mkdir()
    event = small.post_event(cloud_event(), headers=headers)
    recall = small.client.get("/v1/recall?customer=c-1", headers=headers)
    stranger = small.client.get("/v1/recall?customer=c-1", headers={"authorization": "Bearer aw_x_y"})
    assert (event.status_code, event.headers["Retry-After"]) == (503, "5")
    assert (recall.status_code, recall.json()["degraded"], recall.json()["facts"]) == (200, True, [])
    assert stranger.status_code == 503
    assert small.client.get("/readyz").status_code == 503
    assert small.client.get("/healthz").status_code == 200
    assert "afterword_database_up 0.0" in small.client.get("/metrics").text


def test_a_secret_counts_from_the_moment_that_it_is_made(small: DoorWorld) -> None:
    for number in range(3):
        body = json.dumps(cloud_event(id=str(number))).encode()
        assert post_signed(small, small.signing().secret, body).status_code == 202
