"""A worker that is alive by its process and dead by its work: noticed by progress, and ended so that it is restarted.

A Redis client can stall without an error after an outage. Messages that wait while nothing at all is finished for a
while are the sign. And a thread can keep the interpreter to itself (a pattern that explodes), so that not even this
watch comes to look: then a timer that needs no interpreter ends the process.
"""

import faulthandler
import logging
import os
import threading
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager

from redis import RedisError

from worker.runtime import Runtime

EXIT_STALLED = 75
"""EX_TEMPFAIL: whoever started this worker starts it again."""
log = logging.getLogger("worker.liveness")


class _Progress:
    """When a task last ended, on the monotonic clock."""

    def __init__(self) -> None:
        self.last = time.monotonic()


_progress = _Progress()


@contextmanager
def progress() -> Iterator[None]:
    """Notes, when the block ends, that something was finished."""
    try:
        yield
    finally:
        _progress.last = time.monotonic()


def watch(runtime: Runtime, queues: Collection[str]) -> None:
    """Starts the watch over the queues that this worker serves, in a thread of its own."""
    _progress.last = time.monotonic()
    threading.Thread(target=_watch, args=(runtime, tuple(queues)), name="liveness", daemon=True).start()


def _watch(runtime: Runtime, queues: Collection[str]) -> None:
    limit = runtime.settings.liveness_seconds
    while limit > 0 and _set_timer(limit) and not runtime.hands.stopping.wait(min(limit / 4, 30)):
        idle = time.monotonic() - _progress.last
        if idle > limit and messages_wait(runtime, queues):
            log.critical("messages wait and nothing is finished: restarting", extra={"ms": round(idle * 1000)})
            os._exit(EXIT_STALLED)
    faulthandler.cancel_dump_traceback_later()  # a drain has its own time


def _set_timer(limit: float) -> bool:
    """Ends the process (status 1) unless it is set again within `limit` seconds. What is printed then are the names of
    functions and files, no values."""
    faulthandler.dump_traceback_later(limit, exit=True)
    return True


def messages_wait(runtime: Runtime, queues: Collection[str]) -> bool:
    """Whether one of the queues holds something. Redis unreachable counts as no."""
    if runtime.redis is None:
        return False
    try:
        return any(runtime.redis.llen(queue) for queue in queues)
    except RedisError:
        return False
