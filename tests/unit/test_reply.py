"""The model's reply: what is read, what costs a repair, and what gate 1 gets to see."""

import json
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.reply import UNREADABLE, InvalidReply, parse_reply, repair_messages, reply_schema

FACT: dict[str, Any] = {
    "kind": "preference",
    "key": "contact_channel",
    "value": "e-mail",
    "ended": False,
    "quotes": [{"message": 0, "text": "e-mail me"}],
    "speaker": "customer",
    "about": "customer",
    "lasting": "lasting",
    "until": None,
    "confidence": 0.9,
}


def reply(**change: Any) -> str:
    return json.dumps({"facts": [{**FACT, **change}]})


def test_a_good_reply_becomes_candidates() -> None:
    (one,) = parse_reply(reply(until="2026-11-20"))
    assert (one.key, one.value, one.until) == ("contact_channel", "e-mail", date(2026, 11, 20))
    assert (one.quotes[0].message, one.quotes[0].text) == (0, "e-mail me")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "empty"),
        ("  \n", "empty"),
        ('Here {about billing}: {"facts": []}', "around"),
        ('{"facts": []} Hope this helps!', "around"),
        ('```json\n{"facts": []}\n```', "around"),
        ('{"facts": [{"kind": "pref', "cut off"),
        ('{"facts": [{"kind": "\\u12', "cut off"),
        ("[]", "reply"),
        ("null", "reply"),
        ('{"facts": [{"value": "\\ud83d"}]}', "surrogate"),
        ('{"facts": "secret-7"}', "facts"),
        ('{"secret-7": []}', "facts"),
        ('{"facts": [], "secret-7": 1}', "(unknown field)"),
        ('{"facts": [{"kind": "preference"}]}', "facts[0].key"),
        (reply(confidence="high"), "confidence"),
        (reply(ended="no"), "ended"),
        (reply(quotes=[{"message": "0", "text": "secret-7"}]), "quotes[0].message"),
        ('{"facts": [], "facts": []}', "twice"),
        ('{"facts": [{"confidence": NaN}]}', "number"),
    ],
)
def test_a_reply_that_does_not_fit_names_the_place_and_never_the_content(text: str, problem: str) -> None:
    with pytest.raises(InvalidReply) as caught:
        parse_reply(text)
    assert problem in caught.value.problem
    assert "secret-7" not in str(caught.value)
    assert caught.value.__cause__ is None


def test_nonsense_in_one_fact_leaves_the_others_alive() -> None:
    odd = [{**FACT, "kind": "rule"}, {**FACT, "confidence": 7.0}, {**FACT, "until": "next Friday"}, FACT]
    told = parse_reply(json.dumps({"facts": odd}))
    assert [one.kind for one in told] == ["rule", "preference", "preference", "preference"]
    assert [one.lasting for one in told] == ["lasting", "lasting", UNREADABLE, "lasting"]


def _objects(schema: Any) -> list[dict[str, Any]]:
    if isinstance(schema, list):
        return [found for part in schema for found in _objects(part)]
    if not isinstance(schema, dict):
        return []
    mine = [schema] if schema.get("type") == "object" else []
    return mine + [found for part in schema.values() for found in _objects(part)]


def test_the_schema_is_what_strict_structured_output_accepts() -> None:
    objects = _objects(reply_schema())
    assert len(objects) == 3
    for one in objects:
        assert one["additionalProperties"] is False
        assert sorted(one["required"]) == sorted(one["properties"])


def test_the_schema_and_the_parser_know_the_same_fields() -> None:
    fact = reply_schema()["properties"]["facts"]["items"]
    assert sorted(fact["properties"]) == sorted(FACT)


def test_the_repair_repeats_the_request_and_says_what_was_wrong() -> None:
    asked = [{"role": "system", "content": "s"}, {"role": "user", "content": "u"}]
    again = repair_messages(asked, '{"facts": [', InvalidReply("JSON cut off or malformed"))
    assert again[:2] == asked
    assert [m["role"] for m in again[2:]] == ["assistant", "user"]
    assert "cut off" in again[3]["content"]


@given(st.text(max_size=200))
def test_no_text_raises_anything_else(text: str) -> None:
    try:
        parse_reply(text)
    except InvalidReply as error:
        assert error.problem
