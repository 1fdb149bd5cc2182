"""Two clocks, and the explanation of one fact."""

from remembering import KEYS, REF, RULES, day, living, observed, recorded, write
from sqlalchemy import Engine, event, text

from pipeline.ids import CustomerRef
from store.engine import writing
from store.history import live_keys, plain, show
from store.models import metadata
from store.scope import customer_reading, customer_writing
from store.write import replace_event


def test_valid_time_answers_what_was_true(engine: Engine) -> None:
    write(engine, observed("Oslo"), observed("Bergen", 10))
    assert [[f.value for f in living(engine, at)] for at in (-1, 0, 9.9, 10, 11)] == [
        [],
        ["Oslo"],
        ["Oslo"],
        ["Bergen"],
        ["Bergen"],
    ]


def test_known_at_answers_what_we_had_heard_by_then(engine: Engine) -> None:
    write(engine, observed("Oslo"), now=1)
    write(engine, observed("Bergen", 0.5), now=20)
    assert [f.value for f in living(engine, 10)] == ["Bergen"]
    assert [f.value for f in living(engine, 10, known_at=day(10))] == ["Oslo"]


def test_expired_facts_are_history_and_not_live(engine: Engine) -> None:
    write(engine, observed("late parcel", kind="situation"))
    assert [f.value for f in living(engine, 29.9)] == ["late parcel"]
    assert living(engine, 30) == []
    assert [f.valid_to for f in recorded(engine)] == [None]


def test_live_facts_come_oldest_first_and_by_key(engine: Engine) -> None:
    write(engine, observed("b", 2, key="k_b"), observed("a", 1, key="k_a"), observed("c", 3, key="k_c"))
    assert [f.value for f in living(engine)] == ["a", "b", "c"]
    assert [f.value for f in living(engine, key="k_b")] == ["b"]
    with customer_reading(engine, REF) as view:
        assert live_keys(view, at=day(2)) == ["k_a", "k_b"]


def test_a_fact_explains_itself(engine: Engine) -> None:
    write(engine, observed("Oslo"))
    said = observed("Bergen", 2, event="e1", ticket="t7", message=3, model="m1", prompt_version="p1")
    with customer_writing(engine, KEYS, REF, now=day(3)) as tx:
        replace_event(tx, "e1", [said], rules=RULES)
    write(engine, observed("Bergen", 4, source="agent_confirmed", actor="ann"), observed("Tromsø", 6, source="system"))
    fact_id = living(engine, 5)[0].id
    with customer_reading(engine, REF) as view:
        shown = show(view, fact_id)
    assert shown and shown.replaced and shown.replaced_by
    assert (shown.replaced.value, shown.fact.value, shown.replaced_by.value) == ("Oslo", "Bergen", "Tromsø")
    first, second = (evidence.observation for evidence in shown.evidence)
    assert (first.ticket, first.message, first.quotes[0].text, first.model, first.prompt_version) == (
        "t7",
        3,
        "we are in Bergen",
        "m1",
        "p1",
    )
    assert (second.source, second.actor) == ("agent_confirmed", "ann")
    assert [fact.version for fact in shown.versions] == [1, 2]


def test_another_customers_fact_is_not_shown(engine: Engine) -> None:
    write(engine, observed("Oslo"))
    other = CustomerRef(tenant="acme", customer="u10")
    with customer_reading(engine, other) as view:
        assert show(view, living(engine)[0].id) is None


def test_a_fact_prints_as_plain_data(engine: Engine) -> None:
    write(engine, observed("late parcel", kind="situation", ticket="t1"))
    (fact,) = living(engine, 1)
    assert plain(fact) | {"id": "", "evidence": []} == {
        "id": "",
        "kind": "situation",
        "key": "city",
        "value": "late parcel",
        "source": "extracted",
        "valid_from": "2026-01-01T12:00:00+00:00",
        "valid_to": None,
        "expires_at": "2026-01-31T12:00:00+00:00",
        "confirmed_at": "2026-01-01T12:00:00+00:00",
        "confidence": 1.0,
        "importance": 0.7,
        "ticket": None,
        "version": 1,
        "evidence": [],
        "recorded_from": day(1_000).isoformat(),
        "recorded_to": None,
    }


def test_customer_text_shows_in_no_repr(engine: Engine) -> None:
    write(engine, observed("Oslo", message=1, event="e1"))
    with customer_reading(engine, REF) as view:
        shown = show(view, living(engine)[0].id)
        assert "Oslo" not in repr((shown, view))


def test_one_customers_facts_are_read_by_an_index_among_many(engine: Engine) -> None:
    many(engine, customers=400, facts_each=10)
    ref = CustomerRef(tenant="acme", customer="many7")
    asked: list[tuple[str, object]] = []

    @event.listens_for(engine, "before_cursor_execute")
    def _note(_connection: object, _cursor: object, statement: str, parameters: object, *_: object) -> None:
        if "FROM facts" in statement:
            asked.append((statement, parameters))

    assert len(living(engine, ref=ref)) == len(recorded(engine, ref)) == 10
    event.remove(engine, "before_cursor_execute", _note)
    explain = "EXPLAIN QUERY PLAN " if engine.dialect.name == "sqlite" else "EXPLAIN "
    with customer_reading(engine, ref) as view:
        plans = [" ".join(map(str, view.connection.exec_driver_sql(explain + q, p))) for q, p in asked]  # type: ignore[arg-type]
    assert len(plans) == 2
    for plan in plans:
        assert "ix_facts_slot" in plan or "uq_facts_live_slot" in plan
        assert "Seq Scan" not in plan and "SCAN" not in plan


def many(engine: Engine, *, customers: int, facts_each: int) -> None:
    """Facts by the thousand, put in past the gates: only a test may."""
    tables = metadata.tables
    whose = [{"tenant": "acme", "customer": f"many{n}"} for n in range(customers)]
    with writing(engine) as connection:
        known = [
            {**w, "surrogate": f"s{n}", "subject": "s", "tenant_subject": "t", "created_at": day(0)}
            for n, w in enumerate(whose)
        ]
        connection.execute(tables["customers"].insert(), known)
        rows = [
            {**w, "id": f"{n}-{m}", "version": 1, "key": f"key_{m}", "slot_ticket": "", "kind": "profile"}
            | {"value": "Oslo", "source": "system", "confidence": 1.0, "importance": 0.5, "valid_from": day(0)}
            | {"confirmed_at": day(0), "evidence": ["o"], "recorded_from": day(0)}
            for n, w in enumerate(whose)
            for m in range(facts_each)
        ]
        connection.execute(tables["facts"].insert(), rows)
        connection.execute(text("ANALYZE"))
