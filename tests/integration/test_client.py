"""The Python functions, as an application or a notebook calls them."""

import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import fake_openai as fake
import pytest
from fake_openai import FakeOpenAI, fake_openai
from services import RedisServer, redis_server
from world import ROOT, World, closed_ticket, world

from pipeline.events import InvalidEvent, TicketClosed
from pipeline.reasons import Reason
from store.models import audit, events, observations
from store.states import Lane
from worker import enqueue, extract, recall
from worker.celery import QUEUES
from worker.outcomes import Lasting, Passing
from worker.process import Ended, Read, process
from worker.recalling import Recalled

CANARY = "Quetzalcoatl"


@pytest.fixture(scope="module")
def broker() -> Iterator[RedisServer]:
    with redis_server() as server:
        yield server


@pytest.fixture
def model() -> Iterator[FakeOpenAI]:
    with fake_openai() as server:
        yield server


@pytest.fixture
def here(tmp_path: Path, broker: RedisServer, model: FakeOpenAI) -> Iterator[World]:
    broker.client.flushall()
    with world(tmp_path, broker, model) as made:
        yield made


def raw(**given: object) -> dict[str, object]:
    return closed_ticket("Please e-mail only, do not call.").model_dump(mode="json", exclude_none=True) | given


def test_a_ticket_is_handed_in_as_a_plain_mapping(here: World) -> None:
    answers = enqueue(raw(), using=here.runtime)
    assert [a.outcome for a in answers] == ["accepted"]
    assert here.redis.client.llen(QUEUES[Lane.LIVE]) == 1


def test_a_backfill_goes_to_a_queue_of_its_own(here: World) -> None:
    enqueue([closed_ticket("a"), closed_ticket("b")], backfill=True, using=here.runtime)
    assert here.redis.client.llen(QUEUES[Lane.BACKFILL]) == 2
    assert here.redis.client.llen(QUEUES[Lane.LIVE]) == 0


def test_one_invalid_ticket_means_that_none_is_taken_in(here: World) -> None:
    with pytest.raises(InvalidEvent, match="closed_at"):
        enqueue([raw(), raw(closed_at="yesterday")], using=here.runtime)
    assert here.count(events) == 0


def test_one_close_written_in_several_ways_is_one_ticket(here: World) -> None:
    close = datetime(2026, 1, 5, 9, tzinfo=UTC)
    texts = (
        "2026-01-05T09:00:00Z",
        "2026-01-05T09:00:00+00:00",
        "2026-01-05T09:00:00.000Z",
        "2026-01-05T17:00:00+08:00",
    )
    one = raw(event_id="")
    answers = enqueue([one | {"closed_at": written} for written in (*texts, close)], using=here.runtime)
    assert [a.outcome for a in answers] == ["accepted", *["duplicate"] * 4]
    assert here.count(events) == 1


def test_an_object_is_checked_as_a_mapping_is(here: World) -> None:
    ahead = TicketClosed.model_validate(raw(closed_at=datetime(2099, 1, 1, tzinfo=UTC)))
    for call in (enqueue, extract):
        with pytest.raises(InvalidEvent, match="future"):
            call(ahead, using=here.runtime)
    assert here.count(events) == 0


def test_extract_shows_what_is_proposed_and_what_the_gates_say_and_writes_nothing(
    here: World, model: FakeOpenAI
) -> None:
    shown = extract(raw(), using=here.runtime)
    assert isinstance(shown, Read)
    assert [(one.candidate.key, one.verdict.passed) for one in shown.judged] == [("contact_channel", True)]
    model.answer = fake.fabricated_quote
    refused = extract(raw(), using=here.runtime)
    assert isinstance(refused, Read)
    assert [one.verdict.reason for one in refused.judged] == [Reason.NO_QUOTE]
    assert here.count(events) == here.count(observations) == here.count(audit) == 0


def test_extract_gives_a_fault_as_a_value(here: World, model: FakeOpenAI) -> None:
    model.answer = fake.refusal
    assert extract(raw(), using=here.runtime) == Lasting(reason=Reason.REFUSAL)
    model.answer = fake.failing
    assert extract(raw(), using=here.runtime) == Passing(reason=Reason.MODEL_UNAVAILABLE)


def test_what_was_read_is_recalled(here: World) -> None:
    row_id = enqueue(raw(customer_id="c-7"), using=here.runtime)[0].row_id
    before = recall("acme", "c-7", using=here.runtime)
    assert before.pending == 1
    assert process(here.runtime, row_id) is Ended.DONE
    told = recall("acme", "c-7", now=datetime.now(UTC), using=here.runtime)
    assert isinstance(told, Recalled)
    assert [one.fact.value for one in told.facts] == ["e-mail only"]
    assert "e-mail only" in told.block
    assert told.pending == 0


def test_the_function_is_not_hidden_by_a_module_of_its_name() -> None:
    import worker.cli.recall
    import worker.recalling

    for name in worker.__all__:
        assert callable(getattr(worker, name))


def test_a_second_delivery_of_a_message_claims_nothing(here: World, model: FakeOpenAI) -> None:
    row_id = enqueue(raw(), using=here.runtime)[0].row_id
    assert process(here.runtime, row_id) is Ended.DONE
    assert process(here.runtime, row_id) is Ended.NOT_OURS
    assert process(here.runtime, "0" * 32) is Ended.NOT_OURS
    assert model.calls == 1


def test_quarantine_is_not_entered_through_an_old_message(here: World) -> None:
    row_id = enqueue(raw(), using=here.runtime)[0].row_id
    assert process(here.runtime, row_id, lanes=[Lane.QUARANTINE]) is Ended.NOT_OURS
    assert process(here.runtime, row_id, lanes=[Lane.LIVE]) is Ended.DONE


def test_a_wrong_key_makes_a_ticket_dead_and_not_lost(here: World) -> None:
    row_id = enqueue(raw(), using=here.runtime)[0].row_id
    from dataclasses import replace

    from store.keys import keys_from

    other = replace(here.runtime, keys=keys_from(b"x" * 32))
    assert process(other, row_id) is Ended.DEAD
    assert here.state(row_id) == ("dead", "undecryptable")
    assert here.row(row_id).payload


def test_the_model_never_sees_a_card_number_and_its_words_leave_no_trace(here: World, model: FakeOpenAI) -> None:
    ticket = raw(messages=[{"role": "customer", "text": "My card is 4111 1111 1111 1111, please e-mail only"}])
    row_id = enqueue(ticket, using=here.runtime)[0].row_id
    process(here.runtime, row_id)
    assert "4111" not in str(model.requests[0]["messages"])


def test_the_functions_load_nothing_before_they_are_called() -> None:
    code = (
        "import sys, worker; print([n for n in sys.modules if n.split('.')[0] in ('celery', 'sqlalchemy', 'openai')])"
    )
    said = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert said.strip() == "[]"


def test_handing_in_a_ticket_loads_no_model_client_and_no_detector() -> None:
    code = (
        "import sys\nfrom worker import enqueue\nimport worker.publish\n"
        "print([n for n in ('openai', 'presidio_analyzer', 'spacy') if n in sys.modules])"
    )
    said = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert said.strip() == "[]"
