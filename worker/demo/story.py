"""The story that `afterword demo` tells without a file, read from `story.json`."""

import json
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from importlib.resources import files
from typing import Any

from pipeline.events import TicketClosed, validated_event
from pipeline.ids import CustomerRef


@dataclass(frozen=True, kw_only=True)
class _Titled:
    title: str


@dataclass(frozen=True, kw_only=True)
class Ticket(_Titled):
    event: TicketClosed


@dataclass(frozen=True, kw_only=True)
class Statement(_Titled):
    """What a business system or a person states."""

    ref: CustomerRef
    kind: str
    key: str
    value: str = field(repr=False)
    source: str
    observed_at: datetime


@dataclass(frozen=True, kw_only=True)
class Forget(_Titled):
    ref: CustomerRef


@dataclass(frozen=True, kw_only=True)
class Purge(_Titled):
    pass


@dataclass(frozen=True, kw_only=True)
class Recall(_Titled):
    ref: CustomerRef


Step = Ticket | Statement | Forget | Purge | Recall


def load_story(*, started: datetime) -> tuple[Step, ...]:
    """The steps in order. `started` (aware): when the demonstration first ran here, the story's last day."""
    raw = json.loads((files("worker.demo") / "story.json").read_text("utf-8"))
    last = max(step.get("day", 0) for step in raw["story"])
    return tuple(
        _step(step, raw["tenant"], started - timedelta(days=last - step.get("day", 0))) for step in raw["story"]
    )


def _step(raw: dict[str, Any], tenant: str, at: datetime) -> Step:
    title = raw["title"]
    if raw["what"] == "purge":
        return Purge(title=title)
    ref = CustomerRef(tenant=tenant, customer=raw["customer"])
    if raw["what"] == "ticket":
        return Ticket(title=title, event=_ticket(raw, ref, at))
    if raw["what"] == "statement":
        fields = {name: raw[name] for name in ("kind", "key", "value", "source")}
        return Statement(title=title, ref=ref, observed_at=at, **fields)
    return Forget(title=title, ref=ref) if raw["what"] == "forget" else Recall(title=title, ref=ref)


def _ticket(raw: dict[str, Any], ref: CustomerRef, at: datetime) -> TicketClosed:
    event = {
        "tenant": ref.tenant,
        "customer_id": ref.customer,
        "ticket_id": raw["ticket"],
        "closed_at": at.isoformat(),
        "messages": raw["messages"],
        "language": raw.get("language", "en"),
    }
    return validated_event(event, now=at)
