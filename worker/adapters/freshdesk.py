"""Freshdesk: an automation rule that posts the README's template. It signs nothing: a secret in X-Api-Key, or in the
path, is all there is. There is no event for a deleted contact.

https://developers.freshdesk.com/api/ (conversations: incoming, private)
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
    basic,
    from_iso,
    id_of,
    kept,
    known,
    message,
    same,
)

_RESOLVED, _CLOSED = 4, 5
_NAMES = {"resolved": _RESOLVED, "closed": _CLOSED}
_PAGE = 100
_MOST_PAGES = 50


def verify(request: Request, secret: str) -> bool:
    in_header = same(secret, request.headers.get("x-api-key", ""))
    return in_header or same(secret, request.key)


def read(body: Any) -> Sequence[Event]:
    ticket = body["ticket"]
    if _status(ticket["status"]) not in (_RESOLVED, _CLOSED):
        return [Ignored(why="not_a_close")]
    at = ticket.get("updated_at") or body["triggered_at"]
    return [
        Closed(
            ticket=id_of(ticket["id"]),
            closed_at=from_iso(at),
            name=str(at),
            customer=id_of(ticket["requester_id"]),
            said=kept(message("customer", ticket.get("description_text"))),
        )
    ]


def _status(value: Any) -> int:
    """A number, a number in quotes, or the name, as the placeholder was written in the rule."""
    text = str(value).strip().lower()
    return int(text) if text.isdecimal() else _NAMES.get(text, 0)


def fetch(api: Api, ticket: str, closed_at: datetime) -> Mapping[str, Any]:
    """The ticket's description and its conversations, 100 a page."""
    head = api.get(f"/api/v2/tickets/{ticket}", include="requester")
    said: list[Any] = []
    for page in range(1, _MOST_PAGES + 1):
        found = api.get(f"/api/v2/tickets/{ticket}/conversations", page=page, per_page=_PAGE)
        said += found
        if len(found) < _PAGE:
            break
    else:
        raise Endless
    who = head.get("requester") or {}
    opening = message("customer", head.get("description_text"), at=from_iso(head["created_at"]))
    return {
        "customer_id": id_of(head["requester_id"]),
        "customer_identifiers": known(name=who.get("name"), phone=who.get("phone"), email=who.get("email")),
        "messages": kept(opening, *(_message(one, head["requester_id"]) for one in said)),
    }


def _message(one: Mapping[str, Any], requester: Any) -> Any:
    role = "internal_note" if one.get("private") else "agent"
    if one.get("incoming"):  # a colleague's reply is incoming too, and nobody's evidence
        role = "customer" if one.get("user_id") == requester else "system"
    return message(role, one.get("body_text"), name=one["id"], at=from_iso(one["created_at"]))


def authorization(_user: str, token: str) -> Mapping[str, str]:
    """The API key stands where the name would, and any word where the password would."""
    return basic(token, "X")


ADAPTER = Adapter(verify=verify, read=read, authorization=authorization, fetch=fetch, keyed=True)
