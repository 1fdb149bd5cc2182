"""Where a fault happens: a Redis, a database, a model and real workers, all of which may be killed, cut and frozen.

Workers and beat are started by the very commands that the README names, and started again when they exit, as the README
asks of whoever runs them.
"""

import base64
import os
import re
import shlex
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import redis
from faults.model import Model
from faults.proxy import Proxy
from faults.reckoning import Happened, violations
from services import PostgresServer, RedisServer
from sqlalchemy.engine import make_url
from world import ROOT, World, closed_ticket, world

from pipeline.events import TicketClosed
from store.faults import StoreError

CANARY = "Quetzalcoatl"
PLUG = Path(__file__).parent / "plug"
SHORT = {"lease": "8", "deadline": "6", "model_timeout": "4", "drain_seconds": "2", "liveness_seconds": "8"}
"""Times that a test can wait for."""
PHRASES = ("Please e-mail only", "Please call me", "We run Bun", "My export fails with E1042", "We run Deno")


def readme_commands() -> list[list[str]]:
    """What `celery -A worker` is started with, row by row of the README's table: worker, quarantine, beat."""
    rows = re.findall(r"^\| `celery -A worker (.+?)` \|", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE)
    return [shlex.split(row) for row in rows]


WORKER, QUARANTINE, BEAT = readme_commands()


def some_tickets(count: int, *, customers: int = 6, hours_ago: int = 0, first: int = 0) -> list[TicketClosed]:
    """Tickets until now, or so many hours ago, a minute apart. Some contradict earlier ones of the same customer."""
    last = datetime.now(UTC).replace(microsecond=0) - timedelta(hours=hours_ago)
    return [
        closed_ticket(
            f"{PHRASES[n % len(PHRASES)]}. Ticket n{n}, says {CANARY}.",
            ticket_id=f"n{n}",
            tenant=f"tenant-{n % 2}",
            customer=f"c-{n * 7 % customers}",
            closed_at=(last - timedelta(minutes=first + count - n)).isoformat(),
        )
        for n in range(first, first + count)
    ]


@dataclass
class Program:
    """One of our programs: how it is started, and what runs of it."""

    words: list[str]
    process: subprocess.Popen[bytes]
    plugged: bool
    deaths: list[int] = field(default_factory=list)


@dataclass(kw_only=True)
class Stage:
    """One run. Its proxies stand before Redis and, where it is PostgreSQL, the database."""

    folder: Path
    world: World
    model: Model
    redis: RedisServer
    to_redis: Proxy
    to_database: Proxy | None
    postgres: PostgresServer | None
    direct_url: str
    plug: str
    programs: dict[str, Program] = field(default_factory=dict)
    accepted: dict[str, TicketClosed] = field(default_factory=dict)
    said_to_redis: list[str] = field(default_factory=list)

    # --- programs -----------------------------------------------------------------------------------------------------

    def start(self, name: str, words: list[str], *, plugged: bool = True, **environ: str) -> Program:
        """Starts a program, or starts it again."""
        fault = {"FAULT": self.plug if plugged else "", "FAULT_FOLDER": str(self.folder)}
        self.programs[name] = Program(words, self.world.start(*words, **fault, **environ), plugged)
        return self.programs[name]

    def start_workers(self, names: Sequence[str] = ("one",)) -> None:
        """Starts workers and waits until all are ready."""
        for name in names:
            words = QUARANTINE if name == "quarantine" else [*WORKER, "-n", f"{name}@%h"]
            self.start(name, words)
        for name in names:
            number = self.world.processes.index(self.programs[name].process)
            self.until(lambda n=number: "ready." in self.world.log(n), within=60, what=f"worker {name}")  # type: ignore[misc]

    def look_after(self) -> None:
        """Starts again what has exited."""
        for program in self.programs.values():
            code = program.process.poll()
            if code is not None:
                program.deaths.append(code)
                fault = {"FAULT": self.plug if program.plugged else "", "FAULT_FOLDER": str(self.folder)}
                program.process = self.world.start(*program.words, **fault)

    def signal(self, name: str, number: signal.Signals) -> None:
        process = self.programs[name].process
        if process.poll() is None:
            os.killpg(process.pid, number)

    def deaths(self) -> int:
        return sum(len(program.deaths) for program in self.programs.values())

    # --- time ---------------------------------------------------------------------------------------------------------

    def wait(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.look_after()
            time.sleep(0.1)

    def until(self, condition: Callable[[], object], *, within: float = 40, what: str = "it") -> None:
        def looked_after() -> object:
            self.look_after()
            return condition()

        self.world.until(looked_after, within=within, what=what)

    def settled(self) -> bool:
        """Everything has come to an end. A database that does not answer says nothing."""
        try:
            return set(self.world.states()) <= {"done", "dead", "erased"}
        except StoreError:
            return False

    def ended(self) -> int:
        """How many tickets have; 0 while the database does not answer."""
        try:
            found = self.world.states()
        except StoreError:
            return 0
        return sum(found.get(state, 0) for state in ("done", "dead", "erased"))

    def settle(self, *, within: float = 120) -> None:
        self.until(self.settled, within=within, what="every ticket's end")

    def mend(self) -> None:
        """Whatever was cut, killed or frozen is there again."""
        for proxy in filter(None, (self.to_redis, self.to_database)):
            proxy.mend()
        for name in self.programs:
            self.signal(name, signal.SIGCONT)

    # --- tickets ------------------------------------------------------------------------------------------------------

    @contextmanager
    def producing(self, tickets: Sequence[TicketClosed], *, every: float = 0.25, batch: int = 3) -> Iterator[None]:
        """Hands tickets in, some at a time, and again where they were not taken, as a helpdesk does. All are in when
        the block has ended."""
        with ThreadPoolExecutor(1) as pool:
            producer = pool.submit(self._produce, tickets, every, batch)
            yield
            self.until(producer.done, within=60, what="the producer")
            producer.result()

    def _produce(self, tickets: Sequence[TicketClosed], every: float, batch: int) -> None:
        for start in range(0, len(tickets), batch):
            self.take(tickets[start : start + batch])
            time.sleep(every)

    def take(self, tickets: Sequence[TicketClosed]) -> list[str]:
        """Hands in until taken. Returns the rows."""
        while True:
            try:
                answers = self.world.enqueue(*tickets)
            except StoreError:
                time.sleep(0.2)
                continue
            rows = [answer.row_id for answer in answers]
            self.accepted |= dict(zip(rows, tickets, strict=True))
            return rows

    def called(self, count: int = 3) -> None:
        """Waits until the model has been asked that often."""
        self.until(lambda: self.model.calls.total() >= count, what=f"{count} model calls")

    # --- the reckoning ------------------------------------------------------------------------------------------------

    def violations(self) -> list[str]:
        calls = self.model.calls
        happened = Happened(
            accepted=self.accepted,
            calls={row_id: calls[ticket.ticket_id] for row_id, ticket in self.accepted.items()},
            logs=self.world.logs(),
            redis=readable("\n".join([*self.said_to_redis, everything_in(self.redis)])),
            canary=CANARY,
        )
        return violations(self.world.runtime.engine, happened, self.folder)

    def dead(self) -> set[str]:
        """Reasons of what is dead."""
        rows = [self.world.state(row_id) for row_id in list(self.accepted)]
        return {str(reason) for state, reason in rows if state == "dead"}

    def listen(self) -> None:
        """Notes all that is said to Redis, as often as it comes up."""
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        while not self.world.closed:
            try:
                with self.redis.client.monitor() as monitor:
                    for command in monitor.listen():
                        self.said_to_redis.append(str(command["command"]))
            except (redis.RedisError, OSError, ValueError):
                time.sleep(0.05)


def everything_in(server: RedisServer) -> str:
    return "\n".join(f"{key!r} {server.client.dump(key)!r}" for key in server.client.scan_iter())


def readable(said: str) -> str:
    """With the base64 bodies of messages decoded beside them."""
    found = re.findall(r'"body"\s*:\s*"([A-Za-z0-9+/=]+)"', said.replace("\\", ""))
    return "\n".join([said, *(base64.b64decode(body + "==").decode("utf-8", "replace") for body in found)])


@contextmanager
def staged(
    folder: Path,
    redis_server: RedisServer,
    model: Model,
    url: str,
    postgres: PostgresServer | None,
    *,
    plug: str = "",
    **settings: str,
) -> Iterator[Stage]:
    """A stage on a fresh database, with nothing started yet."""
    home = folder / "home"
    home.mkdir()
    to_redis = Proxy(("127.0.0.1", redis_server.port))
    to_database = Proxy(postgres.socket) if postgres else None
    through = Broker(redis_server, to_redis)
    given = {"embedder": "none", "database_url": _through(url, to_database), **SHORT, **settings}
    with world(home, through, model, **given) as made:  # type: ignore[arg-type]
        made.python_path = (PLUG, ROOT)
        _ = made.runtime  # opened while all is well
        stage = Stage(
            folder=folder,
            world=made,
            model=model,
            redis=redis_server,
            to_redis=to_redis,
            to_database=to_database,
            postgres=postgres,
            direct_url=url,
            plug=plug,
        )
        stage.listen()
        try:
            yield stage
        finally:
            made.close()
            for proxy in filter(None, (to_redis, to_database)):
                proxy.close()


@dataclass(frozen=True)
class Broker:
    """A Redis as the world knows it, behind its proxy."""

    server: RedisServer
    proxy: Proxy

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.proxy.port}/0"

    @property
    def client(self) -> "redis.Redis":
        return self.server.client


def _through(url: str, proxy: Proxy | None) -> str:
    if proxy is None:
        return url
    parsed = make_url(url).set(host="127.0.0.1", port=proxy.port, query={})
    return parsed.render_as_string(hide_password=False)
