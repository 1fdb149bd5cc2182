"""Finished tickets make room for the next ones of their tenant: a worker publishes those itself.

A tenant has so many tickets out at a time. If only the sweep published what waits behind them, a tenant's throughput
would be that many tickets a sweep, with the workers idle in between.
"""

import logging
import threading

from store.faults import StoreError
from worker import publish
from worker.runtime import Runtime

PAUSE = 0.5
"""Seconds between two refills of one process: each is a commit and a trip to Redis, for one row or for a hundred."""
log = logging.getLogger("worker.refill")
_room = threading.Event()


def made_room() -> None:
    """A ticket has ended, whichever way."""
    _room.set()


def start(runtime: Runtime) -> None:
    """Refills after tickets have ended, on a thread of its own, for as long as the process lives."""
    threading.Thread(target=_run, args=(runtime,), name="refill", daemon=True).start()


def _run(runtime: Runtime) -> None:
    while not runtime.hands.stopping.wait(PAUSE):
        _room.wait()
        _room.clear()
        try:
            publish.refill(runtime)
        except StoreError as error:
            log.warning("not published: the sweep will", extra={"error": type(error).__name__})
        except Exception:
            log.exception("unexpected error: the sweep publishes")
