"""The decision table, row by row, and the laws that hold for any set of observations."""

from dataclasses import replace
from itertools import combinations, count, groupby, pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from remembering import content, day, lives, observed, rules, told

from pipeline.compare import same_value
from pipeline.facts import Action, Observation
from pipeline.fold import Folded, SlotRules, fold, order

RULES = SlotRules()


def folded(*observations: Observation, **given_rules: bool) -> Folded:
    return fold(observations, SlotRules(**given_rules))


def steps(result: Folded, *observations: Observation) -> list[str]:
    return told([result.decisions[one.id] for one in observations])


def test_the_first_value_is_added() -> None:
    first = observed("Oslo")
    assert steps(folded(first), first) == ["ADD new"]


def test_the_same_value_confirms_and_raises_the_source() -> None:
    one, other = observed("Oslo"), observed("oslo ", 1, source="agent_confirmed")
    result = folded(one, other)
    assert steps(result, one, other) == ["ADD new", "NOOP same"]
    (fact,) = result.facts
    assert (fact.source, fact.evidence, fact.confirmed_at) == ("agent_confirmed", (one.id, other.id), day(1))


def test_a_weaker_confirmation_does_not_lower_the_source() -> None:
    (fact,) = folded(observed("Oslo", source="system"), observed("Oslo", 1)).facts
    assert fact.source == "system"


def test_the_latest_expiry_of_all_confirmations_counts() -> None:
    said = [observed("late parcel", at, kind="situation") for at in (0, 20, 40)]
    (fact,) = folded(*said).facts
    assert fact.expires_at == day(70)


def test_what_had_expired_is_added_anew_and_the_old_one_ended_when_it_expired() -> None:
    said = [observed("late parcel", at, kind="situation") for at in (0, 31)]
    result = folded(*said)
    assert steps(result, *said) == ["ADD new", "ADD new"]
    assert [(f.valid_from, f.valid_to) for f in result.facts] == [(day(0), day(30)), (day(31), None)]


def test_a_confirmation_that_arrives_late_closes_the_gap() -> None:
    said = [observed("late parcel", at, kind="situation") for at in (0, 31, 15)]
    (fact,) = folded(*said).facts
    assert (fact.valid_from, fact.valid_to, fact.expires_at) == (day(0), None, day(61))


def test_a_weaker_source_is_rejected_and_asked_about() -> None:
    system, ticket = observed("Oslo", source="system"), observed("Bergen", 1)
    result = folded(system, ticket)
    assert steps(result, ticket) == ["REJECT outranked"]
    assert [review.observation_id for review in result.reviews] == [ticket.id]
    assert [fact.value for fact in result.facts] == ["Oslo"]


def test_an_unsure_value_does_not_replace_a_known_one() -> None:
    sure, unsure = observed("Oslo"), observed("Bergen", 1, confidence=0.69)
    assert steps(folded(sure, unsure), unsure) == ["REJECT unsure"]
    assert steps(folded(unsure), unsure) == ["ADD new"]


def test_a_newer_value_of_the_same_rank_replaces_with_history() -> None:
    said = [observed(city, at) for at, city in enumerate(["Oslo", "Bergen", "Oslo"])]
    result = folded(*said)
    assert steps(result, *said) == ["ADD new", "UPDATE newer", "UPDATE newer"]
    assert [(f.value, f.valid_to) for f in result.facts] == [("Oslo", day(1)), ("Bergen", day(2)), ("Oslo", None)]


def test_a_stronger_source_replaces_a_weaker_one() -> None:
    ticket, system = observed("Oslo"), observed("Bergen", 1, source="system")
    assert steps(folded(ticket, system), system) == ["UPDATE outranks"]


def test_what_has_ended_gets_its_end_and_no_successor() -> None:
    begun, ended = observed("late parcel"), observed("", 2, ended=True)
    result = folded(begun, ended)
    assert steps(result, ended) == ["UPDATE ended"]
    assert [(f.value, f.valid_to) for f in result.facts] == [("late parcel", day(2))]


@pytest.mark.parametrize("weak", [{"source": "extracted"}, {"source": "extracted", "confidence": 0.5}])
def test_a_weaker_end_ends_nothing(weak: dict[str, object]) -> None:
    result = folded(observed("Oslo", source="system"), observed("", 1, ended=True, **weak))  # type: ignore[arg-type]
    assert result.facts[0].valid_to is None


def test_an_end_of_nothing_changes_nothing() -> None:
    ended = observed("", ended=True)
    result = folded(ended)
    assert steps(result, ended) == ["NOOP nothing_to_end"]
    assert (result.facts, result.reviews) == ((), ())


def test_a_key_that_needs_a_person_waits_for_one() -> None:
    said, confirmed = observed("owner"), observed("owner", 1, source="agent_confirmed")
    alone = folded(said, needs_confirmation=True)
    assert steps(alone, said) == ["REJECT needs_confirmation"]
    assert (alone.facts, len(alone.reviews)) == ((), 1)
    both = folded(said, confirmed, needs_confirmation=True)
    assert [fact.value for fact in both.facts] == ["owner"]
    assert both.reviews == ()  # it holds by now: nobody need be asked


def test_what_an_agent_extracted_with_no_transcript_waits_for_a_person() -> None:
    said = observed("Oslo", has_transcript=False)
    assert steps(folded(said), said) == ["REJECT needs_confirmation"]


def test_an_unseen_statement_of_what_is_known_does_not_keep_it_alive() -> None:
    known = observed("late parcel", kind="situation")
    unseen = observed("late parcel", 20, kind="situation", has_transcript=False)
    (fact,) = folded(known, unseen).facts
    assert (fact.expires_at, fact.evidence) == (day(30), (known.id,))


def test_within_a_ticket_the_last_word_counts() -> None:
    slip, word = observed("Oslo", event="e1", message=2), observed("Bergen", event="e1", message=5)
    result = folded(slip, word)
    assert steps(result, slip, word) == ["REJECT corrected", "ADD new"]
    assert [fact.value for fact in result.facts] == ["Bergen"]


def test_the_same_said_twice_in_a_ticket_is_evidence_twice() -> None:
    said = [observed("Oslo", event="e1", message=n) for n in (2, 5)]
    (fact,) = folded(*said).facts
    assert set(fact.evidence) == {one.id for one in said}


def test_two_tickets_of_one_instant_that_disagree_are_settled_and_asked_about() -> None:
    said = [observed(city, event=city) for city in ("Oslo", "Bergen")]
    result = folded(*said)
    (fact,) = result.facts
    assert [review.reason for review in result.reviews] == ["tie"]
    assert fact.value not in [one.value for one in said if one.id == result.reviews[0].observation_id]


def tied(*said: Observation) -> list[str]:
    """Which of the values are asked about as ties, whatever their ids: the latter of each call is taken last."""
    result = fold(said, RULES)
    return sorted(
        one.value for one in said if one.id in {r.observation_id for r in result.reviews if r.reason == "tie"}
    )


def in_turn(*values: str, at: float = 5, **more: Any) -> list[Observation]:
    """One observation a value, of one instant, with ids so that they are taken in this order."""
    found: list[Observation] = []
    for value in values:
        said = (observed(value, at, event=f"e{number}", **more) for number in count())
        found.append(next(one for one in said if not found or one.id > found[-1].id))
    return found


def test_a_value_that_only_confirmed_when_another_one_of_its_instant_came_is_asked_about() -> None:
    assert tied(observed("Oslo", 0), *in_turn("Oslo", "Bergen")) == ["Oslo"]
    assert tied(observed("Oslo", 0), *in_turn("Bergen", "Oslo")) == ["Bergen"]


def test_of_three_of_one_instant_those_are_asked_about_that_the_last_one_contradicts() -> None:
    assert tied(*in_turn("Oslo", "Bergen", "Alta")) == ["Bergen", "Oslo"]
    assert tied(*in_turn("Oslo", "Bergen", "oslo")) == ["Bergen"]
    assert tied(*in_turn("Oslo", "Bergen", "oslo"), observed("Alta", 9)) == ["Bergen"]


@pytest.mark.parametrize("later", [[], ["Oslo"], ["Alta"], ["Bergen"], ["Alta", "Oslo"]])
def test_whatever_holds_later_what_held_since_then_is_asked_about(later: list[str]) -> None:
    assert tied(*in_turn("Oslo", "Bergen"), *(observed(city, 6 + n) for n, city in enumerate(later))) == ["Oslo"]


def test_a_value_that_had_run_out_when_it_was_said_is_a_tie_all_the_same() -> None:
    gone, other = in_turn("Oslo", "Bergen")
    assert tied(replace(gone, expires_at=day(4)), other) == ["Oslo"]


def test_an_end_of_the_same_instant_is_a_tie_for_the_value_before_it_and_none_for_itself() -> None:
    end = observed("", 5, ended=True, source="system")
    earlier = next(one for n in count() if (one := observed("Oslo", 5, source="system", event=f"e{n}")).id < end.id)
    later = next(one for n in count() if (one := observed("Oslo", 5, source="system", event=f"e{n}")).id > end.id)
    begun = observed("Oslo", 0, source="system")
    assert tied(begun, earlier, end) == ["Oslo"]
    assert tied(begun, end, later) == []


def test_a_tie_under_a_stronger_word_of_the_same_instant_is_none() -> None:
    assert tied(observed("Alta", 5, source="system"), *in_turn("Oslo", "Bergen")) == []


def test_what_a_person_has_answered_is_not_asked_again() -> None:
    system, ticket = observed("Oslo", source="system"), observed("Bergen", 1)
    assert fold([system, ticket], RULES, resolved={ticket.id}).reviews == ()


# --- laws -----------------------------------------------------------------------------------------------------------


@given(lives(), rules, st.data())
def test_order_and_repetition_play_no_part(life: list[Observation], slot: SlotRules, data: st.DataObject) -> None:
    again = data.draw(st.permutations(life + life[: len(life) // 2]))
    assert fold(again, slot) == fold(life, slot)


@given(lives(), rules)
def test_at_most_one_fact_lives_and_none_overlap(life: list[Observation], slot: SlotRules) -> None:
    facts = fold(life, slot).facts
    assert all(fact.valid_to is not None for fact in facts[:-1])
    assert all(fact.valid_to is None or fact.valid_from < fact.valid_to for fact in facts)
    assert all(one.valid_to and one.valid_to <= other.valid_from for one, other in pairwise(facts))


@given(lives(), rules)
def test_a_lower_rank_never_replaces_a_higher(life: list[Observation], slot: SlotRules) -> None:
    result = fold(life, slot)
    known = {one.id: one for one in life}
    for fact in result.facts:
        ended_by = [
            o for o in life if result.decisions[o.id].action is Action.UPDATE and o.observed_at == fact.valid_to
        ]
        expired = fact.expires_at is not None and fact.valid_to == fact.expires_at
        held = max(known[name].source.rank for name in fact.evidence)
        # Of several at one instant the highest rank comes first, and it was that one which ended the fact.
        assert expired or max((other.source.rank for other in ended_by), default=held) >= held


@given(lives(), rules)
def test_every_observation_has_its_answer_and_every_fact_its_evidence(life: list[Observation], slot: SlotRules) -> None:
    result = fold(life, slot)
    assert set(result.decisions) == {one.id for one in life}
    assert all(fact.evidence for fact in result.facts)
    assert content(result.facts) == content(fold([*life], slot).facts)


@given(lives(), rules)
def test_a_rejected_observation_is_in_no_fact(life: list[Observation], slot: SlotRules) -> None:
    result = fold(life, slot)
    rejected = {name for name, decision in result.decisions.items() if decision.action is Action.REJECT}
    assert not rejected & {name for fact in result.facts for name in fact.evidence}


def stands(one: Observation, result: Folded, slot: SlotRules) -> bool:
    """Whether this value counts: it was not refused, nor waits for a person's confirmation."""
    unseen = one.source == "extracted" and (slot.needs_confirmation or not one.has_transcript)
    return not one.ended and not unseen and result.decisions[one.id].action is not Action.REJECT


@given(lives(most=12), rules, st.data())
def test_of_two_values_of_one_rank_and_instant_the_one_that_lost_is_asked_about(
    life: list[Observation], slot: SlotRules, data: st.DataObject
) -> None:
    """Unless a person has answered. And whoever is asked about counted, and lost."""
    resolved = set(data.draw(st.lists(st.sampled_from([one.id for one in life]), max_size=2)))
    result = fold(life, slot, resolved=resolved)
    asked = {review.observation_id for review in result.reviews if review.reason == "tie"}
    for _, group in groupby(sorted((o for o in life if stands(o, result, slot)), key=order), lambda o: order(o)[:2]):
        said = list(group)
        for one, other in combinations(said, 2):
            lost = other if same_value(one.value, said[-1].value) else one
            assert same_value(one.value, other.value) or lost.id in asked | resolved
    for name in asked:
        (lost,) = [o for o in life if o.id == name]
        rivals = [o for o in life if (o.observed_at, o.source) == (lost.observed_at, lost.source) and o.id > name]
        assert any(o.ended or not same_value(o.value, lost.value) for o in rivals)
        assert stands(lost, result, slot) and name not in resolved
