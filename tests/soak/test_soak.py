"""Misfortunes of every kind, for as long as SOAK_SECONDS says: nothing lost, nothing applied twice."""

import os
import random
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from faults.mixed import DATABASES, busy_stage, struck_by_lot
from faults.stage import some_tickets

from pipeline.events import TicketClosed

SECONDS = float(os.environ.get("SOAK_SECONDS", "1800"))
SEED = int(os.environ.get("FAULT_SEED", "2210"))
A_ROUND = 100
pytestmark = [pytest.mark.soak, pytest.mark.timeout(0)]


@DATABASES
def test_whatever_happens_for_however_long_the_counts_reconcile(
    database: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    dice = random.Random(SEED)
    with busy_stage(database, tmp_path, request) as stage:
        for wanted, tickets in rounds(time.monotonic() + SECONDS / 2):
            with stage.producing(tickets, every=0.5, batch=10):
                struck_by_lot(stage, dice, while_=lambda wanted=wanted: len(stage.accepted) < wanted)
        stage.settle(within=600)
        assert stage.violations() == []
        assert stage.dead() == set()


def rounds(until: float) -> Iterator[tuple[int, list[TicketClosed]]]:
    """Tickets, and how many there are with these."""
    first = 0
    while time.monotonic() < until:
        yield first + A_ROUND, some_tickets(A_ROUND, customers=60, first=first)
        first += A_ROUND
