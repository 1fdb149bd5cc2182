"""What works and what does not: one check a line, each with what to do about it."""

import platform
import shlex
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from importlib.metadata import version
from pathlib import Path

from redis import RedisError

from pipeline.reasons import Reason
from store import fetches, pauses
from store.counts import dead_by_reason, failing_by_reason, oldest_pending, total
from store.engine import database_now, reading
from store.faults import StoreError
from store.heartbeat import Heartbeat, last_runs
from store.migrate import checked_revision
from store.migrations import HEAD
from store.private_files import others_may_read
from store.reapply import lines_behind
from store.wall import Wall, wall_state
from store.whose_key import check_key
from worker.alive import sweep_overdue
from worker.broker import JUNK_KEY
from worker.runtime import Runtime, advised
from worker.settings import KEY_FILE
from worker.wording import counted

MAX_SKEW = timedelta(seconds=5)
PURGE_OVERDUE = timedelta(hours=26)
"""A daily purge that has not run for longer than this has missed its turn."""


class Health(StrEnum):
    OK = "ok"
    WARN = "warn"
    FAIL = "fail"


@dataclass(frozen=True, kw_only=True)
class Check:
    name: str
    health: Health
    says: str


Answer = tuple[Health, str]


def examine(runtime: Runtime) -> Iterator[Check]:
    """Every check in turn. A check that fails to answer is itself a failed one."""
    for name, check in _CHECKS.items():
        try:
            health, says = check(runtime)
        except StoreError as error:
            health, says = Health.FAIL, str(error)
        except Exception as error:
            # Their own text is repeated where it is ours (the ledger's errors); others could quote a row.
            own = (type(error).__module__ or "").split(".")[0] in ("store", "worker", "pipeline")
            health, says = Health.FAIL, advised(error) if own else type(error).__name__
        yield Check(name=name, health=health, says=says)


def _versions(_runtime: Runtime) -> Answer:
    names = ("afterword", "celery", "sqlalchemy", "openai")
    return Health.OK, ", ".join(f"{n} {version(n)}" for n in names) + f", Python {platform.python_version()}"


def _database(runtime: Runtime) -> Answer:
    found = checked_revision(runtime.engine)
    kind = runtime.engine.dialect.name
    if found == HEAD:
        return Health.OK, f"{kind}, schema {found}"
    return Health.WARN, f"{kind}, schema {found or 'empty'}, this version wants {HEAD}: afterword migrate"


def _wall(runtime: Runtime) -> Answer:
    found = wall_state(runtime.engine)
    return Health.OK if found in (Wall.UP, Wall.NOT_THERE) else Health.WARN, found.value


def _clock(runtime: Runtime) -> Answer:
    with reading(runtime.engine) as connection:
        skew = abs(database_now(connection) - datetime.now(UTC))
    says = f"{skew.total_seconds():.1f} s between this host and the database"
    return Health.OK if skew <= MAX_SKEW else Health.WARN, says


def _redis(runtime: Runtime) -> Answer:
    if runtime.redis is None:
        return Health.WARN, "none is configured and none runs here: tickets wait until `afterword up` or a worker runs"
    try:
        runtime.redis.ping()
        junk = int(runtime.redis.get(JUNK_KEY) or 0)
    except (RedisError, OSError) as error:
        return Health.FAIL, f"does not answer ({type(error).__name__}): start it; tickets are safe in the database"
    return Health.OK, "answers" + (f"; {counted(junk, 'unreadable messages')} dropped" if junk else "")


def _model(runtime: Runtime) -> Answer:
    waits = runtime.settings.model_configured
    if waits:
        return Health.WARN, f"{waits} {_OF_THIS_SHELL}"
    if runtime.settings.extractor == "rules":
        return Health.WARN, f"the offline rules: they find little; set OPENAI_API_KEY for a model {_OF_THIS_SHELL}"
    breaker = runtime.limits.state()
    says = f"{runtime.settings.model}, not called here; breaker {breaker}"
    if breaker == "closed" and not _model_fails(runtime):
        return Health.OK, says
    return Health.WARN, f"{says}; it fails or asks for time, so tickets wait"


_OF_THE_MODEL = {Reason.RATE_LIMITED, Reason.MODEL_UNAVAILABLE, Reason.MODEL_REFUSES, Reason.MODEL_TIMEOUT}


def _model_fails(runtime: Runtime) -> bool:
    """Whether a ticket waits since the model's server gave no answer: the breaker opens only after several."""
    with suppress(StoreError):  # down: another check says so
        return not _OF_THE_MODEL.isdisjoint(failing_by_reason(runtime.engine))
    return False


_OF_THIS_SHELL = "(by the settings of this shell; workers that run have those they were started with)"


def _ledger(runtime: Runtime) -> Answer:
    behind = lines_behind(runtime.engine, runtime.ledger)
    if _beside_the_database(runtime):
        return Health.WARN, "it stands in the database's own directory: one backup would hold both, so move it"
    if behind:
        return Health.WARN, f"{counted(behind, 'lines')} not applied here yet: afterword erasures reapply"
    below = "; under the database's directory: back up the database file, not the directory"
    return Health.OK, f"level at line {runtime.ledger.last()}" + (below if _below_the_database(runtime) else "")


def _beside_the_database(runtime: Runtime) -> bool:
    place, directory = runtime.ledger.place(), _database_directory(runtime)
    return place is not None and place.absolute().parent == directory


def _below_the_database(runtime: Runtime) -> bool:
    """As by default, HOME/ledger under HOME: a backup of the directory would hold both, one of the file does not."""
    place, directory = runtime.ledger.place(), _database_directory(runtime)
    return place is not None and directory is not None and directory in place.absolute().parents


def _database_directory(runtime: Runtime) -> Path | None:
    """Where SQLite's file lies; None for a database that is no file."""
    database = runtime.engine.url.database
    return Path(database).absolute().parent if database and runtime.engine.dialect.name == "sqlite" else None


def _key(runtime: Runtime) -> Answer:
    with suppress(StoreError):  # down or empty: another check says so
        check_key(runtime.engine, runtime.keys, runtime.ledger)
    path = runtime.settings.home / KEY_FILE
    if runtime.settings.key:
        return Health.OK, f"key {runtime.keys.key_id}, from AFTERWORD_KEY"
    if others_may_read(path):
        return Health.WARN, f"{path} can be read by others: chmod 600"
    beside = ", which lies beside it" if path.absolute().parent == _database_directory(runtime) else ""
    return Health.OK, f"key {runtime.keys.key_id}, from {path}: back it up apart from the database{beside}"


def _home(runtime: Runtime) -> Answer:
    """A database made by an earlier version may let others read it; in a HOME that is closed to them nobody can."""
    home, directory = runtime.settings.home, _database_directory(runtime)
    if others_may_read(home):
        return Health.WARN, f"{home} is open to others, who may read what lies in it: chmod 700"
    database = Path(runtime.engine.url.database or "") if directory not in (None, home.absolute()) else None
    if database and others_may_read(database):
        return Health.WARN, f"{database} can be read by others: chmod 600"
    return Health.OK, f"{home}, for its owner alone"


def _sweep(runtime: Runtime) -> Answer:
    last, advice = last_runs(runtime.engine).get("sweep"), "beat or the workers are not running: afterword up"
    return _ran(last, sweep_overdue(runtime.settings), advice)


def _purge(runtime: Runtime) -> Answer:
    settings, runs = runtime.settings, last_runs(runtime.engine)
    if "purge" not in runs and _sweep(runtime)[0] is Health.OK:
        due = f"every {settings.purge_seconds:g} s" if settings.purge_seconds else f"at {settings.purge_at} UTC"
        return Health.OK, f"has not run yet: it runs {due}, and beat is alive"
    every = timedelta(seconds=2 * settings.purge_seconds) if settings.purge_seconds else PURGE_OVERDUE
    return _ran(runs.get("purge"), every, "beat is not running, or run afterword purge")


def _ran(last: Heartbeat | None, overdue: timedelta, advice: str) -> Answer:
    if last is None:
        return Health.WARN, f"has never run: {advice}"
    ago = datetime.now(UTC) - last.at
    says = f"last ran {_for_people(ago)} ago"
    return (Health.OK, says) if ago <= overdue else (Health.WARN, f"{says}: {advice}")


def _waiting(runtime: Runtime) -> Answer:
    oldest = oldest_pending(runtime.engine)
    if oldest is None:
        return Health.OK, "no ticket waits"
    age, pending = datetime.now(UTC) - oldest, total(runtime.engine).pending
    says = f"{counted(pending, 'tickets wait', one='ticket waits')}, the oldest for {_for_people(age)}"
    if failing := failing_by_reason(runtime.engine):
        why = "; ".join(f"{number} {reason} ({Reason(reason).explain})" for reason, number in failing.items())
        return Health.WARN, f"{says}; after failures: {why}: afterword events list --state pending"
    return Health.OK if age < timedelta(minutes=15) else Health.WARN, says


def _paused(runtime: Runtime) -> Answer:
    found = pauses.paused(runtime.engine)
    if not found:
        return Health.OK, "nobody"
    return Health.WARN, "; ".join(_resumed_by(one.tenant) for one in found)


def _resumed_by(tenant: str) -> str:
    """Whoever is paused, with the command that ends it."""
    return f"{tenant}: afterword resume --tenant {shlex.quote(tenant)}" if tenant else "everyone: afterword resume"


def _dead(runtime: Runtime) -> Answer:
    found = [f"{number} {reason}" for reason, number in dead_by_reason(runtime.engine).items()]
    found += [f"{number} not fetched ({why})" for why, number in fetches.dead_by_reason(runtime.engine).items()]
    if not found:
        return Health.OK, "no dead letters"
    listed = ", ".join(found)
    return Health.WARN, f"{listed}: afterword events list --state dead"


def _for_people(span: timedelta) -> str:
    seconds = int(span.total_seconds())
    for unit, size in (("d", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= size:
            return f"{seconds // size} {unit}"
    return f"{max(seconds, 0)} s"


_CHECKS: dict[str, Callable[[Runtime], Answer]] = {
    "versions": _versions,
    "home": _home,
    "key": _key,
    "database": _database,
    "second wall": _wall,
    "clock": _clock,
    "ledger": _ledger,
    "redis": _redis,
    "model": _model,
    "sweep": _sweep,
    "purge": _purge,
    "paused": _paused,
    "waiting": _waiting,
    "dead": _dead,
}
