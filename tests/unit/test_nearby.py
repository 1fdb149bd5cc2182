"""Expensive patterns are tried only where they can match: that spares work and changes no verdict."""

import pytest

from pipeline.normalise import normalised
from pipeline.sensitive import recognisers
from pipeline.sensitive.nearby import ByWord, flattened
from pipeline.sensitive.phrases import PHRASES
from tests.unit.gate_lines import labelled

FILES = ("gate_texts.jsonl", "gate_variants.jsonl", "gate_unseen.jsonl")


def test_rows_are_met_by_any_of_their_words_and_always_without_words() -> None:
    rows = ByWord([("card",), (), ("pin ", "code"), ("card", "code")])
    assert rows.met("a card") == [0, 1, 3]
    assert rows.met("my pin is") == [1, 2]
    assert rows.met("codes") == [1, 2, 3]
    assert rows.met("") == [1]


@pytest.mark.parametrize("name", FILES)
def test_a_pattern_that_is_not_tried_would_not_have_matched(name: str) -> None:
    patterns = [r for r in recognisers.registry().recognizers if isinstance(r, recognisers.StrictPatternRecognizer)]
    for text in (normalised(row["text"]).lower for row in labelled(name) if "text" in row):
        for recogniser in patterns:
            rows, by_word = recogniser._ready
            met = by_word.met(flattened(text))
            left_out = [row for at, row in enumerate(rows) if at not in met and row.compiled.search(text)]
            assert not left_out, (recogniser.name, text)


def test_each_phrase_names_its_words() -> None:
    assert all(row.words and all(row.words) for row in PHRASES)
