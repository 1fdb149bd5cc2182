"""Lines of a file as events: whole TicketClosed lines, or bare dialogues whose missing fields are filled in.

What is filled in comes from the content, so the same file a second time gives the same events: duplicates.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, time
from typing import Any

from pipeline.events import InvalidEvent, TicketClosed, derived_id, validated_event
from pipeline.wire import numbered_lines

TENANT = "demo"
ROLES = {"user": "customer", "assistant": "agent"}
"""Names that chat data sets use for our roles."""


@dataclass(frozen=True, kw_only=True)
class Line:
    """One line of the file: its number from 1, and the event, or what is wrong with it."""

    number: int
    event: TicketClosed | None = None
    error: InvalidEvent | None = None


def read_lines(lines: Iterable[str], *, closed_at: datetime, now: datetime) -> Iterator[Line]:
    """Every non-blank line as an event or an error. `closed_at` is for dialogues that do not say when they ended."""
    for number, text in numbered_lines(lines):
        try:
            yield Line(number=number, event=_event(text, closed_at=closed_at, now=now))
        except InvalidEvent as error:
            yield Line(number=number, error=error)


def _event(text: str, *, closed_at: datetime, now: datetime) -> TicketClosed:
    try:
        raw = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidEvent("line", "is not JSON") from error
    bare = isinstance(raw, dict) and isinstance(raw.get("messages"), list) and "ticket_id" not in raw
    return validated_event(_filled(raw, closed_at) if bare else raw, now=now)


def _filled(raw: dict[str, Any], closed_at: datetime) -> dict[str, Any]:
    content = derived_id(json.dumps(raw["messages"], sort_keys=True))
    name = str(raw.get("dialogue_id") or content)
    return {
        "tenant": TENANT,
        "customer_id": str(raw.get("customer_id") or f"c-{content[:12]}"),
        "ticket_id": name,
        "event_id": derived_id(TENANT, name, content),
        "closed_at": _closed_at(raw, closed_at).isoformat(),
        "messages": [_message(message) for message in raw["messages"]],
    }


def _message(raw: Any) -> Any:
    if not isinstance(raw, dict):
        return raw
    return {"role": ROLES.get(raw.get("role", ""), raw.get("role")), "text": raw.get("text", raw.get("content"))}


def _closed_at(raw: dict[str, Any], default: datetime) -> datetime:
    """The dialogue's own close or session date where it has one that can be read, else the default."""
    for name in ("closed_at", "session_date"):
        try:
            moment = datetime.fromisoformat(str(raw[name]))
        except (KeyError, ValueError):
            continue
        return moment if moment.tzinfo else datetime.combine(moment.date(), time(12), UTC)
    return default
