"""A model server that costs little: whatever it is asked, it answers with the same facts, after a while."""

import asyncio
import json
import multiprocessing
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from typing import Any

from fake_openai import completion


async def _served(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, answer: bytes, seconds: float) -> None:
    try:
        while True:
            head = await reader.readuntil(b"\r\n\r\n")
            length = next(line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:"))
            await reader.readexactly(int(length.partition(b":")[2]))
            await asyncio.sleep(seconds)
            writer.write(answer)
            await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):
        writer.close()


async def _serve(port: Connection, answer: bytes, seconds: float) -> None:
    server = await asyncio.start_server(
        lambda reader, writer: _served(reader, writer, answer=answer, seconds=seconds), "127.0.0.1", 0, backlog=1024
    )
    port.send(server.sockets[0].getsockname()[1])
    await server.serve_forever()


def _run(port: Connection, facts: list[dict[str, Any]], seconds: float) -> None:
    body = completion(json.dumps({"facts": facts}, ensure_ascii=False)).encode()
    head = f"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
    asyncio.run(_serve(port, head.encode() + body, seconds))


@contextmanager
def answering(facts: list[dict[str, Any]], *, seconds: float) -> Iterator[str]:
    """The address of a model server that proposes `facts` to whatever it is asked, `seconds` later."""
    ours, theirs = multiprocessing.Pipe()
    server = multiprocessing.get_context("spawn").Process(target=_run, args=(theirs, facts, seconds), daemon=True)
    server.start()
    try:
        yield f"http://127.0.0.1:{ours.recv()}/v1"
    finally:
        server.kill()
        server.join(5)
