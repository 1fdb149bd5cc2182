"""`afterword enqueue`: closed tickets from JSON Lines into the inbox."""

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import islice
from typing import Any, TextIO

import click

from pipeline.events import InvalidEvent, TicketClosed, parse_event
from pipeline.reasons import explained
from pipeline.wire import numbered_lines
from store.states import Lane, State
from worker.alive import why_tickets_wait
from worker.cli.exits import Exit, Stop
from worker.cli.opened import opened
from worker.cli.options import json_option
from worker.cli.output import emit, progress, say, warn
from worker.cli.values import SECONDS
from worker.runtime import Runtime
from worker.wording import counted

BATCH = 100
ENDED = frozenset({State.DONE, State.DEAD, State.ERASED})


@click.command()
@click.argument("file", type=click.File("r", encoding="utf-8", errors="replace"), default="-")
@click.option("--backfill", is_flag=True, help="Old tickets: today's go first.")
@click.option("--wait", is_flag=True, help="Wait until every one of them has ended.")
@click.option("--timeout", type=SECONDS, default=600.0, show_default=True, help="Seconds that --wait waits.")
@json_option
@click.pass_context
def enqueue(ctx: click.Context, file: TextIO, backfill: bool, wait: bool, timeout: float, as_json: bool) -> None:
    """Hand in closed tickets: FILE or standard input, one TicketClosed a line.

    A TicketClosed is a JSON object. Required: tenant, ticket_id, customer_id, closed_at (ISO 8601 with its offset) and
    messages, a list of objects with role (customer, agent, bot, system, internal_note) and text. Optional:
    event_id, language, customer_identifiers.

    Each line is answered: accepted, duplicate (known already: nothing happens), conflict (the same event id with other
    content: nothing happens) or invalid (each fault named by line and field). Exit 3 where some were conflict or
    invalid.

    --wait also says how they ended and why, by reason code: with --json as one last line, {"ended": [...]}.
    """
    from store.counts import ends_of

    with opened() as runtime:
        answers = Answers(as_json)
        for batch in _batches(file):
            answers.take(hand_in(runtime, batch, lane=Lane.BACKFILL if backfill else Lane.LIVE))
        answers.summary()
        if answers.count["accepted"] and (waits := why_tickets_wait(runtime)):
            warn(waits)
        if wait:
            wait_for(runtime, answers.row_ids, timeout=timeout)
            answers.ends(ends_of(runtime.engine, answers.row_ids))
        ctx.exit(Exit.PARTLY if answers.count["conflict"] or answers.count["invalid"] else Exit.DONE)


class Answers:
    """Prints one answer a line and counts them."""

    def __init__(self, as_json: bool) -> None:
        self.as_json = as_json
        self.count: Counter[str] = Counter()
        self.row_ids: list[str] = []

    def take(self, answers: Iterable[dict[str, Any]]) -> None:
        for answer in answers:
            row_id = answer.pop("row_id", None)
            self.row_ids += [row_id] if row_id else []
            self.count[answer["outcome"]] += 1
            if self.as_json:
                emit(answer)
            elif answer["outcome"] == "conflict":
                say(f"line {answer['line']}: conflict: event_id: this event id is known with other content")
            elif answer["outcome"] == "invalid":
                faults = "; ".join(f"{one['field']}: {one['problem']}" for one in answer["faults"])
                say(f"line {answer['line']}: invalid: {faults}")

    def summary(self) -> None:
        if not self.as_json:
            names = ("accepted", "duplicate", "conflict", "invalid")
            say("  ".join(f"{self.count[name]} {name}" for name in names))

    def ends(self, ended: Mapping[tuple[State, str | None], int]) -> None:
        """What became of the tickets, by state and reason."""
        rows = [
            {"state": state.value, "reason": reason, "tickets": number, "means": _meaning(state, reason)}
            for (state, reason), number in sorted(ended.items(), key=lambda item: (item[0][0], str(item[0][1])))
        ]
        if self.as_json:
            emit({"ended": rows})
            return
        for row in rows:
            why = (str(part) for part in (row["reason"], row["means"]) if part)
            say(f"{row['tickets']} {row['state']}: {': '.join(why)}")
        if any(row["state"] == State.DEAD for row in rows):
            say("look at the dead with `afterword events list --state dead`")


def _meaning(state: State, reason: str | None) -> str:
    """Why, in the README's words. An erased row has lost its reason."""
    return explained(reason) or ("its customer was forgotten: nothing of it is kept" if state is State.ERASED else "")


Numbered = tuple[int, TicketClosed | InvalidEvent]


def _batches(lines: Iterable[str]) -> Iterator[list[Numbered]]:
    numbered = numbered_lines(lines)
    while batch := list(islice(numbered, BATCH)):
        yield [(number, _read(line)) for number, line in batch]


def _read(line: str) -> TicketClosed | InvalidEvent:
    try:
        return parse_event(line, now=datetime.now(UTC))
    except InvalidEvent as error:
        return error


def hand_in(runtime: Runtime, batch: Sequence[Numbered], *, lane: Lane = Lane.LIVE) -> Iterator[dict[str, Any]]:
    """Takes a batch in with one commit, and answers each line in order."""
    from worker.publish import enqueue_events

    events = [event for _, event in batch if isinstance(event, TicketClosed)]
    accepted = iter(enqueue_events(runtime, events, lane=lane, now=datetime.now(UTC)))
    for number, event in batch:
        if isinstance(event, InvalidEvent):
            first = {"field": event.field, "problem": event.problem}
            yield {"line": number, "outcome": "invalid", **first, "faults": event.rows()}
        else:
            answer = next(accepted)
            yield {
                "line": number,
                "event_id": event.event_id,
                "outcome": answer.outcome.value,
                "state": answer.state.value,
                "row_id": answer.row_id,
            }


def wait_for(runtime: Runtime, row_ids: Sequence[str], *, timeout: float) -> None:
    """Returns when all rows have ended. Raises Stop after `timeout` seconds, or where nobody could end them: no model
    is configured here, and no worker, which may have one, is alive."""
    from store.counts import states_of

    row_ids = list(dict.fromkeys(row_ids))  # a line may repeat another's event
    deadline = time.monotonic() + timeout
    with progress(len(row_ids), "reading tickets") as bar:
        seen = 0
        while (ended := _ended(states_of(runtime.engine, row_ids))) < len(row_ids):
            bar.update(ended - seen)
            seen = ended
            if why_tickets_wait(runtime):
                raise Stop("not waiting: no model is configured here and no worker is alive, so nothing would end")
            if time.monotonic() > deadline:
                left = f"{len(row_ids) - ended} of {counted(len(row_ids), 'tickets')}"
                raise Stop(f"{left} still unfinished after {timeout:g} s: {HINT}")
            time.sleep(0.1)
        bar.update(len(row_ids) - seen)


HINT = "they are safe; `afterword doctor` says what holds them up"


def _ended(states: dict[str, State]) -> int:
    return sum(state in ENDED for state in states.values())
