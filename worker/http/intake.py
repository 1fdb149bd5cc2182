"""Events that arrive together are taken in together: one commit for all that came while the last one was written.

A commit costs the same for one event or for fifty, so under load the door grows no queue of commits, and alone an
event waits for nobody. Publishing comes after the answer, on a thread of its own: the row is safe, and the sweep makes
up for a lost message.
"""

import asyncio
import logging
import queue
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime

from pipeline.events import TicketClosed
from store import inbox
from store.faults import StoreUnavailable
from store.inbox import Accepted, Outcome
from worker.http.publishing import Publisher
from worker.runtime import Runtime

MOST_TOGETHER = 100
GATHER = 0.02
"""Seconds between two commits at least. An event that comes alone does not wait; at 150 a second three share one."""
log = logging.getLogger("worker.http")


@dataclass(frozen=True, kw_only=True)
class _Waiting:
    event: TicketClosed = field(repr=False)
    answer: "asyncio.Future[Accepted]"


class Intake:
    """One thread that takes events in, started by the first of them. `close` waits until those in hand are answered and
    published."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._queue: queue.SimpleQueue[_Waiting | None] = queue.SimpleQueue()
        self._publisher = Publisher(runtime)
        self._taken_at = time.monotonic()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    async def take(self, event: TicketClosed) -> Accepted:
        """The event is safe when this returns. Raises StoreError: then it was not taken in."""
        waiting = _Waiting(event=event, answer=asyncio.get_running_loop().create_future())
        with self._lock:
            self._queue.put(waiting)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="intake", daemon=True)
                self._thread.start()
        return await waiting.answer

    def close(self) -> None:
        with self._lock:
            thread, self._thread = self._thread, None
            if thread is not None:
                self._queue.put(None)
        if thread is not None:
            thread.join()
        self._publisher.close()

    def _run(self) -> None:
        going = True
        while going:
            batch, going = self._together()
            try:
                self._take(batch)
            except Exception:
                log.exception("unexpected error at the door", extra={"count": len(batch)})

    def _together(self) -> tuple[list[_Waiting], bool]:
        """What waits now, after waiting for the first. False at the end."""
        batch: list[_Waiting] = []
        try:
            one = self._queue.get()
            time.sleep(max(0.0, self._taken_at + GATHER - time.monotonic()))
            while one is not None:
                if not one.answer.cancelled():  # else its client has gone
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
                _answer(batch, [error] * len(batch))
            return
        _answer(batch, answers)
        self._publisher.add([answer.row_id for answer in answers if answer.outcome is Outcome.ACCEPTED])

    def _accepted(self, events: list[TicketClosed]) -> tuple[Accepted, ...]:
        return inbox.accept(self._runtime.engine, self._runtime.keys, events, now=datetime.now(UTC))


def _answer(batch: Sequence[_Waiting], answers: Sequence[Accepted | Exception]) -> None:
    """Tells each event's loop what became of it, with one call for all that it waits for."""
    pairs = list(zip(batch, answers, strict=True))
    for loop in {one.answer.get_loop() for one in batch}:
        with suppress(RuntimeError):  # the loop has ended, and with it those who asked
            loop.call_soon_threadsafe(_settle, [pair for pair in pairs if pair[0].answer.get_loop() is loop])


def _settle(pairs: Sequence[tuple[_Waiting, Accepted | Exception]]) -> None:
    for one, answer in pairs:
        if one.answer.done():
            continue  # its client has gone meanwhile
        if isinstance(answer, Exception):
            one.answer.set_exception(answer)
        else:
            one.answer.set_result(answer)
