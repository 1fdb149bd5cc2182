"""Expensive patterns are tried only where they can match: that spares work and changes no verdict."""

import re

import pytest

from pipeline.normalise import normalised
from pipeline.sensitive import recognisers
from pipeline.sensitive.nearby import ByTrigger
from pipeline.sensitive.phrases import PHRASES
from tests.unit.gate_lines import labelled

FILES = ("gate_texts.jsonl", "gate_variants.jsonl", "gate_unseen.jsonl")


def test_rows_are_met_by_any_of_their_triggers_and_always_without_one() -> None:
    digits = re.compile("[0-9]{2}")
    rows = ByTrigger([("card",), (), ("pin ", "code"), ("card", "code"), (digits,)])
    assert rows.met("a card") == [(0, ("card",)), (1, ()), (3, ("card",))]
    assert rows.met("my pin is") == [(1, ()), (2, ("pin ",))]
    assert rows.met("codes 12") == [(1, ()), (2, ("code",)), (3, ("code",)), (4, (digits,))]
    assert rows.met("") == [(1, ())]


@pytest.mark.parametrize("name", FILES)
def test_a_pattern_that_is_not_tried_would_not_have_matched(name: str) -> None:
    patterns = [r for r in recognisers.registry().recognizers if isinstance(r, recognisers.StrictPatternRecognizer)]
    for view in (normalised(row["text"]) for row in labelled(name) if "text" in row):
        asked = recognisers._worth_asking(view.lower)
        for recogniser in patterns:
            text = view.lower if recogniser.reads_lower else view.text
            rows, by_trigger = recogniser._ready
            met = {at for at, _ in by_trigger.met(text)} if recogniser in asked else set()
            left_out = [row for at, row in enumerate(rows) if at not in met and row.compiled.search(text)]
            assert not left_out, (recogniser.name, text)


def test_a_recogniser_that_was_added_is_always_asked() -> None:
    added = recognisers.FunctionRecognizer("own", lambda text: [])
    recognisers.registry().add_recognizer(added)
    try:
        assert added in recognisers._worth_asking("")
    finally:
        recognisers.registry().recognizers.remove(added)


def test_each_phrase_names_its_words() -> None:
    assert all(row.words and all(row.words) for row in PHRASES)
