"""Annotated tickets through the real path: mask, extract, gates, fold. What is live after each was predicted."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, time
from typing import Any

from pipeline.annotation import AnnotatedTicket, Prior, ReturningCustomer, Visit
from pipeline.courtesy import says_something
from pipeline.events import TicketClosed
from pipeline.facts import Candidate, Source
from pipeline.ids import CustomerRef
from pipeline.kinds import Kind
from pipeline.mask import masked
from pipeline.observe import Origin, observation_from
from pipeline.transcript import Transcript
from store.before import known_before
from store.history import live, show
from store.payload import row_id
from store.rows import StoredFact
from store.scope import CustomerView, customer_reading, customer_writing
from store.write import Refusal, apply, refuse, replace_event
from worker import house
from worker.batch import Asked, Paired, TooLong, asked
from worker.evaluation.recorded import Drift, Recorded, Recording, as_asked, drift
from worker.evaluation.sandbox import TENANT
from worker.evaluation.tickets import Case, event_of, keys_before
from worker.process import Read, ask, observations
from worker.recalling import Recalled, recall
from worker.runtime import Runtime

Done = Callable[[int], object]
"""Told how many more tickets have been read: what a progress bar is fed with."""


def unheard(_more: int) -> None:
    """Where nobody watches."""


K = 10
"""How many facts a visit asks for: what a recall gives by default."""


@dataclass(frozen=True, kw_only=True)
class Stored:
    """A live fact as it is scored. `fresh`: this ticket states or confirms it; then `quotes` are this ticket's."""

    key: str
    kind: Kind
    value: str = field(repr=False)
    fresh: bool
    quotes: tuple[tuple[int, str], ...] = field(default=(), repr=False)
    expires_at: datetime | None = None


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What one ticket left: every live fact of its customer, and how it came to that."""

    case: Case = field(repr=False)
    index: int
    ticket: AnnotatedTicket = field(repr=False)
    stored: tuple[Stored, ...] = field(default=(), repr=False)
    refused: Counter[str] = field(default_factory=Counter)
    fault: str = ""
    asked: bool = False
    drift: Drift = Drift.NONE
    prompts: tuple[str, ...] = field(default=(), repr=False)
    """Everything that was or would be said to a model about it: today's prompts, then the frozen ones."""
    prompt_tokens: int = 0
    reply_tokens: int = 0


@dataclass(frozen=True, kw_only=True)
class Visited:
    """What the agent was told when a customer came back, before the new ticket was read."""

    customer: ReturningCustomer = field(repr=False)
    visit: Visit = field(repr=False)
    recalled: Recalled = field(repr=False)


@dataclass(frozen=True, kw_only=True)
class Run:
    """All tickets of all customers, and all visits."""

    outcomes: tuple[Outcome, ...] = field(repr=False)
    visits: tuple[Visited, ...] = field(repr=False)


def run(runtime: Runtime, cases: Sequence[Case], recording: Recording | None = None, *, done: Done = unheard) -> Run:
    """Every customer's tickets in order, into the runtime's own database. Without a recording the configured extractor
    reads them. `done` is called after each ticket."""
    reader = _Reader(runtime, recording)
    outcomes: list[Outcome] = []
    visits: list[Visited] = []
    for case in cases:
        for index in range(len(case.tickets)):
            visits += reader.visited(case, index)
            outcomes.append(reader.read(case, index))
            done(1)
    return Run(outcomes=tuple(outcomes), visits=tuple(visits))


class _Reader:
    def __init__(self, runtime: Runtime, recording: Recording | None) -> None:
        self._runtime = runtime
        self._recording = recording
        self._recorded = Recorded()
        self._reading = _with_extractor(runtime, self._recorded) if recording else runtime

    def visited(self, case: Case, index: int) -> Iterator[Visited]:
        ticket = case.tickets[index]
        if case.returning is None:
            return
        for visit in case.returning.visits:
            if visit.ticket == index:
                told = recall(
                    self._runtime,
                    _ref(case),
                    query=visit.query,
                    k=K,
                    now=ticket.opened_at,
                    language=ticket.lang,
                    actor="evaluation",
                )
                yield Visited(customer=case.returning, visit=visit, recalled=told)

    def read(self, case: Case, index: int) -> Outcome:
        """One ticket, from what was known before it to what is live at its close."""
        ticket = case.tickets[index]
        remember(self._runtime, case, ticket.prior_memory)
        outcome = Outcome(case=case, index=index, ticket=ticket)
        event = event_of(ticket, case.customer)
        transcript = masked(known_before(self._runtime.engine, self._runtime.keys, event).remembered(event))
        if says_something(transcript):
            outcome = self._asked(outcome, event, transcript)
        return replace(outcome, stored=self._live(case, ticket))

    def _asked(self, outcome: Outcome, event: TicketClosed, transcript: Transcript) -> Outcome:
        name = outcome.ticket.dialogue_id
        today = self._today(outcome, event, transcript)
        frozen = self._recording.requests.get(name, ()) if self._recording else ()
        reply = self._recording.of(name) if self._recording else Paired()
        self._recorded.turn_to(reply)
        seen = as_asked(transcript, frozen)
        live_keys = known_before(self._runtime.engine, self._runtime.keys, event).live_keys
        answer = ask(self._reading, event, seen, live_keys=live_keys)
        found = replace(
            outcome,
            asked=True,
            drift=drift(today, frozen) if frozen else Drift.NONE,
            prompts=tuple(call.prompt for call in (*today, *frozen)),
        )
        if not isinstance(answer, Read):
            return replace(found, fault=reply.fault or answer.reason.value)
        return self._written(found, event, answer)

    def _today(self, outcome: Outcome, event: TicketClosed, transcript: Transcript) -> tuple[Asked, ...]:
        runtime = self._runtime
        try:
            return asked(
                outcome.ticket.dialogue_id,
                transcript,
                settings=runtime.settings,
                catalogue=runtime.catalogue,
                live_keys=keys_before(outcome.case, outcome.index, runtime.catalogue),
                timezone=runtime.settings.timezone_of(event.tenant),
            )
        except TooLong:
            return ()

    def _written(self, outcome: Outcome, event: TicketClosed, answer: Read) -> Outcome:
        runtime, row = self._runtime, _row_of(self._runtime, outcome.ticket)
        rules = house.rules(runtime, TENANT)
        kept = observations(runtime, event, answer, row_id=row)
        gone = [one for one in answer.judged if not one.verdict.passed]
        refusals = [
            Refusal(reason=one.verdict.reason, observed_at=event.closed_at, ticket=event.ticket_id, event=row)
            for one in gone
            if one.verdict.reason
        ]
        with customer_writing(runtime.engine, runtime.keys, event.ref, now=event.closed_at.astimezone(UTC)) as tx:
            decisions = replace_event(tx, row, kept, rules=rules)
            refuse(tx, refusals, rules=rules)
        refused = Counter(refusal.reason.value for refusal in refusals)
        refused.update(decision.reason.value for decision in decisions if decision.action == "REJECT")
        return replace(
            outcome,
            refused=refused,
            prompt_tokens=answer.proposal.prompt_tokens,
            reply_tokens=answer.proposal.reply_tokens,
        )

    def _live(self, case: Case, ticket: AnnotatedTicket) -> tuple[Stored, ...]:
        row = _row_of(self._runtime, ticket)
        with customer_reading(self._runtime.engine, _ref(case)) as view:
            return tuple(_stored(view, fact, row) for fact in live(view, at=ticket.closed_at))


def remember(runtime: Runtime, case: Case, priors: Sequence[Prior]) -> None:
    """What was known before a ticket: extracted, at midnight UTC of its day, with a transcript somewhere behind it."""
    facts = [
        observation_from(
            Candidate(kind=prior.kind, key=runtime.catalogue.fold(prior.key), value=prior.value),
            ref=_ref(case),
            origin=_origin(datetime.combine(prior.observed_at, time(), UTC)),
            catalogue=runtime.catalogue,
            ids_key=runtime.keys.ids,
        )
        for prior in priors
    ]
    if facts:
        latest = max(fact.observed_at for fact in facts)
        with customer_writing(runtime.engine, runtime.keys, _ref(case), now=latest) as tx:
            apply(tx, facts, rules=house.rules(runtime, TENANT))


def _origin(at: datetime) -> Origin:
    return Origin(source=Source.EXTRACTED, observed_at=at, has_transcript=True, actor="evaluation")


def _stored(view: CustomerView, fact: StoredFact, row: str) -> Stored:
    shown = show(view, fact.id)
    mine = [one.observation for one in shown.evidence if one.observation.event == row] if shown else []
    return Stored(
        key=fact.slot.key,
        kind=fact.kind,
        value=fact.value,
        fresh=bool(mine),
        quotes=tuple((quote.message, quote.text) for one in mine for quote in one.quotes),
        expires_at=fact.expires_at,
    )


def _ref(case: Case) -> CustomerRef:
    return CustomerRef(tenant=TENANT, customer=case.customer)


def _row_of(runtime: Runtime, ticket: AnnotatedTicket) -> str:
    return row_id(runtime.keys, TENANT, ticket.dialogue_id)


def _with_extractor(runtime: Runtime, extractor: Any) -> Runtime:
    """The same runtime with another extractor in the slot where its own would be cached once it is first used."""
    other = replace(runtime)
    other.__dict__["extractor"] = extractor
    return other
