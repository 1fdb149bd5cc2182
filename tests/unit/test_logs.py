import errno
import json
import logging
import re
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from worker import logs

CANARY = "Quetzalcoatl"


class Printed:
    """What went to stderr so far."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys
        self._text = ""

    def getvalue(self) -> str:
        self._text += self._capsys.readouterr().err
        return self._text


@pytest.fixture
def stream(capsys: pytest.CaptureFixture[str]) -> Iterator[Printed]:
    """What is printed. The process's own logging is put back afterwards."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    hooks = sys.excepthook, threading.excepthook
    yield Printed(capsys)
    root.handlers[:] = handlers
    root.setLevel(level)
    sys.excepthook, threading.excepthook = hooks
    logging.captureWarnings(False)
    for name in logs.SILENT:
        logging.getLogger(name).disabled = False
        logging.getLogger(name).setLevel(logging.NOTSET)


def test_a_line_has_ids_codes_and_numbers(stream: Printed) -> None:
    logs.configure()
    logging.getLogger("worker.process").info("done", extra={"event": "e1", "kept": 2, "ms": 0})
    assert stream.getvalue().endswith("info worker.process: done event=e1 ms=0 kept=2\n")


def test_a_json_line_has_the_same(stream: Printed) -> None:
    logs.configure("json")
    logging.getLogger("worker.process").info("done", extra={"event": "e1", "kept": 2})
    line = json.loads(stream.getvalue())
    assert line["message"] == "done"
    assert (line["event"], line["kept"], line["level"], line["logger"]) == ("e1", 2, "info", "worker.process")


def test_a_field_that_is_not_listed_is_not_printed(stream: Printed) -> None:
    logs.configure("json")
    logging.getLogger("worker.process").info("done", extra={"event": "e1", "value": CANARY, "text": CANARY})
    assert CANARY not in stream.getvalue()


@pytest.mark.parametrize("style", ["plain", "json"])
def test_an_exception_is_its_type_and_its_place_and_not_its_message(stream: Printed, style: str) -> None:
    logs.configure(style)
    try:
        try:
            raise ValueError(CANARY)
        except ValueError as error:
            raise RuntimeError(f"while reading {CANARY}") from error
    except RuntimeError:
        logging.getLogger("worker.process").exception("unexpected error")
    assert "RuntimeError at unit/test_logs.py:" in stream.getvalue()
    assert CANARY not in stream.getvalue()


@pytest.mark.parametrize(
    "name", ["celery.worker", "kombu.mixins", "presidio-analyzer", "openai._base_client", "some.lib"]
)
def test_a_librarys_arguments_are_not_printed(stream: Printed, name: str) -> None:
    logs.configure()
    logging.getLogger(name).error("The full contents of the message body was: %s", CANARY)
    if not name.startswith(logs.SPEAKING):
        logging.getLogger(name).error(CANARY)  # some put the value into the template itself
    assert CANARY not in stream.getvalue()


def test_a_librarys_level_and_name_are_told(stream: Printed) -> None:
    logs.configure()
    logging.getLogger("some.lib").error("%s", CANARY)
    assert f"error some.lib: {logs.WITHHELD}" in stream.getvalue()


def test_an_operating_systems_error_is_told_by_its_number_alone(stream: Printed) -> None:
    logs.configure()
    logging.getLogger("some.lib").error(OSError(errno.EADDRINUSE, CANARY))
    logging.getLogger("some.lib").error(OSError(CANARY))
    assert "error some.lib: address already in use\n" in stream.getvalue()
    assert f"error some.lib: {logs.WITHHELD}\n" in stream.getvalue() and CANARY not in stream.getvalue()


def test_an_uncaught_exception_is_told_without_its_message(stream: Printed) -> None:
    logs.configure()
    try:
        raise ValueError(CANARY)
    except ValueError as error:
        sys.excepthook(type(error), error, error.__traceback__)
    thread = threading.Thread(target=lambda: int(CANARY))
    thread.start()
    thread.join()
    assert stream.getvalue().count("uncaught exception=ValueError at ") == 2
    assert CANARY not in stream.getvalue()


def test_every_listed_field_is_free_to_be_used() -> None:
    """A name that logging itself uses would raise where it is passed."""
    taken = set(logging.makeLogRecord({}).__dict__) | {"message", "asctime"}
    assert not taken & set(logs.FIELDS)


def test_no_message_of_ours_waits_for_arguments_that_are_never_printed() -> None:
    root = Path(logs.__file__).parents[1]
    calls = re.compile(r"\.(?:debug|info|warning|error|critical|exception)\(\s*f?\"[^\"]*%[sdr]")
    files = [file for package in ("worker", "store", "pipeline") for file in (root / package).rglob("*.py")]
    assert len(files) > 100
    assert [file.name for file in files if calls.search(file.read_text("utf-8"))] == []
