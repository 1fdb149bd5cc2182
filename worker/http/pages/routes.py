"""The page's addresses."""

from pathlib import Path

from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from worker.http.pages import deeds, views
from worker.http.pages.visit import View, page

_SHOWN: dict[str, View] = {
    "/memory": views.home,
    "/memory/customer": views.customer,
    "/memory/fact": views.fact,
    "/memory/export": views.export,
    "/memory/review": views.questions,
    "/memory/dead": views.dead,
}
_DONE: dict[str, View] = {
    "/memory/sign-out": deeds.sign_out,
    "/memory/correct": deeds.correct,
    "/memory/confirm": deeds.confirm,
    "/memory/forget": deeds.forget_all,
    "/memory/forget-fact": deeds.forget_one,
    "/memory/accept": deeds.accept,
    "/memory/dismiss": deeds.dismiss,
    "/memory/replay": deeds.put_back,
}


def routes() -> list[BaseRoute]:
    """Everything but the sign-in and the style sheet wants a session."""
    shown = [Route(path, page(view), methods=["GET"]) for path, view in _SHOWN.items()]
    done = [Route(path, page(view), methods=["POST"]) for path, view in _DONE.items()]
    sign_in = Route("/memory/sign-in", page(deeds.sign_in, public=True), methods=["GET", "POST"])
    static = Mount("/memory/static", StaticFiles(directory=Path(__file__).parent / "static"))
    return [*shown, *done, sign_in, static]
