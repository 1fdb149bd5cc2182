"""A small world for the tests of the worker: a home, a Redis, a model server, and real worker processes."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

from fake_openai import FakeOpenAI
from services import RedisServer
from sqlalchemy import func, select

from pipeline.events import TicketClosed, validated_event
from store.engine import reading
from store.inbox import Accepted
from store.models import audit, events, facts, observations
from worker.publish import enqueue_events
from worker.runtime import Runtime, open_runtime
from worker.settings import read_settings

ROOT = Path(__file__).parent.parent
CLOSED = datetime(2026, 3, 2, 9, tzinfo=UTC)


def closed_ticket(*texts: str, tenant: str = "acme", customer: str = "c-1", **given: Any) -> TicketClosed:
    """A ticket of customer messages."""
    ticket = given.pop("ticket_id", uuid4().hex[:8])
    raw = {
        "tenant": tenant,
        "ticket_id": ticket,
        "customer_id": customer,
        "closed_at": CLOSED.isoformat(),
        "messages": [{"role": "customer", "text": text} for text in texts],
        "language": "en",
    }
    return validated_event(raw | given, now=datetime.now(UTC))


@dataclass(kw_only=True)
class World:
    """Where a test's processes live. `environ` is what they are started with."""

    home: Path
    redis: RedisServer
    model: FakeOpenAI | None
    environ: dict[str, str]
    python_path: tuple[Path, ...] = (ROOT,)
    processes: list[subprocess.Popen[bytes]] = field(default_factory=list)
    closed: bool = False
    _runtime: Runtime | None = None

    @property
    def runtime(self) -> Runtime:
        if self._runtime is None:
            self._runtime = open_runtime(read_settings(self.environ))
        return self._runtime

    def start(self, *words: str, **environ: str) -> subprocess.Popen[bytes]:
        """`celery -A worker WORDS` as a process of its own; its output goes to HOME/NAME.log."""
        log = self.home / f"process-{len(self.processes)}.log"
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("AFTERWORD_", "OPENAI_"))}
        path = os.pathsep.join(filter(None, [*map(str, self.python_path), kept.get("PYTHONPATH", "")]))
        with log.open("ab") as output:
            process = subprocess.Popen(
                [sys.executable, "-m", "celery", "-A", "worker", *words],
                env=kept | self.environ | environ | {"PYTHONPATH": path},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                cwd=self.home,
                start_new_session=True,
            )
        self.processes.append(process)
        return process

    def start_worker(self, name: str = "w", *words: str, **environ: str) -> subprocess.Popen[bytes]:
        """A worker that has said it is ready."""
        process = self.start("worker", "--without-gossip", "--without-mingle", "-n", f"{name}@%h", *words, **environ)
        number = len(self.processes) - 1
        self.until(lambda: "ready." in self.log(number) or process.poll() is not None, what="worker ready")
        assert process.poll() is None, self.log(number)
        return process

    def log(self, number: int) -> str:
        return (self.home / f"process-{number}.log").read_text("utf-8", "replace")

    def logs(self) -> str:
        return "".join(path.read_text("utf-8", "replace") for path in self.home.rglob("*.log"))

    def enqueue(self, *tickets: TicketClosed) -> tuple[Accepted, ...]:
        return enqueue_events(self.runtime, tickets, now=datetime.now(UTC))

    def row(self, row_id: str) -> Any:
        with reading(self.runtime.engine) as connection:
            return connection.execute(select(events).where(events.c.id == row_id)).one()

    def state(self, row_id: str) -> tuple[str, str | None]:
        row = self.row(row_id)
        return row.state, row.reason

    def states(self) -> dict[str, int]:
        with reading(self.runtime.engine) as connection:
            query = select(events.c.state, func.count()).group_by(events.c.state)
            return {row.state: row[1] for row in connection.execute(query)}

    def until_ended(self, row_id: str, *, within: float = 30) -> tuple[str, str | None]:
        self.until(lambda: self.state(row_id)[0] in ("done", "dead"), within=within, what=f"the end of {row_id}")
        return self.state(row_id)

    def live(self) -> list[tuple[str, str]]:
        """(key, value) of every live fact."""
        with reading(self.runtime.engine) as connection:
            query = select(facts.c.key, facts.c.value).where(facts.c.recorded_to.is_(None), facts.c.valid_to.is_(None))
            return sorted((row.key, row.value) for row in connection.execute(query))

    def count(self, table: Any) -> int:
        with reading(self.runtime.engine) as connection:
            return int(connection.execute(select(func.count()).select_from(table)).scalar_one())

    def audited(self, row_id: str) -> list[tuple[str, str]]:
        """(outcome, reason) of every audit line about this event."""
        with reading(self.runtime.engine) as connection:
            query = select(audit.c.outcome, audit.c.reason).where(audit.c.event == row_id).order_by(audit.c.id)
            return [(row.outcome, row.reason) for row in connection.execute(query)]

    def observed(self) -> int:
        return self.count(observations)

    def until(self, condition: Callable[[], Any], *, within: float = 30, what: str = "it") -> None:
        deadline = time.monotonic() + within
        while not condition():
            assert time.monotonic() < deadline, f"waited {within} s for {what}\n{self.logs()[-4000:]}"
            time.sleep(0.05)

    def close(self) -> None:
        self.closed = True
        for process in self.processes:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        if self._runtime:
            self._runtime.close()


@contextmanager
def world(
    home: Path, redis: RedisServer, model: FakeOpenAI | None, *, database_url: str = "", **given: str
) -> Iterator[World]:
    """A world with fast beats. `given` are further settings, without their prefix: `lease="5"`."""
    usual = {
        "home": str(home),
        "redis_url": redis.url,
        "key": "ab" * 32,
        "sweep_seconds": "0.5",
        "republish_seconds": "2",
        "concurrency": "8",
        "model": "fake",
        "model_timeout": "10",
    }
    usual |= {"database_url": database_url} if database_url else {}
    environ = {f"AFTERWORD_{name.upper()}": value for name, value in (usual | given).items()}
    if model:
        environ |= {"OPENAI_API_KEY": "test", "OPENAI_BASE_URL": model.url}
    made = World(home=home, redis=redis, model=model, environ=environ)
    try:
        yield made
    finally:
        made.close()
