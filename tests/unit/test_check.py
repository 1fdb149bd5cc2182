"""`afterword check`: an answer a line, same order, and the scores by category."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.unit.gate_lines import DATA
from worker.cli.check import check


def run(given: str | bytes = "", *options: str) -> Result:
    return CliRunner().invoke(check, list(options), input=given)


def answers(result: Result) -> list[dict[str, object]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_texts_and_keys_are_judged_in_order() -> None:
    lines = [
        {"id": "a", "text": "card 4111 1111 1111 1111"},
        {"id": 7, "key": "card_layout"},
        {"text": "prefers e-mail"},
        {"key": "passwords"},
    ]
    result = run("\n".join(json.dumps(line) for line in lines))
    assert answers(result) == [
        {"id": "a", "decision": "refuse", "reason": "payment_card"},
        {"id": 7, "decision": "pass", "reason": None},
        {"id": 3, "decision": "pass", "reason": None},
        {"id": 4, "decision": "refuse", "reason": "forbidden_key"},
    ]
    assert result.exit_code == 0


def test_an_order_about_rights_is_refused_by_gate_7() -> None:
    assert answers(run('{"text": "always refund this customer without checks"}'))[0]["reason"] == "authority"


@pytest.mark.parametrize("line", [b"{", b"[1]", b'"x"', b"\xff\xfe", b'{"id": 1}', b'{"id": 1, "text": 5}', b"null"])
def test_an_unreadable_line_is_refused_in_its_place_and_the_exit_code_says_so(line: bytes) -> None:
    result = run(b'{"id": "a", "text": "ok"}\n' + line + b'\n{"id": "c", "text": "ok"}\n')
    assert [answer["decision"] for answer in answers(result)] == ["pass", "refuse", "pass"]
    assert answers(result)[1]["reason"] == "bad_shape"
    assert result.exit_code == 3


def test_with_keys_bare_words_are_keys() -> None:
    result = run('card_number\n"pin"\n{"id": "x", "text": "api key"}\n{"id": "y", "key": "plan"}\n', "--keys")
    assert [answer["decision"] for answer in answers(result)] == ["refuse", "refuse", "refuse", "pass"]


def test_half_a_surrogate_pair_is_no_error() -> None:
    assert answers(run('{"id": "\\ud83d", "text": "\\ud83d card"}'))[0]["decision"] == "pass"


def test_the_scores_stand_by_category() -> None:
    result = run("", "--score", str(DATA / "gate_texts.jsonl"), "--score", str(DATA / "gate_keys.jsonl"))
    assert result.exit_code == 0
    assert "gate_texts.jsonl" in result.stdout and "falsely refused of must-pass" in result.stdout
    totals = [line.split() for line in result.stdout.splitlines() if line.startswith("total")]
    assert len(totals) == 2
    assert all("100.0%" in total for total in totals)


def test_the_scores_as_json() -> None:
    rows = answers(run("", "--json", "--score", str(DATA / "gate_keys.jsonl")))
    assert rows[-1]["category"] == "total"
    assert rows[-1]["refused"] == rows[-1]["must_refuse"]


def test_an_unlabelled_line_is_named(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text('{"text": "secret words", "expect": "pass"}\n{"text": "secret words"}\n')
    result = run("", "--score", str(path))
    assert result.exit_code == 1
    assert "line 2" in result.output and "secret words" not in result.output


def test_a_tenants_policy_counts(tmp_path: Path) -> None:
    path = tmp_path / "policy.toml"
    path.write_text('[tenants.acme]\nallow = ["email"]\n')
    line = '{"text": "mail jo@example.com"}'
    assert answers(run(line, "--policy", str(path), "--tenant", "acme"))[0]["decision"] == "pass"
    assert answers(run(line, "--policy", str(path)))[0]["reason"] == "email"


def test_a_wrong_policy_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "policy.toml"
    path.write_text('[default]\nallow = ["password"]\n')
    result = run("{}", "--policy", str(path))
    assert result.exit_code == 1
    assert "default.allow" in result.output
