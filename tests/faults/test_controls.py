"""Negative controls: with a safeguard switched off the same reckoning must complain, else it proves nothing."""

from dataclasses import dataclass
from pathlib import Path

import pytest
from faults.model import model_process
from faults.stage import BEAT, Stage, some_tickets, staged
from faults.table import LEASE, UNWATCHED, Strike, eight_times, redis, worker_dies, zombie
from services import redis_server

pytestmark = pytest.mark.fault


@dataclass(frozen=True, kw_only=True)
class Control:
    """A safeguard that is patched away in the workers, the fault that it is there for, and the complaint awaited."""

    off: str
    strike: Strike
    complaint: str
    workers: tuple[str, ...] = ("one",)
    delay: float = 0.5


def zombie_wakes(stage: Stage) -> None:
    stage.called(4)
    with pytest.raises(AssertionError, match="defeat"):
        zombie(stage)


def killed_outright(stage: Stage) -> None:
    import signal

    stage.called(4)
    stage.signal("one", signal.SIGKILL)


def delivered_eight_times(stage: Stage) -> None:
    with pytest.raises(AssertionError):
        eight_times(stage)


def canary_in_redis(stage: Stage) -> None:
    from faults.stage import CANARY

    stage.redis.client.set("somewhere", f"x {CANARY} y")


CONTROLS = (
    Control(off="no fence", strike=zombie_wakes, complaint="audit lines too many", workers=("one", "two"), delay=1.0),
    Control(off="no exclusive claim", strike=delivered_eight_times, complaint="model calls", workers=("one", "two")),
    Control(off="no sweep", strike=redis("killed", seconds=3), complaint="accepted, and pending"),
    Control(off="no recovery", strike=killed_outright, complaint="accepted, and processing"),
    Control(off="no common commit", strike=worker_dies, complaint="remembered without faults, but not now"),
    Control(off="", strike=canary_in_redis, complaint="customer text in redis"),
)


@pytest.mark.parametrize("control", CONTROLS, ids=lambda c: c.off or "customer text in Redis")
def test_what_is_switched_off_is_missed(control: Control, tmp_path: Path, sqlite_url: str) -> None:
    with (
        redis_server() as broker,
        model_process(tmp_path / "model") as model,
        staged(tmp_path, broker, model, sqlite_url, None, plug=control.off, **UNWATCHED) as stage,
    ):
        model.mood(delay=control.delay)
        stage.start("beat", [*BEAT, "--pidfile="], plugged=False)
        stage.start_workers(control.workers)
        with stage.producing(some_tickets(24)):
            control.strike(stage)
        stage.wait(2 * LEASE)
        assert any(control.complaint in complaint for complaint in stage.violations())
