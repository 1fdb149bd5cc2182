"""The ledger as a file: JSON Lines, appended under a lock and synced before anyone relies on them."""

import fcntl
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO
from uuid import uuid4

from store.ledger import Entry, LedgerDamaged, LedgerUnavailable, Line, as_values, decoded, line_from

FORMAT = "afterword erasure ledger 1"
_BLOCK = 64 * 1024


class FileLedger:
    """See `store.ledger.Ledger`. The first line names format and ledger; every other one is an erasure.

    A process that dies while it appends leaves a last line without its newline. Nobody was told of that line, so the
    next to append cuts it off.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def place(self) -> Path | None:
        return self.path

    def identity(self) -> str:
        if not self.path.exists():
            return ""
        with self._opened("rb") as file:
            raw = file.readline()
        if not raw.endswith(b"\n"):
            return ""  # it died while beginning: `create` begins again
        head = decoded(raw)
        if head.get("format") != FORMAT or not isinstance(head.get("ledger"), str):
            raise LedgerDamaged(f"{self.path}: is not an erasure ledger that this version reads")
        return str(head["ledger"])

    def create(self) -> str:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise LedgerUnavailable(f"{self.path}: {error.strerror}") from None
        with os.fdopen(descriptor, "r+b") as file, _locked(file):
            if not file.readline().endswith(b"\n"):
                file.truncate(0)
                _write(file, 0, json.dumps({"format": FORMAT, "ledger": uuid4().hex}).encode() + b"\n")
                _sync_folder(self.path.parent)
        return self.identity()

    def last(self) -> int:
        if not self.path.exists():
            return 0
        with self._opened("rb") as file:
            return _last_number(file, _whole(file))

    def after(self, number: int) -> Iterator[Line]:
        if not self.path.exists():
            return
        with self._opened("rb") as file:
            file.readline()
            for expected, raw in enumerate(file, start=1):
                if not raw.endswith(b"\n"):
                    return  # being written at this moment, or torn: not a line yet
                line = line_from(decoded(raw))
                if line.number != expected:
                    raise LedgerDamaged(f"{self.path}: line {expected + 1} has the number {line.number}")
                if line.number > number:
                    yield line

    def append(self, entries: Sequence[Entry]) -> tuple[int, ...]:
        with self._opened("r+b") as file, _locked(file):
            end = _whole(file)
            first = _last_number(file, end) + 1
            numbers = tuple(range(first, first + len(entries)))
            lines = [json.dumps(as_values(entry, n)) + "\n" for entry, n in zip(entries, numbers, strict=True)]
            _write(file, end, "".join(lines).encode())
        return numbers

    @contextmanager
    def _opened(self, mode: str) -> Iterator[BinaryIO]:
        try:
            with self.path.open(mode) as file:
                yield file  # type: ignore[misc]
        except OSError as error:
            raise LedgerUnavailable(f"{self.path}: {error.strerror}") from None


@contextmanager
def _locked(file: BinaryIO) -> Iterator[None]:
    """One writer at a time, among threads and processes; the lock ends with its process."""
    fcntl.flock(file, fcntl.LOCK_EX)
    try:
        yield
    finally:
        fcntl.flock(file, fcntl.LOCK_UN)


def _whole(file: BinaryIO) -> int:
    """Where the last whole line ends: all that is behind it is torn."""
    end = position = file.seek(0, os.SEEK_END)
    while position > 0:
        start = max(0, position - _BLOCK)
        file.seek(start)
        newline = file.read(position - start).rfind(b"\n")
        if newline >= 0:
            return start + newline + 1
        position = start
    return 0 if end else end


def _last_number(file: BinaryIO, end: int) -> int:
    """The number of the line that ends at `end`; 0 where that is the first one, which names the ledger."""
    raw, position = b"", end
    while position > 0 and b"\n" not in raw[:-1]:
        start = max(0, position - _BLOCK)
        file.seek(start)
        raw, position = file.read(position - start) + raw, start
    last = raw[:-1].rpartition(b"\n")[2]
    values = decoded(last) if last else {}
    return 0 if "format" in values or not values else line_from(values).number


def _write(file: BinaryIO, at: int, raw: bytes) -> None:
    """Puts `raw` behind the last whole line and on disk, or leaves the file as it was."""
    try:
        file.truncate(at)
        file.seek(at)
        file.write(raw)
        file.flush()
        os.fsync(file.fileno())
    except OSError:
        file.truncate(at)
        raise


def _sync_folder(folder: Path) -> None:
    """Makes the new file's name itself outlive a power cut."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
