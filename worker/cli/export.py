"""`afterword export`: everything that is held on a customer."""

import json

import click

from worker.cli.opened import opened
from worker.cli.options import ref, whose


@click.command()
@whose
def export(tenant: str, customer: str) -> None:
    """Everything held on a customer, as one JSON document on stdout. The README has its schema."""
    from store.export import export as exported

    with opened() as runtime:
        document = exported(runtime.engine, runtime.keys, ref(tenant, customer))
    click.echo(json.dumps(document, ensure_ascii=False, indent=2))
