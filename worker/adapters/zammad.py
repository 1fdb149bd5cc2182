"""Zammad: a trigger (state is closed, has changed) with a webhook. There is no event for a deleted customer.

https://admin-docs.zammad.org/en/latest/manage/webhook.html (payload, X-Hub-Signature)
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from worker.adapters.base import (
    Adapter,
    Api,
    Closed,
    Event,
    Ignored,
    Request,
    from_iso,
    hexadecimal,
    id_of,
    kept,
    known,
    message,
    same,
)
from worker.adapters.plain_text import plain_text

_ROLES = {"Customer": "customer", "Agent": "agent", "System": "system"}


def verify(request: Request, secret: str) -> bool:
    return same("sha1=" + hexadecimal("sha1", secret, request.body), request.headers.get("x-hub-signature", ""))


def read(body: Any) -> Sequence[Event]:
    ticket = body["ticket"]
    state = ticket["state"]  # a name, or an object that has one
    if str(state["name"] if isinstance(state, Mapping) else state).lower() != "closed":
        return [Ignored(why="not_a_close")]
    at = ticket.get("updated_at") or ticket["close_at"]  # close_at may stay that of the first close
    article = body.get("article") or {}
    return [
        Closed(
            ticket=id_of(ticket["id"]),
            closed_at=from_iso(at),
            name=str(at),
            customer=id_of(ticket["customer_id"]),
            said=kept(_message(article) if article else None),
            identifiers=_identifiers(ticket.get("customer")),
        )
    ]


def fetch(api: Api, ticket: str, closed_at: datetime) -> Mapping[str, Any]:
    """The ticket, its customer and all its articles: Zammad gives them in one piece."""
    head = api.get(f"/api/v1/tickets/{ticket}")
    customer = id_of(head["customer_id"])
    who = api.get(f"/api/v1/users/{customer}")
    articles = api.get(f"/api/v1/ticket_articles/by_ticket/{ticket}")
    return {
        "customer_id": customer,
        "customer_identifiers": _identifiers(who),
        "messages": kept(*(_message(one) for one in articles)),
    }


def _message(article: Mapping[str, Any]) -> Any:
    role = "internal_note" if article.get("internal") else _ROLES.get(str(article.get("sender")), "system")
    html = str(article.get("content_type", "")).startswith("text/html")
    text = plain_text(article.get("body")) if html else article.get("body")
    return message(role, text, name=article["id"], at=from_iso(article["created_at"]))


def _identifiers(who: Any) -> dict[str, str]:
    if not isinstance(who, Mapping):
        return {}
    name = " ".join(filter(None, (who.get("firstname"), who.get("lastname"))))
    return known(name=name, phone=who.get("phone") or who.get("mobile"), email=who.get("email"))


def authorization(_user: str, token: str) -> dict[str, str]:
    return {"Authorization": f"Token token={token}"}


ADAPTER = Adapter(verify=verify, read=read, authorization=authorization, fetch=fetch)
