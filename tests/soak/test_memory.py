"""A worker's memory over SOAK_TICKETS tickets, with a model that answers at once: it must stay flat."""

import os
from pathlib import Path

import psutil
import pytest
from faults.model import model_process
from faults.stage import BEAT, Stage, some_tickets, staged
from services import redis_server

TICKETS = int(os.environ.get("SOAK_TICKETS", "20000"))
FLAT = 0.05
"""How much it may grow over 20,000 tickets, as a share of what it holds once warm."""
WARM = 0.2
"""The share of tickets after which caches and pools have their size."""
pytestmark = [pytest.mark.soak, pytest.mark.timeout(0)]
Samples = list[tuple[int, float]]
"""Tickets done, and megabytes."""


def test_a_workers_memory_is_flat(tmp_path: Path, sqlite_url: str) -> None:
    with (
        redis_server() as broker,
        model_process(tmp_path / "model") as model,
        staged(tmp_path, broker, model, sqlite_url, None, lease="60", deadline="30") as stage,
    ):
        stage.start("beat", [*BEAT, "--pidfile="])
        stage.start_workers()
        for first in range(0, TICKETS, 1_000):
            stage.take(some_tickets(min(1_000, TICKETS - first), customers=500, first=first))
        samples = sampled(stage)
    warm = [sample for sample in samples if sample[0] >= WARM * TICKETS]
    growth = 20_000 * slope(warm) / warm[0][1]
    print(f"\n{warm[0][1]:.0f} MB at {warm[0][0]} tickets, {warm[-1][1]:.0f} MB at {warm[-1][0]}:")  # noqa: T201
    print(f"{slope(warm) * 1_000:.2f} MB a thousand tickets, {growth:.1%} over 20,000")  # noqa: T201
    assert growth < FLAT


def sampled(stage: Stage) -> Samples:
    worker = psutil.Process(stage.programs["one"].process.pid)
    samples: Samples = []
    while stage.ended() < TICKETS:
        stage.wait(2)
        samples.append((stage.ended(), worker.memory_info().rss / 1e6))
    assert stage.deaths() == 0
    return samples


def slope(samples: Samples) -> float:
    """Megabytes a ticket, by least squares."""
    count = len(samples)
    x, y = (sum(sample[i] for sample in samples) / count for i in (0, 1))
    return sum((a - x) * (b - y) for a, b in samples) / sum((a - x) ** 2 for a, _ in samples)
