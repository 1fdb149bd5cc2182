"""Old tickets in bulk: as a batch file at half price, or through the backfill lane behind today's tickets.

Read `to_ask` and `apply` first. What is in the inbox already is skipped, so a run that was stopped goes on.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from sqlalchemy import select

from pipeline.courtesy import says_something
from pipeline.events import TicketClosed
from pipeline.mask import masked
from store import inbox
from store.before import known_before
from store.counts import states_of
from store.engine import reading
from store.models import events
from store.payload import row_id
from store.states import Lane, State
from worker.batch import Asked, Paired, TooLong, asked
from worker.evaluation.recorded import Recorded, Recording
from worker.process import Ended, process
from worker.runtime import Runtime

_CHUNK = 500


@dataclass(frozen=True, kw_only=True)
class Ticket:
    """An old ticket with the id of its row: a keyed hash, so a request file names no customer and no ticket."""

    row: str
    event: TicketClosed = field(repr=False)


def tickets(runtime: Runtime, closed: Iterable[TicketClosed]) -> list[Ticket]:
    """One a row id: of two lines with one event id the first counts, as at the door."""
    found: dict[str, Ticket] = {}
    for event in closed:
        row = row_id(runtime.keys, event.tenant, event.event_id)
        found.setdefault(row, Ticket(row=row, event=event))
    return list(found.values())


def unknown(runtime: Runtime, of: Sequence[Ticket]) -> list[Ticket]:
    """Those that the inbox does not hold, in order."""
    known: set[str] = set()
    with reading(runtime.engine) as connection:
        for start in range(0, len(of), _CHUNK):
            some = [ticket.row for ticket in of[start : start + _CHUNK]]
            known |= set(connection.execute(select(events.c.id).where(events.c.id.in_(some))).scalars())
    return [ticket for ticket in of if ticket.row not in known]


def calls(runtime: Runtime, ticket: Ticket) -> tuple[Asked, ...]:
    """The model calls about a ticket; none where nothing may be kept, nothing was said, or it is too long even in
    parts: a worker settles that without a model. Raises StoreUnavailable."""
    before = known_before(runtime.engine, runtime.keys, ticket.event)
    if before.refusal:
        return ()
    transcript = masked(before.remembered(ticket.event))
    if not says_something(transcript):
        return ()
    try:
        return asked(
            ticket.row,
            transcript,
            settings=runtime.settings,
            catalogue=runtime.catalogue,
            live_keys=before.live_keys,
            timezone=runtime.settings.timezone_of(ticket.event.tenant),
        )
    except TooLong:
        return ()


# --- replies come in --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Applied:
    """What became of one ticket, and why nothing was taken from its reply where nothing was."""

    row: str
    outcome: str
    """done, dead, erased, known, waits, omitted."""
    fault: str = ""


def apply(runtime: Runtime, of: Sequence[Ticket], recording: Recording) -> Iterator[Applied]:
    """Takes every ticket that is answered through inbox, gates and fold, in the order in which they closed.

    Erasures are looked at again on the way in and under the customer's lock. A ticket without a usable reply is left
    out of the inbox, so that a later run may still bring it.
    """
    recorded = Recorded()
    reading = _reading_with(runtime, recorded)
    due = _due(runtime, of)
    for ticket in sorted(of, key=lambda ticket: ticket.event.closed_at):
        if ticket.row in due:
            yield _applied(reading, ticket, recorded, recording)
        else:
            yield Applied(row=ticket.row, outcome="known")


def _due(runtime: Runtime, of: Sequence[Ticket]) -> set[str]:
    """What the inbox does not hold, and what waits in it: handed in before, or left behind by a run that was killed."""
    fresh = {ticket.row for ticket in unknown(runtime, of)}
    held = [ticket.row for ticket in of if ticket.row not in fresh]
    waiting = {row for row, state in states_of(runtime.engine, held).items() if state is State.PENDING}
    return fresh | waiting


def _applied(reading: Runtime, ticket: Ticket, recorded: Recorded, recording: Recording) -> Applied:
    reply = _reply(reading, ticket, recording)
    if reply.fault:
        return Applied(row=ticket.row, outcome="omitted", fault=reply.fault)
    recorded.turn_to(reply)
    accepted = inbox.accept(reading.engine, reading.keys, [ticket.event], lane=Lane.BACKFILL, now=datetime.now(UTC))[0]
    if accepted.state is State.ERASED:
        return Applied(row=ticket.row, outcome="erased")
    ended = process(reading, accepted.row_id)
    return Applied(row=ticket.row, outcome="waits" if ended is Ended.NOT_OURS else ended.value)


def _reply(reading: Runtime, ticket: Ticket, recording: Recording) -> Paired:
    """What was said about the ticket; nothing, without a fault, where there was nothing to ask."""
    if recording.requests.get(ticket.row) or recording.replies.get(ticket.row):
        return recording.of(ticket.row)
    return Paired(fault="was not asked about") if calls(reading, ticket) else Paired()


def _reading_with(runtime: Runtime, recorded: Recorded) -> Runtime:
    """The runtime with recorded replies where its model would be: no model is called, so none need be configured."""
    reading = replace(runtime, settings=replace(runtime.settings, extractor="rules"))
    reading.__dict__["extractor"] = recorded
    return reading


def tally(applied: Iterable[Applied]) -> Mapping[str, int]:
    return Counter(one.outcome for one in applied)
