"""`afterword evaluate`: annotated tickets through the real path, and how good the memory is that comes out."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from worker.cli.exits import Exit, Stop
from worker.cli.opened import settings
from worker.cli.options import json_option
from worker.cli.output import emit, say

if TYPE_CHECKING:
    from pipeline.annotation import Row

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
OUT = click.Path(dir_okay=False, writable=True, path_type=Path)


@click.command()
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=FILE)
@click.option("--requests", "requests_to", type=OUT, help="Write the model calls as a batch file; score nothing.")
@json_option
@click.pass_context
def evaluate(ctx: click.Context, files: tuple[Path, ...], requests_to: Path | None, as_json: bool) -> None:
    """Measure the memory over annotated tickets: what is written, what is found again, what a customer need not repeat.

    FILE holds annotated tickets, returning customers and query/fact pairs, one a line. Runs on a memory of its own:
    yours is not touched.
    """
    rows = read_files(files)
    if requests_to:
        _write_requests(rows, requests_to, as_json)
    ctx.exit(Exit.DONE)


def read_files(files: Iterable[Path]) -> "list[Row]":
    """The rows of all files. Raises Stop, which names file, line and field."""
    from pipeline.annotation import BadAnnotation, read_annotations

    rows: list[Row] = []
    for path in files:
        try:
            with path.open(encoding="utf-8", errors="replace") as lines:
                rows += [row for _, row in read_annotations(lines)]
        except BadAnnotation as error:
            raise Stop(f"{path}: {error}", Exit.USAGE) from None
    return rows


def _write_requests(rows: "list[Row]", path: Path, as_json: bool) -> None:
    from worker.evaluation.asking import requests
    from worker.evaluation.sandbox import sandbox
    from worker.evaluation.tickets import cases

    with sandbox(settings()) as runtime:
        lines = [call.line() + "\n" for call in requests(runtime, list(cases(rows)))]
    path.write_text("".join(lines), "utf-8")
    if as_json:
        emit({"requests": len(lines), "file": str(path)})
    else:
        say(f"{len(lines)} requests in {path}; evaluate them with --replies once they are answered")
