"""What wakes the workers for rows that are safe already: on a thread of its own, so that no event waits for Redis."""

import logging
import queue
import threading
import time

from store.faults import StoreError
from worker.publish import publish
from worker.runtime import Runtime

EVERY = 0.1
"""Seconds between two publishings at least: each is a commit and a trip to Redis, for one row or for fifty."""
log = logging.getLogger("worker.http")


class Publisher:
    """One thread, started by the first row. `close` waits until what it holds is sent."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._queue: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None

    def add(self, row_ids: list[str]) -> None:
        """Called by one thread alone."""
        for row_id in row_ids:
            self._queue.put(row_id)
        if row_ids and self._thread is None:
            self._thread = threading.Thread(target=self._run, name="publisher", daemon=True)
            self._thread.start()

    def close(self) -> None:
        if self._thread is not None:
            self._queue.put(None)
            self._thread.join()
            self._thread = None

    def _run(self) -> None:
        going = True
        while going:
            rows, going = self._together()
            try:
                publish(self._runtime, rows)
            except StoreError as error:
                extra = {"count": len(rows), "error": type(error).__name__}
                log.warning("not published: the sweep will", extra=extra)
            except Exception:
                log.exception("unexpected error at the door", extra={"count": len(rows)})
            if going:
                time.sleep(EVERY)

    def _together(self) -> tuple[list[str], bool]:
        """What waits now, after waiting for the first. False at the end."""
        rows: list[str] = []
        one = self._queue.get()
        while one is not None:
            rows.append(one)
            try:
                one = self._queue.get_nowait()
            except queue.Empty:
                return rows, True
        return rows, False
