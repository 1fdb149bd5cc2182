"""What the rest rests on and nothing else would notice at once: settings of engine, queue and retries, each by what it
does or, where that takes a fault of the network, by its value."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from inboxing import done, row, set_columns, ticket
from remembering import KEYS
from sqlalchemy import Engine, insert, text
from sqlalchemy.exc import DBAPIError, IntegrityError
from world import closed_ticket

from pipeline.ids import CustomerRef
from store import replay
from store.erase import forget
from store.history import live
from store.models import slot_horizons
from store.scope import customer_reading
from store.selection import Selection
from worker import house
from worker.celery import create_app
from worker.process import Ended, process
from worker.publish import enqueue_events
from worker.runtime import open_runtime
from worker.settings import read_settings

CANARY = "Quetzalcoatl"


def test_rows_of_a_customer_who_is_not_there_are_refused_by_the_database(engine: Engine) -> None:
    row_of_nobody = {"tenant": "acme", "customer": "nobody", "key": "city", "slot_ticket": ""}
    with pytest.raises(IntegrityError), engine.begin() as connection:
        connection.execute(insert(slot_horizons).values(**row_of_nobody, horizon=datetime.now(UTC)))


def test_a_databases_error_does_not_repeat_what_it_was_given(engine: Engine) -> None:
    with pytest.raises(DBAPIError) as raised, engine.connect() as connection:
        connection.execute(text("SELECT :said FROM there_is_no_such_table"), {"said": CANARY})
    assert CANARY not in str(raised.value)


def test_a_connection_that_has_died_is_found_out_before_it_is_used(engine: Engine) -> None:
    assert engine.pool._pre_ping


def test_a_replayed_ticket_starts_anew_with_no_lost_leases(engine: Engine) -> None:
    (row_id,) = done(engine, ticket("crashed"))
    set_columns(engine, row_id, crashes=1)
    job = replay.begin(engine, KEYS, Selection(tenant=None))
    replay.put_back(engine, KEYS, job.id, limit=10, actor="ops", now=datetime.now(UTC))
    assert (row(engine, row_id).state, row(engine, row_id).crashes) == ("pending", 0)


@pytest.mark.parametrize(("said", "kept"), [(-1, set()), (1, {"e-mail"})], ids=["before", "after"])
def test_what_was_said_before_a_customer_was_forgotten_is_not_read_in_a_later_ticket(
    tmp_path: Path, said: int, kept: set[str]
) -> None:
    runtime = open_runtime(read_settings({"AFTERWORD_HOME": str(tmp_path), "AFTERWORD_EXTRACTOR": "rules"}))
    now, ref = datetime.now(UTC), CustomerRef(tenant="acme", customer="c-1")
    rules = house.rules(runtime)
    forget(runtime.engine, runtime.keys, runtime.ledger, ref, rules=rules, actor="test", now=now - timedelta(hours=1))
    at = now - timedelta(hours=1) + timedelta(minutes=said)
    messages = [
        {"role": "customer", "text": "Please contact me by e-mail only.", "at": at.isoformat()},
        {"role": "customer", "text": "Thanks for the help with my invoices."},
    ]
    closed = closed_ticket(messages=messages, closed_at=(now - timedelta(minutes=1)).isoformat())
    (accepted,) = enqueue_events(runtime, [closed], now=now)
    assert process(runtime, accepted.row_id) is Ended.DONE
    with customer_reading(runtime.engine, ref) as view:
        assert {fact.value for fact in live(view, at=now)} == kept
    runtime.close()


def test_celery_holds_no_truth(tmp_path: Path) -> None:
    """Each of these, set otherwise, loses or doubles tickets only when the network or Redis fails at a bad moment."""
    conf = create_app(read_settings({"AFTERWORD_HOME": str(tmp_path), "AFTERWORD_REDIS_URL": "redis://x:1"})).conf
    transport = conf.broker_transport_options
    assert (transport["ack_emulation"], transport["queue_order_strategy"]) == (False, "priority")
    assert all(transport[name] > 0 for name in ("socket_timeout", "socket_connect_timeout", "health_check_interval"))
    assert (conf.worker_prefetch_multiplier, conf.worker_pool) == (1, "threads")
    assert (conf.result_backend, conf.task_ignore_result) == (None, True)
    assert (conf.task_serializer, conf.accept_content) == ("json", ["json"])
    assert conf.broker_connection_max_retries is None  # a worker waits for Redis for as long as it takes
    assert not any(entry["options"].get("retry", True) for entry in conf.beat_schedule.values())
