"""`afterword export`: everything that is held on a customer."""

import json
from typing import Any

import click

from worker.cli.opened import opened
from worker.cli.options import ref, whose
from worker.runtime import Runtime


@click.command()
@whose
def export(tenant: str, customer: str) -> None:
    """Everything held on a customer, as one JSON document on stdout. The README has its schema."""
    from store.export import export as exported

    with opened() as runtime:
        document = exported(
            runtime.engine, runtime.keys, ref(tenant, customer), payload_of=lambda row: _payload(runtime, row)
        )
    click.echo(json.dumps(document, ensure_ascii=False, indent=2))


def _payload(runtime: Runtime, row: Any) -> Any:
    """The ticket as it came, while its payload is kept; what no longer decrypts is said to be so."""
    from store.payload import Undecryptable
    from store.payload import opened as unsealed

    if row.payload is None:
        return None
    try:
        event = unsealed(runtime.keys, row.payload, row_id=row.id, tenant=row.tenant)
    except Undecryptable:
        return {"unreadable": "the payload does not decrypt with this key"}
    return event.model_dump(mode="json", exclude_none=True)
