"""`afterword rescan`: today's gates over what is stored."""

from collections import Counter

import click

from worker.cli.opened import opened
from worker.cli.options import Identifier, actor_or_login, json_option, now, yes_option
from worker.cli.output import emit, say, show


@click.command()
@click.option("--tenant", type=Identifier(), help="One tenant; without it, all.")
@click.option("--after", default="", help="Go on behind this customer (with --tenant), after a stop.")
@click.option("--actor", default=None, help="Who, for the audit. Default: operator:<login name>.")
@yes_option
@json_option
def rescan(tenant: str | None, after: str, actor: str | None, yes: bool, as_json: bool) -> None:
    """Judge stored facts by today's policy, and with --yes withdraw what no longer passes."""
    from store.rescan import rescan as rescanned
    from worker.terms import terms_of

    if after and not tenant:
        raise click.UsageError("--after names a customer of one tenant: say which with --tenant")
    looked_at, refused, customers = 0, Counter[str](), 0
    with opened() as runtime:
        for one in rescanned(
            runtime.engine,
            runtime.keys,
            terms=terms_of(runtime),
            now=now(),
            actor=actor_or_login(actor),
            tenant=tenant,
            after=after,
            dry_run=not yes,
        ):
            looked_at, customers = looked_at + one.looked_at, customers + 1
            refused.update({reason.value: number for reason, number in one.refused.items()})
    if as_json:
        emit({"dry_run": not yes, "customers": customers, "looked_at": looked_at, "refused": dict(refused)})
        return
    rows = [{"reason": reason, "statements": number} for reason, number in sorted(refused.items())]
    show(rows, ("reason", "statements"), as_json=False, empty="all of it passes today's gates")
    fate = "withdrawn" if yes else "would be withdrawn; --yes does it"
    say(f"{looked_at} statements of {customers} customers looked at, {sum(refused.values())} {fate}")
