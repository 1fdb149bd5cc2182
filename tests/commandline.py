"""The command line, called in this process: quick, and with everything that a user would see."""

import io
import json
import sys
from dataclasses import dataclass
from typing import Any

import pytest

from worker.cli import main


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
