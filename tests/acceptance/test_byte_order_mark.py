"""Files as Windows editors save them: a byte order mark, and Windows line ends, lose no line anywhere."""

import json
from pathlib import Path

import pytest
from commandline import CommandLine

from pipeline.catalogue import load_catalogue
from pipeline.policy import load_policy
from pipeline.wire import numbered_lines
from worker.adapters.config import load_hooks

MARK = "\ufeff"
TICKET = {
    "tenant": "acme",
    "ticket_id": "T-1",
    "customer_id": "u1",
    "closed_at": "2026-01-02T09:00:00Z",
    "messages": [{"role": "customer", "text": "Please contact me by email, don't call me."}],
}
STATEMENT = {
    "tenant": "acme",
    "customer": "u1",
    "kind": "profile",
    "key": "city",
    "value": "Oslo",
    "source": "system",
}
TEXT = {"id": "a", "text": "card 4111 1111 1111 1111", "expect": "refuse", "category": "card"}


def marked(row: object) -> str:
    """Two files joined, each with its mark."""
    return f"{MARK}{json.dumps(row)}\r\n" * 2


def test_a_mark_is_no_part_of_a_line_and_a_line_of_nothing_else_is_blank() -> None:
    assert list(numbered_lines([MARK + "a", MARK, "  ", "b" + MARK])) == [(1, "a"), (4, "b" + MARK)]


@pytest.mark.parametrize("from_file", [True, False])
@pytest.mark.parametrize(
    ("words", "row", "column", "answers"),
    [
        (["enqueue", "--json"], TICKET, "outcome", ["accepted", "duplicate"]),
        (["remember", "--json", "--lines"], STATEMENT, "reason", ["new", "same"]),
        (["extract", "--json"], TICKET, "ticket", ["T-1", "T-1"]),
    ],
)
def test_a_marked_file_is_read_whole(
    afterword: CommandLine,
    tmp_path: Path,
    words: list[str],
    row: object,
    column: str,
    answers: list[str],
    from_file: bool,
) -> None:
    (tmp_path / "in.jsonl").write_bytes(marked(row).encode())
    done = afterword(*words, tmp_path / "in.jsonl") if from_file else afterword(*words, "-", stdin=marked(row))
    assert ([line[column] for line in done.rows], done.code) == (answers, 0)


def test_check_reads_and_scores_a_marked_file(afterword: CommandLine, tmp_path: Path) -> None:
    assert [line["reason"] for line in afterword("check", stdin=marked(TEXT)).rows] == ["payment_card"] * 2
    (tmp_path / "labelled.jsonl").write_bytes(marked(TEXT).encode())
    scored = afterword("check", "--json", "--score", tmp_path / "labelled.jsonl")
    assert scored.rows[0]["refused"] == scored.rows[0]["must_refuse"] == 2


def test_marked_settings_files_are_read(tmp_path: Path) -> None:
    (tmp_path / "policy.toml").write_text(f'{MARK}[default]\nrefused_words = ["bananas"]\n', "utf-8")
    assert load_policy(tmp_path / "policy.toml").default.refused_words == ("bananas",)
    catalogue = Path(load_catalogue.__code__.co_filename).with_name("catalogue.toml").read_text("utf-8")
    (tmp_path / "catalogue.toml").write_text(MARK + catalogue, "utf-8")
    assert load_catalogue(tmp_path / "catalogue.toml") == load_catalogue()
    (tmp_path / "hooks.toml").write_text(f'{MARK}[acme.zendesk]\nsecrets = ["s3cret"]\n', "utf-8")
    assert load_hooks(tmp_path / "hooks.toml")
