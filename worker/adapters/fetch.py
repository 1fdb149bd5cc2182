"""Fetching a closed ticket's words by the vendor's API, in a Celery task: late, slow and failing as such APIs are.

Nothing waits in a worker's memory: an API that asks to slow down, or is down, puts the row back until a moment, and the
beat wakes it. Redis carries the row's id alone.
"""

import http.client
import json
import logging
import socket
import ssl
import time
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from functools import cache
from typing import Any
from urllib.parse import urlencode, urlsplit

from pipeline.events import InvalidEvent, validated_event
from store import fetches
from store.faults import StoreError
from store.fetches import Fetch
from store.inbox import Outcome
from worker.adapters import ADAPTERS
from worker.adapters.base import Api, Endless, Unreadable
from worker.adapters.config import Hook, Hooks, load_hooks
from worker.process import delay
from worker.publish import enqueue_events
from worker.runtime import Runtime

TIMEOUT = 10.0
"""Seconds for one step of one request."""
DEADLINE = 90.0
"""Seconds for all requests of one ticket; shorter than the lease."""
MOST_BYTES = 20_000_000
LATER = timedelta(minutes=1)
"""What is said this long after the close belongs to the next one; clocks differ by less."""
_READ = 65_536
log = logging.getLogger("worker.fetch")


class ApiFault(Exception):
    """The API did not give what was asked. `reason` is a code; `lasting` where asking again does not mend it."""

    def __init__(self, reason: str, *, lasting: bool = False, retry_after: float | None = None) -> None:
        super().__init__(reason)
        self.reason, self.lasting, self.retry_after = reason, lasting, retry_after


class HttpApi(Api):
    """GET requests to one host, which follow no redirect and end at one deadline. The credential leaves for no other
    host, whatever an answer says."""

    def __init__(self, base: str, headers: Mapping[str, str], *, deadline: float = DEADLINE) -> None:
        self._base = urlsplit(base)
        self._headers = {"Accept": "application/json", "User-Agent": "Afterword", **headers}
        self._end = time.monotonic() + deadline

    def get(self, path: str, **params: str | int) -> Any:
        query = f"?{urlencode(params)}" if params else ""
        try:
            body = self._answer(self._base.path.rstrip("/") + path + query)
            return json.loads(body)
        except (OSError, http.client.HTTPException) as error:
            slow = isinstance(error, TimeoutError | socket.timeout)
            raise ApiFault("api_timeout" if slow else "api_unavailable") from None
        except (ValueError, RecursionError):
            raise ApiFault("api_reply_unreadable") from None

    def _answer(self, target: str) -> bytes:
        connection = self._connection()
        try:
            connection.request("GET", target, headers=self._headers)
            response = connection.getresponse()
            _refuse(response)
            return self._read(connection, response)
        finally:
            connection.close()

    def _connection(self) -> http.client.HTTPConnection:
        host, port = self._base.hostname or "", self._base.port
        if self._base.scheme == "https":
            return http.client.HTTPSConnection(host, port, timeout=self._left(), context=_tls())
        return http.client.HTTPConnection(host, port, timeout=self._left())

    def _read(self, connection: http.client.HTTPConnection, response: http.client.HTTPResponse) -> bytes:
        parts, size = [], 0
        while part := response.read1(_READ):
            parts.append(part)
            size += len(part)
            if size > MOST_BYTES:
                raise ApiFault("api_reply_too_large", lasting=True)
            if connection.sock is not None:
                connection.sock.settimeout(self._left())
            self._left()
        if response.length:
            raise ApiFault("api_unavailable")  # the connection broke off in the middle
        return b"".join(parts)

    def _left(self) -> float:
        left = self._end - time.monotonic()
        if left <= 0:
            raise ApiFault("api_timeout")
        return min(left, TIMEOUT)


@cache
def _tls() -> ssl.SSLContext:
    return ssl.create_default_context()


def _refuse(response: http.client.HTTPResponse) -> None:
    """Raises ApiFault for any answer but 200: what a status means is the same with every vendor."""
    status = response.status
    if status == 200:
        return
    if status in (429, 503):
        raise ApiFault("rate_limited", retry_after=_retry_after(response.headers.get("Retry-After")))
    if status in (401, 403):
        raise ApiFault("api_refuses")  # a token is replaced by its owner, in their time
    if status in (404, 410):
        raise ApiFault("ticket_gone", lasting=True)
    raise ApiFault("api_unavailable" if status >= 500 else "api_refuses", lasting=300 <= status < 500)


def _retry_after(text: str | None) -> float | None:
    """Seconds, from a number of them or from a date."""
    if text is None:
        return None
    if text.strip().isdecimal():
        return min(float(text), 86_400.0)
    try:
        return min(max(0.0, (parsedate_to_datetime(text) - datetime.now(UTC)).total_seconds()), 86_400.0)
    except (TypeError, ValueError):
        return None


# --- the task ---------------------------------------------------------------------------------------------------------


def fetch(runtime: Runtime, row_id: str, *, hooks: Hooks | None = None) -> None:
    """Fetches the ticket of one row and hands it in. Raises nothing: every end is a state of the row."""
    try:
        held = fetches.claim(runtime.engine, row_id)
        if held is not None:
            _settle(runtime, held, hooks if hooks is not None else load_hooks(runtime.settings.hooks))
    except StoreError as error:
        log.warning("not fetched", extra={"error": type(error).__name__})


def _settle(runtime: Runtime, held: Fetch, hooks: Hooks) -> None:
    hook = hooks.of(held.wanted.tenant, held.wanted.vendor)
    try:
        if hook is None or not hook.fetches:
            raise ApiFault("no_credential")
        _hand_in(runtime, held, _ticket(held, hook))
        fetches.done(runtime.engine, held)
    except ApiFault as fault:
        _after_fault(runtime, held, fault)


def _ticket(held: Fetch, hook: Hook) -> Mapping[str, Any] | None:
    """TicketClosed's fields as the vendor tells them. Raises ApiFault."""
    adapter, wanted = ADAPTERS[held.wanted.vendor], held.wanted
    if adapter.fetch is None:
        raise ApiFault("no_credential", lasting=True)
    api = HttpApi(hook.api_url, adapter.authorization(hook.api_user, hook.api_token))
    try:
        return adapter.fetch(api, wanted.ticket, wanted.closed_at)
    except Endless:
        raise ApiFault("api_pages_endless", lasting=True) from None
    except (Unreadable, LookupError, TypeError, ValueError, AttributeError):
        raise ApiFault("api_reply_unreadable") from None


def _hand_in(runtime: Runtime, held: Fetch, found: Mapping[str, Any] | None) -> None:
    """Into the inbox, as any event. A ticket that is not closed after all, or in which nothing was said, is none."""
    if found is None or not (said := _until_close(held, found["messages"])):
        log.info("nothing to hand in", extra={"event": held.id})
        return
    wanted = held.wanted
    raw = {
        "tenant": wanted.tenant,
        "event_id": wanted.event_id,
        "ticket_id": wanted.ticket,
        "closed_at": wanted.closed_at.isoformat(),
        "customer_id": found["customer_id"],
        "messages": said,
        "customer_identifiers": found.get("customer_identifiers") or None,
    }
    try:
        event = validated_event(raw, now=datetime.now(UTC))
    except InvalidEvent:
        raise ApiFault("api_reply_unreadable", lasting=True) from None
    (answer,) = enqueue_events(runtime, [event], now=datetime.now(UTC))
    level = logging.WARNING if answer.outcome is Outcome.CONFLICT else logging.INFO
    log.log(level, "fetched", extra={"event": answer.row_id, "state": answer.outcome.value})


def _until_close(held: Fetch, messages: Any) -> list[Mapping[str, Any]]:
    end = held.wanted.closed_at + LATER
    return [one for one in messages if "at" not in one or datetime.fromisoformat(one["at"]) <= end]


def _after_fault(runtime: Runtime, held: Fetch, fault: ApiFault) -> None:
    log.warning("not fetched", extra={"event": held.id, "reason": fault.reason, "retry_after": fault.retry_after})
    if fault.lasting:
        fetches.bury(runtime.engine, held, reason=fault.reason)
    else:
        wait = timedelta(seconds=delay(held.attempts, fault.retry_after))
        longest = timedelta(seconds=runtime.settings.max_wait)
        fetches.postpone(runtime.engine, held, reason=fault.reason, delay=wait, max_wait=longest)


def wake(runtime: Runtime, row_ids: tuple[str, ...]) -> int:
    """Sends rows to the workers. What is not sent, or lost, the beat sends again. Returns how many were sent."""
    from kombu.exceptions import OperationalError
    from redis import RedisError

    from store.states import Lane
    from worker.celery import FETCH, QUEUES

    if not row_ids or runtime.broker_url is None:
        return 0
    sent = 0
    try:
        with runtime.app.producer_pool.acquire(block=True, timeout=2) as producer:
            for row_id in row_ids:
                runtime.app.send_task(FETCH, (row_id,), queue=QUEUES[Lane.LIVE], producer=producer, retry=False)
                sent += 1
    except (OperationalError, RedisError, OSError) as error:
        log.warning("not woken: the beat will", extra={"count": sent, "error": type(error).__name__})
    return sent


def wake_due(runtime: Runtime) -> int:
    """What the beat does: wakes what is due, and lets go of dead ones that have had their time."""
    old = datetime.now(UTC) - timedelta(days=runtime.settings.dead_days)
    if gone := fetches.purge_dead(runtime.engine, before=old):
        log.warning("dead fetches have had their time and are gone", extra={"count": gone})
    return wake(runtime, fetches.due(runtime.engine, limit=500))
