"""`afterword evaluate`: annotated tickets through the real path, and how good the memory is that comes out."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from worker import batch_files
from worker.cli.exits import Exit, Stop
from worker.cli.opened import settings
from worker.cli.options import json_option
from worker.cli.output import emit, progress, say, table, warn
from worker.cli.values import OutFile
from worker.wording import counted

if TYPE_CHECKING:
    from pipeline.annotation import Row
    from worker.evaluation.recorded import Recording

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
REQUESTS = "requests.jsonl"
"""Where the requests that a replies file answers are looked for: beside it."""


@click.command()
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=FILE)
@click.option("--requests", "requests_to", type=OutFile(), help="Write the model calls as a batch file; score nothing.")
@click.option("--replies", type=FILE, help="Score the replies of a batch file instead of asking the model.")
@click.option("--asked", type=FILE, help="The requests that --replies answers. Default: requests.jsonl beside it.")
@click.option("--against", type=FILE, help="A JSON report of an earlier run: say what changed.")
@click.option("--html", "html_to", type=OutFile(), help="Write the report as one page, too.")
@click.option("--draft", is_flag=True, help="Have the model draft replies to returning customers: two calls a visit.")
@json_option
@click.pass_context
def evaluate(
    ctx: click.Context,
    files: tuple[Path, ...],
    requests_to: Path | None,
    replies: Path | None,
    asked: Path | None,
    against: Path | None,
    html_to: Path | None,
    draft: bool,
    as_json: bool,
) -> None:
    """Measure the memory over annotated tickets: what is written, what is found again, what a customer need not repeat.

    FILE holds annotated tickets, returning customers and query/fact pairs, one a line. Runs on a memory of its own:
    yours is not touched. Without --replies the configured extractor reads every ticket, and a model costs a call each.
    """
    rows = read_files(files)
    if requests_to:
        _write_requests(rows, requests_to, as_json)
        ctx.exit(Exit.DONE)
    report = _report(rows, _recording(replies, asked), against, draft=draft)
    if html_to:
        from worker.evaluation.page import page

        html_to.write_text(page(report), "utf-8")
    if as_json:
        emit(report)
    else:
        _show(report, html_to)
    ctx.exit(Exit.DONE)


def read_files(files: Iterable[Path]) -> "list[Row]":
    """The rows of all files. Raises Stop, which names file, line and field. What is not read is warned of."""
    from pipeline.annotation import BadAnnotation, read_annotations, unknown_fields

    rows: list[Row] = []
    for path in files:
        try:
            with path.open(encoding="utf-8", errors="replace") as lines:
                found = list(read_annotations(lines))
        except BadAnnotation as error:
            raise Stop(f"{path}: {error}", Exit.USAGE) from None
        for number, row in found:
            for name in unknown_fields(row):
                warn(f"{path}: line {number}: {name}: not a field of this version, and not read")
        rows += [row for _, row in found]
    return rows


def _write_requests(rows: "list[Row]", path: Path, as_json: bool) -> None:
    from worker.evaluation.asking import requests
    from worker.evaluation.sandbox import sandbox
    from worker.evaluation.tickets import cases

    using = settings()
    batch_files.register_searched(using, path)
    with sandbox(using) as runtime:
        lines = [call.line() + "\n" for call in requests(runtime, list(cases(rows)))]
    path.write_text("".join(lines), "utf-8")
    if as_json:
        emit({"requests": len(lines), "file": str(path)})
    else:
        say(f"{counted(len(lines), 'requests')} in {path}; evaluate them with --replies once they are answered")


def _recording(replies: Path | None, asked: Path | None) -> "Recording | None":
    """The replies with what they answer. Without a requests file they stand alone, and nothing can be missing."""
    from worker.batch import read_replies, read_requests
    from worker.evaluation.recorded import Recording

    if replies is None:
        return None
    beside = asked or replies.with_name(REQUESTS)
    if asked is None and not beside.exists():
        warn(f"{beside} is not there: what is missing from {replies} cannot be told; name it with --asked")
    return Recording(
        requests=_read(beside, read_requests) if beside.exists() else {}, told=_read(replies, read_replies)
    )


def _read(path: Path, reader: Any) -> Any:
    from worker.batch import BadBatch

    try:
        with path.open(encoding="utf-8", errors="replace") as lines:
            return reader(lines)
    except BadBatch as error:
        raise Stop(f"{path}: {error}", Exit.USAGE) from None


def _report(rows: "list[Row]", recording: "Recording | None", against: Path | None, *, draft: bool) -> dict[str, Any]:
    from worker.evaluation.against import compared
    from worker.evaluation.report import evaluated, readings

    using, other = settings(), _other(against)
    if recording is None and _has_tickets(rows) and (waits := using.model_configured):
        raise Stop(f"{waits}; or score a batch file with --replies", Exit.REFUSED)
    if draft and (using.extractor == "rules" or using.model_configured):
        raise Stop("--draft wants a model: set OPENAI_API_KEY or OPENAI_BASE_URL, and no rules", Exit.USAGE)
    with progress(readings(using, rows, recording), "reading tickets") as bar:
        report = evaluated(using, rows, recording, draft=draft, done=bar.update)
    return report | ({"against": compared(report, other)} if other else {})


def _has_tickets(rows: "list[Row]") -> bool:
    """Pairs of query and fact ask nobody."""
    from pipeline.annotation import RetrievalPair

    return not all(isinstance(row, RetrievalPair) for row in rows)


def _other(path: Path | None) -> dict[str, Any] | None:
    """The earlier report, read before anything is measured."""
    from worker.evaluation.against import NotAReport, read_report

    try:
        return read_report(path.read_text("utf-8-sig", "replace")) if path else None
    except NotAReport as error:
        raise Stop(f"{path}: {error}", Exit.USAGE) from None


# --- for people -------------------------------------------------------------------------------------------------------


def _show(report: Mapping[str, Any], html_to: Path | None) -> None:
    about = report["about"]
    say(
        f"{about['extractor']}, model {', '.join(about['models']) or '-'}: {about['tickets']} tickets,"
        f" {about['facts']} gold facts"
    )
    _show_writing(report)
    _show_retrieval(report["retrieval"])
    _show_returning(report["returning"])
    if report["drafts"]:
        drafts = report["drafts"]
        say(
            f"drafted replies: of {drafts['needed']} needed things {drafts['said_with_memory']} said with memory,"
            f" {drafts['said_without_memory']} without; {drafts['no_reply']} visits without a reply"
        )
    if report["batch"]:
        _show_batch(report["batch"])
    if "against" in report:
        _show_against(report["against"])
    say("\nRefusal means little without recall. The README says what the figures mean and what they do not.")
    if html_to:
        say(f"the whole report: {html_to}")


def _show_writing(report: Mapping[str, Any]) -> None:
    from worker.evaluation.page import interval, percent
    from worker.evaluation.totals import RATES

    beside = {**report["beside"], **report["controls"]}
    rows = []
    for name, (meaning, _, _) in RATES.items():
        rate = report["writing"]["rates"][name]
        others = {label: percent(of["rates"][name]["value"]) for label, of in beside.items()}
        first = {"writing": name, "rate": percent(rate["value"]), "95 %": interval(rate), "of": rate["of"]}
        rows.append(first | others | {"meaning": meaning})
    say()
    table(rows, ["writing", "rate", "95 %", "of", *beside, "meaning"])
    counts = report["writing"]["counts"]
    say(
        f"\nleaks {len(report['leaks'])} · traps stored {counts['trapped']} of {counts['traps']} · planted instructions"
        f" stored {counts['planted_stored']} of {counts['planted']} · updates {counts['update_correct']} correct,"
        f" {counts['update_omitted']} omitted, {counts['update_wrong']} wrong"
    )
    for leak in report["leaks"]:
        say(f"  leak: {leak['ticket']}: {leak['why']} in {leak['where']}")


def _show_retrieval(found: Mapping[str, Any]) -> None:
    rows = [{"retrieval": name} | of for name, of in {**found["by_set"], "all": found["all"]}.items()]
    say()
    table(rows, ["retrieval", *[name for name in found["all"] if name != "facts"]])


def _show_returning(of: Mapping[str, Any]) -> None:
    say(
        f"\nreturning customers: {of['visits']} visits; things to repeat without memory"
        f" {of['repeated_without_memory']},"
        f" with it {of['repeated_with_memory']}; told something outdated in {of['visits_with_outdated']} visits"
    )


def _show_batch(batch: Mapping[str, Any]) -> None:
    drift = ", ".join(f"{kind} {number}" for kind, number in batch["drift"].items())
    say(f"replies: {batch['answered']} of {batch['asked']} answered; drift: {drift}")
    for name in ("missing", "extra", "duplicated"):
        if batch[name]:
            say(f"  {name}: {', '.join(batch[name])}")
    for ticket, fault in batch["unreadable"].items():
        say(f"  unreadable: {ticket}: {fault}")


def _show_against(found: Mapping[str, Any]) -> None:
    from worker.evaluation.page import percent

    moved = ", ".join(f"{name} {percent(m['before'])} → {percent(m['now'])}" for name, m in found["rates"].items())
    say(f"\nagainst the other run: {moved or 'no rate moved'}")
    for row in found["tickets"]:
        say(
            f"  {row['ticket']}: gained {', '.join(row['gained']) or '-'}; lost {', '.join(row['lost']) or '-'};"
            f" new extra {', '.join(fact['key'] for fact in row['new_extra']) or '-'}"
        )
