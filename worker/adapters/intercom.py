"""Intercom webhooks: `conversation.admin.closed`, and `contact.deleted` as a forget.

https://developers.intercom.com/docs/references/webhooks/webhook-models and
https://developers.intercom.com/docs/webhooks/webhook-notifications (X-Hub-Signature)
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from worker.adapters.base import (
    Adapter,
    Api,
    Closed,
    Deleted,
    Event,
    Ignored,
    Request,
    Unreadable,
    from_seconds,
    hexadecimal,
    id_of,
    ids_of,
    kept,
    known,
    message,
    same,
)
from worker.adapters.plain_text import plain_text

_ROLES = {
    "user": "customer",
    "lead": "customer",
    "contact": "customer",
    "admin": "agent",
    "team": "agent",
    "bot": "bot",
}
VERSION = "2.11"


def verify(request: Request, secret: str) -> bool:
    return same("sha1=" + hexadecimal("sha1", secret, request.body), request.headers.get("x-hub-signature", ""))


def read(body: Any) -> Sequence[Event]:
    topic = body["topic"]
    if topic == "contact.deleted":
        return [Deleted(customers=ids_of(body["data"]["item"], "external_id", "id"))]
    if topic != "conversation.admin.closed":
        return [Ignored(why="other_event")]
    item = body["data"]["item"]
    return [
        Closed(
            ticket=id_of(item["id"]),
            closed_at=from_seconds(body["created_at"]),
            name=str(body["created_at"]),
            customer=customer(item),
            said=_messages(item),
            identifiers=_identifiers(item),
        )
    ]


def customer(item: Mapping[str, Any]) -> str:
    """The business's own name for the customer, else Intercom's."""
    contacts = (item.get("contacts") or {}).get("contacts") or ()
    if not contacts:
        raise Unreadable("contacts")
    return ids_of(contacts[0], "external_id", "id")[0]


def fetch(api: Api, ticket: str, closed_at: datetime) -> Mapping[str, Any]:
    """The conversation with its parts: one request, at most 500 parts."""
    item = api.get(f"/conversations/{ticket}", display_as="plaintext")
    return {"customer_id": customer(item), "customer_identifiers": _identifiers(item), "messages": _messages(item)}


def _messages(item: Mapping[str, Any]) -> tuple[Mapping[str, Any], ...]:
    source = item.get("source") or {}
    parts = (item.get("conversation_parts") or {}).get("conversation_parts") or ()
    opening = {**source, "part_type": "comment", "created_at": item.get("created_at")}
    return kept(*(_message(part) for part in (opening, *parts)))


def _message(part: Mapping[str, Any]) -> Any:
    role = _ROLES.get(str((part.get("author") or {}).get("type")), "system")
    if part.get("part_type") == "note":
        role = "internal_note"
    at = from_seconds(part["created_at"]) if part.get("created_at") else None
    return message(role, plain_text(part.get("body")), name=part.get("id"), at=at)


def _identifiers(item: Mapping[str, Any]) -> dict[str, str]:
    author = (item.get("source") or {}).get("author") or {}
    if _ROLES.get(str(author.get("type"))) != "customer":
        return {}
    return known(name=author.get("name"), phone=author.get("phone"), email=author.get("email"))


def authorization(_user: str, token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}", "Intercom-Version": VERSION}


ADAPTER = Adapter(verify=verify, read=read, authorization=authorization, fetch=fetch)
