"""Programs that are started, watched, started again, and stopped: nothing outlives the process that started it."""

import logging
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from store.private_files import opener

RESTART_AFTER = 1.0
HEALTHY_AFTER = 30.0
"""A program that stayed up for this long is started again without a growing pause."""
LONGEST_PAUSE = 30.0
MAX_LOG_BYTES = 10_000_000
log = logging.getLogger("worker.supervisor")


class EmbeddedError(Exception):
    """A service could not be started. One line: which, and what to do."""

    for_people = True


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
        with open(self.log_of(name), "ab", opener=opener) as output:
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
