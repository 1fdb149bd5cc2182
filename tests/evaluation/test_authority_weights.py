"""The weights of gate 7's scorer come from the labelled lines and from nothing else."""

import pytest

from pipeline.authority import judge_authority
from pipeline.authority_score import written
from tests.evaluation.authority_weights import OUT, Line, learned, lines
from tests.tickets import lines_of

LINES = lines()


def test_the_same_lines_give_the_same_weights_to_the_last_byte() -> None:
    assert written(learned(LINES)) == OUT.read_text("utf-8")


def test_the_weights_are_few_enough_to_be_shipped() -> None:
    assert OUT.stat().st_size < 1_500_000


def test_no_line_is_labelled_both_ways() -> None:
    labels: dict[str, bool] = {}
    assert [
        line.text for line in LINES if labels.setdefault(line.text.casefold(), line.refuse) is not line.refuse
    ] == []


@pytest.mark.parametrize("name", ["authority_unseen.jsonl", "authority_held.jsonl", "authority_late.jsonl"])
def test_no_unseen_line_is_trained_on(name: str) -> None:
    assert {row["text"] for row in lines_of(name)} & {line.text for line in LINES} == set()


def _share_refused(told: list[Line]) -> float:
    return sum(not judge_authority(line.text).passed for line in told) / len(told)


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize(
    ("source", "least", "most"), [("rules", 1.0, 0.05), ("independent", 0.9, 0.03), ("written", 0.84, 0.02)]
)
def test_seen_lines_are_mostly_judged_as_labelled(source: str, lang: str, least: float, most: float) -> None:
    told = [line for line in LINES if line.source == source and line.lang == lang]
    assert _share_refused([line for line in told if line.refuse]) >= least
    assert _share_refused([line for line in told if not line.refuse]) <= most


@pytest.mark.parametrize(
    ("name", "lang", "least", "most"),
    [
        ("authority_unseen.jsonl", "en", 0.7, 0.04),
        ("authority_unseen.jsonl", "zh", 0.7, 0.04),
        ("authority_held.jsonl", "en", 0.85, 0.02),
        ("authority_held.jsonl", "zh", 0.8, 0.02),
        ("authority_late.jsonl", "en", 0.7, 0.02),
        ("authority_late.jsonl", "zh", 0.72, 0.02),
    ],
)
def test_unseen_lines_are_judged_no_worse_than_the_readme_says(name: str, lang: str, least: float, most: float) -> None:
    rows = [row for row in lines_of(name) if row["lang"] == lang]
    told = [Line(source="", lang=lang, refuse=r["expect"] == "refuse", text=r["text"]) for r in rows]
    assert _share_refused([line for line in told if line.refuse]) >= least
    assert _share_refused([line for line in told if not line.refuse]) <= most
