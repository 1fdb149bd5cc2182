"""Misfortune for a worker process, without a hook in the product: Python loads this file at the start of every process
that has this folder on its PYTHONPATH.

FAULT names what shall happen, FAULT_FOLDER is where processes of one test note what has happened and read the clock.
A module of the product is altered right after it was loaded, so whoever imports from it gets the altered name.
"""

import importlib.util
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

FAULT = os.environ.get("FAULT", "")
FOLDER = Path(os.environ.get("FAULT_FOLDER", "."))
Alter = Callable[[Any], None]


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def die_once() -> None:
    """The first process that comes here dies, and no other."""
    try:
        (FOLDER / "died").touch(exist_ok=False)
    except FileExistsError:
        return
    die()


def around(name: str, *, before: Callable[..., Any] | None = None, after: Callable[..., Any] | None = None) -> Alter:
    """Does something right before a function is called, or once it has returned."""

    def alter(module: Any) -> None:
        inner = getattr(module, name)

        def outer(*args: Any, **kwargs: Any) -> Any:
            if before:
                before(*args)
            answer = inner(*args, **kwargs)
            if after:
                after(*args)
            return answer

        setattr(module, name, outer)

    return alter


def put(name: str, value: Any) -> Alter:
    return lambda module: setattr(module, name, value)


# --- a ticket that kills its worker -----------------------------------------------------------------------------------


def die_of_poison(_runtime: Any, event: Any, *_: Any) -> None:
    if any("poison" in message.text for message in event.messages):
        time.sleep(0.3)  # so that its neighbours are well under way
        die()


# --- a clock that jumps -----------------------------------------------------------------------------------------------

_true_time = time.time


class _Clock:
    shift = 0.0


_clock = _Clock()


def jumping_clock() -> None:
    """`time.time` is as far off as FOLDER/clock says at the moment; so is `datetime.now` of every module of ours and of
    Celery's. The monotonic clock is not, as on a host whose clock is set."""
    time.time = lambda: _true_time() + _clock.shift

    def follow() -> None:
        while True:
            try:
                _clock.shift = float((FOLDER / "clock").read_text() or 0)
            except (OSError, ValueError):
                _clock.shift = 0.0
            time.sleep(0.05)

    threading.Thread(target=follow, daemon=True).start()


def with_jumping_datetime(module: Any) -> None:
    import datetime as real

    class Kind(type):
        def __instancecheck__(cls, thing: object) -> bool:
            return isinstance(thing, real.datetime)

    class Jumping(real.datetime, metaclass=Kind):
        @classmethod
        def now(cls, tz: Any = None) -> Any:
            return real.datetime.now(tz) + real.timedelta(seconds=_clock.shift)

    if getattr(module, "datetime", None) is real.datetime:
        module.datetime = Jumping


def jumping_database(module: Any) -> None:
    """SQLite has no clock but its host's."""
    import datetime as real

    inner = module.database_now
    module.database_now = lambda connection: inner(connection) + real.timedelta(seconds=_clock.shift)


# --- what is switched off, so that the tests must notice --------------------------------------------------------------


def no_fence(module: Any) -> None:
    module.held_by = lambda claim: module.rows.c.id == claim.row_id


def no_exclusive_claim(module: Any) -> None:
    from sqlalchemy import true

    module.in_state = lambda _state: true()


def commit_apart(_connection: Any, *_: Any) -> None:
    """`done` is committed before the facts are written, and the process does not live to write them."""
    raw = _connection.connection.driver_connection
    raw.execute("COMMIT")
    die_once()
    raw.execute("BEGIN")


def nobody_recovered(_connection: Any) -> Any:
    from collections import Counter

    return Counter()


FAULTS: dict[str, dict[str, Alter]] = {
    "die before the claim": {"worker.process": around("claim", before=lambda *_: die_once())},
    "die after the claim": {"worker.process": around("claim", after=lambda *_: die_once())},
    "die with the ticket open": {"worker.process": around("opened", after=lambda *_: die_once())},
    "die during the call": {"worker.process": around("ask", before=lambda *_: threading.Timer(0.4, die_once).start())},
    "die after the answer": {"worker.process": around("judge_all", after=lambda *_: die_once())},
    "die before the commit": {"worker.process": around("refuse", after=lambda *_: die_once())},
    "die after the commit": {"worker.process": around("_write", after=lambda *_: die_once())},
    "die of poison": {"worker.process": around("ask", before=die_of_poison)},
    "jump": {},
    "jump with the database": {"store.engine": jumping_database},
    "impatient database": {"store.engine": put("IDLE_SECONDS", 3)},
    "no fence": {"store.claim": no_fence},
    "no exclusive claim": {"store.claim": no_exclusive_claim},
    "no sweep": {"worker.publish": put("sweep", lambda _runtime: 0)},
    "no recovery": {"store.sweep": put("recover_lost", nobody_recovered)},
    "no common commit": {"worker.process": around("finish", after=commit_apart)},
}


class _Altering:
    """A finder that lets the usual ones find a module, and alters it once it is loaded."""

    def __init__(self, alters: dict[str, Alter], everywhere: Alter | None) -> None:
        self.alters = alters
        self.everywhere = everywhere
        self._busy = threading.local()

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        ours = name.partition(".")[0] in ("worker", "store", "pipeline", "celery", "kombu")
        if getattr(self._busy, "now", False) or not (name in self.alters or (self.everywhere and ours)):
            return None
        self._busy.now = True
        try:
            spec = importlib.util.find_spec(name)
        finally:
            self._busy.now = False
        if spec and spec.loader and hasattr(spec.loader, "exec_module"):
            self._wrap(spec.loader, name)
        return spec

    def _wrap(self, loader: Any, name: str) -> None:
        inner = loader.exec_module

        def exec_module(module: Any) -> None:
            inner(module)
            for alter in filter(None, (self.alters.get(name), self.everywhere)):
                alter(module)

        loader.exec_module = exec_module


if FAULT:
    jumps = FAULT.startswith("jump")
    if jumps:
        jumping_clock()
    sys.meta_path.insert(0, _Altering(FAULTS[FAULT], with_jumping_datetime if jumps else None))  # type: ignore[arg-type]
