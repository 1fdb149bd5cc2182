"""Recall from the database, its receipts, the export of everything, and a policy that reaches back."""

import json
import sqlite3
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from inboxing import received, ticket
from remembering import CATALOGUE, KEYS, REF, RULES, day, living, observed, recorded, write
from sqlalchemy import Engine, insert, text

from pipeline.facts import Source
from pipeline.ids import CustomerRef
from pipeline.kinds import Kind
from pipeline.policy import Policies, Policy
from pipeline.terms import Terms
from store import recall as recalling
from store import receipts, review
from store.engine import open_engine, writing
from store.export import export
from store.models import events
from store.rescan import Rescanned, rescan
from store.scope import customer_reading, customer_writing
from store.write import replace_event

OTHER = CustomerRef(tenant="acme", customer="u10")


def recalled(engine: Engine, now: float, **asked: Any) -> list[str]:
    with customer_reading(engine, REF) as view:
        return [one.fact.value for one in recalling.recall(view, now=day(now), **asked)]


def some(engine: Engine) -> None:
    write(
        engine,
        observed("企业微信", 0, key="contact_channel", kind="preference", importance=0.8),
        observed("export crashes with E4017", 1, key="open_issue", kind="situation", importance=0.7),
        observed("Team", 2, key="plan", source="system", importance=0.5),
    )


def test_only_live_and_unexpired_facts_are_recalled_the_weightiest_first(engine: Engine) -> None:
    some(engine)
    assert recalled(engine, 3) == ["企业微信", "export crashes with E4017", "Team"]
    assert recalled(engine, 40) == ["企业微信", "Team"]
    assert recalled(engine, 3, k=1) == ["企业微信"]
    assert recalled(engine, -1) == []


def test_a_recall_may_want_kinds_and_a_least_source(engine: Engine) -> None:
    some(engine)
    assert recalled(engine, 3, kinds=[Kind.SITUATION]) == ["export crashes with E4017"]
    assert recalled(engine, 3, min_source=Source.SYSTEM) == ["Team"]
    assert recalled(engine, 3, kinds=[]) == []


def test_a_query_puts_what_answers_it_first(engine: Engine) -> None:
    some(engine)
    with customer_reading(engine, REF) as view:
        facts = recalling.recallable(view, now=day(3))
    for query, first in [("怎么联系客户", "企业微信"), ("which plan", "Team"), ("E4017", "export crashes with E4017")]:
        relevances = recalling.relevances_by_words(facts, query, CATALOGUE)
        assert recalled(engine, 3, relevances=relevances)[0] == first


def test_a_recall_of_the_past_knows_what_was_known(engine: Engine) -> None:
    write(engine, observed("Oslo"), now=1)
    write(engine, observed("Bergen", 0.5), now=20)
    assert recalled(engine, 10, known_at=day(10)) == ["Oslo"]


def test_tickets_that_wait_are_counted(engine: Engine) -> None:
    rows = [("pending", "u1"), ("processing", "u1"), ("done", "u1"), ("pending", "u10")]
    with writing(engine) as connection:
        for n, (state, customer) in enumerate(rows):
            row = {"id": f"e{n}", "tenant": "acme", "customer": customer, "event_hash": f"h{n}", "state": state}
            connection.execute(insert(events), {**row, "lane": "live"})
    with customer_reading(engine, REF) as view:
        assert recalling.pending_tickets(view) == 2


# --- receipts -------------------------------------------------------------------------------------------------------


def left(engine: Engine) -> str | None:
    with customer_reading(engine, REF) as view:
        surrogate, handed = view.surrogate, recalling.recall(view, now=day(3))
    given: dict[str, Any] = {"tenant": "acme", "surrogate": surrogate, "actor": "agent", "now": day(3)}
    return receipts.write(engine, handed_out=handed, **given)


def test_a_receipt_says_what_was_handed_out_and_never_a_value(engine: Engine) -> None:
    some(engine)
    name = left(engine)
    assert name is not None
    receipt = receipts.read(engine, tenant="acme", receipt=name)
    assert receipt is not None
    assert [fact for fact, _, _ in receipt.facts] == [
        fact.id for fact in sorted(living(engine, 3), key=lambda f: -f.importance)
    ]
    assert (receipt.actor, receipt.at, receipt.degraded) == ("agent", day(3), False)
    assert "Team" not in repr(receipt) and "u1" not in repr(receipt)
    assert receipts.read(engine, tenant="other", receipt=name) is None


def test_a_receipt_that_fails_fails_no_recall(engine: Engine, caplog: pytest.LogCaptureFixture) -> None:
    some(engine)
    with writing(engine) as connection:
        connection.execute(text("DROP TABLE receipts"))
    assert left(engine) is None
    assert "left no receipt" in caplog.text and "Team" not in caplog.text


def test_a_receipt_leaves_the_log_to_others_and_its_connection_as_it_was(sqlite_url: str) -> None:
    engine = open_engine(sqlite_url)
    some(engine)
    names = ("synchronous", "busy_timeout", "wal_autocheckpoint")
    with engine.connect() as connection:
        before = [connection.exec_driver_sql(f"PRAGMA {name}").scalar_one() for name in names]
    log = Path(engine.url.database + "-wal")  # type: ignore[operator]
    while log.stat().st_size < 1_100 * 4_096:
        assert left(engine)
    with engine.connect() as connection:
        assert [connection.exec_driver_sql(f"PRAGMA {name}").scalar_one() for name in names] == before
    size = log.stat().st_size
    some(engine)  # commits, and copies the log into the database, so that it begins anew
    for _ in range(20):
        assert left(engine)
    assert log.stat().st_size <= size + 20 * 4_096


def test_a_receipt_does_not_wait_for_a_locked_file(sqlite_url: str) -> None:
    engine = open_engine(sqlite_url)
    some(engine)
    other = sqlite3.connect(sqlite_url.removeprefix("sqlite:///"), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    began = datetime.now(UTC)
    assert left(engine) is None
    assert (datetime.now(UTC) - began).total_seconds() < 10  # the database's own patience is 15 s
    other.execute("ROLLBACK")
    assert left(engine)


# --- export ---------------------------------------------------------------------------------------------------------


def test_an_export_holds_everything_and_nobody_else(engine: Engine) -> None:
    said = observed("Bergen", 1, event="e1", ticket="t1", message=2)
    write(engine, observed("Oslo", source="system"))
    with customer_writing(engine, KEYS, REF, now=day(3)) as tx:
        replace_event(tx, "e1", [said], rules=RULES)
        review.dismiss(tx, said.id, actor="ann")
    write(engine, observed("Tromsø", ref=OTHER), ref=OTHER)
    with writing(engine) as connection:
        row = {"id": "e1", "tenant": "acme", "customer": "u1", "event_hash": "h", "state": "done", "lane": "live"}
        connection.execute(insert(events), {**row, "payload": b"sealed", "ticket": "t1", "event_id": "ev-1"})
    received(engine, ticket("0", text="E-mail only", event_id="ev-0"))
    left(engine)
    document = json.loads(json.dumps(export(engine, KEYS, REF)))
    assert document["schema"] == "afterword-export/1"
    assert [fact["value"] for fact in document["facts"]] == ["Oslo"]
    assert {one["value"] for one in document["observations"]} == {"Oslo", "Bergen"}
    assert [item["state"] for item in document["review_items"]] == ["dismissed"]
    sealed, unreadable = (one["ticket_closed"] for one in sorted(document["events"], key=lambda one: one["event_id"]))
    assert "unreadable" in unreadable
    assert [one["text"] for one in sealed["messages"]] == ["E-mail only"]
    assert {line["action"] for line in document["audit"]} == {"write", "review"}
    assert len(document["receipts"]) == 1
    assert "Tromsø" not in json.dumps(document, ensure_ascii=False) and "sealed" not in json.dumps(document)


def test_an_export_of_a_stranger_is_an_empty_document(engine: Engine) -> None:
    document = export(engine, KEYS, OTHER)
    assert document["known_since"] is None
    assert all(document[name] == [] for name in ("facts", "observations", "events", "audit", "receipts"))


# --- rescan ---------------------------------------------------------------------------------------------------------


def rescanned(engine: Engine, *, dry_run: bool, **words: Any) -> list[Rescanned]:
    strict = Terms(catalogue=CATALOGUE, policies=Policies(Policy(**words)))
    return list(rescan(engine, KEYS, terms=strict, now=day(2_000), actor="ann", dry_run=dry_run))


def test_a_stricter_policy_reaches_back(engine: Engine) -> None:
    write(engine, observed("Oslo"), observed("Project Falcon", 1), observed("x", 2, key="salary_band"))
    write(engine, observed("Falcon fan", ref=OTHER), ref=OTHER)
    words = {"refused_words": ("falcon",), "forbidden_keys": ("salary_band",)}
    preview = rescanned(engine, dry_run=True, **words)
    assert [(one.ref, one.looked_at, sum(one.refused.values())) for one in preview] == [(REF, 3, 2), (OTHER, 1, 1)]
    assert len(living(engine)) == 2
    rescanned(engine, dry_run=False, **words)
    assert [fact.value for fact in living(engine)] == ["Oslo"]
    assert living(engine, ref=OTHER) == []
    assert [sum(one.refused.values()) for one in rescanned(engine, dry_run=False, **words)] == [0, 0]


def test_a_quote_counts_as_much_as_a_value(engine: Engine) -> None:
    write(engine, observed("Oslo", event="e1", message=1))
    (one,) = rescanned(engine, dry_run=False, refused_words=("we are in",))
    assert sum(one.refused.values()) == 1
    assert recorded(engine) == []


def test_a_rescan_that_finds_nothing_changes_nothing(engine: Engine) -> None:
    some(engine)
    before = recorded(engine)
    (one,) = rescanned(engine, dry_run=False)
    assert (one.looked_at, dict(one.refused)) == (3, {})
    assert recorded(engine) == before
