"""The Python functions that an application or a notebook calls: `from worker import enqueue, recall, extract`."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from typing import Any

from pipeline.events import TicketClosed, validated_event
from store.inbox import Accepted
from store.states import Lane
from worker.runtime import Runtime, open_runtime
from worker.settings import read_settings


@cache
def runtime() -> Runtime:
    """This process's runtime, opened from the environment when it is first needed."""
    return open_runtime(read_settings())


def enqueue(
    events: TicketClosed | Mapping[str, Any] | Sequence[TicketClosed | Mapping[str, Any]],
    *,
    backfill: bool = False,
    using: Runtime | None = None,
) -> tuple[Accepted, ...]:
    """Hands closed tickets in: one, or several with one commit. Returns an answer each, in order.

    `backfill` lets today's tickets go first. When this returns, the tickets are safe, whether or not a queue runs.
    Raises InvalidEvent, before anything is taken in, and StoreUnavailable.
    """
    from worker.publish import enqueue_events

    now = datetime.now(UTC)
    several = [events] if isinstance(events, TicketClosed | Mapping) else events
    lane = Lane.BACKFILL if backfill else Lane.LIVE
    return enqueue_events(using or runtime(), _validated(several, now), lane=lane, now=now)


def _validated(events: Iterable[TicketClosed | Mapping[str, Any]], now: datetime) -> list[TicketClosed]:
    return [e if isinstance(e, TicketClosed) else validated_event(dict(e), now=now) for e in events]
