"""POST /v1/events: a closed ticket as a CloudEvent, signed or with a token. Answers once its row is committed."""

import json
from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request, Security
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field
from starlette.concurrency import run_in_threadpool
from starlette.types import ASGIApp, Receive, Send
from starlette.types import Scope as Connection

from pipeline.events import InvalidEvent, TicketClosed, derived_id, validated_event
from pipeline.invalid import told
from pipeline.wire import whole
from store.counts import event_shown
from store.inbox import Accepted, Outcome
from store.tokens import Scope, Token
from worker.http import webhooks
from worker.http.auth import BEARER, allowed, bearer_of, checked_token, needs, own_tenant, unauthorized
from worker.http.context import Context, Door
from worker.http.errors import Problem, answer_to, answers, guarded
from worker.http.fields import PathId

PATH = "/v1/events"
TYPE = "helpdesk.ticket.closed.v1"
MAX_ATTRIBUTE = 1_000
READ_AT_ONCE = 50_000
"""Bytes that are verified and parsed where they arrive, in less time than handing them to a thread takes."""
router = APIRouter(tags=["events"])


class EventAnswer(BaseModel):
    """`event_id` is what GET /v1/events/{event_id} and `afterword events show` know the ticket by."""

    outcome: str = Field(examples=["accepted"])
    event_id: str
    state: str = Field(examples=["pending"])


class EventStatus(BaseModel):
    """How far a ticket has come. `reason` is one of the README's codes."""

    event_id: str
    state: str
    reason: str | None
    attempts: int
    received_at: str | None
    finished_at: str | None


_ID = {"type": "string", "minLength": 1, "maxLength": 200, "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f]+$"}
_TICKET = {
    "type": "object",
    "description": "TicketClosed. The tenant is the credential's; `event_id` follows from `source` and `id`.",
    "required": ["ticket_id", "customer_id", "closed_at", "messages"],
    "additionalProperties": False,
    "properties": {
        "tenant": _ID,
        "event_id": _ID,
        "ticket_id": _ID,
        "customer_id": _ID,
        "closed_at": {"type": "string", "format": "date-time", "description": "not more than 5 minutes ahead"},
        "language": {"type": "string", "pattern": "^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$"},
        "customer_identifiers": {
            "type": "object",
            "additionalProperties": False,
            "properties": {
                "name": {"type": "string", "maxLength": 500},
                "phone": {"type": "string", "maxLength": 100},
                "email": {"type": "string", "maxLength": 500},
            },
        },
        "messages": {
            "type": "array",
            "minItems": 1,
            "maxItems": 5000,
            "items": {
                "type": "object",
                "required": ["role", "text"],
                "additionalProperties": False,
                "properties": {
                    "role": {"enum": ["customer", "agent", "bot", "system", "internal_note"]},
                    "text": {"type": "string", "maxLength": 200_000},
                    "id": _ID,
                    "at": {"type": "string", "format": "date-time"},
                },
            },
        },
    },
}
CLOUD_EVENT = {
    "type": "object",
    "required": ["specversion", "id", "source", "type", "data"],
    "properties": {
        "specversion": {"const": "1.0"},
        "id": {"type": "string", "minLength": 1, "maxLength": MAX_ATTRIBUTE},
        "source": {"type": "string", "minLength": 1, "maxLength": MAX_ATTRIBUTE},
        "type": {"const": TYPE},
        "datacontenttype": {"const": "application/json"},
        "data": _TICKET,
    },
}
_SIGNED = [
    {"name": name, "in": "header", "required": False, "schema": {"type": "string"}, "description": text}
    for name, text in zip(
        webhooks.HEADERS,
        ("the message's id", "seconds since 1970", "v1,BASE64 of HMAC-SHA256 over id.timestamp.body"),
        strict=True,
    )
]
_BODY: dict[str, Any] = {
    "parameters": _SIGNED,
    "requestBody": {
        "required": True,
        "content": {kind: {"schema": CLOUD_EVENT} for kind in ("application/cloudevents+json", "application/json")},
    },
    "security": [{"token": []}, {"signature": []}],
}


@router.post(
    PATH,
    status_code=202,
    responses={
        202: {"model": EventAnswer, "description": "taken in: safe, and read by a worker soon"},
        200: {"model": EventAnswer, "description": "was taken in before"},
        **answers(401, 403, 409, 415, 422, 429),
    },
    openapi_extra=_BODY,
)
async def post_event(request: Request, door: Door) -> JSONResponse:
    """Hand in a closed ticket: CloudEvents 1.0, structured JSON. `source` and `id` together name it once and for all.

    Signed by Standard Webhooks headers, or with a token that has the scope `enqueue`; where both are sent, both count.
    """
    body = await request.body()
    event = _at_once(door, request, body)
    if event is None:
        event = await run_in_threadpool(_read, door, request, body, anew=True)
    accepted = await door.intake.take(event)
    door.metrics.arrived(accepted.outcome.value, via="events")
    return answer(event, accepted)


def answer(event: TicketClosed, accepted: Accepted) -> JSONResponse:
    """202, 200 for a duplicate, 409 for another content under the same name."""
    if accepted.outcome is Outcome.CONFLICT:
        raise Problem(409, "conflict", "this source and id were used before, for another content")
    document = {"outcome": accepted.outcome.value, "event_id": event.event_id, "state": accepted.state.value}
    return JSONResponse(document, 202 if accepted.outcome is Outcome.ACCEPTED else 200)


def _at_once(door: Context, request: Request, body: bytes) -> TicketClosed | None:
    """A small event whose credential is remembered. None for any other, and where the secret may be newer than what is
    remembered: a thread then asks the database."""
    door.credentials.renew()
    if len(body) > READ_AT_ONCE or not door.credentials.at_hand(bearer_of(request)):
        return None
    try:
        return _read(door, request, body)
    except Problem as problem:
        if problem.code == webhooks.Fault.WRONG:
            return None
        raise


def _read(door: Context, request: Request, body: bytes, *, anew: bool = False) -> TicketClosed:
    """Credential first, then the envelope, then the ticket. The bytes that were signed are those that are parsed."""
    now = door.clock()
    tenant = _tenant(door, request, body, now, anew=anew)
    _check_type(request.headers.get("content-type", ""))
    envelope = _envelope(body)
    return _ticket(envelope, tenant, now)


def _tenant(door: Context, request: Request, body: bytes, now: datetime, *, anew: bool) -> str:
    """Whose event it is, as the credential says. Raises Problem 401, 403 or 429."""
    presented = bearer_of(request)
    signed = any(name in request.headers for name in webhooks.HEADERS)
    token = None
    if presented is not None or not signed:
        token = allowed(checked_token(door.credentials, door.rates, presented), Scope.ENQUEUE)
        if not signed:
            return token.tenant
    secrets = [(one.secret, one.token) for one in door.credentials.secrets(anew=anew)]
    found = webhooks.verified(request.headers, body, secrets, now=now)
    if isinstance(found, webhooks.Fault):
        raise unauthorized(found.value, _FAULTS[found])
    own_tenant(found.tenant, token.tenant if token else None)
    door.rates.check(found.id)
    return found.tenant


_FAULTS = {
    webhooks.Fault.MISSING: "want webhook-id, webhook-timestamp and webhook-signature",
    webhooks.Fault.MALFORMED: "want a timestamp in seconds and a signature as v1,BASE64",
    webhooks.Fault.OLD: "the timestamp lies more than 5 minutes from our clock",
    webhooks.Fault.WRONG: "no valid secret signed this body",
}


def _check_type(content_type: str) -> None:
    kind = content_type.partition(";")[0].strip().lower()
    if kind not in ("application/cloudevents+json", "application/json"):
        raise Problem(415, "not_json", "want Content-Type: application/cloudevents+json")


def _envelope(body: bytes) -> dict[str, Any]:
    """The CloudEvent. Raises Problem 400 where it is none."""
    try:
        raw = json.loads(body)
    except (ValueError, RecursionError):
        raise Problem(400, "not_json", "the body is not JSON in UTF-8, or nested too deep") from None
    if not isinstance(raw, dict):
        raise Problem(400, "not_a_cloud_event", "want one CloudEvents 1.0 object, not a batch")
    wanted = {"specversion": "1.0", "type": TYPE}
    for name, value in wanted.items():
        if raw.get(name) != value:
            raise Problem(400, "not_a_cloud_event", f"{name}: want {value}")
    for name in ("id", "source"):
        given = raw.get(name)
        if not isinstance(given, str) or not 0 < len(given) <= MAX_ATTRIBUTE or whole(given) != given:
            raise Problem(400, "not_a_cloud_event", f"{name}: want 1-{MAX_ATTRIBUTE} whole characters")
    if raw.get("datacontenttype", "application/json") != "application/json" or not isinstance(raw.get("data"), dict):
        raise Problem(400, "not_a_cloud_event", "data: want a JSON object (no data_base64)")
    return raw


def _ticket(envelope: dict[str, Any], tenant: str, now: datetime) -> TicketClosed:
    """The ticket in the envelope. Raises Problem 403 where it names another tenant, 422 where it is none."""
    data = envelope["data"]
    own_tenant(tenant, data.get("tenant"))
    event_id = derived_id("cloudevent", envelope["source"], envelope["id"])
    return checked_ticket({**data, "tenant": tenant, "event_id": event_id}, now)


def checked_ticket(raw: dict[str, Any], now: datetime) -> TicketClosed:
    """Raises Problem 422, which names every field that is wrong and never its content."""
    try:
        return validated_event(raw, now=now)
    except InvalidEvent as error:
        raise Problem(422, "invalid_event", told(error.faults, prefix="data.")) from None
    except (RecursionError, ValueError):
        raise Problem(400, "not_json", "the ticket is nested too deep, or holds what JSON cannot") from None


class Straight:
    """Takes POST /v1/events past the framework, whose way to a route costs more than the route does; whatever is out of
    the ordinary (a query, another method) goes the usual way and is answered there."""

    def __init__(self, app: ASGIApp, *, context: Context) -> None:
        self._app, self._context = app, context
        self._route = next(route for route in router.routes if getattr(route, "endpoint", None) is post_event)

    async def __call__(self, scope: Connection, receive: Receive, send: Send) -> None:
        ours = scope["type"] == "http" and scope["path"] == PATH and scope["method"] == "POST"
        if not ours or scope["query_string"]:
            return await self._app(scope, receive, send)
        scope["route"] = self._route
        try:
            response = await post_event(Request(scope, receive), self._context)
        except Exception as error:
            found = answer_to(error)
            if found is None:
                raise
            response = found
        return await response(scope, receive, send)


@router.get(
    "/v1/events/{event_id}",
    responses={200: {"model": EventStatus}, **guarded(404)},
    dependencies=[Security(BEARER)],
)
def get_event(event_id: PathId, token: Annotated[Token, Depends(needs(Scope.ENQUEUE))], door: Door) -> JSONResponse:
    """How far a ticket has come."""
    found = event_shown(door.runtime.engine, door.runtime.keys, tenant=token.tenant, event_id=event_id)
    if found is None:
        raise Problem(404, "not_found", "no event of this id")
    return JSONResponse({name: found[name] for name in EventStatus.model_fields})
