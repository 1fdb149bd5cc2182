"""From the inbox to the queue: rows first, then their ids. Publishing may fail; the sweep makes up for it."""

import logging
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any, TypeVar

from kombu.exceptions import OperationalError
from redis import RedisError

from pipeline.events import TicketClosed
from store import inbox
from store.inbox import Accepted
from store.states import Lane
from store.sweep import due, next_in_line
from worker import broker
from worker.celery import PROCESS, QUEUES
from worker.runtime import Runtime

SWEEP_LIMIT = 5_000
SENT_AT_ONCE = 500
T = TypeVar("T")
_READ_AT_ONCE = 1_000
_READ_AT_MOST = 50_000
log = logging.getLogger("worker.publish")


def enqueue_events(
    runtime: Runtime, events: Sequence[TicketClosed], *, lane: Lane = Lane.LIVE, now: datetime
) -> tuple[Accepted, ...]:
    """Takes the events in with one commit, then wakes the workers. Raises StoreUnavailable: then none is taken in."""
    answers = inbox.accept(runtime.engine, runtime.keys, events, lane=lane, now=now)
    new = [answer.row_id for answer in answers if answer.outcome is inbox.Outcome.ACCEPTED]
    publish(runtime, new)
    return answers


def publish(runtime: Runtime, row_ids: Sequence[str]) -> int:
    """Sends the ids of those rows that may go out now. Returns how many were sent."""
    if not row_ids or runtime.broker_url is None:
        return 0  # no broker is known: the rows stay unpublished, and the first sweep takes them
    chosen = inbox.publishable(
        runtime.engine,
        row_ids,
        outstanding_limit=runtime.settings.outstanding,
        republish_after=_republish_after(runtime),
    )
    return send(runtime, chosen)


def sweep(runtime: Runtime) -> int:
    """Publishes what is due. Returns how many were sent."""
    chosen = due(
        runtime.engine,
        limit=_sweep_limit(runtime),
        outstanding_limit=runtime.settings.outstanding,
        republish_after=_republish_after(runtime),
        queued=queued_ids(runtime),
    )
    return send(runtime, chosen)


def refill(runtime: Runtime) -> int:
    """Publishes what waits behind its tenant's share, as far as finished tickets have made room. Returns how many."""
    chosen = next_in_line(
        runtime.engine,
        limit=_sweep_limit(runtime),
        outstanding_limit=runtime.settings.outstanding,
        republish_after=_republish_after(runtime),
    )
    return send(runtime, chosen)


def _sweep_limit(runtime: Runtime) -> int:
    """While the model is down or not configured nothing goes out, and half-open lets one through."""
    waits = runtime.settings.model_configured is not None
    return 0 if waits else {"open": 0, "half_open": 1}.get(runtime.limits.state(), SWEEP_LIMIT)


def _republish_after(runtime: Runtime) -> timedelta:
    return timedelta(seconds=runtime.settings.republish_seconds)


def send(runtime: Runtime, chosen: Sequence[tuple[str, Lane]]) -> int:
    """Puts ids on their queues, giving up at the first failure. Returns how many were sent."""
    sent = 0
    try:
        with runtime.app.producer_pool.acquire(block=True, timeout=2) as producer:
            for several in batched(chosen, SENT_AT_ONCE):
                with broker.in_one_go(producer.channel):
                    _send(runtime, producer, several)
                sent += len(several)
    except (OperationalError, RedisError, OSError) as error:
        log.warning("not published: the sweep will", extra={"count": sent, "error": type(error).__name__})
    return sent


def _send(runtime: Runtime, producer: Any, chosen: Iterable[tuple[str, Lane]]) -> None:
    for row_id, lane in chosen:
        # The task's id is the row's, so that the sweep can tell what the queue holds.
        runtime.app.send_task(PROCESS, (row_id,), task_id=row_id, queue=QUEUES[lane], producer=producer, retry=False)


def batched(items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    for start in range(0, len(items), size):
        yield items[start : start + size]


def queued_ids(runtime: Runtime) -> Collection[str] | None:
    """The row ids that the queues hold; None where that is not known."""
    if runtime.redis is None:
        return None
    found: set[str] = set()
    try:
        for queue in QUEUES.values():
            for start in range(0, _READ_AT_MOST, _READ_AT_ONCE):
                page = runtime.redis.lrange(queue, start, start + _READ_AT_ONCE - 1)
                found.update(broker.headers(page, "id"))
                if len(page) < _READ_AT_ONCE:
                    break
    except RedisError:
        return None
    return found
