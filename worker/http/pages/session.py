"""Who is signed in to the memory page: a signed cookie that names a token, and a value that proves a form is ours.

The cookie holds the token's id and a moment, never its secret; the token is looked up at every request, so revoking it
ends its sessions. HttpOnly, SameSite=Strict, and Secure where the public address is https.
"""

import base64
import hashlib
import hmac
import json
import secrets
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import NamedTuple
from urllib.parse import parse_qsl, urlsplit

from starlette.requests import Request
from starlette.responses import Response

from store import tokens
from store.states import TokenKind
from store.tokens import Scope, Token
from worker.http.context import Context
from worker.http.errors import Problem

COOKIE = "afterword_session"
LIFETIME = timedelta(hours=2)
"""No longer: where several doors serve, a copy of the cookie outlives the sign-out at the others (`ended`)."""
MAX_FIELDS = 50
_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, kw_only=True)
class Session:
    """`csrf` is what every form of this session carries."""

    token: Token
    csrf: str = field(repr=False)


def begin(door: Context, response: Response, token: Token, now: datetime) -> None:
    """Signs the caller in with this answer."""
    content = json.dumps([token.id, int(now.timestamp()), secrets.token_hex(8)]).encode()
    text = base64.urlsafe_b64encode(content).decode()
    response.set_cookie(
        COOKIE,
        f"{text}.{_mac(door, 'cookie', text)}",
        max_age=int(LIFETIME.total_seconds()),
        path="/memory",
        secure=door.runtime.settings.public_url.startswith("https://"),
        httponly=True,
        samesite="strict",
    )


def end(door: Context, request: Request, response: Response, now: datetime) -> None:
    """Signs the caller out: the browser drops the cookie, and a copy of it opens nothing here any more."""
    _, _, mac = request.cookies.get(COOKIE, "").partition(".")
    door.ended.add(mac, until=(now + LIFETIME).timestamp(), now=now.timestamp())
    response.delete_cookie(COOKIE, path="/memory")


def current(door: Context, request: Request, now: datetime) -> Session | None:
    """The session that the cookie names, None where there is none, it is forged or over, or its token is no longer
    valid. Raises StoreError."""
    text, _, mac = request.cookies.get(COOKIE, "").partition(".")
    if not text or not hmac.compare_digest(mac.encode("utf-8", "replace"), _mac(door, "cookie", text).encode()):
        return None
    if mac in door.ended:
        return None
    name, began, _salt = json.loads(base64.urlsafe_b64decode(text))
    if now.timestamp() - began > LIFETIME.total_seconds():
        return None
    token = tokens.standing(door.runtime.engine, name, now=now)
    if token is None or not may_sign_in(token):
        return None
    return Session(token=token, csrf=_mac(door, "form", text))


def may_sign_in(token: Token) -> bool:
    return token.kind is TokenKind.TOKEN and Scope.OPERATE in token.scopes


def rightful(session: Session, fields: dict[str, str]) -> bool:
    """Whether a form was ours: it carries this session's second value."""
    return hmac.compare_digest(fields.get("csrf", "").encode("utf-8", "replace"), session.csrf.encode())


def same_origin(door: Context, request: Request) -> bool:
    """Whether the browser says that the form came from this very page. One that says nothing is let through: the value
    that every form carries decides."""
    if request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return False
    origin = request.headers.get("origin")
    return origin is None or _is_ours(door, _place(origin), request.headers.get("host", ""))


def _is_ours(door: Context, origin: "_Place | None", host: str) -> bool:
    """Whether it is the public address, which a proxy may keep to itself, or the host that was asked."""
    if origin is None:
        return False
    return origin in (_place(door.runtime.settings.public_url), _place(f"{origin.scheme}://{host}"))


class _Place(NamedTuple):
    """What browsers call an origin (RFC 6454): host in lower case, and the port also where it is the scheme's own."""

    scheme: str
    host: str
    port: int


def _place(url: str) -> _Place | None:
    """None for what names no place, as 'null' does."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return None
    if parts.scheme not in _PORTS or not parts.hostname:
        return None
    return _Place(parts.scheme, parts.hostname, _PORTS[parts.scheme] if port is None else port)


def fields_of(request: Request, body: bytes) -> dict[str, str]:
    """An HTML form's fields. Empty for anything else, which no form of ours sends.

    Raises Problem 400 where it is not UTF-8: read with replacements, two names could become one customer.
    """
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/x-www-form-urlencoded":
        return {}
    try:
        return dict(parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=MAX_FIELDS, errors="strict"))
    except UnicodeDecodeError:
        raise Problem(400, "malformed", "the form is not UTF-8") from None
    except ValueError:
        return {}


def _mac(door: Context, purpose: str, text: str) -> str:
    key = hmac.new(door.runtime.keys.ids, b"afterword memory page\x00" + purpose.encode(), hashlib.sha256).digest()
    return hmac.new(key, text.encode("utf-8", "replace"), hashlib.sha256).hexdigest()
