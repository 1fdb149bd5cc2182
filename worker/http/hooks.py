"""POST /v1/hooks/{vendor}/{tenant}: what a helpdesk's own webhook says, verified by the helpdesk's own signature.

Answers at once. Where the words have to be fetched, that is noted in the database and a worker does it.
"""

import json
import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Path
from fastapi import Request as HttpRequest
from fastapi.responses import JSONResponse
from pydantic import BaseModel
from starlette.concurrency import run_in_threadpool

from pipeline.events import InvalidEvent, TicketClosed, check_close, derived_id, validated_event
from pipeline.ids import BadId, CustomerRef
from store import fetches
from store.fetches import Wanted
from store.inbox import Outcome
from worker.adapters import ADAPTERS
from worker.adapters.base import Adapter, Closed, Deleted, Event, Ignored, Request, Unreadable
from worker.adapters.config import Hook
from worker.adapters.fetch import wake
from worker.http.auth import unauthorized
from worker.http.context import Context, Door
from worker.http.errors import Problem, answers
from worker.http.fields import PathId
from worker.http.memory import forget_customer

_TICKET = re.compile(r"[A-Za-z0-9_-]{1,100}")
"""A ticket's id goes into the path of an API: no vendor's has another shape."""
log = logging.getLogger("worker.http")
router = APIRouter(tags=["helpdesks"])
Vendor = Annotated[str, Path(max_length=20, description="; ".join(sorted(ADAPTERS)))]


class HookAnswer(BaseModel):
    """One outcome an event of the body: accepted, duplicate, conflict, fetching, forgotten or ignored."""

    outcomes: list[str]


@dataclass(frozen=True, kw_only=True)
class _Sender:
    """Which helpdesk of which tenant it is that calls."""

    vendor: str
    tenant: str
    adapter: Adapter
    hook: Hook

    def wanted(self, event: Closed, event_id: str) -> Wanted:
        return Wanted(
            tenant=self.tenant,
            vendor=self.vendor,
            ticket=event.ticket,
            event_id=event_id,
            closed_at=event.closed_at,
        )


_RESPONSES: dict[int | str, dict[str, Any]] = {
    202: {"model": HookAnswer, "description": "a close: it is safe, and read by a worker soon"},
    200: {"model": HookAnswer, "description": "nothing new, or not a close: ignored"},
    **answers(401, 404, 422, 429),
}
_BODY = {
    "requestBody": {
        "required": True,
        "content": {"application/json": {"schema": {"description": "whatever the vendor sends"}}},
    }
}


@router.post("/v1/hooks/{vendor}/{tenant}", status_code=202, responses=_RESPONSES, openapi_extra=_BODY)
async def post_hook(vendor: Vendor, tenant: PathId, request: HttpRequest, door: Door) -> JSONResponse:
    """A webhook of a helpdesk, signed by it."""
    return await _taken(door, vendor, tenant, request, key="")


@router.post("/v1/hooks/{vendor}/{tenant}/{key}", status_code=202, responses=_RESPONSES, openapi_extra=_BODY)
async def post_keyed_hook(
    vendor: Vendor, tenant: PathId, key: PathId, request: HttpRequest, door: Door
) -> JSONResponse:
    """The same, for a helpdesk that signs nothing and cannot send a header: the secret stands in the path."""
    return await _taken(door, vendor, tenant, request, key=key)


async def _taken(door: Context, vendor: str, tenant: str, request: HttpRequest, *, key: str) -> JSONResponse:
    body = await request.body()
    sender = _found(door, vendor, tenant)
    adapter = sender.adapter
    now = door.clock()
    sent = Request(
        headers=dict(request.headers), body=body, url=_called(door, request), key=key if adapter.keyed else "", now=now
    )
    # Every secret is tried, whichever fits: how long it takes tells nothing.
    if not any([adapter.verify(sent, secret) for secret in sender.hook.secrets]):  # noqa: C419
        raise unauthorized("signature_wrong", "no secret of this helpdesk signed this body, or it is too old")
    door.rates.check(f"hook:{vendor}:{tenant}")
    outcomes = [await _outcome(door, sender, event, now) for event in _events(adapter, body)]
    for outcome in outcomes:
        door.metrics.arrived(outcome, via=vendor)
    fresh = any(outcome in ("accepted", "fetching", "forgotten") for outcome in outcomes)
    return JSONResponse({"outcomes": outcomes}, 202 if fresh else 200)


def _found(door: Context, vendor: str, tenant: str) -> _Sender:
    """Raises Problem 404 for a vendor that is not known; 401 for a tenant who has none, as for a wrong signature: who
    our tenants are is nobody's business."""
    adapter = ADAPTERS.get(vendor)
    if adapter is None:
        raise Problem(404, "not_found", "no such helpdesk")
    hook = door.hooks.of(tenant, vendor)
    if hook is None:
        raise unauthorized("signature_wrong", "no secret of this helpdesk signed this body, or it is too old")
    return _Sender(vendor=vendor, tenant=tenant, adapter=adapter, hook=hook)


def _called(door: Context, request: HttpRequest) -> str:
    """What the vendor called, as it signed it: the public address, and the path as it was sent."""
    raw: bytes = request.scope.get("raw_path") or request.url.path.encode()
    query: bytes = request.scope.get("query_string", b"")
    path = raw.partition(b"?")[0].decode("latin-1") + (f"?{query.decode('latin-1')}" if query else "")
    return door.runtime.settings.public_url.rstrip("/") + path


def _events(adapter: Adapter, body: bytes) -> Sequence[Event]:
    """Raises Problem 400 and 422."""
    try:
        raw = json.loads(body)
    except (ValueError, RecursionError):
        raise Problem(400, "not_json", "the body is not JSON in UTF-8, or nested too deep") from None
    try:
        return adapter.read(raw)
    except (Unreadable, LookupError, TypeError, ValueError, AttributeError, RecursionError):
        raise Problem(422, "invalid_event", "the body is not what this helpdesk sends") from None


async def _outcome(door: Context, sender: _Sender, event: Event, now: datetime) -> str:
    if isinstance(event, Ignored):
        return "ignored"
    if isinstance(event, Deleted):
        await run_in_threadpool(_forget, door, sender, event)
        return "forgotten"
    event_id = derived_id("hook", sender.vendor, event.ticket, event.name)
    if sender.hook.fetches and sender.adapter.fetch is not None:
        return await run_in_threadpool(_note, door, sender.wanted(event, event_id), now)
    if not event.said or not event.customer:
        log.warning("nothing to read in the webhook, and no credential to fetch by", extra={"tenant": sender.tenant})
        return "ignored"
    accepted = await door.intake.take(_ticket(sender.tenant, event, event_id, now))
    return accepted.outcome.value


def _note(door: Context, wanted: Wanted, now: datetime) -> str:
    """Notes what is to be fetched and wakes a worker. Raises Problem 422, StoreError."""
    if not _TICKET.fullmatch(wanted.ticket):
        raise Problem(422, "invalid_event", "the ticket's id is not one of this helpdesk's")
    _check_close(wanted.closed_at, now)
    row_id = fetches.want(door.runtime.engine, door.runtime.keys, wanted, now=now)
    if row_id is None:
        return Outcome.DUPLICATE.value
    wake(door.runtime, (row_id,))
    return "fetching"


def _check_close(closed_at: datetime, now: datetime) -> None:
    try:
        check_close(closed_at, now=now)
    except InvalidEvent as error:
        raise Problem(422, "invalid_event", f"{error.field}: {error.problem}") from None


def _ticket(tenant: str, event: Closed, event_id: str, now: datetime) -> TicketClosed:
    raw = {
        "tenant": tenant,
        "event_id": event_id,
        "ticket_id": event.ticket,
        "customer_id": event.customer,
        "closed_at": event.closed_at.isoformat(),
        "messages": list(event.said),
        "customer_identifiers": dict(event.identifiers) or None,
    }
    try:
        return validated_event(raw, now=now)
    except InvalidEvent as error:
        raise Problem(422, "invalid_event", str(error)) from None


def _forget(door: Context, sender: _Sender, event: Deleted) -> None:
    try:
        refs = [CustomerRef(tenant=sender.tenant, customer=name) for name in event.customers]
    except BadId as error:
        raise Problem(422, "invalid_event", str(error)) from None
    for ref in refs:
        forget_customer(door, ref, actor=f"hook:{sender.vendor}")
