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
    ValidationInfo,
    model_validator,
)

from pipeline.ids import MAX_ID, BadId, CustomerRef, checked_id
from pipeline.invalid import Invalid, faults_of
from pipeline.moments import countable, written_time
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


class InvalidEvent(Invalid):
    """The line is not a TicketClosed. `faults` say where and what is wanted, and never repeat the content."""


def _id(value: str) -> str:
    try:
        return checked_id("id", value)
    except BadId as error:
        raise ValueError(f"want 1-{MAX_ID} characters without control characters") from error


def _whole(value: Any) -> Any:
    return whole(value) if isinstance(value, str) else value


def _not_ahead(value: datetime, info: ValidationInfo) -> datetime:
    """Bounded where the moment of the reading is given."""
    now = (info.context or {}).get("now")
    return value if now is None else _come(value, now)


def _come(value: datetime, now: datetime) -> datetime:
    if value > now.astimezone(UTC) + MAX_AHEAD:
        raise ValueError("lies more than 5 minutes in the future")
    return value


Moment = Annotated[AwareDatetime, BeforeValidator(written_time), AfterValidator(countable)]
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


def _id_of_close(data: dict[str, Any]) -> str:
    """The id of an event that came without: a ticket closed, reopened and closed again is two events. One moment has
    one id, in whichever zone and precision it was written."""
    return derived_id(data["tenant"], data["ticket_id"], _spelled(data["closed_at"]))


def _spelled(moment: datetime) -> str:
    """In UTC and as short as helpdesks write it: 2026-11-24T15:00:00Z, or with the digits of its fraction."""
    fraction = "microseconds" if moment.microsecond % 1000 else "milliseconds" if moment.microsecond else "seconds"
    return moment.astimezone(UTC).isoformat(timespec=fraction).replace("+00:00", "Z")


class TicketClosed(_Frozen):
    """A ticket that has closed, with all that was said. Unique by (tenant, event_id)."""

    tenant: Id
    ticket_id: Id
    customer_id: Id
    closed_at: Annotated[Moment, AfterValidator(_not_ahead)]
    messages: tuple[Message, ...] = Field(min_length=1, max_length=MAX_MESSAGES, repr=False)
    event_id: Id = Field(default_factory=_id_of_close)
    language: str | None = Field(default=None, pattern=r"^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$")
    customer_identifiers: CustomerIdentifiers | None = Field(default=None, repr=False)

    @model_validator(mode="before")
    @classmethod
    def _without_an_empty_id(cls, data: Any) -> Any:
        """An id that says nothing is none."""
        if not isinstance(data, dict) or data.get("event_id", 0) not in ("", None):
            return data
        return {name: value for name, value in data.items() if name != "event_id"}

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
    """Decoded JSON, in which times may be datetimes, as a TicketClosed; `now` (aware) bounds `closed_at`. Raises
    InvalidEvent."""
    if not isinstance(raw, dict):
        raise InvalidEvent("line", "want a JSON object")
    context = {"now": now}
    try:
        if not raw:
            return TicketClosed.model_validate(raw, context=context)
        return TicketClosed.model_validate_json(_wired(raw), context=context)
    except ValidationError as error:
        first, *more = faults_of(error, TicketClosed, whole="event")
        raise InvalidEvent(first.field, first.problem, *more) from None


def check_close(closed_at: datetime, *, now: datetime) -> None:
    """Raises InvalidEvent where no ticket can have closed then; both times are aware."""
    try:
        _come(countable(closed_at), now)
    except ValueError as error:
        raise InvalidEvent("closed_at", str(error)) from None


def _wired(raw: dict[str, Any]) -> bytes:
    try:
        return wire_json(raw, words=_WORDS)
    except (TypeError, ValueError, RecursionError):
        raise InvalidEvent("event", "holds what is neither JSON nor a datetime") from None
