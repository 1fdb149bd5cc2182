"""The inbox on both databases: accept, publish, claim, finish, sweep, pause."""

import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from inboxing import (
    LEASE,
    LONG_AGO,
    NOW,
    claimed,
    done,
    finished,
    lose_worker,
    received,
    row,
    row_of,
    set_columns,
    states,
    ticket,
)
from remembering import KEYS, REF
from sqlalchemy import Engine, func, select
from sqlalchemy import event as sqlalchemy_event

from pipeline.ids import CustomerRef
from pipeline.reasons import Reason
from store import heartbeat, pauses
from store.claim import Claim, LostLease, bury, claim, extend, finish, postpone, release
from store.counts import Counts, counts, dead_by_reason, event_shown, events_listed, oldest_pending, pending_for
from store.engine import database_now, reading, writing
from store.inbox import Outcome, accept, publishable
from store.models import events
from store.payload import digest_as_written, opened
from store.selection import BadSelection, Selection
from store.states import Lane, State
from store.sweep import due, due_rows, next_in_line, recover_lost
from store.waiting import in_state, outstanding, published


def sweep(engine: Engine, **changes: Any) -> list[tuple[str, Lane]]:
    asked = {"limit": 1_000, "outstanding_limit": 1_000, "republish_after": timedelta(minutes=5), "queued": None}
    return list(due(engine, **{**asked, **changes}))


def at_once(number: int, work: Callable[[], Any]) -> list[Any]:
    """Runs `work` in that many threads that all begin at the same moment."""
    barrier = threading.Barrier(number)

    def begin() -> Any:
        barrier.wait()
        return work()

    with ThreadPoolExecutor(number) as pool:
        return [future.result() for future in [pool.submit(begin) for _ in range(number)]]


# --- accept -----------------------------------------------------------------------------------------------------------


def test_each_event_gets_its_answer_in_its_order(engine: Engine) -> None:
    answers = received(engine, ticket("1"), ticket("2"), ticket("1"), ticket("1", text="other"))
    assert [answer.outcome for answer in answers] == ["accepted", "accepted", "duplicate", "conflict"]
    assert answers[0].row_id == answers[2].row_id == answers[3].row_id
    assert {answer.state for answer in answers} == {State.PENDING}


def test_a_conflict_changes_nothing(engine: Engine) -> None:
    row_id = row_of(engine, ticket("1"))
    before = row(engine, row_id)
    assert received(engine, ticket("1", text="other"))[0].outcome is Outcome.CONFLICT
    assert row(engine, row_id) == before


def test_a_row_from_when_the_zone_of_the_close_counted_is_still_a_duplicate(engine: Engine) -> None:
    there = ticket("1", closed_at="2026-01-02T11:04:05+08:00")
    row_id = row_of(engine, there)
    set_columns(engine, row_id, digest=digest_as_written(KEYS, there))
    assert received(engine, there)[0].outcome is Outcome.DUPLICATE


def test_a_duplicate_tells_the_state_of_its_row(engine: Engine) -> None:
    done(engine, ticket("1"))
    answer = received(engine, ticket("1"))[0]
    assert (answer.outcome, answer.state) == (Outcome.DUPLICATE, State.DONE)


def test_the_same_event_id_in_two_tenants_is_two_events(engine: Engine) -> None:
    other = CustomerRef(tenant="acme2", customer="u1")
    answers = received(engine, ticket("1"), ticket("1", ref=other))
    assert [answer.outcome for answer in answers] == ["accepted", "accepted"]
    assert len({answer.row_id for answer in answers}) == 2


def test_an_event_delivered_eight_times_at_once_is_one_row(engine: Engine) -> None:
    answers = [a for one in at_once(8, lambda: received(engine, ticket("1"))) for a in one]
    assert Counter(answer.outcome for answer in answers) == {Outcome.ACCEPTED: 1, Outcome.DUPLICATE: 7}
    assert counts(engine)["acme"].accepted == 1


def test_batches_that_name_the_same_events_in_other_orders_do_not_block_each_other(engine: Engine) -> None:
    names = [str(i) for i in range(30)]
    orders = iter([names, names[::-1], names[15:] + names[:15], names[::2] + names[1::2]])
    lock = threading.Lock()

    def deliver() -> Any:
        with lock:
            order = next(orders)
        return received(engine, *(ticket(name) for name in order))

    answers = [a for one in at_once(4, deliver) for a in one]
    assert Counter(answer.outcome for answer in answers) == {Outcome.ACCEPTED: 30, Outcome.DUPLICATE: 90}


def test_what_was_accepted_is_sealed_and_says_whose_it_is(engine: Engine) -> None:
    event = ticket("1", text="a rare sentence")
    found = row(engine, row_of(engine, event))
    assert b"rare" not in found.payload
    assert opened(KEYS, found.payload, row_id=found.id, tenant="acme") == event
    assert (found.ticket, found.customer, found.closed_at) == ("ticket-1", "u1", event.closed_at)


def test_nothing_given_is_nothing_done(engine: Engine) -> None:
    assert accept(engine, KEYS, [], now=NOW) == ()
    assert publishable(engine, [], outstanding_limit=1) == ()


def test_a_batch_of_two_thousand_is_one_commit(engine: Engine) -> None:
    answers = received(engine, *(ticket(str(i)) for i in range(2_000)))
    assert Counter(answer.outcome for answer in answers) == {Outcome.ACCEPTED: 2_000}


# --- publish ----------------------------------------------------------------------------------------------------------


def test_a_tenant_has_no_more_out_than_its_share(engine: Engine) -> None:
    rows = [a.row_id for a in received(engine, *(ticket(str(i)) for i in range(5)))]
    assert [row_id for row_id, _ in publishable(engine, rows, outstanding_limit=3)] == rows[:3]
    assert publishable(engine, rows, outstanding_limit=3) == ()
    held = claimed(engine, rows[0])
    assert publishable(engine, rows, outstanding_limit=3) == ()
    finished(engine, held)
    assert publishable(engine, rows, outstanding_limit=3) == ((rows[3], Lane.LIVE),)


def test_a_backfill_takes_nothing_of_the_share_of_live_tickets(engine: Engine) -> None:
    old = [a.row_id for a in received(engine, *(ticket(f"old{i}") for i in range(4)), lane=Lane.BACKFILL)]
    assert publishable(engine, old, outstanding_limit=2) == ((old[0], Lane.BACKFILL), (old[1], Lane.BACKFILL))
    new = row_of(engine, ticket("new"))
    assert publishable(engine, [new], outstanding_limit=2) == ((new, Lane.LIVE),)


def test_two_who_publish_one_row_at_once_publish_it_once(engine: Engine) -> None:
    rows = [a.row_id for a in received(engine, *(ticket(str(i)) for i in range(20)))]
    both = [
        *at_once(2, lambda: publishable(engine, rows, outstanding_limit=100)),
        *at_once(2, lambda: tuple(sweep(engine))),
    ]
    assert sorted(row_id for one in both for row_id, _ in one) == sorted(rows)


# --- sweep ------------------------------------------------------------------------------------------------------------


def test_the_sweep_finds_what_was_never_published_and_what_was_lost_on_the_way(engine: Engine) -> None:
    row_id = row_of(engine, ticket("1"))
    assert sweep(engine) == [(row_id, Lane.LIVE)]
    assert sweep(engine) == []
    set_columns(engine, row_id, next_publish=LONG_AGO)
    assert sweep(engine) == [(row_id, Lane.LIVE)]


def test_what_the_queue_still_holds_is_not_published_again(engine: Engine) -> None:
    rows = [a.row_id for a in received(engine, ticket("1"), ticket("2"))]
    sweep(engine)
    for row_id in rows:
        set_columns(engine, row_id, next_publish=LONG_AGO)
    assert sweep(engine, queued={rows[0]}) == [(rows[1], Lane.LIVE)]
    assert sweep(engine, queued=set()) == [(rows[0], Lane.LIVE)]


def test_tenants_take_turns_whatever_one_of_them_has_piled_up(engine: Engine) -> None:
    many = [ticket(str(i), ref=CustomerRef(tenant="flood", customer="u1")) for i in range(50)]
    few = [ticket(str(i), ref=CustomerRef(tenant=name, customer="u1")) for name in ("a", "z") for i in range(2)]
    received(engine, *many)
    received(engine, *few)
    tenants = [row(engine, row_id).tenant for row_id, _ in sweep(engine, limit=6)]
    assert tenants == ["a", "flood", "z", "a", "flood", "z"]


def test_a_live_ticket_goes_before_a_backfill_that_came_first(engine: Engine) -> None:
    received(engine, *(ticket(f"old{i}") for i in range(5)), lane=Lane.BACKFILL)
    new = row_of(engine, ticket("new"))
    assert sweep(engine, limit=2)[0] == (new, Lane.LIVE)


def test_the_sweep_leaves_a_tenant_that_has_its_share_out(engine: Engine) -> None:
    received(engine, *(ticket(str(i)) for i in range(5)))
    assert len(sweep(engine, outstanding_limit=2)) == 2
    assert sweep(engine, outstanding_limit=2) == []


def test_a_sweep_leaves_its_mark(engine: Engine) -> None:
    received(engine, ticket("1"))
    sweep(engine)
    assert heartbeat.last_runs(engine)["sweep"].detail == {"published": 1}


def test_tickets_that_wait_out_a_fault_take_up_no_share(engine: Engine) -> None:
    rows = [a.row_id for a in received(engine, *(ticket(str(i)) for i in range(4)))]
    for row_id in rows[:2]:
        postpone(engine, claimed(engine, row_id), reason=Reason.RATE_LIMITED, delay=timedelta(hours=1))
    assert sorted(row_id for row_id, _ in sweep(engine, outstanding_limit=2)) == sorted(rows[2:])


def next_ones(engine: Engine, share: int, republish_after: timedelta = timedelta(minutes=5)) -> list[str]:
    chosen = next_in_line(engine, limit=100, outstanding_limit=share, republish_after=republish_after)
    return [row_id for row_id, _ in chosen]


def test_a_ticket_that_ends_makes_room_for_the_next_of_its_tenant(engine: Engine) -> None:
    received(engine, *(ticket(str(i)) for i in range(4)))
    first = next_ones(engine, 2)
    assert (len(first), next_ones(engine, 2)) == (2, [])
    bury(engine, claimed(engine, first[0]), reason=Reason.REFUSAL)
    third = next_ones(engine, 2)
    assert len(third) == 1
    assert third[0] not in first


def test_what_may_be_lost_is_left_to_the_sweep_which_knows_the_queue(engine: Engine) -> None:
    received(engine, ticket("1"), ticket("2"))
    lapsed = next_ones(engine, 1, republish_after=timedelta(0))
    assert len(next_ones(engine, 9)) == 1
    assert next_ones(engine, 9) == []
    assert [row_id for row_id, _ in sweep(engine)] == lapsed


# --- claim ------------------------------------------------------------------------------------------------------------


def test_eight_deliveries_at_once_are_one_claim(engine: Engine) -> None:
    row_id = row_of(engine, ticket("1"))
    held = [found for found in at_once(8, lambda: claim(engine, row_id, lease=LEASE)) if found]
    assert [(one.row_id, one.fence, one.attempts) for one in held] == [(row_id, 1, 1)]


def test_a_row_that_is_not_to_be_had_is_not_claimed(engine: Engine) -> None:
    row_id = row_of(engine, ticket("1"))
    assert claim(engine, "nobody", lease=LEASE) is None
    set_columns(engine, row_id, next_attempt=NOW + timedelta(days=36_500))
    assert claim(engine, row_id, lease=LEASE) is None
    set_columns(engine, row_id, next_attempt=LONG_AGO)
    finished(engine, claimed(engine, row_id))
    assert claim(engine, row_id, lease=LEASE) is None


def test_a_claim_is_silent_about_the_payload(engine: Engine) -> None:
    assert "payload" not in repr(claimed(engine, row_of(engine, ticket("1"))))


def test_a_worker_takes_only_from_its_own_lanes(engine: Engine) -> None:
    row_id = row_of(engine, ticket("1"))
    set_columns(engine, row_id, lane=Lane.QUARANTINE)
    assert claim(engine, row_id, lease=LEASE, lanes=[Lane.LIVE, Lane.BACKFILL]) is None
    assert claim(engine, row_id, lease=LEASE, lanes=[Lane.QUARANTINE]) is not None


def test_what_was_spent_stands_on_the_finished_row(engine: Engine) -> None:
    held = claimed(engine, row_of(engine, ticket("1")))
    spent = {"model": "m1", "prompt_version": "p1", "model_ms": 900, "prompt_tokens": 1_200, "reply_tokens": 80}
    with writing(engine) as connection:
        finish(connection, held, state=State.DONE, reason=Reason.APPLIED, **spent)  # type: ignore[arg-type]
    found = row(engine, held.row_id)
    assert {name: getattr(found, name) for name in spent} == spent
    assert (found.state, found.reason, found.lease_until) == ("done", "applied", None)


def test_an_attempt_ends_as_done_or_dead_and_as_nothing_else(engine: Engine) -> None:
    held = claimed(engine, row_of(engine, ticket("1")))
    with pytest.raises(ValueError, match="done or dead"), writing(engine) as connection:
        finish(connection, held, state=State.PENDING, reason=Reason.APPLIED)


def test_a_zombie_that_wakes_after_its_lease_changes_nothing(engine: Engine) -> None:
    zombie = claimed(engine, row_of(engine, ticket("1")))
    lose_worker(engine, zombie.row_id)
    sweep(engine)
    for taken_over in (False, True):
        if taken_over:
            claimed(engine, zombie.row_id)
        before = row(engine, zombie.row_id)
        for attempt in (
            lambda: finished(engine, zombie),
            lambda: bury(engine, zombie, reason=Reason.REFUSAL),
            lambda: postpone(engine, zombie, reason=Reason.RATE_LIMITED, delay=LEASE),
            lambda: release(engine, zombie),
            lambda: extend(engine, zombie, lease=LEASE),
        ):
            with pytest.raises(LostLease):
                attempt()
        assert row(engine, zombie.row_id) == before


def test_a_lost_lease_takes_what_the_transaction_wrote_along(engine: Engine) -> None:
    zombie = claimed(engine, row_of(engine, ticket("1")))
    lose_worker(engine, zombie.row_id)
    sweep(engine)
    with pytest.raises(LostLease), writing(engine) as connection:
        heartbeat.beat(connection, "written by a zombie")
        finish(connection, zombie, state=State.DONE, reason=Reason.APPLIED)
    assert "written by a zombie" not in heartbeat.last_runs(engine)


def test_a_worker_that_is_asked_to_stop_loses_no_attempt(engine: Engine) -> None:
    held = claimed(engine, row_of(engine, ticket("1")))
    release(engine, held)
    again = claimed(engine, held.row_id)
    assert (again.attempts, again.fence) == (1, 2)


def test_a_lease_can_be_extended(engine: Engine) -> None:
    held = claimed(engine, row_of(engine, ticket("1")), lease=timedelta(seconds=1))
    extend(engine, held, lease=timedelta(hours=1))
    assert row(engine, held.row_id).lease_until > held.lease_until + timedelta(minutes=30)


# --- faults and crashes -----------------------------------------------------------------------------------------------


def test_a_passing_fault_puts_the_ticket_back_until_its_time(engine: Engine) -> None:
    held = claimed(engine, row_of(engine, ticket("1")))
    assert postpone(engine, held, reason=Reason.RATE_LIMITED, delay=timedelta(hours=1)) is State.PENDING
    found = row(engine, held.row_id)
    assert (found.state, found.reason, found.attempts) == ("pending", "rate_limited", 1)
    assert claim(engine, held.row_id, lease=LEASE) is None
    assert sweep(engine) == []


def test_passing_faults_end_by_age_and_not_by_count(engine: Engine) -> None:
    row_id = row_of(engine, ticket("1"))
    for _ in range(30):
        held = claimed(engine, row_id)
        assert postpone(engine, held, reason=Reason.MODEL_TIMEOUT, delay=timedelta(0)) is State.PENDING
    set_columns(engine, row_id, failing_since=LONG_AGO)
    assert postpone(engine, claimed(engine, row_id), reason=Reason.MODEL_TIMEOUT, delay=timedelta(0)) is State.DEAD
    assert (row(engine, row_id).state, row(engine, row_id).reason) == ("dead", "too_old")


def test_a_lasting_fault_buries_the_ticket_at_once(engine: Engine) -> None:
    bury(engine, claimed(engine, row_of(engine, ticket("1"))), reason=Reason.CONTENT_FILTER)
    assert dead_by_reason(engine) == {"content_filter": 1}


def test_a_ticket_that_kills_its_worker_goes_on_alone_and_then_dies(engine: Engine) -> None:
    row_id = row_of(engine, ticket("1"))
    seen = []
    for _ in range(3):
        claimed(engine, row_id)
        lose_worker(engine, row_id)
        published = sweep(engine)
        found = row(engine, row_id)
        seen.append((found.state, found.lane, found.crashes, len(published)))
    assert seen == [("pending", "live", 1, 1), ("pending", "quarantine", 2, 1), ("dead", "quarantine", 3, 0)]
    assert dead_by_reason(engine) == {"worker_lost": 1}


def test_a_passing_fault_is_no_crash(engine: Engine) -> None:
    held = claimed(engine, row_of(engine, ticket("1")))
    postpone(engine, held, reason=Reason.MODEL_TIMEOUT, delay=timedelta(0))
    assert row(engine, held.row_id).crashes == 0


def test_a_lease_that_still_runs_is_left_alone(engine: Engine) -> None:
    held = claimed(engine, row_of(engine, ticket("1")))
    with writing(engine) as connection:
        assert recover_lost(connection) == {}
    assert row(engine, held.row_id).state == "processing"


def test_two_sweeps_at_once_count_one_crash(engine: Engine) -> None:
    row_id = row_of(engine, ticket("1"))
    claimed(engine, row_id)
    lose_worker(engine, row_id)
    published = [pair for one in at_once(4, lambda: sweep(engine)) for pair in one]
    assert (row(engine, row_id).crashes, published) == (1, [(row_id, Lane.LIVE)])


# --- pauses -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("whom", ["acme", pauses.EVERYONE])
def test_a_pause_holds_events_and_lets_what_runs_end(engine: Engine, whom: str) -> None:
    held, waits = (a.row_id for a in received(engine, ticket("1"), ticket("2")))
    running = claimed(engine, held)
    assert pauses.pause(engine, whom, actor="ops", now=NOW)
    assert not pauses.pause(engine, whom, actor="ops", now=NOW)
    assert (sweep(engine), publishable(engine, [waits], outstanding_limit=9)) == ([], ())
    assert claim(engine, waits, lease=LEASE) is None
    finished(engine, running)
    assert [p.tenant for p in pauses.paused(engine)] == [whom]
    assert pauses.resume(engine, whom, actor="ops", now=NOW)
    assert not pauses.resume(engine, whom, actor="ops", now=NOW)
    assert sweep(engine) == [(waits, Lane.LIVE)]


def test_a_paused_tenant_holds_up_nobody_else(engine: Engine) -> None:
    received(engine, ticket("1"))
    other = row_of(engine, ticket("1", ref=CustomerRef(tenant="acme2", customer="u1")))
    pauses.pause(engine, "acme", actor="ops", now=NOW)
    assert sweep(engine) == [(other, Lane.LIVE)]
    assert claim(engine, other, lease=LEASE) is not None


def test_what_was_published_and_then_paused_is_published_again_on_resume(engine: Engine) -> None:
    row_id = row_of(engine, ticket("1"))
    sweep(engine)
    pauses.pause(engine, "acme", actor="ops", now=NOW)
    assert claim(engine, row_id, lease=LEASE) is None
    pauses.resume(engine, "acme", actor="ops", now=NOW)
    assert sweep(engine) == [(row_id, Lane.LIVE)]


# --- what an operator sees --------------------------------------------------------------------------------------------


def test_counts_reconcile_with_what_was_accepted(engine: Engine) -> None:
    rows = [a.row_id for a in received(engine, *(ticket(str(i)) for i in range(5)))]
    finished(engine, claimed(engine, rows[0]))
    bury(engine, claimed(engine, rows[1]), reason=Reason.REFUSAL)
    claimed(engine, rows[2])
    assert counts(engine, tenant="acme") == {"acme": Counts(pending=2, processing=1, done=1, dead=1)}
    assert counts(engine, tenant="nobody") == {"nobody": Counts()}
    assert counts(engine)["acme"].accepted == 5


def test_an_event_is_shown_by_its_id_without_a_word_of_it(engine: Engine) -> None:
    row_id = row_of(engine, ticket("1", text="a rare sentence"))
    bury(engine, claimed(engine, row_id), reason=Reason.REFUSAL)
    shown = event_shown(engine, KEYS, tenant="acme", event_id="event-1")
    assert shown is not None
    wanted = {"event_id": "event-1", "ticket": "ticket-1", "state": "dead", "reason": "refusal", "attempts": 1}
    assert wanted.items() <= shown.items()
    assert shown["received_at"] == NOW.isoformat()
    assert "rare" not in str(shown)
    assert event_shown(engine, KEYS, tenant="acme", event_id="event-2") is None


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({}, ["1", "2", "3"]),
        ({"states": (State.DEAD,)}, ["2"]),
        ({"reason": "refusal"}, ["2"]),
        ({"tenant": "acme", "ticket": "ticket-3"}, ["3"]),
        ({"tenant": "acme", "customer": "u10"}, ["3"]),
        ({"tenant": "acme", "event_id": "event-1"}, ["1"]),
        ({"tenant": "acme1"}, []),
        ({"since": NOW + timedelta(hours=1)}, ["2", "3"]),
        ({"until": NOW + timedelta(hours=1)}, ["1"]),
        ({"limit": 2}, ["1", "2"]),
    ],
)
def test_events_are_listed_by_what_an_operator_asks_for(
    engine: Engine, asked: dict[str, Any], expected: list[str]
) -> None:
    received(engine, ticket("1"))
    second = received(engine, ticket("2"), now=NOW + timedelta(hours=1))[0].row_id
    received(engine, ticket("3", ref=CustomerRef(tenant="acme", customer="u10")), now=NOW + timedelta(hours=2))
    bury(engine, claimed(engine, second), reason=Reason.REFUSAL)
    listed = events_listed(engine, KEYS, Selection(**asked))
    assert [shown["event_id"] for shown in listed] == [f"event-{name}" for name in expected]


@pytest.mark.parametrize("name", ["event_id", "ticket", "customer"])
def test_a_name_within_a_tenant_needs_its_tenant(name: str) -> None:
    with pytest.raises(BadSelection):
        Selection(**{name: "1"})


def test_the_oldest_that_waits_and_a_customers_open_tickets_are_known(engine: Engine) -> None:
    assert oldest_pending(engine) is None
    first, _second = (a.row_id for a in received(engine, ticket("1"), ticket("2")))
    received(engine, ticket("3"), now=NOW + timedelta(hours=1))
    claimed(engine, first)
    assert oldest_pending(engine, tenant="acme") == NOW
    with reading(engine) as connection:
        assert pending_for(connection, REF) == 3
        assert pending_for(connection, CustomerRef(tenant="acme", customer="u")) == 0


# --- plans ------------------------------------------------------------------------------------------------------------


def plan_of(engine: Engine, query: Any) -> str:
    """How the database would answer, as text. PostgreSQL may not scan, so that few rows plan as many would."""
    compiled = query.compile(engine, compile_kwargs={"literal_binds": True})
    with reading(engine) as connection:
        if connection.dialect.name == "sqlite":
            found = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {compiled}").all()
            return " ".join(str(line[3]) for line in found)
        connection.exec_driver_sql("SET LOCAL enable_seqscan = off")
        found = connection.exec_driver_sql("EXPLAIN " + str(compiled).replace("%", "%%")).all()
        return " ".join(str(line[0]) for line in found)


def test_a_backlog_is_walked_along_indexes(engine: Engine) -> None:
    received(engine, *(ticket(str(i)) for i in range(200)))
    with reading(engine) as connection:
        now = database_now(connection)
    assert "ix_events_due" in plan_of(engine, due_rows(("acme", Lane.LIVE), now).limit(10))
    out = select(events.c.tenant, events.c.lane, func.count()).where(published(now))
    assert "ix_events_published" in plan_of(engine, out.group_by(events.c.tenant, events.c.lane))
    lost = select(events.c.id).where(in_state(State.PROCESSING), events.c.lease_until <= now)
    assert "ix_events_lease" in plan_of(engine, lost)


def test_the_door_looks_up_by_key_whatever_the_inbox_holds(engine: Engine) -> None:
    """Every statement of an accept and a claim, as it was sent: none scans the inbox."""
    received(engine, *(ticket(str(i)) for i in range(200)))
    sent: list[tuple[str, Any]] = []

    @sqlalchemy_event.listens_for(engine, "before_cursor_execute")
    def _(_connection: Any, _cursor: Any, statement: str, parameters: Any, *_rest: Any) -> None:
        if statement.startswith(("SELECT", "UPDATE")) and " events" in statement:
            sent.append((statement, parameters))

    answer = received(engine, ticket("new"), ticket("new2"))[0]
    publishable(engine, [answer.row_id], outstanding_limit=9)
    claimed(engine, answer.row_id)
    statements = list(sent)
    assert len(statements) >= 5
    explain = "EXPLAIN QUERY PLAN " if engine.dialect.name == "sqlite" else "EXPLAIN "
    with reading(engine) as connection:
        if engine.dialect.name == "postgresql":
            connection.exec_driver_sql("SET LOCAL enable_seqscan = off")
        for statement, parameters in statements:
            plan = " ".join(str(line) for line in connection.exec_driver_sql(explain + statement, parameters))
            assert not [scan for scan in ("SCAN events'", "SCAN events)", "Seq Scan on events") if scan in plan], plan


def test_what_is_out_is_counted_by_tenant_and_lane(engine: Engine) -> None:
    rows = [a.row_id for a in received(engine, *(ticket(str(i)) for i in range(3)))]
    publishable(engine, rows[:2], outstanding_limit=9)
    claimed(engine, rows[2])
    with reading(engine) as connection:
        found = outstanding(connection, now=database_now(connection))
    assert found == {("acme", Lane.LIVE): 3}


def test_states_of_a_batch_are_those_of_its_rows(engine: Engine) -> None:
    rows = done(engine, ticket("1"), ticket("2"))
    assert states(engine, rows) == ["done", "done"]


def test_a_claim_tells_what_a_worker_needs(engine: Engine) -> None:
    held: Claim = claimed(engine, row_of(engine, ticket("1")))
    assert (held.tenant, held.lane, held.crashes, held.failing_since) == ("acme", Lane.LIVE, 0, None)
    assert held.received_at == held.closed_at == NOW
