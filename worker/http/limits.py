"""Bounds on what anybody can make the door do: size and slowness of bodies, requests a second."""

import asyncio
import time
from collections import OrderedDict

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from worker.http.errors import Problem

UNPROVEN_BYTES = 64_000_000
"""Of bodies in hand at once whose senders have shown no token; at least one of the largest always has room."""
MAX_BUCKETS = 10_000
"""Credentials remembered at once; the one idle longest is forgotten first, and begins anew with a full bucket."""


def brings_body(scope: Scope) -> bool:
    headers = dict(scope["headers"])
    return headers.get(b"content-length", b"0") != b"0" or b"transfer-encoding" in headers


class Room:
    """How many bytes of bodies the door holds for callers who have shown no token: a signature is known to be right
    only once the body is there, and anybody can send one that is wrong."""

    def __init__(self, most: int) -> None:
        self._most, self._held = most, 0

    def take(self, size: int) -> None:
        """Raises Problem 503 where there is no room."""
        if self._held + size > self._most:
            headers = {"Retry-After": "1", "Connection": "close"}
            raise Problem(503, "busy", "too much is arriving at once", headers=headers)
        self._held += size

    def give_back(self, size: int) -> None:
        self._held -= size


class _Taken:
    """What one request has taken of the room; nothing where it has shown a token."""

    def __init__(self, room: Room | None) -> None:
        self._room, self._size = room, 0

    def take(self, size: int) -> None:
        if self._room is not None:
            self._room.take(size)
            self._size += size

    def give_back(self) -> None:
        if self._room is not None:
            self._room.give_back(self._size)


class Bodies:
    """Reads each body whole, bounded in size and time, before the application sees the request; those of callers who
    have shown no token are bounded together too.

    So nothing behind it meets a chunked, slow or endless body, and what is verified is what is parsed: one value.
    """

    def __init__(self, app: ASGIApp, *, most: int, seconds: float, unproven: int = UNPROVEN_BYTES) -> None:
        self._app, self._most, self._seconds = app, most, seconds
        self._room = Room(max(most, unproven))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return await self._app(scope, receive, send)
        taken = _Taken(None if "token" in scope.get("state", {}) else self._room)
        try:
            await self._passed_on(scope, receive, send, taken)
        finally:
            taken.give_back()
        return None

    async def _passed_on(self, scope: Scope, receive: Receive, send: Send, taken: _Taken) -> None:
        try:
            body = await self._read(scope, receive, taken)
        except Problem as problem:
            return await problem.response()(scope, receive, send)
        if body is None:
            return None  # the client has gone
        return await self._app(scope, _replayed(body, receive), send)

    async def _read(self, scope: Scope, receive: Receive, taken: _Taken) -> bytes | None:
        declared = dict(scope["headers"]).get(b"content-length", b"0")
        if declared.isdigit() and int(declared) > self._most:
            raise self._too_large()
        if not brings_body(scope):
            return b""
        try:
            async with asyncio.timeout(self._seconds):
                return await self._gathered(receive, taken)
        except TimeoutError:
            raise Problem(
                408, "too_slow", f"the body did not arrive within {self._seconds:g} s", headers={"Connection": "close"}
            ) from None

    async def _gathered(self, receive: Receive, taken: _Taken) -> bytes | None:
        parts, size = [], 0
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                return None
            part = message.get("body", b"")
            size += len(part)
            if size > self._most:
                raise self._too_large()
            taken.take(len(part))
            parts.append(part)
            if not message.get("more_body", False):
                return b"".join(parts)

    def _too_large(self) -> Problem:
        # The rest of the body is not read, so the connection cannot be used again.
        text = f"the body is larger than {self._most} bytes"
        return Problem(413, "too_large", text, headers={"Connection": "close"})


def _replayed(body: bytes, receive: Receive) -> Receive:
    """A `receive` that gives the whole body once, then whatever else happens to the connection."""
    pending = [body]

    async def replay() -> Message:
        if pending:
            return {"type": "http.request", "body": pending.pop(), "more_body": False}
        return await receive()

    return replay


class Rates:
    """A token bucket a credential: `per_second` on average, twice that in one burst; 0: no limit. In this process."""

    def __init__(self, per_second: int) -> None:
        self._rate = per_second
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def check(self, name: str, *, now: float | None = None) -> None:
        """Takes one request from `name`'s bucket. Raises Problem 429 with Retry-After where it is empty."""
        if not self._rate:
            return
        moment = time.monotonic() if now is None else now
        level, since = self._buckets.pop(name, (2.0 * self._rate, moment))
        level = min(level + (moment - since) * self._rate, 2.0 * self._rate)
        allowed = level >= 1
        self._buckets[name] = (level - 1 if allowed else level, moment)
        while len(self._buckets) > MAX_BUCKETS:
            self._buckets.popitem(last=False)
        if not allowed:
            text = f"more than {self._rate} requests a second"
            raise Problem(429, "too_many_requests", text, headers={"Retry-After": "1"})
