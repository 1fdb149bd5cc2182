"""What is expected of each helpdesk's webhook: rows that the adapters' tests go through. One a vendor in each table."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
PAYLOADS = ROOT / "tests" / "data" / "payloads"
SECRET = "fixture-secret-not-real"
NOW = datetime.fromtimestamp(1795939200, UTC)
CUSTOMERS = {
    "zendesk": "300007",
    "intercom": "C007",
    "freshdesk": "300007",
    "chatwoot": "C007",
    "zammad": "7",
    "hubspot": "",
}


def payload(vendor: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((PAYLOADS / f"{vendor}.json").read_text("utf-8"))
    return found


def put(*path: str | int) -> Callable[[Any], Callable[[Any], None]]:
    """`put(a, b)(value)` changes body[a][b]."""

    def with_value(value: Any) -> Callable[[Any], None]:
        def change(body: Any) -> None:
            for name in path[:-1]:
                body = body[name]
            body[path[-1]] = value

        return change

    return with_value


NOT_A_CLOSE: list[tuple[str, Callable[[Any], None]]] = [
    ("zendesk", put("event", "current")("open")),
    ("zendesk", put("event", "previous")("solved")),
    ("zendesk", put("type")("zen:event-type:ticket.created")),
    ("intercom", put("topic")("conversation.admin.opened")),
    ("intercom", put("topic")("ping")),
    ("freshdesk", put("ticket", "status")(2)),
    ("freshdesk", put("ticket", "status")("Open")),
    ("chatwoot", put("status")("open")),
    ("chatwoot", put("event")("message_created")),
    ("chatwoot", put("changed_attributes", 0, "status", "previous_value")("resolved")),
    ("zammad", put("ticket", "state")("open")),
    ("hubspot", put(0, "subscriptionType")("ticket.creation")),
    ("hubspot", put(0, "propertyName")("subject")),
]


NO_ID: tuple[Any, ...] = (None, {"a": 1}, {}, ["7"], [], True, False, 7.5, "", " ")
"""What an id never is."""

TICKETS: dict[str, tuple[str | int, ...]] = {
    "zendesk": ("detail", "id"),
    "intercom": ("data", "item", "id"),
    "freshdesk": ("ticket", "id"),
    "chatwoot": ("id",),
    "zammad": ("ticket", "id"),
    "hubspot": (0, "objectId"),
}
"""Where each webhook names the ticket."""

NAMES: dict[str, tuple[tuple[str | int, ...], ...]] = {
    "zendesk": (("detail", "requester_id"),),
    "intercom": tuple(("data", "item", "contacts", "contacts", 0, name) for name in ("external_id", "id")),
    "freshdesk": (("ticket", "requester_id"),),
    "chatwoot": (("meta", "sender", "identifier"), ("meta", "sender", "id")),
    "zammad": (("ticket", "customer_id"),),
}
"""Where each webhook names the customer, first what counts first. HubSpot's does not."""


LATER: dict[str, Callable[[Any], None]] = {
    "zendesk": put("time")("2026-11-30T08:00:00Z"),
    "intercom": put("created_at")(1796025600),
    "freshdesk": put("ticket", "updated_at")("2026-11-30T08:00:00Z"),
    "chatwoot": put("updated_at")(1796025600.5),
    "zammad": put("ticket", "updated_at")("2026-11-30T08:00:00.000Z"),
    "hubspot": put(0, "occurredAt")(1796025600000),
}
