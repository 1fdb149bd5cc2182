"""The Python functions that an application or a notebook calls: `from worker import enqueue, recall, extract`."""

import logging
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from typing import Any

from pipeline.block import DEFAULT_BUDGET, Block, context_block
from pipeline.catalogue import Catalogue
from pipeline.events import TicketClosed, validated_event
from pipeline.ids import CustomerRef
from pipeline.kinds import Kind
from pipeline.ranking import Scored, ranked
from pipeline.reasons import Reason
from store import receipts
from store.faults import StoreError
from store.inbox import Accepted
from store.recall import DEFAULT_K, pending_tickets, recallable, relevances_by_words
from store.rows import StoredFact
from store.scope import customer_reading
from store.states import Lane
from worker.llm import Lasting, Passing
from worker.process import Read
from worker.runtime import CannotStart, Runtime, open_runtime
from worker.settings import read_settings

log = logging.getLogger("worker.client")


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
    return [e if isinstance(e, TicketClosed) else validated_event(dict(e), now=now) for e in events]


# --- recall -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Recalled:
    """`facts` best first with their scores in parts; `block` for the agent's prompt; `pending` counts tickets of this
    customer that were not read yet; `receipt` is by what the recall can be explained later, None where none was left.
    `degraded`: memory could not be reached, so its silence means nothing."""

    facts: tuple[Scored[StoredFact], ...] = field(default=(), repr=False)
    block: Block[StoredFact] = field(repr=False)
    pending: int = 0
    receipt: str | None = None
    degraded: bool = False


@dataclass(frozen=True, kw_only=True)
class _Asked:
    """What one recall wants. Times are aware."""

    query: str | None = field(repr=False)
    k: int
    budget: int
    now: datetime
    known_at: datetime | None
    kinds: Collection[Kind] | None
    language: str
    actor: str


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
    language: str = "en",
    actor: str = "python",
    using: Runtime | None = None,
) -> Recalled:
    """What an agent is told about a customer. `now` and `known_at` are aware. Raises BadId and SettingsError.

    Memory is an aid: a database that is down does not raise, the answer is then empty and says `degraded`.
    """
    ref = CustomerRef(tenant=tenant, customer=customer)
    asked = _Asked(
        query=query,
        k=k,
        budget=budget,
        now=now or datetime.now(UTC),
        known_at=known_at,
        kinds=kinds,
        language=language,
        actor=actor,
    )
    try:
        return _recalled(using or runtime(), ref, asked)
    except (StoreError, CannotStart) as error:
        log.warning("recall degraded", extra={"error": type(error).__name__})
        block: Block[StoredFact] = context_block(
            (), catalogue=Catalogue(()), language=language, budget=budget, degraded=True
        )
        return Recalled(block=block, degraded=True)


def _recalled(runtime: Runtime, ref: CustomerRef, asked: "_Asked") -> Recalled:
    with customer_reading(runtime.engine, ref) as view:
        facts = recallable(view, now=asked.now, known_at=asked.known_at, kinds=asked.kinds)
        pending, surrogate = pending_tickets(view), view.surrogate
    relevances = relevances_by_words(facts, asked.query, runtime.catalogue) if asked.query else None
    best = tuple(ranked(facts, now=asked.now, relevances=relevances)[: asked.k])
    block = context_block(
        [one.fact for one in best],
        catalogue=runtime.catalogue,
        language=asked.language,
        budget=asked.budget,
        pending=pending,
    )
    receipt = receipts.write(
        runtime.engine,
        tenant=ref.tenant,
        surrogate=surrogate,
        actor=asked.actor,
        handed_out=[one for one in best if one.fact in block.facts],
        now=datetime.now(UTC),
    )
    return Recalled(facts=best, block=block, pending=pending, receipt=receipt)


# --- extract ----------------------------------------------------------------------------------------------------------


def extract(event: TicketClosed | Mapping[str, Any], *, using: Runtime | None = None) -> Read | Passing | Lasting:
    """What the extractor proposes for a ticket and what each gate says of it. Writes nothing.

    A `Read` holds the candidates with their verdicts (`judged`) and what asking cost (`proposal`); a ticket that says
    nothing but courtesies has none, and no model is called. `Passing` and `Lasting` are the faults that would make a
    ticket wait, or dead. Raises InvalidEvent.
    """
    from worker.process import read_event

    opened = using or runtime()
    ticket = event if isinstance(event, TicketClosed) else validated_event(dict(event), now=datetime.now(UTC))
    if opened.settings.model_configured:
        return Passing(reason=Reason.NO_MODEL)
    return read_event(opened, ticket)
