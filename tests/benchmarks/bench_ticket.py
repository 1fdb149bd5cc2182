"""What one ticket of 20 messages costs beside the model: against a server on loopback that answers at once."""

import multiprocessing
import resource
import statistics
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from multiprocessing.connection import Connection
from pathlib import Path

import pytest
from fake_openai import FakeOpenAI
from world import closed_ticket

from pipeline.events import TicketClosed
from pipeline.mask import masked
from pipeline.prompt import prompt_messages
from worker.extractors import tokens_of
from worker.process import Ended, process
from worker.publish import inbox
from worker.runtime import Runtime, open_runtime
from worker.settings import read_settings

ROUNDS = 100
TALK = (
    ("customer", "Hi, our nightly export fails with E1042 since Monday, order 77120 is affected as well."),
    ("agent", "Sorry to hear that. Could you tell me which runtime you use, and whether the retries are on?"),
    ("customer", "We run Bun in production. Please contact me by e-mail only, do not call, I am in meetings all day."),
    ("agent", "Noted. I can see three failed runs on 2026-02-27, each ended after about 90 seconds with a timeout."),
    ("customer", "Yes, the third one is the one that matters: invoices for 240 clinics hang on that file."),
    ("agent", "Understood. Has anything changed on your side last week, a proxy perhaps or a new region?"),
    ("customer", "We moved from Heroku to Fly.io on Thursday. The container has 512 MB now, it had 1 GB before."),
    ("agent", "That may be it. The export needs about 700 MB for a file of your size, going by the last one."),
    ("customer", "Ah. Then the 429s in our log are only retries of the same job, and not a limit of yours?"),
    ("agent", "Correct, your account is far from its limits. The job retries every 5 minutes, 12 times in all."),
    ("customer", "Can you start it by hand once I have raised the memory? Our window closes at 6 pm, Berlin time."),
    ("agent", "Sure. Please tell me when the new container is up, and I shall start the export right away."),
    ("customer", "It is up: version 3.14.2, 1 GB, two instances. The health check is green since 15:40."),
    ("agent", "Started. It reads 1,200 rows a second at the moment, so it should be through in six minutes or so."),
    ("customer", "Looks good so far. While we wait: we would like reports as CSV and not as PDF from now on."),
    ("agent", "I have put that down. The monthly summary still comes as PDF, the eleven other reports as CSV."),
    ("customer", "Fine with me. Our finance team works in German, if the columns could be labelled that way."),
    ("agent", "Labels follow the language of the workspace; an admin can set it under Settings, Region."),
    ("customer", "Found it, thanks. And the export has arrived, 48.3 MB, all 240 clinics are in it."),
    ("agent", "Great, then I close this ticket. You will get a short summary of it by e-mail within the hour."),
)


def ticket(number: int) -> TicketClosed:
    messages = [{"role": role, "text": text} for role, text in TALK]
    return closed_ticket(customer=f"c-{number}", messages=messages)


def serve(answers: Connection) -> None:
    server = FakeOpenAI()
    answers.send(server.url)
    answers.recv()
    server.close()


@pytest.fixture
def model_url() -> Iterator[str]:
    """The model in a process of its own, so that its CPU is not counted as ours."""
    ours, theirs = multiprocessing.Pipe()
    server = multiprocessing.get_context("spawn").Process(target=serve, args=(theirs,), daemon=True)
    server.start()
    yield ours.recv()
    ours.send("stop")
    server.join(5)


@pytest.fixture
def runtime(tmp_path: Path, model_url: str, database_url: str) -> Iterator[Runtime]:
    given = {"HOME": str(tmp_path), "DATABASE_URL": database_url, "KEY": "ab" * 32, "MODEL": "fake"}
    environ = {f"AFTERWORD_{name}": text for name, text in given.items()}
    opened = open_runtime(read_settings(environ | {"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": model_url}))
    yield opened
    opened.close()


def cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


@pytest.mark.bench
def test_overhead_of_one_ticket(runtime: Runtime) -> None:
    rows = [a.row_id for a in inbox.accept(runtime.engine, runtime.keys, tickets(), now=datetime.now(UTC))]
    for row_id in rows[:5]:
        assert process(runtime, row_id) is Ended.DONE  # imports, connections, compiled patterns
    walls = []
    before = cpu()
    for row_id in rows[5:]:
        started = time.perf_counter()
        assert process(runtime, row_id) is Ended.DONE
        walls.append((time.perf_counter() - started) * 1000)
    used = (cpu() - before) * 1000 / len(walls)
    transcript = masked(ticket(0))
    client = client_cpu(runtime)
    table(
        runtime.engine.dialect.name,
        {
            "CPU a ticket, ms": f"{used:.1f}",
            "of which model client, ms": f"{client:.1f}",
            "wall a ticket, ms (median)": f"{statistics.median(walls):.1f}",
            "wall a ticket, ms (95 %)": f"{statistics.quantiles(walls, n=20)[-1]:.1f}",
            "prompt tokens (estimated)": str(tokens_of(prompt_messages(transcript, catalogue=runtime.catalogue))),
            "of which the ticket": str(
                tokens_of(prompt_messages(transcript, catalogue=runtime.catalogue))
                - tokens_of(prompt_messages(transcript.part(0, 0), catalogue=runtime.catalogue))
            ),
        },
    )


def tickets() -> list[TicketClosed]:
    return [ticket(number) for number in range(ROUNDS + 5)]


def client_cpu(runtime: Runtime) -> float:
    """CPU of asking alone, with nothing masked, judged or written."""
    from worker.outcomes import Deadline

    transcript = masked(ticket(0))
    before = cpu()
    for _ in range(50):
        runtime.extractor.propose(transcript, live_keys=(), timezone=None, deadline=Deadline(30))
    return (cpu() - before) * 1000 / 50


def table(title: str, rows: dict[str, str]) -> None:
    width = max(len(name) for name in rows)
    print(f"\none ticket of 20 messages, {title}")  # noqa: T201
    for name, value in rows.items():
        print(f"  {name:<{width}}  {value:>8}")  # noqa: T201
