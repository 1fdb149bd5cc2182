"""An end in one ticket that means what another one began, written, taken back, purged and asked about."""

from typing import Any

import pytest
from remembering import CATALOGUE, KEYS, PER_TICKET, REF, RULES, day, living, observed, recorded, told, write
from sqlalchemy import Engine, select

from pipeline.catalogue import load_catalogue
from pipeline.facts import Candidate, Observation, Quote, Source
from pipeline.gates import judge_all
from pipeline.observe import Origin, observation_from, rules_of
from pipeline.policy import Policy
from pipeline.reasons import Reason
from pipeline.terms import Terms
from store import review
from store.engine import reading
from store.erase import forget_fact
from store.ledger import open_ledger
from store.models import observations
from store.purge import purge
from store.retention import Retention
from store.retract import retract
from store.scope import customer_writing
from store.wipe import slots_of
from store.write import apply, refold, replace_event, withdraw
from tests.tickets import transcript

TERMS = Terms(catalogue=CATALOGUE)


def said(value: str, at: float, ticket: str, **more: Any) -> Observation:
    return observed(value, at, key=PER_TICKET, kind=more.pop("kind", "profile"), ticket=ticket, **more)


ISSUE = said("exports fail with E1042", 0, "t1")
OTHER = said("login fails", 0, "t2")
SOLVED = said("error E1042", 3, "t3", ended=True)


def values(engine: Engine, at: float = 1_000, **asked: Any) -> list[str]:
    return sorted(fact.value for fact in living(engine, at, **asked))


def test_a_later_ticket_ends_an_earlier_ones_fact_and_says_so(engine: Engine) -> None:
    write(engine, ISSUE, OTHER, now=1)
    assert told(write(engine, SOLVED, now=4)) == ["UPDATE ended"]
    assert values(engine) == ["login fails"]
    assert values(engine, at=2) == ["exports fail with E1042", "login fails"]
    assert values(engine, known_at=day(2)) == ["exports fail with E1042", "login fails"]
    assert told(write(engine, SOLVED, now=5)) == ["NOOP same"]


def test_an_end_that_arrived_first_waits_for_what_it_ended(engine: Engine) -> None:
    assert told(write(engine, SOLVED, now=4)) == ["NOOP nothing_to_end"]
    assert told(write(engine, ISSUE, now=5)) == ["ADD new"]
    assert values(engine) == []
    assert [fact.valid_to for fact in recorded(engine)] == [day(3)]


def test_retracting_the_ticket_that_ended_it_brings_it_back(engine: Engine) -> None:
    write(engine, ISSUE, SOLVED, now=4)
    retract(engine, KEYS, REF.tenant, "t3", actor="ann", now=day(5), terms=TERMS)
    assert values(engine) == ["exports fail with E1042"]
    assert values(engine, known_at=day(4.5)) == []


def test_a_replay_that_no_longer_says_so_brings_it_back(engine: Engine) -> None:
    solved = said("error E1042", 3, "t3", ended=True, event="e3", message=0)
    write(engine, ISSUE, solved, now=4)
    assert values(engine) == []
    with customer_writing(engine, KEYS, REF, now=day(5)) as tx:
        replace_event(tx, "e3", [], rules=RULES)
    assert values(engine) == ["exports fail with E1042"]
    with customer_writing(engine, KEYS, REF, now=day(6)) as tx:
        assert told(replace_event(tx, "e3", [solved], rules=RULES)) == ["UPDATE ended"]
    assert values(engine) == []


def test_withdrawing_a_neighbour_leaves_the_only_one_to_be_meant(engine: Engine) -> None:
    write(engine, ISSUE, OTHER, said("", 3, "t3", ended=True), now=4)
    assert values(engine) == ["exports fail with E1042", "login fails"]
    with customer_writing(engine, KEYS, REF, now=day(5)) as tx:
        withdraw(tx, [OTHER.id], reason=Reason.AUTHORITY, actor="ann", rules=RULES)
    assert values(engine) == []


def test_forgetting_the_fact_of_an_ended_issue_leaves_the_others_folded(engine: Engine, tmp_path: Any) -> None:
    write(engine, ISSUE, OTHER, SOLVED, now=4)
    (gone,) = [fact.id for fact in recorded(engine) if fact.valid_to]
    ledger = open_ledger(str(tmp_path / "ledger.jsonl"))
    forget_fact(engine, KEYS, ledger, REF, gone, rules=RULES, actor="ops", now=day(5))
    assert [fact.value for fact in recorded(engine)] == ["login fails"]


def test_a_question_about_anothers_fact_is_asked_where_that_stands_and_may_be_accepted(engine: Engine) -> None:
    write(engine, said("exports fail with E1042", 0, "t1", source="agent_confirmed"), now=1)
    assert told(write(engine, SOLVED, now=4)) == ["REJECT outranked"]
    (item,) = review.listed(engine, tenant=REF.tenant)
    assert item.live is not None
    assert (item.observation.id, item.live.value) == (SOLVED.id, "exports fail with E1042")
    with customer_writing(engine, KEYS, REF, now=day(5)) as tx:
        taken = review.accept(tx, SOLVED.id, actor="ann", terms=TERMS)
    assert taken.decision is not None
    assert told([taken.decision]) == ["UPDATE ended"]
    assert (values(engine), review.listed(engine, tenant=REF.tenant)) == ([], [])


SHIPPED = load_catalogue()
WORDS = ("Now exports fail with E2077", "E1042 is solved, thanks")


@pytest.mark.parametrize("words", [WORDS, WORDS[::-1]])
def test_one_ticket_ends_what_another_one_began_and_opens_its_own(engine: Engine, words: tuple[str, str]) -> None:
    """From what a model proposes to what is remembered, and taken back with the ticket."""
    rules = rules_of(SHIPPED)
    place = {"key": "open_issue", "kind": "situation"}
    before = [issue_of("exports fail with E1042", 0, "t1"), issue_of("login fails", 0, "t2")]
    said = transcript(words[0], ("agent", "ok"), words[1], closed_at=day(3).isoformat())
    told_of = [
        Candidate(value=value, ended=ended, quotes=(Quote(message=2 * words.index(text), text=text),), **place)
        for value, ended, text in (("E1042", True, WORDS[1]), ("exports fail with E2077", False, WORDS[0]))
    ]
    judged = judge_all(told_of, said, catalogue=SHIPPED, policy=Policy())
    origin = Origin(source=Source.EXTRACTED, observed_at=day(3), event="e3", ticket="t3", has_transcript=True)
    kept = [
        observation_from(one.candidate, ref=REF, origin=origin, catalogue=SHIPPED, ids_key=KEYS.ids)
        for one in judged
        if one.verdict.passed
    ]
    with customer_writing(engine, KEYS, REF, now=day(1)) as tx:
        apply(tx, before, rules=rules)
    with customer_writing(engine, KEYS, REF, now=day(4)) as tx:
        replace_event(tx, "e3", kept, rules=rules)
    assert values(engine, 4) == ["exports fail with E2077", "login fails"]
    terms = Terms(catalogue=SHIPPED)
    retract(engine, KEYS, REF.tenant, "t3", actor="ann", now=day(5), terms=terms)
    assert values(engine, 5) == ["exports fail with E1042", "login fails"]


def issue_of(value: str, at: float, ticket: str) -> Observation:
    origin = Origin(source=Source.EXTRACTED, observed_at=day(at), ticket=ticket, has_transcript=True)
    candidate = Candidate(kind="situation", key="open_issue", value=value)
    return observation_from(candidate, ref=REF, origin=origin, catalogue=SHIPPED, ids_key=KEYS.ids)


# --- while what stands around it is purged ----------------------------------------------------------------------------


def purged(engine: Engine, at: float, **days: int) -> dict[str, int]:
    retention = Retention(**{"history_days": 1_000, "expired_grace_days": 1_000, "audit_days": 10_000, **days})
    report = purge(engine, now=day(at), retention=retention)
    return {name: number for name, number in report.numbers.items() if number}


def folded_again(engine: Engine, at: float) -> list[str]:
    with customer_writing(engine, KEYS, REF, now=day(at)) as tx:
        refold(tx, slots_of(tx.connection, REF), rules=RULES)
    return values(engine, at)


def test_a_vague_end_does_not_take_another_fact_once_its_neighbour_is_purged(engine: Engine) -> None:
    neighbour = said("登录闪退", 0, "t2", kind="situation")
    write(engine, ISSUE, neighbour, said("the problem", 3, "t3", ended=True), now=4)
    assert purged(engine, 60, expired_grace_days=5) == {"expired": 1, "observations": 1}
    assert folded_again(engine, 60) == ["exports fail with E1042"]


def test_an_end_stays_as_long_as_the_fact_that_it_ended(engine: Engine) -> None:
    write(engine, ISSUE, said("slow search", 1, "t3", kind="situation"), SOLVED, now=4)
    assert values(engine, 4) == []
    write(engine, said("slow search", 5, "t3", kind="situation"), now=5)
    purged(engine, 60, expired_grace_days=5)
    assert folded_again(engine, 60) == []
    assert SOLVED.id in stored(engine)
    purged(engine, 1_100)
    assert stored(engine) == set()


def test_an_end_of_nothing_goes_with_the_history_and_what_it_would_have_ended_comes_too_late(engine: Engine) -> None:
    write(engine, SOLVED, now=4)
    assert purged(engine, 1_002.9) == {}
    assert purged(engine, 1_003) == {"lone_ends": 1}
    assert told(write(engine, ISSUE, now=1_004)) == ["REJECT too_late"]
    assert told(write(engine, said("E1042 again", 3.1, "t9"), now=1_004)) == ["ADD new"]
    assert told(write(engine, observed("Oslo", 0), now=1_004)) == ["ADD new"]


def test_an_end_that_comes_after_a_neighbour_was_purged_reaches_what_is_certain_alone(engine: Engine) -> None:
    write(engine, ISSUE, said("登录闪退", 0, "t2", kind="situation"), now=1)
    purged(engine, 60, expired_grace_days=5)
    assert told(write(engine, said("the problem", 3, "t3", ended=True), now=61)) == ["NOOP nothing_to_end"]
    assert told(write(engine, said("E1042", 3, "t4", ended=True), now=61)) == ["UPDATE ended"]


def test_what_a_ticket_corrected_to_an_end_does_not_come_back_when_the_end_goes(engine: Engine) -> None:
    both = [
        said("E1042", 3, "t3", event="e3", message=1),
        said("E1042", 3, "t3", event="e3", message=4, ended=True),
    ]
    write(engine, *both, now=4)
    assert values(engine) == []
    assert purged(engine, 1_100) == {"lone_ends": 1, "observations": 1, "customers": 1}
    assert folded_again(engine, 1_100) == []


def stored(engine: Engine) -> set[str]:
    with reading(engine) as connection:
        return set(connection.execute(select(observations.c.id)).scalars())
