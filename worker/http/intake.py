"""Events that arrive together are taken in together: one commit for all that came while the last one was written.

A commit costs the same for one event or for fifty, so under load the door grows no queue of commits, and alone an
event waits for nobody. Publishing comes after the answer: the row is safe, and the sweep makes up for a lost message.
"""

import asyncio
import logging
import queue
import threading
import time
from concurrent.futures import Future
from dataclasses import dataclass, field
from datetime import UTC, datetime

from pipeline.events import TicketClosed
from store import inbox
from store.faults import StoreError, StoreUnavailable
from store.inbox import Accepted, Outcome
from worker.publish import publish
from worker.runtime import Runtime

MOST_TOGETHER = 100
GATHER = 0.015
"""Seconds between two commits at least. An event that comes alone does not wait; at 150 a second three share one."""
PUBLISH_EVERY = 0.1
"""Seconds that a new row may wait for others to be published with: each publishing is a commit too."""
log = logging.getLogger("worker.http")


@dataclass(frozen=True, kw_only=True)
class _Waiting:
    event: TicketClosed = field(repr=False)
    answer: "Future[Accepted]"


class Intake:
    """One thread that takes events in, started by the first of them. `close` waits until those in hand are answered and
    published."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._queue: queue.SimpleQueue[_Waiting | None] = queue.SimpleQueue()
        self._unpublished: list[str] = []
        self._published_at = self._taken_at = time.monotonic()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    async def take(self, event: TicketClosed) -> Accepted:
        """The event is safe when this returns. Raises StoreError: then it was not taken in."""
        return await asyncio.wrap_future(self.put(event))

    def put(self, event: TicketClosed) -> "Future[Accepted]":
        waiting = _Waiting(event=event, answer=Future())
        with self._lock:
            self._queue.put(waiting)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="intake", daemon=True)
                self._thread.start()
        return waiting.answer

    def close(self) -> None:
        with self._lock:
            thread, self._thread = self._thread, None
            if thread is not None:
                self._queue.put(None)
        if thread is not None:
            thread.join()

    def _run(self) -> None:
        going = True
        while going:
            batch, going = self._together()
            try:
                self._take(batch)
                self._publish_where_due(idle=not batch or not going)
            except Exception:
                log.exception("unexpected error at the door", extra={"count": len(batch)})

    def _together(self) -> tuple[list[_Waiting], bool]:
        """What waits now, after waiting for the first; empty where a publishing falls due. False at the end."""
        batch: list[_Waiting] = []
        try:
            one = self._queue.get(timeout=PUBLISH_EVERY if self._unpublished else None)
            time.sleep(max(0.0, self._taken_at + GATHER - time.monotonic()))
            while one is not None:
                if one.answer.set_running_or_notify_cancel():  # else its client has gone
                    batch.append(one)
                if len(batch) == MOST_TOGETHER:
                    return batch, True
                one = self._queue.get_nowait()
            return batch, False
        except queue.Empty:
            return batch, True

    def _take(self, batch: list[_Waiting]) -> None:
        """All with one commit; where the database refuses one of them, each alone, so that it spoils no other."""
        if not batch:
            return
        self._taken_at = time.monotonic()
        try:
            answers = self._accepted([one.event for one in batch])
        except Exception as error:
            if len(batch) > 1 and not isinstance(error, StoreUnavailable):
                for one in batch:
                    self._take([one])
            else:
                _fail(batch, error)
            return
        self._unpublished += [answer.row_id for answer in answers if answer.outcome is Outcome.ACCEPTED]
        for one, answer in zip(batch, answers, strict=True):
            one.answer.set_result(answer)

    def _accepted(self, events: list[TicketClosed]) -> tuple[Accepted, ...]:
        return inbox.accept(self._runtime.engine, self._runtime.keys, events, now=datetime.now(UTC))

    def _publish_where_due(self, *, idle: bool) -> None:
        due = time.monotonic() - self._published_at >= PUBLISH_EVERY
        if not self._unpublished or not (due or idle):
            return
        rows, self._unpublished = self._unpublished, []
        try:
            publish(self._runtime, rows)
        except StoreError as error:
            log.warning("not published: the sweep will", extra={"count": len(rows), "error": type(error).__name__})
        self._published_at = time.monotonic()


def _fail(batch: list[_Waiting], error: Exception) -> None:
    for one in batch:
        one.answer.set_exception(error)
