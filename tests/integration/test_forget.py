"""Forgetting on both databases: at once, for good, exactly the one who was meant, and provably."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from inboxing import NOW, claimed, done, finished, received, row, ticket
from remembering import CATALOGUE, DAY_0, KEYS, REF, RULES, day, lives, living, observed, recorded, told, write
from sqlalchemy import Engine, delete, func, insert, select

from pipeline.ids import CustomerRef
from pipeline.reasons import Reason
from pipeline.terms import Terms
from store import replay
from store.audit import record
from store.claim import LostLease, claim
from store.counts import Counts, counts, decisions_of, event_shown
from store.engine import reading, writing
from store.erase import Forgotten, forget, forget_fact, forget_tenant, listed, opt_in, opt_out
from store.event_lines import lines_of_event
from store.fetches import Wanted, want
from store.inbox import Outcome
from store.keys import keys_from
from store.ledger import Ledger, LedgerUnavailable, open_ledger
from store.models import (
    audit,
    customers,
    erasures,
    facts,
    ledger_mark,
    metadata,
    observations,
    opt_outs,
    receipts,
    review_items,
    vectors,
)
from store.models import events as inbox
from store.preview import would_forget, would_forget_fact
from store.purge import purge
from store.reapply import (
    LedgerBehind,
    LedgerKeyUnknown,
    LedgerMissing,
    OtherLedger,
    lines_behind,
    reapply,
)
from store.retention import Retention
from store.retract import retract
from store.scope import is_held
from store.selection import Selection
from store.states import ErasureScope, State
from store.verify import traces

LATER = DAY_0 + timedelta(days=100)
NEIGHBOURS = [
    CustomerRef(tenant="acme", customer="u10"),
    CustomerRef(tenant="acme", customer="u"),
    CustomerRef(tenant="acme1", customer="u1"),
    CustomerRef(tenant="acme", customer="U1"),
    CustomerRef(tenant="acme", customer="用户" * 100),
]


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    return open_ledger(str(tmp_path / "ledger.jsonl"))


def gone(engine: Engine, ledger: Ledger, ref: CustomerRef = REF, **changes: Any) -> Forgotten:
    asked: dict[str, Any] = {"rules": RULES, "actor": "ops", "now": LATER, **changes}
    return forget(engine, KEYS, ledger, ref, **asked)


def story(engine: Engine, ref: CustomerRef = REF) -> list[str]:
    """Four facts on three keys, a question, two tickets of which one is done. Returns the rows of the tickets."""
    name = f"{ref.tenant}-{ref.customer[:20]}"
    write(engine, observed("Pro plan", 0, key="plan", source="system", ref=ref), ref=ref)
    write(engine, observed("Team plan", 5, key="plan", source="system", ref=ref), ref=ref)
    write(engine, observed("e-mail only", 1, key="contact_channel", kind="preference", ref=ref), ref=ref)
    write(engine, observed("E1042 at export", 2, key="issue", kind="situation", ref=ref, ticket=f"t-{name}"), ref=ref)
    write(engine, observed("admin of the account", 3, key="role", ref=ref), ref=ref)
    with writing(engine) as connection:
        live = select(facts.c.id).where(facts.c.tenant == ref.tenant, facts.c.customer == ref.customer)
        derived = {"fact": connection.execute(live.limit(1)).scalar_one(), "model": "m", "digest": "d", "vector": b"v"}
        connection.execute(insert(vectors).values(tenant=ref.tenant, customer=ref.customer, **derived))
    rows = done(engine, ticket(f"{name}-1", ref=ref, text="my export fails with E1042"))
    retract(engine, KEYS, ref.tenant, f"wrong-{name}", actor="ann", now=DAY_0, terms=Terms(catalogue=CATALOGUE))
    again = Wanted(tenant=ref.tenant, vendor="x", ticket=f"ticket-{name}-1", event_id=f"again-{name}", closed_at=DAY_0)
    assert want(engine, KEYS, again, now=DAY_0)
    return [*rows, received(engine, ticket(f"{name}-2", ref=ref))[0].row_id]


WORDS = (
    *("Pro plan", "Team plan", "e-mail only", "E1042", "admin of the account"),
    *("ticket-acme-u1", "wrong-acme-u1", "again-acme-u1"),
)


def emptied(engine: Engine) -> None:
    with writing(engine) as connection:
        for table in reversed(metadata.sorted_tables):
            connection.execute(delete(table))


def numbers(engine: Engine, ref: CustomerRef) -> dict[str, int]:
    """How many rows each table holds that begins with tenant and customer."""
    held = {}
    with reading(engine) as connection:
        for table in metadata.sorted_tables:
            if {"tenant", "customer"} <= set(table.c.keys()):
                mine = (table.c.tenant == ref.tenant) & (table.c.customer == ref.customer)
                held[table.name] = connection.execute(select(func.count()).select_from(table).where(mine)).scalar_one()
    return held


# --- what goes --------------------------------------------------------------------------------------------------------


def test_a_forgotten_customer_leaves_no_trace(engine: Engine, ledger: Ledger) -> None:
    story(engine)
    assert traces(engine, KEYS, REF, values=WORDS)
    report = gone(engine, ledger)
    assert report.numbers == {"customers": 1, "facts": 5 - 1, "observations": 5, "reviews": 1, "events": 2}
    purge(engine, now=LATER, retention=Retention())
    place = ledger.place()
    assert place is not None
    assert traces(engine, KEYS, REF, values=WORDS, files=[place]) == ()


def test_tables_are_clean_at_once_and_the_purge_only_clears_the_files(engine: Engine, ledger: Ledger) -> None:
    story(engine)
    gone(engine, ledger)
    left = traces(engine, KEYS, REF, values=WORDS)
    assert not [trace for trace in left if "." in trace.where and "/" not in trace.where]
    assert not any(numbers(engine, REF).values())


def test_nobody_else_loses_a_row(engine: Engine, ledger: Ledger) -> None:
    for ref in [REF, *NEIGHBOURS]:
        story(engine, ref)
    before = {ref: (numbers(engine, ref), recorded(engine, ref)) for ref in NEIGHBOURS}
    gone(engine, ledger)
    assert {ref: (numbers(engine, ref), recorded(engine, ref)) for ref in NEIGHBOURS} == before


def test_of_an_inbox_row_only_tenant_hash_and_state_stay(engine: Engine, ledger: Ledger) -> None:
    (row_id, _) = story(engine)
    hash_before = row(engine, row_id).event_hash
    gone(engine, ledger)
    found = row(engine, row_id)._asdict()
    fence = found.pop("fence")
    kept = {name: value for name, value in found.items() if value not in (None, 0)}
    expected = {"id": row_id, "tenant": "acme", "event_hash": hash_before, "state": "erased"}
    assert kept == {**expected, "reason": "erased", "lane": "live"}
    assert fence == 2
    assert (event_shown(engine, KEYS, tenant="acme", event_id="event-acme-u1-1") or {})["state"] == "erased"


def test_audit_and_receipts_stay_and_name_nobody_any_more(engine: Engine, ledger: Ledger) -> None:
    story(engine)
    with writing(engine) as connection:
        surrogate = connection.execute(select(customers.c.surrogate)).scalar_one()
        receipt = {"id": "r1", "at": NOW, "tenant": "acme", "surrogate": surrogate, "actor": "a", "facts": []}
        connection.execute(insert(receipts).values(**receipt, degraded=False))
    gone(engine, ledger, note="Art. 17 request")
    with reading(engine) as connection:
        assert connection.execute(select(func.count()).select_from(receipts)).scalar_one() == 1
        assert connection.execute(select(func.count()).select_from(customers)).scalar_one() == 0
        line = connection.execute(select(audit).where(audit.c.action == "forget")).one()
    assert (line.surrogate, line.actor, line.note, line.outcome) == (surrogate, "ops", "Art. 17 request", "done")
    write(engine, observed("Oslo", 101))
    with reading(engine) as connection:
        assert connection.execute(select(customers.c.surrogate)).scalar_one() != surrogate


def test_an_unknown_customer_is_forgotten_too(engine: Engine, ledger: Ledger) -> None:
    report = gone(engine, ledger)
    assert (report.number, set(report.numbers.values())) == (1, {0})
    assert ledger.last() == 1
    with reading(engine) as connection:
        assert not is_held(connection, REF)


def test_the_ledger_holds_no_plain_name(engine: Engine, ledger: Ledger) -> None:
    ref = CustomerRef(tenant="acme-industries", customer="zhang.wei@example.com")
    story(engine, ref)
    gone(engine, ledger, ref)
    place = ledger.place()
    assert place is not None
    assert not [name for name in ("acme-industries", "zhang.wei", "E1042") if name in place.read_text()]


def test_erasures_are_listed_by_number(engine: Engine, ledger: Ledger) -> None:
    gone(engine, ledger)
    gone(engine, ledger, NEIGHBOURS[0])
    found = listed(engine)
    assert [(e.number, e.scope, e.subject, e.erased_at) for e in found] == [
        (1, ErasureScope.CUSTOMER, KEYS.subject(REF), LATER),
        (2, ErasureScope.CUSTOMER, KEYS.subject(NEIGHBOURS[0]), LATER),
    ]


# --- what cannot come back --------------------------------------------------------------------------------------------


def test_a_late_delivery_of_what_was_erased_gives_nothing(engine: Engine, ledger: Ledger) -> None:
    story(engine)
    gone(engine, ledger)
    answer = received(engine, ticket("acme-u1-1", text="my export fails with E1042"))[0]
    assert (answer.outcome, answer.state) == (Outcome.DUPLICATE, State.ERASED)
    purge(engine, now=LATER, retention=Retention())
    answer = received(engine, ticket("acme-u1-1", text="my export fails with E1042"))[0]
    assert (answer.outcome, answer.state) == (Outcome.ACCEPTED, State.ERASED)
    assert claim(engine, answer.row_id, lease=timedelta(minutes=1)) is None
    assert traces(engine, KEYS, REF, values=WORDS) == ()
    assert counts(engine)["acme"] == Counts(erased=3)


def test_a_ticket_that_closed_before_and_never_arrived_is_not_taken_in_after(engine: Engine, ledger: Ledger) -> None:
    gone(engine, ledger)
    old, new = received(engine, ticket("old", closed_at=LATER), ticket("new", closed_at=LATER + timedelta(seconds=1)))
    assert (old.state, new.state) == (State.ERASED, State.PENDING)
    assert row(engine, old.row_id).payload is None


def test_what_was_observed_before_is_refused_and_what_comes_after_is_remembered(engine: Engine, ledger: Ledger) -> None:
    story(engine)
    gone(engine, ledger)
    assert told(write(engine, observed("Oslo", 100))) == ["REJECT erased"]
    assert told(write(engine, observed("Oslo", 101))) == ["ADD new"]


def test_a_worker_that_is_at_the_ticket_cannot_finish_it(engine: Engine, ledger: Ledger) -> None:
    held = claimed(engine, received(engine, ticket("1"))[0].row_id)
    gone(engine, ledger)
    with pytest.raises(LostLease):
        finished(engine, held)


def test_an_erased_event_cannot_be_replayed(engine: Engine, ledger: Ledger) -> None:
    story(engine)
    gone(engine, ledger)
    found = replay.select_for_replay(engine, KEYS, Selection(tenant="acme", event_id="event-acme-u1-1"))
    assert (found.replayable, found.refused) == (0, {"erased": 1})


def test_a_replay_that_has_begun_does_not_bring_back_who_is_forgotten_meanwhile(engine: Engine, ledger: Ledger) -> None:
    story(engine)
    job = replay.begin(engine, KEYS, Selection(tenant="acme"))
    gone(engine, ledger)
    step = replay.put_back(engine, KEYS, job.id, limit=10, actor="ops", now=LATER)
    assert (job.selected, step.rows, step.left) == (1, (), 0)


def test_what_was_stated_by_a_clock_ahead_of_ours_goes_too_and_stays_away(engine: Engine, ledger: Ledger) -> None:
    ahead = observed("Oslo", 100 + 4 / 1440)
    write(engine, ahead, now=100)
    report = gone(engine, ledger)
    assert report.erased_at == ahead.observed_at
    assert told(write(engine, ahead, now=101)) == ["REJECT erased"]


def test_eight_forgets_and_eight_deliveries_at_once_leave_nothing(engine: Engine, ledger: Ledger) -> None:
    ledger.create()
    barrier = threading.Barrier(8)

    def work(number: int) -> None:
        barrier.wait()
        if number % 2:
            received(engine, *(ticket(f"{number}-{i}") for i in range(5)))
        else:
            gone(engine, ledger)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(8)))
    with reading(engine) as connection:
        held = connection.execute(select(inbox.c.payload).where(inbox.c.payload.is_not(None))).all()
        mark = connection.execute(select(ledger_mark.c.applied)).scalar_one()
    assert (held, mark, ledger.last()) == ([], 4, 4)
    assert counts(engine)["acme"] == Counts(erased=20)


# --- memory off and on ------------------------------------------------------------------------------------------------


def test_forget_can_switch_memory_off_and_opt_in_switches_it_on(engine: Engine, ledger: Ledger) -> None:
    story(engine)
    gone(engine, ledger, opt_out=True)
    assert told(write(engine, observed("Oslo", 101))) == ["REJECT opted_out"]
    opt_in(engine, KEYS, ledger, REF, rules=RULES, actor="ops", now=LATER)
    assert told(write(engine, observed("Oslo", 102))) == ["ADD new"]


def test_opting_out_alone_erases_nothing(engine: Engine, ledger: Ledger) -> None:
    story(engine)
    before = recorded(engine)
    opt_out(engine, KEYS, ledger, REF, rules=RULES, actor="ops", now=LATER)
    assert recorded(engine) == before
    assert told(write(engine, observed("Oslo", 101))) == ["REJECT opted_out"]
    assert listed(engine) == ()
    assert ledger.last() == 1


# --- one fact ---------------------------------------------------------------------------------------------------------


def forget_one(engine: Engine, ledger: Ledger, fact: str, ref: CustomerRef = REF) -> Forgotten | None:
    return forget_fact(engine, KEYS, ledger, ref, fact, rules=RULES, actor="ops", now=LATER)


def test_one_fact_is_forgotten_with_what_it_rests_on_and_does_not_come_back(engine: Engine, ledger: Ledger) -> None:
    first, again = observed("Oslo", 1), observed("oslo", 2)
    write(engine, first, again)
    write(engine, observed("e-mail", key="contact_channel", kind="preference"))
    (fact,) = [f for f in living(engine) if f.value == "Oslo"]
    report = forget_one(engine, ledger, fact.id)
    assert report is not None
    assert report.numbers == {"customers": 0, "facts": 1, "observations": 2, "reviews": 0, "events": 0}
    assert [f.value for f in living(engine)] == ["e-mail"]
    assert told(write(engine, first, again)) == ["REJECT erased"] * 2
    assert told(write(engine, observed("Oslo", 101))) == ["ADD new"]


def test_a_fact_that_was_forgotten_leaves_the_one_that_it_had_replaced(engine: Engine, ledger: Ledger) -> None:
    write(engine, observed("Oslo", 1), observed("Bergen", 2))
    (fact,) = living(engine)
    forget_one(engine, ledger, fact.id)
    assert [(f.value, f.valid_to) for f in living(engine)] == [("Oslo", None)]
    assert not [
        t for t in traces(engine, KEYS, REF, values=["Bergen"]) if t.where in ("facts.value", "observations.value")
    ]


def test_the_last_fact_takes_the_customer_along(engine: Engine, ledger: Ledger) -> None:
    write(engine, observed("Oslo"))
    forget_one(engine, ledger, living(engine)[0].id)
    assert not any(numbers(engine, REF).values())


def test_a_fact_of_somebody_else_is_not_there(engine: Engine, ledger: Ledger) -> None:
    write(engine, observed("Oslo"))
    fact = living(engine)[0].id
    assert forget_one(engine, ledger, fact, NEIGHBOURS[0]) is None
    assert forget_one(engine, ledger, "0" * 32) is None
    assert ledger.last() == 0
    assert living(engine)


# --- a whole tenant ---------------------------------------------------------------------------------------------------


@given(
    life=lives(), tickets=st.integers(0, 2), keep=st.booleans(), which=st.integers(0, 20), at=st.sampled_from([6, 900])
)
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
def test_a_rehearsal_tells_what_then_goes(
    engine: Engine, tmp_path: Path, life: list[Any], tickets: int, keep: bool, which: int, at: int
) -> None:
    """Of a fact, of a customer, of a tenant; also where a purge has left nothing but its horizons."""
    emptied(engine)
    ledger = open_ledger(str(tmp_path / f"{uuid4()}.jsonl"))
    other = CustomerRef(tenant=REF.tenant, customer="u2")
    write(engine, *life, now=6)
    write(engine, observed("Oslo", ref=other), ref=other)
    received(engine, *(ticket(str(number)) for number in range(tickets)))
    retention = Retention(expired_grace_days=0, history_days=0 if not keep else 1_000)
    purge(engine, now=day(at), retention=retention)
    if held := recorded(engine):
        fact = held[which % len(held)].id
        told = would_forget_fact(engine, REF, fact)
        one = forget_one(engine, ledger, fact)
        assert one is not None
        assert told == one.numbers
    told = would_forget(engine, REF.tenant, REF.customer)
    assert told == gone(engine, ledger).numbers
    told = would_forget(engine, REF.tenant)
    whole = forget_tenant(engine, KEYS, ledger, REF.tenant, rules=RULES, actor="ops", now=LATER)
    assert told == whole.numbers


def test_a_tenant_goes_as_a_whole_and_no_other_one(engine: Engine, ledger: Ledger) -> None:
    for ref in [REF, *NEIGHBOURS]:
        story(engine, ref)
    others = [ref for ref in NEIGHBOURS if ref.tenant != "acme"]
    before = {ref: recorded(engine, ref) for ref in others}
    report = forget_tenant(engine, KEYS, ledger, "acme", rules=RULES, actor="ops", now=LATER)
    assert report.numbers["customers"] == 1 + len(NEIGHBOURS) - len(others)
    for ref in [REF, *NEIGHBOURS]:
        assert any(numbers(engine, ref).values()) == (ref in others)
    assert {ref: recorded(engine, ref) for ref in others} == before
    assert told(write(engine, observed("Oslo", 99))) == ["REJECT erased"]


# --- laws -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("purged", [False, True])
def test_forget_then_anything_delivered_again_gives_nothing(engine: Engine, tmp_path: Path, purged: bool) -> None:
    @given(life=lives(), split=st.integers(0, 8), seed=st.randoms(use_true_random=False))
    @settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
    def law(life: list[Any], split: int, seed: Any) -> None:
        emptied(engine)
        ledger = open_ledger(str(tmp_path / f"{seed.getrandbits(64)}.jsonl"))
        write(engine, *life[:split], now=90)
        gone(engine, ledger)
        if purged:
            purge(engine, now=LATER, retention=Retention())
        again = list(life)
        seed.shuffle(again)
        assert set(told(write(engine, *again, now=120))) == {"REJECT erased"}
        assert not any(numbers(engine, REF).values())

    law()


# --- ledger and database ----------------------------------------------------------------------------------------------


def behind(engine: Engine, by: int) -> None:
    """The database as a backup from before its last `by` erasures would say it is."""
    with writing(engine) as connection:
        connection.execute(ledger_mark.update().values(applied=ledger_mark.c.applied - by))
        last = connection.execute(select(func.max(erasures.c.number))).scalar_one()
        connection.execute(delete(erasures).where(erasures.c.number > last - by))


def test_a_database_behind_its_ledger_forgets_again(engine: Engine, ledger: Ledger) -> None:
    gone(engine, ledger)
    gone(engine, ledger, NEIGHBOURS[0], opt_out=True)
    behind(engine, 2)
    with writing(engine) as connection:
        connection.execute(delete(opt_outs))
    for ref in (REF, NEIGHBOURS[0], NEIGHBOURS[1]):
        story(engine, ref)
    assert lines_behind(engine, ledger) == 2
    report = reapply(engine, KEYS, ledger, rules=RULES)
    assert (report.lines, report.wiped.customers) == (2, 2)
    assert lines_behind(engine, ledger) == 0
    assert reapply(engine, KEYS, ledger, rules=RULES).lines == 0
    assert [any(numbers(engine, ref).values()) for ref in (REF, NEIGHBOURS[0], NEIGHBOURS[1])] == [False, False, True]
    assert told(write(engine, observed("Oslo", 101, ref=NEIGHBOURS[0]), ref=NEIGHBOURS[0])) == ["REJECT opted_out"]


def test_the_audit_tells_nothing_of_an_erased_ticket_from_before_its_erasure(engine: Engine, ledger: Ledger) -> None:
    said = ticket("1", text="e-mail only")
    (row_id,) = done(engine, said)
    _said_of(engine, row_id, at=DAY_0)
    asked = {"tenant": REF.tenant, "event_id": said.event_id}
    assert [line.key for line in lines_of_event(engine, KEYS, **asked)] == ["city"]
    assert decisions_of(engine, [row_id]).total() == 1
    gone(engine, ledger)
    for _ in range(2):
        assert lines_of_event(engine, KEYS, **asked) == [] and decisions_of(engine, [row_id]).total() == 0
        purge(engine, now=LATER, retention=Retention())
        assert received(engine, said)[0].row_id == row_id  # handed in again
    replayed(engine, row_id)
    assert [line.action for line in lines_of_event(engine, KEYS, **asked)] == ["replay"]


def test_of_a_customer_who_came_back_the_audit_tells_of_a_ticket_what_came_after_the_erasure(
    engine: Engine, ledger: Ledger
) -> None:
    (row_id,) = done(engine, ticket("1"))
    _said_of(engine, row_id, at=DAY_0)
    gone(engine, ledger, now=DAY_0)
    purge(engine, now=LATER, retention=Retention())
    (again,) = done(engine, ticket("1", closed_at=LATER + timedelta(days=2)))
    _said_of(engine, again, at=LATER + timedelta(days=3))
    (line,) = lines_of_event(engine, KEYS, tenant=REF.tenant, event_id=ticket("1").event_id)
    assert (again, line.at) == (row_id, LATER + timedelta(days=3))


def _said_of(engine: Engine, row_id: str, *, at: datetime) -> None:
    with writing(engine) as connection:
        record(
            connection, at=at, tenant=REF.tenant, surrogate="a" * 32, actor="worker", action="write", outcome="ADD",
            reason=Reason.NEW, event=row_id, key="city",
        )  # fmt: skip


def replayed(engine: Engine, row_id: str) -> None:
    """An operator puts the row back by its name; it is refused as erased, and the audit says so."""
    with writing(engine) as connection:
        record(
            connection, at=LATER, tenant=REF.tenant, surrogate=None, actor="ann", action="replay", outcome="refused",
            reason=Reason.ERASED, event=row_id,
        )  # fmt: skip


def test_re_applying_spares_a_customer_who_came_back(engine: Engine, ledger: Ledger) -> None:
    report = gone(engine, ledger)
    behind(engine, 1)
    write(engine, observed("Oslo", 1), now=2)
    write(engine, observed("Bergen", 120), observed("e-mail", 1, key="contact_channel", kind="preference"), now=121)
    received(engine, ticket("old"), now=report.erased_at)
    young = received(engine, ticket("new", closed_at=LATER + timedelta(days=1)), now=LATER + timedelta(days=1))[0]
    reapply(engine, KEYS, ledger, rules=RULES)
    assert [(f.value, f.valid_from, f.valid_to) for f in recorded(engine)] == [("Bergen", day(120), None)]
    assert counts(engine)["acme"] == Counts(pending=1, erased=1)
    assert row(engine, young.row_id).state == "pending"
    with reading(engine) as connection:
        assert connection.execute(select(func.count()).select_from(observations)).scalar_one() == 1


def test_a_single_fact_and_a_tenant_are_forgotten_again_too(engine: Engine, ledger: Ledger) -> None:
    write(engine, observed("Oslo"))
    forget_one(engine, ledger, living(engine)[0].id)
    forget_tenant(engine, KEYS, ledger, "acme1", rules=RULES, actor="ops", now=LATER)
    behind(engine, 2)
    write(engine, observed("Oslo"), observed("e-mail", 1, key="contact_channel", kind="preference"))
    story(engine, NEIGHBOURS[2])
    reapply(engine, KEYS, ledger, rules=RULES)
    assert [f.value for f in living(engine)] == ["e-mail"]
    assert not any(numbers(engine, NEIGHBOURS[2]).values())


def test_events_are_found_by_the_ledger_where_nothing_else_is_known_of_a_customer(
    engine: Engine, ledger: Ledger
) -> None:
    gone(engine, ledger)
    behind(engine, 1)
    row_id = received(engine, ticket("1"))[0].row_id
    reapply(engine, KEYS, ledger, rules=RULES)
    assert row(engine, row_id).state == "erased"


def test_several_processes_re_apply_at_once(engine: Engine, ledger: Ledger) -> None:
    for ref in NEIGHBOURS:
        gone(engine, ledger, ref)
    behind(engine, len(NEIGHBOURS))
    for ref in NEIGHBOURS:
        story(engine, ref)
    with ThreadPoolExecutor(4) as pool:
        done_by = [
            f.result().lines for f in [pool.submit(reapply, engine, KEYS, ledger, rules=RULES) for _ in range(4)]
        ]
    assert sum(done_by) == len(NEIGHBOURS)
    assert not any(any(numbers(engine, ref).values()) for ref in NEIGHBOURS)


def test_a_line_without_its_commit_is_applied_before_the_next_one(engine: Engine, ledger: Ledger) -> None:
    story(engine)

    class Died(Exception):
        pass

    class Dying:
        """The process ends when the line is on disk and before the database commits."""

        def __getattr__(self, name: str) -> Any:
            return getattr(ledger, name)

        def append(self, entries: Any) -> Any:
            ledger.append(entries)
            raise Died

    with pytest.raises(Died):
        gone(engine, Dying())  # type: ignore[arg-type]
    assert living(engine)
    assert lines_behind(engine, ledger) == 1
    gone(engine, ledger, NEIGHBOURS[0])
    assert not any(numbers(engine, REF).values())
    assert [e.number for e in listed(engine)] == [1, 2]


def test_a_ledger_that_cannot_be_written_forgets_nobody(engine: Engine, ledger: Ledger) -> None:
    story(engine)
    gone(engine, ledger, NEIGHBOURS[0])

    class Full:
        def __getattr__(self, name: str) -> Any:
            return getattr(ledger, name)

        def append(self, entries: Any) -> Any:
            raise LedgerUnavailable("no space left on device")

    before = recorded(engine)
    with pytest.raises(LedgerUnavailable):
        gone(engine, Full())  # type: ignore[arg-type]
    assert recorded(engine) == before


def test_a_database_ahead_of_its_ledger_refuses(engine: Engine, ledger: Ledger, tmp_path: Path) -> None:
    gone(engine, ledger)
    place = ledger.place()
    assert place is not None
    old = place.read_bytes()
    gone(engine, ledger, NEIGHBOURS[0])
    place.write_bytes(old)
    with pytest.raises(LedgerBehind):
        reapply(engine, KEYS, ledger, rules=RULES)
    with pytest.raises(LedgerBehind):
        gone(engine, ledger, NEIGHBOURS[1])


def test_a_missing_ledger_and_anothers_ledger_are_refused(engine: Engine, ledger: Ledger, tmp_path: Path) -> None:
    gone(engine, ledger)
    missing = open_ledger(str(tmp_path / "nowhere.jsonl"))
    with pytest.raises(LedgerMissing):
        reapply(engine, KEYS, missing, rules=RULES)
    missing.create()
    with pytest.raises(OtherLedger):
        reapply(engine, KEYS, missing, rules=RULES)


def test_a_line_under_another_key_is_refused_and_not_skipped(engine: Engine, ledger: Ledger) -> None:
    ledger.create()
    reapply(engine, KEYS, ledger, rules=RULES)
    other = keys_from(b"o" * 32)
    forget(engine, other, ledger, REF, rules=RULES, actor="ops", now=LATER)
    write(engine, observed("Oslo"))
    behind(engine, 1)
    with pytest.raises(LedgerKeyUnknown):
        reapply(engine, KEYS, ledger, rules=RULES)


@pytest.fixture
def second_database(request: pytest.FixtureRequest, engine: Engine, tmp_path: Path) -> Iterator[str]:
    """A database beside the one under test, of the same kind."""
    if engine.dialect.name == "sqlite":
        yield f"sqlite:///{tmp_path / 'second.db'}"
        return
    server = request.getfixturevalue("postgres")
    name = server.create()
    yield server.url(name)
    server.drop(name)


def test_a_ledger_in_a_second_database_does_the_same(engine: Engine, second_database: str) -> None:
    ledger = open_ledger(second_database)
    story(engine)
    assert gone(engine, ledger).number == 1
    behind(engine, 1)
    write(engine, observed("Oslo"))
    assert reapply(engine, KEYS, ledger, rules=RULES).lines == 1
    assert not any(numbers(engine, REF).values())
    ledger.engine.dispose()  # type: ignore[attr-defined]


# --- what verify sees -------------------------------------------------------------------------------------------------


def test_traces_are_found_wherever_they_are_and_never_repeated(engine: Engine, tmp_path: Path) -> None:
    ref = CustomerRef(tenant="acme", customer="zhang-wei")
    story(engine, ref)
    log = tmp_path / "some.log"
    log.write_text("ticket of \\u5f20\\u4f1f closed")
    queue = {"redis": lambda: __import__("base64").b64encode(b'["x", "zhang-wei"]')}
    found = traces(engine, KEYS, ref, values=["Team plan", "张伟"], files=[log, tmp_path / "none"], sources=queue)
    where = {trace.where for trace in found}
    assert {"facts.value", "facts.customer", "observations.value", "events.customer", "events.payload"} <= where
    assert {"customers.subject", "events.subject", "redis", str(log)} <= where
    assert not [trace for trace in found if "Team" in trace.where]


def test_a_neighbour_is_no_trace(engine: Engine) -> None:
    for ref in NEIGHBOURS:
        story(engine, ref)
    found = traces(engine, KEYS, REF)
    assert [trace for trace in found if "/" not in trace.where] == []


def test_a_table_that_is_added_later_is_searched_too(engine: Engine) -> None:
    from sqlalchemy import Column, String, Table

    notes = Table("notes_of_tomorrow", metadata, Column("id", String, primary_key=True), Column("text", String))
    try:
        with writing(engine) as connection:
            notes.create(connection)
            connection.execute(insert(notes).values(id="1", text="Oslo is where they are"))
        found = traces(engine, KEYS, REF, values=["Oslo"])
        assert "notes_of_tomorrow.text" in {trace.where for trace in found}
    finally:
        metadata.remove(notes)


def test_reasons_and_scopes_are_words_of_the_house(engine: Engine, ledger: Ledger) -> None:
    story(engine)
    gone(engine, ledger)
    with reading(engine) as connection:
        reasons = set(connection.execute(select(audit.c.reason)).scalars()) - {None}
        assert connection.execute(select(func.count()).select_from(facts)).scalar_one() == 0
        assert connection.execute(select(func.count()).select_from(review_items)).scalar_one() == 0
    assert reasons <= {reason.value for reason in Reason}
