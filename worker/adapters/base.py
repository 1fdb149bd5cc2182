"""What an adapter is: how a vendor proves who it is, what its webhook says, and how the whole ticket is fetched."""

import base64
import hashlib
import hmac
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

TOLERANCE = timedelta(minutes=5)
"""How old a signed request may be, where the vendor signs the time."""


@dataclass(frozen=True, kw_only=True)
class Request:
    """A webhook as it came. `headers` have lower-case names; `url` is what the vendor called, by AFTERWORD_PUBLIC_URL,
    never by the Host that was sent; `key` is the secret in the path, '' for none."""

    headers: Mapping[str, str] = field(repr=False)
    body: bytes = field(repr=False)
    url: str
    key: str = field(default="", repr=False)
    now: datetime


@dataclass(frozen=True, kw_only=True)
class Closed:
    """A ticket that has closed. `name` tells this close from the one after a reopening; `said` is the part of the
    transcript that the webhook itself carries, used where nothing can be fetched."""

    ticket: str
    closed_at: datetime
    name: str
    customer: str = ""
    said: tuple[Mapping[str, Any], ...] = field(default=(), repr=False)
    identifiers: Mapping[str, str] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, kw_only=True)
class Deleted:
    """The vendor has deleted this customer: everything about them is to be forgotten, under each of their names.
    Raises Unreadable where it names nobody."""

    customers: tuple[str, ...]

    def __post_init__(self) -> None:
        if not self.customers:
            raise Unreadable("id")


@dataclass(frozen=True, kw_only=True)
class Ignored:
    """Neither a close nor a deletion. `why` is a code of ours."""

    why: str


Event = Closed | Deleted | Ignored


class Endless(Exception):
    """The pages of an API did not end: what is newest may be on those that were not read."""


class Unreadable(ValueError):
    """The body is not what this vendor sends. Names the place, never the content."""


class Api:
    """What a `fetch` is given: GET requests to one host, with the tenant's credential, bounded in time and size."""

    def get(self, path: str, **params: str | int) -> Any:
        """Decoded JSON of `path` under the tenant's `api_url`. Raises worker.adapters.fetch.ApiFault."""
        raise NotImplementedError


@dataclass(frozen=True, kw_only=True)
class Adapter:
    """A row of the table. `fetch` gives TicketClosed's fields but tenant, event_id, ticket_id and closed_at; None as
    its answer means that the ticket turned out not to be closed."""

    verify: Callable[[Request, str], bool]
    """Whether this secret signed the request. Raises nothing."""
    read: Callable[[Any], Sequence[Event]]
    """What the decoded body says. Raises Unreadable, LookupError, TypeError, ValueError or AttributeError where it is
    not what the vendor sends."""
    authorization: Callable[[str, str], Mapping[str, str]]
    """The API's headers for a user and a token."""
    fetch: Callable[[Api, str, datetime], Mapping[str, Any] | None] | None = None
    keyed: bool = False
    """The vendor signs nothing: a secret in a header or in the path is all there is."""


# --- parts that several vendors share ---------------------------------------------------------------------------------


def hexadecimal(algorithm: str, secret: str, signed: bytes) -> str:
    return hmac.new(secret.encode(), signed, getattr(hashlib, algorithm)).hexdigest()


def base64_sha256(secret: str, signed: bytes) -> str:
    return base64.b64encode(hmac.digest(secret.encode(), signed, hashlib.sha256)).decode()


def same(one: str, other: str) -> bool:
    """Constant-time. Headers may hold any bytes."""
    return hmac.compare_digest(one.encode("utf-8", "replace"), other.encode("utf-8", "replace"))


def recent(moment: datetime | None, now: datetime) -> bool:
    return moment is not None and abs(now - moment) <= TOLERANCE


def id_of(value: Any) -> str:
    """An id as a vendor sends it: a text that is not blank, as it is, or a whole number. Raises Unreadable for anything
    else: null, said as a word, would be one customer for all who have no id."""
    if isinstance(value, str) and value.strip():
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    raise Unreadable("id")


def ids_of(given: Mapping[str, Any], *names: str) -> tuple[str, ...]:
    """The ids that stand under these names, in their order; null and blank are none. Raises Unreadable as `id_of` does,
    and where there is none at all."""
    found = tuple(id_of(given[name]) for name in names if not _is_none(given.get(name)))
    if not found:
        raise Unreadable("id")
    return found


def _is_none(value: Any) -> bool:
    return value is None or (isinstance(value, str) and not value.strip())


def from_seconds(value: Any) -> datetime:
    """A Unix time in seconds. Raises Unreadable."""
    try:
        return datetime.fromtimestamp(float(value), UTC)
    except (TypeError, ValueError, OverflowError, OSError):
        raise Unreadable("time") from None


def from_milliseconds(value: Any) -> datetime:
    """A Unix time in milliseconds. Raises Unreadable."""
    try:
        return from_seconds(float(value) / 1000)
    except (TypeError, ValueError):
        raise Unreadable("time") from None


def from_iso(value: Any) -> datetime:
    """An ISO 8601 time with its zone. Raises Unreadable."""
    try:
        moment = datetime.fromisoformat(str(value))
    except ValueError:
        raise Unreadable("time") from None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def signed_time(text: str, read: Callable[[Any], datetime]) -> datetime | None:
    try:
        return read(text)
    except Unreadable:
        return None


def bearer(_user: str, token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def basic(user: str, token: str) -> dict[str, str]:
    return {"Authorization": "Basic " + base64.b64encode(f"{user}:{token}".encode()).decode()}


def message(role: str, text: Any, *, name: Any = None, at: datetime | None = None) -> dict[str, Any] | None:
    """One message of a TicketClosed; None where nothing was said."""
    if not isinstance(text, str) or not text.strip():
        return None
    given: dict[str, Any] = {"role": role, "text": text}
    given |= {"id": str(name)} if name is not None else {}
    return given | ({"at": at.isoformat()} if at else {})


def kept(*messages: Mapping[str, Any] | None) -> tuple[Mapping[str, Any], ...]:
    return tuple(one for one in messages if one is not None)


def known(**identifiers: Any) -> dict[str, str]:
    """The customer's name, phone and e-mail as far as the vendor tells them: used to mask."""
    limits = {"name": 500, "phone": 100, "email": 500}
    return {name: value[: limits[name]] for name, value in identifiers.items() if isinstance(value, str) and value}
