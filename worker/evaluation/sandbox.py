"""A memory of its own for an evaluation: the user's settings, catalogue and policy, on a temporary SQLite file."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from worker.runtime import Runtime, open_runtime
from worker.settings import Settings

TENANT = "evaluation"
_KEY = "00" * 32
"""Of a database that lives for a minute and holds annotated tickets: the same key gives the same ids on every run."""


@contextmanager
def sandbox(settings: Settings) -> Iterator[Runtime]:
    """A runtime over an empty database, which is gone when the block ends. The user's own is never touched."""
    with tempfile.TemporaryDirectory(prefix="afterword-evaluation-") as folder:
        alone = replace(settings, home=Path(folder), database_url="", migrate_url="", redis_url="", ledger="", key=_KEY)
        runtime = open_runtime(alone)
        try:
            yield runtime
        finally:
            runtime.close()
