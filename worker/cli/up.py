"""`afterword up`: everything on this machine."""

import signal
import threading
import time

import click

from worker.cli.enqueue import HINT
from worker.cli.exits import Stop
from worker.cli.opened import opened, settings
from worker.cli.output import say, warn
from worker.cli.values import SECONDS
from worker.runtime import Runtime
from worker.wording import counted

SETTLED = 3
"""How many looks in a row must find nothing left to do before `--until-idle` ends."""


@click.command()
@click.option("--until-idle", is_flag=True, help="End once no ticket waits or runs.")
@click.option("--timeout", type=SECONDS, default=0.0, help="Seconds after which --until-idle gives up; 0: never.")
def up(until_idle: bool, timeout: float) -> None:
    """Run what is missing on this machine, until Ctrl-C: Redis, workers, the quarantine worker, beat and HTTP door."""
    from worker.embedded import embedded

    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    with opened(settings()) as runtime:
        if waits := runtime.settings.model_configured:
            warn(waits)
        with embedded(runtime.settings, door=True) as services:
            if services.joined:
                raise Stop(f"another Afterword already runs for {runtime.settings.home}")
            names = ", ".join(sorted(services.pids().keys() - ({"door"} if services.door_fault else set())))
            if services.door_fault:
                warn(f"{services.door_fault}; the door is tried again, all else runs")
            elif "door" in services.pids():
                say(f"the door: http://{runtime.settings.http} (AFTERWORD_HTTP), the memory page at /memory")
            say(f"running: {names}; logs in {runtime.settings.home / 'run'}; Ctrl-C stops it all")
            if until_idle:
                _until_idle(runtime, stop, timeout)
            else:
                stop.wait()
        say("stopped")


def _until_idle(runtime: Runtime, stop: threading.Event, timeout: float) -> None:
    from store.counts import total

    deadline = time.monotonic() + timeout if timeout else None
    quiet = 0
    while quiet < SETTLED and not stop.wait(0.3):
        found = total(runtime.engine)
        quiet = quiet + 1 if found.pending + found.processing == 0 else 0
        if deadline and time.monotonic() > deadline:
            left = counted(found.pending + found.processing, "tickets")
            raise Stop(f"{left} still unfinished after {timeout:g} s: {HINT}")
