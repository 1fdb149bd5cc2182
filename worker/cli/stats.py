"""`afterword stats`: counts that reconcile."""

from dataclasses import asdict

import click

from store.states import State
from worker.cli.opened import opened
from worker.cli.options import Identifier, json_option
from worker.cli.output import emit, say, show
from worker.wording import stamp

COLUMNS = ("tenant", "accepted", *(state.value for state in State))


@click.command()
@click.option("--tenant", type=Identifier())
@json_option
def stats(tenant: str | None, as_json: bool) -> None:
    """Tickets by state: accepted = pending + processing + done + dead + erased, whatever was purged since."""
    from store.counts import counts, dead_by_reason, oldest_pending
    from store.fetches import dead_by_reason as unfetched_by_reason

    with opened() as runtime:
        found = counts(runtime.engine, tenant=tenant)
        oldest = oldest_pending(runtime.engine, tenant=tenant)
        dead = dead_by_reason(runtime.engine, tenant=tenant)
        unfetched = unfetched_by_reason(runtime.engine, tenant=tenant)
    rows = [{"tenant": name, "accepted": one.accepted, **asdict(one)} for name, one in found.items()]
    if as_json:
        emit({"tenants": rows, "oldest_pending": oldest, "dead_by_reason": dead, "dead_fetches_by_reason": unfetched})
        return
    show(rows, COLUMNS, as_json=False, empty="no ticket was ever accepted")
    if oldest:
        say(f"\noldest waiting since {stamp(oldest)}")
    for title, ended in (("dead_of", dead), ("not_fetched_for", unfetched)):
        if ended:
            say()
            of = [{title: name, "tickets": number} for name, number in ended.items()]
            show(of, (title, "tickets"), as_json=False, empty="")
