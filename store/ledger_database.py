"""The ledger in a second database: for several hosts, and never the database that it protects."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from uuid import uuid4

from sqlalchemy import JSON, BigInteger, Boolean, Column, Connection, Integer, MetaData, String, Table, func, select

from store.columns import AwareDateTime
from store.dialects import insert_for
from store.engine import open_engine, reading, writing
from store.faults import SchemaMissing, StoreError
from store.ledger import Entry, LedgerDamaged, LedgerUnavailable, Line
from store.states import ErasureScope

_metadata = MetaData()
_heads = Table(
    "erasure_ledger_head",
    _metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("ledger", String(32), nullable=False),
)
_lines = Table(
    "erasure_ledger",
    _metadata,
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    Column("scope", String(12), nullable=False),
    Column("subject", String(32), nullable=False),
    Column("erased_at", AwareDateTime(), nullable=False),
    Column("key_id", String(32), nullable=False),
    Column("observations", JSON, nullable=False),
    Column("opt_out", Boolean),
)
_PAGE = 500


class DatabaseLedger:
    """See `store.ledger.Ledger`. Its two tables are made by `create`."""

    def __init__(self, url: str) -> None:
        self.engine = open_engine(url)

    def place(self) -> Path | None:
        url = self.engine.url
        return Path(url.database) if url.get_backend_name() == "sqlite" and url.database else None

    def identity(self) -> str:
        try:
            with reading(self.engine) as connection:
                return connection.execute(select(_heads.c.ledger)).scalar_one_or_none() or ""
        except SchemaMissing:
            return ""
        except StoreError as error:
            raise _unavailable(error) from None

    def create(self) -> str:
        try:
            with writing(self.engine) as connection:
                _metadata.create_all(connection)
                head = insert_for(connection, _heads).values(id=1, ledger=uuid4().hex)
                connection.execute(head.on_conflict_do_nothing())
        except StoreError as error:
            raise _unavailable(error) from None
        return self.identity()

    def last(self) -> int:
        try:
            with reading(self.engine) as connection:
                return _last(connection)
        except SchemaMissing:
            return 0
        except StoreError as error:
            raise _unavailable(error) from None

    def after(self, number: int) -> Iterator[Line]:
        while page := self._page(number):
            for line in page:
                if line.number != number + 1:
                    raise LedgerDamaged(f"the erasure ledger has no line {number + 1}")
                number = line.number
                yield line

    def append(self, entries: Sequence[Entry]) -> tuple[int, ...]:
        try:
            with writing(self.engine) as connection:
                connection.execute(select(_heads.c.id).with_for_update()).one()  # one writer at a time
                first = _last(connection) + 1
                values = [{"number": first + i, **_values(entry)} for i, entry in enumerate(entries)]
                connection.execute(_lines.insert(), values)
        except StoreError as error:
            raise _unavailable(error) from None
        return tuple(range(first, first + len(entries)))

    def _page(self, number: int) -> list[Line]:
        query = select(_lines).where(_lines.c.number > number).order_by(_lines.c.number).limit(_PAGE)
        try:
            with reading(self.engine) as connection:
                return [_line(row._asdict()) for row in connection.execute(query)]
        except SchemaMissing:
            return []
        except StoreError as error:
            raise _unavailable(error) from None


def _last(connection: Connection) -> int:
    return connection.execute(select(func.max(_lines.c.number))).scalar_one() or 0


def _values(entry: Entry) -> dict[str, object]:
    return {
        "scope": entry.scope,
        "subject": entry.subject,
        "erased_at": entry.erased_at,
        "key_id": entry.key_id,
        "observations": list(entry.observations),
        "opt_out": entry.opt_out,
    }


def _line(values: dict[str, object]) -> Line:
    names: tuple[str, ...] = tuple(values.pop("observations"))  # type: ignore[arg-type]
    scope = ErasureScope(str(values.pop("scope")))
    return Line(scope=scope, observations=names, **values)  # type: ignore[arg-type]


def _unavailable(error: StoreError) -> LedgerUnavailable:
    return LedgerUnavailable(f"the erasure ledger: {error}")
