"""Bounds on what anybody can make the door do: size and slowness of bodies, requests a second."""

import asyncio
import time
from collections import OrderedDict

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from worker.http.errors import Problem

MAX_BUCKETS = 10_000
"""Credentials remembered at once; the one idle longest is forgotten first, and begins anew with a full bucket."""


class Bodies:
    """Reads each body whole, bounded in size and time, before the application sees the request.

    So nothing behind it meets a chunked, slow or endless body, and what is verified is what is parsed: one value.
    """

    def __init__(self, app: ASGIApp, *, most: int, seconds: float) -> None:
        self._app, self._most, self._seconds = app, most, seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return await self._app(scope, receive, send)
        try:
            body = await self._read(scope, receive)
        except Problem as problem:
            return await problem.response()(scope, receive, send)
        if body is None:
            return None  # the client has gone
        return await self._app(scope, _replayed(body, receive), send)

    async def _read(self, scope: Scope, receive: Receive) -> bytes | None:
        headers = dict(scope["headers"])
        declared = headers.get(b"content-length", b"0")
        if declared.isdigit() and int(declared) > self._most:
            raise self._too_large()
        if declared == b"0" and b"transfer-encoding" not in headers:
            return b""
        try:
            async with asyncio.timeout(self._seconds):
                return await self._gathered(receive)
        except TimeoutError:
            raise Problem(
                408, "too_slow", f"the body did not arrive within {self._seconds:g} s", headers={"Connection": "close"}
            ) from None

    async def _gathered(self, receive: Receive) -> bytes | None:
        parts, size = [], 0
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                return None
            part = message.get("body", b"")
            size += len(part)
            if size > self._most:
                raise self._too_large()
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
