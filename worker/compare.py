"""What another model or prompt would change about finished tickets. Asks the model and writes nothing.

The decisions are the real ones: they are taken in a transaction that is rolled back.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import func, select

from pipeline.events import TicketClosed
from pipeline.facts import Decision, Observation
from store.engine import reading
from store.models import events, observations
from store.payload import Undecryptable, opened
from store.scope import customer_reading, customer_writing
from store.write import replace_event
from worker import house
from worker.cost import Estimate, priced
from worker.process import Read, read_event
from worker.process import observations as observed
from worker.runtime import Runtime

WITHDRAWN = "WITHDRAWN"
"""Said then, and said no more: replay would take it back."""
_CHUNK = 500


class _Undo(Exception):
    """Leaves the transaction without a commit."""


@dataclass(frozen=True, kw_only=True)
class Change:
    """One decision that a replay would add, or take back."""

    action: str
    reason: str
    key: str
    value: str = field(repr=False)

    def document(self) -> dict[str, str]:
        return {"action": self.action, "reason": self.reason, "key": self.key, "value": self.value}


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """One ticket read again. `same`: what it would say once more; `refused`: by gates, by reason code; `fault`: why it
    could not be read."""

    tenant: str
    event_id: str
    ticket: str
    changes: tuple[Change, ...] = ()
    same: int = 0
    refused: dict[str, int] = field(default_factory=dict)
    prompt_tokens: int = 0
    reply_tokens: int = 0
    fault: str = ""

    def document(self) -> dict[str, Any]:
        return {
            "tenant": self.tenant,
            "event_id": self.event_id,
            "ticket": self.ticket,
            "changes": [change.document() for change in self.changes],
            "same": self.same,
            "refused": self.refused,
            "fault": self.fault,
        }


def estimate(runtime: Runtime, row_ids: Sequence[str], price: tuple[float, float] | None) -> Estimate:
    """What reading these again costs: the tokens that they took, or a mean of those where a ticket has no figure. The
    offline rules cost nothing."""
    if runtime.settings.extractor == "rules":
        return priced(calls=0, prompt_tokens=0, price=(0.0, 0.0))
    calls = prompt = reply = 0
    with reading(runtime.engine) as connection:
        for start in range(0, len(row_ids), _CHUNK):
            c = events.c
            query = select(
                func.count(c.prompt_tokens), func.sum(c.prompt_tokens), func.sum(c.reply_tokens)
            ).where(c.id.in_(row_ids[start : start + _CHUNK]), c.prompt_tokens > 0)  # fmt: skip
            known, sum_in, sum_out = connection.execute(query).one()
            calls, prompt, reply = calls + known, prompt + int(sum_in or 0), reply + int(sum_out or 0)
    scale = len(row_ids) / calls if calls else 0.0
    tokens_in = round(prompt * scale) if calls else len(row_ids) * runtime.settings.prompt_budget
    tokens_out = round(reply * scale) if calls else None
    return priced(calls=len(row_ids), prompt_tokens=tokens_in, reply_tokens=tokens_out, price=price)


def compared(runtime: Runtime, row_ids: Sequence[str]) -> Iterator[Comparison]:
    """Every row read again, in order, with what would change. Raises StoreUnavailable."""
    for row_id in row_ids:
        found = _event(runtime, row_id)
        if found is not None:
            yield _comparison(runtime, row_id, found)


def _event(runtime: Runtime, row_id: str) -> TicketClosed | None:
    """The ticket, None where its text is gone meanwhile."""
    query = select(events.c.payload, events.c.tenant).where(events.c.id == row_id, events.c.payload.is_not(None))
    with reading(runtime.engine) as connection:
        row = connection.execute(query).first()
    try:
        return opened(runtime.keys, row.payload, row_id=row_id, tenant=row.tenant) if row else None
    except Undecryptable:
        return None


def _comparison(runtime: Runtime, row_id: str, event: TicketClosed) -> Comparison:
    named = Comparison(tenant=event.tenant, event_id=event.event_id, ticket=event.ticket_id)
    answer = read_event(runtime, event)
    if not isinstance(answer, Read):
        return replace(named, fault=answer.reason.value)
    kept = observed(runtime, event, answer, row_id=row_id)
    before = _stated(runtime, event, row_id)
    decisions = _decided(runtime, event, row_id, kept)
    refused: dict[str, int] = {}
    for one in answer.judged:
        if one.verdict.reason:
            refused[one.verdict.reason.value] = refused.get(one.verdict.reason.value, 0) + 1
    return replace(
        named,
        changes=tuple(_changes(before, kept, decisions)),
        same=sum(one.id in before for one in kept),
        refused=refused,
        prompt_tokens=answer.proposal.prompt_tokens,
        reply_tokens=answer.proposal.reply_tokens,
    )


def _stated(runtime: Runtime, event: TicketClosed, row_id: str) -> dict[str, tuple[str, str]]:
    """What the event said before: key and value by observation id."""
    c = observations.c
    with customer_reading(runtime.engine, event.ref) as view:
        rows = view.select(observations, c.event == row_id, c.withdrawn_at.is_(None), columns=[c.id, c.key, c.value])
        return {row.id: (row.key, row.value) for row in rows}


def _decided(runtime: Runtime, event: TicketClosed, row_id: str, kept: Sequence[Observation]) -> tuple[Decision, ...]:
    decided: list[Decision] = []
    with suppress(_Undo), customer_writing(runtime.engine, runtime.keys, event.ref, now=datetime.now(UTC)) as tx:
        decided += replace_event(tx, row_id, kept, rules=house.rules(runtime, event.tenant))
        raise _Undo
    return tuple(decided)


def _changes(
    before: dict[str, tuple[str, str]], kept: Sequence[Observation], decisions: Sequence[Decision]
) -> Iterator[Change]:
    for one, decision in zip(kept, decisions, strict=True):
        if one.id not in before:
            yield Change(action=decision.action.value, reason=decision.reason.value, key=one.slot.key, value=one.value)
    now = {one.id for one in kept}
    for name, (key, value) in before.items():
        if name not in now:
            yield Change(action=WITHDRAWN, reason="replayed", key=key, value=value)
