"""The purge on both databases: what has had its time goes, in numbers; what is live never changes."""

import re
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from inboxing import NOW, claimed, done, received, row, ticket
from remembering import (
    DAY_0,
    KEYS,
    PER_TICKET,
    REF,
    RULES,
    content,
    day,
    lives,
    living,
    observed,
    recorded,
    told,
    write,
)
from sqlalchemy import Engine, delete, event, func, insert, select, update

from pipeline.ids import CustomerRef
from pipeline.reasons import Reason
from store import heartbeat
from store.claim import bury
from store.counts import Counts, counts
from store.engine import open_engine, reading, writing
from store.erase import forget
from store.exclusive import AlreadyRunning, alone
from store.ledger import open_ledger
from store.models import audit, customers, facts, metadata, observations, receipts, review_items, slot_horizons
from store.models import events as inbox
from store.purge import PurgeReport, purge
from store.purge_classes import CLASSES
from store.retention import Retention
from store.rows import StoredFact
from store.scope import customer_writing
from store.verify import traces
from store.wipe import slots_of
from store.write import refold, withdraw

SHORT = Retention(
    payload_days=7, event_days=90, dead_days=30, retention_days=30, expired_grace_days=10, history_days=60,
    review_days=50, receipt_days=20, audit_days=100_000,
)  # fmt: skip


def purged(engine: Engine, at: float | datetime, retention: Retention = SHORT, **changes: Any) -> dict[str, int]:
    """What a purge at that day took, without the zeros."""
    now = at if isinstance(at, datetime) else day(at)
    report = purge(engine, now=now, retention=retention, **changes)
    assert not report.busy
    return {name: number for name, number in report.numbers.items() if number}


def emptied(engine: Engine) -> None:
    with writing(engine) as connection:
        for table in reversed(metadata.sorted_tables):
            connection.execute(delete(table))


def count(engine: Engine, table: Any) -> int:
    with reading(engine) as connection:
        return connection.execute(select(func.count()).select_from(table)).scalar_one()


def horizons(engine: Engine) -> dict[str, datetime]:
    with reading(engine) as connection:
        return {r.key: r.horizon for r in connection.execute(select(slot_horizons))}


def of_ticket(found: list[StoredFact], ticket: str) -> list[dict[str, Any]]:
    return content([fact for fact in found if fact.slot.ticket == ticket])


def nothing_is_too_late_that_stays(engine: Engine) -> bool:
    """But for ends that are kept since another ticket's fact stands that they ended."""
    o, h = observations.c, slot_horizons.c
    late = select(func.count()).where(
        o.key == h.key, o.slot_ticket == h.slot_ticket, o.observed_at <= h.horizon, ~o.ended
    )
    with reading(engine) as connection:
        return connection.execute(late).scalar_one() == 0


def finished_at(engine: Engine, row_id: str, at: datetime) -> None:
    with writing(engine) as connection:
        connection.execute(update(inbox).where(inbox.c.id == row_id).values(finished_at=at))


# --- the inbox --------------------------------------------------------------------------------------------------------


def test_a_payload_goes_days_after_its_ticket_is_done_and_the_row_later(engine: Engine) -> None:
    (row_id,) = done(engine, ticket("1"))
    finished_at(engine, row_id, day(0))
    assert purged(engine, 6.9) == {}
    assert purged(engine, 7) == {"payloads": 1}
    assert (row(engine, row_id).payload, row(engine, row_id).ticket) == (None, "ticket-1")
    assert purged(engine, 89.9) == {}
    assert purged(engine, 90) == {"done_events": 1}
    assert counts(engine) == {"acme": Counts(done=1)}
    assert count(engine, inbox) == 0


def test_a_dead_letter_keeps_its_payload_until_it_goes(engine: Engine) -> None:
    row_id = received(engine, ticket("1"))[0].row_id
    bury(engine, claimed(engine, row_id), reason=Reason.REFUSAL)
    finished_at(engine, row_id, day(0))
    assert purged(engine, 29.9) == {}
    assert row(engine, row_id).payload is not None
    assert purged(engine, 30) == {"dead_events": 1}
    assert counts(engine) == {"acme": Counts(dead=1)}


def test_what_waits_has_no_retention(engine: Engine) -> None:
    rows = [a.row_id for a in received(engine, ticket("1"), ticket("2"))]
    claimed(engine, rows[0])
    assert purged(engine, 40_000) == {}
    assert counts(engine) == {"acme": Counts(pending=1, processing=1)}


def test_erased_rows_go_at_once_into_their_tenants_totals(engine: Engine, tmp_path: Any) -> None:
    other = CustomerRef(tenant="acme2", customer="u1")
    done(engine, ticket("1"), ticket("2"), ticket("1", ref=other))
    ledger = open_ledger(str(tmp_path / "ledger.jsonl"))
    forget(engine, KEYS, ledger, REF, rules=RULES, actor="ops", now=NOW)
    assert purged(engine, NOW) == {"erased_events": 2}
    assert counts(engine) == {"acme": Counts(erased=2), "acme2": Counts(done=1)}


# --- facts ------------------------------------------------------------------------------------------------------------


def test_an_expired_fact_goes_with_its_observations_and_leaves_a_horizon(engine: Engine) -> None:
    write(engine, observed("E1042", 0, key="issue", kind="situation"), now=0)
    write(engine, observed("e1042", 5, key="issue", kind="situation"), now=5)
    assert purged(engine, 44.9) == {}
    assert purged(engine, 45) == {"expired": 2, "observations": 2}
    assert recorded(engine) == []
    assert horizons(engine) == {"issue": day(35)}
    assert told(write(engine, observed("E7", 35, key="issue", kind="situation"))) == ["REJECT too_late"]
    assert told(write(engine, observed("E7", 35.1, key="issue", kind="situation"))) == ["ADD new"]


def test_a_fact_that_holds_for_good_never_goes(engine: Engine) -> None:
    write(engine, observed("Oslo"))
    assert purged(engine, 40_000) == {}


def test_a_fact_that_was_ended_goes_after_its_history_has_had_its_time(engine: Engine) -> None:
    write(engine, observed("Oslo", 0), observed("Oslo", 10, ended=True), observed("Oslo", 9, key="office"), now=10)
    assert purged(engine, 69.9) == {}
    assert purged(engine, 70) == {"ended": 1, "observations": 2}
    assert horizons(engine) == {"city": day(10)}


def test_of_a_customer_who_is_gone_a_keyed_hash_remembers_how_far_memory_was_purged(
    engine: Engine, tmp_path: Any
) -> None:
    write(engine, observed("Oslo", 0), observed("Oslo", 10, ended=True), now=10)
    assert purged(engine, 69.9) == {}
    assert purged(engine, 70) == {"ended": 1, "observations": 2, "customers": 1}
    assert (horizons(engine), count(engine, customers)) == ({}, 0)
    assert [trace.where for trace in traces(engine, KEYS, REF)] == ["past_horizons.subject"]
    assert told(write(engine, observed("Oslo", 9), observed("Alta", 10.1), now=71)) == ["REJECT too_late", "ADD new"]
    assert told(write(engine, observed("Oslo", 9), now=72)) == ["REJECT too_late"]
    forget(engine, KEYS, open_ledger(str(tmp_path / "ledger.jsonl")), REF, rules=RULES, actor="ops", now=day(73))
    assert traces(engine, KEYS, REF) == ()


def test_a_customer_with_a_ticket_or_a_young_horizon_stays(engine: Engine) -> None:
    write(engine, observed("E1042", 0, key="issue", kind="situation"), now=0)
    assert purged(engine, 60) == {"expired": 1, "observations": 1}  # it expired on day 30
    assert count(engine, customers) == 1
    received(engine, ticket("1"))
    assert purged(engine, 200) == {}
    assert horizons(engine) == {"issue": day(30)}


def test_history_goes_as_a_prefix_and_what_is_live_stays_as_it_was(engine: Engine) -> None:
    write(engine, observed("Oslo", 0), observed("Bergen", 10), observed("bergen", 15), observed("Tromsø", 20), now=20)
    before = recorded(engine)
    assert purged(engine, 70) == {"history": 1, "observations": 1}
    assert [f.value for f in recorded(engine)] == ["Bergen", "Tromsø"]
    assert purged(engine, 80) == {"history": 1, "observations": 2}
    assert recorded(engine) == before[2:]
    assert horizons(engine) == {"city": day(20) - timedelta(microseconds=1)}
    assert told(write(engine, observed("Alta", 19.9))) == ["REJECT too_late"]


def test_what_expired_long_before_a_newer_fact_began_is_a_prefix_too(engine: Engine) -> None:
    write(engine, observed("E1042", 0, key="issue", kind="situation"), now=0)
    write(engine, observed("E7", 35, key="issue", kind="situation"), now=35)
    assert purged(engine, 39.9) == {}
    assert purged(engine, 40) == {"expired_history": 2, "observations": 1}  # its first version had no end yet
    assert [f.value for f in living(engine, 40)] == ["E7"]


def test_a_question_that_is_open_keeps_what_it_is_about(engine: Engine) -> None:
    write(engine, observed("Oslo", 0, source="system"), observed("Bergen", 1), now=1)
    write(engine, observed("Tromsø", 2, source="system"), now=2)
    patient = Retention(**{**vars(SHORT), "review_days": 10_000})
    assert purged(engine, 900, patient) == {"versions": 1}
    assert purged(engine, 900) == {"reviews": 1, "observations": 1 + 1, "history": 1}


def test_of_two_slots_in_one_batch_a_question_keeps_its_own_alone(engine: Engine) -> None:
    for key in ("city", "town"):
        write(engine, observed("Oslo", 0, key=key), observed("Bergen", 10, key=key), now=10)
    write(engine, observed("Alta", 0, key="town", source="system"), now=11)
    write(engine, observed("Hamar", 5, key="town"), now=11)
    with reading(engine) as connection:
        asked = list(connection.execute(select(review_items.c.key)).scalars())
    assert "town" in asked and "city" not in asked
    patient = Retention(**{**vars(SHORT), "review_days": 10_000})
    purged(engine, 900, patient)
    assert horizons(engine).keys() == {"city"}


def test_a_tie_at_the_beginning_of_what_stays_leaves_the_slot_alone(engine: Engine) -> None:
    write(engine, observed("Oslo", 0), now=0)
    write(engine, observed("oslo", 10, source="agent_confirmed"), observed("Bergen", 10, source="agent_confirmed"))
    live = [(f.id, f.value) for f in living(engine)]
    purged(engine, 5_000)
    assert [(f.id, f.value) for f in living(engine)] == live


def test_versions_that_were_superseded_go_and_the_current_one_stays(engine: Engine) -> None:
    write(engine, observed("Oslo", 0), now=0)
    write(engine, observed("oslo", 1), now=1)
    assert count(engine, facts) == 2
    assert purged(engine, 61) == {"versions": 1}
    assert [(f.value, f.version) for f in recorded(engine)] == [("Oslo", 2)]


def test_what_was_withdrawn_goes_with_the_versions_that_rested_on_it(engine: Engine) -> None:
    write(engine, observed("Oslo", 0), now=0)
    wrong = observed("Bergen", 1, ticket="t9")
    write(engine, wrong, now=1)
    with customer_writing(engine, KEYS, REF, now=day(2)) as tx:
        withdraw(tx, [wrong.id], reason=Reason.RETRACTED, actor="ops", rules=RULES)
    assert purged(engine, 31.9) == {}
    assert purged(engine, 32) == {"withdrawn": 1, "versions": 1}
    with reading(engine) as connection:
        assert "Bergen" not in connection.execute(select(facts.c.value)).scalars().all()
    assert [f.value for f in living(engine)] == ["Oslo"]


def test_a_question_goes_with_its_statement_and_is_not_asked_again(engine: Engine) -> None:
    write(engine, observed("Oslo", 0, source="system"), observed("Bergen", 1), now=1)
    assert purged(engine, 50.9) == {}
    assert purged(engine, 51) == {"reviews": 1, "observations": 1}
    with customer_writing(engine, KEYS, REF, now=day(51)) as tx:
        refold(tx, slots_of(tx.connection, REF), rules=RULES)
    assert count(engine, review_items) == 0
    assert [f.value for f in living(engine)] == ["Oslo"]


def test_receipts_and_audit_go_after_their_own_time(engine: Engine) -> None:
    with writing(engine) as connection:
        line = {"at": DAY_0, "tenant": "acme", "surrogate": "s", "actor": "a"}
        connection.execute(insert(receipts).values(id="r", facts=[], degraded=False, **line))
        connection.execute(insert(audit).values(action="x", outcome="y", **line))
    assert purged(engine, 20) == {"receipts": 1}
    assert purged(engine, 100, Retention(audit_days=100)) == {"audit": 1}


# --- laws -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", ["city", PER_TICKET])
def test_a_purge_never_changes_what_is_live(engine: Engine, key: str) -> None:
    """And cuts history to its own end, keeps horizons before what stays, and folds to the same facts ever after."""

    @given(
        life=lives(key=key),
        at=st.integers(0, 60),
        grace=st.sampled_from([0, 1, 1_000]),
        history=st.sampled_from([0, 1, 1_000]),
        reviews=st.sampled_from([0, 1_000]),
        batch=st.sampled_from([1, 500]),
    )
    @settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
    def law(life: list[Any], at: int, grace: int, history: int, reviews: int, batch: int) -> None:
        emptied(engine)
        write(engine, *life, now=6)
        before, held = living(engine, at), recorded(engine)
        retention = Retention(expired_grace_days=grace, history_days=history, review_days=reviews)
        purge(engine, now=day(at), retention=retention, batch=batch)
        assert living(engine, at) == before
        for name in {fact.slot.ticket for fact in held}:
            kept, was = of_ticket(recorded(engine), name), of_ticket(held, name)
            assert kept == was[len(was) - len(kept) :]
        assert nothing_is_too_late_that_stays(engine)
        with customer_writing(engine, KEYS, REF, now=day(at)) as tx:
            refold(tx, slots_of(tx.connection, REF), rules=RULES)
        assert content(living(engine, at)) == content(before)
        write(engine, *life, now=max(at, 6))
        assert content(living(engine, at)) == content(before)

    law()


def test_batches_of_one_take_what_one_batch_takes(engine: Engine) -> None:
    taken = []
    for batch in (1, 3, 500):
        emptied(engine)
        for i in range(7):
            write(engine, observed(f"E{i}", 0, key=f"issue_{i}", kind="situation"), now=0)
            write(engine, observed("Oslo", 0, key=f"city_{i}"), observed("Bergen", 1, key=f"city_{i}"), now=1)
            finished_at(engine, done(engine, ticket(str(i)))[0], day(0))
        taken.append((purged(engine, 200, batch=batch), content(recorded(engine)), count(engine, slot_horizons)))
    assert taken[0] == taken[1] == taken[2]
    assert taken[0][0]["expired"] == 7


@pytest.mark.parametrize("values", [["Oslo"], ["Oslo", "Bergen"]])
def test_a_batch_takes_as_many_statements_whatever_its_size(engine: Engine, values: list[str]) -> None:
    """Whole slots of situations that expired, and prefixes of what was followed by another."""
    kind = "situation" if len(values) == 1 else "profile"

    def asked(slots: int) -> int:
        emptied(engine)
        for i in range(slots):
            write(engine, *(observed(v, at, key=f"k_{i}", kind=kind) for at, v in enumerate(values)), now=1)
        statements: list[str] = []
        heard = lambda _c, _cursor, statement, *_rest: statements.append(statement)  # noqa: E731
        event.listen(engine, "before_cursor_execute", heard)
        assert purged(engine, 200, batch=500)["observations"] == slots
        event.remove(engine, "before_cursor_execute", heard)
        return len(statements)

    assert asked(20) == asked(2)


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
def test_whoever_is_being_written_about_is_not_waited_for_and_goes_the_next_time(engine: Engine) -> None:
    other = CustomerRef(tenant="acme", customer="u2")
    for ref in (REF, other):
        write(engine, observed("E1", 0, key="issue", kind="situation", ref=ref), ref=ref, now=0)
        write(engine, observed("Oslo", 0, ref=ref), observed("Bergen", 1, ref=ref), ref=ref, now=1)
    went = {"expired": 1, "history": 1, "observations": 2}
    with customer_writing(engine, KEYS, other, now=day(200)):
        assert purged(engine, 200) == went
        assert [f.value for f in recorded(engine)] == ["Bergen"]
    assert purged(engine, 200) == went


def test_a_dry_run_deletes_nothing_and_tells_what_would_go(engine: Engine) -> None:
    write(engine, observed("E1", 0, key="issue", kind="situation"), now=0)
    finished_at(engine, done(engine, ticket("1"))[0], day(0))
    before = (count(engine, facts), count(engine, observations), count(engine, inbox))
    report = purge(engine, now=day(500), retention=SHORT, dry_run=True)
    assert {name: n for name, n in report.numbers.items() if n} == {
        "payloads": 1, "done_events": 1, "expired": 1, "observations": 1, "customers": 1,
    }  # fmt: skip
    assert report.dry_run
    assert (count(engine, facts), count(engine, observations), count(engine, inbox)) == before
    assert "purge" not in heartbeat.last_runs(engine)


def held(engine: Engine) -> dict[str, list[Any]]:
    """Every row of every table."""
    with reading(engine) as connection:
        return {t.name: sorted(map(repr, connection.execute(select(t)))) for t in metadata.sorted_tables}


_DAYS = ("retention_days", "expired_grace_days", "history_days", "review_days", "payload_days", "event_days")


@pytest.mark.parametrize("key", ["city", PER_TICKET])
def test_a_dry_run_tells_what_the_purge_then_takes(engine: Engine, key: str) -> None:
    """Over any histories of several customers, with statements withdrawn, questions answered and tickets done."""
    refs = [CustomerRef(tenant="acme", customer=f"u{i}") for i in range(3)]

    @given(
        lives_of=st.tuples(*(lives(ref=ref, key=key) for ref in refs)),
        taken_back=st.sets(st.integers(0, 7), max_size=2),
        answered=st.booleans(),
        tickets=st.integers(0, 2),
        at=st.integers(6, 60),
        days=st.fixed_dictionaries({name: st.sampled_from([0, 1, 30, 1_000]) for name in _DAYS}),
    )
    @settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
    def law(lives_of: Any, taken_back: Any, answered: bool, tickets: int, at: int, days: Any) -> None:
        emptied(engine)
        for ref, life in zip(refs, lives_of, strict=True):
            write(engine, *life, ref=ref, now=6)
            with customer_writing(engine, KEYS, ref, now=day(6)) as tx:
                gone = [one.id for number, one in enumerate(life) if number in taken_back]
                withdraw(tx, gone, reason=Reason.REPLAYED, actor="ops", rules=RULES)
                tx.update(review_items, {"state": "dismissed", "resolved_at": day(7)} if answered else {"ticket": "t"})
        for number in range(tickets):
            finished_at(engine, done(engine, ticket(str(number), ref=refs[number]))[0], day(6))
        before = held(engine)
        retention = Retention(**days, audit_days=20)
        told = purge(engine, now=day(at), retention=retention, dry_run=True)
        assert held(engine) == before
        assert told.numbers == purge(engine, now=day(at), retention=retention).numbers

    law()


def test_a_dry_run_waits_for_nobody_and_nobody_for_it(engine: Engine) -> None:
    write(engine, observed("E1042", 0, key="issue", kind="situation"), now=0)
    with customer_writing(engine, KEYS, REF, now=day(1)):
        assert purge(engine, now=day(500), retention=SHORT, dry_run=True).numbers["expired"] == 1
    with alone(engine, "purge"):
        assert purge(engine, now=day(500), retention=SHORT, dry_run=True).numbers["expired"] == 1


def test_a_dry_run_reads_no_words(engine: Engine) -> None:
    asked: list[str] = []
    write(engine, observed("Oslo", 0), observed("Bergen", 10), now=10)
    event.listen(engine, "before_cursor_execute", lambda *given: asked.append(given[2]))
    purge(engine, now=day(500), retention=SHORT, dry_run=True)
    assert asked
    assert not [text for text in asked if re.search(r"\.(value|quotes|payload)\b(?! IS NOT NULL)", text)]


def test_a_dry_run_finds_the_rows_of_its_customers_by_index(sqlite_url: str) -> None:
    engine = open_engine(sqlite_url)
    refs = [CustomerRef(tenant=tenant, customer=name) for tenant in ("acme", "other") for name in ("u1", "u2")]
    for ref in refs:
        write(engine, observed("E1042", 0, key="issue", kind="situation", ref=ref), ref=ref, now=0)
    asked: list[tuple[str, Any]] = []
    event.listen(engine, "before_cursor_execute", lambda *given: asked.append((given[2], given[3])))
    purge(engine, now=day(500), retention=SHORT, dry_run=True)
    copying = [one for one in asked if " IN (?, ?)" in one[0]]
    with reading(engine) as connection:
        plans = [connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {text}", given).all() for text, given in copying]
    assert len(plans) == 6
    assert not [step for plan in plans for *_, step in plan if step.startswith("SCAN")]
    engine.dispose()


def test_a_second_purge_at_the_same_time_is_refused_and_a_third_later_is_not(engine: Engine) -> None:
    with alone(engine, "purge"), pytest.raises(AlreadyRunning):
        purge(engine, now=NOW, retention=SHORT)
    assert purge(engine, now=NOW, retention=SHORT).rows == 0
    assert heartbeat.last_runs(engine)["purge"].detail["busy"] is False


def test_writers_and_purges_of_the_same_slots_do_not_hurt_each_other(engine: Engine) -> None:
    refs = [CustomerRef(tenant="acme", customer=f"u{i}") for i in range(6)]
    for ref in refs:
        write(engine, *(observed(f"E{i}", i, key="issue", kind="situation", ref=ref) for i in range(5)), ref=ref, now=5)
    stop = threading.Event()

    def purge_on() -> Counter[str]:
        taken: Counter[str] = Counter()
        while not stop.is_set():
            taken.update(purge(engine, now=day(900), retention=SHORT, batch=2).numbers)
        return taken

    def write_on(ref: CustomerRef) -> None:
        for i in range(5):
            write(engine, observed(f"N{i}", 880 + i, key="issue", kind="situation", ref=ref), ref=ref, now=890 + i)

    with ThreadPoolExecutor(len(refs) + 1) as pool:
        purging = pool.submit(purge_on)
        for future in [pool.submit(write_on, ref) for ref in refs]:
            future.result()
        stop.set()
        purging.result()
    purge(engine, now=day(900), retention=SHORT)
    for ref in refs:
        assert [f.value for f in living(engine, 890, ref)] == ["N4"]
        before = content(recorded(engine, ref))
        with customer_writing(engine, KEYS, ref, now=day(900)) as tx:
            refold(tx, slots_of(tx.connection, ref), rules=RULES)
        assert content(recorded(engine, ref)) == before
    assert all(slot > day(0) for slot in horizons(engine).values())


def test_a_reader_who_does_not_let_go_makes_the_purge_say_so(sqlite_url: str) -> None:
    engine = open_engine(sqlite_url)
    write(engine, observed("Oslo"))
    with reading(engine) as connection:
        connection.execute(select(facts)).all()
        write(engine, observed("Bergen", 1))
        assert purge(engine, now=NOW, retention=SHORT).busy
    report: PurgeReport = purge(engine, now=NOW, retention=SHORT)
    assert not report.busy
    engine.dispose()


def test_reviews_of_a_live_fact_are_not_lost_with_their_question(engine: Engine) -> None:
    """An answered question whose statement has become evidence stays, or its fact would fall."""
    write(engine, observed("Oslo", 0, source="system"), observed("Bergen", 1), now=1)
    write(engine, observed("Bergen", 2, source="system"), now=2)
    with writing(engine) as connection:
        current = select(facts.c.evidence).where(facts.c.valid_to.is_(None), facts.c.recorded_to.is_(None))
        evidence = connection.execute(current).scalar_one()
        item = {"observation": evidence[0], "tenant": "acme", "customer": "u1", "key": "city", "reason": "tie"}
        connection.execute(insert(review_items).values(**item, opened_at=day(1), state="dismissed", resolved_at=day(2)))
    before = living(engine)
    purged(engine, 500)
    assert living(engine) == before


def test_a_purge_leaves_connections_that_sync_their_commits(sqlite_url: str) -> None:
    engine = open_engine(sqlite_url)
    write(engine, observed("E1042", 0, key="issue", kind="situation"), now=0)
    purge(engine, now=day(500), retention=SHORT)
    with reading(engine) as connection:
        full = 2
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar_one() == full
    engine.dispose()


def test_numbers_name_every_class(engine: Engine) -> None:
    named = purge(engine, now=NOW + timedelta(days=1), retention=SHORT).numbers
    assert set(named) == {
        "erased_events", "payloads", "done_events", "dead_events", "withdrawn", "versions", "reviews", "expired",
        "ended", "history", "expired_history", "lone_ends", "customers", "receipts", "audit", "ties", "observations",
    }  # fmt: skip
    assert set(named) == set(CLASSES)
