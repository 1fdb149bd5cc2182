"""`afterword erasures`: the ledger of what was forgotten, and the proof."""

from dataclasses import asdict
from pathlib import Path

import click

from worker import house
from worker.cli.opened import opened
from worker.cli.options import customer_option, json_option, ref, tenant_option
from worker.cli.output import emit, say, show, warn
from worker.cli.values import COUNT, Plain
from worker.cli.verbs import Verbs

COLUMNS = ("number", "scope", "subject", "erased_at", "applied_at")


@click.group(cls=Verbs)
def erasures() -> None:
    """The erasure ledger: what was forgotten stays forgotten, also after a restored backup."""


@erasures.command("list")
@click.option("--after", type=click.IntRange(min=0, max=COUNT.max), default=0, help="Behind this line.")
@click.option("--limit", type=COUNT, default=1000, show_default=True)
@json_option
def list_(after: int, limit: int, as_json: bool) -> None:
    """The lines that this database has applied. They name nobody: a subject is a keyed hash.

    `afterword erasures verify` tells which lines concern a customer.
    """
    from store.erase import listed

    with opened() as runtime:
        rows = [asdict(line) for line in listed(runtime.engine, after=after, limit=limit)]
    show(rows, COLUMNS, as_json=as_json, empty="nothing was ever forgotten here")


@erasures.command()
@json_option
def reapply(as_json: bool) -> None:
    """Apply what the ledger is ahead by: after a restored backup, say. Every start does so too."""
    with opened() as runtime:  # opening has applied them already; what came since is applied now
        done = house.reapply(runtime)
        last = runtime.ledger.last()
    if as_json:
        emit({"lines": done, "ledger": last})
    else:
        say(f"the database is level with the ledger: line {last}")


@erasures.command()
@tenant_option
@customer_option
@click.option(
    "--value",
    "values",
    type=Plain(2_000),
    multiple=True,
    help="A word of theirs to look for too: a name, an order number.",
)
@click.option(
    "--file",
    "files",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False, readable=True, path_type=Path),
    help="A file to look in too: a log, a dump.",
)
@json_option
@click.pass_context
def verify(
    ctx: click.Context, tenant: str, customer: str, values: tuple[str, ...], files: tuple[Path, ...], as_json: bool
) -> None:
    """Look for a customer in every table, in SQLite's own files, in our logs, in Redis, in batch files and in FILEs.

    Exit 0 where there is no trace, 1 where there is: where and how often is printed, never what. Exit 3 where it is not
    proven: Redis is not reachable, say, or a file is compressed. In files a word of under 4 bytes is looked for as a
    whole word. What was searched is told too, and which lines of the ledger concern the customer.
    """
    from worker.cli.proof import proof, tell

    with opened() as runtime:
        found = proof(runtime, ref(tenant, customer), values, files)
    emit(found.document()) if as_json else tell(found)
    for warning in found.warnings:
        warn(warning)
    ctx.exit(found.exit)
