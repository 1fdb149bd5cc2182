"""`afterword evaluate` as a user meets it."""

import json
from pathlib import Path

import pytest
from commandline import ROOT, CommandLine
from evaluating import EVALUATION, replies, reply_line, tickets
from fake_openai import Request, Said, completion, fake_openai

from worker.cli.evaluate import read_files
from worker.evaluation import report as reporting
from worker.evaluation.leaks import Log, captured_log
from worker.evaluation.page import page
from worker.settings import read_settings


def lines_of(file: Path) -> list[str]:
    return file.read_text("utf-8").splitlines()


def evaluated(afterword: CommandLine, small: Path, *more: object) -> dict:  # type: ignore[type-arg]
    result = afterword("evaluate", small / "tickets.jsonl", "--replies", small / "replies.jsonl", "--json", *more)
    assert result.code == 0, result.err
    return result.row


def test_a_model_that_answers_as_annotated_scores_1(afterword: CommandLine, small: Path) -> None:
    report = evaluated(afterword, small)
    rates = {name: rate["value"] for name, rate in report["writing"]["rates"].items()}
    assert (rates["precision"], rates["recall"], rates["refusal"], rates["evidence"]) == (1.0, 1.0, 1.0, 1.0)
    assert (rates["updates"], rates["staleness"]) == (1.0, 0.0)
    assert report["leaks"] == []
    assert report["writing"]["counts"]["trapped"] == 0
    assert report["about"]["models"] == ["as annotated"]
    assert report["batch"]["answered"] == report["batch"]["asked"] == 4
    assert list(report["beside"]) == ["rules (offline: finds little)"]
    assert report["controls"]["nothing"]["rates"]["recall"]["value"] == 0.0


def test_missing_extra_and_double_replies_are_reported_and_scored_as_omissions(
    afterword: CommandLine, small: Path
) -> None:
    good = lines_of(small / "replies.jsonl")
    double = next(line for line in good if "A-en-09" in line)
    kept = [line for line in good if "A-zh-13" not in line]
    (small / "replies.jsonl").write_text("\n".join([*kept, double, reply_line("nobody|2-x|0", [])]), "utf-8")
    report = evaluated(afterword, small)
    batch = report["batch"]
    assert [name.split("|")[0] for name in batch["missing"]] == ["A-zh-13"]
    assert [name.split("|")[0] for name in batch["duplicated"]] == ["A-en-09"]
    assert batch["extra"] == ["nobody|2-x|0"]
    by_name = {row["ticket"]: row for row in report["tickets"]}
    assert by_name["A-zh-13"]["fault"] == "reply missing (part 0)"
    assert by_name["A-en-09"]["fault"] == "more than one reply"
    assert len(by_name["A-en-09"]["missed"]) == 4
    assert by_name["A-zh-06"]["missed"] == []


def test_drift_of_the_instructions_is_reported_and_fails_nothing(afterword: CommandLine, small: Path) -> None:
    asked = [json.loads(line) for line in lines_of(small / "requests.jsonl")]
    for row in asked:
        row["body"]["messages"][0]["content"] += "\nAnd be brief."
    (small / "requests.jsonl").write_text("\n".join(map(json.dumps, asked)), "utf-8")
    report = evaluated(afterword, small)
    assert report["batch"]["drift"]["instructions"] == 4
    assert report["writing"]["rates"]["recall"]["value"] == 1.0


def test_a_ticket_that_was_masked_otherwise_is_scored_as_the_model_saw_it(afterword: CommandLine, small: Path) -> None:
    text = (small / "requests.jsonl").read_text("utf-8").replace("以后叫我阿澈就行", "以后叫我<NAME_1>就行")
    (small / "requests.jsonl").write_text(text, "utf-8")
    report = evaluated(afterword, small)
    assert report["batch"]["drifted_tickets"] == ["A-zh-06"]
    row = next(row for row in report["tickets"] if row["ticket"] == "A-zh-06")
    assert [fact["key"] for fact in row["missed"]] == ["salutation"]  # its quote does not stand in what was asked


def test_a_secret_in_the_frozen_requests_is_a_leak(afterword: CommandLine, small: Path) -> None:
    text = (small / "requests.jsonl").read_text("utf-8").replace("everything's on Fly.io", "DE89 3704 0044 0532 013000")
    asked = [json.loads(line) for line in text.splitlines()]
    iban = next(row for row in asked if row["custom_id"].startswith("A-en-07"))
    iban["body"]["messages"][1]["content"] += "\nDE89 3704 0044 0532 013000"
    (small / "requests.jsonl").write_text("\n".join(map(json.dumps, asked)), "utf-8")
    report = evaluated(afterword, small)
    assert [(leak["ticket"], leak["where"]) for leak in report["leaks"]] == [("A-en-07", "prompt")]
    assert "3704" not in json.dumps(report)


def test_two_runs_are_compared_ticket_by_ticket(afterword: CommandLine, small: Path, tmp_path: Path) -> None:
    before = tmp_path / "before.json"
    before.write_text(json.dumps(evaluated(afterword, small)), "utf-8")
    kept = [line for line in lines_of(small / "replies.jsonl") if "A-en-07" not in line]
    (small / "replies.jsonl").write_text("\n".join(kept), "utf-8")
    against = evaluated(afterword, small, "--against", before)["against"]
    assert [(row["ticket"], len(row["lost"]), row["gained"]) for row in against["tickets"]] == [("A-en-07", 4, [])]
    assert against["rates"]["recall"]["before"] == 1.0
    assert against["rates"]["recall"]["now"] < 1.0


def test_the_table_and_the_page_are_made(afterword: CommandLine, small: Path, tmp_path: Path) -> None:
    html = tmp_path / "report.html"
    files = (small / "tickets.jsonl", EVALUATION / "retrieval_pairs.jsonl")
    result = afterword("evaluate", *files, "--replies", small / "replies.jsonl", "--html", html)
    assert result.code == 0
    for word in ("precision", "recall", "refusal", "recall@5", "returning customers", "leaks 0"):
        assert word in result.out
    text = html.read_text("utf-8")
    assert "default-src 'none'" in text
    assert "http:" not in text.replace("http-equiv", "")
    assert "prefers-color-scheme: dark" in text


def test_a_value_cannot_write_into_the_page(afterword: CommandLine, small: Path) -> None:
    report = evaluated(afterword, small)
    report["tickets"][0]["extra"] = [{"key": "k", "value": "<script>alert(1)</script>"}]
    assert "<script>" not in page(report)


def test_requests_hold_masked_text_only(afterword: CommandLine, small: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    result = afterword("evaluate", small / "tickets.jsonl", "--requests", out, "--json")
    assert (result.code, result.row["requests"]) == (0, 4)
    text = out.read_text("utf-8")
    assert "DE89370400440532013000" not in text
    assert {json.loads(line)["url"] for line in text.splitlines()} == {"/v1/chat/completions"}


def test_a_malformed_annotation_ends_with_file_line_and_field(afterword: CommandLine, small: Path) -> None:
    file = small / "tickets.jsonl"
    file.write_text(file.read_text("utf-8").replace('"turn": 8', '"turn": 80', 1), "utf-8")
    result = afterword("evaluate", file)
    assert result.code == 2
    assert "tickets.jsonl: line 1: facts[1].turn: there are 9 messages, counted from 0" in result.err


def test_replies_that_are_no_batch_file_end_with_file_and_line(afterword: CommandLine, small: Path) -> None:
    (small / "replies.jsonl").write_text("no json", "utf-8")
    result = afterword("evaluate", small / "tickets.jsonl", "--replies", small / "replies.jsonl")
    assert (result.code, "replies.jsonl: line 1: is not JSON" in result.err) == (2, True)


def test_a_line_that_is_no_reply_is_named_and_costs_that_line_alone(afterword: CommandLine, small: Path) -> None:
    good = lines_of(small / "replies.jsonl")
    lost = next(line for line in good if "A-en-09" in line)
    kept = [line for line in good if line is not lost]
    odd = ["[]", json.dumps(json.loads(lost) | {"custom_id": "A-en-09"}), reply_line("A-en-09|2-x|" + "9" * 5000, [])]
    (small / "replies.jsonl").write_text("\n".join([*kept, *odd, lost[:100]]), "utf-8")
    report = evaluated(afterword, small)
    bad_id = "custom_id: want name|prompt version|part, as the request file has it"
    assert report["batch"]["unreadable"] == {
        "line 4": "want a JSON object",
        "line 5": bad_id,
        "line 6": bad_id,
        "line 7": "is not JSON",
    }
    assert [name.split("|")[0] for name in report["batch"]["missing"]] == ["A-en-09"]
    by_name = {row["ticket"]: row for row in report["tickets"]}
    assert by_name["A-en-09"]["fault"] == "reply missing (part 0)"
    assert [row["fault"] for name, row in by_name.items() if name != "A-en-09"] == [""] * 3
    said = afterword("evaluate", small / "tickets.jsonl", "--replies", small / "replies.jsonl")
    assert said.code == 0 and "unreadable: line 7: is not JSON" in said.out


def test_a_ticket_without_reply_or_request_is_an_omission(afterword: CommandLine, small: Path) -> None:
    kept = [line for line in lines_of(small / "replies.jsonl") if "A-en-09" not in line]
    (small / "replies.jsonl").write_text("\n".join(kept), "utf-8")
    (small / "requests.jsonl").unlink()
    by_name = {row["ticket"]: row["fault"] for row in evaluated(afterword, small)["tickets"]}
    assert (by_name["A-en-09"], by_name["A-en-07"]) == ("reply missing (part 0)", "")


def test_files_with_a_byte_order_mark_are_read_whole(afterword: CommandLine, small: Path) -> None:
    before = evaluated(afterword, small)
    for name in ("tickets", "requests", "replies"):
        file = small / f"{name}.jsonl"
        file.write_text(file.read_text("utf-8"), "utf-8-sig")
    (small / "earlier.json").write_text(json.dumps(before), "utf-8-sig")
    report = evaluated(afterword, small, "--against", small / "earlier.json")
    assert (report["batch"], report["against"]["rates"]) == (before["batch"], {})


def test_without_a_model_and_replies_it_says_what_is_missing(afterword: CommandLine, small: Path) -> None:
    afterword.setenv("AFTERWORD_EXTRACTOR", "openai")
    result = afterword("evaluate", small / "tickets.jsonl")
    assert (result.code, "OPENAI_API_KEY" in result.err) == (5, True)


def test_pairs_of_query_and_fact_need_no_model_and_all_come_first(afterword: CommandLine) -> None:
    afterword.setenv("AFTERWORD_EXTRACTOR", "openai")
    afterword.setenv("AFTERWORD_EMBEDDER", "use")
    afterword.setenv("AFTERWORD_EMBED_TIMEOUT", "60")
    found = afterword("evaluate", EVALUATION / "retrieval_pairs.jsonl", "--json").row["retrieval"]
    if found["ranked_by"] == ["words"]:
        pytest.skip("needs the extra 'embed'")
    assert {name: of["recall@1"] for name, of in found["by_set"].items()} == {"zh": 1, "en": 1, "zh_query_en_fact": 1}


def test_a_report_of_something_else_is_refused(afterword: CommandLine, small: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.json"
    other.write_text("[1]", "utf-8")
    result = afterword(
        "evaluate", small / "tickets.jsonl", "--replies", small / "replies.jsonl", "--against", other, "--json"
    )
    assert (result.code, "other.json: The file is not a JSON report" in result.err) == (2, True)


def test_the_captured_log_holds_debug_lines_with_their_fields_and_is_let_go() -> None:
    import logging

    with captured_log() as log:
        assert isinstance(log, Log)
        logging.getLogger("worker.evaluation").debug("said", extra={"event": "4111"})
    assert any("4111" in line for line in log.lines)
    logging.getLogger("worker.evaluation").warning("after")
    assert len(log.lines) == 1


def test_drafted_replies_are_judged_with_and_without_the_block(afterword: CommandLine, tmp_path: Path) -> None:
    lines = (EVALUATION / "returning.jsonl").read_text("utf-8").splitlines()
    (tmp_path / "one.jsonl").write_text(lines[0], "utf-8")
    ids = [
        name
        for line in (EVALUATION / "requests.jsonl").read_text("utf-8").splitlines()
        if (name := json.loads(line)["custom_id"]).startswith("R-en-01")
    ]
    asked = [line for line in (EVALUATION / "requests.jsonl").read_text("utf-8").splitlines() if "R-en-01" in line]
    (tmp_path / "requests.jsonl").write_text("\n".join(asked), "utf-8")
    answers = replies(tickets(tmp_path / "one.jsonl"), asked)
    assert len(answers) == len(ids) == 3
    (tmp_path / "replies.jsonl").write_text("\n".join(answers), "utf-8")

    def repeats_the_block(request: Request) -> Said:
        return Said(body=completion(json.dumps({"reply": request["messages"][0]["content"]})))

    with fake_openai(repeats_the_block) as server:
        afterword.setenv("AFTERWORD_EXTRACTOR", "openai")
        afterword.setenv("OPENAI_BASE_URL", server.url)
        result = afterword(
            "evaluate", tmp_path / "one.jsonl", "--replies", tmp_path / "replies.jsonl", "--draft", "--json"
        )
    assert result.code == 0, result.err
    drafts = result.row["drafts"]
    assert (drafts["visits"], drafts["no_reply"]) == (2, 0)
    assert drafts["said_without_memory"] == 0
    assert drafts["said_with_memory"] >= drafts["needed"] // 2


def test_drafting_without_a_model_is_refused(afterword: CommandLine, small: Path) -> None:
    result = afterword("evaluate", small / "tickets.jsonl", "--draft")
    assert (result.code, "--draft wants a model" in result.err) == (2, True)


def test_progress_is_told_of_every_ticket_that_is_read(tmp_path: Path) -> None:
    rows = read_files([ROOT / "tests/data/annotated_tickets.jsonl"])[:2]
    using, heard = read_settings({"AFTERWORD_HOME": str(tmp_path), "AFTERWORD_EXTRACTOR": "rules"}), list[int]()
    reporting.evaluated(using, rows, None, done=heard.append)
    assert sum(heard) == reporting.readings(using, rows, None) == 2
