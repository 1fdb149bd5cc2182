"""SQLite has one writer: who waits for it says so, and who has time lets them go first."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import create_engine

from store.engine import open_engine, writing, writing_lazily
from store.turns import let_pass, somebody_waits, waiting

LONG = 20.0


def passed(url: str, seconds: float) -> threading.Event:
    """Is set once `let_pass` has returned, in a thread of its own."""
    done = threading.Event()

    def wait() -> None:
        let_pass(open_engine(url), seconds=seconds)
        done.set()

    threading.Thread(target=wait, daemon=True).start()
    return done


def test_who_has_time_waits_as_long_as_somebody_waits_for_the_database(sqlite_url: str) -> None:
    with waiting(open_engine(sqlite_url)), waiting(open_engine(sqlite_url)):
        done = passed(sqlite_url, LONG)
        assert not done.wait(0.1)
    assert done.wait(LONG)


def test_nobody_waits_and_nobody_is_waited_for(sqlite_url: str) -> None:
    assert passed(sqlite_url, 10 * LONG).wait(LONG)


def test_patience_has_an_end(sqlite_url: str) -> None:
    with waiting(open_engine(sqlite_url)):
        assert passed(sqlite_url, 0.01).wait(LONG)


def test_a_database_without_a_file_of_its_own_knows_no_turns(tmp_path: Path) -> None:
    for url in ("sqlite://", "sqlite:///:memory:", f"sqlite:///{tmp_path}/no-folder/a.db"):
        with waiting(create_engine(url)):
            let_pass(create_engine(url), seconds=LONG)
    assert not list(tmp_path.iterdir())


def until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + LONG
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.001)


@pytest.mark.parametrize("first", [False, True])
def test_a_writer_who_finds_the_database_taken_says_that_it_waits(sqlite_url: str, first: bool) -> None:
    engine = open_engine(sqlite_url)

    def write() -> None:
        with writing(open_engine(sqlite_url), first=first):
            assert not somebody_waits(engine)

    with ThreadPoolExecutor(1) as pool:
        with writing(engine):
            assert not somebody_waits(engine)
            writer = pool.submit(write)
            until(lambda: somebody_waits(engine))
        writer.result()
    assert not somebody_waits(engine)


def test_who_has_time_does_not_wait_for_itself(sqlite_url: str) -> None:
    engine, begun = open_engine(sqlite_url), threading.Event()

    def write() -> None:
        begun.set()
        with writing_lazily(open_engine(sqlite_url)):
            pass

    with ThreadPoolExecutor(1) as pool:
        with writing(engine):
            writer = pool.submit(write)
            assert begun.wait(LONG)
            time.sleep(0.05)
            assert not somebody_waits(engine)
        writer.result()
