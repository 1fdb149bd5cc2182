"""Where a secret of an annotated ticket is found that may stand nowhere: facts, evidence, log, database, prompts."""

import logging
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from sqlalchemy import LargeBinary, select

from store.engine import reading
from store.models import metadata
from worker.evaluation.runner import Outcome
from worker.evaluation.scoring import compact
from worker.logs import fields_of
from worker.runtime import Runtime

_ID = re.compile(r"[0-9a-f]{32}")
"""Keyed hashes: a six-digit code is found in them by chance."""
_LOGGERS = ("worker", "store", "pipeline", "presidio-analyzer", "openai", "httpx")


@dataclass(frozen=True, kw_only=True)
class Leak:
    """A secret that showed: of which ticket, what it is, and where. Never the secret itself."""

    ticket: str
    why: str
    where: str


class Log(logging.Handler):
    """Keeps every line that is logged, with all its fields, down to debug."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(f"{record.getMessage()} {fields_of(record)} {record.exc_text or record.exc_info or ''}")


@contextmanager
def captured_log() -> Iterator[Log]:
    """What our own code and the libraries that see text log meanwhile, whatever the settings say."""
    log, levels = Log(), {name: logging.getLogger(name).level for name in _LOGGERS}
    propagates = {name: logging.getLogger(name).propagate for name in _LOGGERS}
    for name in _LOGGERS:
        logger = logging.getLogger(name)
        logger.addHandler(log)
        logger.setLevel(logging.DEBUG)
        logger.propagate = False
    try:
        yield log
    finally:
        for name, level in levels.items():
            logger = logging.getLogger(name)
            logger.removeHandler(log)
            logger.setLevel(level)
            logger.propagate = propagates[name]


def leaks(runtime: Runtime, outcomes: Sequence[Outcome], log: Log) -> tuple[Leak, ...]:
    """Every secret in every place. A sensitive statement is meant to be read by the model: storing it is the leak."""
    logged = [compact(line) for line in log.lines]
    held = dict(_held(runtime))
    found: dict[Leak, None] = {}
    for outcome in outcomes:
        prompts = [compact(line) for prompt in outcome.prompts for line in prompt.split("\n")]
        for secret in outcome.ticket.secrets:
            if not secret.sensitive:
                continue
            places = {**held, "log": logged} | ({} if secret.statement else {"prompt": prompts})
            needle = compact(secret.text)
            for where, texts in places.items():
                if any(needle in text for text in texts):
                    found[Leak(ticket=outcome.ticket.dialogue_id, why=secret.why, where=where)] = None
    return tuple(found)


def _held(runtime: Runtime) -> Iterator[tuple[str, list[str]]]:
    """Every text of every table, by 'database: table.column'."""
    with reading(runtime.engine) as connection:
        for table in metadata.sorted_tables:
            columns = [column for column in table.c if not isinstance(column.type, LargeBinary)]
            rows = [row._asdict() for row in connection.execute(select(*columns))]
            for column in columns:
                texts = {text for row in rows for text in _texts(row[column.name])}
                yield f"database: {table.name}.{column.name}", [compact(t) for t in texts if not _ID.fullmatch(t)]


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for inner in (*value.keys(), *value.values()):
            yield from _texts(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _texts(inner)
