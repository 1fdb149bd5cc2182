"""`afterword mcp`: memory for an agent over the Model Context Protocol."""

from contextlib import closing, suppress

import click

from worker.cli.opened import settings, told
from worker.cli.options import Identifier, tenant_option
from worker.cli.output import emit
from worker.cli.values import Plain


@click.command()
@tenant_option
@click.option("--actor", type=Plain(), default="mcp", show_default=True, help="Who asks, for receipts and audit.")
@click.option("--customer", type=Identifier(), help="Serve this customer alone; the model then names none.")
@click.option("--schema", type=click.Choice(["openai", "mcp"]), help="Print the tools' schema and end.")
def mcp(tenant: str, actor: str, customer: str | None, schema: str | None) -> None:
    """Serve memory to an agent over stdio: recall, and reporting a wrong memory to a person.

    Tenant and actor are fixed here, never by the model. Nothing that an agent does can write a fact. While the
    database is down the tools answer that memory cannot be reached, and answer again once it is back.
    """
    from worker.mcp import serve, tool_rows
    from worker.runtime import CannotStart, Opening
    from worker.tools import Toolbox, openai_tools

    if schema:
        for row in openai_tools(customer=customer) if schema == "openai" else tool_rows(customer):
            emit(row)
        return
    with closing(Opening(settings())) as opening:
        with suppress(CannotStart):  # the tools say so, until it is back
            told(opening)
        serve(Toolbox(opening=opening, tenant=tenant, actor=actor, customer=customer))
