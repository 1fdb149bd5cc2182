"""`afterword migrate`: the schema of this version."""

import click

from worker.cli.opened import settings
from worker.cli.options import json_option
from worker.cli.output import emit, say


@click.command()
@json_option
def migrate(as_json: bool) -> None:
    """Bring the database to this version's schema. Every process does so at its start; this does nothing else."""
    from store.engine import open_engine
    from store.migrate import migrate as bring_up
    from store.migrate import revision

    read = settings()
    read.home.mkdir(parents=True, exist_ok=True, mode=0o700)
    url = read.migrate_url or read.database
    before = revision(open_engine(url))
    bring_up(url)
    after = revision(open_engine(url))
    row = {"before": before, "after": after, "changed": before != after}
    if as_json:
        emit(row)
    else:
        say(f"schema {before or 'none'} → {after}" if row["changed"] else f"schema {after}: already there")
