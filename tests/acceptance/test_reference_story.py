"""Forty days with one customer: what is learnt, what is refused, what is told when, and how all of it is forgotten."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from remembering import KEYS, day, living, recorded, told
from services import PostgresServer
from sqlalchemy import Engine

from pipeline.block import context_block
from pipeline.catalogue import load_catalogue
from pipeline.ids import CustomerRef
from pipeline.statement import checked_statement
from pipeline.terms import Terms
from store.engine import open_engine
from store.erase import forget
from store.ledger import open_ledger
from store.migrate import migrate
from store.purge import purge
from store.recall import recall
from store.retention import Retention
from store.scope import customer_reading
from store.statements import Stating, remember

TERMS = Terms(catalogue=load_catalogue())
REF = CustomerRef(tenant="acme", customer="u1")


@pytest.fixture(params=["sqlite", "postgresql", "a login that owns no table"])
def engine(request: pytest.FixtureRequest) -> Iterator[Engine]:
    """A migrated database: on PostgreSQL once as its owner, and once as a login that may take two roles and no more."""
    if request.param != "a login that owns no table":
        name = "sqlite_url" if request.param == "sqlite" else "postgres_url"
        opened = open_engine(request.getfixturevalue(name))
        yield opened
        opened.dispose()
        return
    server: PostgresServer = request.getfixturevalue("postgres")
    with server.two_logins() as (owner, app):
        migrate(owner)
        opened = open_engine(app)
        yield opened
        opened.dispose()


def state(engine: Engine, at: float, key: str, value: str, **given: Any) -> str:
    """One statement, made and observed `at` days after the beginning, and what became of it."""
    line = {"tenant": "acme", "customer": "u1", "key": key, "value": value, "observed_at": day(at).isoformat()}
    statement = checked_statement({"kind": "profile"} | line | given)
    stating = Stating(now=day(at), actor="crm", has_transcript=True)
    return told([remember(engine, KEYS, statement, terms=TERMS, stating=stating)])[0]


def recalled(engine: Engine, at: float) -> list[str]:
    with customer_reading(engine, REF) as view:
        return [one.fact.slot.key for one in recall(view, now=day(at))]


@pytest.fixture
def told_so_far(engine: Engine) -> Engine:
    """Days 0 to 2, each decision checked as it falls."""
    card = " ".join(["4111", "1111", "1111", "1111"])
    assert state(engine, 0, "plan", "yearly plan", source="system", importance=0.5) == "ADD new"
    contact = {"kind": "preference", "source": "agent_confirmed", "importance": 0.8}
    assert state(engine, 0.1, "contact_channel", "e-mail", **contact) == "ADD new"
    issue = {"kind": "situation", "source": "extracted", "importance": 0.7}
    assert state(engine, 0.2, "open_issue", "export fails with E1042", **issue) == "ADD new"
    assert state(engine, 1, "plan", "monthly plan", source="extracted") == "REJECT system_owned"
    assert state(engine, 2, "plan", "monthly plan", source="system", importance=0.5) == "UPDATE newer"
    assert state(engine, 2.1, "card_number", card, source="extracted") == "REJECT forbidden_key"
    assert state(engine, 2.2, "payment_note", f"pays with {card}", source="extracted") == "REJECT payment_card"
    return engine


def test_the_history_of_the_plan_is_what_the_system_said(told_so_far: Engine) -> None:
    rows = [(f.value, f.source, f.valid_from, f.valid_to) for f in recorded(told_so_far, key="plan")]
    assert rows == [
        ("yearly plan", "system", day(0), day(2)),
        ("monthly plan", "system", day(2), None),
    ]


def test_the_third_day_tells_contact_issue_and_plan_and_the_fortieth_contact_and_plan(told_so_far: Engine) -> None:
    assert recalled(told_so_far, 3) == ["contact_channel", "open_issue", "plan"]
    assert recalled(told_so_far, 40) == ["contact_channel", "plan"]


@pytest.mark.parametrize("source", ["system", "agent_confirmed", "extracted"])
def test_the_third_days_order_does_not_hang_on_who_said_so(engine: Engine, source: str) -> None:
    state(engine, 0, "plan", "monthly plan", source="system", importance=0.5)
    state(engine, 0, "contact_channel", "e-mail", kind="preference", source=source, importance=0.8)
    state(engine, 0, "open_issue", "export fails", kind="situation", source=source, importance=0.7)
    assert recalled(engine, 3) == ["contact_channel", "open_issue", "plan"]


def test_the_agent_is_told_to_look_the_plan_up(told_so_far: Engine) -> None:
    with customer_reading(told_so_far, REF) as view:
        facts = [one.fact for one in recall(view, now=day(3))]
    lines = context_block(facts, catalogue=TERMS.catalogue).text.splitlines()
    assert ["look it up" in line for line in lines if "(plan)" in line] == [True]


def test_forgetting_takes_four_facts_and_leaves_nothing_to_recall(told_so_far: Engine, tmp_path: Path) -> None:
    ledger = open_ledger(str(tmp_path / "ledger" / "erasures.jsonl"))
    done = forget(told_so_far, KEYS, ledger, REF, rules=TERMS.rules("acme"), actor="ann", now=day(41))
    assert done.wiped.facts == 4
    assert recalled(told_so_far, 41) == [] == recorded(told_so_far)
    purge(told_so_far, now=day(41) + timedelta(hours=1), retention=Retention())
    assert state(told_so_far, 5, "plan", "monthly plan", source="system") == "REJECT erased"
    assert living(told_so_far, 42) == []
    assert state(told_so_far, 50, "plan", "team plan", source="system") == "ADD new"
