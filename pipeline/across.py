"""The fold of a whole key, where it holds one value a ticket: what one ticket calls ended, another one may have begun.

Each slot is folded by itself (`pipeline.fold`), in step with the others. An 'ended' also takes its turn in the slots of
other tickets whose live facts it means (`pipeline.ending`). What takes part in a slot is so a function of the set of
the key's observations, and arrival order plays no part here either.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping

from pipeline.ending import alike, apart, certain, meant
from pipeline.facts import Action, Decision, Fact, Observation, Slot
from pipeline.fold import Folded, SlotRules, SlotState, corrected, fold, last_words, order
from pipeline.reasons import Reason


def fold_key(
    observations: Iterable[Observation],
    rules: SlotRules,
    *,
    resolved: Collection[str] = (),
    reach: Mapping[str, Collection[str]] | None = None,
) -> dict[Slot, Folded]:
    """What the observations of one key of one customer amount to, by slot. The decision on an observation stands in its
    own slot.

    `reach` holds, by id of an 'ended', the tickets that it reached before a neighbour was purged: from then on it
    reaches those and what it surely means, since what else was live at its moment is no longer known.
    """
    theirs: dict[Slot, list[Observation]] = defaultdict(list)
    for one in observations:
        theirs[one.slot].append(one)
    if not rules.per_ticket or not any(one.ended for mine in theirs.values() for one in mine):
        return {slot: fold(mine, rules, resolved=resolved) for slot, mine in theirs.items()}
    key = _Key(theirs, rules, reach or {})
    key.run()
    return {slot: state.folded(key.known, resolved) for slot, state in key.states.items()}


class _Key:
    """The slots of one key, folded in step."""

    def __init__(
        self, theirs: Mapping[Slot, list[Observation]], rules: SlotRules, reach: Mapping[str, Collection[str]]
    ) -> None:
        self.known = {one.id: one for mine in theirs.values() for one in mine}
        self.states = {slot: SlotState(rules) for slot in sorted(theirs, key=lambda slot: slot.ticket)}
        self._theirs = theirs
        self._said_last = {slot: last_words(mine) for slot, mine in theirs.items()}
        self._reach = reach

    def run(self) -> None:
        for one in sorted(self.known.values(), key=order):
            self._own_step(one)
            if one.ended and self._carries(one):
                self._step_elsewhere(one)

    def _own_step(self, one: Observation) -> None:
        own = self.states[one.slot]
        if self._corrected(one):
            own.set_aside(one)
        elif one.ended and own.live and self._of_another_matter(one, own.live):
            own.decisions[one.id] = Decision(action=Action.NOOP, reason=Reason.NOTHING_TO_END, observation_id=one.id)
        else:
            own.take(one)

    def _corrected(self, one: Observation) -> bool:
        """Whether its ticket says something else later: of a value, an end of surely another matter is nothing else."""
        last = self._said_last[one.slot]
        if one.ended or not corrected(one, last) or not _ends_another(last[one.event], one):
            return corrected(one, last)
        return corrected(one, last_words(o for o in self._theirs[one.slot] if not _ends_another(o, one)))

    def _of_another_matter(self, end: Observation, live: Fact) -> bool:
        """Whether an end leaves its own ticket's fact alone: that is surely, or by all that is said, something else."""
        return apart(end.value, live.value) or self._begun_beside(end, live)

    def _begun_beside(self, end: Observation, live: Fact) -> bool:
        """Whether the same ticket says in one breath that one matter has ended and another one begun."""
        began = self.known[live.evidence[0]]
        same_breath = bool(end.event) and began.event == end.event and live.valid_from == end.observed_at
        return same_breath and not alike(end.value, live.value)

    def _carries(self, end: Observation) -> bool:
        """Whether an end counts beyond its own ticket: it was not refused something there, nor is taken back later in
        the same ticket."""
        own = self.states[end.slot]
        decision = own.decisions[end.id]
        if own.live and decision.action is Action.REJECT and decision.reason is not Reason.CORRECTED:
            return False
        later = (o for o in self._theirs[end.slot] if o.event == end.event and o.message >= end.message)
        return not (end.event and any(not o.ended and alike(end.value, o.value) for o in later))

    def _step_elsewhere(self, end: Observation) -> None:
        """The end's step in each slot that it means. What it did there is its answer, if it did nothing at home."""
        own, steps = self.states[end.slot].decisions, {}
        for slot in self._meant(end):
            self.states[slot].take(end)
            steps[slot] = self.states[slot].decisions.pop(end.id)
        ended = [step for step in steps.values() if step.action is Action.UPDATE]
        refused = [slot for slot, step in steps.items() if step.action is Action.REJECT]
        if refused:  # what is asked there need not be asked at home
            self.states[end.slot].reviews = [r for r in self.states[end.slot].reviews if r.observation_id != end.id]
        if own[end.id].action is not Action.UPDATE:
            own[end.id] = next(iter(ended or [steps[slot] for slot in refused]), own[end.id])
        for slot in refused[own[end.id].action is Action.REJECT :]:  # one question an end, none where it ended anything
            self.states[slot].reviews.pop()

    def _meant(self, end: Observation) -> list[Slot]:
        """The other slots whose live facts the end means, sorted by ticket."""
        live = {
            slot: state.live.value
            for slot, state in self.states.items()
            if slot != end.slot and state.live and _stood_at(end, state.live)
        }
        if (reached := self._reach.get(end.id)) is not None:
            return [slot for slot, value in live.items() if slot.ticket in reached or certain(end.value, value)]
        found = meant(end.value, live, alone=not self._about_home(end))
        return [slot for slot in live if slot in found]

    def _about_home(self, end: Observation) -> bool:
        """Whether its own ticket has what it may mean: a fact that it ended, or a matter told of before it."""
        told = (o for o in self._theirs[end.slot] if o.event == end.event and o.message < end.message)
        ended = self.states[end.slot].decisions[end.id].action is Action.UPDATE
        return ended or bool(end.event and any(not o.ended for o in told))


def _ends_another(end: Observation, one: Observation) -> bool:
    return end.ended and apart(end.value, one.value)


def _stood_at(end: Observation, live: Fact) -> bool:
    """Whether the fact began before the end was said and had not expired by then."""
    return live.valid_from < end.observed_at and live.live_at(end.observed_at)
