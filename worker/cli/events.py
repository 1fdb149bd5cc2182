"""`afterword events`: tickets by their state."""

from datetime import datetime

import click

from pipeline.reasons import explained
from store.states import State
from worker.cli.exits import Exit, Stop
from worker.cli.opened import opened
from worker.cli.options import Identifier, event_filters, json_option, selection_of
from worker.cli.output import details, emit, say, show
from worker.cli.verbs import Verbs

_DECIDED = ("at", "action", "outcome", "reason", "key")
COLUMNS = (
    "kind",
    "event_id",
    "tenant",
    "ticket",
    "state",
    "reason",
    "attempts",
    "received_at",
    "finished_at",
    "row_id",
)


@click.group(cls=Verbs)
def events() -> None:
    """List or show tickets by their state: pending, processing, done, dead or erased."""


@events.command("list")
@event_filters
@json_option
def list_(as_json: bool, **filters: str | datetime | int | None) -> None:
    """Tickets, oldest first. `--state dead` are the dead letters, at their end those that no helpdesk gave
    (kind `fetch`); --reason-code narrows them."""
    from store.counts import events_listed
    from store.fetches import dead_listed

    selection = selection_of(filters, limit=1000)
    with opened() as runtime:
        found = [{"kind": "event", **row} for row in events_listed(runtime.engine, runtime.keys, selection)]
        if filters["state"] == State.DEAD:
            found += [{"kind": "fetch", **row} for row in dead_listed(runtime.engine, selection)]
    show(found[: selection.limit], COLUMNS, as_json=as_json, empty="no such tickets")


@events.command("show")
@click.argument("event_id", type=Identifier())
@click.option("--tenant", type=Identifier(), required=True)
@json_option
def show_(event_id: str, tenant: str, as_json: bool) -> None:
    """One ticket: its state, its attempts, what the model cost, and what became of each candidate (by code).

    EVENT_ID may also be the row id, by which log lines name a ticket (event=…). Of an erased ticket the audit tells
    nothing from before its erasure.
    """
    from store.counts import event_shown
    from store.event_lines import lines_of_event

    with opened() as runtime:
        found = event_shown(runtime.engine, runtime.keys, tenant=tenant, event_id=event_id)
        if found is None:
            raise Stop(f"no event {event_id} of tenant {tenant}", Exit.NOTHING_MATCHED)
        lines = lines_of_event(runtime.engine, runtime.keys, tenant=tenant, event_id=event_id)
    decisions = [{**{name: getattr(one, name) for name in _DECIDED}, "means": explained(one.reason)} for one in lines]
    if as_json:
        emit({**found, "means": explained(found["reason"]), "audit": decisions})
        return
    details(found)
    if found["reason"]:
        say(f"{found['reason']}: {explained(found['reason'])}")
    show(decisions, (*_DECIDED, "means"), as_json=False, empty="nothing was decided")
