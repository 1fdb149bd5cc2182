"""The Celery tasks, by explicit name, and what a worker process does when it starts and stops.

Arguments are row ids and nothing else. What comes with other arguments is junk: dropped, counted, survived.
"""

import logging
import os
import re
import sys
from functools import cache
from typing import Any

from celery import Celery
from celery.signals import task_unknown, worker_init, worker_ready, worker_shutting_down

from store import heartbeat
from store.exclusive import AlreadyRunning
from store.faults import StoreError
from store.states import Lane
from worker import broker, drain, liveness, refill
from worker.celery import EMBED, FETCH, FETCH_DUE, PROCESS, PURGE, QUEUES, REAPPLY, SWEEP
from worker.runtime import CannotStart, Runtime, open_runtime
from worker.settings import SettingsError, read_settings

log = logging.getLogger("worker.tasks")
_ROW_ID = re.compile(r"[0-9a-f]{32}")
_NOT_QUARANTINE = (Lane.LIVE, Lane.BACKFILL)


@cache
def runtime() -> Runtime:
    """This process's runtime: opened when the worker starts."""
    return open_runtime(read_settings())


def process_event(self: Any, *args: Any, **kwargs: Any) -> None:
    """Reads one ticket, by the id of its row."""
    from worker.process import process

    if len(args) != 1 or kwargs or not isinstance(args[0], str) or not _ROW_ID.fullmatch(args[0]):
        broker.count_junk(runtime().redis)
        return
    with liveness.progress():
        process(runtime(), args[0], lanes=_lanes(self.request.delivery_info))
    refill.made_room()


def _lanes(delivery: Any) -> tuple[Lane, ...]:
    """What may be claimed through a message of this queue: quarantine is not entered through an old message."""
    queue = delivery.get("routing_key") if isinstance(delivery, dict) else None
    return (Lane.QUARANTINE,) if queue == QUEUES[Lane.QUARANTINE] else _NOT_QUARANTINE


def fetch(*args: Any, **kwargs: Any) -> None:
    """Fetches one ticket from its helpdesk, by the id of its row."""
    from worker.adapters.fetch import fetch as fetched

    if len(args) != 1 or kwargs or not isinstance(args[0], str) or not _ROW_ID.fullmatch(args[0]):
        broker.count_junk(runtime().redis)
        return
    with liveness.progress():
        fetched(runtime(), args[0])


def fetch_due(*_args: Any, **_kwargs: Any) -> None:
    """Wakes the fetches that are due; see `worker.adapters.fetch`."""
    from worker.adapters.fetch import wake_due

    with liveness.progress():
        _house("fetch", lambda: wake_due(runtime()))


def sweep(*_args: Any, **_kwargs: Any) -> None:
    """Publishes what is due; see `store.sweep`."""
    from worker import publish

    with liveness.progress():
        _house("sweep", lambda: publish.sweep(runtime()))


def purge(*_args: Any, **_kwargs: Any) -> None:
    """Deletes for good what has had its time; see `store.purge`."""
    from worker import house

    with liveness.progress():
        _house("purge", lambda: house.purge(runtime()))


def reapply(*_args: Any, **_kwargs: Any) -> None:
    """Applies what the erasure ledger is ahead by; see `store.reapply`."""
    from worker import house

    with liveness.progress():
        _house("reapply", lambda: house.reapply(runtime()))


def embed(*_args: Any, **_kwargs: Any) -> None:
    """Gives facts the vectors that they lack; see `worker.embed.upkeep`."""
    from worker.embed import embed_all

    with liveness.progress():
        _house("embed", lambda: embed_all(runtime()))


def _house(name: str, work: Any) -> None:
    """Housekeeping that fails is repeated by the next beat; `doctor` sees when it last succeeded."""
    try:
        count = work()
    except (AlreadyRunning, StoreError) as error:
        log.warning(name, extra={"error": type(error).__name__})
    except Exception:
        log.exception("unexpected error in housekeeping", extra={"job": name})
    else:
        log.info(name, extra={"count": count})


def install(app: Celery) -> None:
    """Registers the tasks, and what is to happen when a worker of this application starts and stops."""
    app.task(process_event, name=PROCESS, bind=True)
    ours = {SWEEP: sweep, PURGE: purge, REAPPLY: reapply, EMBED: embed, FETCH: fetch, FETCH_DUE: fetch_due}
    for name, work in ours.items():
        app.task(work, name=name)
    for signal, handler in (
        (worker_init, _open),
        (worker_ready, _watch),
        (worker_shutting_down, _drain),
        (task_unknown, _unknown),
    ):
        signal.connect(handler, weak=False)


# --- a worker's life --------------------------------------------------------------------------------------------------


def _open(**_: Any) -> None:
    """Opens and warms up all that threads will share, before the first message. What cannot be opened ends the
    process: whoever started it starts it again."""
    from pipeline.gates import preload
    from worker import house

    try:
        opened = runtime()
        _stand_back(opened.settings.niceness)
        house.finish_retractions(opened)
        preload()
        if opened.settings.model_configured is None:
            opened.extractor.warm_up()
    except (CannotStart, SettingsError) as error:
        sys.stderr.write(f"afterword: {error}\n")  # our own words: safe to repeat
        raise SystemExit(1) from None
    except Exception:
        log.exception("cannot start")
        raise SystemExit(1) from None


def _stand_back(niceness: int) -> None:
    """A ticket may take a second longer; whoever asks the door waits for the answer. Threads begun later are as nice,
    and who was started nicer stays so."""
    if hasattr(os, "nice"):
        os.nice(max(niceness - os.nice(0), 0))


def _watch(sender: Any, **_: Any) -> None:
    liveness.watch(runtime(), list(sender.app.amqp.queues.consume_from))
    refill.start(runtime())
    try:
        heartbeat.record(runtime().engine, "worker")
    except StoreError as error:
        log.warning("heartbeat not recorded", extra={"error": type(error).__name__})


def _drain(**_: Any) -> None:
    drain.stop_within(runtime().settings.drain_seconds, runtime().engine, runtime().hands)


def _unknown(**_: Any) -> None:
    broker.count_junk(runtime().redis)
