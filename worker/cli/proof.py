"""What `erasures verify` answers: what was searched, what is left, and the ledger's lines about the customer."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.ids import CustomerRef
from worker import batch_files
from worker.cli.exits import Exit
from worker.cli.output import printable, say, table
from worker.runtime import Runtime
from worker.wording import counted, stamp

if TYPE_CHECKING:
    from store.erase import Erasure
    from store.verify import Search

_NOBODY = ("audit", "customers", "event_totals", "events", "facts", "observations")
"""Tables of which one at least holds a row wherever Afterword has been at work."""
_UNFORGOTTEN = "no line of the erasure ledger concerns this customer: is the id right, and was it forgotten here?"
_EMPTY = "this database holds nobody at all: does AFTERWORD_DATABASE_URL name the right one?"


@dataclass(frozen=True, kw_only=True)
class Proof:
    """One search, and the ledger's lines about whom was searched for."""

    database: str
    redis: str
    search: "Search"
    lines: tuple["Erasure", ...]
    doubts: tuple[dict[str, str], ...]

    @property
    def exit(self) -> Exit:
        if self.search.traces:
            return Exit.FAILED
        return Exit.PARTLY if self.doubts else Exit.DONE

    @property
    def verdict(self) -> str:
        return {Exit.FAILED: "traces", Exit.PARTLY: "not proven"}.get(self.exit, "no trace")

    @property
    def warnings(self) -> list[str]:
        empty = not any(self.search.tables.get(name) for name in _NOBODY)
        return [_UNFORGOTTEN] * (not self.lines) + [_EMPTY] * empty

    def document(self) -> dict[str, Any]:
        """The same for a program. Files and tables with their size: bytes, rows."""
        return {
            "verdict": self.verdict,
            "traces": [asdict(trace) for trace in self.search.traces],
            "doubts": list(self.doubts),
            "database": self.database,
            "tables": dict(self.search.tables),
            "redis": self.redis,
            "files": dict(self.search.files),
            "lines": [_line(line) for line in self.lines],
            "warnings": self.warnings,
        }


def proof(runtime: Runtime, whose: CustomerRef, values: Sequence[str], files: Sequence[Path]) -> Proof:
    """Searches everything that we hold, and FILES."""
    from store.erase import listed_of
    from store.verify import search

    queue, state = _queue(runtime)
    logs = sorted((runtime.settings.home / "run").glob("*.log"))
    places = [*files, *logs, *batch_files.paths(runtime.settings)]
    found = search(runtime.engine, runtime.keys, whose, values=values, files=places, sources=queue)
    unreached = [{"where": "redis", "why": "is not reachable: start it"}] if state == _UNREACHED else []
    return Proof(
        database=runtime.engine.url.set(password=None, query={}).render_as_string(),
        redis=state or counted(found.sources["redis"], "bytes"),
        search=found,
        lines=listed_of(runtime.engine, runtime.keys, whose),
        doubts=(*(asdict(doubt) for doubt in found.doubts), *unreached),
    )


_UNREACHED = "not reachable"


def _queue(runtime: Runtime) -> tuple[dict[str, Callable[[], bytes]], str]:
    """Redis, where one runs, and what is to be said of it where none does."""
    from redis import RedisError

    from worker.queue_dump import dump

    client = runtime.redis
    if client is None:
        return {}, "none is configured and none runs here"
    try:
        held = dump(client)
    except (RedisError, OSError):
        return {}, _UNREACHED
    return {"redis": lambda: held}, ""


def tell(found: Proof) -> None:
    """The proof for people: the verdict, then what it rests on."""
    say(found.verdict) if not found.search.traces else table(
        [asdict(trace) for trace in found.search.traces], ("where", "count")
    )
    for name, text in _rests_on(found):
        say(f"{name.ljust(8)}  {printable(text)}")


def _rests_on(found: Proof) -> Iterator[tuple[str, str]]:
    yield from (("doubt", f"{doubt['where']}: {doubt['why']}") for doubt in found.doubts)
    yield "database", found.database
    rows = sum(found.search.tables.values())
    yield "tables", f"{counted(len(found.search.tables), 'tables')} with {counted(rows, 'rows')}"
    yield "redis", found.redis
    yield from (("file", f"{path}, {counted(size, 'bytes')}") for path, size in found.search.files.items())
    for line in found.lines:
        told = _line(line)
        yield "ledger", f"line {told['number']}, {told['scope']}, {told['erased_at']}"


def _line(line: "Erasure") -> dict[str, Any]:
    return {
        "number": line.number,
        "scope": line.scope.value,
        "erased_at": stamp(line.erased_at),
    }
