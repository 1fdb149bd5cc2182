"""A ticket through real Redis, a real Celery worker process and a model server over HTTP, for each of its moods."""

import base64
import json
import os
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import fake_openai as fake
import psutil
import pytest
from fake_openai import FakeOpenAI, fake_openai
from services import RedisServer, redis_server
from world import World, closed_ticket, world

from store.engine import reading
from store.heartbeat import last_runs
from store.inbox import Outcome
from store.models import events
from store.states import Lane
from worker.broker import JUNK_KEY
from worker.celery import QUEUES
from worker.publish import send
from worker.settings import read_settings

CANARY = "Quetzalcoatl"


@pytest.fixture(scope="module")
def broker() -> Iterator[RedisServer]:
    with redis_server() as server:
        yield server


@pytest.fixture(scope="module")
def model() -> Iterator[FakeOpenAI]:
    with fake_openai() as server:
        yield server


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory, broker: RedisServer, model: FakeOpenAI) -> Iterator[World]:
    """One worker and one beat for all tests of this file, on SQLite."""
    with world(tmp_path_factory.mktemp("flow"), broker, model, model_timeout="1", purge_seconds="1") as made:
        made.start("beat", "--pidfile=")
        made.start_worker()
        yield made


@pytest.fixture
def flow(running: World, model: FakeOpenAI) -> World:
    model.answer = fake.good
    running.redis.client.delete(*[f"afterword:model:{name}" for name in ("open", "tripped", "probe", "failures")])
    return running


def read(flow: World, answer: fake.Answer, *texts: str, **given: Any) -> tuple[str, tuple[str, str | None]]:
    """The row of a ticket that the model answers so, and how it ended."""
    assert flow.model
    flow.model.answer = answer
    row_id = flow.enqueue(closed_ticket(*texts, **given))[0].row_id
    return row_id, flow.until_ended(row_id)


def test_a_good_reply_is_remembered(flow: World) -> None:
    row_id, ended = read(flow, fake.good, "Please e-mail only, do not call.", customer="good")
    assert ended == ("done", "applied")
    assert ("contact_channel", "e-mail only") in flow.live()
    assert flow.audited(row_id) == [("ADD", "new")]
    row = flow.row(row_id)
    assert (row.model, row.prompt_tokens, row.reply_tokens, row.attempts) == ("fake", 900, 60, 1)
    assert row.prompt_version


def test_a_worker_and_its_threads_stand_back_for_the_door(flow: World) -> None:
    read(flow, fake.good, "Please e-mail only, do not call.", customer="good")
    worker = next(process.pid for process in flow.processes if "worker" in psutil.Process(process.pid).cmdline()[5:6])
    threads = [os.getpriority(os.PRIO_PROCESS, thread.id) for thread in psutil.Process(worker).threads()]
    assert len(threads) > 1
    assert min(threads) >= read_settings({}).niceness > 0


def test_a_fabricated_quote_is_refused_and_audited_by_its_code_alone(flow: World) -> None:
    before = flow.observed()
    row_id, ended = read(flow, fake.fabricated_quote, "My export fails.", customer="fabricated")
    assert ended == ("done", "applied")
    assert flow.audited(row_id) == [("REJECT", "no_quote")]
    assert flow.observed() == before


def test_prose_around_the_json_costs_one_repair(flow: World) -> None:
    row_id, ended = read(flow, fake.answers(fake.prose_around_json, fake.good), "Please e-mail only", customer="prose")
    assert ended == ("done", "applied")
    assert flow.row(row_id).prompt_tokens == 1800


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (fake.prose_around_json, "invalid_reply"),
        (fake.cut_json, "invalid_reply"),
        (fake.empty, "invalid_reply"),
        (fake.truncated, "too_long"),
        (fake.refusal, "refusal"),
        (fake.content_filter, "content_filter"),
    ],
)
def test_what_asking_again_would_not_mend_is_dead_with_its_reason(
    flow: World, answer: fake.Answer, reason: str
) -> None:
    _, ended = read(flow, answer, "e-mail only")
    assert ended == ("dead", reason)


@pytest.mark.parametrize("fault", [fake.rate_limited(1), fake.failing, fake.hanging], ids=["429", "500", "hang"])
def test_what_passes_is_asked_again_and_ends_well(flow: World, fault: fake.Answer) -> None:
    row_id, ended = read(flow, fake.answers(fault, fake.good), "Please e-mail only")
    assert ended == ("done", "applied")
    assert flow.row(row_id).attempts == 2


def test_a_server_that_knows_no_json_schema_is_asked_for_a_json_object(flow: World) -> None:
    _, ended = read(flow, fake.json_schema_refused, "Please e-mail only")
    assert ended == ("done", "applied")


def test_a_ticket_with_nothing_but_thanks_costs_no_call(flow: World) -> None:
    assert flow.model
    before = flow.model.calls
    row_id, ended = read(flow, fake.good, "Thanks, bye!")
    assert ended == ("done", "nothing_said")
    assert flow.model.calls == before
    assert flow.row(row_id).model is None


def test_the_same_event_eight_times_at_once_is_one_row(flow: World) -> None:
    ticket = closed_ticket("Please e-mail only", customer="eight")
    answers: list[Any] = []

    def hand_in() -> None:
        answers.extend(flow.enqueue(ticket))

    threads = [threading.Thread(target=hand_in) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(a.outcome for a in answers) == [Outcome.ACCEPTED] + [Outcome.DUPLICATE] * 7
    row_id = answers[0].row_id
    flow.until_ended(row_id)
    assert flow.audited(row_id) == [("ADD", "new")]


def test_a_message_delivered_eight_times_is_read_once(flow: World) -> None:
    assert flow.model
    flow.model.answer = fake.slow(0.3)
    before = flow.model.calls
    row_id = flow.enqueue(closed_ticket("Please e-mail only", customer="again"))[0].row_id
    send(flow.runtime, [(row_id, Lane.LIVE)] * 8)
    flow.until_ended(row_id)
    flow.until(lambda: flow.redis.client.llen(QUEUES[Lane.LIVE]) == 0, what="an empty queue")
    assert flow.model.calls == before + 1
    assert flow.audited(row_id) == [("ADD", "new")]


def message(task: Any, body: bytes, **headers: Any) -> str:
    """A queue entry in kombu's envelope."""
    return json.dumps(
        {
            "body": base64.b64encode(body).decode(),
            "content-type": "application/json",
            "content-encoding": "utf-8",
            "headers": {"task": task, "id": "x", **headers},
            "properties": {
                "delivery_tag": "x",
                "delivery_info": {"exchange": "", "routing_key": QUEUES[Lane.LIVE]},
                "body_encoding": "base64",
            },
        }
    )


JUNK: dict[str, str | bytes] = {
    "no JSON": b"not json " + CANARY.encode(),
    "no UTF-8": b"\xff\xfe",
    "an empty object": "{}",
    "a list": "[]",
    "a number": "1",
    "no fields": '{"properties": {}}',
    "an unknown task": message("nobody.knows", b"[[], {}, {}]"),
    "a task of another type": message(["afterword.process"], b"[[], {}, {}]"),
    "wrong arguments": message("afterword.process", json.dumps([[1, CANARY], {"a": 1}, None]).encode()),
    "no arguments": message("afterword.process", b"[[], {}, {}]"),
    "a body that is none": message("afterword.process", b"{}"),
    "a body that is no JSON": message("afterword.process", b"\x80\x04"),
    "a time that is none": message("afterword.process", b"[[], {}, {}]", eta="soon"),
    "an id that is none": message("afterword.process", b'[["../x"], {}, {}]'),
    "an id that nobody has": message("afterword.process", json.dumps([["0" * 32], {}, {}]).encode()),
}


@pytest.mark.parametrize("junk", list(JUNK.values()), ids=list(JUNK))
def test_junk_on_the_queue_is_survived(flow: World, junk: str | bytes) -> None:
    flow.redis.client.lpush(QUEUES[Lane.LIVE], *[junk] * 12)  # more than the worker has places for
    _, ended = read(flow, fake.good, "Please e-mail only")
    assert ended == ("done", "applied")
    assert flow.processes[1].poll() is None


def test_junk_is_counted(flow: World) -> None:
    before = int(flow.redis.client.get(JUNK_KEY) or 0)
    for junk in (JUNK["no JSON"], JUNK["an unknown task"], JUNK["wrong arguments"]):
        flow.redis.client.lpush(QUEUES[Lane.LIVE], junk)
    flow.until(lambda: int(flow.redis.client.get(JUNK_KEY) or 0) >= before + 3, what="three counts")


def test_beat_really_fires_sweep_and_purge(flow: World) -> None:
    def ran() -> set[str]:
        return set(last_runs(flow.runtime.engine))

    flow.until(lambda: {"sweep", "purge"} <= ran(), what="a sweep and a purge")
    seen = last_runs(flow.runtime.engine)
    flow.until(
        lambda: all(last_runs(flow.runtime.engine)[name].at > seen[name].at for name in ("sweep", "purge")),
        what="another sweep and purge",
    )


def test_a_queue_that_lost_everything_is_filled_again_by_the_sweep(flow: World) -> None:
    assert flow.model
    flow.model.answer = fake.good
    tickets = [closed_ticket("Please e-mail only", customer=f"lost-{n}") for n in range(20)]
    rows = [answer.row_id for answer in flow.enqueue(*tickets)]
    flow.redis.client.delete(QUEUES[Lane.LIVE])
    for row_id in rows:
        assert flow.until_ended(row_id) == ("done", "applied")


def test_an_event_before_a_forget_is_accepted_as_erased_and_needs_no_model(flow: World) -> None:
    from pipeline.ids import CustomerRef
    from store.erase import forget
    from worker import house

    ref = CustomerRef(tenant="acme", customer="gone")
    forget(
        flow.runtime.engine,
        flow.runtime.keys,
        flow.runtime.ledger,
        ref,
        rules=house.rules(flow.runtime),
        actor="test",
        now=datetime.now(UTC),
    )
    answer = flow.enqueue(closed_ticket("e-mail only", customer="gone"))[0]
    assert answer.state == "erased"


def test_no_word_of_a_customer_is_in_redis_or_a_log(flow: World) -> None:
    monitored = Monitor(flow.redis)
    moods = (fake.good, fake.prose_around_json, fake.refusal, fake.cut_json, fake.fabricated_quote)
    for number, mood in enumerate(moods):
        read(flow, mood, f"Please e-mail only, says {CANARY}.", customer=f"canary-{number}")
    seen = monitored.stop() + everything_in(flow.redis)
    assert "afterword.process" in seen
    assert CANARY not in seen
    assert base64.b64encode(CANARY.encode()).decode()[:10] not in seen
    assert CANARY not in flow.logs()
    database = b"".join(path.read_bytes() for path in Path(flow.home).glob("afterword.db*"))
    assert b"canary-0" in database
    with reading(flow.runtime.engine) as connection:
        payloads = connection.execute(events.select()).all()
    assert all(CANARY.encode() not in (row.payload or b"") for row in payloads)


class Monitor:
    """All that any client says to a Redis."""

    def __init__(self, server: RedisServer) -> None:
        self._seen: list[str] = []
        self._stopping = threading.Event()
        self._ready = threading.Event()
        self._server = server
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()
        self._ready.wait(5)

    def _listen(self) -> None:
        with self._server.client.monitor() as monitor:
            self._ready.set()
            for command in monitor.listen():
                self._seen.append(str(command["command"]))
                if self._stopping.is_set():
                    return

    def stop(self) -> str:
        self._stopping.set()
        self._server.client.ping()
        self._thread.join(5)
        return "\n".join(self._seen) + "\n".join(decoded_bodies(self._seen))


def decoded_bodies(commands: list[str]) -> list[str]:
    """The base64 bodies of messages, decoded."""
    import re

    found = re.findall(r'"body"\s*:\s*"([A-Za-z0-9+/=]+)"', "\n".join(commands).replace("\\", ""))
    return [base64.b64decode(body + "==").decode("utf-8", "replace") for body in found]


def everything_in(server: RedisServer) -> str:
    client = server.client
    return "\n".join(str(client.dump(key)) + str(key) for key in client.scan_iter())


@pytest.fixture
def quiet_broker() -> Iterator[RedisServer]:
    """A queue of its own: the other tests' worker and beat would take from theirs, and sweep."""
    with redis_server() as server:
        yield server


def test_a_tenants_share_is_refilled_as_its_tickets_end_without_a_sweep(
    tmp_path: Path, quiet_broker: RedisServer, model: FakeOpenAI
) -> None:
    """Else a tenant would get one share of tickets a sweep, however many workers stand idle."""
    model.answer = fake.good
    with world(tmp_path, quiet_broker, model, outstanding="2", sweep_seconds="3600") as flood:
        flood.start_worker()
        flood.enqueue(*(closed_ticket("We run Bun", customer=f"c-{n}") for n in range(9)))
        flood.until(lambda: flood.states() == {"done": 9}, what="nine tickets, two at a time")
