"""Processes killed with -9 in the middle of what the store does: the next start puts it right.

A child process works on the database and kills itself right before or right after its n-th commit, or when a line of
the erasure ledger is on disk. What the parent then finds must be all or nothing, and the same work must succeed again.
"""

import multiprocessing
import os
import signal
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from inboxing import LEASE, NOW, claimed, done, finished, lose_worker, received, row, ticket
from remembering import DAY_0, KEYS, REF, RULES, content, day, living, observed, recorded, write
from sqlalchemy import Engine, event, func, select

from pipeline.ids import CustomerRef
from store import replay
from store.claim import claim
from store.counts import Counts, counts
from store.engine import open_engine, reading
from store.erase import forget
from store.ledger import Ledger, open_ledger
from store.models import customers, facts
from store.purge import purge
from store.reapply import lines_behind, reapply
from store.retention import Retention
from store.selection import Selection
from store.sweep import due
from store.verify import traces

LATER = DAY_0 + timedelta(days=900)
Work = Callable[[Engine], Any]


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def killed(url: str, work: Work, *, commit: int, after: bool) -> bool:
    """Does `work` in a process of its own that dies right before or after its n-th commit that wrote. Returns whether
    it got that far."""
    process = multiprocessing.get_context("fork").Process(target=_doomed, args=(url, work, commit, after))
    process.start()
    process.join()
    assert process.exitcode in (0, -signal.SIGKILL)
    return process.exitcode != 0


def _doomed(url: str, work: Work, commit: int, after: bool) -> None:
    engine = open_engine(url)
    commits = 0

    @event.listens_for(engine, "commit")
    def _(connection: Any) -> None:
        nonlocal commits
        commits += bool(connection.get_execution_options().get("afterword_writes"))
        if commits == commit and connection.get_execution_options().get("afterword_writes"):
            if after:
                connection.connection.commit() if engine.dialect.name != "sqlite" else _commit_sqlite(connection)
            die()

    work(engine)
    os._exit(0)


def _commit_sqlite(connection: Any) -> None:
    connection.connection.driver_connection.execute("COMMIT")


def story(engine: Engine) -> None:
    for i in range(4):
        write(engine, observed(f"E{i}", 0, key=f"issue_{i}", kind="situation"), now=0)
    write(engine, observed("Oslo", 0), observed("Bergen", 1), observed("Tromsø", 850), now=850)
    done(engine, ticket("1"), ticket("2"))
    received(engine, ticket("3"))


# --- the inbox --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("after", [False, True])
def test_a_batch_is_taken_in_whole_or_not_at_all(database_url: str, engine: Engine, after: bool) -> None:
    batch = [ticket(str(i)) for i in range(50)]
    assert killed(database_url, lambda e: received(e, *batch), commit=1, after=after)
    assert sum(c.accepted for c in counts(engine).values()) == (50 if after else 0)
    answers = received(engine, *batch)
    assert {a.outcome for a in answers} == {"duplicate" if after else "accepted"}
    assert counts(engine)["acme"] == Counts(pending=50)


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("commit", [1, 2])
def test_a_worker_killed_around_claim_or_finish_leaves_a_row_that_can_be_finished(
    database_url: str, engine: Engine, commit: int, after: bool
) -> None:
    row_id = received(engine, ticket("1"))[0].row_id
    assert killed(database_url, lambda e: finished(e, claimed(e, row_id)), commit=commit, after=after)
    states = {(1, False): "pending", (1, True): "processing", (2, False): "processing", (2, True): "done"}
    assert row(engine, row_id).state == states[commit, after]
    lose_worker(engine, row_id)
    due(engine, limit=1, outstanding_limit=1, republish_after=LEASE)
    if held := claim(engine, row_id, lease=LEASE):
        finished(engine, held)
    assert counts(engine)["acme"] == Counts(done=1)


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("commit", [1, 2, 3])
def test_a_replay_that_was_killed_goes_on_where_it_was(
    database_url: str, engine: Engine, commit: int, after: bool
) -> None:
    done(engine, *(ticket(str(i)) for i in range(5)))
    job = replay.begin(engine, KEYS, Selection(tenant="acme"))

    def put_back(e: Engine) -> None:
        while replay.put_back(e, KEYS, job.id, limit=2, actor="ops", now=LATER).left:
            pass

    assert killed(database_url, put_back, commit=commit, after=after)
    put_back_by_then = min(5, 2 * (commit - 1 + after))
    assert counts(engine)["acme"] == Counts(pending=put_back_by_then, done=5 - put_back_by_then)
    assert replay.left(engine, job.id) == 5 - put_back_by_then
    put_back(engine)
    assert counts(engine)["acme"] == Counts(pending=5)


# --- forgetting -------------------------------------------------------------------------------------------------------


class DyingLedger:
    """Dies when its line is on disk, or right before."""

    def __init__(self, ledger: Ledger, *, written: bool) -> None:
        self.ledger = ledger
        self.written = written

    def __getattr__(self, name: str) -> Any:
        return getattr(self.ledger, name)

    def append(self, entries: Any) -> None:
        if self.written:
            self.ledger.append(entries)
        die()


@pytest.mark.parametrize("written", [False, True])
def test_a_kill_between_ledger_line_and_commit_is_put_right_by_the_next_start(
    database_url: str, engine: Engine, tmp_path: Path, written: bool
) -> None:
    story(engine)
    ledger = open_ledger(str(tmp_path / "ledger.jsonl"))
    reapply(engine, KEYS, ledger, rules=RULES)
    dying: Any = DyingLedger(ledger, written=written)
    before = content(recorded(engine))
    assert killed(database_url, lambda e: forgotten(e, dying), commit=99, after=False)
    assert content(recorded(engine)) == before
    assert lines_behind(engine, ledger) == written
    assert reapply(engine, KEYS, ledger, rules=RULES).lines == written
    assert bool(recorded(engine)) != written
    purge(engine, now=LATER, retention=Retention())
    left = traces(engine, KEYS, REF, values=["Tromsø", "ticket-1"], files=[tmp_path / "ledger.jsonl"])
    assert bool(left) != written


def forgotten(engine: Engine, ledger: Ledger) -> None:
    forget(engine, KEYS, ledger, REF, rules=RULES, actor="ops", now=LATER)


@pytest.mark.parametrize("after", [False, True])
def test_a_kill_around_the_commit_of_a_forget_forgets_once_it_starts_again(
    database_url: str, engine: Engine, tmp_path: Path, after: bool
) -> None:
    story(engine)
    ledger = open_ledger(str(tmp_path / "ledger.jsonl"))
    reapply(engine, KEYS, ledger, rules=RULES)
    assert killed(database_url, lambda e: forgotten(e, ledger), commit=1, after=after)
    assert (ledger.last(), lines_behind(engine, ledger)) == (1, not after)
    reapply(engine, KEYS, ledger, rules=RULES)
    with reading(engine) as connection:
        assert connection.execute(select(func.count()).select_from(facts)).scalar_one() == 0
        assert connection.execute(select(func.count()).select_from(customers)).scalar_one() == 0
    assert counts(engine)["acme"] == Counts(erased=3)


def test_a_kill_while_a_ledger_is_begun_or_a_line_is_half_written_loses_no_line(engine: Engine, tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    ledger = open_ledger(str(path))
    forgotten(engine, ledger)
    with path.open("ab") as file:
        file.write(b'{"number": 2, "scope": "cust')
    forget(engine, KEYS, ledger, CustomerRef(tenant="acme", customer="u2"), rules=RULES, actor="ops", now=LATER)
    assert [line.number for line in ledger.after(0)] == [1, 2]
    assert lines_behind(engine, ledger) == 0


# --- the purge --------------------------------------------------------------------------------------------------------


def purged(engine: Engine) -> None:
    purge(engine, now=LATER, retention=Retention(), batch=1)


@pytest.mark.parametrize("after", [False, True])
def test_a_purge_killed_at_any_of_its_batches_changes_nothing_that_is_live_and_goes_on(
    database_url: str, engine: Engine, after: bool
) -> None:
    story(engine)
    live, accepted = content(living(engine, 900)), counts(engine)["acme"].accepted
    for batch in (1, 2, 3):
        # After its commit a batch is not there to be purged again, so the next one is the first.
        assert killed(database_url, purged, commit=1 if after else batch, after=after)
        assert content(living(engine, 900)) == live
        assert counts(engine)["acme"].accepted == accepted
    purged(engine)
    assert [(f.value, f.valid_from) for f in recorded(engine)] == [("Bergen", day(1)), ("Tromsø", day(850))]
    assert counts(engine)["acme"].accepted == accepted


def test_a_purge_killed_from_outside_does_not_stand_in_the_next_ones_way(database_url: str, engine: Engine) -> None:
    for i in range(30):
        write(engine, observed(f"E{i}", 0, key=f"issue_{i}", kind="situation"), now=0)
    process = multiprocessing.get_context("fork").Process(target=lambda: purged(open_engine(database_url)))
    process.start()
    time.sleep(0.15)
    process.kill()
    process.join()
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:  # PostgreSQL notices a dead client in its own time
        try:
            purged(engine)
            break
        except Exception as error:
            assert type(error).__name__ == "AlreadyRunning"
            time.sleep(0.1)
    assert recorded(engine) == []
    assert living(engine, float(NOW.day)) == []
