"""A database that is down, full, locked or read-only gives one named error with one clear line, and loses nothing."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from remembering import KEYS, REF, RULES, day, living, observed, told, write
from services import free_port
from sqlalchemy import Engine, text

from store import engine as engines
from store.engine import open_engine
from store.faults import StoreFault, StoreUnavailable
from store.models import facts
from store.scope import customer_writing
from store.write import apply


def refused(engine: Engine, value: str = "Bergen") -> str:
    """The one line with which the write is refused. It repeats neither SQL nor what was to be written."""
    with pytest.raises(StoreUnavailable) as raised:
        write(engine, observed(value, 1))
    line = str(raised.value)
    assert raised.value.__cause__ is None
    assert "\n" not in line and "SELECT" not in line and value not in line
    return line


def test_a_locked_sqlite_file_is_named_and_the_write_works_later(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engines, "BUSY_SECONDS", 0)
    engine = open_engine(sqlite_url)
    write(engine, observed("Oslo"))
    other = sqlite3.connect(sqlite_url.removeprefix("sqlite:///"), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    assert "locked" in refused(engine)
    assert [fact.value for fact in living(engine)] == ["Oslo"]  # readers are not in the way of a writer
    other.execute("ROLLBACK")
    assert told(write(engine, observed("Bergen", 1))) == ["UPDATE newer"]


def test_a_full_disk_is_named_and_nothing_is_lost(sqlite_url: str) -> None:
    engine = open_engine(sqlite_url)
    write(engine, observed("Oslo"))
    full(engine)
    with pytest.raises(StoreUnavailable, match="full"):
        write(engine, *[observed("x" * 5_000, n, key=f"key_{n}") for n in range(100)])
    assert [fact.value for fact in living(engine)] == ["Oslo"]


def full(engine: Engine) -> None:
    """No page more than there are, on every connection."""
    with engine.connect() as connection:
        raw = connection.connection.dbapi_connection
        assert raw is not None
        (pages,) = raw.execute("PRAGMA page_count").fetchone()  # type: ignore[attr-defined]
        raw.execute(f"PRAGMA max_page_count={pages}")  # type: ignore[attr-defined]


def test_a_file_that_is_no_database_is_named(tmp_path: Path) -> None:
    path = tmp_path / "notes.db"
    path.write_text("these are my notes, and not a database at all\n" * 100)
    assert "not a SQLite database" in refused(open_engine(f"sqlite:///{path}"))
    assert path.read_text().startswith("these are my notes")


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    assert "cannot be opened" in refused(open_engine(f"sqlite:///{tmp_path / 'nowhere' / 'a.db'}"))


def test_a_server_that_is_down_is_named() -> None:
    engine = open_engine(f"postgresql://postgres@127.0.0.1:{free_port()}/afterword")
    assert "down or cannot be reached" in refused(engine)


@pytest.fixture
def postgresql(postgres_url: str) -> Iterator[Engine]:
    engine = open_engine(postgres_url)
    write(engine, observed("Oslo"))
    yield engine
    engine.dispose()


def configured(engine: Engine, setting: str) -> Engine:
    """The same database, whose sessions begin with a setting of PostgreSQL's."""
    return open_engine(f"{engine.url.render_as_string(hide_password=False)}&options=-c {setting}")


def test_a_read_only_server_is_named(postgresql: Engine) -> None:
    assert "read-only" in refused(configured(postgresql, "default_transaction_read_only=on"))


def test_a_customer_who_stays_locked_is_named(postgresql: Engine) -> None:
    with customer_writing(postgresql, KEYS, REF, now=day(1)):
        assert "locked" in refused(configured(postgresql, "lock_timeout=50"))
    assert told(write(postgresql, observed("Bergen", 1))) == ["UPDATE newer"]


def test_a_connection_that_is_cut_is_named_and_the_next_one_works(postgresql: Engine) -> None:
    with (
        pytest.raises(StoreUnavailable, match="shutting down"),
        customer_writing(postgresql, KEYS, REF, now=day(1)) as tx,
    ):
        apply(tx, [observed("Bergen", 1)], rules=RULES)
        tx.connection.execute(text("RESET ROLE"))
        tx.connection.execute(text("SELECT pg_terminate_backend(pg_backend_pid())"))
    assert [fact.value for fact in living(postgresql)] == ["Oslo"]


def test_a_statement_that_the_database_refuses_quotes_no_row(engine: Engine) -> None:
    write(engine, observed("Oslo"))
    with pytest.raises(StoreFault) as raised, customer_writing(engine, KEYS, REF, now=day(1)) as tx:
        tx.update(facts, {"kind": "procedural"})
    assert "Oslo" not in str(raised.value) and raised.value.__cause__ is None


def test_the_database_itself_refuses_a_second_live_fact(engine: Engine) -> None:
    write(engine, observed("Oslo"))
    with pytest.raises(StoreFault), customer_writing(engine, KEYS, REF, now=day(1)) as tx:
        row = dict(tx.select(facts)[0]._mapping)
        tx.insert(facts, [{**row, "id": "other", "row": row["row"] + 1}])
    assert len(living(engine)) == 1


def test_a_session_whose_client_has_gone_gives_its_locks_back(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engines, "IDLE_SECONDS", 1)
    engine = open_engine(postgres_url)
    write(engine, observed("Oslo"))
    with (
        pytest.raises(StoreUnavailable, match="did not answer"),
        customer_writing(engine, KEYS, REF, now=day(1)) as tx,
    ):
        assert told(write(open_engine(postgres_url), observed("Bergen", 1))) == ["UPDATE newer"]  # after a second
        apply(tx, [observed("Tromsø", 2)], rules=RULES)
    assert [fact.value for fact in living(engine)] == ["Bergen"]
