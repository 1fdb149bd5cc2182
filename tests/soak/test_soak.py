"""Kills, floods and lost queues at random, for as long as SOAK_SECONDS says: nothing lost, nothing applied twice."""

import os
import random
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from fake_openai import fake_openai
from services import RedisServer, redis_server
from sqlalchemy import func, select
from world import World, closed_ticket, world

from store.engine import reading
from store.models import audit, facts

SECONDS = float(os.environ.get("SOAK_SECONDS", "1800"))
SHORT = {"lease": "4", "deadline": "3", "model_timeout": "2"}
CUSTOMERS = 20
pytestmark = [pytest.mark.soak, pytest.mark.timeout(0)]


def kill(process: subprocess.Popen[bytes]) -> None:
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()


@pytest.mark.parametrize("database", ["sqlite_url", "postgres_url"])
def test_whatever_is_killed_for_however_long_the_counts_reconcile(
    database: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    url: str = request.getfixturevalue(database)
    dice = random.Random(2210)
    with (
        fake_openai() as model,
        redis_server() as broker,
        world(tmp_path, broker, model, database_url=url, **SHORT) as w,
    ):
        rows = soaked(w, broker, dice, until=time.monotonic() + SECONDS / 2)
        w.until(lambda: set(w.states()) <= {"done", "dead"}, within=300, what="every ticket's end")
        assert sum(w.states().values()) == len(set(rows))
        assert w.states().get("dead", 0) == 0  # leases lost in a crowd of kills must not condemn a good ticket
        assert doubled(w) == []


def soaked(w: World, broker: RedisServer, dice: random.Random, *, until: float) -> list[str]:
    """Tickets in, and one misfortune a second. Whoever supervises starts again what has gone."""
    workers = {name: w.start_worker(name) for name in ("a", "b")}
    quarantine = w.start_worker("q", "-Q", "afterword.quarantine", "-c", "1")
    beat = w.start("beat", "--pidfile=")
    rows: list[str] = []
    misfortunes: list[Callable[[], object]] = [
        lambda: kill(dice.choice(list(workers.values()))),
        broker.client.flushall,
        lambda: None,
        lambda: None,
        lambda: None,
        lambda: None,
    ]
    while time.monotonic() < until:
        tickets = [closed_ticket(f"Please e-mail only {n}", customer=f"c-{n % CUSTOMERS}") for n in range(10)]
        rows += [answer.row_id for answer in w.enqueue(*tickets)]
        dice.choice(misfortunes)()
        for name, process in list(workers.items()):
            if process.poll() is not None:
                workers[name] = w.start_worker(name)
        time.sleep(1)
    assert beat.poll() is None and quarantine.poll() is None
    return rows


def doubled(w: World) -> list[str]:
    """Slots with two live facts, and observations that were decided twice by the same event."""
    with reading(w.runtime.engine) as connection:
        live = facts.c.recorded_to.is_(None), facts.c.valid_to.is_(None)
        slot = (facts.c.tenant, facts.c.customer, facts.c.key, facts.c.slot_ticket)
        slots = connection.execute(select(facts.c.key).where(*live).group_by(*slot).having(func.count() > 1)).scalars()
        said = (audit.c.event, audit.c.observation)
        twice = connection.execute(
            select(audit.c.event)
            .where(audit.c.action == "write", audit.c.observation.is_not(None))
            .group_by(*said)
            .having(func.count() > 1)
        ).scalars()
        return [*slots, *twice]
