"""HTTP as uvicorn speaks it, with an end to waiting: it bounds neither how long a request's head may take to arrive nor
how long an answer may take to be fetched, and each such connection would hold one of the door's places for ever.
"""

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD_SECONDS = 10.0
"""For the request line and the headers, from the first moment of a connection or the first byte of a later request."""
FETCH_SECONDS = 30.0
"""For the client to take a part of the answer before the rest of it is dropped."""
_TOO_SLOW = (
    b"HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n"
    b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%b"
)
_SAYS = b'{"error":{"code":"too_slow","message":"the request\'s head did not arrive in time"}}'


class BoundedProtocol(H11Protocol):
    """What `python -m worker.http` serves by. Behind another ASGI server these bounds are that server's."""

    head_seconds = HEAD_SECONDS
    fetch_seconds = FETCH_SECONDS
    _head: asyncio.TimerHandle | None = None
    _fetch: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._await_head()

    def data_received(self, data: bytes) -> None:
        if self.conn.their_state is h11.IDLE:
            self._await_head()
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._head = _ended(self._head)

    def connection_lost(self, exc: Exception | None) -> None:
        self._head, self._fetch = _ended(self._head), _ended(self._fetch)
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._fetch = self._fetch or self.loop.call_later(self.fetch_seconds, self._not_fetched)

    def resume_writing(self) -> None:
        self._fetch = _ended(self._fetch)
        super().resume_writing()

    def _await_head(self) -> None:
        self._head = self._head or self.loop.call_later(self.head_seconds, self._no_head)

    def _no_head(self) -> None:
        if not self.transport.is_closing():
            self.transport.write(_TOO_SLOW % (len(_SAYS), _SAYS))
            self.transport.close()

    def _not_fetched(self) -> None:
        self.transport.abort()


def _ended(timer: asyncio.TimerHandle | None) -> asyncio.TimerHandle | None:
    """No timer any more, whether or not there was one."""
    if timer is not None:
        timer.cancel()
    return None
