"""`afterword rescan`: today's gates over what is stored."""

from collections import Counter

import click

from worker.cli.opened import opened
from worker.cli.options import Identifier, actor_option, actor_or_login, json_option, now, yes_option
from worker.cli.output import emit, say, show
from worker.wording import counted


@click.command()
@click.option("--tenant", type=Identifier(), help="One tenant; without it, all.")
@click.option("--after", type=Identifier(), help="Go on behind this customer (with --tenant), after a stop.")
@actor_option
@yes_option
@json_option
def rescan(tenant: str | None, after: str | None, actor: str | None, yes: bool, as_json: bool) -> None:
    """Judge what is stored by today's gates and policy, and with --yes withdraw what no longer passes.

    Judged are statements, with their quotes, and facts: one that is refused although nothing behind it is was not made
    by Afterword, and is made anew from its statements.
    """
    from store.rescan import rescan as rescanned
    from worker.terms import terms_of

    if after and not tenant:
        raise click.UsageError("--after names a customer of one tenant: say which with --tenant")
    looked_at, customers = 0, 0
    refused, facts = Counter[str](), Counter[str]()
    with opened() as runtime:
        for one in rescanned(
            runtime.engine,
            runtime.keys,
            terms=terms_of(runtime),
            now=now(),
            actor=actor_or_login(actor),
            tenant=tenant,
            after=after or "",
            dry_run=not yes,
        ):
            looked_at, customers = looked_at + one.looked_at, customers + 1
            refused.update({reason.value: number for reason, number in one.refused.items()})
            facts.update({reason.value: number for reason, number in one.facts.items()})
    if as_json:
        shown = {"customers": customers, "looked_at": looked_at, "refused": dict(refused), "facts": dict(facts)}
        emit({"dry_run": not yes, **shown})
        return
    rows = [{"reason": r, "statements": refused[r], "facts": facts[r]} for r in sorted(refused | facts)]
    show(rows, ("reason", "statements", "facts"), as_json=False, empty="all of it passes today's gates")
    fate = "withdrawn" if yes else "would be withdrawn; --yes does it"
    gone = counted(refused.total(), "statements") + (
        f" and {counted(facts.total(), 'facts')} by themselves" if facts else ""
    )
    say(f"{counted(looked_at, 'statements')} of {counted(customers, 'customers')} looked at: {gone} {fate}")
