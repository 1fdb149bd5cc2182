"""The command line with a home of its own, and a small annotated file with replies."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from commandline import CommandLine
from evaluating import REQUESTS, TICKETS, replies, tickets

SMALL = ("A-zh-06", "A-zh-13", "A-en-07", "A-en-09")


@pytest.fixture
def afterword(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> CommandLine:
    import os

    for name in [name for name in os.environ if name.startswith(("AFTERWORD_", "OPENAI_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("AFTERWORD_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("AFTERWORD_EXTRACTOR", "rules")
    monkeypatch.setenv("AFTERWORD_EMBEDDER", "none")
    return CommandLine(monkeypatch, capfd)


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Path]:
    """A folder with four annotated tickets, their requests, and replies as annotated."""
    folder = tmp_path / "small"
    folder.mkdir()
    lines = TICKETS[0].read_text("utf-8").splitlines()
    (folder / "tickets.jsonl").write_text("\n".join(line for line in lines if any(n in line for n in SMALL)), "utf-8")
    asked = [line for line in REQUESTS.read_text("utf-8").splitlines() if any(f'"{name}|' in line for name in SMALL)]
    (folder / "requests.jsonl").write_text("\n".join(asked), "utf-8")
    (folder / "replies.jsonl").write_text("\n".join(replies(tickets(folder / "tickets.jsonl"), asked)), "utf-8")
    yield folder
