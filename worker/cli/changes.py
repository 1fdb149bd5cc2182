"""`afterword replay --compare`: which decisions another model or prompt would change."""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from worker.cli.exits import Exit, Stop
from worker.cli.output import emit, printable, say, shortened
from worker.runtime import Runtime

if TYPE_CHECKING:
    from store.replay import Selected
    from worker.compare import Comparison
    from worker.cost import Estimate


def show_changes(
    runtime: Runtime,
    found: "Selected",
    *,
    price: tuple[float, float] | None,
    ceiling: float | None,
    as_json: bool,
) -> Exit:
    """Reads the selected tickets again and prints what would change. Writes nothing."""
    from worker.compare import compared

    row_ids, cost = _affordable(runtime, found, price, ceiling)
    if not as_json:
        say(f"{cost}; nothing will be written")
    counted = Counter[str]()
    for one in compared(runtime, row_ids):
        counted.update(["not read"] if one.fault else [change.action for change in one.changes])
        counted["same"] += one.same
        _show(one, as_json)
    if not as_json:
        say("  ".join(f"{number} {name}" for name, number in sorted(counted.items())))
    return Exit.PARTLY if counted["not read"] else Exit.DONE


def _affordable(
    runtime: Runtime, found: "Selected", price: tuple[float, float] | None, ceiling: float | None
) -> "tuple[Sequence[str], Estimate]":
    from worker.compare import estimate
    from worker.cost import over, price_of

    if waits := runtime.settings.model_configured:
        raise Stop(waits, Exit.REFUSED)
    if not found.row_ids:
        raise Stop("the selection matched no ticket that can be read again", Exit.NOTHING_MATCHED)
    cost = estimate(runtime, found.row_ids, price_of(runtime.settings.model, price))
    if over(cost, ceiling):
        raise Stop(f"{cost}, more than --max-cost {ceiling:g}: take fewer with --limit", Exit.REFUSED)
    return found.row_ids, cost


def _show(one: "Comparison", as_json: bool) -> None:
    if as_json:
        emit(one.document())
    elif one.changes or one.fault:
        say(f"{one.ticket}: not read ({one.fault})" if one.fault else one.ticket)
        for change in one.changes:
            say(f"  {change.action:9}  {change.reason:20}  {change.key}: {shortened(printable(change.value))}")
