"""What a process opens before it serves."""

import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from fake_openai import fake_openai
from services import RedisServer, redis_server
from world import ROOT, closed_ticket, world

from pipeline.ids import CustomerRef
from store import private_files
from store.engine import open_engine, reading
from store.erase import forget
from store.models import events
from store.states import Lane
from worker import house, publish
from worker.celery import QUEUES
from worker.doctor import examine
from worker.process import LONGEST_DELAY, delay
from worker.runtime import CannotStart, Runtime, master_key, open_runtime
from worker.settings import Settings, SettingsError, read_settings
from worker.supervisor import Supervisor


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return read_settings({"AFTERWORD_HOME": str(tmp_path), "AFTERWORD_EXTRACTOR": "rules"})


def test_a_missing_key_is_made_for_its_owner_alone_and_kept(settings: Settings) -> None:
    first = master_key(settings)
    assert len(first) == 32
    assert master_key(settings) == first
    assert (settings.home / "key").stat().st_mode & 0o777 == 0o600
    assert [path.name for path in settings.home.iterdir()] == ["key"]


def test_processes_that_start_together_agree_on_one_key(settings: Settings) -> None:
    with ThreadPoolExecutor(16) as pool:
        assert len(set(pool.map(lambda _: master_key(settings), range(64)))) == 1


@pytest.mark.parametrize("text", ["", "abc", "zz" * 32, "ab" * 31, "秘密"])
def test_a_damaged_key_file_is_one_clear_line_and_is_left_alone(settings: Settings, text: str) -> None:
    settings.home.mkdir(exist_ok=True)
    (settings.home / "key").write_text(text)
    with pytest.raises(SettingsError, match="want 64 hexadecimal digits; restore it"):
        master_key(settings)
    assert (settings.home / "key").read_text() == text


def test_a_given_key_needs_no_file(settings: Settings) -> None:
    assert master_key(replace(settings, key="ab" * 32)) == b"\xab" * 32
    assert not (settings.home / "key").exists()


def test_an_empty_database_is_made_ready(settings: Settings) -> None:
    runtime = open_runtime(settings)
    with reading(runtime.engine) as connection:
        assert connection.execute(events.select()).all() == []
    runtime.close()


def _modes(files: Iterable[Path]) -> dict[str, str]:
    return {path.name: oct(path.stat().st_mode & 0o777) for path in files}


@pytest.fixture
def open_to_all() -> Iterator[None]:
    """New files would be everybody's to read and write."""
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.mark.usefixtures("open_to_all")
def test_the_database_and_its_logs_are_made_for_their_owner_alone(settings: Settings) -> None:
    runtime = open_runtime(settings)
    found = _modes(settings.home.glob("afterword.db*"))
    runtime.close()
    assert {name: found[name] for name in ("afterword.db", "afterword.db-wal", "afterword.db-shm")} == {
        "afterword.db": "0o600",
        "afterword.db-wal": "0o600",
        "afterword.db-shm": "0o600",
    }


@pytest.mark.usefixtures("open_to_all")
def test_a_ledger_in_a_database_file_is_made_for_its_owner_alone(settings: Settings, tmp_path: Path) -> None:
    place = tmp_path / "apart.db"
    open_runtime(replace(settings, ledger=f"sqlite:///{place}")).close()
    assert _modes([place]) == {"apart.db": "0o600"}


@pytest.mark.usefixtures("open_to_all")
def test_what_a_program_prints_goes_into_a_file_for_its_owner_alone(tmp_path: Path) -> None:
    supervisor = Supervisor(tmp_path)
    supervisor.start("echo", ["true"], environ=dict(os.environ), grace=5)
    supervisor.stop()
    assert _modes([tmp_path / "echo.log"]) == {"echo.log": "0o600"}


def test_a_file_that_is_there_stays_as_its_owner_wants_it(tmp_path: Path) -> None:
    path = tmp_path / "given"
    path.write_text("kept")
    path.chmod(0o640)
    private_files.make(path)
    with open(path, "a", opener=private_files.opener) as file:
        file.write(" too")
    private_files.make(tmp_path / "nowhere" / "at all")
    assert (path.read_text(), _modes([path])) == ("kept too", {"given": "0o640"})


def test_doctor_warns_of_what_others_can_read(settings: Settings, tmp_path: Path) -> None:
    def said(runtime: Runtime) -> tuple[str, str]:
        return next((check.health.value, check.says) for check in examine(runtime) if check.name == "home")

    runtime = open_runtime(settings)
    database = settings.home / "afterword.db"
    database.chmod(0o644)
    assert said(runtime)[0] == "ok"  # nobody comes that far
    settings.home.chmod(0o755)
    health, says = said(runtime)
    runtime.close()
    assert (health, says.endswith("chmod 700")) == ("warn", True)
    elsewhere = tmp_path / "elsewhere"
    runtime = open_runtime(replace(settings, home=elsewhere, database_url=f"sqlite:///{database}", key="ab" * 32))
    assert said(runtime) == ("warn", f"{database} can be read by others: chmod 600")
    database.chmod(0o600)
    assert said(runtime)[0] == "ok"
    runtime.close()


def test_a_restored_backup_forgets_again_before_it_serves(settings: Settings) -> None:
    runtime = open_runtime(settings)
    answers = publish.enqueue_events(runtime, [closed_ticket("Hello there", customer="c-9")], now=datetime.now(UTC))
    runtime.close()
    backup = (settings.home / "afterword.db").read_bytes()
    runtime = open_runtime(settings)
    forget(
        runtime.engine,
        runtime.keys,
        runtime.ledger,
        CustomerRef(tenant="acme", customer="c-9"),
        rules=house.rules(runtime),
        actor="test",
        now=datetime.now(UTC),
    )
    runtime.close()
    for path in settings.home.glob("afterword.db*"):
        path.unlink()
    (settings.home / "afterword.db").write_bytes(backup)
    runtime = open_runtime(settings)
    with reading(runtime.engine) as connection:
        row = connection.execute(events.select().where(events.c.id == answers[0].row_id)).one()
    assert (row.state, row.customer, row.payload) == ("erased", None, None)
    runtime.close()


def test_a_lost_ledger_stops_the_start_with_one_line(settings: Settings) -> None:
    runtime = open_runtime(settings)
    forget(
        runtime.engine,
        runtime.keys,
        runtime.ledger,
        CustomerRef(tenant="acme", customer="c-9"),
        rules=house.rules(runtime),
        actor="test",
        now=datetime.now(UTC),
    )
    runtime.close()
    Path(settings.ledger_place).unlink()
    with pytest.raises(CannotStart, match="ledger is missing"):
        open_runtime(settings)


def test_a_database_that_cannot_be_opened_is_one_line(settings: Settings) -> None:
    with pytest.raises(CannotStart) as caught:
        open_runtime(replace(settings, database_url="sqlite:////nonexistent/folder/x.db"))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["catalogue", "policy"])
def test_a_file_that_is_not_there_is_named(settings: Settings, name: str) -> None:
    with pytest.raises(SettingsError, match=f"AFTERWORD_{name.upper()}: "):
        open_runtime(replace(settings, **{name: Path("/nonexistent.toml")}))


@pytest.mark.parametrize("words", [["worker"], ["beat"]])
def test_celery_says_a_wrong_setting_in_one_line_and_exits_2(words: list[str], tmp_path: Path) -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "celery", "-A", "worker", *words],
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT), "AFTERWORD_HOME": str(tmp_path), "AFTERWORD_REDIS": "x"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 2
    assert ended.stderr == "afterword: AFTERWORD_REDIS: no such setting; did you mean AFTERWORD_REDIS_URL?\n"


def test_a_delay_doubles_obeys_the_server_and_is_spread() -> None:
    assert all(1.0 <= delay(1) <= 2.0 for _ in range(100))
    assert all(4.0 <= delay(3) <= 8.0 for _ in range(100))
    assert all(LONGEST_DELAY / 2 <= delay(10**6) <= LONGEST_DELAY for _ in range(100))
    assert all(30.0 <= delay(1, 30.0) <= 36.0 for _ in range(100))
    assert len({delay(5) for _ in range(20)}) > 1


def test_what_the_queue_holds_is_not_published_twice(tmp_path: Path) -> None:
    with redis_server() as server, fake_openai() as model, world(tmp_path, server, model) as stage:
        stage.enqueue(*[closed_ticket("e-mail only", customer=f"c-{n}") for n in range(30)])
        make_due_again(stage.runtime.settings)
        assert len(publish.queued_ids(stage.runtime) or ()) == 30
        assert publish.sweep(stage.runtime) == 0
        assert server.client.llen(QUEUES[Lane.LIVE]) == 30
        lose(server)
        assert publish.sweep(stage.runtime) == 30


def make_due_again(settings: Settings) -> None:
    """As if `republish_seconds` had passed."""
    engine = open_engine(settings.database)
    with engine.connect().execution_options(afterword_writes=True) as connection, connection.begin():
        connection.execute(events.update().values(next_publish=datetime(2026, 1, 1, tzinfo=UTC)))
    engine.dispose()


def lose(server: RedisServer) -> None:
    server.client.flushall()


def test_nothing_is_published_while_no_model_is_configured(tmp_path: Path) -> None:
    with redis_server() as server, world(tmp_path, server, None) as stage:
        stage.enqueue(closed_ticket("e-mail only"))
        server.client.flushall()
        make_due_again(stage.runtime.settings)
        assert publish.sweep(stage.runtime) == 0
        assert stage.states() == {"pending": 1}
