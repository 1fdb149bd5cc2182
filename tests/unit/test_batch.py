"""The batch file format: what is written is read back, and what is wrong is named."""

import json
from typing import Any

import pytest
from evaluating import reply_line

from worker.batch import Asked, BadBatch, paired, read_replies, read_requests
from worker.batch_files import expire, paths, register_requests, register_searched, request_files
from worker.evaluation.recorded import Recording, checked
from worker.settings import Settings, read_settings

FACT = {
    "kind": "preference",
    "key": "contact_channel",
    "value": "e-mail",
    "ended": False,
    "quotes": [{"message": 0, "text": "e-mail"}],
    "speaker": "customer",
    "about": "customer",
    "lasting": "lasting",
    "until": None,
    "confidence": 0.9,
}


def asked(name: str, part: int = 0) -> Asked:
    return Asked(name=name, part=part, version="2-abc", body={"messages": [{"role": "user", "content": "[0] x: y"}]})


def told(*lines: str) -> Any:
    return read_replies(lines).by_name


def ok(name: str, part: int = 0) -> str:
    return reply_line(f"{name}|2-abc|{part}", [FACT])


def test_requests_are_read_back_as_they_were_written() -> None:
    calls = [asked("a"), asked("b", 1), asked("b", 0)]
    assert read_requests(call.line() for call in calls) == {"a": (calls[0],), "b": (calls[2], calls[1])}


def test_a_name_may_hold_what_the_format_does_not_care_about() -> None:
    call = asked("客户 1/ticket-7")
    assert read_requests([call.line()])["客户 1/ticket-7"] == (call,)


def test_a_reply_gives_candidates_with_model_version_and_cost() -> None:
    found = paired([asked("a")], told(ok("a"))["a"])
    assert [candidate.value for candidate in found.candidates] == ["e-mail"]
    assert (found.model, found.version, found.prompt_tokens, found.fault) == ("as annotated", "2-abc", 1000, "")


def test_the_parts_of_a_ticket_are_one_answer() -> None:
    found = paired([asked("a", 0), asked("a", 1)], told(ok("a", 1), ok("a", 0))["a"])
    assert (len(found.candidates), found.prompt_tokens) == (1, 2000)


ODD = [
    ([], "reply missing (part 0)"),
    ([ok("a"), ok("a")], "more than one reply"),
    ([ok("a"), ok("a", 1)], "a reply to a part that was not asked"),
    ([reply_line("a|2-abc|0", [], response={"status_code": 500, "body": {}})], "no answer (status 500)"),
    ([reply_line("a|2-abc|0", [], response=None)], "no answer (status missing)"),
    ([reply_line("a|2-abc|0", [], error={"message": "x"})], "no answer (status 200)"),
    ([reply_line("a|2-abc|0", [], response={"status_code": 200, "body": {"choices": []}})], "not a chat completion"),
    ([ok("a").replace('"stop"', '"length"')], "refused or cut off"),
    ([ok("a").replace('{\\"facts\\"', 'Sure! {\\"facts\\"')], "invalid reply: text around the JSON object"),
]


@pytest.mark.parametrize(("lines", "fault"), ODD)
def test_what_cannot_be_used_is_an_omission_with_its_reason(lines: list[str], fault: str) -> None:
    found = paired([asked("a")], told(*lines).get("a", []))
    assert (found.candidates, found.fault) == ((), fault)


def test_a_part_that_is_missing_makes_the_whole_ticket_an_omission() -> None:
    assert paired([asked("a", 0), asked("a", 1)], told(ok("a"))["a"]).fault == "reply missing (part 1)"


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("{", "line 1: is not JSON"),
        ("[]", "line 1: want a JSON object"),
        (json.dumps({"custom_id": "a"}), "line 1: custom_id"),
    ],
)
def test_a_file_that_is_none_is_named_by_line(line: str, problem: str) -> None:
    with pytest.raises(BadBatch, match=problem):
        read_replies([line])


def test_missing_extra_and_double_ids_are_all_reported() -> None:
    requests = {name: (asked(name),) for name in ("a", "b", "c", "other")}
    recording = Recording(requests=requests, told=read_replies([ok("a"), ok("b"), ok("b"), ok("nobody"), ok("other")]))
    check = checked(recording, {"a", "b", "c"})
    assert (check.asked, check.answered) == (3, 2)
    assert (check.missing, check.duplicated, check.extra) == (("c|2-abc|0",), ("b|2-abc|0",), ("nobody|2-abc|0",))


# --- the register -----------------------------------------------------------------------------------------------------


@pytest.fixture
def settings(tmp_path: Any) -> Settings:
    return read_settings({"AFTERWORD_HOME": str(tmp_path / "home"), "AFTERWORD_PAYLOAD_DAYS": "7"})


def test_a_request_file_is_searched_until_it_expires_and_then_goes(settings: Settings, tmp_path: Any) -> None:
    from datetime import UTC, datetime, timedelta

    now = datetime(2026, 11, 29, tzinfo=UTC)
    file = tmp_path / "out.jsonl"
    file.write_text("x")
    expires_at = register_requests(settings, file, now=now)
    assert expires_at == now + timedelta(days=7)
    assert paths(settings) == request_files(settings) == [file]
    assert expire(settings, now=expires_at - timedelta(seconds=1)) == 0
    assert expire(settings, now=expires_at) == 1
    assert not file.exists()
    assert paths(settings) == []


def test_a_replies_file_is_searched_and_never_deleted(settings: Settings, tmp_path: Any) -> None:
    from datetime import UTC, datetime

    file = tmp_path / "in.jsonl"
    file.write_text("x")
    register_searched(settings, file)
    register_searched(settings, file)
    assert expire(settings, now=datetime(2099, 1, 1, tzinfo=UTC)) == 0
    assert paths(settings) == [file]
    assert request_files(settings) == []
