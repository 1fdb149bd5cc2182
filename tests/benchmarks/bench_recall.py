"""What a recall costs where a customer's 50 facts lie among 1,000,000: read, score, block and receipt, end to end.

Rows are made by the database itself, so that loading takes a minute and not an hour. The 400 customers who are asked
about have vectors (20,000 of them); everybody else's would only lengthen a table that is read by its key.
"""

import random
import statistics
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from recalling import runtime_over
from sqlalchemy import Engine, text

from pipeline.gates import preload
from pipeline.ids import CustomerRef
from store.engine import open_engine, writing
from store.history import live
from store.models import facts as facts_table
from store.models import vectors as vectors_table
from store.scope import customer_reading
from worker.embed import EmbedderMissing, Meaning
from worker.recalling import RankedBy, recall
from worker.runtime import Runtime

pytestmark = pytest.mark.bench

CUSTOMERS, FACTS_EACH, ASKED = 20_000, 50, 400
ROUNDS = 400
QUERIES = (
    "how should we contact this customer",
    "客户开发票要什么抬头",
    "is anything broken right now",
    "他们用的什么数据库",
    "what happened with order 77342",
)
VALUES = (
    "Prefers e-mail over phone calls",
    "发票抬头：上海星澜科技有限公司",
    "Exports over 5,000 rows fail with E4017",
    "PostgreSQL 15 on RDS, moving off MySQL",
    "上月因尺码偏小退过一双运动鞋",
)

_VALUE = " ".join(f"WHEN {n} THEN '{value}'" for n, value in enumerate(VALUES))
_COLUMNS = (
    "id, version, tenant, customer, key, kind, value, source, confidence, importance, valid_from, confirmed_at,"
    " evidence, recorded_from"
)
_ROW = f"""'acme', 'c' || (n / {FACTS_EACH}), 'key_' || (n % {FACTS_EACH}), 'profile',
    (CASE n % {len(VALUES)} {_VALUE} END) || ' ' || n, 'extracted', 0.9, 0.7, :at, :at, '[]', :at"""
_LOAD = {
    "sqlite": (
        "WITH RECURSIVE numbers(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < :last)",
        "lower(hex(randomblob(16)))",
        "numbers",
    ),
    "postgresql": ("", "md5(n::text)", "generate_series(0, :last) AS numbers(n)"),
}


def loaded(engine: Engine, at: datetime) -> None:
    """20,000 customers with 50 live facts each. Indexes are built after the rows."""
    dialect = engine.dialect.name
    series, name, numbers = _LOAD[dialect]
    with writing(engine) as connection:
        if dialect == "sqlite":
            connection.exec_driver_sql("PRAGMA cache_size=-400000")
        moment = at.strftime("%Y-%m-%d %H:%M:%S.%f") if dialect == "sqlite" else at
        json = "::jsonb" if dialect == "postgresql" else ""
        people = f"INSERT INTO customers SELECT 'acme', 'c' || n, {name}, {name}, 'x', :at"
        rows = f"INSERT INTO facts ({_COLUMNS}) {series} SELECT {name}, 1, {_ROW} FROM {numbers}"
        for index in facts_table.indexes:
            index.drop(connection)
        connection.execute(
            text(people.replace("INSERT INTO customers", f"INSERT INTO customers {series}") + f" FROM {numbers}"),
            {"last": CUSTOMERS - 1, "at": moment},
        )
        connection.execute(
            text(rows.replace("'[]'", f"'[]'{json}")), {"last": CUSTOMERS * FACTS_EACH - 1, "at": moment}
        )
        for index in facts_table.indexes:
            index.create(connection)
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.exec_driver_sql("ANALYZE")


def embedded(runtime: Runtime, meaning: Meaning, refs: Sequence[CustomerRef]) -> None:
    """Vectors of the customers who are asked about; texts repeat, so each is embedded once."""
    made: dict[str, bytes] = {}
    rows = []
    for ref in refs:
        with customer_reading(runtime.engine, ref) as view:
            facts = live(view, at=datetime.now(UTC))
        fresh = [fact for fact in facts if _said(fact.value) not in made]
        for fact, vector in zip(fresh, meaning.made(fresh).values(), strict=True):
            made.setdefault(_said(fact.value), vector.raw)
        for fact in facts:
            said = {"model": meaning.model, "digest": meaning.digest_of(fact), "vector": made[_said(fact.value)]}
            rows.append({"tenant": ref.tenant, "customer": ref.customer, "fact": fact.id, **said})
    with writing(runtime.engine) as connection:
        connection.execute(vectors_table.insert(), rows)


def _said(value: str) -> str:
    """A value without its number."""
    return value.rpartition(" ")[0]


def asked_about() -> list[CustomerRef]:
    return [CustomerRef(tenant="acme", customer=f"c{n}") for n in range(0, CUSTOMERS, CUSTOMERS // ASKED)]


def milliseconds(work: Callable[[], object], rounds: int = ROUNDS) -> tuple[float, float, float]:
    """p50 and p99 of the wall time of `rounds` calls, and the CPU time of the median one, after ten that warm up."""
    taken, burnt = [], []
    for number in range(rounds + 10):
        began, cpu = time.perf_counter(), time.process_time()
        work()
        if number >= 10:
            taken.append((time.perf_counter() - began) * 1_000)
            burnt.append((time.process_time() - cpu) * 1_000)
    return statistics.median(taken), sorted(taken)[int(0.99 * len(taken))], statistics.median(burnt)


def printed(engine: Engine, what: str, measured: tuple[float, float, float]) -> None:
    median, late, cpu = measured
    figures = f"p50 {median:6.2f} ms   p99 {late:6.2f} ms   CPU {cpu:5.2f} ms"
    print(f"\n{engine.dialect.name:<11} {what:<40} {figures}", end="")  # noqa: T201


def with_meaning(engine: Engine, home: Path) -> tuple[Runtime, Meaning]:
    """Over this database, the encoder loaded; skips where it is not installed."""
    runtime = runtime_over(engine, home, EMBEDDER="use", EMBED_TIMEOUT="30")
    assert runtime.meaning is not None
    try:
        runtime.meaning.embedder.warm_up()
    except EmbedderMissing as error:
        pytest.skip(str(error))
    return runtime, runtime.meaning


@pytest.fixture(params=["sqlite", "postgresql"])
def full(request: pytest.FixtureRequest, tmp_path: Path) -> Engine:
    """A database with 1,000,000 facts."""
    url: str = request.getfixturevalue("sqlite_url" if request.param == "sqlite" else "postgres_url")
    engine = open_engine(url)
    began = time.perf_counter()
    loaded(engine, datetime.now(UTC) - timedelta(days=3))
    print(f"\n{request.param:<11} loaded 1,000,000 facts in {time.perf_counter() - began:.0f} s", end="")  # noqa: T201
    return engine


def test_recall_of_fifty_facts_among_a_million(full: Engine, tmp_path: Path) -> None:
    """Aim: p99 under 10 ms without and under 30 ms with a query, of facts that the process has judged before."""
    runtime, meaning = with_meaning(full, tmp_path)
    embedded(runtime, meaning, asked_about())
    chance, refs = random.Random(7), asked_about()

    def plain() -> None:
        assert recall(runtime, chance.choice(refs)).facts

    def by_meaning() -> None:
        found = recall(runtime, chance.choice(refs), query=chance.choice(QUERIES))
        assert found.ranked_by is RankedBy.MEANING and found.facts

    preload()
    strangers = iter(refs)
    printed(full, "first recall of a customer, judged anew", milliseconds(lambda: recall(runtime, next(strangers)), 40))
    for ref in refs:
        for query in (None, *QUERIES):
            recall(runtime, ref, query=query)
    printed(full, "recall without a query, with its receipt", milliseconds(plain))
    printed(full, "recall with a query, with its receipt", milliseconds(by_meaning))
    runtime.__dict__["meaning"] = None
    printed(full, "recall with a query, by words", milliseconds(lambda: recall(runtime, refs[0], query=QUERIES[0])))


def crowded(engine: Engine, customer: str, number: int, at: datetime) -> CustomerRef:
    """A customer with `number` live facts."""
    dialect = engine.dialect.name
    series, name, numbers = _LOAD[dialect]
    moment = at.strftime("%Y-%m-%d %H:%M:%S.%f") if dialect == "sqlite" else at
    row = _ROW.replace(f"'c' || (n / {FACTS_EACH})", ":customer").replace(f"n % {FACTS_EACH}", "n")
    row = row.replace("'[]'", "'[]'::jsonb") if dialect == "postgresql" else row
    who = {"at": moment, "customer": customer}
    name = "md5(:customer || n::text)" if dialect == "postgresql" else name
    with writing(engine) as connection:
        connection.execute(
            text("INSERT INTO customers VALUES ('acme', :customer, :customer, :customer, :customer, :at)"), who
        )
        facts = f"INSERT INTO facts ({_COLUMNS}) {series} SELECT {name}, 1, {row} FROM {numbers}"
        connection.execute(text(facts), who | {"last": number - 1})
    return CustomerRef(tenant="acme", customer=customer)


def test_where_comparing_one_by_one_stops_being_quick(engine: Engine, tmp_path: Path) -> None:
    """The limit of having no vector index: how many facts of one customer a recall with a query bears in 30 ms."""
    runtime, meaning = with_meaning(engine, tmp_path)
    for number in (50, 200, 500, 2_000):
        ref = crowded(engine, f"crowded-{number}", number, datetime.now(UTC) - timedelta(days=3))
        embedded(runtime, meaning, [ref])

        def asked(ref: CustomerRef = ref) -> None:
            assert recall(runtime, ref, query=QUERIES[0]).ranked_by is RankedBy.MEANING

        printed(engine, f"recall with a query, {number} facts", milliseconds(asked, rounds=40))
