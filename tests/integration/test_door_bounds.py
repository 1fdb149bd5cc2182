"""A client that is slow, endless or malformed on the wire costs the door a place for a moment, and others nothing.

Over raw sockets, against uvicorn as `python -m worker.http` runs it.
"""

import asyncio
import json
import socket
import threading
import time
from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from door import DoorWorld, cloud_event, door_world, ticket
from services import free_port
from starlette.responses import Response

from worker.http.__main__ import served
from worker.http.limits import Bodies
from worker.http.protocol import BoundedProtocol

HOST = b"Host: localhost\r\n"


class Impatient(BoundedProtocol):
    head_seconds = 0.6
    fetch_seconds = 0.6


@pytest.fixture
def door(tmp_path: Path, sqlite_url: str) -> Iterator[DoorWorld]:
    with door_world(tmp_path / "home", sqlite_url, http_body_bytes="20000", http_body_seconds="0.6") as world:
        yield world


@pytest.fixture
def port(door: DoorWorld) -> Iterator[int]:
    number = free_port()
    given = served() | {"http": Impatient, "log_config": None, "lifespan": "off", "timeout_keep_alive": 1}
    server = uvicorn.Server(uvicorn.Config(door.client.app, port=number, **given))
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.02)
    yield number
    server.should_exit = True
    thread.join()


@contextmanager
def raw(port: int) -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        yield connection


def everything(connection: socket.socket) -> bytes:
    """What comes until the door closes the connection."""
    parts = []
    while part := connection.recv(65_536):
        parts.append(part)
    return b"".join(parts)


def until(connection: socket.socket, end: bytes) -> bytes:
    said = b""
    while not said.endswith(end):
        said += connection.recv(65_536)
    return said


def answer(port: int, request: bytes) -> bytes:
    with raw(port) as connection:
        connection.sendall(request)
        return everything(connection)


def status(said: bytes) -> int:
    return int(said.split(b" ", 2)[1])


@pytest.mark.parametrize("begun", [b"", b"GET /healthz HT", b"GET /healthz HTTP/1.1\r\n" + HOST + b"X-Slow: "])
def test_a_head_that_does_not_arrive_is_408_and_the_connection_ends(port: int, begun: bytes) -> None:
    began = time.monotonic()
    said = answer(port, begun)
    assert 0.4 < time.monotonic() - began < 5
    assert status(said) == 408
    assert json.loads(said.partition(b"\r\n\r\n")[2])["error"]["code"] == "too_slow"


def test_a_head_that_comes_a_byte_at_a_time_wins_no_time_by_it(port: int) -> None:
    began = time.monotonic()
    with raw(port) as connection:
        connection.setblocking(True)
        for byte in b"GET /healthz HTTP/1.1\r\nX-Slow: " + b"x" * 1_000:
            try:
                connection.sendall(bytes([byte]))
            except OSError:
                break
            time.sleep(0.05)
    assert time.monotonic() - began < 5


def test_a_second_request_on_one_connection_has_its_own_time_and_its_own_end(port: int) -> None:
    whole = b"GET /healthz HTTP/1.1\r\n" + HOST + b"\r\n"
    with raw(port) as connection:
        for _ in range(3):
            connection.sendall(whole)
            assert status(until(connection, b"}")) == 200
            time.sleep(0.4)
        connection.sendall(whole[:20])
        assert status(everything(connection)) == 408


def test_two_requests_sent_at_once_are_both_answered(port: int) -> None:
    whole = b"GET /healthz HTTP/1.1\r\n" + HOST + b"\r\n"
    assert answer(port, whole + whole.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")).count(b" 200 ") == 2


@pytest.mark.parametrize(
    "head",
    [b"Content-Length: 5000\r\n\r\n{", b"Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n"],
    ids=["declared", "chunked"],
)
def test_a_body_that_does_not_arrive_is_408_and_others_are_served_meanwhile(
    door: DoorWorld, port: int, head: bytes
) -> None:
    with raw(port) as slow:
        slow.sendall(b"POST /v1/events HTTP/1.1\r\n" + HOST + head)
        assert status(answer(port, b"GET /healthz HTTP/1.1\r\nConnection: close\r\n" + HOST + b"\r\n")) == 200
        assert status(everything(slow)) == 408


@pytest.mark.parametrize(
    ("head", "body", "expected"),
    [
        (b"Content-Length: 999999999\r\n\r\n", b"", 413),
        (b"Transfer-Encoding: chunked\r\n\r\n", b"2000\r\n" + b"x" * 0x2000 + b"\r\n", 413),
        (b"Transfer-Encoding: chunked\r\n\r\n", b"zz\r\n", 400),
        (b"Content-Length: -5\r\n\r\n", b"", 400),
        (b"Content-Length: 5\r\nContent-Length: 6\r\n\r\n", b"hello!", 400),
        (b"X-Large: " + b"x" * 300_000 + b"\r\n\r\n", b"", 400),
        (b"X-NUL: a\x00b\r\n\r\n", b"", 400),
    ],
    ids=["declared huge", "chunks without end", "no chunk", "negative", "two lengths", "huge head", "NUL in the head"],
)
def test_a_request_that_cannot_be_is_refused_and_nothing_of_it_is_taken_in(
    port: int, head: bytes, body: bytes, expected: int
) -> None:
    with raw(port) as connection:
        with suppress(ConnectionError):  # the door has answered, and closed, before all was sent
            connection.sendall(b"POST /v1/events HTTP/1.1\r\n" + HOST + head)
            for _ in range(4 if b"xxxx" in body else 1):
                connection.sendall(body)
        assert status(connection.recv(65_536)) == expected


def test_an_event_that_is_smuggled_behind_a_length_and_chunks_is_not_taken_in(door: DoorWorld, port: int) -> None:
    said = answer(
        port,
        b"POST /v1/events HTTP/1.1\r\n" + HOST + b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
        b"POST /v1/events HTTP/1.1\r\nConnection: close\r\n" + HOST + b"\r\n",
    )
    assert b" 202 " not in said


def test_an_answer_that_nobody_fetches_is_dropped(door: DoorWorld, port: int) -> None:
    for number in range(60):
        door.remember(f"topic_{number}", "Hall 7 " * 60, kind="profile")
    assert len(door.facts()) == 60
    token = door.bearer()["Authorization"].encode()
    request = b"GET /v1/customers/c-1/export HTTP/1.1\r\n" + HOST + b"Authorization: " + token + b"\r\n\r\n"
    with socket.socket() as greedy:
        greedy.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2_048)
        greedy.settimeout(10)
        greedy.connect(("127.0.0.1", port))
        greedy.sendall(request * 200)
        time.sleep(3)
        fetched = b""
        with suppress(ConnectionError):
            while part := greedy.recv(65_536):
                fetched += part
    assert fetched.count(b"HTTP/1.1 200") < 200


def test_what_arrives_in_chunks_is_taken_in_as_one(door: DoorWorld, port: int) -> None:
    body = json.dumps(cloud_event(ticket("zebra"))).encode()
    chunks = b"".join(b"%x\r\n%b\r\n" % (len(part), part) for part in (body[:10], body[10:]))
    head = b"Content-Type: application/json\r\nAuthorization: " + door.bearer()["Authorization"].encode()
    request = b"POST /v1/events HTTP/1.1\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n"
    assert status(answer(port, request + HOST + head + b"\r\n\r\n" + chunks + b"0\r\n\r\n")) == 202


def test_who_shows_no_token_is_answered_before_a_body_is_read(port: int) -> None:
    head = b"POST /v1/customers/c-1/facts HTTP/1.1\r\n" + HOST + b"Content-Length: 19999\r\n\r\n"
    said = answer(port, head)
    assert status(said) == 401
    assert b"connection: close" in said.lower()


def _scope(**state: object) -> dict[str, object]:
    return {"type": "http", "headers": [(b"content-length", b"600")], "state": state}


async def _statuses(bodies: Bodies, scopes: list[dict[str, object]]) -> list[int]:
    """Of requests that are all in hand before the first one ends; each sends 600 bytes."""
    told: list[int] = []

    async def receive() -> dict[str, object]:
        return {"type": "http.request", "body": b"x" * 600, "more_body": False}

    async def send(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            told.append(message["status"])

    await asyncio.gather(*(bodies(scope, receive, send) for scope in scopes))
    return sorted(told)


def test_bodies_of_callers_without_a_token_are_bounded_together_and_their_room_comes_back() -> None:
    async def slow(scope: Any, receive: Any, send: Any) -> None:
        await asyncio.sleep(0.05)
        await Response(status_code=200)(scope, receive, send)

    async def story() -> None:
        bodies = Bodies(slow, most=1_000, seconds=5, unproven=1_500)
        for _ in range(3):
            assert await _statuses(bodies, [_scope() for _ in range(4)]) == [200, 200, 503, 503]
        assert await _statuses(bodies, [_scope(token="any") for _ in range(4)]) == [200] * 4

    asyncio.run(story())
