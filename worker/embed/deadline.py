"""Work that may take its time, for a caller who may not."""

import queue
import threading
import time
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")
MOST_AT_ONCE = 16
"""Calls under way in this process. One more is refused at once: behind a stuck embedder none must queue up."""
_running = threading.BoundedSemaphore(MOST_AT_ONCE)


class TooSlow(Exception):
    """No answer before the deadline. What was begun goes on behind it, and its answer is thrown away."""


class Begun(Generic[T]):
    """Work in a thread of its own. A daemon: a stuck call must not keep the process from ending."""

    def __init__(self, work: Callable[[], T], *, seconds: float) -> None:
        self._until = time.monotonic() + seconds
        self._answers: queue.SimpleQueue[tuple[T, None] | tuple[None, Exception]] = queue.SimpleQueue()
        if not _running.acquire(blocking=False):
            raise TooSlow
        threading.Thread(target=self._run, args=(work,), name="embed", daemon=True).start()

    def _run(self, work: Callable[[], T]) -> None:
        try:
            self._answers.put((work(), None))
        except Exception as error:
            self._answers.put((None, error))
        finally:
            _running.release()

    def left(self) -> float:
        return max(self._until - time.monotonic(), 0.0)

    def result(self) -> T:
        """The answer. Raises TooSlow, or what the work raised."""
        try:
            answer, error = self._answers.get(timeout=max(self.left(), 0.001))
        except queue.Empty:
            raise TooSlow from None
        if error is not None:
            raise error
        return answer  # type: ignore[return-value]  # T may be None, so no check can tell
