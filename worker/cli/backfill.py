"""`afterword backfill`: thousands of old tickets, as a batch file at half price or behind today's tickets."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pipeline.events import InvalidEvent, TicketClosed, parse_event
from pipeline.wire import numbered_lines
from store.states import Lane
from worker import batch_files
from worker.alive import why_tickets_wait
from worker.cli.cost import ceiling_option, price_option
from worker.cli.exits import Exit, Stop
from worker.cli.opened import opened
from worker.cli.options import json_option, now
from worker.cli.output import emit, progress, say, warn
from worker.cli.values import COUNT, OutFile
from worker.runtime import Runtime
from worker.wording import counted

if TYPE_CHECKING:
    from worker.backfill import Applied, Ticket
    from worker.batch import Asked
    from worker.cost import Estimate
    from worker.evaluation.recorded import Recording

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
AT_ONCE = 100
BATCH_LIMIT = 50_000
"""Requests that the Batch API takes in one file."""


@click.command()
@click.argument("file", type=FILE)
@click.option(
    "--requests", "requests_to", type=OutFile(), help="Write the model calls as a batch file; remember nothing."
)
@click.option("--replies", type=FILE, help="Remember what the replies of a batch file say.")
@click.option("--asked", type=FILE, help="The requests that --replies answers. Default: those written here.")
@price_option
@ceiling_option
@click.option("--limit", type=COUNT, help="At most so many tickets; run it again for the rest.")
@click.option("--yes", is_flag=True, help="Hand in live without a --max-cost. With neither, only the cost is said.")
@json_option
@click.pass_context
def backfill(
    ctx: click.Context,
    /,
    file: Path,
    requests_to: Path | None,
    replies: Path | None,
    asked: Path | None,
    price: tuple[float, float] | None,
    max_cost: float | None,
    limit: int | None,
    yes: bool,
    as_json: bool,
) -> None:
    """Read old tickets: FILE holds one TicketClosed a line. Facts count from when their ticket closed.

    --requests writes a batch file, --replies takes the answered one; both at half the price of live calls, and at
    once. Without them the tickets go through the backfill lane, behind today's, once --max-cost or --yes says that the
    money may be spent. What it costs is estimated first; what the inbox holds already is skipped, so a run that was
    stopped goes on.
    """
    with opened() as runtime:
        batch_files.expire(runtime.settings, now=now())
        work = _Work(runtime, as_json, price, max_cost)
        of = work.tickets(file)
        if replies:
            ctx.exit(work.take(of, replies, asked))
        todo = work.unknown(of)[:limit]
        if requests_to:
            ctx.exit(work.write(todo, requests_to))
        ctx.exit(work.hand_in(todo, go=yes or max_cost is not None))


class _Work:
    """One call of the verb."""

    def __init__(
        self, runtime: Runtime, as_json: bool, price: tuple[float, float] | None, ceiling: float | None
    ) -> None:
        from worker.cost import price_of

        self._runtime = runtime
        self._as_json = as_json
        self._price = price_of(runtime.settings.model, price)
        self._ceiling = ceiling
        self._invalid = 0

    def tickets(self, file: Path) -> "list[Ticket]":
        from worker.backfill import tickets

        return tickets(self._runtime, self._events(file))

    def _events(self, file: Path) -> Iterator[TicketClosed]:
        with file.open(encoding="utf-8", errors="replace") as lines:
            for number, line in numbered_lines(lines):
                try:
                    yield parse_event(line, now=now())
                except InvalidEvent as error:
                    self._invalid += 1
                    warn(f"{file}: line {number}: {error}")

    def unknown(self, of: "list[Ticket]") -> "list[Ticket]":
        from worker.backfill import unknown

        todo = unknown(self._runtime, of)
        if len(todo) < len(of) and not self._as_json:
            say(f"{counted(len(of) - len(todo), 'tickets')} in the inbox already")
        return todo

    # --- a batch file -------------------------------------------------------------------------------------------------

    def write(self, todo: "list[Ticket]", path: Path) -> Exit:
        from worker.cost import BATCH_DISCOUNT

        calls = self._calls(todo)
        estimate = self._affordable(calls, BATCH_DISCOUNT)
        expires_at = batch_files.register_requests(self._runtime.settings, path, now=now())
        path.touch(mode=0o600)
        path.write_text("".join(call.line() + "\n" for call in calls), "utf-8")
        if len(calls) > BATCH_LIMIT:
            warn(f"the Batch API takes {BATCH_LIMIT} requests a file: use --limit, and a second file for the rest")
        if self._as_json:
            shown = {"requests": len(calls), "file": str(path), "expires_at": expires_at}
            emit(shown | {"estimate": estimate.document(), "tickets": len(todo), "invalid": self._invalid})
        else:
            say(f"{estimate}; {counted(len(calls), 'requests')} in {path}, masked, deleted after {expires_at:%Y-%m-%d}")
        return self._exit()

    def _calls(self, todo: "list[Ticket]") -> "list[Asked]":
        from worker.backfill import calls

        found: list[Asked] = []
        with progress(len(todo), "masking") as bar:
            for ticket in todo:
                found += calls(self._runtime, ticket)
                bar.update(1)
        return found

    def _affordable(self, calls: "list[Asked]", discount: float) -> "Estimate":
        from worker.cost import estimated, over

        estimate = estimated(calls, self._price, discount=discount)
        if over(estimate, self._ceiling):
            raise Stop(f"{estimate}, more than --max-cost {self._ceiling:g}: take fewer with --limit", Exit.REFUSED)
        return estimate

    # --- its replies --------------------------------------------------------------------------------------------------

    def take(self, of: "list[Ticket]", replies: Path, asked: Path | None) -> Exit:
        from worker.backfill import apply, tally
        from worker.evaluation.recorded import checked

        batch_files.register_searched(self._runtime.settings, replies)
        recording = self._recording(replies, asked)
        applied: list[Applied] = []
        with progress(len(of), "reading replies") as bar:
            for one in apply(self._runtime, of, recording):
                applied.append(one)
                bar.update(1)
        check = checked(recording, {ticket.row for ticket in of})
        tallied = tally(applied)
        if self._as_json:
            emit({"tickets": dict(tallied), "replies": asdict(check), "invalid": self._invalid})
        else:
            say("  ".join(f"{number} {outcome}" for outcome, number in sorted(tallied.items())) or "no tickets")
            self._say_odd(applied, check.extra, recording.told.unread)
        odd = tallied.get("omitted") or check.extra or check.duplicated or recording.told.unread
        return Exit.PARTLY if odd else self._exit()

    def _say_odd(self, applied: "list[Applied]", extra: tuple[str, ...], unread: Mapping[str, str]) -> None:
        for one in applied:
            if one.fault:
                say(f"  {one.row}: {one.fault}")
        for name in extra:
            say(f"  {name}: a reply that nobody asked for")
        for line, problem in unread.items():
            say(f"  {line}: {problem}")

    def _recording(self, replies: Path, asked: Path | None) -> "Recording":
        from worker.batch import BadBatch, read_replies, read_requests
        from worker.evaluation.recorded import Recording

        try:
            with replies.open(encoding="utf-8", errors="replace") as lines:
                told = read_replies(lines)
            requests: dict[str, tuple[Asked, ...]] = {}
            for path in [asked] if asked else batch_files.request_files(self._runtime.settings):
                with path.open(encoding="utf-8", errors="replace") as lines:
                    requests |= read_requests(lines)
        except BadBatch as error:
            raise Stop(f"{replies}: {error}", Exit.USAGE) from None
        return Recording(requests=requests, told=told)

    # --- live ---------------------------------------------------------------------------------------------------------

    def hand_in(self, todo: "list[Ticket]", *, go: bool) -> Exit:
        from worker.publish import enqueue_events

        estimate = self._affordable(self._calls(todo), 1.0)
        if go:
            with progress(len(todo), "handing in") as bar:
                for start in range(0, len(todo), AT_ONCE):
                    some = [ticket.event for ticket in todo[start : start + AT_ONCE]]
                    enqueue_events(self._runtime, some, lane=Lane.BACKFILL, now=now())
                    bar.update(len(some))
        if self._as_json:
            shown = {"handed_in": len(todo) if go else 0, "tickets": len(todo), "invalid": self._invalid}
            emit(shown | {"estimate": estimate.document()})
        elif go:
            say(f"{estimate}; {counted(len(todo), 'tickets')} handed in, behind today's")
        else:
            say(f"{estimate}; nothing was handed in: say --yes, or set --max-cost")
        if go and (waits := why_tickets_wait(self._runtime)):
            warn(waits)
        return self._exit()

    def _exit(self) -> Exit:
        return Exit.PARTLY if self._invalid else Exit.DONE
