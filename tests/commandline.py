"""The command line, called in this process: quick, and with everything that a user would see."""

import asyncio
import io
import json
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from worker.cli import main

ROOT = Path(__file__).parents[1]


@dataclass(frozen=True)
class Result:
    """What the command printed, and how it ended."""

    code: int
    out: str
    err: str

    @property
    def rows(self) -> list[dict[str, Any]]:
        """Standard output as JSON Lines; it must hold nothing else."""
        return [json.loads(line) for line in self.out.splitlines()]

    @property
    def row(self) -> dict[str, Any]:
        (row,) = self.rows
        return row


class CommandLine:
    """`afterword(*args)` runs the verb in the environment that the fixture has set."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
        self._monkeypatch, self._capfd = monkeypatch, capfd

    def __call__(self, *args: object, stdin: str = "") -> Result:
        self._capfd.readouterr()
        self._monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode()), "utf-8"))
        with pytest.raises(SystemExit) as ended:
            main([str(arg) for arg in args])
        sys.stdout.flush()
        out, err = self._capfd.readouterr()
        return Result(code=int(ended.value.code or 0), out=out, err=err)

    def setenv(self, name: str, value: str) -> None:
        self._monkeypatch.setenv(name, value)


def tool_called(tool: str, arguments: Mapping[str, Any], *options: str, stderr: Path) -> Any:
    """What `afterword mcp` with these options, started as an agent starts it, answers to one call over stdio."""
    from mcp import Client, StdioServerParameters
    from mcp.client.stdio import stdio_client

    words = ["-c", "import sys; from worker.cli import main; main(sys.argv[1:])", "mcp", *options]
    env = {**os.environ, "AFTERWORD_EMBEDDER": "none", "PYTHONPATH": str(ROOT)}
    server = StdioServerParameters(command=sys.executable, args=words, env=env)

    async def talk() -> Any:
        with stderr.open("w") as errors:  # the SDK would keep the stderr of its first import
            async with Client(stdio_client(server, errlog=errors)) as client:
                return await client.call_tool(tool, dict(arguments))

    return asyncio.run(asyncio.wait_for(talk(), 60))
