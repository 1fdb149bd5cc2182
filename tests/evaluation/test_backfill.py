"""Old tickets in bulk: as a batch file, through its replies, and live."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from commandline import CommandLine, Result
from evaluating import contact_fact, reply_line
from world import closed_ticket

TEXT = "E-mail only from now on, please."


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """Three old tickets: two that say something, one that only thanks."""
    events = [
        closed_ticket(TEXT, ticket_id="T1", customer="c-1", closed_at="2024-05-01T10:00:00+00:00"),
        closed_ticket(TEXT, "My card is 4111 1111 1111 1111.", ticket_id="T2", customer="c-2"),
        closed_ticket("Thanks, bye!", ticket_id="T3", customer="c-3"),
    ]
    file = tmp_path / "old.jsonl"
    file.write_text("".join(event.model_dump_json() + "\n" for event in events), "utf-8")
    return file


def answered(requests: Path, replies: Path, *, only: Sequence[int] = (0, 1)) -> Path:
    ids = [json.loads(line)["custom_id"] for line in requests.read_text("utf-8").splitlines()]
    lines = [
        reply_line(name, [contact_fact("E-mail only from now on", "e-mail only")])
        for n, name in enumerate(ids)
        if n in only
    ]
    replies.write_text("\n".join(lines), "utf-8")
    return replies


def asked(afterword: CommandLine, old: Path, tmp_path: Path) -> Path:
    out = tmp_path / "requests.jsonl"
    result = afterword("backfill", old, "--requests", out, "--json")
    assert result.code == 0, result.err
    return out


def live(afterword: CommandLine, customer: str) -> list[dict[str, Any]]:
    return afterword("facts", "list", "--tenant", "acme", "--customer", customer, "--json").rows


def forget(afterword: CommandLine, customer: str) -> Result:
    return afterword("forget", "--tenant", "acme", "--customer", customer, "--yes", "--json")


def test_a_forget_names_the_batch_files_that_are_still_there(afterword: CommandLine, old: Path, tmp_path: Path) -> None:
    assert forget(afterword, "nobody").row["files"] == []
    out = asked(afterword, old, tmp_path)
    (left,) = forget(afterword, "lin").row["files"]
    assert (left["path"], left["kept_until"] is None) == (str(out), False)
    said = afterword("forget", "--tenant", "acme", "--customer", "lin", "--yes").out
    assert f"\n  {out} (a purge after {left['kept_until'][:10]} deletes it)\n" in said
    out.unlink()
    assert "batch files" not in afterword("forget", "--tenant", "acme", "--customer", "lin", "--yes").out


def test_requests_are_masked_and_name_no_customer_and_nothing_is_remembered(
    afterword: CommandLine, old: Path, tmp_path: Path
) -> None:
    out = tmp_path / "requests.jsonl"
    result = afterword("backfill", old, "--requests", out, "--json")
    assert result.row["requests"] == 2
    assert result.row["estimate"]["dollars"] > 0
    text = out.read_text("utf-8")
    assert "4111" not in text
    assert not any(name in text for name in ("c-1", "c-2", "T1", "acme"))
    assert out.stat().st_mode & 0o077 == 0
    assert live(afterword, "c-1") == []


def test_replies_become_facts_of_the_time_when_the_ticket_closed(
    afterword: CommandLine, old: Path, tmp_path: Path
) -> None:
    replies = answered(asked(afterword, old, tmp_path), tmp_path / "replies.jsonl")
    result = afterword("backfill", old, "--replies", replies, "--json")
    assert (result.code, result.row["tickets"]) == (0, {"done": 3})
    (fact,) = live(afterword, "c-1")
    assert (fact["value"], fact["valid_from"]) == ("e-mail only", "2024-05-01T10:00:00+00:00")


def test_a_run_that_was_stopped_goes_on_and_a_second_one_changes_nothing(
    afterword: CommandLine, old: Path, tmp_path: Path
) -> None:
    requests = asked(afterword, old, tmp_path)
    first = afterword("backfill", old, "--replies", answered(requests, tmp_path / "r1.jsonl", only=[0]), "--json")
    assert (first.code, first.row["tickets"]) == (3, {"done": 2, "omitted": 1})
    assert len(first.row["replies"]["missing"]) == 1
    rest = afterword("backfill", old, "--replies", answered(requests, tmp_path / "r2.jsonl"), "--json")
    assert (rest.code, rest.row["tickets"]) == (0, {"known": 2, "done": 1})
    again = afterword("backfill", old, "--replies", tmp_path / "r2.jsonl", "--json")
    assert (again.code, again.row["tickets"]) == (0, {"known": 3})
    assert len(live(afterword, "c-2")) == 1


def test_requests_are_written_only_for_what_the_inbox_does_not_hold(
    afterword: CommandLine, old: Path, tmp_path: Path
) -> None:
    requests = asked(afterword, old, tmp_path)
    afterword("backfill", old, "--replies", answered(requests, tmp_path / "r.jsonl", only=[0]))
    result = afterword("backfill", old, "--requests", tmp_path / "more.jsonl", "--json")
    assert result.row["requests"] == 1


def test_marked_files_are_read_whole_and_a_line_that_is_no_reply_is_named(
    afterword: CommandLine, old: Path, tmp_path: Path
) -> None:
    old.write_text(old.read_text("utf-8"), "utf-8-sig")
    replies = answered(asked(afterword, old, tmp_path), tmp_path / "replies.jsonl")
    replies.write_text(replies.read_text("utf-8") + '\n{"custom_id": "cut o', "utf-8-sig")
    result = afterword("backfill", old, "--replies", replies, "--json")
    assert (result.code, result.row["tickets"], result.row["invalid"]) == (3, {"done": 3}, 0)
    assert result.row["replies"]["unreadable"] == {"line 3": "is not JSON"}
    assert live(afterword, "c-1")


def test_a_customer_who_was_forgotten_meanwhile_stays_forgotten(
    afterword: CommandLine, old: Path, tmp_path: Path
) -> None:
    replies = answered(asked(afterword, old, tmp_path), tmp_path / "replies.jsonl")
    assert forget(afterword, "c-1").code == 0
    result = afterword("backfill", old, "--replies", replies, "--json")
    assert result.row["tickets"] == {"erased": 1, "done": 2}
    assert live(afterword, "c-1") == []


def test_no_request_is_written_about_a_customer_who_was_forgotten(
    afterword: CommandLine, old: Path, tmp_path: Path
) -> None:
    forget(afterword, "c-1")
    assert len(asked(afterword, old, tmp_path).read_text("utf-8").splitlines()) == 1


def test_a_batch_file_is_searched_by_erasures_verify(afterword: CommandLine, old: Path, tmp_path: Path) -> None:
    requests = asked(afterword, old, tmp_path)
    forget(afterword, "c-1")
    found = afterword(
        "erasures", "verify", "--tenant", "acme", "--customer", "c-1", "--value", "E-mail only from now on", "--json"
    )
    assert (found.code, [trace["where"] for trace in found.row["traces"]]) == (1, [str(requests)])
    requests.unlink()
    clean = afterword(
        "erasures", "verify", "--tenant", "acme", "--customer", "c-1", "--value", "E-mail only from now on"
    )
    assert clean.code == 0, clean.out


def test_what_costs_more_than_the_ceiling_is_refused_before_anything_is_written(
    afterword: CommandLine, old: Path, tmp_path: Path
) -> None:
    out = tmp_path / "requests.jsonl"
    result = afterword("backfill", old, "--requests", out, "--max-cost", "0.00001")
    assert (result.code, out.exists()) == (5, False)
    assert "--limit" in result.err


def test_a_ceiling_without_a_price_is_refused(afterword: CommandLine, old: Path, tmp_path: Path) -> None:
    afterword.setenv("AFTERWORD_MODEL", "model-of-my-own")
    result = afterword("backfill", old, "--max-cost", "1")
    assert (result.code, "--price" in result.err) == (1, True)
    assert afterword("backfill", old, "--max-cost", "1", "--price", "0.1,0.2", "--json").row["handed_in"] == 3


def test_live_it_says_the_cost_first_and_hands_in_only_on_a_yes(afterword: CommandLine, old: Path) -> None:
    shown = afterword("backfill", old, "--json")
    assert (shown.code, shown.row["handed_in"], shown.row["tickets"]) == (0, 0, 3)
    done = afterword("backfill", old, "--yes", "--json")
    assert done.row["handed_in"] == 3
    assert [row["state"] for row in afterword("events", "list", "--json").rows] == ["pending"] * 3
    assert afterword("backfill", old, "--yes", "--json").row["handed_in"] == 0


def test_its_help_says_that_a_ceiling_hands_in_without_a_yes(afterword: CommandLine, old: Path) -> None:
    told = " ".join(afterword("backfill", "--help").out.split())
    assert "Hand in live without a --max-cost. With neither, only the cost is said." in told
    assert afterword("backfill", old, "--max-cost", "20", "--json").row["handed_in"] == 3


def test_a_line_that_is_no_ticket_is_named_and_the_rest_goes_on(
    afterword: CommandLine, old: Path, tmp_path: Path
) -> None:
    old.write_text("{}\n" + old.read_text("utf-8"), "utf-8")
    result = afterword("backfill", old, "--requests", tmp_path / "out.jsonl", "--json")
    assert (result.code, result.row["requests"], result.row["invalid"]) == (3, 2, 1)
    assert "old.jsonl: line 1: " in result.err


def test_a_ticket_that_waits_in_the_inbox_is_answered_by_its_reply(
    afterword: CommandLine, old: Path, tmp_path: Path
) -> None:
    replies = answered(asked(afterword, old, tmp_path), tmp_path / "replies.jsonl")
    assert afterword("enqueue", old, "--backfill").code == 0
    result = afterword("backfill", old, "--replies", replies, "--json")
    assert (result.code, result.row["tickets"]) == (0, {"done": 3})
    assert len(live(afterword, "c-1")) == 1
