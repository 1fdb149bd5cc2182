"""Two thousand tickets through all faults at once, drawn by dice. FAULT_SEED repeats a run that is printed."""

import os
import random
import time
from pathlib import Path

import pytest
from faults.mixed import DATABASES, busy_stage, struck_by_lot
from faults.stage import Stage, some_tickets

TICKETS = int(os.environ.get("FAULT_TICKETS", "2000"))
SECONDS = 240
"""How long misfortunes go on at most, on however slow a machine."""
SEED = int(os.environ.get("FAULT_SEED", "0")) or random.SystemRandom().randrange(1, 1_000_000)


@pytest.mark.fault
@pytest.mark.timeout(900)
@DATABASES
def test_all_of_it_mixed_loses_nothing_and_doubles_nothing(
    database: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    dice = random.Random(SEED)
    at_most = time.monotonic() + SECONDS
    with busy_stage(database, tmp_path, request) as stage:
        tickets = some_tickets(TICKETS, customers=60)
        with stage.producing(tickets, every=0.3, batch=20):
            drawn = struck_by_lot(stage, dice, while_=lambda: unfinished(stage) and time.monotonic() < at_most)
        print(f"FAULT_SEED={SEED}: {', '.join(drawn)}")  # noqa: T201 (how to see it again)
        stage.settle(within=400)
        assert stage.violations() == []
        assert stage.dead() == set()  # no good ticket is condemned by a crowd of kills


def unfinished(stage: Stage) -> bool:
    return len(stage.accepted) < TICKETS or stage.ended() < 0.9 * TICKETS
