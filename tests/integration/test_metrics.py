"""What Prometheus sees: named once, counted right, and never a customer, a tenant or a value in a label."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from door import DoorWorld, cloud_event, door_world
from prometheus_client.parser import text_string_to_metric_families
from services import free_port
from sqlalchemy import update

from pipeline.reasons import Reason
from store.engine import writing
from store.heartbeat import record
from store.models import audit, events
from store.states import Role
from worker import metrics
from worker.metrics import _GATES, NAMES


@pytest.fixture
def door(tmp_path: Path, database_url: str) -> Iterator[DoorWorld]:
    with door_world(tmp_path / "home", database_url) as world:
        yield world


def sampled(door: DoorWorld) -> dict[tuple[str, tuple[str, ...]], float]:
    """Every sample, by name and its labels' values in the order of the labels' names."""
    families = text_string_to_metric_families(door.client.get("/metrics").text)
    samples = [sample for family in families for sample in family.samples]
    return {(one.name, tuple(one.labels[name] for name in sorted(one.labels))): one.value for one in samples}


def exposed(door: DoorWorld) -> set[str]:
    families = text_string_to_metric_families(door.client.get("/metrics").text)
    kinds = {"counter": "_total"}
    return {family.name + kinds.get(family.type, "") for family in families}


def test_every_metric_of_the_table_is_exposed_and_no_other(door: DoorWorld, redis_url: str, tmp_path: Path) -> None:
    door.post_event(cloud_event())
    url = door.runtime.engine.url.render_as_string(hide_password=False)
    with door_world(tmp_path / "second", url, redis_url=redis_url) as second:
        second.post_event(cloud_event())
        assert exposed(second) == set(NAMES)
        assert sampled(second)[metrics.REDIS_UP, ()] == 1
    assert all(row.says and row.kind in ("counter", "gauge", "histogram") for row in NAMES.values())


def test_a_redis_that_is_down_makes_the_door_no_less_ready_and_tickets_are_taken_in(
    door: DoorWorld, tmp_path: Path
) -> None:
    url = door.runtime.engine.url.render_as_string(hide_password=False)
    with door_world(tmp_path / "second", url, redis_url=f"redis://127.0.0.1:{free_port()}/0") as lonely:
        assert lonely.client.get("/readyz").json() == {"status": "ready"}
        assert lonely.client.get("/healthz").status_code == 200
        assert lonely.post_event(cloud_event()).status_code == 202
        assert sampled(lonely)[metrics.REDIS_UP, ()] == 0
        assert sampled(lonely)[metrics.DATABASE_UP, ()] == 1


def test_what_arrives_ends_and_is_decided_is_counted(door: DoorWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metrics, "LAG", timedelta(seconds=-5))  # count what has just happened too
    for _ in range(2):
        door.post_event(cloud_event())
    door.remember("contact_channel", "e-mail only")
    door.remember("card_number", "4111 1111 1111 1111")
    with writing(door.runtime.engine) as connection:
        values = {"state": "done", "reason": "applied", "finished_at": datetime.now(UTC)}
        cost = {"model_ms": 1_500, "prompt_tokens": 900, "reply_tokens": 80}
        connection.execute(update(events).values(values | cost))
    found = sampled(door)
    assert found[metrics.ARRIVED, ("accepted", "events")] == 1
    assert found[metrics.ARRIVED, ("duplicate", "events")] == 1
    assert found[metrics.FINISHED, ("applied", "done")] == 1
    assert found[metrics.MODEL_SECONDS + "_sum", ()] == 1.5
    assert found[metrics.MODEL_TOKENS, ("prompt",)] == 900
    assert found[metrics.DECISIONS, ("ADD", "new")] == 1
    assert found[metrics.REFUSALS, ("forbidden_key",)] == 1
    assert sampled(door)[metrics.FINISHED, ("applied", "done")] == 1  # a second look counts nothing twice


def test_what_stands_is_told_as_it_is(door: DoorWorld) -> None:
    door.post_event(cloud_event())
    door.remember("contact_channel", "phone", source="extracted")
    record(door.runtime.engine, "purge", {"payloads": 3, "busy": False})
    with writing(door.runtime.engine) as connection:
        hour_ago = datetime.now(UTC) - timedelta(hours=1)
        connection.execute(update(events).values(received_at=hour_ago))
    found = sampled(door)
    assert found[metrics.EVENTS, ("pending",)] == 1
    assert found[metrics.OLDEST_PENDING, ()] == pytest.approx(3_600, abs=60)
    assert found[metrics.QUESTIONS, ()] == 1
    assert found[metrics.PURGED, ("payloads",)] == 3
    assert found[metrics.LAST_RUN, ("purge",)] == pytest.approx(datetime.now(UTC).timestamp(), abs=60)
    assert found[metrics.BEHIND, ()] == 0
    assert found[metrics.DATABASE_UP, ()] == 1


def test_no_label_holds_a_tenant_a_customer_or_a_path_that_somebody_sent(door: DoorWorld) -> None:
    door.remember("contact_channel", "zebra", customer="zebra-customer", tenant="zebra-tenant")
    for path in ("/zebra", "/v1/customers/zebra-customer/facts", "/memory/zebra", "/v1/hooks/zebra/zebra", "/%7Azebra"):
        door.client.get(path, headers=door.bearer(role=Role.PERSON))
        door.client.post(path, headers=door.bearer(role=Role.PERSON))
    door.client.request("ZEBRA", "/healthz")
    assert "zebra" not in door.client.get("/metrics").text.lower()


def test_gate_codes_are_those_of_the_gates() -> None:
    assert {Reason.BAD_SHAPE, Reason.PAYMENT_CARD, Reason.AUTHORITY, Reason.GATE_TIMEOUT} <= _GATES
    assert not {Reason.NEW, Reason.OUTRANKED, Reason.RETRACTED, Reason.APPLIED} & _GATES


def test_the_audit_keeps_no_token(door: DoorWorld) -> None:
    made = door.create()
    with door.runtime.engine.connect() as connection:
        rows = [str(dict(row._mapping)) for row in connection.execute(audit.select())]
    assert rows
    assert not any(made.secret in row for row in rows)
