"""Whose turn it is at SQLite's one writer: who waits for it says so, and who has time lets them go first.

Who waits holds a file beside the database, shared; whoever cannot have it alone knows that somebody does. The lock ends
with its process. PostgreSQL needs none of this.
"""

import fcntl
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Engine

_LOOK_AGAIN = 0.001


@contextmanager
def waiting(engine: Engine) -> Iterator[None]:
    """Says that somebody waits for the database, until the block ends."""
    with _held(engine, fcntl.LOCK_SH):
        yield


def let_pass(engine: Engine, *, seconds: float) -> None:
    """Returns once nobody waits for the database any more, after `seconds` at the latest."""
    deadline = time.monotonic() + seconds
    while somebody_waits(engine) and time.monotonic() < deadline:
        time.sleep(_LOOK_AGAIN)


def somebody_waits(engine: Engine) -> bool:
    with _held(engine, fcntl.LOCK_EX) as alone:
        return not alone


@contextmanager
def _held(engine: Engine, how: int) -> Iterator[bool]:
    """Holds the file as far as it can be had at once, and says whether. Where there is no such file (a database in
    memory) or it is not ours to open, it is had, and nobody hears of it."""
    path = engine.url.database
    if engine.dialect.name != "sqlite" or not path or path == ":memory:":
        yield True
        return
    try:
        file = Path(f"{path}.turns.lock").open("ab")  # noqa: SIM115 - closed below
    except OSError:
        yield True
        return
    with file:
        yield _locked(file.fileno(), how)


def _locked(file: int, how: int) -> bool:
    try:
        fcntl.flock(file, how | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
