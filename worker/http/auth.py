"""Whose request it is: bearer tokens for programs, checked before anything of the request is looked at."""

from collections.abc import Awaitable, Callable

from fastapi import Request
from fastapi.security import HTTPBearer
from starlette.concurrency import run_in_threadpool
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Send
from starlette.types import Scope as Connection

from pipeline.facts import Source
from store.faults import StoreError
from store.states import Role, TokenKind
from store.tokens import Scope, Token
from worker.http.credentials import Credentials
from worker.http.errors import Problem, unavailable
from worker.http.limits import Rates, brings_body

BEARER = HTTPBearer(auto_error=False, scheme_name="token", description="`afterword tokens create`")
OTHERWISE_SIGNED = ("/v1/events", "/v1/hooks/")
"""Paths whose requests may carry another proof than a token; their routes see to it."""
DEGRADES = "/v1/recall"
"""The one path that answers while the database is down: memory is an aid, never a dependency."""
SOURCES = {Role.SYSTEM: Source.SYSTEM, Role.PERSON: Source.AGENT_CONFIRMED, Role.AGENT: Source.EXTRACTED}
"""What a statement counts as, by who speaks through the token."""


def unauthorized(code: str, message: str) -> Problem:
    return Problem(401, code, message, headers={"WWW-Authenticate": "Bearer"})


def bearer_of(connection: HTTPConnection) -> str | None:
    """The token that the request shows; None where it shows none."""
    kind, _, text = connection.headers.get("authorization", "").partition(" ")
    return text.strip() if kind.lower() == "bearer" and text.strip() else None


def checked_token(credentials: Credentials, rates: Rates, presented: str | None) -> Token:
    """The token behind what was presented. Raises Problem 401 or 429, StoreError."""
    return _counted(credentials.token(_shown(presented)), rates)


async def _checked(credentials: Credentials, rates: Rates, presented: str | None) -> Token:
    """The same, on a thread where the database must be asked, and on none where it was asked just now."""
    fresh = credentials.fresh(_shown(presented))
    return _counted(fresh, rates) if fresh else await run_in_threadpool(checked_token, credentials, rates, presented)


def _shown(presented: str | None) -> str:
    if presented is None:
        raise unauthorized("no_token", "want a token: Authorization: Bearer aw_…")
    return presented


def _counted(token: Token | None, rates: Rates) -> Token:
    if token is None or token.kind is not TokenKind.TOKEN:
        raise unauthorized("bad_token", "the token is unknown, expired or revoked")
    rates.check(token.id)
    return token


def _refused(problem: Problem, scope: Connection) -> Problem:
    """The body is not read, so the connection cannot be used again."""
    if brings_body(scope):
        problem.headers["Connection"] = "close"
    return problem


class Tokens:
    """Answers 401 on every path under /v1 that wants a token, before a body is read, routed, parsed or validated."""

    def __init__(self, app: ASGIApp, *, credentials: Credentials, rates: Rates) -> None:
        self._app, self._credentials, self._rates = app, credentials, rates

    async def __call__(self, scope: Connection, receive: Receive, send: Send) -> None:
        path = scope.get("path", "")
        if scope["type"] == "http" and path.startswith("/v1/") and not self._excepted(path):
            presented = bearer_of(HTTPConnection(scope))
            try:
                token = await _checked(self._credentials, self._rates, presented)
            except Problem as problem:
                return await _refused(problem, scope).response()(scope, receive, send)
            except StoreError:
                known = self._credentials.known(presented or "") if path == DEGRADES else None
                if known is None:
                    return await _refused(unavailable(), scope).response()(scope, receive, send)
                token = known
            scope.setdefault("state", {})["token"] = token
        return await self._app(scope, receive, send)

    def _excepted(self, path: str) -> bool:
        return path == OTHERWISE_SIGNED[0] or path.startswith(OTHERWISE_SIGNED[1])


def allowed(token: Token, scope: Scope) -> Token:
    """The token, where it has the scope. Raises Problem 403."""
    if scope not in token.scopes:
        raise Problem(403, "scope_missing", f"the token lacks the scope {scope.value}")
    return token


def needs(scope: Scope) -> Callable[[Request], Awaitable[Token]]:
    """A dependency: the request's token, which must have `scope`. Where the request names a tenant too it must be the
    token's: no route answers across tenants."""

    async def dependency(request: Request) -> Token:
        token: Token = request.state.token
        own_tenant(token.tenant, request.query_params.get("tenant"))
        return allowed(token, scope)

    return dependency


def own_tenant(tenant: str, named: object) -> None:
    """Raises Problem 403 where a tenant is named that is not the credential's."""
    if named is not None and named != tenant:
        raise Problem(403, "other_tenant", "the credential is another tenant's")


def actor_of(token: Token) -> str:
    """Who did it, for audit and receipts: the token, never its name, which people write."""
    return f"token:{token.id}"
