"""Files for their owner's eyes alone, wherever they lie: they hold what customers said."""

import os
import stat
from contextlib import suppress
from pathlib import Path
from threading import Lock

MODE = 0o600
_OTHERS = 0o077
_making = Lock()


def opener(path: str, flags: int) -> int:
    """For `open(…, opener=opener)`: a file made here is its owner's alone; one that was there stays as it is."""
    return os.open(path, flags, MODE)


def make(path: str | Path) -> None:
    """Makes an empty file where there is none. Raises nothing: who opens it next says better what is wrong.

    One at a time: closing a file takes away all locks that this process has on it, so nobody here may have opened it
    in between.
    """
    with _making, suppress(OSError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, MODE))


def others_may_read(path: Path) -> bool:
    """Also False where there is nothing."""
    with suppress(OSError):
        return bool(stat.S_IMODE(path.stat().st_mode) & _OTHERS)
    return False
