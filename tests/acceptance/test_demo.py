"""The demonstration, as a newcomer runs it: in a process of its own, with nothing set up."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import psutil
import pytest

TIMEOUT = 120
DIALOGUES = [
    {"dialogue_id": "d-1", "messages": [{"role": "user", "content": "Please contact me by email, don't call me."}]},
    {"dialogue_id": "d-2", "messages": [{"role": "user", "content": "Thanks, bye!"}]},
    {"dialogue_id": "d-3", "messages": [{"role": "user", "content": "my card is 4111 1111 1111 1111 canary-2210"}]},
]


def environ(home: Path) -> dict[str, str]:
    kept = {name: text for name, text in os.environ.items() if not name.startswith(("AFTERWORD_", "OPENAI_"))}
    return {**kept, "AFTERWORD_HOME": str(home), "PYTHONPATH": str(Path(__file__).parents[2])}


def command(*args: object) -> list[str]:
    return [sys.executable, "-c", "from worker.cli import main; main()", *map(str, args)]


def run(home: Path, *args: object) -> tuple[int, list[dict[str, Any]]]:
    done = subprocess.run(
        command(*args, "--json"), env=environ(home), capture_output=True, text=True, timeout=TIMEOUT, check=False
    )
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()]


def children_of(home: Path) -> list[int]:
    """Processes that were started for this HOME and still run."""
    found = []
    for process in psutil.process_iter():
        try:
            ours = process.environ().get("AFTERWORD_HOME") == str(home)
            named = any(str(home) in word for word in process.cmdline())  # Redis writes its title over its environment
            if (ours or named) and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process.pid)
        except (psutil.NoSuchProcess, psutil.AccessDenied):
            continue
    return found


def decisions(rows: list[dict[str, Any]], ticket: str) -> set[tuple[str, str, str]]:
    told = next(row["ticket"] for row in rows if row.get("ticket", {}).get("ticket") == ticket)
    return {(one["outcome"], one["reason"], one["what"]) for one in told["decisions"]}


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[dict[str, Any]]]:
    """The story, run once."""
    home = tmp_path_factory.mktemp("demo") / "home"
    code, rows = run(home, "demo")
    assert code == 0
    return home, rows


def test_the_story_teaches_refuses_corrects_forgets_and_recalls(told: tuple[Path, list[dict[str, Any]]]) -> None:
    _, rows = told
    assert ("ADD", "new", "contact_channel = email") in decisions(rows, "T-1001")
    assert ("REJECT", "system_owned", "plan") in decisions(rows, "T-1001")
    assert ("UPDATE", "newer", "contact_channel = Slack") in decisions(rows, "T-1003")
    assert [row["statement"]["reason"] for row in rows if "statement" in row] == ["new", "forbidden_key"]
    masked = next(row["ticket"]["masked"] for row in rows if row.get("ticket", {}).get("ticket") == "T-1002")
    assert masked["payment card"] == 1
    forgotten = next(row["forgotten"] for row in rows if "forgotten" in row)
    assert forgotten["customer"] == "lin" and forgotten["facts"] >= 2
    recalled = {fact["key"]: fact["value"] for fact in next(row["recall"] for row in rows if "recall" in row)["facts"]}
    assert recalled["contact_channel"] == "Slack" and recalled["plan"] == "Business, yearly"


def test_the_last_line_is_a_summary_that_reconciles(told: tuple[Path, list[dict[str, Any]]]) -> None:
    _, rows = told
    events = rows[-1]["events"]
    assert events == {"accepted": 5, "done": 4, "dead": 0, "erased": 1}
    assert rows[-1]["extractor"] == "rules (offline: finds little)"


def test_one_customer_stays_remembered_for_the_next_command(told: tuple[Path, list[dict[str, Any]]]) -> None:
    home, _ = told
    code, (recalled,) = run(home, "recall", "--tenant", "demo", "--customer", "maria")
    assert code == 0 and "Slack" in recalled["block"]


def test_all_that_was_started_is_stopped(told: tuple[Path, list[dict[str, Any]]]) -> None:
    home, _ = told
    assert children_of(home) == []


def test_a_file_of_dialogues_goes_through_twice_and_the_second_time_says_duplicate(tmp_path: Path) -> None:
    home, path = tmp_path / "home", tmp_path / "dialogues.jsonl"
    path.write_text("\n".join(map(json.dumps, DIALOGUES)) + "\n{broken\n")
    code, rows = run(home, "demo", path)
    assert code == 3  # one line was no ticket
    assert rows[-1]["events"] == {"accepted": 3, "done": 3, "dead": 0, "erased": 0}
    _, again = run(home, "demo", path)
    assert again[-1]["lines"] == {"duplicate": 3, "invalid": 1}
    for place in [home / "afterword.db", home / "afterword.db-wal", *(home / "run").glob("*.log")]:
        raw = place.read_bytes() if place.exists() else b""
        assert b"canary-2210" not in raw and b"4111" not in raw, place


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_what_was_started_stops_also_on_ctrl_c_and_on_a_crash(tmp_path: Path, number: signal.Signals) -> None:
    home = tmp_path / "home"
    process = subprocess.Popen(
        command("up"), env={**environ(home), "AFTERWORD_EXTRACTOR": "rules"}, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout and any("running:" in line for line in process.stdout)
    assert len(children_of(home)) >= 5  # itself, Redis, worker, quarantine, beat
    process.send_signal(number)
    process.wait(TIMEOUT)
    deadline = time.monotonic() + 30
    while children_of(home) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert children_of(home) == []
