"""The offline extractor: plain statements only, always in the customer's words, and rather nothing than wrong."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.catalogue import load_catalogue
from pipeline.gates import judge_all
from pipeline.policy import FLOOR
from pipeline.rules import NAME, propose
from tests.tickets import lines_of, ticket, transcript

CATALOGUE = load_catalogue()


def found(*said: str | tuple[str, str]) -> dict[str, str]:
    of = transcript(*said)
    judged = judge_all(propose(of, catalogue=CATALOGUE), of, catalogue=CATALOGUE, policy=FLOOR)
    return {one.candidate.key: one.candidate.value for one in judged if one.verdict.passed}


@pytest.mark.parametrize(
    ("said", "facts"),
    [
        ("please contact me by email, don't call", {"contact_channel": "email", "contact_avoid": "don't call"}),
        ("以后发邮件，别打电话", {"contact_channel": "邮件", "contact_avoid": "别打电话"}),
        ("我们在苏州", {"city": "苏州"}),
        ("we're in Rotterdam", {"city": "Rotterdam"}),
        ("I live in Texas", {"region": "Texas"}),
        ("Please call me Max from now on.", {"salutation": "Max"}),
        ("以后叫我阿澈就行", {"salutation": "阿澈"}),
        ("reply in English please", {"language": "English"}),
        ("请用英文回复", {"language": "英文"}),
        (
            "发票抬头：北京星河科技有限公司，以后都开专票",
            {"invoice_title": "北京星河科技有限公司", "invoice_type": "专票"},
        ),
        ("our plan is Business", {"plan": "Business"}),
        ("我们是旗舰版", {"plan": "旗舰版"}),
        ("The export still fails with error E-4012", {"open_issue": "The export still fails with error E-4012"}),
        ("our service runs on Node 22", {"runtime": "Node 22"}),
        ("We moved to Vercel", {"hosting": "Vercel"}),
        ("我是财务经理", {"role": "财务经理"}),
    ],
)
def test_a_plain_statement_is_found(said: str, facts: dict[str, str]) -> None:
    assert found(said) == facts


@pytest.mark.parametrize(
    "said",
    [
        "I used to be in Berlin",
        "my boss is in Paris",
        "please don't reply in German",
        "we are in trouble",
        "call me back",
        "We might be on Vercel next year",
        "Do you reply in Spanish?",
        "just this once please email me",
        "请不要用英文回复",
        "我老公在上海",
        "我们可能在苏州",
        "如果在苏州就好了",
        "> we're in Oslo",
        "你们在北京吗",
        "I am in Love",
        "the plan is to go",
    ],
)
def test_what_is_not_plainly_stated_is_left_alone(said: str) -> None:
    assert found(said) == {}


def test_a_later_correction_wins() -> None:
    assert found("We're in Oslo", ("agent", "ok"), "I mean, we're in Bergen") == {"city": "Bergen"}


def test_the_agents_words_are_never_read() -> None:
    assert found(("agent", "we're in Oslo"), "ok") == {}


@pytest.mark.parametrize("row", lines_of("annotated_tickets.jsonl"), ids=lambda row: row["dialogue_id"])
def test_in_the_annotated_tickets_it_finds_no_trap_and_no_sensitive_value(row: dict[str, object]) -> None:
    of = ticket(row)  # type: ignore[arg-type]
    judged = judge_all(propose(of, catalogue=CATALOGUE), of, catalogue=CATALOGUE, policy=FLOOR)
    kept = [one.candidate for one in judged if one.verdict.passed and one.candidate.key != "plan"]
    for trap in row["traps"]:  # type: ignore[attr-defined]
        hit = [c for c in kept if trap["text"] in c.value and not re.search(trap.get("allow_if", "(?!)"), c.value)]
        assert not [
            c for c in hit if trap["match"] == "contains" or (c.value == trap["text"] and c.key == trap.get("key"))
        ]
    for text in row["must_not_store"]:  # type: ignore[attr-defined]
        assert not any(text in quote.text for one in kept for quote in one.quotes)


def test_its_name_says_what_it_is() -> None:
    assert "offline" in NAME
    assert "little" in NAME


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=120))
def test_every_quote_is_the_customers_own(text: str) -> None:
    for one in propose(transcript(text), catalogue=CATALOGUE):
        assert all(quote.text in text for quote in one.quotes)
