"""Batch files: a register under HOME, so that the proof of forgetting searches them and none is kept for good.

A request file holds masked text only, and is deleted once it has expired. A replies file is the user's own: it is
searched as long as it is there, and never deleted by us.
"""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from pathlib import Path

from worker.settings import Settings


@dataclass(frozen=True, kw_only=True)
class Registered:
    """A batch file: where it is and, of one that we wrote, when it goes (ISO 8601; '' for one that is not ours)."""

    path: str
    expires_at: str = ""

    def expired(self, now: datetime) -> bool:
        return bool(self.expires_at) and datetime.fromisoformat(self.expires_at) <= now


def _register(settings: Settings) -> Path:
    return settings.home / "batches.jsonl"


def registered(settings: Settings) -> list[Registered]:
    """All files that are known and still there."""
    return [one for one in _lines(settings) if Path(one.path).exists()]


def paths(settings: Settings) -> list[Path]:
    """What `erasures verify` searches."""
    return [Path(one.path) for one in registered(settings)]


def request_files(settings: Settings) -> list[Path]:
    """Those that we wrote, oldest first."""
    return [Path(one.path) for one in registered(settings) if one.expires_at]


def register_requests(settings: Settings, path: Path, *, now: datetime) -> datetime:
    """Notes a request file, before anything is in it. It is kept as long as the payload of a ticket that is done.
    Returns when it expires."""
    expires_at = now + timedelta(days=settings.payload_days)
    _note(settings, Registered(path=str(path.absolute()), expires_at=expires_at.isoformat()))
    return expires_at


def register_searched(settings: Settings, path: Path) -> None:
    """Notes a file that is the user's own: replies, or the requests of an evaluation."""
    _note(settings, Registered(path=str(path.absolute())))


def expired(settings: Settings, *, now: datetime) -> list[Path]:
    """The request files that a purge deletes."""
    return [Path(one.path) for one in registered(settings) if one.expired(now)]


def expire(settings: Settings, *, now: datetime) -> int:
    """Deletes request files that have expired, and forgets what is not there any more. Returns how many it deleted."""
    known, gone = _lines(settings), expired(settings, now=now)
    for path in gone:
        path.unlink(missing_ok=True)
    left = [one for one in known if Path(one.path).exists()]
    if left != known:
        _save(settings, left)
    return len(gone)


def _note(settings: Settings, one: Registered) -> None:
    _save(settings, [*(known for known in _lines(settings) if known.path != one.path), one])


def _lines(settings: Settings) -> list[Registered]:
    return list(_read(_register(settings)))


def _read(path: Path) -> Iterator[Registered]:
    if path.exists():
        for line in path.read_text("utf-8").splitlines():
            yield Registered(**json.loads(line))


def _save(settings: Settings, files: list[Registered]) -> None:
    """Whole or not at all."""
    settings.home.mkdir(parents=True, exist_ok=True, mode=0o700)
    fresh = _register(settings).with_suffix(".new")
    fresh.write_text("".join(json.dumps(asdict(one)) + "\n" for one in files), "utf-8")
    fresh.replace(_register(settings))
