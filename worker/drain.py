"""Stopping well: what a worker holds when it is asked to stop is finished in the time given, else handed back."""

import logging
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Engine

from store.claim import Claim, LostLease, release
from store.faults import StoreError

log = logging.getLogger("worker.drain")


class Hands:
    """The claims that this process works on. `stopping` is set once it was asked to stop: nothing more is claimed."""

    def __init__(self) -> None:
        self.stopping = threading.Event()
        self._held: dict[str, Claim] = {}
        self._lock = threading.Lock()

    @contextmanager
    def hold(self, claim: Claim) -> Iterator[None]:
        with self._lock:
            self._held[claim.row_id] = claim
        try:
            yield
        finally:
            with self._lock:
                self._held.pop(claim.row_id, None)

    def held(self) -> list[Claim]:
        with self._lock:
            return list(self._held.values())


def hand_back(engine: Engine, hands: Hands) -> int:
    """Gives back every claim in hand, untried. Returns how many. What does not work is found by its lease."""
    given = 0
    for claim in hands.held():
        try:
            release(engine, claim)
            given += 1
        except LostLease:
            continue  # finished meanwhile, or another's already
        except StoreError:
            log.warning("not handed back: its lease will run out", extra={"event": claim.row_id})
    return given


def stop_within(seconds: float, engine: Engine, hands: Hands) -> None:
    """After `seconds`, hands back what is still held and ends the process. Returns at once.

    The threads that still wait for a model cannot be interrupted; their late answers would be refused by the fence.
    """
    hands.stopping.set()
    timer = threading.Timer(seconds, _give_up, (engine, hands))
    timer.daemon = True
    timer.start()


def _give_up(engine: Engine, hands: Hands) -> None:
    given = hand_back(engine, hands)
    log.info("stopped before the work in hand was done: it was handed back", extra={"count": given})
    os._exit(0)
