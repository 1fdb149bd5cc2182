"""`afterword demo`: the whole way, on an embedded default, with nothing to set up."""

import signal
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from itertools import islice
from typing import Any, TextIO

import click

from worker import demo as tale
from worker import house
from worker.cli.enqueue import BATCH, hand_in, wait_for
from worker.cli.exits import Exit, Stop
from worker.cli.narrate import Narrator
from worker.cli.opened import opened, settings
from worker.cli.options import json_option, now
from worker.cli.output import say, warn
from worker.cli.values import SECONDS
from worker.runtime import Runtime
from worker.settings import Settings

ACTOR = "demo"
STARTED = "demo-started"
"""Under HOME: when the demonstration first ran here. Its tickets' times count from then, so that they stay the same."""


@click.command()
@click.argument("file", type=click.File("r", encoding="utf-8", errors="replace"), required=False)
@click.option("--timeout", type=SECONDS, default=300.0, show_default=True, help="Seconds to wait for tickets to end.")
@json_option
@click.pass_context
def demo(ctx: click.Context, file: TextIO | None, timeout: float, as_json: bool) -> None:
    """Run sample tickets, or the tickets or dialogues in FILE, through real queue, worker and database.

    Starts what is missing (Redis, workers, beat) and stops it again. Without OPENAI_API_KEY or OPENAI_BASE_URL the
    offline rules read the tickets: they find little. State is kept under AFTERWORD_HOME, and one customer stays
    remembered, so that `afterword recall --tenant demo --customer maria` has something to show.
    """
    from worker.embedded import embedded

    signal.signal(signal.SIGTERM, _interrupted)
    chosen = _with_extractor(settings(), as_json)
    with opened(chosen):
        pass  # the schema is there before any worker looks for it
    with embedded(chosen) as services, opened(services.settings) as runtime:
        run = Run(runtime=runtime, timeout=timeout, narrator=Narrator(runtime, as_json))
        run.file(file) if file else run.story()
        run.summary()
        ctx.exit(Exit.PARTLY if run.outcomes["conflict"] or run.outcomes["invalid"] else Exit.DONE)


def _interrupted(*_: object) -> None:
    raise KeyboardInterrupt


def _with_extractor(read: Settings, as_json: bool) -> Settings:
    chosen = replace(read, extractor="rules") if read.model_configured else read
    if chosen.extractor == "rules":
        from worker.extractors import RULES_NAME

        warn(f"no model: tickets are read by {RULES_NAME}; set OPENAI_API_KEY to see what a model finds")
    elif not as_json:
        say(f"extractor: {chosen.model}")
    return chosen


@dataclass
class Run:
    """One demonstration, and what it adds up to."""

    runtime: Runtime
    timeout: float
    narrator: Narrator
    outcomes: Counter[str] = field(default_factory=Counter)
    row_ids: list[str] = field(default_factory=list)

    # --- the story ----------------------------------------------------------------------------------------------------

    def story(self) -> None:
        for number, step in enumerate(tale.load_story(started=started(self.runtime.settings)), start=1):
            self.narrator.title(number, step.title)
            self._tell(step)

    def _tell(self, step: tale.Step) -> None:
        match step:
            case tale.Ticket():
                self._hand_in([(1, step.event)])
                self.narrator.ticket(step.event, self.row_ids[-1])
            case tale.Statement():
                self._state(step)
            case tale.Forget():
                self._forget(step)
            case tale.Purge():
                self.narrator.purged(house.purge_report(self.runtime, now=now()))
            case tale.Recall():
                self._recall(step)

    def _state(self, step: tale.Statement) -> None:
        from pipeline.statement import checked_statement
        from store.statements import Stating, remember
        from worker.terms import terms_of

        fields = {name: value for name, value in asdict(step).items() if name not in ("title", "ref", "observed_at")}
        whose = {"tenant": step.ref.tenant, "customer": step.ref.customer}
        statement = checked_statement({**whose, **fields, "observed_at": step.observed_at.isoformat()})
        stating = Stating(now=now(), actor=ACTOR, has_transcript=True)
        done = remember(
            self.runtime.engine, self.runtime.keys, statement, terms=terms_of(self.runtime), stating=stating
        )
        self.narrator.statement(step, done)

    def _forget(self, step: tale.Forget) -> None:
        from store.erase import forget

        done = forget(
            self.runtime.engine,
            self.runtime.keys,
            self.runtime.ledger,
            step.ref,
            rules=house.rules(self.runtime, step.ref.tenant),
            actor=ACTOR,
            now=now(),
        )
        self.narrator.forgotten(step.ref, done)

    def _recall(self, step: tale.Recall) -> None:
        from worker.recalling import recall

        self.narrator.recalled(step.ref, recall(self.runtime, step.ref, actor=ACTOR))

    # --- a file -------------------------------------------------------------------------------------------------------

    def file(self, lines: Iterable[str]) -> None:
        read = tale.read_lines(lines, closed_at=started(self.runtime.settings), now=now())
        for batch in _batches(read):
            self._hand_in([(line.number, line.event or line.error) for line in batch], wait=False)
        wait_for(self.runtime, self.row_ids, timeout=self.timeout)
        self.narrator.decisions(self.row_ids)

    def _hand_in(self, batch: list[Any], *, wait: bool = True) -> None:
        for answer in hand_in(self.runtime, batch):
            self.outcomes[answer["outcome"]] += 1
            row_id = answer.pop("row_id", None)
            self.row_ids += [row_id] if row_id else []
            self.narrator.answered(answer)
        if wait:
            wait_for(self.runtime, self.row_ids[-1:], timeout=self.timeout)

    def summary(self) -> None:
        """In numbers that reconcile: every ticket of this run that is in the inbox has ended in one of three ways."""
        from store.counts import states_of

        states = Counter(state.value for state in states_of(self.runtime.engine, self.row_ids).values())
        accepted = len(set(self.row_ids))
        self.narrator.summary(
            {
                "events": {"accepted": accepted, **{name: states[name] for name in ("done", "dead", "erased")}},
                "lines": dict(self.outcomes),
                "extractor": self.runtime.extractor.name,
            }
        )
        if accepted != states["done"] + states["dead"] + states["erased"]:
            raise Stop("the counts do not reconcile: please report this")


def _batches(lines: Iterator[tale.Line]) -> Iterator[list[tale.Line]]:
    while batch := list(islice(lines, BATCH)):
        yield batch


def started(read: Settings) -> datetime:
    """When the demonstration first ran for this HOME; noted there at the first call."""
    path = read.home / STARTED
    try:
        return datetime.fromisoformat(path.read_text("ascii").strip())
    except (OSError, ValueError):
        moment = datetime.now(UTC).replace(microsecond=0)
        path.write_text(moment.isoformat(), "ascii")
        return moment
