"""`afterword audit`: who did what, when and why."""

from datetime import datetime

import click

from worker.cli.opened import opened
from worker.cli.options import Code, Identifier, Moment, json_option
from worker.cli.output import show
from worker.cli.values import COUNT
from worker.cli.verbs import Verbs

ACTIONS = (
    "write",
    "withdraw",
    "review",
    "replay",
    "retract",
    "feedback",
    "forget",
    "forget_fact",
    "forget_tenant",
    "opt_in",
    "opt_out",
    "pause",
    "drain",
    "resume",
    "token",
)
"""All that a line can be about. A test holds them against the calls that write one."""
COLUMNS = ("at", "actor", "action", "outcome", "reason", "customer", "ticket", "key", "note")


@click.group(cls=Verbs)
def audit() -> None:
    """Who did what, when, why and with which outcome: ids and codes, never a value."""


@audit.command("list")
@click.option("--tenant", type=Identifier(), help="Without it: what was done to everyone (pause, resume, drain).")
@click.option("--customer", type=Identifier())
@click.option("--ticket", type=Identifier(), help="What was done about this ticket: read, decided, retracted.")
@click.option("--action", type=click.Choice(ACTIONS), help="What was done.")
@click.option("--reason-code", type=Code(), help="Why, by its code.")
@click.option("--since", type=Moment())
@click.option("--until", type=Moment())
@click.option("--limit", type=COUNT, default=200, show_default=True)
@json_option
def list_(
    tenant: str | None,
    customer: str | None,
    ticket: str | None,
    action: str | None,
    reason_code: str | None,
    since: datetime | None,
    until: datetime | None,
    limit: int,
    as_json: bool,
) -> None:
    """The tenant's lines, oldest first, with customer and ticket as far as they are still known: a forgotten customer's
    lines stay, and name nobody."""
    from dataclasses import asdict

    from pipeline.ids import CustomerRef
    from store.audit import listed, names_of_ticket
    from store.audit_names import with_names
    from store.pauses import EVERYONE
    from store.scope import customer_reading

    if tenant is None and (customer or ticket):
        raise click.UsageError("--customer and --ticket want --tenant too")
    tenant = tenant or EVERYONE
    with opened() as runtime:
        surrogate = None
        if customer is not None:
            with customer_reading(runtime.engine, CustomerRef(tenant=tenant, customer=customer)) as view:
                surrogate = view.surrogate
        found = listed(
            runtime.engine,
            tenant=tenant,
            surrogate=surrogate,
            events=names_of_ticket(runtime.engine, runtime.keys, tenant, ticket) if ticket else None,
            action=action,
            reason=reason_code,
            since=since,
            until=until,
            limit=limit,
        )
        named = with_names(runtime.engine, tenant, found)
        rows = [{**asdict(one), "customer": whose, "ticket": which} for one, whose, which in named]
    show(rows, COLUMNS, as_json=as_json, empty="no such lines")
