"""A key that holds one value a ticket: what one ticket calls ended, another one began."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from remembering import PER_TICKET, RULES, amounts_to, day, lives, observed, told

from pipeline.across import fold_key
from pipeline.facts import Action, Fact, Observation
from pipeline.fold import SlotRules, fold

PER_TICKET_RULES = RULES(PER_TICKET)


def begun(value: str, at: float, ticket: str, **more: Any) -> Observation:
    return observed(value, at, key=PER_TICKET, kind="situation", ticket=ticket, **more)


def over(value: str, at: float, ticket: str, **more: Any) -> Observation:
    return begun(value, at, ticket, ended=True, **more)


def facts(*said: Observation) -> list[Fact]:
    folded = fold_key(said, PER_TICKET_RULES).values()
    return sorted((fact for one in folded for fact in one.facts), key=lambda fact: fact.valid_from)


def live(*said: Observation) -> list[str]:
    return [fact.value for fact in facts(*said) if fact.valid_to is None]


def answer(one: Observation, *said: Observation) -> str:
    return told([fold_key([*said, one], PER_TICKET_RULES)[one.slot].decisions[one.id]])[0]


ISSUE = begun("exports fail with E1042", 0, "t1")
OTHER = begun("login fails", 0, "t2")


def test_a_later_ticket_ends_what_an_earlier_one_began() -> None:
    solved = over("the E1042 error", 3, "t3")
    assert answer(solved, ISSUE, OTHER) == "UPDATE ended"
    assert live(ISSUE, OTHER, solved) == ["login fails"]
    (fact,) = [fact for fact in facts(ISSUE, OTHER, solved) if fact.valid_to]
    assert (fact.value, fact.valid_to) == ("exports fail with E1042", day(3))


def test_what_nobody_can_tell_apart_is_left_alone() -> None:
    vague = over("the problem", 3, "t3")
    assert answer(vague, ISSUE, OTHER) == "NOOP nothing_to_end"
    assert answer(vague, ISSUE) == "UPDATE ended"


def test_an_end_at_home_takes_the_same_matter_elsewhere_along_and_nothing_vaguer() -> None:
    again, solved = begun("error E1042", 2, "t3"), over("E1042", 4, "t3")
    assert live(ISSUE, OTHER, again, solved) == ["login fails"]
    assert live(OTHER, again, over("", 4, "t3")) == ["login fails"]


def test_what_began_after_the_end_or_at_its_moment_stands() -> None:
    solved = over("exports fail with E1042", 0, "t3")
    assert live(ISSUE, solved) == live(begun("exports fail with E1042", 1, "t4"), solved) == ["exports fail with E1042"]


def test_what_had_expired_by_then_is_not_ended() -> None:
    late = over("E1042", 31, "t3")
    assert answer(late, ISSUE) == "NOOP nothing_to_end"
    assert [fact.valid_to for fact in facts(ISSUE, late)] == [None]


@pytest.mark.parametrize(
    ("weak", "reason"),
    [({}, "outranked"), ({"confidence": 0.5}, "outranked"), ({"has_transcript": False}, "needs_confirmation")],
)
def test_a_weaker_end_ends_nothing_and_is_asked_about_once(weak: dict[str, Any], reason: str) -> None:
    stated = [begun("E1042", 0, ticket, source="system") for ticket in ("t1", "t2")]
    solved = over("E1042", 3, "t3", **weak)
    assert answer(solved, *stated) == f"REJECT {reason}"
    folded = fold_key([*stated, solved], PER_TICKET_RULES)
    assert [review.observation_id for one in folded.values() for review in one.reviews] == [solved.id]
    assert live(*stated, solved) == ["E1042", "E1042"]


def test_an_unsure_end_is_asked_about() -> None:
    assert answer(over("E1042", 3, "t3", confidence=0.6), ISSUE) == "REJECT unsure"


def test_one_breath_may_end_one_matter_and_begin_another() -> None:
    said = [over("E1042", 3, "t3", event="e3", message=1), begun("login fails", 3, "t3", event="e3", message=1)]
    assert live(ISSUE, *said) == ["login fails"]
    later = [over("E1042", 3, "t3", event="e3", message=1), begun("login fails", 3, "t3", event="e3", message=5)]
    assert live(ISSUE, *later) == ["login fails"]
    assert answer(later[0], ISSUE, later[1]) == "UPDATE ended"


@pytest.mark.parametrize("number", range(6))
def test_a_ticket_that_opens_one_matter_and_then_ends_another_does_both(number: int) -> None:
    """Whichever of the two has the smaller id."""
    opened = begun("exports fail with E2077", 3, "t3", event=f"e{number}", message=1)
    ended = over("E1042", 3, "t3", event=f"e{number}", message=5)
    assert live(ISSUE, OTHER, opened, ended) == ["login fails", "exports fail with E2077"]
    assert answer(ended, ISSUE, OTHER, opened) == "UPDATE ended"
    earlier = begun("exports fail with E2077", 1, "t3", event="e0")
    assert live(ISSUE, earlier, opened, ended) == ["exports fail with E2077"]
    assert live(earlier, over("E2077", 3, "t3", event=f"e{number}", message=5), opened) == []


def test_an_end_that_names_another_matter_than_its_own_ticket_has_leaves_that_alone() -> None:
    mine = begun("exports fail with E2077", 1, "t3")
    solved = over("E1042", 3, "t3")
    assert live(ISSUE, mine, solved) == ["exports fail with E2077"]
    assert live(ISSUE, mine, over("", 3, "t3")) == ["exports fail with E1042"]


def test_of_what_a_ticket_says_the_matter_that_ended_last_counts_and_the_other_stays() -> None:
    said = [
        begun("E1042", 3, "t3", event="e3", message=1),
        begun("E2077", 3, "t3", event="e3", message=2),
        over("E1042", 3, "t3", event="e3", message=5),
    ]
    assert live(*said) == ["E2077"]
    assert live(*said, over("E2077", 3, "t3", event="e3", message=3)) == []


def test_an_end_that_the_same_ticket_takes_back_ends_nothing() -> None:
    said = [over("E1042", 3, "t3", event="e3", message=1), begun("still E1042", 3, "t3", event="e3", message=5)]
    assert live(ISSUE, *said) == ["exports fail with E1042", "still E1042"]
    assert answer(said[0], ISSUE, said[1]) == "REJECT corrected"


def test_a_ticket_that_tells_of_a_matter_and_its_end_ends_no_other_one() -> None:
    said = [begun("login fails", 3, "t3", event="e3", message=1), over("", 3, "t3", event="e3", message=5)]
    assert live(ISSUE, *said) == ["exports fail with E1042"]


def test_an_episode_that_tells_of_a_solution_ends_nothing_by_itself() -> None:
    told_of = observed("E1042 was a wrong header", 3, key=PER_TICKET, kind="episode", ticket="t3")
    assert "exports fail with E1042" in live(ISSUE, told_of)


def test_a_frozen_end_reaches_whom_it_reached_and_what_is_certain() -> None:
    vague = over("the problem", 3, "t3")
    frozen = fold_key([ISSUE, OTHER, vague], PER_TICKET_RULES, reach={vague.id: ["t2"]})
    assert [fact.value for one in frozen.values() for fact in one.facts if fact.valid_to] == ["login fails"]
    sure = over("E1042", 3, "t3")
    kept = fold_key([ISSUE, OTHER, sure], PER_TICKET_RULES, reach={sure.id: []})
    assert [fact.value for one in kept.values() for fact in one.facts if fact.valid_to] == ["exports fail with E1042"]


def test_a_key_with_one_value_a_customer_folds_slot_by_slot() -> None:
    said = [observed("Oslo", 0, ticket="t1"), observed("Oslo", 1, ticket="t2", ended=True)]
    assert fold_key(said, RULES("city")) == {said[0].slot: fold(said, RULES("city"))}


# --- laws -----------------------------------------------------------------------------------------------------------

many = lives(key=PER_TICKET, most=10)


@given(many, st.data())
def test_order_and_repetition_play_no_part(life: list[Observation], data: st.DataObject) -> None:
    again = data.draw(st.permutations(life + life[: len(life) // 2]))
    assert fold_key(again, PER_TICKET_RULES) == fold_key(life, PER_TICKET_RULES)


@given(many)
def test_a_lower_rank_never_ends_a_higher(life: list[Observation]) -> None:
    held = fold_key(life, PER_TICKET_RULES)
    strong = [one for one in life if one.source.rank > 1]
    weak_ends = [one for one in life if one.ended and one.source.rank == 1]
    only_weak = {one.observed_at for one in weak_ends} - {one.observed_at for one in strong}
    without = fold_key([one for one in life if one not in weak_ends], PER_TICKET_RULES)
    said = {one.id: one for one in strong}
    for slot, folded in without.items():
        for fact in folded.facts:
            if any(name in said for name in fact.evidence) and fact.source.rank > 1:
                ended = [
                    f for f in held[slot].facts if f.id == fact.id and f.valid_to != fact.valid_to and f.source.rank > 1
                ]
                assert not [f for f in ended if f.valid_to in only_weak]


@given(many)
def test_every_observation_has_its_answer_in_its_own_slot(life: list[Observation]) -> None:
    folded = fold_key(life, PER_TICKET_RULES)
    for one in life:
        assert folded[one.slot].decisions[one.id].observation_id == one.id
    answered = [name for held in folded.values() for name in held.decisions]
    assert sorted(answered) == sorted(one.id for one in life)


@given(many)
def test_without_its_ends_a_key_is_the_sum_of_its_slots_and_an_end_only_shortens(life: list[Observation]) -> None:
    values = [one for one in life if not one.ended]
    slots = {one.slot for one in values}
    apart = {slot: fold([o for o in values if o.slot == slot], SlotRules(per_ticket=True)) for slot in slots}
    assert fold_key(values, PER_TICKET_RULES) == apart


@given(many)
def test_a_question_is_asked_once(life: list[Observation]) -> None:
    ends = {one.id for one in life if one.ended}
    asked = [r.observation_id for folded in fold_key(life, PER_TICKET_RULES).values() for r in folded.reviews]
    assert all(asked.count(name) == 1 for name in ends & set(asked))


@given(many)
def test_an_answer_that_ended_something_names_a_fact_with_that_end(life: list[Observation]) -> None:
    folded = fold_key(life, PER_TICKET_RULES)
    ended = {fact.id for held in folded.values() for fact in held.facts}
    for one in life:
        decision = folded[one.slot].decisions[one.id]
        if one.ended and decision.action is Action.UPDATE:
            tied = any(o.observed_at == one.observed_at and o.id != one.id for o in life)
            assert decision.fact_id in ended or tied


def test_the_helper_sums_all_slots() -> None:
    assert len(amounts_to([ISSUE, OTHER], PER_TICKET)) == 2
