"""One ticket, from the queue to memory. Start reading here.

claim → open → mask → ask → gate → one transaction. The model is asked outside of any transaction; facts, audit and
the ticket's end are one commit, under the customer's lock and the claim's fence.
"""

import logging
import random
import threading
from collections.abc import Collection
from dataclasses import asdict, dataclass, field
from datetime import UTC, timedelta, tzinfo
from enum import StrEnum

from pipeline.courtesy import says_something
from pipeline.events import TicketClosed
from pipeline.facts import Observation, Source
from pipeline.gates import Judged, judge_all
from pipeline.mask import masked
from pipeline.observe import Origin, observation_from
from pipeline.reasons import Reason
from pipeline.transcript import Transcript
from store.before import known_before
from store.claim import Claim, LostLease, bury, claim, finish, postpone
from store.faults import StoreError, StoreUnavailable
from store.payload import Undecryptable, opened
from store.scope import customer_writing
from store.states import Lane, State
from store.write import Refusal, refuse, replace_event
from worker import house
from worker.embed import after_write
from worker.extractors import Proposal
from worker.outcomes import Deadline, Lasting, Passing
from worker.runtime import Runtime

FIRST_DELAY = 2.0
LONGEST_DELAY = 600.0
ASK_AGAIN_AFTER = 1.0
"""Seconds, at most, between two tries to write down what is in hand."""
log = logging.getLogger("worker.process")


class Ended(StrEnum):
    """How one delivery of one message ended."""

    DONE = "done"
    DEAD = "dead"
    WAITS = "waits"
    NOT_OURS = "not_ours"
    HELD_BACK = "held_back"


@dataclass(frozen=True, kw_only=True)
class Read:
    """A ticket that was read: what may be kept, what may not, and what asking cost."""

    event: TicketClosed = field(repr=False)
    judged: tuple[Judged, ...] = field(default=(), repr=False)
    proposal: Proposal = field(default=Proposal(), repr=False)
    reason: Reason = Reason.APPLIED


_TURN = threading.Lock()
"""One thread of a process masks or judges at a time. Both are nothing but work for the one interpreter, and a hundred
threads that wait for it ask for it two hundred times a second each: that alone took a quarter of the CPU."""


def process(runtime: Runtime, row_id: str, *, lanes: Collection[Lane] | None = None) -> Ended:
    """Takes the ticket in inbox row `row_id` as far as it goes. Raises nothing: every end is a state of the row."""
    lease = Deadline(runtime.settings.lease)
    try:
        claimed = _claimed(runtime, row_id, lanes)
    except StoreError as error:
        log.warning("not claimed", extra={"event": row_id, "error": type(error).__name__})
        return Ended.HELD_BACK  # the row waits, and the sweep wakes us again
    if not isinstance(claimed, Claim):
        return claimed
    with runtime.hands.hold(claimed):
        return _settled(runtime, claimed, _read_or_fault(runtime, claimed), lease)


def _claimed(runtime: Runtime, row_id: str, lanes: Collection[Lane] | None) -> Claim | Ended:
    if runtime.hands.stopping.is_set() or runtime.settings.model_configured or runtime.limits.admits():
        return Ended.HELD_BACK
    lease = timedelta(seconds=runtime.settings.lease)
    claimed = claim(runtime.engine, row_id, lease=lease, lanes=lanes)
    if claimed is None:
        runtime.limits.unused()
        return Ended.NOT_OURS
    return claimed


# --- reading ----------------------------------------------------------------------------------------------------------


def _read_or_fault(runtime: Runtime, claimed: Claim) -> Read | Passing | Lasting:
    try:
        return read(runtime, claimed)
    except Undecryptable:
        return Lasting(reason=Reason.UNDECRYPTABLE)
    except StoreError as error:
        log.warning("store fault", extra={"event": claimed.row_id, "error": type(error).__name__})
        return Passing(reason=Reason.STORE_UNAVAILABLE)
    except Exception:
        log.exception("unexpected error", extra={"event": claimed.row_id})
        return Passing(reason=Reason.UNEXPECTED)


def read(runtime: Runtime, claimed: Claim) -> Read | Passing | Lasting:
    """Opens the payload and reads it. Raises Undecryptable and StoreUnavailable."""
    return read_event(runtime, opened(runtime.keys, claimed.payload, row_id=claimed.row_id, tenant=claimed.tenant))


def read_event(runtime: Runtime, event: TicketClosed) -> Read | Passing | Lasting:
    """Masks, asks and judges. Writes nothing. Raises StoreUnavailable."""
    before = known_before(runtime.engine, runtime.keys, event)
    if before.refusal:
        return Read(event=event, reason=before.refusal)
    with _TURN:
        transcript = masked(before.remembered(event))
    if not says_something(transcript):
        return Read(event=event, reason=Reason.NOTHING_SAID)
    return ask(runtime, event, transcript, live_keys=before.live_keys)


def ask(
    runtime: Runtime, event: TicketClosed, transcript: Transcript, *, live_keys: Collection[str]
) -> Read | Passing | Lasting:
    """Has facts proposed and every one judged."""
    zone = runtime.settings.timezone_of(event.tenant)
    deadline = Deadline(runtime.settings.deadline)
    answer = runtime.extractor.propose(transcript, live_keys=live_keys, timezone=zone, deadline=deadline)
    if not isinstance(answer, Proposal):
        return answer
    with _TURN:
        judged = judge_all(
            answer.candidates,
            transcript,
            catalogue=runtime.catalogue,
            policy=runtime.policies[event.tenant],
            timezone=zone,
        )
    return Read(event=event, judged=judged, proposal=answer)


# --- settling ---------------------------------------------------------------------------------------------------------


def _settled(runtime: Runtime, claimed: Claim, outcome: Read | Passing | Lasting, lease: Deadline) -> Ended:
    """Brings the row to its next state, asking a database that is away again for as long as the lease lasts: the answer
    is in hand, and no worker was lost. What cannot be written down is found again by its lease."""
    while True:
        try:
            return _ended(runtime, claimed, outcome)
        except LostLease:
            log.warning("another worker has it, or it was erased", extra={"event": claimed.row_id})
            return Ended.NOT_OURS
        except StoreUnavailable as error:
            log.warning("store fault", extra={"event": claimed.row_id, "error": type(error).__name__})
            pause = random.uniform(0.5, 1.0) * ASK_AGAIN_AFTER
            if lease.left() < pause or runtime.hands.stopping.wait(pause):
                return Ended.WAITS
        except Exception as error:
            log.exception("unexpected error", extra={"event": claimed.row_id})
            if isinstance(outcome, Passing):
                return Ended.WAITS
            store = isinstance(error, StoreError)
            outcome = Passing(reason=Reason.STORE_UNAVAILABLE if store else Reason.UNEXPECTED)


def _ended(runtime: Runtime, claimed: Claim, outcome: Read | Passing | Lasting) -> Ended:
    """One try. Whether a commit that failed went through is not known: if it did, the next try loses its lease."""
    if isinstance(outcome, Read):
        _write(runtime, claimed, outcome)
        after_write(runtime, outcome.event.ref)
        return Ended.DONE
    if isinstance(outcome, Lasting):
        bury(runtime.engine, claimed, reason=outcome.reason, **asdict(outcome.spent))
        log.warning("dead", extra={"event": claimed.row_id, "reason": outcome.reason})
        return Ended.DEAD
    return _put_back(runtime, claimed, outcome)


def _put_back(runtime: Runtime, claimed: Claim, fault: Passing) -> Ended:
    state = postpone(
        runtime.engine,
        claimed,
        reason=fault.reason,
        delay=timedelta(seconds=delay(claimed.attempts, fault.retry_after)),
        max_wait=timedelta(seconds=runtime.settings.max_wait),
    )
    log.info("put back", extra={"event": claimed.row_id, "reason": fault.reason, "state": state})
    return Ended.DEAD if state is State.DEAD else Ended.WAITS


def delay(attempts: int, retry_after: float | None = None) -> float:
    """Seconds until the next attempt: doubling from two seconds to ten minutes, at least what the server asked for.

    Jittered by half, so that a thousand tickets put back by one outage do not come back in one instant.
    """
    growing = min(FIRST_DELAY * 2.0 ** min(attempts - 1, 20), LONGEST_DELAY)
    return max(growing * random.uniform(0.5, 1.0), (retry_after or 0.0) * random.uniform(1.0, 1.2))


def _write(runtime: Runtime, claimed: Claim, read_: Read) -> None:
    """The one transaction: facts, audit and `done`, or nothing at all."""
    event, proposal = read_.event, read_.proposal
    rules = house.rules(runtime, event.tenant)
    kept = observations(runtime, event, read_, row_id=claimed.row_id)
    refused = [one for one in read_.judged if not one.verdict.passed]
    with customer_writing(runtime.engine, runtime.keys, event.ref) as tx:
        finish(
            tx.connection,
            claimed,
            state=State.DONE,
            reason=read_.reason,
            model=proposal.model or None,
            prompt_version=proposal.prompt_version or None,
            model_ms=proposal.ms,
            prompt_tokens=proposal.prompt_tokens,
            reply_tokens=proposal.reply_tokens,
        )
        replace_event(tx, claimed.row_id, kept, rules=rules)
        refuse(tx, [_refusal(runtime, one, event, claimed.row_id) for one in refused], rules=rules)
    log.info("done", extra=_figures(claimed, read_, kept=len(kept), refused=len(refused)))


def observations(runtime: Runtime, event: TicketClosed, read_: Read, *, row_id: str) -> list[Observation]:
    """What passed the gates, as it is stored."""
    origin = Origin(
        source=Source.EXTRACTED,
        observed_at=event.closed_at,
        event=row_id,
        ticket=event.ticket_id,
        has_transcript=True,
        model=read_.proposal.model,
        prompt_version=read_.proposal.prompt_version,
        actor="worker",
        zone=zone_of(runtime, event),
    )
    passed = [one.candidate for one in read_.judged if one.verdict.passed]
    return [
        observation_from(c, ref=event.ref, origin=origin, catalogue=runtime.catalogue, ids_key=runtime.keys.ids)
        for c in passed
    ]


def zone_of(runtime: Runtime, event: TicketClosed) -> tzinfo:
    """The zone that a date in this ticket is meant in: the tenant's, else the one that `closed_at` carries."""
    return runtime.settings.timezone_of(event.tenant) or event.closed_at.tzinfo or UTC


def _refusal(runtime: Runtime, judged: Judged, event: TicketClosed, row_id: str) -> Refusal:
    known = runtime.catalogue.find(judged.candidate.key)
    return Refusal(
        reason=judged.verdict.reason or Reason.GATE_ERROR,
        observed_at=event.closed_at,
        ticket=event.ticket_id,
        event=row_id,
        key=known.key if known else "",
    )


def _figures(claimed: Claim, read_: Read, *, kept: int, refused: int) -> dict[str, object]:
    return {
        "event": claimed.row_id,
        "reason": read_.reason,
        "attempts": claimed.attempts,
        "kept": kept,
        "refused": refused,
        "calls": read_.proposal.calls,
        "model_ms": read_.proposal.ms,
        "prompt_tokens": read_.proposal.prompt_tokens,
        "reply_tokens": read_.proposal.reply_tokens,
    }
