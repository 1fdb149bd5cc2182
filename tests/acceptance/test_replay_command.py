"""`afterword replay`, as an operator uses it: what it says it would do, what it does, and how it ends."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from commandline import CommandLine
from sqlalchemy import select, update

from store.models import audit, events
from store.replay import begin, left
from store.selection import Selection
from worker import publish as publishing
from worker.cli import replay as command
from worker.cli.opened import opened

BEFORE = {"e-1": "done", "e-2": "done", "e-3": "dead"}


@pytest.fixture
def ended(afterword: CommandLine) -> CommandLine:
    """Three finished tickets: e-1 and e-2 of acme are done, e-3 of globex is dead."""
    for number, tenant in ((1, "acme"), (2, "acme"), (3, "globex")):
        closed_at = (datetime.now(UTC) - timedelta(hours=number)).isoformat()
        named = {"tenant": tenant, "ticket_id": f"T-{number}", "customer_id": "u1", "event_id": f"e-{number}"}
        said = [{"role": "customer", "text": "Please contact me by email, don't call me."}]
        line = json.dumps({**named, "closed_at": closed_at, "messages": said})
        assert afterword("enqueue", stdin=line + "\n").code == 0
    for event_id, state in BEFORE.items():
        _set(event_id, state=state, reason="too_old" if state == "dead" else None)
    return afterword


def _set(event_id: str, **values: Any) -> None:
    with opened() as runtime, runtime.engine.begin() as connection:
        connection.execute(update(events).where(events.c.event_id == event_id).values(**values))


def states() -> dict[str, str]:
    with opened() as runtime, runtime.engine.begin() as connection:
        return {row.event_id: row.state for row in connection.execute(select(events.c.event_id, events.c.state))}


def stopped_job() -> str:
    """A replay of everything that was stopped before it put anything back."""
    with opened() as runtime:
        return begin(runtime.engine, runtime.keys, Selection()).id


def test_a_dry_run_says_how_many_and_which_as_far_as_the_limit(ended: CommandLine) -> None:
    every = ended("replay", "--dry-run", "--json").row
    assert every["replayable"] == 3
    assert [(one["tenant"], one["event_id"], one["state"]) for one in every["events"]] == [
        ("acme", "e-1", "done"),
        ("acme", "e-2", "done"),
        ("globex", "e-3", "dead"),
    ]
    first = ended("replay", "--dry-run", "--limit", 1, "--json").row
    assert (first["replayable"], [one["event_id"] for one in first["events"]]) == (1, ["e-1"])
    assert states() == BEFORE


def test_a_dry_run_tells_people_the_first_ids_of_each_tenant_and_state(
    ended: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "FIRST", 1)
    said = ended("replay", "--dry-run").out.splitlines()
    assert said == [
        "would put back 3; nothing was changed",
        "  acme: 2 done: e-1 and 1 more (all: --json)",
        "  globex: 1 dead: e-3",
    ]


def test_resuming_a_job_as_a_dry_run_or_a_comparison_changes_nothing(ended: CommandLine) -> None:
    job = stopped_job()
    dry = ended("replay", "--resume", job, "--dry-run", "--json")
    assert (dry.code, dry.row["replayable"], len(dry.row["events"])) == (0, 3, 3)
    compared = ended("replay", "--resume", job, "--compare", "--json")
    assert compared.code == 0 and {row["event_id"] for row in compared.rows} == set(BEFORE)
    assert states() == BEFORE
    with opened() as runtime:
        assert left(runtime.engine, job) == 3
    assert ended("replay", "--resume", "0" * 32, "--dry-run").code == 4


def test_what_is_put_back_is_published_and_the_audit_says_by_whom_and_why(
    ended: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    published: list[str] = []
    monkeypatch.setattr(publishing, "publish", lambda _runtime, rows: published.extend(rows))
    why = ("--actor", "kim", "--reason", "new prompt")
    done = ended("replay", "--limit", 1, *why, "--json")
    assert (done.code, done.row["replayed"], done.row["refused"]) == (0, 1, {})
    assert states() == {**BEFORE, "e-1": "pending"}
    with opened() as runtime, runtime.engine.begin() as connection:
        (line,) = connection.execute(select(audit).where(audit.c.action == "replay")).all()
        row_id = connection.execute(select(events.c.id).where(events.c.event_id == "e-1")).scalar_one()
    assert (line.actor, line.note, line.job, line.event) == ("kim", "new prompt", done.row["job"], row_id)
    assert published == [row_id]


def test_a_stopped_job_goes_on_in_steps_no_faster_than_its_rate(
    ended: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[int] = []
    slept: list[float] = []

    def publish(_runtime: object, rows: Sequence[str]) -> None:
        steps.append(len(rows))

    monkeypatch.setattr(publishing, "publish", publish)
    monkeypatch.setattr(command.time, "monotonic", lambda: 0.0)
    monkeypatch.setattr(command.time, "sleep", slept.append)
    done = ended("replay", "--resume", stopped_job(), "--rate", 2, "--json")
    assert (done.code, done.row["replayed"]) == (0, 3)
    assert (steps, slept) == ([2, 1], [1.0])
    assert set(states().values()) == {"pending"}


def test_a_replay_that_refuses_some_ends_with_3_and_one_that_refuses_all_with_5(ended: CommandLine) -> None:
    job = stopped_job()
    _set("e-1", payload=None)
    some = ended("replay", "--resume", job, "--json")
    assert (some.code, some.row["replayed"], some.row["refused"]) == (3, 2, {"payload_gone": 1})
    gone = ended("replay", "--tenant", "acme", "--event", "e-1")
    assert gone.code == 5 and "payload_gone" in gone.err
    assert states()["e-1"] == "done"
