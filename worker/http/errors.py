"""What the door says when it says no: one form, one line, and never what was sent."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException

from pipeline.invalid import Fault, faults_in, models_in, told
from store.erase import OnlyNoted
from store.faults import StoreError
from store.ledger import LedgerUnavailable

RETRY_AFTER_OUTAGE = 5
"""Seconds after which a client may try again while the database is down."""


class Problem(Exception):
    """An answer other than success. `code` is for programs, `message` for people; neither repeats what was sent.
    `reason` is the code of a decision that stands behind it."""

    def __init__(
        self, status: int, code: str, message: str, *, headers: Mapping[str, str] | None = None, reason: str = ""
    ) -> None:
        super().__init__(code)
        self.status, self.code, self.message, self.headers = status, code, message, dict(headers or {})
        self.reason = reason

    def response(self) -> JSONResponse:
        return JSONResponse(self.document(), self.status, headers=self.headers)

    def document(self) -> dict[str, Any]:
        return {"error": {"code": self.code, "message": self.message}}


class ErrorDetail(BaseModel):
    code: str = Field(description="for programs")
    message: str = Field(description="for people; never repeats what was sent")


class Error(BaseModel):
    """Every answer other than success."""

    error: ErrorDetail


_SAID = {
    400: "malformed: not JSON, or not what this route takes",
    401: "no valid credential",
    403: "the credential may not do this, or is another tenant's",
    404: "there is no such thing",
    408: "the body took too long to arrive",
    409: "it contradicts what is there",
    413: "the body is too large",
    415: "want JSON",
    422: "fields are wrong; the message names each",
    429: "too many requests: see Retry-After",
    503: "the database does not answer: see Retry-After. Nothing was changed, but `noted` is finished by itself",
}


def answers(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The OpenAPI entries of these errors; those that any route can give are always among them."""
    every = sorted({*statuses, 400, 413, 408, 503})
    return {status: {"model": Error, "description": _SAID[status]} for status in every}


def guarded(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """`answers` of a route that wants a token."""
    return answers(401, 403, 422, 429, *statuses)


def install(app: FastAPI) -> None:
    """Every exception becomes the one form. What is unexpected is logged by its place alone (see `app`)."""
    for kind in (Problem, StoreError, LedgerUnavailable):
        app.add_exception_handler(kind, _expected)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)


def unavailable() -> Problem:
    text = "the database does not answer; nothing was changed: try again"
    return Problem(503, "unavailable", text, headers={"Retry-After": str(RETRY_AFTER_OUTAGE)})


def noted() -> Problem:
    """Of an erasure that has reached the ledger and no further."""
    text = "the forgetting is noted and will be finished by the next re-apply; the database does not answer now"
    return Problem(503, "noted", text, headers={"Retry-After": str(RETRY_AFTER_OUTAGE)})


def answer_to(error: Exception) -> JSONResponse | None:
    """The answer for an error that a route may end with; None for one that nobody expects."""
    if isinstance(error, Problem):
        return error.response()
    if isinstance(error, OnlyNoted):
        return noted().response()
    return unavailable().response() if isinstance(error, StoreError | LedgerUnavailable) else None


async def _expected(_request: Request, error: Exception) -> JSONResponse:
    found = answer_to(error)
    assert found is not None  # noqa: S101 (it is installed for these alone)
    return found


async def _invalid(request: Request, error: Exception) -> JSONResponse:
    """Names every field that is wrong, where its name is ours; one that the caller made up could be a customer's."""
    assert isinstance(error, RequestValidationError)  # noqa: S101
    rows = error.errors()
    if any(row["type"] == "json_invalid" for row in rows):
        return Problem(400, "not_json", "the body is not JSON").response()
    places = dict.fromkeys(row["loc"][0] for row in rows)
    faults = [fault for place in places for fault in _faults(place, rows, request)]
    return Problem(422, "invalid", told(tuple(faults))).response()


def _faults(place: str, rows: Sequence[Any], request: Request) -> Iterator[Fault]:
    """Those of the body, the query or the path, as 'body.verdict'."""
    inside = [{**row, "loc": row["loc"][1:]} for row in rows if row["loc"][0] == place]
    for one in faults_in(inside, _body_model(request) if place == "body" else None, whole=""):
        yield Fault(f"{place}.{one.field}".rstrip("."), one.problem)


def _body_model(request: Request) -> type[BaseModel] | None:
    params = getattr(getattr(request.scope.get("route"), "dependant", None), "body_params", [])
    return next((model for one in params for model in models_in(one.field_info.annotation)), None)


async def _http(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)  # noqa: S101
    known = {404: ("not_found", "no such path"), 405: ("method_not_allowed", "this path has other methods")}
    code, message = known.get(error.status_code, ("malformed", "the request cannot be read"))
    return Problem(error.status_code, code, message, headers=dict(error.headers or {})).response()
