"""One visit to the page: who, in which language, with which form; and how every answer is rendered and protected."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from pipeline.ids import BadId, CustomerRef, checked_id
from store.erase import OnlyNoted
from store.faults import StoreError
from store.ledger import LedgerUnavailable
from worker.http.context import Context
from worker.http.errors import RETRY_AFTER_OUTAGE, Problem
from worker.http.pages import session as sessions
from worker.http.pages.session import Session
from worker.http.pages.words import LANGUAGES, WORDS, explained, moment

LANGUAGE_COOKIE = "afterword_language"
PROTECTION = {
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; img-src data:; form-action 'self';"
    " frame-ancestors 'none'; base-uri 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",  # addresses hold customers' ids
    "Cache-Control": "no-store",
}


@dataclass(frozen=True, kw_only=True)
class Visit:
    """`session` is None on the way to the sign-in alone."""

    door: Context
    request: Request
    language: str
    session: Session | None
    fields: dict[str, str] = field(default_factory=dict, repr=False)

    @property
    def signed_in(self) -> Session:
        assert self.session is not None  # noqa: S101 (`page` lets nobody else in)
        return self.session

    @property
    def tenant(self) -> str:
        return self.signed_in.token.tenant

    @property
    def words(self) -> Any:
        return WORDS[self.language]

    def given(self, name: str) -> str:
        """A field of the form, else of the address; '' where it is missing."""
        return self.fields.get(name, "") or self.request.query_params.get(name, "")

    def name(self, field: str) -> str:
        """The name of one of our rows, as our forms and links carry it. Raises Problem 404 for what can be none: what
        holds control characters PostgreSQL does not even compare."""
        try:
            return checked_id(field, self.given(field))
        except BadId:
            raise Problem(404, "not_found", field) from None

    def customer(self) -> CustomerRef:
        """The customer whose id was given, as it is: ' vip' and 'vip' are two. Raises BadId."""
        return CustomerRef(tenant=self.tenant, customer=self.given("customer"))

    def label(self, key: str) -> str:
        row = self.door.runtime.catalogue.find(key)
        return row.label(self.language) if row else key

    def render(self, template: str, status: int = 200, **values: Any) -> HTMLResponse:
        own = {
            "t": self.words,
            "language": self.language,
            "session": self.session,
            "here": self.request.url.path,
            "switch": self._switch(),
            "notice": self._notice(),
        }
        return HTMLResponse(_templates().get_template(template).render(**own, **values), status)

    def problem(self, status: int, words: str) -> HTMLResponse:
        return self.render("problem.html", status, message=self.words[words])

    def _switch(self) -> str:
        """This address in the other language."""
        other = LANGUAGES[1 - LANGUAGES.index(self.language)]
        path = self.request.url.path if self.request.method == "GET" else "/memory"
        kept = [(name, text) for name, text in self.request.query_params.multi_items() if name not in ("lang", "done")]
        return f"{path}?{urlencode([*kept, ('lang', other)])}"

    def _notice(self) -> str:
        """What the last form did, as a word and a reason code of ours: nothing else of the address is shown."""
        word, _, code = self.request.query_params.get("done", "").partition(":")
        if word not in self.words or not word.startswith(("did_", "refused", "not_confirmed")):
            return ""
        why = explained(code, self.language)
        reason = f" ({code}: {why})" if why else ""
        return f"{self.words[word]}{reason}"


def redirect(path: str, done: str = "", **params: str) -> RedirectResponse:
    """To another page after a form, so that reloading it sends nothing twice. Relative: no Host is repeated."""
    query = urlencode({**params, **({"done": done} if done else {})})
    return RedirectResponse(f"{path}?{query}" if query else path, 303)


View = Callable[[Visit], Response]
_SAID = {"changed": "changed_since", "malformed": "unreadable"}
"""Words for the codes of problems; any other is something that is not there."""


def page(view: View, *, public: bool = False) -> Callable[[Request], Awaitable[Response]]:
    """A view as an endpoint: signed in (unless `public`), forms checked, faults as pages, answers protected."""

    async def endpoint(request: Request) -> Response:
        body = await request.body() if request.method == "POST" else b""
        response = await run_in_threadpool(_answered, view, request, body, public)
        response.headers.update(PROTECTION)
        if (language := request.query_params.get("lang")) in LANGUAGES:
            response.set_cookie(LANGUAGE_COOKIE, str(language), path="/memory", samesite="strict", max_age=31_536_000)
        return response

    return endpoint


def _answered(view: View, request: Request, body: bytes, public: bool) -> Response:
    door: Context = request.app.state.context
    visit = Visit(door=door, request=request, language=_language(request), session=None)
    try:
        fields = sessions.fields_of(request, body)
        session = sessions.current(door, request, door.clock())
        visit = Visit(door=door, request=request, language=visit.language, session=session, fields=fields)
        return _admitted(view, visit, public)
    except Problem as problem:
        return visit.problem(problem.status, _SAID.get(problem.code, "not_found"))
    except BadId:
        return visit.problem(422, "bad_id")
    except (StoreError, LedgerUnavailable) as error:
        response = visit.problem(503, "only_noted" if isinstance(error, OnlyNoted) else "unavailable")
        response.headers["Retry-After"] = str(RETRY_AFTER_OUTAGE)
        return response


def _admitted(view: View, visit: Visit, public: bool) -> Response:
    posted = visit.request.method == "POST"
    if posted and not sessions.same_origin(visit.door, visit.request):
        return visit.problem(403, "bad_form")
    if visit.session is None and not public:
        return redirect("/memory/sign-in") if not posted else visit.problem(401, "bad_form")
    if posted and visit.session is not None and not public and not sessions.rightful(visit.session, visit.fields):
        return visit.problem(403, "bad_form")
    return view(visit)


def _language(request: Request) -> str:
    asked = request.query_params.get("lang") or request.cookies.get(LANGUAGE_COOKIE)
    if asked in LANGUAGES:
        return str(asked)
    return "zh" if request.headers.get("accept-language", "").lower().startswith("zh") else "en"


@cache
def _templates() -> Environment:
    """Everything is escaped; a name that is not given is an error, not an empty place."""
    loader = FileSystemLoader(Path(__file__).parent / "templates")
    found = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True)
    found.filters["moment"] = moment
    return found
