"""How many tickets a second two worker processes take through, and whether a backlog slows anything down.

PostgreSQL, Redis, the model server and this test share the machine's cores with the workers: on two cores a good part
of the time is theirs. A model that answers in a second leaves the threads idle, so what is measured is CPU.
"""
# ruff: noqa: T201 (it prints its table)

import statistics
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

import psutil
import pytest
from answering import answering
from fake_openai import fact
from services import RedisServer
from sqlalchemy import Engine, func, select
from world import World, world

from pipeline.events import TicketClosed
from store import inbox
from store.claim import claim
from store.engine import open_engine, reading
from store.keys import Keys
from store.models import events
from store.states import State
from tests.benchmarks.bench_ticket import ticket

pytestmark = [pytest.mark.bench, pytest.mark.timeout(900)]

PROCESSES, THREADS, LATENCY = 2, 100, 1.0
WARM_UP, MEASURED = 8.0, 20.0
TICKETS, BACKLOG, BATCH = 4_000, 100_000, 100
FACTS = [
    fact(0, "our nightly export fails with E1042", kind="situation", key="open_issue", value="E1042"),
    fact(2, "We run Bun in production.", kind="profile", key="runtime", value="Bun"),
    fact(2, "Please contact me by e-mail only", value="e-mail only"),
]
numbers = count()


@pytest.fixture
def busy(tmp_path: Path, shared_redis: RedisServer, postgres_url: str) -> Iterator[World]:
    shared_redis.client.flushall()
    given = {"concurrency": str(THREADS), "sweep_seconds": "10", "republish_seconds": "60", "embedder": "none"}
    with (
        answering(FACTS, seconds=LATENCY) as model,
        world(tmp_path, shared_redis, None, database_url=postgres_url, **given) as made,
    ):
        made.environ |= {"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": model}
        yield made


def batches(rows: int) -> Iterator[list[TicketClosed]]:
    for _ in range(rows // BATCH):
        yield [ticket(next(numbers)) for _ in range(BATCH)]


def done(engine: Engine) -> int:
    with reading(engine) as connection:
        query = select(func.count()).where(events.c.state == State.DONE.value)
        return connection.execute(query).scalar_one()


def cpu(processes: list[psutil.Process]) -> float:
    return sum(sum(process.cpu_times()[:2]) for process in processes)


def test_tickets_a_second(busy: World) -> None:
    for several in batches(TICKETS):
        busy.enqueue(*several)
    started = [busy.start("worker", "-n", f"w{n}@%h") for n in range(PROCESSES)]
    busy.start("beat")
    busy.until(lambda: all("ready." in busy.log(n) for n in range(PROCESSES)), within=120, what="the workers")
    workers = [psutil.Process(process.pid) for process in started]
    time.sleep(WARM_UP)
    before, used, began = done(busy.runtime.engine), cpu(workers), time.monotonic()
    time.sleep(MEASURED)
    ended, spent, seconds = done(busy.runtime.engine), cpu(workers) - used, time.monotonic() - began
    rate, each = (ended - before) / seconds, spent * 1000 / max(ended - before, 1)
    print(
        f"\n{rate:.1f} tickets a second ({PROCESSES} processes of {THREADS} threads, a model that takes {LATENCY:g} s; "
        f"{each:.1f} ms of the workers' CPU each)"
    )
    assert before < ended < TICKETS, "not a steady state: more tickets, or fewer seconds"


def rate(rows: int, work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return rows / (time.perf_counter() - began)


def test_enqueue_and_claim_with_a_backlog(postgres_url: str, keys: Keys) -> None:
    engine = open_engine(postgres_url)
    accepted: list[str] = []

    def enqueue(several: list[TicketClosed]) -> None:
        answers = inbox.accept(engine, keys, several, now=datetime.now(UTC))
        accepted.extend(answer.row_id for answer in answers)

    def claimed() -> None:
        assert claim(engine, accepted.pop(), lease=timedelta(seconds=600))

    def figures() -> tuple[float, float]:
        """Tickets enqueued and claimed a second: the median of several rounds."""
        enqueued = [rate(BATCH, lambda several=several: enqueue(several)) for several in batches(BATCH * 12)]
        taken = [rate(1, claimed) for _ in range(200)]
        return statistics.median(enqueued), statistics.median(taken)

    figures()
    empty = figures()
    for several in batches(BACKLOG):
        enqueue(several)
    full = figures()
    for name, without, with_it in zip(("enqueue", "claim"), empty, full, strict=True):
        print(
            f"\n{name}: {without:.0f} a second, with {BACKLOG} waiting {with_it:.0f} ({with_it / without - 1:+.0%})",
            end="",
        )
    print()
    engine.dispose()
