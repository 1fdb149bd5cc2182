"""For those who watch the door: is it alive, is it ready, what do the figures say."""

from fastapi import APIRouter, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel
from starlette.concurrency import run_in_threadpool

from store.engine import reading
from store.faults import StoreError
from store.migrate import checked_revision
from store.migrations import HEAD
from worker.http.context import Door
from worker.metrics import CONTENT_TYPE

router = APIRouter(tags=["health"])


class Alive(BaseModel):
    status: str


class Ready(BaseModel):
    """`status` is ready, or the first thing that stands against it."""

    status: str


@router.get("/healthz", responses={200: {"model": Alive}})
async def healthz() -> JSONResponse:
    """The process answers. Restart it where it does not."""
    return JSONResponse({"status": "alive"})


@router.get("/readyz", responses={200: {"model": Ready}, 503: {"model": Ready, "description": "send nobody here yet"}})
def readyz(door: Door) -> JSONResponse:
    """The database answers and has this version's schema. A Redis that is down makes nobody unready: tickets are safe
    in the database, and published once it is back."""
    try:
        with reading(door.runtime.engine):
            found = checked_revision(door.runtime.engine)
    except StoreError as error:
        return JSONResponse({"status": str(error)}, 503)
    if found != HEAD:
        return JSONResponse({"status": f"the schema is {found}, this version wants {HEAD}"}, 503)
    return JSONResponse({"status": "ready"})


@router.get("/metrics", response_class=Response, responses={200: {"content": {"text/plain": {}}}})
async def metrics(door: Door) -> Response:
    """Prometheus text. No label holds a tenant, a customer or a value."""
    return Response(await run_in_threadpool(door.metrics.exposition), media_type=CONTENT_TYPE)
