"""What must hold once everything has settled, whatever happened before: one function, for every fault and the soak."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from fake_openai import fake_openai
from sqlalchemy import Engine, func, select

from pipeline.events import TicketClosed
from store.engine import reading
from store.models import audit, events, facts, observations
from worker.process import Ended, process
from worker.publish import inbox
from worker.runtime import open_runtime
from worker.settings import read_settings

KEY = "ab" * 32
FACT = tuple(
    facts.c[name]
    for name in (
        "tenant", "customer", "key", "slot_ticket", "kind", "value", "source", "confidence", "importance", "valid_from",
        "valid_to", "expires_at", "evidence",
    )
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Happened:
    """What a run leaves behind, beside its database."""

    accepted: Mapping[str, TicketClosed]
    """By row id."""
    calls: Mapping[str, int]
    """Model calls by row id."""
    logs: str
    redis: str
    """All that was in Redis or said to it."""
    canary: str


def violations(engine: Engine, happened: Happened, folder: Path) -> list[str]:
    """Each promise that was broken, in words; none is what a test wants to see. `folder` is for a memory of our own."""
    with reading(engine) as connection:
        rows = {row.id: row for row in connection.execute(select(events)).all()}
        held = _memory(connection)
        decisions = _decisions(connection)
        doubles = list(_doubled_slots(connection))
    done = [row_id for row_id, row in rows.items() if row.state == "done" and row_id in happened.accepted]
    expected = fault_free([happened.accepted[row_id] for row_id in done], folder)
    return [
        *_unaccounted(rows, happened.accepted),
        *(f"two live facts in slot {slot}" for slot in doubles),
        *_undecided(decisions, expected, done),
        *(f"remembered, but not without faults: {fact}" for fact in held - expected.facts),
        *(f"remembered without faults, but not now: {fact}" for fact in expected.facts - held),
        *_called_too_often(rows, happened),
        *(f"customer text in {name}" for name in ("redis", "logs") if happened.canary in getattr(happened, name)),
    ]


# --- a run in which nothing happens -----------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Memory:
    """What there is to compare. `decisions` counts audit lines by (event, observation)."""

    facts: frozenset[tuple[Any, ...]]
    decisions: Counter[tuple[str, str | None]]


def fault_free(tickets: Sequence[TicketClosed], folder: Path) -> Memory:
    """What is remembered of these tickets where each is read once, one after the other."""
    home = folder / f"fault-free-{len(list(folder.iterdir()))}"
    with fake_openai() as model:
        given = {"AFTERWORD_HOME": str(home), "AFTERWORD_KEY": KEY, "AFTERWORD_MODEL": "fake"}
        runtime = open_runtime(read_settings(given | {"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": model.url}))
        for answer in inbox.accept(runtime.engine, runtime.keys, tickets, now=datetime.now(UTC)):
            assert process(runtime, answer.row_id) is Ended.DONE
        with reading(runtime.engine) as connection:
            memory = Memory(facts=_memory(connection), decisions=_decisions(connection))
        runtime.close()
    return memory


def _memory(connection: Any) -> frozenset[tuple[Any, ...]]:
    """Facts as they are recorded now, those of the past too, with the observations that they rest on."""
    found = connection.execute(select(*FACT).where(facts.c.recorded_to.is_(None))).all()
    return frozenset((*row[:-1], tuple(row.evidence)) for row in found)


def _decisions(connection: Any) -> Counter[tuple[str, str | None]]:
    query = select(audit.c.event, audit.c.observation).where(audit.c.action.in_(("write", "withdraw")))
    return Counter((row.event, row.observation) for row in connection.execute(query))


# --- the promises -----------------------------------------------------------------------------------------------------


def _unaccounted(rows: Mapping[str, Any], accepted: Collection[str]) -> Iterator[str]:
    for row_id in accepted:
        state = rows[row_id].state if row_id in rows else "gone"
        if state not in ("done", "dead", "erased"):
            yield f"accepted, and {state}: {row_id}"


def _doubled_slots(connection: Any) -> Iterator[str]:
    slot = (facts.c.tenant, facts.c.customer, facts.c.key, facts.c.slot_ticket)
    live = (facts.c.recorded_to.is_(None), facts.c.valid_to.is_(None))
    yield from map(str, connection.execute(select(*slot).where(*live).group_by(*slot).having(func.count() > 1)))
    same = (observations.c.event, observations.c.key, observations.c.slot_ticket, observations.c.message)
    yield from map(str, connection.execute(select(*same).group_by(*same).having(func.count() > 1)))


def _undecided(decisions: Counter[Any], expected: Memory, done: Collection[str]) -> Iterator[str]:
    """One audit line a decision: as many of each as without faults, and none about anything else."""
    for (event, observation), lines in (decisions - expected.decisions).items():
        if event is None or event in done:
            yield f"{lines} audit lines too many: {event} {observation}"
    for (event, observation), lines in (expected.decisions - decisions).items():
        yield f"{lines} audit lines missing: {event} {observation}"


def _called_too_often(rows: Mapping[str, Any], happened: Happened) -> Iterator[str]:
    """A ticket is asked about once, and once more for each time that it went back: lost with its worker, put back after
    a passing fault (each is logged), or handed back by a worker that was asked to stop (counted in the log)."""
    put_back = Counter(re.findall(r"put back event=(\w+)", happened.logs))
    handed_back = sum(int(count) for count in re.findall(r"it was handed back count=(\d+)", happened.logs))
    excess = 0
    for row_id, calls in happened.calls.items():
        row = rows.get(row_id)
        if row is None or row.state == "erased":
            continue
        excess += max(0, calls - 1 - row.crashes - put_back[row_id])
        if calls > row.fence:
            yield f"{calls} model calls for {row.fence} claims: {row_id}"
    if excess > handed_back:
        yield f"{excess} model calls too many, {handed_back} tickets handed back"
