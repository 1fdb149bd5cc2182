"""What the command line says, alike everywhere: numbers, times, names, and what it refuses."""

import json
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import click
import pytest
from commandline import CommandLine

from worker.cli.audit import ACTIONS
from worker.cli.root import COMMANDS, root
from worker.cost import Estimate
from worker.wording import counted, stamp

ROOT = Path(__file__).parents[2]
STATED = (
    "--tenant",
    "acme",
    "--customer",
    "u1",
    "--kind",
    "profile",
    "--key",
    "city",
    "--value",
    "2026-01-01T00:00:00Z",
)


@pytest.mark.parametrize(
    ("number", "said"), [(0, "0 tickets"), (1, "1 ticket"), (2, "2 tickets"), (12_345, "12,345 tickets")]
)
def test_one_thing_is_not_called_many(number: int, said: str) -> None:
    assert counted(number, "tickets") == said


def test_one_that_waits_is_one() -> None:
    assert [counted(n, "tickets wait", one="ticket waits") for n in (1, 2)] == ["1 ticket waits", "2 tickets wait"]


def test_an_estimate_speaks_of_one_call_and_of_less_than_a_cent() -> None:
    little = Estimate(calls=1, prompt_tokens=1_800, reply_tokens=300, dollars=0.0012)
    assert str(little) == "1 model call, 1,800 tokens in, about 300 out: less than $0.01"
    assert str(Estimate(calls=2, dollars=0.0)).endswith("about $0.00")


def test_no_sentence_puts_a_bare_number_before_a_plural() -> None:
    bare = re.compile(r"\{[^{}]*\} (tickets|customers|lines|facts|rows|requests|model calls|statements|messages)\b")
    said = ("say(", "warn(", "Stop(", "Health.", "says = ")
    found = [
        f"{path.name}: {line.strip()}"
        for path in [
            *(ROOT / "worker" / "cli").glob("*.py"),
            ROOT / "worker" / "doctor.py",
            ROOT / "worker" / "cost.py",
        ]
        if path.name != "evaluate.py"
        for line in path.read_text("utf-8").splitlines()
        if any(start in line for start in said)
        and bare.search(line)
        and "begin with" not in line
        and "BATCH_LIMIT" not in line
    ]
    assert found == []


def test_every_time_that_people_read_has_one_form_and_a_value_is_left_alone(afterword: CommandLine) -> None:
    assert (
        afterword("remember", *STATED, "--source", "system", "--observed-at", "2026-11-01T10:00:00.123456+08:00").code
        == 0
    )
    (fact,) = afterword("facts", "list", "--tenant", "acme", "--customer", "u1", "--json").rows
    shown = afterword("facts", "show", fact["id"], "--tenant", "acme", "--customer", "u1").out
    assert "2026-11-01T02:00:00Z" in shown
    times = re.findall(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d\S*", shown)
    assert [one for one in times if not re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", one)] == []
    assert stamp(datetime(2026, 11, 1, 10, tzinfo=UTC) + timedelta(microseconds=5)) == "2026-11-01T10:00:00Z"


@pytest.mark.parametrize("verb", [("replay", "--dry-run"), ("events", "list"), ("audit", "list", "--tenant", "acme")])
def test_a_reason_code_that_there_is_not_is_refused(afterword: CommandLine, verb: tuple[str, ...]) -> None:
    done = afterword(*verb, "--reason-code", "invalid_replay")
    assert done.code == 2 and "did you mean invalid_reply?" in done.err
    assert "Reason codes" in afterword(*verb, "--reason-code", "zzz").err
    assert afterword(*verb, "--reason-code", "invalid_reply").code in (0, 4)


def test_an_action_that_there_is_not_is_refused_with_those_that_there_are(afterword: CommandLine) -> None:
    done = afterword("audit", "list", "--tenant", "acme", "--action", "wrote")
    assert done.code == 2 and all(action in done.err for action in ACTIONS)


def test_every_action_that_the_code_writes_can_be_asked_for() -> None:
    sources = [path.read_text("utf-8") for part in ("store", "worker") for path in (ROOT / part).rglob("*.py")]
    written = {name for text in sources for name in re.findall(r'\baction="([a-z_]+)"', text)}
    assert written | {"opt_in", "pause", "resume", "drain"} == set(ACTIONS)


def test_a_name_within_a_tenant_wants_the_tenant_and_is_told_so_once(afterword: CommandLine) -> None:
    done = afterword("events", "list", "--ticket", "K-1")
    assert done.code == 2 and done.err.count("tenant too") == 1


def test_no_help_is_cut_off() -> None:
    context = click.Context(root)
    for name in COMMANDS:
        command = root.get_command(context, name)
        if isinstance(command, click.Group):
            told = command.get_help(click.Context(command, terminal_width=80)).split("Commands:")[1]
            assert "..." not in told, name


def test_the_readme_names_every_part_of_an_export(afterword: CommandLine) -> None:
    document = json.loads(afterword("export", "--tenant", "acme", "--customer", "u1").out)
    told = (ROOT / "README.md").read_text("utf-8").split("### What an export holds")[1].split("##")[0]
    assert [name for name in document if f"`{name}`" not in told] == []
