"""`afterword retract`: what one ticket taught is taken back."""

from dataclasses import asdict
from typing import Any

import click

from worker.cli.exits import Exit, Stop
from worker.cli.opened import opened
from worker.cli.options import (
    Identifier,
    actor_or_login,
    checked_note,
    json_option,
    now,
    tenant_option,
    why,
    yes_option,
)
from worker.cli.output import emit, say
from worker.wording import counted

UNKNOWN = "nothing is known here of ticket {ticket} of tenant {tenant}; --unseen bars it all the same, for good"


@click.command()
@tenant_option
@click.option("--ticket", type=Identifier(), required=True)
@click.option("--unseen", is_flag=True, help="Bar a ticket too of which nothing is known here.")
@why
@yes_option
@json_option
def retract(
    tenant: str, ticket: str, unseen: bool, note: str | None, actor: str | None, yes: bool, as_json: bool
) -> None:
    """Take back all that one ticket taught: it was the wrong customer's, say. What it had replaced holds again.

    No way back, and late delivery and replay obey it too: hand the ticket in under another id for the right customer.
    A restored backup does not: repeat what was retracted since it was taken. Exit 4 where nobody knows the ticket.
    """
    from store.retract import dry_run, is_known
    from store.retract import retract as retracted
    from worker.terms import terms_of

    with opened() as runtime:
        if not unseen and not is_known(runtime.engine, runtime.keys, tenant, ticket):
            raise Stop(UNKNOWN.format(ticket=ticket, tenant=tenant), Exit.NOTHING_MATCHED)
        if yes:
            done = retracted(
                runtime.engine,
                runtime.keys,
                tenant,
                ticket,
                actor=actor_or_login(actor),
                now=now(),
                terms=terms_of(runtime),
                note=checked_note(note) or "",
            )
        else:
            done = dry_run(runtime.engine, runtime.keys, tenant, ticket)
    if as_json:
        emit({"dry_run": not yes, **asdict(done)})
    elif yes:
        say(f"retracted: {_taken(done)}; the ticket is barred for good")
    else:
        say(f"would take back {_taken(done)}; --yes does it and bars the ticket for good")


def _taken(done: Any) -> str:
    return f"{counted(done.observations, 'statements')} of {counted(done.customers, 'customers')}"
