"""`replay --compare`: what another model would change, and that nothing is written."""

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from commandline import CommandLine
from evaluating import contact_fact, reply_line
from fake_openai import FakeOpenAI, failing, fake_openai, says
from world import closed_ticket

TEXT = "E-mail only from now on, please. We are in Oslo."


@pytest.fixture
def model() -> Iterator[FakeOpenAI]:
    with fake_openai() as server:
        yield server


@pytest.fixture
def done(afterword: CommandLine, model: FakeOpenAI, tmp_path: Path) -> Path:
    """One finished ticket that said 'e-mail only'; the database's file. From here on a model answers."""
    file = tmp_path / "old.jsonl"
    file.write_text(closed_ticket(TEXT, ticket_id="T1", customer="c-1").model_dump_json() + "\n", "utf-8")
    afterword("backfill", file, "--requests", tmp_path / "requests.jsonl")
    name = json.loads((tmp_path / "requests.jsonl").read_text("utf-8"))["custom_id"]
    line = reply_line(name, [contact_fact("E-mail only from now on", "e-mail only")])
    (tmp_path / "replies.jsonl").write_text(line, "utf-8")
    assert afterword("backfill", file, "--replies", tmp_path / "replies.jsonl").code == 0
    afterword.setenv("AFTERWORD_EXTRACTOR", "openai")
    afterword.setenv("OPENAI_BASE_URL", model.url)
    return tmp_path / "home" / "afterword.db"


def contents(database: Path) -> list[tuple[object, ...]]:
    with sqlite3.connect(database) as connection:
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return [(t, *row) for t in tables if t != "heartbeats" for row in connection.execute(f"SELECT * FROM {t}")]


def city() -> dict[str, object]:
    return contact_fact("We are in Oslo", "Oslo") | {"kind": "profile", "key": "city"}


def test_new_and_withdrawn_facts_are_named_and_nothing_is_written(
    afterword: CommandLine, model: FakeOpenAI, done: Path
) -> None:
    model.answer = says([city()])
    before = contents(done)
    result = afterword("replay", "--tenant", "acme", "--compare", "--json")
    assert result.code == 0, result.err
    changes = [(change["action"], change["key"], change["value"]) for change in result.row["changes"]]
    assert changes == [("ADD", "city", "Oslo"), ("WITHDRAWN", "contact_channel", "e-mail only")]
    assert contents(done) == before


def test_the_same_answer_again_changes_nothing(afterword: CommandLine, model: FakeOpenAI, done: Path) -> None:
    model.answer = says([contact_fact("E-mail only from now on", "e-mail only")])
    result = afterword("replay", "--compare", "--json")
    assert (result.row["changes"], result.row["same"]) == ([], 1)


def test_what_gates_refuse_is_counted_by_reason(afterword: CommandLine, model: FakeOpenAI, done: Path) -> None:
    model.answer = says([contact_fact("never said", "never said")])
    result = afterword("replay", "--compare", "--json")
    assert sum(result.row["refused"].values()) == 1


def test_a_model_that_fails_is_named_and_the_exit_says_partly(
    afterword: CommandLine, model: FakeOpenAI, done: Path
) -> None:
    model.answer = failing
    result = afterword("replay", "--compare", "--json")
    assert (result.code, bool(result.row["fault"])) == (3, True)


def test_a_ceiling_is_kept_and_no_model_is_called(afterword: CommandLine, model: FakeOpenAI, done: Path) -> None:
    result = afterword("replay", "--compare", "--max-cost", "0.0000001")
    assert (result.code, model.requests) == (5, [])


def test_a_selection_that_matches_nothing_says_so(afterword: CommandLine, done: Path) -> None:
    assert afterword("replay", "--tenant", "nobody", "--compare").code == 4
