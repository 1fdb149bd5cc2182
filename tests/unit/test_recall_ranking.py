"""The order in which facts are told, and the three laws that it obeys."""

from dataclasses import replace
from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st
from remembering import day, observed

from pipeline.facts import Fact, Source
from pipeline.fold import SlotRules, fold
from pipeline.kinds import Kind
from pipeline.ranking import BOOST, ranked, score
from pipeline.relevance import relevance

sources = st.sampled_from(list(Source))
kinds = st.sampled_from(list(Kind))
ages = st.floats(0, 4_000, allow_nan=False)
shares = st.floats(0, 1, allow_nan=False)
NOW = day(4_000)


def fact_of(value: str = "Oslo", **given_fields: object) -> Fact:
    (fact,) = fold([observed(value)], SlotRules()).facts
    return replace(fact, **given_fields)  # type: ignore[arg-type]


facts = st.builds(
    lambda source, kind, age, importance: fact_of(
        source=source, kind=kind, importance=importance, confirmed_at=NOW - timedelta(days=age)
    ),
    sources,
    kinds,
    ages,
    shares,
)


@given(facts, ages, st.none() | shares)
def test_newer_never_scores_lower(fact: Fact, earlier: float, found: float | None) -> None:
    older = replace(fact, confirmed_at=fact.confirmed_at - timedelta(days=earlier))
    assert score(fact, now=NOW, relevance=found).total >= score(older, now=NOW, relevance=found).total


@given(facts, sources, st.none() | shares)
def test_a_stronger_source_never_scores_lower(fact: Fact, source: Source, found: float | None) -> None:
    other = replace(fact, source=source)
    strong, weak = (fact, other) if fact.source.rank >= source.rank else (other, fact)
    assert score(strong, now=NOW, relevance=found).total >= score(weak, now=NOW, relevance=found).total


@given(st.lists(facts, min_size=1, max_size=6), st.none() | shares)
def test_a_score_does_not_depend_on_its_neighbours(neighbours: list[Fact], found: float | None) -> None:
    known = [replace(fact, id=str(n)) for n, fact in enumerate(neighbours)]
    relevances = None if found is None else {fact.id: found for fact in known}
    alone = [ranked([fact], now=NOW, relevances=relevances)[0] for fact in known]
    assert sorted(ranked(known, now=NOW, relevances=relevances), key=lambda s: s.fact.id) == alone


@given(facts, facts, shares, shares)
def test_a_relevance_that_is_greater_by_more_than_the_boost_always_wins(
    one: Fact, other: Fact, low: float, high: float
) -> None:
    if high > low + BOOST:
        assert score(one, now=NOW, relevance=high).total >= score(other, now=NOW, relevance=low).total


@given(facts, st.none() | shares)
def test_a_score_comes_in_parts_between_nothing_and_one(fact: Fact, found: float | None) -> None:
    parts = score(fact, now=NOW, relevance=found)
    assert all(0 <= part <= 1 for part in (parts.importance, parts.recency, parts.trust))
    assert parts.total <= 1 + BOOST


def test_half_of_the_weight_is_left_after_a_half_life() -> None:
    fact = fact_of(kind=Kind.SITUATION, source=Source.SYSTEM, importance=1.0, confirmed_at=NOW - timedelta(days=30))
    assert round(score(fact, now=NOW).total, 9) == 0.5


def test_what_comes_from_the_future_is_new_and_no_more() -> None:
    fact = fact_of(confirmed_at=NOW + timedelta(days=9))
    assert score(fact, now=NOW).recency == 1.0


def test_equal_scores_keep_one_order() -> None:
    known = [fact_of(id=name) for name in "cab"]
    assert [one.fact.id for one in ranked(known, now=NOW)] == ["a", "b", "c"]


# --- relevance by letters -------------------------------------------------------------------------------------------


def test_a_query_finds_its_fact_in_either_language() -> None:
    assert relevance("发票抬头是什么", "发票抬头：上海星澜科技有限公司") > relevance(
        "发票抬头是什么", "联系渠道：企业微信"
    )
    assert relevance("which invoice title", "invoice title: ACME Ltd") > relevance("which invoice title", "plan: Team")


def test_codes_and_numbers_are_found_whole() -> None:
    assert relevance("E4017", "error code: E4017 on login") > relevance("E4017", "error code: E9921 on login")


@given(st.text(max_size=30), st.text(max_size=60))
def test_relevance_lies_between_nothing_and_one(query: str, text: str) -> None:
    assert 0 <= relevance(query, text) <= 1


@given(st.text(max_size=30), st.text(max_size=30), st.text(max_size=30))
def test_saying_more_makes_a_fact_no_less_relevant(query: str, text: str, more: str) -> None:
    assert relevance(query, f"{text} | {more}") >= relevance(query, text)


def test_nothing_asked_finds_nothing() -> None:
    assert relevance(" ?! ", "plan: Team") == 0.0
