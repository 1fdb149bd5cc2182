"""Many at once on one customer and one slot: one live fact, and the history that the fold says."""

import random
import subprocess
import sys
import textwrap
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

from remembering import CATALOGUE, KEYS, REF, RULES, content, day, living, observed, recorded, write
from sqlalchemy import Engine

from pipeline.facts import Action, Decision, Observation
from pipeline.fold import SlotRules, fold
from pipeline.ids import CustomerRef
from pipeline.statement import Statement
from pipeline.terms import Terms
from store.retract import retract
from store.scope import customer_writing
from store.statements import Stating, remember, remember_many
from store.write import replace_event

ROOT = Path(__file__).parents[2]


def said(worker: int) -> list[Observation]:
    """Five statements of one worker; every other one is what all of them say."""
    return [
        observed(f"city {n if n % 2 else worker}", n, source=["extracted", "system"][n % 2], ticket=f"t{n}")
        for n in range(5)
    ]


def check(engine: Engine) -> None:
    everything = [one for worker in range(8) for one in said(worker)]
    assert content(recorded(engine)) == content(fold(everything, SlotRules()).facts)
    assert len([fact for fact in recorded(engine) if fact.valid_to is None]) == 1


def test_eight_threads_on_one_slot_leave_what_the_fold_says(engine: Engine) -> None:
    def work(worker: int) -> None:
        for one in random.sample(said(worker), 5):
            write(engine, one)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(8)))
    check(engine)


def test_eight_processes_on_one_slot_leave_what_the_fold_says(engine: Engine, database_url: str) -> None:
    code = """
        import sys
        sys.path[:0] = ["tests", "tests/integration"]
        from remembering import write
        from test_memory_concurrency import said
        from store.engine import open_engine
        engine = open_engine(sys.argv[1])
        for one in said(int(sys.argv[2])):
            write(engine, one)
    """
    command = [sys.executable, "-c", textwrap.dedent(code), database_url]
    started = [subprocess.Popen([*command, str(worker)], cwd=ROOT) for worker in range(8)]
    assert [process.wait(120) for process in started] == [0] * 8
    check(engine)


def test_the_same_event_applied_eight_times_at_once_is_applied_once(engine: Engine) -> None:
    event = [observed("Oslo", event="e1", message=2), observed("dev", key="job", event="e1", message=3)]

    def work(_: int) -> None:
        with customer_writing(engine, KEYS, REF, now=day(1)) as tx:
            replace_event(tx, "e1", event, rules=RULES)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(8)))
    assert sorted((f.value, f.version) for f in recorded(engine)) == [("Oslo", 1), ("dev", 1)]


def test_a_new_customer_met_by_eight_at_once_is_one_customer(engine: Engine) -> None:
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: write(engine, observed(f"v{n}", key=f"key_{n}")), range(8)))
    assert len(living(engine)) == 8


def test_batches_that_share_customers_never_wait_in_a_circle(engine: Engine) -> None:
    terms = Terms(catalogue=CATALOGUE)

    def work(worker: int) -> None:
        names = [f"u{n}" for n in range(12)]
        random.Random(worker).shuffle(names)
        lines = [
            Statement(tenant="acme", customer=n, kind="profile", key="city", value=f"Oslo {worker}", source="system")  # type: ignore[arg-type]
            for n in names
        ]
        stating = Stating(now=day(worker), actor="crm", has_transcript=True)
        assert len(list(remember_many(engine, KEYS, lines, terms=terms, stating=stating))) == 12

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(work, range(6)))
    for n in range(12):
        ref = CustomerRef(tenant="acme", customer=f"u{n}")
        assert [fact.value for fact in living(engine, ref=ref)] == ["Oslo 5"]


def test_of_many_who_state_the_same_as_it_comes_one_finds_it_new(engine: Engine) -> None:
    terms = Terms(catalogue=CATALOGUE)
    stating = Stating(now=None, actor="crm", has_transcript=True)
    for round_ in range(4):
        line = Statement(
            tenant="acme", customer=f"u{round_}", kind="profile", key="city", value="Oslo", source="system"
        )  # type: ignore[arg-type]
        together = Barrier(12)

        def work(_: int, line: Statement = line, together: Barrier = together) -> Decision:
            together.wait()
            return remember(engine, KEYS, line, terms=terms, stating=stating)

        with ThreadPoolExecutor(12) as pool:
            answers = list(pool.map(work, range(12)))
        assert Counter(one.action for one in answers)[Action.ADD] == 1
        assert len({one.fact_id for one in answers}) == 1


def test_what_is_written_while_its_ticket_is_retracted_does_not_stay(engine: Engine) -> None:
    """Whoever is first: the write is withdrawn, or it is refused."""
    terms = Terms(catalogue=CATALOGUE)
    for round_ in range(6):
        ticket = f"t{round_}"

        def late(n: int, ticket: str = ticket) -> None:
            ref = CustomerRef(tenant="acme", customer=f"late{n}")
            write(engine, observed(f"city {n}", ref=ref, ticket=ticket), ref=ref)

        with ThreadPoolExecutor(5) as pool:
            writes = [pool.submit(late, n) for n in range(4)]
            bar = pool.submit(retract, engine, KEYS, "acme", ticket, actor="ann", now=day(2_000), terms=terms)
            for future in [*writes, bar]:
                future.result()
        assert [living(engine, ref=CustomerRef(tenant="acme", customer=f"late{n}")) for n in range(4)] == [[]] * 4
