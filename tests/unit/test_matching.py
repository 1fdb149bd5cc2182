"""Whether a stored fact says what an annotated one says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.matching import Said, Wanted, contradicts, likeness, mentions, paired
from pipeline.matching.figures import figures
from pipeline.matching.wording import plain


def wanted(*forms: str, key: str = "k", evidence: str = "", former: str = "") -> Wanted:
    return Wanted(key=key, forms=forms, evidence=evidence, turn=0, former=former)


def said(value: str, key: str = "k", quote: str = "") -> Said:
    return Said(key=key, value=value, quotes=((0, quote),) if quote else ())


def matches(one: Said, other: Wanted) -> bool:
    return paired([one], [other]).pairs == {0: 0}


ALIKE = [
    ("早上八点到十点", "早上 08:00–10:00"),
    ("上午 8–10 点联系", "早上八点到十点"),
    ("deliver 7-11am", "between 7 and 11 in the morning"),
    ("never home before 18:00", "not home before 6pm"),
    ("下周（11 月 16–20 日）去新加坡出差", "2026-11-16 至 2026-11-20 在新加坡出差"),
    ("in Oslo 11-20 May 2026", "in Oslo from 2026-05-11 to 2026-05-20, mail to the hotel desk"),
    ("每月 25 号之前给发票", "每月 25 日前提供发票"),
    ("Node.js 22", "Node 22 LTS"),
    ("€1240 charged twice", "€1,240.00 charged twice, refunded"),
    ("seven people in the team", "7 people in the team"),
    ("two deliveries a week", "2 deliveries a week"),
    ("不要打电话", "别打电话"),
    ("no phone calls", "never call"),
    ("用京东，不用顺丰", "京东快递"),
    ("e-mail only", "email only"),
    ("ＧｉｔＨｕｂ discussion", "GitHub discussion"),
]
DIFFERENT = [
    ("早上八点到十一点", "早上八点到十点", "times"),
    ("leave with the neighbour at number 14", "leave with the neighbour at number 12", "numbers"),
    ("2026-11-16 至 2026-11-21 在新加坡出差", "2026-11-16 至 2026-11-20 在新加坡出差", "dates"),
    ("Node 20 LTS", "Node 22 LTS", "numbers"),
    ("上门安排在周四下午", "上门安排在周五下午", "weekdays"),
    ("打电话联系", "不要打电话联系", "negation"),
    ("call about deliveries", "do not call about deliveries", "negation"),
    ("likes scented packaging", "no scented packaging", "negation"),
    ("增值税普通发票", "增值税专用发票", "choice"),
    ("aisle seat near the front", "window seat near the front", "choice"),
    ("退款 492 元", "退款 429 元", "numbers"),
]


@pytest.mark.parametrize(("stored", "gold"), ALIKE)
def test_the_same_said_otherwise_is_found_under_its_key(stored: str, gold: str) -> None:
    assert matches(said(stored), wanted(gold)), likeness(said(stored), wanted(gold))


@pytest.mark.parametrize(("stored", "gold", "veto"), DIFFERENT)
def test_a_change_that_matters_rules_a_pair_out_however_alike_it_is(stored: str, gold: str, veto: str) -> None:
    assert likeness(said(stored), wanted(gold)).veto == veto
    assert not matches(said(stored), wanted(gold))


def test_a_key_that_names_what_to_avoid_negates_its_value() -> None:
    gold = wanted("never call", key="contact_avoid")
    assert matches(said("phone calls", key="contact_avoid"), gold)
    assert likeness(said("phone calls", key="contact_channel"), gold).veto == "negation"


def test_a_further_figure_from_the_evidence_is_no_change() -> None:
    gold = wanted("错发米白色", "补偿 30 元", evidence="订单 88 错发米白色，补偿 30 元")
    assert matches(said("订单 88 错发米白色，补偿 30 元"), gold)


def test_a_figure_of_the_evidence_in_the_place_of_the_right_one_is_a_change() -> None:
    gold = wanted("two portions", evidence="two portions instead of four")
    assert likeness(said("four portions"), gold).veto


def test_the_superseded_value_is_wrong_though_a_form_repeats_it() -> None:
    gold = wanted("Fly.io", "moved from Heroku to Fly.io", former="Heroku")
    assert likeness(said("Heroku"), gold).veto == "superseded"
    assert matches(said("moved from Heroku to Fly.io"), gold)


def test_a_number_word_inside_another_word_is_none() -> None:
    assert figures(plain("一律不要")) == figures("")


def test_another_key_wants_more_likeness() -> None:
    gold = wanted("tail-lift on every delivery", key="delivery_equipment")
    assert matches(said("tail-lift on every delivery", key="vehicle"), gold)
    assert matches(said("tail-lift for the pallets in the yard", key="delivery_equipment"), gold)
    assert not matches(said("tail-lift for the pallets in the yard", key="vehicle"), gold)


def test_a_whole_turn_kept_as_it_was_said_is_not_the_fact_in_it() -> None:
    turn = "Fine. We're in Rotterdam. The last pallet arrived wet, that's the second time this quarter."
    assert not matches(said(turn, key="turn_6"), wanted("Rotterdam", "based in Rotterdam", key="city"))


def test_a_fact_said_twice_is_right_once_and_a_duplicate_once() -> None:
    found = paired(
        [said("京东快递", key="courier"), said("京东快递", key="delivery")], [wanted("京东快递", key="courier")]
    )
    assert found.pairs == {0: 0}
    assert found.duplicates == {1: 0}


def test_one_stored_fact_answers_one_gold_fact() -> None:
    both = said("邮件联系，不要打电话")
    golds = [wanted("邮件联系"), wanted("不要打电话")]
    assert len(paired([both], golds).pairs) == 1


def test_what_a_veto_took_is_named() -> None:
    assert paired([said("Node 20 LTS")], [wanted("Node 22 LTS")]).vetoed == {0: (0, "numbers")}


def test_a_drafted_reply_mentions_what_it_says() -> None:
    gold = wanted("leave with the neighbour at number 12")
    assert mentions("We'll leave the parcel with the neighbour at number 12, as always.", gold)
    assert not mentions("Where should we leave the parcel?", gold)


def test_a_fact_and_its_negation_contradict() -> None:
    assert contradicts(said("打电话联系", key="a"), said("不要打电话联系", key="b"))
    assert not contradicts(said("海淀店小票打印机是 58 毫米", key="a"), said("朝阳店小票打印机是 80 毫米", key="b"))


VALUES = st.sampled_from([text for pair in (*ALIKE, *DIFFERENT) for text in pair[:2]])


@given(VALUES)
def test_every_value_matches_itself(value: str) -> None:
    assert matches(said(value), wanted(value))
    assert likeness(said(value), wanted(value)).score == 1.0


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_two_texts_have_a_likeness_from_0_to_1(one: str, other: str) -> None:
    assert 0.0 <= likeness(said(one), wanted(other)).score <= 1.0


@given(st.lists(VALUES, max_size=5), st.lists(VALUES, max_size=5), st.randoms())
def test_who_is_answered_does_not_depend_on_the_order_of_what_is_stored(
    stored: list[str], gold: list[str], chance: object
) -> None:
    golds = [wanted(value, key=f"k{n}") for n, value in enumerate(dict.fromkeys(gold))]
    facts = [said(value, key=f"s{n}") for n, value in enumerate(dict.fromkeys(stored))]
    shuffled = list(facts)
    chance.shuffle(shuffled)  # type: ignore[attr-defined]
    here, there = paired(facts, golds).pairs, paired(shuffled, golds).pairs
    assert len(here) == len(there)


@given(st.integers(min_value=2, max_value=999), st.integers(min_value=2, max_value=999))
def test_a_changed_amount_is_always_a_veto(one: int, other: int) -> None:
    veto = likeness(said(f"refund of {one} euros"), wanted(f"refund of {other} euros")).veto
    assert (veto == "numbers") == (one != other)
