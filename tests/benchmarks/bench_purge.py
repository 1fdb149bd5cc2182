"""How fast the purge is, how long a write waits meanwhile, and what a backlog costs: prints figures.

AFTERWORD_BENCH_ROWS sets the size of the purge (rows of facts and observations together, 1,000,000 by default).
"""

import os
import threading
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import psycopg
import pytest
from inboxing import LEASE, NOW, received, ticket
from remembering import DAY_0, day, observed, write
from services import PostgresServer
from sqlalchemy import Engine, select
from sqlalchemy import text as sql

from pipeline.ids import CustomerRef
from store.claim import claim
from store.engine import open_engine, writing
from store.inbox import publishable
from store.models import events
from store.purge import purge
from store.retention import Retention

pytestmark = [pytest.mark.bench, pytest.mark.timeout(1_800)]

ROWS = int(os.environ.get("AFTERWORD_BENCH_ROWS", "1_000_000"))
CUSTOMERS = 10_000
WRITER = CustomerRef(tenant="bench", customer="writer")


@pytest.fixture
def bench_engine(request: pytest.FixtureRequest, database_url: str) -> Iterator[Engine]:
    """A fresh database that syncs its commits to disk, as in earnest."""
    if database_url.startswith("postgresql"):
        server: PostgresServer = request.getfixturevalue("postgres")
        with psycopg.connect(server.admin_url, autocommit=True) as connection:
            connection.execute("ALTER SYSTEM SET fsync = on")
            connection.execute("SELECT pg_reload_conf()")
    engine = open_engine(database_url)
    yield engine
    engine.dispose()


@pytest.fixture
def say(capsys: pytest.CaptureFixture[str]) -> Callable[[str], None]:
    def printed(line: str) -> None:
        with capsys.disabled():
            print(f"\n  {line}", end="", flush=True)  # noqa: T201 - figures are for people

    return printed


# --- the purge --------------------------------------------------------------------------------------------------------

_SERIES = {
    "sqlite": "WITH RECURSIVE s(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM s WHERE i + 1 < :n)",
    "postgresql": "WITH s(i) AS (SELECT generate_series(0, :n - 1))",
}
_FILL = (
    """INSERT INTO customers (tenant, customer, surrogate, subject, tenant_subject, created_at)
    {series} SELECT 'bench', 'c' || i, 'surrogate' || i, 'subject' || i, 'tenant', :at FROM s""",
    """INSERT INTO observations (id, tenant, customer, key, slot_ticket, kind, value, ended, source, observed_at,
      recorded_at, confidence, importance, expires_at, ticket, quotes, has_transcript)
    {series} SELECT 'o' || i, 'bench', 'c' || (i % :customers), 'issue', 't' || (i / :customers), 'situation',
      'E1042 at export, after the second attempt', {false}, 'extracted', :at, :at, 0.9, 0.7, :expires, 't' || i,
      '[]', {true} FROM s""",
    """INSERT INTO facts (id, version, tenant, customer, key, slot_ticket, kind, value, source, confidence, importance,
      valid_from, expires_at, confirmed_at, evidence, recorded_from)
    {series} SELECT 'f' || i, 1, 'bench', 'c' || (i % :customers), 'issue', 't' || (i / :customers), 'situation',
      'E1042 at export, after the second attempt', 'extracted', 0.9, 0.7, :at, :expires, :at, {evidence}, :at FROM s""",
)


def fill(engine: Engine, facts: int) -> None:
    """That many expired facts, each with its observation, of ten thousand customers."""
    dialect = engine.dialect.name
    words = {
        "sqlite": ("0", "1", "'[\"o' || i || '\"]'"),
        "postgresql": ("false", "true", "jsonb_build_array('o' || i)"),
    }
    false, true, evidence = words[dialect]
    at: Any = DAY_0 if dialect == "postgresql" else DAY_0.strftime("%Y-%m-%d %H:%M:%S.%f")
    expires: Any = day(30) if dialect == "postgresql" else day(30).strftime("%Y-%m-%d %H:%M:%S.%f")
    with writing(engine) as connection:
        for number, statement in zip((CUSTOMERS, facts, facts), _FILL, strict=True):
            filled = statement.format(series=_SERIES[dialect], false=false, true=true, evidence=evidence)
            values = {"n": number, "at": at, "expires": expires, "customers": CUSTOMERS}
            wanted = {name: value for name, value in values.items() if f":{name}" in filled}
            connection.execute(sql(filled), wanted)
    settle(engine)


def settle(engine: Engine) -> None:
    """What a database does by itself in the minutes after so many rows: statistics, and the log written back."""
    if engine.dialect.name == "postgresql":
        with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.execute(sql("VACUUM ANALYZE"))
            connection.execute(sql("CHECKPOINT"))


def write_on(engine: Engine, stop: threading.Event, waits: list[float]) -> None:
    """Writes one observation after the other, as tickets come, and notes how long each took."""
    number = 0
    while not stop.is_set():
        number += 1
        said = observed(f"Oslo {number}", 900 + number / 1_000_000, ref=WRITER, key=f"city_{number % 50}")
        began = time.perf_counter()
        write(engine, said, ref=WRITER)
        waits.append(time.perf_counter() - began)
        time.sleep(0.02)


def test_a_purge_of_a_million_expired_rows(bench_engine: Engine, say: Callable[[str], None]) -> None:
    engine, facts = bench_engine, ROWS // 2
    fill(engine, facts)
    alone: list[float] = []
    waits: list[float] = []
    for noted, busy in ((alone, lambda: time.sleep(3)), (waits, lambda: purged(engine))):
        stop = threading.Event()
        writer = threading.Thread(target=write_on, args=(engine, stop, noted))
        writer.start()
        began = time.perf_counter()
        report = busy()
        took = time.perf_counter() - began
        stop.set()
        writer.join()
    assert report is not None
    assert (report["expired"], report["observations"]) == (facts, facts)
    name = engine.dialect.name
    say(f"purge, {name}: {2 * facts:,} rows in {took:.1f} s, {2 * facts / took:,.0f} rows/s")
    say(f"  a write meanwhile: {spread(waits)} (alone: {spread(alone)})")


def purged(engine: Engine, batch: int | None = None) -> dict[str, int]:
    return dict(purge(engine, now=day(500), retention=Retention(), batch=batch).numbers)


def spread(times: list[float]) -> str:
    ordered = sorted(times)
    p50, p99 = (ordered[int(len(ordered) * share)] * 1_000 for share in (0.5, 0.99))
    return f"{p50:.1f} ms half of the time, {p99:.1f} ms at the 99th percentile, {ordered[-1] * 1_000:.1f} ms at most"


# --- the inbox --------------------------------------------------------------------------------------------------------


def a_ticket(name: str, tenant: str = "bench") -> Any:
    """Twenty messages."""
    messages = [{"role": ("customer", "agent")[i % 2], "text": f"message {i} of ticket {name} " * 5} for i in range(20)]
    return ticket(name, ref=CustomerRef(tenant=tenant, customer=f"c{name}"), messages=messages)


def rate(number: int, work: Callable[[int], Any]) -> float:
    began = time.perf_counter()
    for i in range(number):
        work(i)
    return number / (time.perf_counter() - began)


def test_how_many_events_one_thread_takes_in(bench_engine: Engine, say: Callable[[str], None]) -> None:
    engine = bench_engine
    batches = [[a_ticket(f"b{b}-{i}") for i in range(100)] for b in range(30)]
    single = [a_ticket(f"s{i}") for i in range(300)]
    by_hundred = 100 * rate(30, lambda b: received(engine, *batches[b]))
    one_by_one = rate(300, lambda i: received(engine, single[i]))
    say(f"accept, {engine.dialect.name}: {by_hundred:,.0f}/s in batches of 100, {one_by_one:,.0f}/s singly")


@pytest.mark.parametrize("backlog", [100_000])
def test_what_a_backlog_costs(bench_engine: Engine, say: Callable[[str], None], backlog: int) -> None:
    engine = bench_engine
    measured = []
    for waiting in (0, backlog):
        pile_up(engine, waiting)
        names = [[a_ticket(f"{waiting}-{r}-{i}", tenant="fresh") for i in range(100)] for r in range(10)]
        fresh: list[str] = []

        def take_in(number: int, names: Any = names, fresh: list[str] = fresh) -> None:
            ids = [answer.row_id for answer in received(engine, *names[number])]
            fresh.extend(row_id for row_id, _ in publishable(engine, ids, outstanding_limit=10_000))

        accepts = 100 * rate(10, take_in)
        claims = rate(len(fresh), lambda i, fresh=fresh: claim(engine, fresh[i], lease=LEASE))  # type: ignore[misc]
        measured.append((accepts, claims))
    (accepts_0, claims_0), (accepts_n, claims_n) = measured
    say(
        f"backlog of {backlog:,}, {engine.dialect.name}: accept and publish {accepts_0:,.0f} → {accepts_n:,.0f}/s,"
        f" claim {claims_0:,.0f} → {claims_n:,.0f}/s"
    )


def pile_up(engine: Engine, number: int) -> None:
    """That many pending rows of one tenant."""
    if not number:
        return
    received(engine, ticket("pattern", ref=CustomerRef(tenant="flood", customer="c")))
    with writing(engine) as connection:
        pattern = connection.execute(select(events).where(events.c.tenant == "flood")).one()._asdict()
        for start in range(0, number, 1_000):
            rows = [
                {**pattern, "id": f"flood{i}", "event_hash": f"h{i}", "received_at": NOW + timedelta(seconds=i)}
                for i in range(start, start + 1_000)
            ]
            connection.execute(events.insert(), rows)
    settle(engine)
