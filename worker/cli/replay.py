"""`afterword replay`: finished tickets are read again."""

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from typing import TYPE_CHECKING, Any

import click

from store.states import Lane
from worker.cli.changes import show_changes
from worker.cli.cost import ceiling_option, price_option
from worker.cli.exits import Exit, Stop
from worker.cli.opened import opened
from worker.cli.options import (
    actor_or_login,
    checked_note,
    dry_run_option,
    event_filters,
    json_option,
    now,
    selection_of,
    several,
    why,
)
from worker.cli.output import emit, printable, progress, say
from worker.cli.values import Amount, Plain
from worker.runtime import Runtime

if TYPE_CHECKING:
    from store.replay import Named, Selected
    from store.selection import Selection

STEP = 100
FIRST = 5
"""So many ids of a tenant and state a dry run shows to people."""

by_version = several(
    click.option("--model", type=Plain(), help="Read by this model."),
    click.option("--prompt-version", type=Plain(), help="Read with this version of the prompt."),
)


@click.command()
@event_filters
@by_version
@dry_run_option
@click.option("--rate", type=Amount(min=0.01), help="At most so many tickets a second.")
@click.option("--compare", is_flag=True, help="Say which decisions would change, by asking the model; write nothing.")
@price_option
@ceiling_option
@click.option("--resume", "job", type=Plain(), help="Go on with a replay that was stopped, by its job id.")
@click.option("--now-lane", "live", is_flag=True, help="Among today's tickets, not behind them.")
@why
@json_option
@click.pass_context
def replay(
    ctx: click.Context,
    /,
    dry_run: bool,
    rate: float | None,
    compare: bool,
    price: tuple[float, float] | None,
    max_cost: float | None,
    job: str | None,
    live: bool,
    note: str | None,
    actor: str | None,
    as_json: bool,
    **filters: str | datetime | int | None,
) -> None:
    """Put done or dead tickets back, to be read again: after a new prompt, or once the cause of dead letters is mended.

    It begins at once, and each ticket costs its model calls again. Without a filter every tenant's tickets are meant:
    --dry-run counts them first.

    The same answer again changes nothing. A stop in the middle is harmless: --resume goes on. Refused are tickets that
    run, that were erased or retracted, and those whose text is gone (payload_days after they were done).
    """
    with opened() as runtime:
        selection = selection_of(filters)
        if compare:
            found = _chosen(runtime, selection, job)
            ctx.exit(show_changes(runtime, found, price=price, ceiling=max_cost, as_json=as_json))
        if dry_run:
            ctx.exit(_only_say(runtime, _chosen(runtime, selection, job), as_json))
        job = job or _begun(runtime, selection)
        counted = _put_back(runtime, job, rate=rate, actor=actor_or_login(actor), note=checked_note(note), live=live)
    refused = dict(counted["refused"])
    if as_json:
        emit({"job": job, "replayed": counted["replayed"], "refused": refused})
    else:
        say(f"job {job}: {counted['replayed']} put back{_refusals(refused)}")
    ctx.exit(_code(counted["replayed"], refused))


def _chosen(runtime: Runtime, selection: "Selection", job: str | None) -> "Selected":
    """What a replay of the selection would do, or the rest of a job that was stopped."""
    from store.replay import select_for_replay, select_for_resume

    if job is not None:
        return select_for_resume(runtime.engine, runtime.keys, job)
    return select_for_replay(runtime.engine, runtime.keys, selection)


def _only_say(runtime: Runtime, found: "Selected", as_json: bool) -> Exit:
    from store.replay import named

    which = list(named(runtime.engine, found.row_ids))
    if as_json:
        events = [asdict(one) for one in which]
        emit({"dry_run": True, "replayable": found.replayable, "refused": dict(found.refused), "events": events})
    else:
        say(f"would put back {found.replayable}{_refusals(found.refused)}; nothing was changed")
        _show_which(which)
    return Exit.DONE if found.replayable or found.refused else Exit.NOTHING_MATCHED


def _show_which(which: "Sequence[Named]") -> None:
    """How many of which tenant and state, each with the ids of the oldest."""
    groups: dict[tuple[str, str], list[str]] = {}
    for one in which:
        groups.setdefault((one.tenant, one.state.value), []).append(one.event_id)
    for (tenant, state), ids in sorted(groups.items()):
        more = f" and {len(ids) - FIRST} more (all: --json)" if len(ids) > FIRST else ""
        say(f"  {printable(tenant)}: {len(ids)} {state}: {printable(', '.join(ids[:FIRST]))}{more}")


def _begun(runtime: Runtime, selection: "Selection") -> str:
    from store.replay import begin

    job = begin(runtime.engine, runtime.keys, selection)
    if job.selected:
        return job.id
    if job.refused:
        raise Stop(f"nothing can be put back{_refusals(job.refused)}", Exit.REFUSED)
    raise Stop("the selection matched no ticket", Exit.NOTHING_MATCHED)


def _put_back(
    runtime: Runtime, job: str, *, rate: float | None, actor: str, note: str | None, live: bool
) -> dict[str, Any]:
    from store.replay import left, put_back
    from worker.publish import publish

    total = left(runtime.engine, job)
    if total == 0:
        raise Stop(f"job {job} has nothing left, or is not known", Exit.NOTHING_MATCHED)
    step = max(1, min(STEP, int(rate))) if rate else STEP
    replayed, refused = 0, Counter[str]()
    with progress(total, "replaying") as bar:
        while total:
            began = time.monotonic()
            lane = Lane.LIVE if live else Lane.BACKFILL
            done = put_back(runtime.engine, runtime.keys, job, limit=step, actor=actor, note=note, now=now(), lane=lane)
            publish(runtime, [row_id for row_id, _ in done.rows])
            replayed, refused = replayed + len(done.rows), refused + Counter(done.refused)
            bar.update(total - done.left)
            total = done.left
            if rate and total:
                time.sleep(max(0.0, step / rate - (time.monotonic() - began)))
    return {"replayed": replayed, "refused": refused}


def _refusals(refused: Any) -> str:
    return "".join(f", {number} refused ({reason})" for reason, number in sorted(refused.items()))


def _code(replayed: int, refused: dict[str, int]) -> Exit:
    if not refused:
        return Exit.DONE
    return Exit.PARTLY if replayed else Exit.REFUSED
