"""What the demonstration prints: what happened to each candidate and why, to people in lines, to programs in JSON."""

from collections import Counter
from typing import Any

import click

from pipeline.events import TicketClosed
from pipeline.facts import Decision
from pipeline.ids import CustomerRef
from pipeline.reasons import Reason
from store.counts import row_shown
from worker.cli.output import emit, padded, printable, say, shortened, show
from worker.runtime import Runtime
from worker.wording import counted

_MARK = {"ADD": "green", "UPDATE": "green", "NOOP": None, "REJECT": "yellow"}


class Narrator:
    """Tells a run. With JSON, one line a thing that happened, the summary last."""

    def __init__(self, runtime: Runtime, as_json: bool) -> None:
        self.runtime = runtime
        self.as_json = as_json

    def title(self, number: int, text: str) -> None:
        if not self.as_json:
            say()
            say(click.style(f"{number}. {text}", bold=True))

    def answered(self, answer: dict[str, Any]) -> None:
        """A line of the file, as it was taken in."""
        if self.as_json:
            emit({"line": answer})
        elif answer["outcome"] == "invalid":
            say(f"line {answer['line']}: invalid: {answer['field']}: {answer['problem']}")

    def ticket(self, event: TicketClosed, row_id: str) -> None:
        shown = row_shown(self.runtime.engine, row_id)
        masked = self._masked(event)
        decided = _decided(self.runtime, event.ref, row_id)
        if self.as_json:
            emit({"ticket": {**shown, "masked": masked, "decisions": decided}})
            return
        why = Reason(shown["reason"]).explain if shown["reason"] else ""
        say(f"   ticket {event.ticket_id} of {event.customer_id}: {shown['state']}" + (f", {why}" if why else ""))
        if masked:
            say("   masked before anything reads it: " + ", ".join(f"{n} {name}" for name, n in masked.items()))
        for row in decided:
            _decision(row)

    def _masked(self, event: TicketClosed) -> dict[str, int]:
        """What was masked, by kind: the model never sees it."""
        from pipeline.mask import masked

        kinds = [span.placeholder.strip("<>").rpartition("_")[0] for span in masked(event).spans]
        return dict(Counter(kind.lower().replace("_", " ") for kind in kinds))

    def statement(self, step: Any, done: Decision) -> None:
        passed = done.reason is not Reason.FORBIDDEN_KEY
        value = f"{step.key} = {step.value}" if passed else step.key
        row = {"outcome": done.action.value, "reason": done.reason.value, "what": value}
        if self.as_json:
            emit({"statement": {"key": step.key, "source": step.source, **row}})
        else:
            say(f"   {step.source} states about {step.ref.customer}:")
            _decision(row)

    def forgotten(self, ref: CustomerRef, done: Any) -> None:
        if self.as_json:
            emit({"forgotten": {"customer": ref.customer, **done.numbers, "line": done.number}})
        else:
            went = ", ".join(counted(number, name) for name, number in done.numbers.items())
            say(f"   {ref.customer} is forgotten: {went}; line {done.number} of the erasure ledger")

    def purged(self, report: Any) -> None:
        if self.as_json:
            emit({"purged": {"rows": report.rows, "busy": report.busy}})
        else:
            say(f"   {counted(report.rows, 'rows')} purged; deleted text is overwritten in the file")

    def recalled(self, ref: CustomerRef, answer: Any) -> None:
        if self.as_json:
            emit({"recall": {"customer": ref.customer, **answer.document()}})
            return
        for line in answer.block.splitlines():
            say(f"   {printable(line)}")

    def decisions(self, row_ids: list[str]) -> None:
        """What a file's tickets came to, by reason."""
        from store.counts import decisions_of

        tallied = decisions_of(self.runtime.engine, row_ids)
        rows = [{"outcome": o, "reason": r, "candidates": n} for (o, r), n in sorted(tallied.items())]
        if self.as_json:
            emit({"decisions": rows})
        else:
            show(rows, ("outcome", "reason", "candidates"), as_json=False, empty="nothing was proposed")

    def summary(self, row: dict[str, Any]) -> None:
        if self.as_json:
            emit(row)
            return
        events = row["events"]
        say()
        lines = "  ".join(f"{number} {name}" for name, number in sorted(row["lines"].items()))
        say(f"tickets: {lines}")
        say(
            f"of {events['accepted']} in the inbox: {events['done']} done, {events['dead']} dead, "
            f"{events['erased']} erased"
        )
        say(f"read by: {row['extractor']}")


def _decided(runtime: Runtime, ref: CustomerRef, row_id: str) -> list[dict[str, Any]]:
    """What became of each candidate of a ticket. What was refused is named by its key alone."""
    from store.event_lines import lines_of_row
    from store.history import values_of
    from store.scope import customer_reading

    told = lines_of_row(runtime.engine, runtime.keys, tenant=ref.tenant, row_id=row_id)
    lines = [one for one in told if one.action == "write"]
    with customer_reading(runtime.engine, ref) as view:
        values = values_of(view, [one.observation for one in lines if one.observation])
    return [
        {
            "outcome": one.outcome,
            "reason": one.reason,
            "what": values.get(one.observation or "") or one.key or "(a key of its own)",
        }
        for one in lines
    ]


def _decision(row: dict[str, Any]) -> None:
    mark = click.style(row["outcome"].ljust(6), fg=_MARK[row["outcome"]])
    what = padded(shortened(printable(row["what"]), 38), 38)
    say(f"     {mark}  {what}  {row['reason']}: {click.style(Reason(row['reason']).explain, dim=True)}")
