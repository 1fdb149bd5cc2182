"""What writing and reading memory costs, on this machine's own SQLite and PostgreSQL."""

import statistics
import time
from collections.abc import Callable

import pytest
from remembering import KEYS, REF, day, living, observed, write
from sqlalchemy import Engine, text

from pipeline.catalogue import load_catalogue
from pipeline.ids import CustomerRef
from pipeline.statement import checked_statement
from pipeline.terms import Terms
from store.engine import writing
from store.recall import recall
from store.scope import customer_reading
from store.statements import Stating, remember_many

pytestmark = pytest.mark.bench

IN_SLOT = 20
ROUNDS = 60
CUSTOMERS, FACTS_EACH = 100_000, 10


def milliseconds(work: Callable[[int], object], rounds: int = ROUNDS) -> list[float]:
    """Wall time of each call, sorted."""
    taken = []
    for number in range(rounds):
        began = time.perf_counter()
        work(number)
        taken.append((time.perf_counter() - began) * 1_000)
    return sorted(taken)


def printed(engine: Engine, what: str, taken: list[float]) -> None:
    median, late = statistics.median(taken), taken[int(len(taken) * 0.95)]
    print(f"\n{engine.dialect.name:<11} {what:<58} median {median:8.2f} ms   95 % {late:8.2f} ms", end="")  # noqa: T201


def test_a_write_into_a_slot_of_twenty_observations(engine: Engine) -> None:
    """From an observation to its commit: refusals, the fold over twenty, the difference, audit."""
    refs = [CustomerRef(tenant="acme", customer=f"u{n}") for n in range(ROUNDS)]
    for ref in refs:
        write(engine, *[observed(f"city {n}", n, ref=ref) for n in range(IN_SLOT - 1)], ref=ref)
    last = [observed("city 99", IN_SLOT, ref=ref) for ref in refs]
    printed(engine, "write, slot of 20 observations", milliseconds(lambda n: write(engine, last[n], ref=refs[n])))
    assert len(living(engine, ref=refs[-1])) == 1


def test_statements_in_bulk_through_the_gates(engine: Engine) -> None:
    terms = Terms(catalogue=load_catalogue())
    stating = Stating(now=day(10), actor="crm", has_transcript=True)
    plans = ["Team", "Business", "Enterprise"]
    lines = [
        checked_statement(
            {"tenant": "acme", "customer": f"u{n % 700}", "kind": "profile", "source": "system"}
            | {"key": ["plan", "seats", "billing_cycle"][n // 700 % 3], "value": f"{plans[n % 3]} {n % 50}"}
        )
        for n in range(2_100)
    ]
    list(remember_many(engine, KEYS, lines[:10], terms=terms, stating=stating))  # loads the gates
    began, cpu = time.perf_counter(), time.process_time()
    answers = list(remember_many(engine, KEYS, lines, terms=terms, stating=stating))
    wall, cpu = time.perf_counter() - began, time.process_time() - cpu
    what = f"{engine.dialect.name:<11} {'remember --lines, gates on':<58}"
    print(f"\n{what} {len(lines) / wall:6.0f} lines/s wall   {len(lines) / cpu:6.0f} lines/s of one core", end="")  # noqa: T201
    assert len(answers) == len(lines)


def test_one_customers_facts_among_a_million(engine: Engine) -> None:
    filled(engine)
    refs = [CustomerRef(tenant="acme", customer=f"c{n * 1_613 % CUSTOMERS}") for n in range(ROUNDS)]
    printed(engine, "facts list, 10 of 1,000,000 facts", milliseconds(lambda n: living(engine, ref=refs[n])))

    def told(number: int) -> None:
        with customer_reading(engine, refs[number]) as view:
            assert len(recall(view, now=day(1_000))) == FACTS_EACH

    printed(engine, "recall without a query, 10 of 1,000,000 facts", milliseconds(told))
    write(engine, observed("Oslo"), ref=REF)
    printed(
        engine,
        "write, new slot, beside 1,000,000 facts",
        milliseconds(lambda n: write(engine, observed("Oslo", key=f"key_{n}"))),
    )


def filled(engine: Engine) -> None:
    """A million live facts of a hundred thousand customers, made inside the database."""
    moment = "'2026-01-01 12:00:00.000000'" if engine.dialect.name == "sqlite" else "timestamptz '2026-01-01 12:00Z'"
    people = (
        "INSERT INTO customers (tenant, customer, surrogate, subject, tenant_subject, created_at)"
        f" SELECT 'acme', 'c' || i, 's' || i, 'h' || i, 't', {moment}"
    )
    evidence = "'[\"o\"]'" if engine.dialect.name == "sqlite" else "'[\"o\"]'::jsonb"
    known = (
        "INSERT INTO facts (id, version, tenant, customer, key, slot_ticket, kind, value, source, confidence,"
        " importance, valid_from, confirmed_at, evidence, recorded_from)"
        f" SELECT 'f' || i, 1, 'acme', 'c' || (i / {FACTS_EACH}), 'key_' || (i % {FACTS_EACH}), '', 'profile',"
        f" 'value number ' || i, 'system', 1.0, 0.5, {moment}, {moment}, {evidence}, {moment}"
    )
    with writing(engine) as connection:
        connection.execute(text(_numbered(engine, people, CUSTOMERS)))
        connection.execute(text(_numbered(engine, known, CUSTOMERS * FACTS_EACH)))
        connection.execute(text("ANALYZE"))


def _numbered(engine: Engine, insert: str, count: int) -> str:
    """'INSERT INTO … SELECT …' for each i from 0 to below `count`."""
    if engine.dialect.name == "postgresql":
        return f"{insert} FROM generate_series(0, {count} - 1) AS n(i)"
    into, select = insert.split(" SELECT ", 1)
    series = f"WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < {count})"
    return f"{into} {series} SELECT {select} FROM n"
