"""`afterword extract`: what is proposed for a ticket, and what each gate says. Writes nothing."""

from datetime import UTC, datetime
from typing import Any, TextIO

import click

from worker.cli.exits import Exit, Stop
from worker.cli.opened import opened
from worker.cli.options import json_option
from worker.cli.output import emit, say, show, warn
from worker.demo import read_lines

COLUMNS = ("decision", "reason", "kind", "key", "value", "words")


@click.command()
@click.argument("file", type=click.File("r", encoding="utf-8", errors="replace"), default="-")
@json_option
@click.pass_context
def extract(ctx: click.Context, file: TextIO, as_json: bool) -> None:
    """Show what a model proposes for each ticket in FILE and what each gate says of it. Writes nothing.

    FILE holds TicketClosed lines or bare dialogues. Each line costs one model call.
    """
    from pipeline.events import TicketClosed
    from worker.client import extract as read_ticket
    from worker.process import Read

    invalid, faults = 0, 0
    moment = datetime.now(UTC)
    with opened() as runtime:
        if waits := runtime.settings.model_configured:
            raise Stop(waits)
        if runtime.settings.extractor == "rules":
            warn(f"extractor: {runtime.extractor.name}")
        for line in read_lines(file, closed_at=moment, now=moment):
            if not isinstance(line.event, TicketClosed):
                invalid += 1
                warn(f"line {line.number}: invalid: {line.error}")
                continue
            found = read_ticket(line.event, using=runtime)
            if isinstance(found, Read):
                _answer(line.event.ticket_id, found, runtime.extractor.name, as_json)
            else:
                faults += 1
                warn(f"line {line.number}: {found.reason.value}: {found.reason.explain}")
    ctx.exit(Exit.FAILED if faults else Exit.PARTLY if invalid else Exit.DONE)


def _answer(ticket: str, found: Any, extractor: str, as_json: bool) -> None:
    rows = [_row(one) for one in found.judged]
    if as_json:
        cost = {"calls": found.proposal.calls, "prompt_tokens": found.proposal.prompt_tokens}
        emit({"ticket": ticket, "extractor": extractor, "reason": found.reason.value, **cost, "candidates": rows})
        return
    say(f"{ticket}: {found.reason.explain}" if not rows else f"{ticket}:")
    show(rows, COLUMNS, as_json=False, empty="  nothing was proposed")


def _row(one: Any) -> dict[str, Any]:
    """A candidate as it would be stored, and the verdict. The model has only seen masked text, so it may be shown."""
    passed = one.verdict.passed
    candidate = one.candidate
    return {
        "decision": "pass" if passed else "refuse",
        "reason": None if passed else one.verdict.reason.value,
        "kind": candidate.kind,
        "key": candidate.key,
        "value": "(ended)" if candidate.ended else candidate.value,
        "words": " … ".join(quote.text for quote in candidate.quotes),
    }
