"""What is killed, restarted, frozen or delivered again: no ticket is lost and none is applied twice. Short forms."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import fake_openai as fake
import pytest
from fake_openai import FakeOpenAI, fake_openai
from services import RedisServer, redis_server
from world import World, closed_ticket, world

from store.models import audit, observations
from store.states import Lane
from worker.celery import QUEUES

SHORT = {"lease": "4", "deadline": "3", "model_timeout": "3", "drain_seconds": "1"}


@pytest.fixture
def broker() -> Iterator[RedisServer]:
    """A Redis that may be killed."""
    with redis_server() as server:
        yield server


@pytest.fixture
def model() -> Iterator[FakeOpenAI]:
    with fake_openai() as server:
        yield server


@pytest.fixture
def stage(tmp_path: Path, broker: RedisServer, model: FakeOpenAI) -> Iterator[World]:
    with world(tmp_path, broker, model, **SHORT) as made:
        yield made


def applied_once(stage: World, *row_ids: str) -> None:
    """Each is done, and remembered exactly once: one observation and one audit line."""
    for row_id in row_ids:
        assert stage.until_ended(row_id) == ("done", "applied")
        assert [line for line in stage.audited(row_id) if line[0] != "withdrawn"] == [("ADD", "new")]
    assert stage.count(observations) == len(row_ids)
    assert stage.count(audit) == len(row_ids)


def tickets(count: int) -> list:
    return [closed_ticket("Please e-mail only", customer=f"c-{n}") for n in range(count)]


def kill(process: object) -> None:
    os.killpg(process.pid, signal.SIGKILL)  # type: ignore[attr-defined]
    process.wait()  # type: ignore[attr-defined]


@pytest.fixture
def stage_on_either(tmp_path: Path, broker: RedisServer, model: FakeOpenAI, database_url: str) -> Iterator[World]:
    with world(tmp_path, broker, model, database_url=database_url, **SHORT) as made:
        yield made


def test_a_worker_killed_during_the_model_call_loses_nothing_and_doubles_nothing(
    stage_on_either: World, model: FakeOpenAI
) -> None:
    stage = stage_on_either
    stage.start("beat", "--pidfile=")
    worker = stage.start_worker()
    model.answer = fake.slow(1.5)
    rows = [answer.row_id for answer in stage.enqueue(*tickets(3))]
    model.wait_for_calls(3)
    kill(worker)
    model.answer = fake.good
    stage.start_worker("w2")
    applied_once(stage, *rows)
    assert model.calls == 6
    assert {stage.row(row_id).crashes for row_id in rows} == {1}


def test_redis_killed_before_the_publish_costs_only_time(stage: World, broker: RedisServer) -> None:
    broker.kill()
    rows = [answer.row_id for answer in stage.enqueue(*tickets(3))]
    assert stage.states() == {"pending": 3}
    broker.start()
    stage.start("beat", "--pidfile=")
    stage.start_worker()
    applied_once(stage, *rows)


def test_redis_flushed_after_the_publish_costs_only_time(stage: World, broker: RedisServer) -> None:
    rows = [answer.row_id for answer in stage.enqueue(*tickets(3))]
    assert broker.client.llen(QUEUES[Lane.LIVE]) == 3
    broker.client.flushall()
    stage.start("beat", "--pidfile=")
    stage.start_worker()
    applied_once(stage, *rows)


@pytest.mark.fault
def test_redis_restarted_empty_under_a_running_worker_is_survived(stage: World, broker: RedisServer) -> None:
    stage.start("beat", "--pidfile=")
    worker = stage.start_worker()
    first = [answer.row_id for answer in stage.enqueue(*tickets(2))]
    applied_once(stage, *first)
    broker.kill()
    rows = [answer.row_id for answer in stage.enqueue(closed_ticket("Please e-mail only", customer="during"))]
    time.sleep(1)
    broker.start()
    restart_where_it_exits(stage, worker, lambda: stage.state(rows[0])[0] == "done")
    applied_once(stage, *first, *rows)


def restart_where_it_exits(stage: World, worker: object, condition: Callable[[], bool]) -> None:
    """As `afterword up` and any service manager do."""
    current = worker

    def step() -> bool:
        nonlocal current
        if current.poll() is not None:  # type: ignore[attr-defined]
            current = stage.start_worker("again")
        return condition()

    stage.until(step, within=60, what="the ticket after Redis came back")


def test_a_worker_asked_to_stop_finishes_what_it_can(stage: World, model: FakeOpenAI) -> None:
    worker = stage.start_worker()
    model.answer = fake.slow(0.5)
    row_id = stage.enqueue(*tickets(1))[0].row_id
    model.wait_for_calls(1)
    worker.send_signal(signal.SIGTERM)
    assert worker.wait(20) == 0
    applied_once(stage, row_id)
    assert model.calls == 1


def test_a_worker_asked_to_stop_hands_back_what_it_cannot_finish(stage: World, model: FakeOpenAI) -> None:
    worker = stage.start_worker()
    model.answer = fake.hanging
    row_id = stage.enqueue(*tickets(1))[0].row_id
    model.wait_for_calls(1)
    asked = time.monotonic()
    worker.send_signal(signal.SIGTERM)
    worker.wait(20)
    assert stage.state(row_id)[0] == "pending"
    assert (stage.row(row_id).attempts, stage.row(row_id).crashes) == (0, 0)
    assert time.monotonic() - asked < 15
    model.answer = fake.good
    stage.start("beat", "--pidfile=")
    stage.start_worker("w2")
    applied_once(stage, row_id)


@pytest.mark.fault
def test_a_zombie_that_wakes_after_its_lease_writes_nothing(stage: World, model: FakeOpenAI) -> None:
    zombie = stage.start_worker("zombie")
    model.answer = fake.slow(1.0)
    row_id = stage.enqueue(*tickets(1))[0].row_id
    model.wait_for_calls(1)
    os.killpg(zombie.pid, signal.SIGSTOP)
    model.answer = fake.good
    stage.start("beat", "--pidfile=")
    stage.start_worker("w2")
    applied_once(stage, row_id)
    os.killpg(zombie.pid, signal.SIGCONT)
    stage.until(lambda: "another worker has it" in stage.log(0), what="the zombie's defeat")
    applied_once(stage, row_id)


@pytest.mark.fault
def test_a_ticket_that_kills_its_worker_ends_dead_in_quarantine_and_takes_nobody_along(
    stage: World, model: FakeOpenAI
) -> None:
    victims: list[object] = []

    def poison(request: fake.Request) -> fake.Said:
        if any("poison" in text for _, _, text in fake.lines_of(request)):
            kill(victims[-1])
        return fake.good(request)

    model.answer = poison
    stage.start("beat", "--pidfile=")
    row_id = stage.enqueue(closed_ticket("Please e-mail only, poison", customer="poison"))[0].row_id
    for number in range(2):
        victims.append(stage.start_worker(f"w{number}"))
        stage.until(lambda: victims[-1].poll() is not None, within=40, what="a worker's death")
    victims.append(stage.start_worker("quarantine", "-Q", QUEUES[Lane.QUARANTINE], "-c", "1"))
    stage.start_worker("healthy")
    neighbours = [answer.row_id for answer in stage.enqueue(*tickets(3))]
    stage.until(lambda: victims[-1].poll() is not None, within=40, what="the quarantine worker's death")
    assert stage.until_ended(row_id) == ("dead", "worker_lost")
    assert (stage.row(row_id).lane, stage.row(row_id).crashes) == ("quarantine", 3)
    applied_once(stage, *neighbours)


def test_the_breaker_spares_a_server_that_is_down_and_all_tickets_end_well(stage: World, model: FakeOpenAI) -> None:
    stage.start("beat", "--pidfile=")
    stage.start_worker()
    model.answer = fake.failing
    rows = [answer.row_id for answer in stage.enqueue(*tickets(12))]
    stage.until(lambda: "breaker open" in stage.logs(), what="an open breaker")
    model.answer = fake.good
    for row_id in rows:
        assert stage.until_ended(row_id, within=60) == ("done", "applied")
    applied_once(stage, *rows)
    assert model.calls < 12 * 3


@pytest.mark.fault
def test_a_message_that_was_never_swept_stays_lost_without_the_sweep(stage: World, broker: RedisServer) -> None:
    """The negative control: without beat nothing delivers what Redis lost, so the tests above prove the sweep."""
    row_id = stage.enqueue(*tickets(1))[0].row_id
    broker.client.flushall()
    stage.start_worker()
    time.sleep(3)
    assert stage.state(row_id)[0] == "pending"
