"""The application: middleware in the order in which a request meets it, routes, and what starts and stops with it."""

import logging
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import datetime
from importlib.metadata import version
from typing import Any
from urllib.parse import urlsplit

from fastapi import Depends, FastAPI
from starlette.requests import Request
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from worker import logs
from worker.adapters.config import load_hooks
from worker.http import errors, events, health, hooks, memory, questions
from worker.http.auth import Tokens
from worker.http.context import Context
from worker.http.credentials import Credentials
from worker.http.errors import Problem
from worker.http.fields import Segments, known_query
from worker.http.intake import Intake
from worker.http.limits import Bodies, Rates
from worker.http.pages import routes
from worker.metrics import Metrics
from worker.runtime import CannotStart, Runtime, open_runtime
from worker.settings import SettingsError, read_settings
from worker.terms import terms_of
from worker.warming import load_for_recall

log = logging.getLogger("worker.http")
ANY_HOST = ("/healthz", "/readyz", "/metrics")
"""Paths that are asked by address: probes and scrapers know no name."""
_PRIVATE = ((b"cache-control", b"no-store"), (b"x-content-type-options", b"nosniff"))
LOCAL = ("localhost", "127.0.0.1", "[::1]")


def app_of_environment() -> FastAPI:
    """The door of this process's settings. Ends the process with one line where it cannot be opened."""
    try:
        settings = read_settings()
        logs.configure(style=settings.log_format, level=settings.log_level)
        _quieten_server()
        return create_app(open_runtime(settings))
    except SettingsError as error:
        sys.stderr.write(f"afterword: {error}\n")
        raise SystemExit(2) from None
    except CannotStart as error:
        sys.stderr.write(f"afterword: {error}\n")
        raise SystemExit(1) from None


def _quieten_server() -> None:
    """A server that was started by its own command has loggers of its own, and repeats every path in them."""
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access"):
        logging.getLogger(name).handlers.clear()
        logging.getLogger(name).propagate = name != "uvicorn.access"
    logging.getLogger("uvicorn.access").disabled = True


def create_app(runtime: Runtime, *, clock: Callable[[], datetime] | None = None) -> FastAPI:
    """The door over a runtime, which it closes at its end. `clock` is what signatures are held against.

    Raises SettingsError.
    """
    settings = runtime.settings
    context = Context(
        runtime=runtime,
        terms=terms_of(runtime),
        intake=Intake(runtime),
        credentials=Credentials(runtime),
        rates=Rates(settings.http_rate),
        metrics=Metrics(runtime),
        hooks=load_hooks(settings.hooks),
        **({"clock": clock} if clock else {}),
    )
    app = FastAPI(
        title="Afterword",
        version=version("afterword"),
        description="What a support organisation's AI agent may remember of a customer, and how it forgets.",
        docs_url=None,  # their scripts come from elsewhere
        redoc_url=None,
        redirect_slashes=False,  # the redirect would repeat whatever Host was sent
        lifespan=_lifespan(context),
        dependencies=[Depends(known_query)],
    )
    app.state.context = context
    errors.install(app)
    for router in (health.router, events.router, hooks.router, memory.router, questions.router):
        app.include_router(router)
    app.router.routes.extend(routes())
    app.add_route("/", _home, include_in_schema=False)
    _wrap(app, context)
    app.openapi = lambda: _document(app)  # type: ignore[method-assign]
    return app


async def _home(_request: Request) -> RedirectResponse:
    """Whoever types in the door's address is a person, and looks for the page."""
    return RedirectResponse("/memory", status_code=303)


def _lifespan(context: Context) -> Any:
    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        threading.Thread(target=_warm_up, args=(context.runtime,), name="preload", daemon=True).start()
        log.info("ready to serve")  # whether it listens, its server knows
        yield
        context.intake.close()
        context.runtime.close()

    return lifespan


def _warm_up(runtime: Runtime) -> None:
    """What recalls and judges takes seconds to load, what publishes a good part of one: not while a caller waits."""
    _ = runtime.app.backend  # which Celery imports when it sends its first message
    load_for_recall(runtime)


def _wrap(app: FastAPI, context: Context) -> None:
    """Middleware, the innermost first."""
    settings = context.runtime.settings
    app.add_middleware(events.Straight, context=context)
    app.add_middleware(Bodies, most=settings.http_body_bytes, seconds=settings.http_body_seconds)
    app.add_middleware(Tokens, credentials=context.credentials, rates=context.rates)
    app.add_middleware(Hosts, public_url=settings.public_url, listens=settings.http)
    app.add_middleware(Segments)
    app.add_middleware(Kept)
    app.add_middleware(Observed, metrics=context.metrics)


def _document(app: FastAPI) -> dict[str, Any]:
    """The OpenAPI document. The scheme of signed events is ours to describe: FastAPI knows none of its kind."""
    if app.openapi_schema is None:
        found = FastAPI.openapi(app)
        schemes = found["components"].setdefault("securitySchemes", {})
        says = "Standard Webhooks, over webhook-id, webhook-timestamp and body; `afterword tokens create --signing`"
        schemes["signature"] = {"type": "apiKey", "in": "header", "name": "webhook-signature", "description": says}
    return app.openapi_schema or {}


class Hosts:
    """Where AFTERWORD_PUBLIC_URL is set, a request for another host is refused. Nothing is ever built from Host."""

    def __init__(self, app: ASGIApp, *, public_url: str, listens: str) -> None:
        self._app = app
        public = urlsplit(public_url).hostname if public_url else None
        self._hosts = {host.strip("[]") for host in (public, listens.rpartition(":")[0], *LOCAL) if host}
        self._open = public is None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not self._open and scope["path"] not in ANY_HOST:
            sent = dict(scope["headers"]).get(b"host", b"").decode("latin-1")
            if not self._known(sent):
                return await Problem(400, "wrong_host", "this host is not served here").response()(scope, receive, send)
        return await self._app(scope, receive, send)

    def _known(self, sent: str) -> bool:
        try:
            return urlsplit(f"//{sent}").hostname in self._hosts
        except ValueError:
            return False


class Kept:
    """What the API answers is kept by no cache and read as nothing but what it says it is: it holds what is remembered
    of customers. The page sees to its own answers."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not scope["path"].startswith("/v1/"):
            return await self._app(scope, receive, send)

        async def protected(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message["headers"], *_PRIVATE]}
            await send(message)

        return await self._app(scope, receive, protected)


class Observed:
    """Counts and times every answer by route, and turns what nobody expected into one line and a 500 without words."""

    def __init__(self, app: ASGIApp, *, metrics: Metrics) -> None:
        self._app, self._metrics = app, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return await self._app(scope, receive, send)
        began, status = time.perf_counter(), 0

        async def noted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, noted)
        except Exception as error:
            log.exception("unexpected error at the door", extra={"error": type(error).__name__})
            if not status:
                status = 500
                text = "an error in Afterword itself; the log says where"
                await Problem(500, "unexpected", text).response()(scope, receive, send)
        finally:
            self._metrics.answered(_route(scope), scope["method"], status, time.perf_counter() - began)
        return None


def _route(scope: Scope) -> str:
    """The route's template; '(none)' where no route took the request, whose path anybody can make up."""
    return getattr(scope.get("route"), "path", None) or "(none)"
