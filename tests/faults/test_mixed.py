"""Two thousand tickets through all faults at once, drawn by dice. FAULT_SEED repeats a run that is printed."""

import os
import random
import time
from pathlib import Path

import pytest
from faults.mixed import PATIENT, WORKERS, struck_by_lot
from faults.model import model_process
from faults.stage import BEAT, Stage, some_tickets, staged
from services import redis_server

TICKETS = int(os.environ.get("FAULT_TICKETS", "2000"))
SECONDS = 240
"""How long misfortunes go on at most, on however slow a machine."""
SEED = int(os.environ.get("FAULT_SEED", "0")) or random.SystemRandom().randrange(1, 1_000_000)


@pytest.mark.fault
@pytest.mark.timeout(900)
@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_all_of_it_mixed_loses_nothing_and_doubles_nothing(
    database: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    on_postgres = database == "postgresql"
    url = request.getfixturevalue("postgres_url" if on_postgres else "sqlite_url")
    postgres = request.getfixturevalue("postgres") if on_postgres else None
    dice = random.Random(SEED)
    at_most = time.monotonic() + SECONDS
    with (
        redis_server() as broker,
        model_process(tmp_path / "model") as model,
        staged(tmp_path, broker, model, url, postgres, **PATIENT) as stage,
    ):
        model.mood(delay=0.2)
        stage.start("beat", [*BEAT, "--pidfile="])
        stage.start_workers([*WORKERS, "quarantine"])
        tickets = some_tickets(TICKETS, customers=60)
        with stage.producing(tickets, every=0.3, batch=20):
            drawn = struck_by_lot(stage, dice, while_=lambda: unfinished(stage) and time.monotonic() < at_most)
        print(f"FAULT_SEED={SEED}: {', '.join(drawn)}")  # noqa: T201 (how to see it again)
        stage.settle(within=400)
        assert stage.violations() == []
        assert stage.dead() == set()  # no good ticket is condemned by a crowd of kills


def unfinished(stage: Stage) -> bool:
    return len(stage.accepted) < TICKETS or stage.ended() < 0.9 * TICKETS
