"""All of it mixed: misfortunes one after the other, drawn by dice, and their stage: for the mixed test and the soak."""

import random
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest
from faults.model import model_process
from faults.proxy import LostCommit
from faults.stage import BEAT, Stage, staged
from services import redis_server

from pipeline.ids import CustomerRef
from store.erase import forget
from store.faults import StoreError
from store.states import Lane
from worker import house
from worker.publish import send

WORKERS = ("one", "two")
PATIENT = {"lease": "12", "deadline": "8", "liveness_seconds": "30"}
"""Times for a machine that is busy with starting workers again."""
DATABASES = pytest.mark.parametrize("database", ["sqlite", "postgresql"])


@contextmanager
def busy_stage(database: str, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Stage]:
    """A stage with both workers, quarantine and beat at work, over a model that takes its time."""
    on_postgres = database == "postgresql"
    url = request.getfixturevalue("postgres_url" if on_postgres else "sqlite_url")
    postgres = request.getfixturevalue("postgres") if on_postgres else None
    with (
        redis_server() as broker,
        model_process(tmp_path / "model") as model,
        staged(tmp_path, broker, model, url, postgres, **PATIENT) as stage,
    ):
        model.mood(delay=0.2)
        stage.start("beat", [*BEAT, "--pidfile="])
        stage.start_workers([*WORKERS, "quarantine"])
        yield stage


Misfortune = Callable[[Stage, random.Random], None]


def worker_killed(stage: Stage, dice: random.Random) -> None:
    """Never the quarantine's: what is lost there is dead by design."""
    stage.signal(dice.choice(WORKERS), signal.SIGKILL)


def worker_stopped(stage: Stage, dice: random.Random) -> None:
    process = stage.programs[dice.choice(WORKERS)].process
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)


def worker_frozen(stage: Stage, dice: random.Random) -> None:
    name = dice.choice(WORKERS)
    stage.signal(name, signal.SIGSTOP)
    stage.wait(float(PATIENT["lease"]) + 2)
    stage.signal(name, signal.SIGCONT)


def beat_killed(stage: Stage, _: random.Random) -> None:
    stage.signal("beat", signal.SIGKILL)


def redis_flushed(stage: Stage, _: random.Random) -> None:
    stage.redis.client.flushall()


def redis_killed(stage: Stage, dice: random.Random) -> None:
    stage.redis.kill()
    stage.wait(dice.uniform(0, 3))
    stage.redis.start()


def redis_frozen(stage: Stage, dice: random.Random) -> None:
    stage.redis.freeze()
    stage.wait(dice.uniform(1, 7))
    stage.redis.thaw()


def redis_cut_off(stage: Stage, dice: random.Random) -> None:
    stage.to_redis.silence()
    stage.wait(dice.uniform(1, 7))
    stage.to_redis.mend()


def database_cut_off(stage: Stage, dice: random.Random) -> None:
    if stage.to_database:
        dice.choice((stage.to_database.refuse, stage.to_database.silence, stage.to_database.drop_all))()
        stage.wait(dice.uniform(0, 3))
        stage.to_database.mend()


def commits_lost(stage: Stage, dice: random.Random) -> None:
    if stage.to_database:
        marker = dice.choice((b"applied", b"fence + ", b"INSERT INTO events"))
        stage.to_database.lose_commits(LostCommit(marker=marker, when=dice.choice(("before", "after"))))
        stage.wait(1)
        stage.to_database.mend()


def delivered_again(stage: Stage, dice: random.Random) -> None:
    rows = dice.choices(list(stage.accepted) or ["0" * 32], k=20)
    send(stage.world.runtime, [(row_id, Lane.LIVE) for row_id in rows] * 8)


def customer_forgotten(stage: Stage, dice: random.Random) -> None:
    """Of the first few customers only, so that enough is left to compare."""
    runtime = stage.world.runtime
    ref = CustomerRef(tenant=f"tenant-{dice.randrange(2)}", customer=f"c-{dice.randrange(4)}")
    rules = house.rules(runtime)
    try:
        forget(runtime.engine, runtime.keys, runtime.ledger, ref, rules=rules, actor="test", now=datetime.now(UTC))
    except StoreError:
        return


MISFORTUNES: tuple[tuple[Misfortune, int], ...] = (
    (worker_killed, 6),
    (worker_stopped, 2),
    (worker_frozen, 2),
    (beat_killed, 1),
    (redis_flushed, 3),
    (redis_killed, 2),
    (redis_frozen, 1),
    (redis_cut_off, 2),
    (database_cut_off, 3),
    (commits_lost, 3),
    (delivered_again, 2),
    (customer_forgotten, 1),
)


def struck_by_lot(stage: Stage, dice: random.Random, *, while_: Callable[[], bool]) -> list[str]:
    """Misfortunes with a few seconds between them, as long as `while_` says. Returns what happened, in order."""
    drawn = []
    ways, weights = zip(*MISFORTUNES, strict=True)
    while while_():
        (way,) = dice.choices(ways, weights)
        drawn.append(way.__name__)
        way(stage, dice)
        stage.wait(dice.uniform(1, 4))
    stage.mend()
    return drawn
