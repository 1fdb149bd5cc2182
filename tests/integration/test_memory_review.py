"""Questions for a person, and retracting a ticket with all that came of it."""

import pytest
from remembering import CATALOGUE, KEYS, REF, RULES, day, living, observed, recorded, told, write
from sqlalchemy import Engine, insert, select

from pipeline.facts import Observation
from pipeline.ids import CustomerRef
from pipeline.policy import Policies, Policy
from pipeline.terms import Terms
from store import review
from store.engine import reading, writing
from store.models import audit, retractions
from store.retract import dry_run, resume, retract
from store.review import Outcome, Resolution
from store.scope import customer_reading, customer_writing
from store.states import ReviewState
from store.write import replace_event

TERMS = Terms(catalogue=CATALOGUE)
OTHER = CustomerRef(tenant="acme", customer="u10")


def asked(engine: Engine) -> Observation:
    """A system says Oslo, a ticket then says Bergen: the question."""
    question = observed("Bergen", 1, event="e1", ticket="t1", message=2)
    write(engine, observed("Oslo", source="agent_confirmed"), question, now=2)
    return question


def accept(engine: Engine, question: Observation, now: float = 5, terms: Terms = TERMS, **given: str) -> Resolution:
    with customer_writing(engine, KEYS, REF, now=day(now)) as tx:
        return review.accept(tx, question.id, actor="ann", terms=terms, **given)


def dismiss(engine: Engine, question: Observation, now: float = 5) -> Resolution:
    with customer_writing(engine, KEYS, REF, now=day(now)) as tx:
        return review.dismiss(tx, question.id, actor="ann")


def opened(engine: Engine) -> list[str]:
    return [item.observation.value for item in review.listed(engine, tenant="acme")]


def test_a_question_shows_what_was_said_what_holds_and_since_when_it_waits(engine: Engine) -> None:
    question = asked(engine)
    write(engine, observed("Bergen", 1, ref=OTHER, source="agent_confirmed"), ref=OTHER)
    (item,) = review.listed(engine, tenant="acme")
    assert item.live is not None
    assert (item.observation, item.reason, item.live.value, item.opened_at) == (question, "outranked", "Oslo", day(2))
    assert (item.changed, item.state) == (False, ReviewState.OPEN)
    assert review.listed(engine, tenant="acme", customer="u10") == []
    assert review.listed(engine, tenant="other") == []


def test_accepting_writes_as_agent_confirmed_and_says_who_and_when(engine: Engine) -> None:
    question = asked(engine)
    answer = accept(engine, question)
    assert (answer.outcome, told([answer.decision])) == (Outcome.ACCEPTED, ["UPDATE newer"])  # type: ignore[list-item]
    (fact,) = living(engine)
    assert (fact.value, fact.source, fact.valid_from) == ("Bergen", "agent_confirmed", day(5))
    with customer_reading(engine, REF) as view:
        (item,) = review.of_customer(view)
    assert (item.state, item.resolved_by, item.resolved_at) == (ReviewState.ACCEPTED, "ann", day(5))
    assert opened(engine) == []


def test_an_answer_is_taken_once(engine: Engine) -> None:
    question = asked(engine)
    accept(engine, question)
    assert accept(engine, question).outcome is Outcome.ALREADY_RESOLVED
    assert dismiss(engine, question).outcome is Outcome.ALREADY_RESOLVED


def test_a_question_that_nobody_asked_is_unknown(engine: Engine) -> None:
    stranger = observed("Bergen")
    assert accept(engine, stranger).outcome is Outcome.UNKNOWN
    assert dismiss(engine, stranger).outcome is Outcome.UNKNOWN


def test_a_dismissed_question_is_not_asked_again_after_a_replay(engine: Engine) -> None:
    question = asked(engine)
    assert dismiss(engine, question).outcome is Outcome.DISMISSED
    with customer_writing(engine, KEYS, REF, now=day(6)) as tx:
        replace_event(tx, "e1", [], rules=RULES)
        assert told(replace_event(tx, "e1", [question], rules=RULES)) == ["REJECT outranked"]
    assert opened(engine) == []


def test_an_acceptance_survives_a_replay_that_says_nothing(engine: Engine) -> None:
    accept(engine, asked(engine))
    with customer_writing(engine, KEYS, REF, now=day(6)) as tx:
        replace_event(tx, "e1", [], rules=RULES)
    assert [fact.value for fact in living(engine)] == ["Bergen"]


def test_where_the_slot_has_changed_since_the_question_is_put_again(engine: Engine) -> None:
    question = asked(engine)
    write(engine, observed("Tromsø", 3, source="agent_confirmed"), now=4)
    answer = accept(engine, question)
    assert answer.outcome is Outcome.CHANGED
    (item,) = review.listed(engine, tenant="acme")
    assert (item.changed, item.standing) == (True, answer.standing)
    assert accept(engine, question, seen="something else").outcome is Outcome.CHANGED
    assert accept(engine, question, seen=answer.standing).outcome is Outcome.ACCEPTED


def test_what_a_stronger_source_contradicts_cannot_be_accepted_and_stays_open(engine: Engine) -> None:
    question = asked(engine)
    write(engine, observed("Tromsø", 3, source="system"), now=4)
    standing = accept(engine, question).standing
    answer = accept(engine, question, seen=standing)
    assert (answer.outcome, told([answer.decision])) == (Outcome.REFUSED, ["REJECT outranked"])  # type: ignore[list-item]
    assert opened(engine) == ["Bergen"]
    assert [fact.value for fact in living(engine)] == ["Tromsø"]


def test_the_gates_stand_before_an_acceptance_too(engine: Engine) -> None:
    question = asked(engine)
    strict = Terms(catalogue=CATALOGUE, policies=Policies(Policy(refused_words=("bergen",))))
    answer = accept(engine, question, terms=strict)
    assert answer.outcome is Outcome.REFUSED
    assert [fact.value for fact in living(engine)] == ["Oslo"]


def test_a_question_that_is_answered_by_events_goes_away(engine: Engine) -> None:
    asked(engine)
    write(engine, observed("Bergen", 3, source="agent_confirmed"), now=4)
    assert opened(engine) == []


def test_accepting_that_something_has_ended_ends_it(engine: Engine) -> None:
    question = observed("", 1, ended=True)
    write(engine, observed("Oslo", source="agent_confirmed"), question, now=2)
    assert accept(engine, question).outcome is Outcome.ACCEPTED
    assert living(engine, 6) == []


def test_an_accepted_situation_lives_its_time_from_then_on(engine: Engine) -> None:
    question = observed("late parcel", 1, kind="situation", has_transcript=False)
    write(engine, question, now=2)
    accept(engine, question, now=20)
    assert [fact.expires_at for fact in living(engine, 21)] == [day(50)]


def test_a_key_that_needs_confirmation_counts_once_it_is_accepted(engine: Engine) -> None:
    question = observed("decision maker", key="role")
    assert told(write(engine, question)) == ["REJECT needs_confirmation"]
    assert accept(engine, question, now=1_001).outcome is Outcome.ACCEPTED
    assert [fact.value for fact in living(engine, 1_002)] == ["decision maker"]


# --- retract --------------------------------------------------------------------------------------------------------


def test_retracting_takes_back_a_ticket_of_every_customer_and_what_it_superseded_returns(engine: Engine) -> None:
    write(engine, observed("Oslo"), observed("Bergen", 1, ticket="t1"), observed("x", 2, key="k", ticket="t10"))
    write(engine, observed("Bergen", 1, ref=OTHER, ticket="t1"), ref=OTHER)
    preview = dry_run(engine, KEYS, "acme", "t1")
    done = retract(engine, KEYS, "acme", "t1", actor="ann", now=day(1_001), terms=TERMS, note="wrong customer")
    assert (done.customers, done.observations, done.already) == (2, 2, False)
    assert (preview.customers, preview.observations) == (2, 2)
    assert {(fact.value, fact.valid_to) for fact in living(engine)} == {("Oslo", None), ("x", None)}
    assert living(engine, ref=OTHER) == []
    assert told(write(engine, observed("Bergen", 1, ticket="t1"))) == ["REJECT retracted"]
    with reading(engine) as connection:
        lines = connection.execute(select(audit.c.actor, audit.c.action, audit.c.note)).all()
    assert ("ann", "retract", "wrong customer") in lines


def test_retracting_takes_acceptances_along_and_their_questions(engine: Engine) -> None:
    accept(engine, asked(engine))
    retract(engine, KEYS, "acme", "t1", actor="ann", now=day(6), terms=TERMS)
    assert [(fact.value, fact.valid_to) for fact in recorded(engine)] == [("Oslo", None)]
    with customer_reading(engine, REF) as view:
        assert review.of_customer(view) == []


def test_retracting_again_or_a_ticket_that_nobody_knows_is_no_failure(engine: Engine) -> None:
    first, again = (retract(engine, KEYS, "acme", "t1", actor="ann", now=day(1), terms=TERMS) for _ in range(2))
    assert (first.observations, first.already, again.already) == (0, False, True)


def test_a_retraction_killed_between_its_steps_is_finished_by_the_next_start(engine: Engine) -> None:
    write(engine, observed("Oslo", ticket="t1"))
    row = {"tenant": "acme", "ticket": "t1", "retracted_at": day(1), "actor": "ann"}
    with writing(engine) as connection:
        connection.execute(insert(retractions), row)
    (done,) = resume(engine, KEYS, now=day(2), terms=TERMS)
    with reading(engine) as connection:
        assert connection.execute(select(retractions.c.ticket)).scalar_one() == KEYS.ticket("acme", "t1")
    assert retract(engine, KEYS, "acme", "t1", actor="ann", now=day(3), terms=TERMS).already
    assert (done.ticket, done.observations) == ("t1", 1)
    assert living(engine) == []
    assert resume(engine, KEYS, now=day(2), terms=TERMS) == []


@pytest.mark.parametrize("ticket", ["", "x" * 201])
def test_a_ticket_that_is_no_id_is_refused_by_name(engine: Engine, ticket: str) -> None:
    with pytest.raises(ValueError, match="ticket"):
        retract(engine, KEYS, "acme", ticket, actor="ann", now=day(1), terms=TERMS)
