"""The event that a helpdesk sends when a ticket closes, decoded once, at the edge, into one named error."""

import hashlib
import json
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    model_validator,
)

from pipeline.ids import MAX_ID, BadId, CustomerRef, checked_id
from pipeline.moments import countable
from pipeline.wire import whole, wire_json

MAX_AHEAD = timedelta(minutes=5)
"""How far a producer's clock may run ahead of ours before an event counts as coming from the future."""
MAX_MESSAGES = 5_000
MAX_TEXT = 200_000


class Role(StrEnum):
    CUSTOMER = "customer"
    AGENT = "agent"
    BOT = "bot"
    SYSTEM = "system"
    INTERNAL_NOTE = "internal_note"


class InvalidEvent(ValueError):
    """The line is not a TicketClosed. `field` says where, `problem` what is wanted; neither repeats the content."""

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(f"{field}: {problem}")
        self.field = field
        self.problem = problem


def _id(value: str) -> str:
    try:
        return checked_id("id", value)
    except BadId as error:
        raise ValueError(f"want 1-{MAX_ID} characters without control characters") from error


def _whole(value: Any) -> Any:
    return whole(value) if isinstance(value, str) else value


Moment = Annotated[AwareDatetime, AfterValidator(countable)]
Id = Annotated[str, AfterValidator(_id)]
Words = Annotated[str, BeforeValidator(_whole)]
Text = Annotated[Words, Field(max_length=MAX_TEXT, repr=False)]
_WORDS = ("text", "name", "phone", "email")


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)


class Message(_Frozen):
    """One message of the ticket. `at` is when it was written, if the helpdesk says so."""

    role: Role
    text: Text
    id: Id | None = None
    at: Moment | None = None


class CustomerIdentifiers(_Frozen):
    """What the helpdesk knows the customer by: used to mask, never stored."""

    name: Words | None = Field(default=None, max_length=500, repr=False)
    phone: Words | None = Field(default=None, max_length=100, repr=False)
    email: Words | None = Field(default=None, max_length=500, repr=False)


class TicketClosed(_Frozen):
    """A ticket that has closed, with all that was said. Unique by (tenant, event_id)."""

    tenant: Id
    ticket_id: Id
    customer_id: Id
    closed_at: Moment
    messages: tuple[Message, ...] = Field(min_length=1, max_length=MAX_MESSAGES, repr=False)
    event_id: Id = ""
    language: str | None = Field(default=None, pattern=r"^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$")
    customer_identifiers: CustomerIdentifiers | None = Field(default=None, repr=False)

    @model_validator(mode="before")
    @classmethod
    def _with_event_id(cls, data: Any) -> Any:
        """Without an event id it is derived, so a ticket closed, reopened and closed again is two events."""
        if not isinstance(data, dict) or data.get("event_id"):
            return data
        parts = [part for name in ("tenant", "ticket_id", "closed_at") if isinstance(part := data.get(name), str)]
        if len(parts) < 3:
            return data  # validation names what is missing
        return {**data, "event_id": derived_id(*parts)}

    @property
    def ref(self) -> CustomerRef:
        return CustomerRef(tenant=self.tenant, customer=self.customer_id)


def derived_id(*parts: str) -> str:
    """An event id from content: the same parts, the same id (SHA-256 over a JSON array, 32 hex digits)."""
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:32]


def parse_event(line: str | bytes, *, now: datetime) -> TicketClosed:
    """A JSON text as a TicketClosed. Raises InvalidEvent, which names the field and never the content."""
    try:
        raw = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InvalidEvent("line", "is not JSON") from error
    return validated_event(raw, now=now)


def validated_event(raw: Any, *, now: datetime) -> TicketClosed:
    """Decoded JSON as a TicketClosed; `now` (aware) bounds `closed_at`. Raises InvalidEvent."""
    if not isinstance(raw, dict):
        raise InvalidEvent("line", "want a JSON object")
    try:
        event = (
            TicketClosed.model_validate_json(wire_json(raw, words=_WORDS)) if raw else TicketClosed.model_validate(raw)
        )
    except ValidationError as error:
        first = error.errors(include_input=False, include_context=False, include_url=False)[0]
        raise InvalidEvent(_where(first["loc"]), first["msg"]) from None
    check_close(event.closed_at, now=now)
    return event


def check_close(closed_at: datetime, *, now: datetime) -> None:
    """Raises InvalidEvent where no ticket can have closed then; both times are aware."""
    try:
        countable(closed_at)
    except ValueError as error:
        raise InvalidEvent("closed_at", str(error)) from None
    if closed_at > now.astimezone(UTC) + MAX_AHEAD:
        raise InvalidEvent("closed_at", "lies more than 5 minutes in the future")


def _where(loc: tuple[int | str, ...]) -> str:
    """('messages', 3, 'role') as messages[3].role. A name that is not ours is content, and is not repeated."""
    known = {name for model in (TicketClosed, Message, CustomerIdentifiers) for name in model.model_fields}
    text = ""
    for part in loc:
        text += f"[{part}]" if isinstance(part, int) else f".{part if part in known else '(unknown field)'}"
    return text.lstrip(".") or "event"
