"""Writing: refusals first, then the fold's difference, on both databases."""

from datetime import timedelta

import pytest
from remembering import DAY_0, KEYS, REF, RULES, day, living, observed, recorded, told, write
from sqlalchemy import Engine, insert, select

from pipeline.facts import Observation
from pipeline.ids import CustomerRef
from pipeline.reasons import Reason
from store.engine import reading, writing
from store.models import audit, customers, erasures, observations, opt_outs, retractions, review_items
from store.models import slot_horizons as horizons
from store.scope import customer_reading, customer_writing, is_held
from store.write import NotTheirs, Refusal, apply, refuse, replace_event, withdraw


def test_a_value_is_added_confirmed_and_replaced(engine: Engine) -> None:
    assert told(write(engine, observed("Oslo"))) == ["ADD new"]
    assert told(write(engine, observed("oslo", 1))) == ["NOOP same"]
    assert told(write(engine, observed("Bergen", 2))) == ["UPDATE newer"]
    assert [(f.value, f.valid_to, f.version) for f in recorded(engine)] == [("Oslo", day(2), 3), ("Bergen", None, 1)]
    assert [fact.value for fact in living(engine)] == ["Bergen"]


def test_the_identical_statement_again_is_a_no_op_and_adds_no_version(engine: Engine) -> None:
    write(engine, observed("Oslo"), now=10)
    before = recorded(engine)
    assert told(write(engine, observed("Oslo"), observed("Oslo"), now=11)) == ["NOOP same", "NOOP same"]
    assert recorded(engine) == before


def test_a_refused_statement_again_is_refused_again(engine: Engine) -> None:
    write(engine, observed("Oslo", source="system"))
    late = observed("Bergen", 1)
    assert told(write(engine, late)) == told(write(engine, late)) == ["REJECT outranked"]
    assert len(rows(engine, review_items)) == 1


def test_a_statement_that_arrives_late_takes_its_place_in_history(engine: Engine) -> None:
    write(engine, observed("Oslo", 0), observed("Bergen", 4))
    assert told(write(engine, observed("Tromsø", 2))) == ["UPDATE newer"]
    assert [(f.value, f.valid_from, f.valid_to) for f in recorded(engine)] == [
        ("Oslo", day(0), day(2)),
        ("Tromsø", day(2), day(4)),
        ("Bergen", day(4), None),
    ]


def test_a_per_ticket_key_holds_one_value_a_ticket(engine: Engine) -> None:
    said = [observed(v, key="refund", kind="situation", ticket=t) for v, t in [("20 EUR", "t1"), ("35 EUR", "t2")]]
    assert told(write(engine, *said)) == ["ADD new", "ADD new"]
    assert len(living(engine, at=1)) == 2


def test_facts_of_other_keys_do_not_retire_each_other(engine: Engine) -> None:
    write(engine, observed("e-mail", key="contact_channel", kind="preference"), observed("Oslo", 1, key="ships_to"))
    assert {fact.value for fact in living(engine)} == {"e-mail", "Oslo"}


# --- refusals -------------------------------------------------------------------------------------------------------


def erased(engine: Engine, subject: str, scope: str, until: float, ids: list[str] | None = None) -> None:
    row = {"number": 1, "scope": scope, "subject": subject, "erased_at": day(until), "applied_at": day(until)}
    with writing(engine) as connection:
        connection.execute(insert(erasures), {**row, "observations": ids or []})


@pytest.mark.parametrize("scope", ["customer", "tenant"])
def test_what_was_observed_before_a_forget_is_refused_and_what_comes_after_is_not(engine: Engine, scope: str) -> None:
    subject = KEYS.subject(REF) if scope == "customer" else KEYS.tenant_subject(REF.tenant)
    erased(engine, subject, scope, until=5)
    assert told(write(engine, observed("Oslo", 5), observed("Bergen", 5.001))) == ["REJECT erased", "ADD new"]


def test_the_observations_of_a_forgotten_fact_are_refused(engine: Engine) -> None:
    gone = observed("Oslo")
    erased(engine, KEYS.subject(REF), "fact", until=900, ids=[gone.id])
    assert told(write(engine, gone, observed("Bergen", 1))) == ["REJECT erased", "ADD new"]


def test_another_customers_forget_refuses_nothing(engine: Engine) -> None:
    erased(engine, KEYS.subject(CustomerRef(tenant="acme", customer="u10")), "customer", until=900)
    assert told(write(engine, observed("Oslo"))) == ["ADD new"]


def test_one_who_has_switched_memory_off_is_not_remembered_nor_known(engine: Engine) -> None:
    with writing(engine) as connection:
        connection.execute(insert(opt_outs), {"subject": KEYS.subject(REF), "since": DAY_0})
    assert told(write(engine, observed("Oslo"))) == ["REJECT opted_out"]
    assert rows(engine, customers) == []


def test_a_retracted_ticket_is_refused_for_ever(engine: Engine) -> None:
    row = {"tenant": "acme", "ticket": "t1", "retracted_at": DAY_0, "actor": "ann"}
    with writing(engine) as connection:
        connection.execute(insert(retractions), row)
    answers = write(engine, observed("Oslo", ticket="t1"), observed("Bergen", ticket="t10"))
    assert told(answers) == ["REJECT retracted", "ADD new"]


def test_what_lies_before_purged_history_is_too_late(engine: Engine) -> None:
    write(engine, observed("Oslo", 9))
    with customer_writing(engine, KEYS, REF, now=day(10)) as tx:
        tx.insert(horizons, [{"key": "city", "slot_ticket": "", "horizon": day(5)}])
    answers = write(engine, observed("Bergen", 5), observed("Bergen", 6), observed("Bergen", 5, key="other"))
    assert told(answers) == ["REJECT too_late", "ADD new", "ADD new"]


def test_the_future_is_refused_beyond_five_minutes(engine: Engine) -> None:
    ahead = [observed("Oslo", minutes / 24 / 60) for minutes in (4, 6)]
    assert told(write(engine, *ahead, now=0)) == ["ADD new", "REJECT future"]


@pytest.mark.parametrize("source", ["extracted", "agent_confirmed"])
def test_only_a_system_writes_what_a_system_owns(engine: Engine, source: str) -> None:
    claims = [observed("Team", key=key, source=source) for key in ("plan", "plan_for_now")]
    assert told(write(engine, *claims)) == ["REJECT system_owned"] * 2
    assert told(write(engine, observed("Team", key="plan", source="system"))) == ["ADD new"]


def test_a_customer_of_whom_nothing_was_kept_is_not_kept_either(engine: Engine) -> None:
    write(engine, observed("Oslo", 2_000))
    with reading(engine) as connection:
        assert not is_held(connection, REF)


def test_an_observation_of_somebody_else_is_a_bug_that_shows(engine: Engine) -> None:
    with (
        pytest.raises(NotTheirs),
        customer_writing(engine, KEYS, CustomerRef(tenant="acme", customer="u10"), now=day(1)) as tx,
    ):
        apply(tx, [observed("Oslo")], rules=RULES)


# --- events ---------------------------------------------------------------------------------------------------------


def replaced(engine: Engine, *said: Observation, now: float) -> list[str]:
    with customer_writing(engine, KEYS, REF, now=day(now)) as tx:
        return told(replace_event(tx, "e1", said, rules=RULES))


def test_the_same_answer_of_a_replay_changes_nothing(engine: Engine) -> None:
    said = [observed("Oslo", event="e1", message=2), observed("dev", key="job", event="e1", message=4)]
    assert replaced(engine, *said, now=1) == ["ADD new", "ADD new"]
    before = recorded(engine)
    assert replaced(engine, *said, now=2) == ["NOOP same", "NOOP same"]
    assert recorded(engine) == before


def test_a_replay_withdraws_what_is_no_longer_said_and_adds_what_is(engine: Engine) -> None:
    write(engine, observed("Oslo", -5))
    replaced(engine, observed("Bergen", event="e1", message=2), observed("dev", key="job", event="e1"), now=1)
    replaced(engine, observed("dev", key="job", event="e1"), observed("42", key="seats_wanted", event="e1"), now=2)
    assert {(f.slot.key, f.value) for f in living(engine)} == {("city", "Oslo"), ("job", "dev"), ("seats_wanted", "42")}
    withdrawn = [row for row in rows(engine, observations) if row.withdrawn_at]
    assert [(row.value, row.withdrawn_reason) for row in withdrawn] == [("Bergen", "replayed")]


def test_a_replay_that_says_an_old_thing_again_takes_it_up_again(engine: Engine) -> None:
    first, second = observed("Oslo", event="e1", message=2), observed("Bergen", event="e1", message=2)
    for now, said in enumerate((first, second, first)):
        replaced(engine, said, now=now)
    (fact,) = living(engine)
    assert (fact.value, fact.version) == ("Oslo", 2)


def test_a_replay_with_a_surer_model_is_surer_afterwards(engine: Engine) -> None:
    replaced(engine, observed("Oslo", event="e1", message=2, confidence=0.6), now=1)
    replaced(engine, observed("Oslo", event="e1", message=2, confidence=0.95, model="better"), now=2)
    (fact,) = living(engine)
    assert fact.confidence == 0.95
    assert [row.model for row in rows(engine, observations)] == ["better"]


def test_a_replay_that_says_nothing_withdraws_all(engine: Engine) -> None:
    replaced(engine, observed("Oslo", event="e1", message=2), now=1)
    assert replaced(engine, now=2) == []
    assert living(engine) == []


def test_what_is_withdrawn_gives_back_what_it_had_superseded(engine: Engine) -> None:
    later = observed("Bergen", 2)
    write(engine, observed("Oslo"), later)
    with customer_writing(engine, KEYS, REF, now=day(1_001)) as tx:
        assert withdraw(tx, [later.id, "unknown"], reason=Reason.AUTHORITY, actor="ann", rules=RULES) == 1
    (fact,) = living(engine)
    assert (fact.value, fact.valid_to) == ("Oslo", None)


# --- versions and audit ---------------------------------------------------------------------------------------------


def test_a_clock_that_runs_behind_records_nothing_before_what_it_follows(engine: Engine) -> None:
    write(engine, observed("Oslo"), now=20)
    write(engine, observed("Oslo", 1), now=10)
    with customer_reading(engine, REF) as view:
        from store.models import facts

        spans = [(row.recorded_from, row.recorded_to) for row in view.select(facts, order_by=[facts.c.version])]
    assert spans == [(day(20), day(20)), (day(20), None)]


def test_every_decision_leaves_an_audit_line_without_a_value(engine: Engine) -> None:
    write(engine, observed("Oslo", event="e1", message=1), observed("Team", key="plan"), observed("x", key="made_up"))
    lines = rows(engine, audit)
    assert [(row.outcome, row.reason, row.key) for row in lines] == [
        ("ADD", "new", None),
        ("REJECT", "system_owned", "plan"),
        ("ADD", "new", None),
    ]
    assert not any("Oslo" in str(row) or "u1" in str(row) for row in lines)


def test_what_a_gate_refused_is_audited_and_an_earlier_refusal_names_it(engine: Engine) -> None:
    erased(engine, KEYS.subject(REF), "customer", until=5)
    refusals = [Refusal(reason=Reason.PAYMENT_CARD, observed_at=day(at)) for at in (4, 6)]
    with customer_writing(engine, KEYS, REF, now=day(7)) as tx:
        assert told(refuse(tx, refusals, rules=RULES)) == ["REJECT erased", "REJECT payment_card"]
    assert [row.reason for row in rows(engine, audit)] == ["erased", "payment_card"]


def test_all_of_a_transaction_is_written_or_nothing(engine: Engine) -> None:
    with pytest.raises(ZeroDivisionError), customer_writing(engine, KEYS, REF, now=day(1)) as tx:
        apply(tx, [observed("Oslo")], rules=RULES)
        _ = timedelta() / 0
    assert [rows(engine, table) for table in (observations, audit, customers)] == [[], [], []]


def rows(engine: Engine, table: object) -> list[object]:
    with reading(engine) as connection:
        return list(connection.execute(select(table)).all())  # type: ignore[call-overload]
