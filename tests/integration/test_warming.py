"""A fresh door or MCP server loads the encoder and the gates by itself, before anybody asks."""

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest
from recalling import LetterEmbedder, embedded_by, runtime_over
from starlette.testclient import TestClient

import worker.warming
from store.engine import open_engine
from worker.http.application import create_app
from worker.mcp import _load, server_for
from worker.runtime import CannotStart, Runtime
from worker.tools import RECALL, Result, Toolbox


class LoadingEmbedder(LetterEmbedder):
    """Notes when it was loaded, in `seen`; with `broken` it raises then."""

    def __init__(self, seen: list[str], *, broken: bool = False) -> None:
        super().__init__()
        self.seen, self.broken, self.loaded = seen, broken, threading.Event()

    def warm_up(self) -> None:
        self.seen.append("encoder")
        self.loaded.set()
        if self.broken:
            raise RuntimeError("no weights")


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was loaded, in order."""
    found: list[str] = []
    monkeypatch.setattr(worker.warming, "preload", lambda: found.append("gates"))
    return found


@pytest.fixture
def runtime(sqlite_url: str, tmp_path: Path) -> Runtime:
    return runtime_over(open_engine(sqlite_url), tmp_path)


def test_a_door_loads_the_encoder_at_its_start(runtime: Runtime, seen: list[str]) -> None:
    embedder = LoadingEmbedder(seen)
    embedded_by(runtime, embedder)
    with TestClient(create_app(runtime)):
        assert embedder.loaded.wait(60)


@pytest.mark.parametrize("broken", [False, True])
def test_the_gates_come_first_and_a_broken_encoder_ends_nothing(
    runtime: Runtime, seen: list[str], broken: bool
) -> None:
    embedded_by(runtime, LoadingEmbedder(seen, broken=broken))
    worker.warming.load_for_recall(runtime)
    assert seen == ["gates", "encoder"]


class Noting(Toolbox):
    """A toolbox that notes when it is called."""

    def call(self, name: str, arguments: Any) -> Result:
        self.opening.seen.append("called")  # type: ignore[attr-defined]
        return Result(text=name, data={})


def test_an_agents_first_question_waits_for_what_is_loading(runtime: Runtime, seen: list[str]) -> None:
    from mcp import Client

    def opening() -> Runtime:
        return runtime

    opening.seen = seen  # type: ignore[attr-defined]
    embedded_by(runtime, LoadingEmbedder(seen))
    toolbox, loaded = Noting(opening=opening, tenant="acme", actor="bot"), threading.Event()

    async def talk() -> None:
        async with Client(server_for(toolbox, loaded=loaded)) as client:
            asked = asyncio.create_task(client.call_tool(RECALL, {"customer_id": "u1"}))
            await asyncio.sleep(0.2)  # time enough to answer too early
            await asyncio.to_thread(_load, toolbox, loaded)
            await asked

    asyncio.run(talk())
    assert seen == ["gates", "encoder", "called"]


def test_nobody_waits_where_memory_cannot_be_opened() -> None:
    def opening() -> Runtime:
        raise CannotStart("down")

    loaded = threading.Event()
    _load(Toolbox(opening=opening, tenant="acme", actor="bot"), loaded)
    assert loaded.is_set()
