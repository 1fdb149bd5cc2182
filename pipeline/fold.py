"""The heart: facts, history and review items as a pure fold over the observations of one slot.

Arrival order plays no part. Observations are taken in order of `observed_at`, then higher rank first, then id, so any
permutation and any duplication of the same observations gives the same facts. What one ticket's end does to another
ticket's fact stands in `pipeline.across`.
"""

import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from pipeline.compare import same_value
from pipeline.facts import FOR_REVIEW, Action, Decision, Fact, Observation, Slot, Source
from pipeline.ids import keyed_id
from pipeline.reasons import Reason


@dataclass(frozen=True, kw_only=True)
class SlotRules:
    """What policy and catalogue say of one slot."""

    overwrite_floor: float = 0.7
    needs_confirmation: bool = False
    system_owned: bool = False
    """Only `system` may write it. A refusal of the writer's: what is folded was allowed in."""
    known: bool = False
    """A key of the catalogue, which may be named where a made-up one may not (audit, metrics)."""
    per_ticket: bool = False
    """One value a ticket: an end in one ticket may mean what another one began."""


@dataclass(frozen=True, kw_only=True)
class Review:
    """A question for a person: should this observation, which was not applied, hold after all?"""

    observation_id: str
    reason: Reason


@dataclass(frozen=True, kw_only=True)
class Folded:
    """`facts` oldest first, at most the last one without `valid_to`; `decisions` by observation id; open `reviews`."""

    facts: tuple[Fact, ...] = ()
    decisions: dict[str, Decision] = field(default_factory=dict)
    reviews: tuple[Review, ...] = ()


def observation_id(
    key: bytes, *, event: str, slot: Slot, value: str, source: Source, at: datetime, message: int
) -> str:
    """A keyed hash of event, slot, value, source, `observed_at` and message: the same statement, the same id."""
    place = (slot.ref.tenant, slot.ref.customer, slot.key, slot.ticket)
    return keyed_id(key, "observation", event, *place, value, source.value, at.isoformat(), str(message))


def fold(observations: Iterable[Observation], rules: SlotRules, *, resolved: Collection[str] = ()) -> Folded:
    """What the observations of one slot amount to. `resolved` holds ids that a person has accepted or dismissed."""
    known = {o.id: o for o in observations}
    said_last = last_words(known.values())
    state = SlotState(rules)
    for observation in sorted(known.values(), key=order):
        if corrected(observation, said_last):
            state.set_aside(observation)
        else:
            state.take(observation)
    return state.folded(known, resolved)


def last_words(observations: Iterable[Observation]) -> dict[str, Observation]:
    """By event, the observation of its latest message: within one ticket the customer's own correction wins."""
    last: dict[str, Observation] = {}
    for observation in observations:
        known = last.get(observation.event)
        if observation.event and (known is None or _place(observation) > _place(known)):
            last[observation.event] = observation
    return last


def _place(observation: Observation) -> tuple[int, str]:
    return observation.message, observation.id


def corrected(observation: Observation, said_last: Mapping[str, Observation]) -> bool:
    """Whether the same ticket says something else later. The same said twice stays, as evidence."""
    last = said_last.get(observation.event)
    if last is None or observation.message >= last.message:
        return False
    return observation.ended != last.ended or not same_value(observation.value, last.value)


def _answered(observation: Observation, live: Fact | None) -> bool:
    """Whether what is asked about holds by now anyhow, so that nobody need be asked."""
    if observation.ended or live is None:
        return observation.ended and live is None
    return same_value(observation.value, live.value)


def order(observation: Observation) -> tuple[datetime, int, str]:
    """The order in which observations are taken, whenever they arrived."""
    return observation.observed_at, -observation.source.rank, observation.id


class SlotState:
    """The fold's accumulator: the fact that is live at the moment reached, and what came before it."""

    def __init__(self, rules: SlotRules) -> None:
        self.rules = rules
        self.past: list[Fact] = []
        self.live: Fact | None = None
        self.decisions: dict[str, Decision] = {}
        self.reviews: list[Review] = []
        self._counted: list[list[Observation]] = []
        """What counted, those of one instant and one rank together, in the order in which they were taken."""

    def folded(self, known: Mapping[str, Observation], resolved: Collection[str]) -> Folded:
        """The result, with those questions that are still worth asking. `known` holds what they are about.

        A tie is asked about whatever holds by now: what held since then is settled by nothing but the order of ids.
        """
        worth = (r for r in self.reviews if not _answered(known[r.observation_id], self.live))
        return Folded(
            facts=(*self.past, self.live) if self.live else tuple(self.past),
            decisions=self.decisions,
            reviews=tuple(r for r in (*worth, *self._ties()) if r.observation_id not in resolved),
        )

    def set_aside(self, observation: Observation) -> None:
        self.decisions[observation.id] = Decision(
            action=Action.REJECT, reason=Reason.CORRECTED, observation_id=observation.id
        )

    def take(self, observation: Observation) -> None:
        self._retire_expired(observation.observed_at)
        action, reason = self._judge(observation)
        fact_id = self._apply(action, observation)
        self.decisions[observation.id] = Decision(
            action=action, reason=reason, observation_id=observation.id, fact_id=fact_id
        )
        if reason in FOR_REVIEW:
            self.reviews.append(Review(observation_id=observation.id, reason=reason))
        elif reason is not Reason.NOTHING_TO_END:
            self._count(observation)

    def _count(self, observation: Observation) -> None:
        """Puts it beside what the same instant and rank have said already; unless it is no evidence (`_confirm`)."""
        if self._wants_confirmation(observation):
            return
        beside = self._counted[-1] if self._counted else []
        if beside and beside[-1].observed_at == observation.observed_at and beside[-1].source is observation.source:
            beside.append(observation)
        else:
            self._counted.append([observation])

    def _ties(self) -> Iterator[Review]:
        """Questions about the values that another one of the same instant and rank came after: the order of their ids
        alone has settled it. An end that a value came after is no question: one thing ends and another begins."""
        for *others, won in self._counted:
            lost = (one for one in others if not one.ended and (won.ended or not same_value(one.value, won.value)))
            yield from (Review(observation_id=one.id, reason=Reason.TIE) for one in lost)

    def _apply(self, action: Action, observation: Observation) -> str:
        """Carries the decision out. Returns the id of the fact that it touched, '' for none."""
        live = self.live
        if action is Action.NOOP and live and not observation.ended:
            return self._confirm(observation, live)
        if action is Action.UPDATE and live:
            self._close(observation, live)
            return live.id if observation.ended else self._add(observation)
        return self._add(observation) if action is Action.ADD else ""

    def _retire_expired(self, moment: datetime) -> None:
        """A fact that had run out by `moment` no longer stands in the way: it ended when it expired.

        It keeps no end of its own while nothing follows, since a confirmation from before that moment may still arrive
        and renew it; the reader sees `expires_at`.
        """
        expiry = self.live.expires_at if self.live else None
        if self.live and expiry and expiry <= moment:
            if expiry > self.live.valid_from:
                self.past.append(replace(self.live, valid_to=expiry))
            self.live = None

    def _judge(self, observation: Observation) -> tuple[Action, Reason]:
        live = self.live
        if live and not observation.ended and same_value(live.value, observation.value):
            return Action.NOOP, Reason.SAME
        if self._wants_confirmation(observation):
            return Action.REJECT, Reason.NEEDS_CONFIRMATION
        if live is None:
            return (Action.NOOP, Reason.NOTHING_TO_END) if observation.ended else (Action.ADD, Reason.NEW)
        if observation.source.rank < live.source.rank:
            return Action.REJECT, Reason.OUTRANKED
        if observation.source is Source.EXTRACTED and observation.confidence < self.rules.overwrite_floor:
            return Action.REJECT, Reason.UNSURE  # an unsure 'ended' destroys as much as an unsure other value
        if observation.ended:
            return Action.UPDATE, Reason.ENDED
        return Action.UPDATE, Reason.OUTRANKS if observation.source.rank > live.source.rank else Reason.NEWER

    def _wants_confirmation(self, observation: Observation) -> bool:
        unseen = not observation.has_transcript
        return observation.source is Source.EXTRACTED and (unseen or self.rules.needs_confirmation)

    def _add(self, observation: Observation) -> str:
        self.live = _fact_from(observation)
        return self.live.id

    def _confirm(self, observation: Observation, live: Fact) -> str:
        if not self._wants_confirmation(observation):
            self.live = _confirmed(live, observation)
        return live.id

    def _close(self, observation: Observation, live: Fact) -> None:
        """The live fact gets its end. One that would have held for no time at all (a tie) leaves none."""
        if live.valid_from < observation.observed_at:
            self.past.append(replace(live, valid_to=observation.observed_at))
        self.live = None


def _fact_from(observation: Observation) -> Fact:
    return Fact(
        id=hashlib.sha256(f"fact:{observation.id}".encode()).hexdigest()[:32],
        slot=observation.slot,
        kind=observation.kind,
        value=observation.value,
        source=observation.source,
        confidence=observation.confidence,
        importance=observation.importance,
        valid_from=observation.observed_at,
        valid_to=None,
        expires_at=observation.expires_at,
        evidence=(observation.id,),
        confirmed_at=observation.observed_at,
    )


def _confirmed(fact: Fact, observation: Observation) -> Fact:
    """The same value said again: evidence grows, the source rises to the stronger, the latest expiry counts."""
    stronger = observation.source.rank >= fact.source.rank
    return replace(
        fact,
        source=observation.source if stronger else fact.source,
        kind=observation.kind if stronger else fact.kind,
        importance=observation.importance if stronger else fact.importance,
        confidence=max(fact.confidence, observation.confidence),
        expires_at=_later(fact.expires_at, observation.expires_at),
        evidence=(*fact.evidence, observation.id),
        confirmed_at=observation.observed_at,
    )


def _later(one: datetime | None, other: datetime | None) -> datetime | None:
    """The later of two expiries; None never expires."""
    return max(one, other) if one and other else None
