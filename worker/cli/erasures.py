"""`afterword erasures`: the ledger of what was forgotten, and the proof."""

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import click

from worker import batch_files, house
from worker.cli.exits import Exit, Stop
from worker.cli.opened import opened
from worker.cli.options import customer_option, json_option, ref, tenant_option
from worker.cli.output import emit, say, show
from worker.cli.values import COUNT, Plain
from worker.runtime import Runtime

COLUMNS = ("number", "scope", "subject", "erased_at", "applied_at")


@click.group()
def erasures() -> None:
    """The erasure ledger: what was forgotten stays forgotten, also after a restored backup."""


@erasures.command("list")
@click.option("--after", type=click.IntRange(min=0, max=COUNT.max), default=0, help="Behind this line.")
@click.option("--limit", type=COUNT, default=1000, show_default=True)
@json_option
def list_(after: int, limit: int, as_json: bool) -> None:
    """The lines that this database has applied. They name nobody: a subject is a keyed hash."""
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
    "--file", "files", multiple=True, type=click.Path(path_type=Path), help="A file to look in too: a log, a dump."
)
@json_option
@click.pass_context
def verify(
    ctx: click.Context, tenant: str, customer: str, values: tuple[str, ...], files: tuple[Path, ...], as_json: bool
) -> None:
    """Look for a customer in every table, in SQLite's own files, in our logs, in Redis, in batch files and in FILEs.

    Exit 0 where there is no trace, 1 where there is: where and how often is printed, never what.
    """
    from store.verify import traces

    with opened() as runtime:
        logs = sorted((runtime.settings.home / "run").glob("*.log"))
        found = traces(
            runtime.engine,
            runtime.keys,
            ref(tenant, customer),
            values=values,
            files=[*files, *logs, *batch_files.paths(runtime.settings)],
            sources=_queue(runtime),
        )
    show([asdict(trace) for trace in found], ("where", "count"), as_json=as_json, empty="no trace")
    ctx.exit(Exit.FAILED if found else Exit.DONE)


def _queue(runtime: Runtime) -> dict[str, Callable[[], bytes]]:
    """Redis, where one runs. One that is configured and does not answer cannot be called clean."""
    from redis import RedisError

    from worker.queue_dump import dump

    client = runtime.redis
    if client is None:
        return {}
    try:
        held = dump(client)
    except RedisError:
        raise Stop("Redis does not answer, so it cannot be searched: start it, then verify again") from None
    return {"redis": lambda: held}
