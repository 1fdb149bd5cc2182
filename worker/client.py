"""The Python functions that an application or a notebook calls: `from worker import enqueue, recall, extract`."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING, Any

from pipeline.block import DEFAULT_BUDGET
from pipeline.events import TicketClosed, check_close, validated_event
from pipeline.facts import Source
from pipeline.ids import CustomerRef
from pipeline.kinds import Kind
from pipeline.reasons import Reason
from store.inbox import Accepted
from store.recall import DEFAULT_K
from store.states import Lane
from worker.outcomes import Lasting, Passing
from worker.recalling import Recalled, recall_once_open
from worker.runtime import Runtime, open_runtime
from worker.settings import read_settings

if TYPE_CHECKING:
    from worker.process import Read


@cache
def runtime() -> Runtime:
    """This process's runtime, opened from the environment when it is first needed."""
    return open_runtime(read_settings())


# --- enqueue ----------------------------------------------------------------------------------------------------------


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
    return [_checked(event, now) for event in events]


def _checked(event: TicketClosed | Mapping[str, Any], now: datetime) -> TicketClosed:
    """One event; its own fields were checked when it was made, its time is compared with ours. Raises InvalidEvent."""
    if not isinstance(event, TicketClosed):
        return validated_event(dict(event), now=now)
    check_close(event.closed_at, now=now)
    return event


# --- recall -----------------------------------------------------------------------------------------------------------


def recall(
    tenant: str,
    customer: str,
    query: str | None = None,
    *,
    k: int = DEFAULT_K,
    budget: int = DEFAULT_BUDGET,
    now: datetime | None = None,
    known_at: datetime | None = None,
    kinds: Collection[Kind] | None = None,
    min_source: Source | None = None,
    changed_since: datetime | None = None,
    language: str = "en",
    actor: str = "python",
    explain: bool = False,
    using: Runtime | None = None,
) -> Recalled:
    """What an agent is told about a customer. `now`, `known_at` and `changed_since` are aware. Raises BadId and
    SettingsError.

    `changed_since` adds `changes`, `explain` adds `explained`: why each fact is told and each other is not.
    Memory is an aid: a database that is down does not raise, the answer is then empty and says `degraded`.
    """
    return recall_once_open(
        lambda: using or runtime(),
        CustomerRef(tenant=tenant, customer=customer),
        query=query,
        k=k,
        budget=budget,
        now=now,
        known_at=known_at,
        kinds=kinds,
        min_source=min_source,
        changed_since=changed_since,
        language=language,
        actor=actor,
        explain=explain,
    )


# --- extract ----------------------------------------------------------------------------------------------------------


def extract(event: TicketClosed | Mapping[str, Any], *, using: Runtime | None = None) -> "Read | Passing | Lasting":
    """What the extractor proposes for a ticket and what each gate says of it. Writes nothing.

    A `Read` holds the candidates with their verdicts (`judged`) and what asking cost (`proposal`); a ticket that says
    nothing but courtesies has none, and no model is called. `Passing` and `Lasting` are the faults that would make a
    ticket wait, or dead. Raises InvalidEvent.
    """
    from worker.process import read_event

    opened = using or runtime()
    ticket = _checked(event, datetime.now(UTC))
    if opened.settings.model_configured:
        return Passing(reason=Reason.NO_MODEL)
    return read_event(opened, ticket)
