"""Reach of the door: events a second accepted while workers run, and recall over a million facts.

`make bench`, or `python -m pytest -m bench -s tests/benchmarks/bench_http.py`. BENCH_FACTS (1,000,000) and
BENCH_SECONDS (20) make it longer or shorter. Prints its figures and asserts only what must hold on any machine: nothing
was lost and nothing failed.
"""

import http.client
import json
import os
import signal
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from door import cloud_event, ticket
from services import PostgresServer, RedisServer, free_port
from sqlalchemy import insert

from pipeline.ids import CustomerRef
from store import tokens
from store.counts import total
from store.engine import writing
from store.models import customers, facts
from store.scope import newcomer
from store.states import Role, TokenKind
from store.tokens import Scope
from worker.http.webhooks import secret_bytes, signature
from worker.runtime import Runtime, open_runtime
from worker.settings import read_settings

pytestmark = pytest.mark.bench
RATE = 150
SECONDS = float(os.environ.get("BENCH_SECONDS", "20"))
FACTS = int(os.environ.get("BENCH_FACTS", "1000000"))
WARM = 10.0
"""Seconds for what loads behind the open door: gates and encoder."""
EACH = 20
"""Facts a customer."""
ROOT = Path(__file__).parents[2]
SAYS = "Our invoices should go to the Berlin office from now on, and please reply by e-mail only. " * 6


@contextmanager
def processes(environ: dict[str, str], *commands: list[str]) -> Iterator[None]:
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("AFTERWORD_", "OPENAI_"))}
    path = os.pathsep.join(filter(None, [str(ROOT), kept.get("PYTHONPATH")]))
    running = [
        subprocess.Popen(
            [sys.executable, "-m", *command],
            env=kept | environ | {"PYTHONPATH": path},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        for command in commands
    ]
    try:
        yield
    finally:
        for process in running:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def wait_for(port: int, path: str = "/readyz") -> None:
    deadline = time.monotonic() + 60
    while True:
        try:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=2)
            connection.request("GET", path)
            if connection.getresponse().status == 200:
                return
        except OSError:
            pass
        assert time.monotonic() < deadline, "the door did not open"
        time.sleep(0.2)


def percentile(times: list[float], share: float) -> float:
    return sorted(times)[min(len(times) - 1, int(len(times) * share))] * 1000


def told(name: str, times: list[float], seconds: float) -> None:
    print(  # noqa: T201 (figures are what it is for)
        f"\n{name}: {len(times)} in {seconds:.1f} s = {len(times) / seconds:.0f}/s; p50"
        f" {statistics.median(times) * 1000:.1f} ms, p95 {percentile(times, 0.95):.1f} ms, p99"
        f" {percentile(times, 0.99):.1f} ms, worst {max(times) * 1000:.1f} ms"
    )


def load(
    port: int, request: Callable[[http.client.HTTPConnection, int], int], *, rate: float, seconds: float
) -> list[float]:
    """An open load: each request has its moment, whether or not the one before was answered; a late answer counts from
    that moment. Returns the times."""
    times: list[float] = []
    failures: list[int] = []
    numbers = iter(range(int(rate * seconds)))
    lock = threading.Lock()
    began = time.monotonic() + 0.2

    def client() -> None:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        while True:
            with lock:
                number = next(numbers, None)
            if number is None:
                return
            due = began + number / rate
            time.sleep(max(0.0, due - time.monotonic()))
            status = request(connection, number)
            with lock:
                times.append(time.monotonic() - due)
                failures.extend([status] if status >= 300 else [])

    threads = [threading.Thread(target=client) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    return times


def made(runtime: Runtime, kind: TokenKind) -> str:
    return tokens.create(
        runtime.engine,
        runtime.keys,
        tenant="acme",
        kind=kind,
        role=Role.SYSTEM,
        scopes=list(Scope),
        name="bench",
        actor="bench",
        now=datetime.now(UTC),
    ).secret


@pytest.fixture(params=["sqlite", "postgresql"])
def environ(request: pytest.FixtureRequest, tmp_path: Path, shared_redis: RedisServer) -> Iterator[dict[str, str]]:
    shared_redis.client.flushall()
    found = {
        "AFTERWORD_HOME": str(tmp_path),
        "AFTERWORD_KEY": "ab" * 32,
        "AFTERWORD_EXTRACTOR": "rules",
        "AFTERWORD_REDIS_URL": shared_redis.url,
        "AFTERWORD_HTTP": f"127.0.0.1:{free_port()}",
    }
    if request.param == "sqlite":
        yield found
        return
    server: PostgresServer = request.getfixturevalue("postgres")
    name = server.create()
    with server.durable():
        yield found | {"AFTERWORD_DATABASE_URL": server.url(name)}
    server.drop(name)


def test_events_are_accepted_while_workers_run(environ: dict[str, str]) -> None:
    runtime = open_runtime(read_settings(environ))
    port = int(environ["AFTERWORD_HTTP"].rpartition(":")[2])
    key = secret_bytes(made(runtime, TokenKind.SIGNING))
    assert key is not None

    def post(connection: http.client.HTTPConnection, number: int) -> int:
        data = ticket(SAYS, ticket_id=f"t-{number}", customer_id=f"c-{number % 500}")
        body = json.dumps(cloud_event(data, id=str(number))).encode()
        stamp = int(time.time())
        headers = {
            "content-type": "application/cloudevents+json",
            "webhook-id": str(number),
            "webhook-timestamp": str(stamp),
            "webhook-signature": signature(key, message_id=str(number), timestamp=stamp, body=body),
        }
        connection.request("POST", "/v1/events", body, headers)
        answer = connection.getresponse()
        answer.read()
        return answer.status

    worker = ["celery", "-A", "worker", "worker", "--without-gossip", "--without-mingle"]
    with processes(environ, ["worker.http"], worker):
        wait_for(port)
        load(port, post, rate=50, seconds=1)
        while total(runtime.engine).done < 50:  # door and worker have loaded
            time.sleep(0.2)
        time.sleep(WARM)
        began = time.monotonic()
        times = load(port, lambda c, number: post(c, 1_000 + number), rate=RATE, seconds=SECONDS)
        told(f"events, {runtime.engine.dialect.name}, one worker running", times, time.monotonic() - began)
        counted = total(runtime.engine)
        print(f"  of these {counted.done} were read meanwhile, {counted.pending} wait")  # noqa: T201
    assert counted.accepted == 50 + len(times)
    runtime.close()


def test_recall_over_a_million_facts(environ: dict[str, str]) -> None:
    runtime = open_runtime(read_settings(environ))
    port = int(environ["AFTERWORD_HTTP"].rpartition(":")[2])
    token = made(runtime, TokenKind.TOKEN)
    _fill(runtime)

    def get(connection: http.client.HTTPConnection, number: int) -> int:
        customer = f"c-{(number * 7919) % (FACTS // EACH)}"
        connection.request("GET", f"/v1/recall?customer={customer}", headers={"authorization": f"Bearer {token}"})
        answer = connection.getresponse()
        found = json.loads(answer.read())
        assert len(found["facts"]) == 12
        return answer.status

    with processes(environ, ["worker.http"]):
        wait_for(port)
        load(port, get, rate=20, seconds=8)  # until what loads behind the open door is loaded
        began = time.monotonic()
        times = load(port, get, rate=30, seconds=SECONDS)
        told(f"recall, {runtime.engine.dialect.name}, {FACTS:,} facts", times, time.monotonic() - began)
    runtime.close()


def _fill(runtime: Runtime) -> None:
    """Customers with EACH short facts, written as rows: how they came there is another benchmark's business."""
    now = datetime.now(UTC)
    for first in range(0, FACTS // EACH, 500):
        names = [f"c-{number}" for number in range(first, min(first + 500, FACTS // EACH))]
        whose = [{"tenant": "acme", "customer": name} for name in names]
        held = [newcomer(runtime.keys, CustomerRef(**one), now) for one in whose]
        with writing(runtime.engine) as connection:
            connection.execute(insert(customers), held)
            connection.execute(insert(facts), [_fact(one, i, now) for one in whose for i in range(EACH)])


def _fact(whose: dict[str, str], number: int, now: datetime) -> dict[str, object]:
    at = now - timedelta(days=number)
    return {
        **whose,
        "id": f"{whose['customer']}-{number}",
        "version": 1,
        "key": f"key_{number}",
        "kind": "profile",
        "value": f"value {number}",
        "source": "extracted",
        "confidence": 0.9,
        "importance": 0.7,
        "valid_from": at,
        "confirmed_at": at,
        "evidence": [],
        "recorded_from": at,
    }
