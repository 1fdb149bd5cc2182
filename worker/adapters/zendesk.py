"""Zendesk event webhooks: `zen:event-type:ticket.status_changed`, and `user.deleted` as a forget.

https://developer.zendesk.com/api-reference/webhooks/event-types/ticket-events/ and
https://developer.zendesk.com/documentation/webhooks/verifying/
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from worker.adapters.base import (
    Adapter,
    Api,
    Closed,
    Deleted,
    Endless,
    Event,
    Ignored,
    Request,
    base64_sha256,
    basic,
    from_iso,
    id_of,
    kept,
    known,
    message,
    recent,
    same,
    signed_time,
)

_OVER = ("solved", "closed")
"""A solved ticket is closed by Zendesk itself days later: that is no second close."""
_PAGE = 100
_MOST_PAGES = 50


def verify(request: Request, secret: str) -> bool:
    stamp = request.headers.get("x-zendesk-webhook-signature-timestamp", "")
    expected = base64_sha256(secret, stamp.encode("utf-8", "replace") + request.body)
    right = same(expected, request.headers.get("x-zendesk-webhook-signature", ""))
    return right and recent(signed_time(stamp, from_iso), request.now)


def read(body: Any) -> Sequence[Event]:
    if body["type"] == "zen:event-type:user.deleted":
        return [Deleted(customers=(id_of(body["detail"]["id"]),))]
    if body["type"] != "zen:event-type:ticket.status_changed":
        return [Ignored(why="other_event")]
    now, before = (str(body["event"].get(name) or "").lower() for name in ("current", "previous"))
    if now not in _OVER or before in _OVER:
        return [Ignored(why="not_a_close")]
    detail = body["detail"]
    return [
        Closed(
            ticket=id_of(detail["id"]),
            closed_at=from_iso(body["time"]),
            name=str(body["time"]),
            customer=id_of(detail["requester_id"]),
            said=kept(message("customer", detail.get("description"))),
        )
    ]


def fetch(api: Api, ticket: str, closed_at: datetime) -> Mapping[str, Any]:
    """The ticket and all its comments, 100 a page by cursor."""
    head = api.get(f"/api/v2/tickets/{ticket}.json", include="users")
    requester = head["ticket"]["requester_id"]
    people = {user["id"]: user for user in head.get("users", ())}
    comments: list[Any] = []
    asked: dict[str, str | int] = {"page[size]": _PAGE, "include": "users"}
    for _ in range(_MOST_PAGES):
        page = api.get(f"/api/v2/tickets/{ticket}/comments.json", **asked)
        comments += page["comments"]
        people |= {user["id"]: user for user in page.get("users", ())}
        meta = page.get("meta") or {}
        if not meta.get("has_more"):
            break
        asked["page[after]"] = meta["after_cursor"]
    else:
        raise Endless
    who = people.get(requester, {})
    return {
        "customer_id": id_of(requester),
        "customer_identifiers": known(name=who.get("name"), phone=who.get("phone"), email=who.get("email")),
        "messages": kept(*(_message(comment, requester, people) for comment in comments)),
    }


def _message(comment: Mapping[str, Any], requester: Any, people: Mapping[Any, Mapping[str, Any]]) -> Any:
    text = comment.get("plain_body") or comment.get("body")
    role = _role(comment, requester, people)
    return message(role, text, name=comment["id"], at=from_iso(comment["created_at"]))


def _role(comment: Mapping[str, Any], requester: Any, people: Mapping[Any, Mapping[str, Any]]) -> str:
    """Somebody else's words (a colleague in copy) are nobody's evidence."""
    if not comment.get("public", True):
        return "internal_note"
    if comment["author_id"] == requester:
        return "customer"
    return "system" if people.get(comment["author_id"], {}).get("role") == "end-user" else "agent"


ADAPTER = Adapter(verify=verify, read=read, authorization=basic, fetch=fetch)
