"""What paths and queries carry, decoded once: ids with slashes and any script, moments with their zone."""

from collections import Counter
from typing import Annotated, Any, get_args, get_origin
from urllib.parse import unquote, unquote_to_bytes

from fastapi import Path, Query, Request
from pydantic import AfterValidator, BeforeValidator
from starlette.types import ASGIApp, Receive, Scope, Send

from pipeline import events
from pipeline.ids import MAX_ID, BadId, checked_id
from worker.http.errors import Problem

_SHAPE: dict[str, Any] = {"minLength": 1, "maxLength": MAX_ID, "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f]+$"}


class Segments:
    """Keeps an encoded slash inside its segment: `/v1/customers/a%2Fb` is the customer 'a/b' and no other route.

    ASGI servers decode the whole path, which would make `c%2Ffacts%2Ff` a fact of customer c. Here each segment is
    decoded alone, and a slash or percent sign in it is encoded again, to be decoded by `PathId`.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        raw: bytes = (scope.get("raw_path") or b"").partition(b"?")[0] if scope["type"] == "http" else b""
        if scope["type"] == "http" and not _is_utf8(raw + scope["query_string"]):
            return await _NOT_UTF8.response()(scope, receive, send)
        if b"%" in raw:
            segments = raw.decode("ascii", "replace").split("/")
            scope = {**scope, "path": "/".join(_kept(unquote(segment)) for segment in segments)}
        return await self._app(scope, receive, send)


_NOT_UTF8 = Problem(400, "malformed", "the address is not UTF-8 in percent signs")


def _is_utf8(address: bytes) -> bool:
    """Whatever is not would be decoded with replacements, so that two names could become one customer."""
    try:
        unquote_to_bytes(address).decode()
    except UnicodeDecodeError:
        return False
    return True


def _kept(segment: str) -> str:
    return segment.replace("%", "%25").replace("/", "%2F")


def _id(value: str) -> str:
    try:
        return checked_id("id", value)
    except BadId:
        raise ValueError(f"want 1-{MAX_ID} characters without control characters") from None


def _unquoted(value: Any) -> Any:
    return unquote(value) if isinstance(value, str) else value


PathId = Annotated[str, BeforeValidator(_unquoted), AfterValidator(_id), Path(json_schema_extra=_SHAPE)]
QueryId = Annotated[str, AfterValidator(_id), Query(json_schema_extra=_SHAPE)]
Moment = Annotated[events.Moment | None, Query(description="ISO 8601 with its zone")]
OwnTenant = Annotated[
    str | None, Query(alias="tenant", max_length=MAX_ID, description="only ever the token's own; else 403")
]


async def known_query(request: Request) -> None:
    """Refuses a query parameter that the route has not, or that comes twice where it has one value: what is misspelt
    or overruled by a second one must not be passed over in silence.

    A helpdesk's own address may carry what it likes.
    """
    route: Any = request.scope.get("route")
    if request.url.path.startswith("/v1/hooks/") or not hasattr(route, "dependant"):
        return
    fields = {field.alias: field for field in route.dependant.query_params}
    if set(request.query_params) - set(fields):
        known = ", ".join(sorted(fields)) or "none"
        raise Problem(422, "invalid", f"query: unknown parameter; this route has: {known}")
    counted = Counter(name for name, _ in request.query_params.multi_items())
    twice = sorted(name for name, times in counted.items() if times > 1 and not _is_list(fields[name]))
    if twice:
        raise Problem(422, "invalid", f"query.{twice[0]}: given more than once")


def _is_list(field: Any) -> bool:
    annotation = field.field_info.annotation
    return any(get_origin(one) is list for one in (annotation, *get_args(annotation)))
