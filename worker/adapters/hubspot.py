"""HubSpot webhooks, in batches: a ticket's pipeline stage has changed; a contact's deletion is a forget.

The body carries ids alone, and which stage means closed is each pipeline's own affair, so both the stage and the words
are fetched: without credentials nothing can be read. https://developers.hubspot.com/docs/api/webhooks and
https://developers.hubspot.com/docs/api/webhooks/validating-requests (v3)
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
    bearer,
    from_iso,
    from_milliseconds,
    id_of,
    kept,
    known,
    message,
    recent,
    same,
    signed_time,
)
from worker.adapters.plain_text import plain_text

_DELETIONS = ("contact.deletion", "contact.privacyDeletion")
_DIRECTIONS = {"INCOMING": "customer", "OUTGOING": "agent"}
_PAGE = 100
_MOST_PAGES = 50


def verify(request: Request, secret: str) -> bool:
    stamp = request.headers.get("x-hubspot-request-timestamp", "")
    signed = b"POST" + request.url.encode() + request.body + stamp.encode("utf-8", "replace")
    right = same(base64_sha256(secret, signed), request.headers.get("x-hubspot-signature-v3", ""))
    return right and recent(signed_time(stamp, from_milliseconds), request.now)


def read(body: Any) -> Sequence[Event]:
    return [_event(one) for one in body]


def _event(one: Mapping[str, Any]) -> Event:
    kind = one["subscriptionType"]
    if kind in _DELETIONS:
        return Deleted(customers=(id_of(one["objectId"]),))
    if kind != "ticket.propertyChange" or one.get("propertyName") != "hs_pipeline_stage":
        return Ignored(why="other_event")
    at = one["occurredAt"]
    return Closed(ticket=id_of(one["objectId"]), closed_at=from_milliseconds(at), name=str(at))


def fetch(api: Api, ticket: str, closed_at: datetime) -> Mapping[str, Any] | None:
    """None where the stage it is in now does not mean closed."""
    wanted = {"properties": "subject,content,hs_pipeline,hs_pipeline_stage", "associations": "contacts,conversations"}
    head = api.get(f"/crm/v3/objects/tickets/{ticket}", **wanted)
    fields = head["properties"]
    pipeline, stage_id = id_of(fields["hs_pipeline"]), id_of(fields["hs_pipeline_stage"])
    stage = api.get(f"/crm/v3/pipelines/tickets/{pipeline}/stages/{stage_id}")
    contacts = _associated(head, "contacts")
    if str(stage["metadata"].get("ticketState", "")).upper() != "CLOSED" or not contacts:
        return None
    contact = api.get(f"/crm/v3/objects/contacts/{contacts[0]}", properties="firstname,lastname,email,phone")
    said = [one for thread in _associated(head, "conversations") for one in _thread(api, thread)]
    return {
        "customer_id": contacts[0],
        "customer_identifiers": _identifiers(contact["properties"]),
        "messages": kept(message("customer", fields.get("content")), *(_message(one) for one in said)),
    }


def _associated(head: Mapping[str, Any], kind: str) -> list[str]:
    found = ((head.get("associations") or {}).get(kind) or {}).get("results") or ()
    return [id_of(one["id"]) for one in found]


def _thread(api: Api, thread: str) -> list[Any]:
    found: list[Any] = []
    after: dict[str, str] = {}
    for _ in range(_MOST_PAGES):
        page = api.get(f"/conversations/v3/conversations/threads/{thread}/messages", limit=_PAGE, **after)
        found += page["results"]
        following = ((page.get("paging") or {}).get("next") or {}).get("after")
        if not following:
            break
        after = {"after": following}
    else:
        raise Endless
    return sorted(found, key=lambda one: str(one.get("createdAt")))


def _message(one: Mapping[str, Any]) -> Any:
    role = "internal_note" if one.get("type") == "COMMENT" else _DIRECTIONS.get(str(one.get("direction")), "system")
    text = one.get("text") or plain_text(one.get("richText"))
    return message(role, text, name=one["id"], at=from_iso(one["createdAt"]))


def _identifiers(fields: Mapping[str, Any]) -> dict[str, str]:
    name = " ".join(filter(None, (fields.get("firstname"), fields.get("lastname"))))
    return known(name=name, phone=fields.get("phone"), email=fields.get("email"))


ADAPTER = Adapter(verify=verify, read=read, authorization=bearer, fetch=fetch)
