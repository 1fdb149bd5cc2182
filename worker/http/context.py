"""What every route works with, and how it reaches it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Annotated

from fastapi import Depends, Request

from pipeline.terms import Terms
from worker.adapters.config import Hooks
from worker.http.credentials import Credentials
from worker.http.ended import Ended
from worker.http.intake import Intake
from worker.http.limits import Rates
from worker.metrics import Metrics
from worker.runtime import Runtime


def _utc_now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, kw_only=True)
class Context:
    """One a door. `clock` is what signatures are held against."""

    runtime: Runtime
    terms: Terms = field(repr=False)
    intake: Intake
    credentials: Credentials
    rates: Rates
    metrics: Metrics
    hooks: Hooks = field(repr=False)
    ended: Ended = field(default_factory=Ended, init=False, repr=False)
    clock: Callable[[], datetime] = _utc_now


async def context_of(request: Request) -> Context:
    """Async, as every dependency here: FastAPI sends the others to a thread each."""
    context: Context = request.app.state.context
    return context


Door = Annotated[Context, Depends(context_of)]
