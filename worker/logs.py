"""Logs that carry ids, codes and numbers, and can carry nothing else.

Our own loggers (`worker…`, `store…`) log a fixed message plus the fields listed in FIELDS. Of a library's record only
its template is printed, never its arguments: some libraries log what they were given, and what they were given is
customer text. An exception is printed as its type and the places it passed through, never with its message.
"""

import json
import logging
import os
import sys
import threading
import traceback
from datetime import UTC, datetime
from types import TracebackType
from typing import Any

FIELDS = (
    "event",
    "tenant",
    "state",
    "reason",
    "lane",
    "fence",
    "attempts",
    "ms",
    "model_ms",
    "prompt_tokens",
    "reply_tokens",
    "calls",
    "candidates",
    "kept",
    "refused",
    "retry_after",
    "count",
    "status",
    "error",
    "child",
    "code",
    "job",
)
"""The only extra fields that are printed: ids, codes, numbers."""
OURS = ("worker", "store", "pipeline", "afterword")
SPEAKING = ("celery", "kombu", "alembic")
"""Libraries whose templates are fixed text. Of any other only the logger's name and level are printed, and an
operating system's error by its number."""
SILENT = ("openai", "httpx", "httpx2", "httpcore", "httpcore2", "presidio-analyzer", "presidio_analyzer", "tldextract")
"""Libraries that log requests, replies or findings: they have nothing to say here."""
QUIET = ("alembic", "celery.beat", "celery.worker.strategy", "celery.app.trace")
"""Libraries that say a line for every step: only what is amiss is of interest."""
WITHHELD = "(a library's message, withheld)"


def configure(style: str = "plain", level: str = "info") -> None:
    """Sends every record to stderr in one form, silences what would repeat texts, and covers uncaught exceptions."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines() if style == "json" else Plain())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    for name in SILENT:
        logging.getLogger(name).disabled = True
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    for name in QUIET:
        logging.getLogger(name).setLevel(logging.WARNING)
    logging.captureWarnings(True)
    sys.excepthook = _uncaught
    threading.excepthook = _uncaught_in_thread


def fields_of(record: logging.LogRecord) -> dict[str, Any]:
    """What of a record may be printed, beside time, level and logger."""
    found: dict[str, Any] = {"message": message_of(record)}
    if _is_ours(record.name):
        found |= {name: record.__dict__[name] for name in FIELDS if record.__dict__.get(name) is not None}
    if record.exc_info and record.exc_info[0]:
        found["exception"] = where(*record.exc_info)
    return found


def message_of(record: logging.LogRecord) -> str:
    if _is_ours(record.name) or record.name.partition(".")[0] in SPEAKING:
        return str(record.msg).strip().splitlines()[0] if str(record.msg).strip() else ""
    if isinstance(record.msg, OSError) and record.msg.errno:
        return os.strerror(record.msg.errno).lower()  # the system's words for a number: 'address already in use'
    return WITHHELD


def _is_ours(name: str) -> bool:
    return name.partition(".")[0] in OURS


def where(kind: Any, error: Any, trace: TracebackType | None) -> str:
    """'OperationalError at store/claim.py:41 < worker/process.py:77': the innermost place first, no message."""
    frames = traceback.extract_tb(trace)[-4:] if trace else []
    places = " < ".join(f"{'/'.join(frame.filename.split('/')[-2:])}:{frame.lineno}" for frame in reversed(frames))
    name = getattr(kind, "__name__", "exception")
    return f"{name} at {places}" if places else name


class Plain(logging.Formatter):
    """`2026-03-01T09:00:00Z info worker.process: done event=… ms=812`."""

    def format(self, record: logging.LogRecord) -> str:
        found = fields_of(record)
        message = found.pop("message")
        rest = "".join(f" {name}={value}" for name, value in found.items())
        return f"{_moment(record)} {record.levelname.lower()} {record.name}: {message}{rest}"


class JsonLines(logging.Formatter):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        head = {"at": _moment(record), "level": record.levelname.lower(), "logger": record.name}
        return json.dumps(head | fields_of(record), default=str, ensure_ascii=False)


def _moment(record: logging.LogRecord) -> str:
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _uncaught(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    if issubclass(kind, KeyboardInterrupt):
        return
    logging.getLogger("worker").critical("uncaught", exc_info=(kind, error, trace))


def _uncaught_in_thread(args: threading.ExceptHookArgs) -> None:
    if args.exc_value is not None:
        _uncaught(args.exc_type, args.exc_value, args.exc_traceback)
