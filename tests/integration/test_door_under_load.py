"""What keeps the door quick beside busy workers: one look-up for all who ask, and its turn at the database."""

import threading
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from door import DoorWorld, cloud_event, door_world
from world import closed_ticket

from store import tokens
from store.engine import open_engine, writing
from store.faults import StoreUnavailable
from store.inbox import Outcome
from worker.http import credentials
from worker.http.credentials import Credentials


@pytest.fixture
def door(tmp_path: Path, sqlite_url: str) -> Iterator[DoorWorld]:
    with door_world(tmp_path / "home", sqlite_url) as world:
        yield world


def all_at_once(number: int, work: Callable[[], object]) -> None:
    threads = [threading.Thread(target=work) for _ in range(number)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """When the database was asked for signing secrets, or for a token."""
    times: list[float] = []

    def noted(real: Callable[..., object]) -> Callable[..., object]:
        def ask(*given: object, **more: object) -> object:
            times.append(time.monotonic())
            time.sleep(0.05)
            return real(*given, **more)

        return ask

    monkeypatch.setattr(tokens, "signing_secrets", noted(tokens.signing_secrets))
    monkeypatch.setattr(tokens, "verified", noted(tokens.verified))
    return times


def test_many_who_find_a_credential_too_old_ask_the_database_once(door: DoorWorld, asked: list[float]) -> None:
    known, shown = Credentials(door.runtime), door.create().secret
    all_at_once(10, lambda: known.token(shown))
    assert len(asked) == 1
    all_at_once(10, known.secrets)
    assert len(asked) == 2


def test_whoever_must_know_anew_is_not_told_what_was_read_before_they_asked(
    door: DoorWorld, asked: list[float]
) -> None:
    known = Credentials(door.runtime)
    known.secrets()
    made = door.signing()
    assert made.token.id not in {one.token.id for one in known.secrets()}
    assert made.token.id in {one.token.id for one in known.secrets(anew=True)}


def test_secrets_are_renewed_before_they_are_too_old_and_nobody_waits_for_it(
    door: DoorWorld, asked: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(credentials, "RENEWED_AFTER", 0.0)
    known = Credentials(door.runtime)
    known.renew()
    assert asked == []  # nobody has needed any yet
    known.secrets()
    began = time.monotonic()
    known.renew()
    known.renew()
    assert time.monotonic() - began < 0.05
    deadline = time.monotonic() + 5
    while len(asked) < 2 and time.monotonic() < deadline:
        time.sleep(0.01)
    time.sleep(0.1)
    assert len(asked) == 2


def test_who_goes_first_takes_the_lock_within_milliseconds_of_its_release(door: DoorWorld) -> None:
    engine = door.runtime.engine
    held, released = threading.Event(), [0.0]

    def hold() -> None:
        with writing(engine):
            held.set()
            time.sleep(1.2)  # so long that SQLite's own waiting asks every 100 ms
            released[0] = time.monotonic()

    holder = threading.Thread(target=hold)
    holder.start()
    held.wait(5)
    with writing(engine, first=True) as connection:
        assert time.monotonic() - released[0] < 0.5
        timeout = connection.exec_driver_sql("PRAGMA busy_timeout").scalar_one()
    holder.join()
    assert timeout == 15_000


def test_who_goes_first_gives_up_on_a_lock_as_others_do_and_at_once_on_another_fault(
    tmp_path: Path, door: DoorWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("store.engine.BUSY_SECONDS", 0.2)
    with writing(door.runtime.engine), pytest.raises(StoreUnavailable, match="locked"):  # noqa: SIM117
        with writing(door.runtime.engine, first=True):
            pass
    no_file = tmp_path / "a-directory"
    no_file.mkdir()
    began = time.monotonic()
    with (
        pytest.raises(StoreUnavailable, match="cannot be opened"),
        writing(open_engine(f"sqlite:///{no_file}"), first=True),
    ):
        pass
    assert time.monotonic() - began < 5


def test_a_duplicate_within_one_batch_is_answered_by_what_the_first_said(door: DoorWorld) -> None:
    from store.inbox import accept

    first, same = (closed_ticket("E-mail only.", ticket_id="t-1", event_id="e") for _ in range(2))
    other = closed_ticket("Phone only.", ticket_id="t-1", event_id="e")
    runtime = door.runtime
    for expected in (Outcome.ACCEPTED, Outcome.DUPLICATE):
        answers = accept(runtime.engine, runtime.keys, [first, same, other], now=datetime.now(UTC))
        assert [one.outcome for one in answers] == [expected, Outcome.DUPLICATE, Outcome.CONFLICT]
        assert {one.state.value for one in answers} == {"pending"}


def test_the_quick_way_and_the_usual_way_give_the_same_answers(door: DoorWorld) -> None:
    taken = door.post_event(cloud_event())
    misspelt = door.post_event(cloud_event(id="2"), params={"tenent": "acme"})
    assert (taken.status_code, misspelt.status_code) == (202, 422)
    assert door.client.get("/v1/events").status_code in (401, 405)
    told = door.client.get("/metrics").text
    assert 'afterword_http_requests_total{method="POST",route="/v1/events",status="202"} 1.0' in told
    assert 'afterword_http_requests_total{method="POST",route="/v1/events",status="422"} 1.0' in told
