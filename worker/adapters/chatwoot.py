"""Chatwoot account webhooks: `conversation_status_changed` with status resolved. No event tells of a deleted contact.

https://github.com/chatwoot/chatwoot: app/presenters/conversations/event_data_presenter.rb, lib/webhooks/trigger.rb
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from worker.adapters.base import (
    Adapter,
    Api,
    Closed,
    Endless,
    Event,
    Ignored,
    Request,
    from_seconds,
    hexadecimal,
    id_of,
    ids_of,
    kept,
    known,
    message,
    recent,
    same,
    signed_time,
)

_TYPES = {0: "customer", 1: "agent", 2: "system", 3: "bot"}
"""message_type: incoming, outgoing, activity, template."""
_MOST_PAGES = 250


def verify(request: Request, secret: str) -> bool:
    stamp = request.headers.get("x-chatwoot-timestamp", "")
    expected = "sha256=" + hexadecimal("sha256", secret, stamp.encode("utf-8", "replace") + b"." + request.body)
    right = same(expected, request.headers.get("x-chatwoot-signature", ""))
    return right and recent(signed_time(stamp, from_seconds), request.now)


def read(body: Any) -> Sequence[Event]:
    if body["event"] != "conversation_status_changed":
        return [Ignored(why="other_event")]
    if body["status"] != "resolved" or _before(body) == "resolved":
        return [Ignored(why="not_a_close")]
    return [
        Closed(
            ticket=f"{id_of(body['account']['id'])}-{id_of(body['id'])}",  # `id` counts within the account
            closed_at=from_seconds(body["updated_at"]),
            name=str(body["updated_at"]),
            customer=customer(body),
            said=kept(*(_message(one) for one in body.get("messages") or ())),
            identifiers=_identifiers(body),
        )
    ]


def _before(body: Mapping[str, Any]) -> Any:
    """What the status was, where the webhook says so."""
    changes = body.get("changed_attributes") or ()
    return next((one["status"].get("previous_value") for one in changes if "status" in one), None)


def customer(conversation: Mapping[str, Any]) -> str:
    """The business's own name for the customer, else Chatwoot's."""
    return ids_of(conversation["meta"]["sender"], "identifier", "id")[0]


def fetch(api: Api, ticket: str, closed_at: datetime) -> Mapping[str, Any]:
    """The conversation and its messages: the newest page first, older ones by `before`."""
    account, _, number = ticket.partition("-")
    path = f"/api/v1/accounts/{account}/conversations/{number}"
    conversation = api.get(path)
    found: dict[Any, Any] = {}
    before: dict[str, int] = {}
    for _ in range(_MOST_PAGES):
        page = api.get(f"{path}/messages", **before)["payload"]
        fresh = {one["id"]: one for one in page if one["id"] not in found}
        if not fresh:
            break
        found |= fresh
        before = {"before": min(found)}
    else:
        raise Endless
    return {
        "customer_id": customer(conversation),
        "customer_identifiers": _identifiers(conversation),
        "messages": kept(*(_message(found[name]) for name in sorted(found))),
    }


def _message(one: Mapping[str, Any]) -> Any:
    role = _TYPES.get(one.get("message_type", 2), "system")
    if (one.get("sender") or {}).get("type") == "agent_bot":
        role = "bot"
    if one.get("private"):
        role = "internal_note"
    return message(role, one.get("content"), name=one["id"], at=from_seconds(one["created_at"]))


def _identifiers(conversation: Mapping[str, Any]) -> dict[str, str]:
    sender = conversation["meta"]["sender"]
    return known(name=sender.get("name"), phone=sender.get("phone_number"), email=sender.get("email"))


def authorization(_user: str, token: str) -> dict[str, str]:
    return {"api_access_token": token}


ADAPTER = Adapter(verify=verify, read=read, authorization=authorization, fetch=fetch)
