"""The restore drill: back up, forget, restore the copy, see the customer back, start, see that nothing is left."""

import shutil
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from inboxing import done, received, ticket
from remembering import DAY_0, KEYS, REF, RULES, observed, recorded, told, write
from services import PostgresServer
from sqlalchemy import Engine

from pipeline.ids import CustomerRef
from store.counts import counts
from store.engine import open_engine
from store.erase import forget
from store.ledger import Ledger, open_ledger
from store.migrate import migrate
from store.purge import purge
from store.reapply import lines_behind, reapply
from store.retention import Retention
from store.states import State
from store.verify import Trace, traces

REPORTED = DAY_0 + timedelta(days=40)
OTHER = CustomerRef(tenant="acme", customer="u10")
WORDS = ("E1042 at export", "only by e-mail, please", "ticket-drill-1")
Restored = Callable[[], Engine]


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    return open_ledger(str(tmp_path / "elsewhere" / "ledger.jsonl"))


@pytest.fixture(params=["sqlite", "postgresql"])
def drill(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Engine, Restored]]:
    """A running database, and what restores the backup that was made of it when this was asked for the first time."""
    make = _sqlite if request.param == "sqlite" else _postgres
    yield from make(request, tmp_path)


def _sqlite(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Engine, Restored]]:
    """SQLite's own online backup, as `sqlite3 … .backup` makes it."""
    url: str = request.getfixturevalue("sqlite_url")
    engine, live, copy = open_engine(url), Path(url.removeprefix("sqlite:///")), tmp_path / "backup.db"
    opened = [engine]

    def restored() -> Engine:
        if not copy.exists():
            _back_up(live, copy)
            return engine
        engine.dispose()
        for name in (f"{live}-wal", f"{live}-shm"):
            Path(name).unlink(missing_ok=True)
        shutil.copy(copy, live)
        opened.append(open_engine(url))
        return opened[-1]

    yield engine, restored
    for one in opened:
        one.dispose()


def _back_up(live: Path, copy: Path) -> None:
    import sqlite3

    with sqlite3.connect(live) as source, sqlite3.connect(copy) as target:
        source.backup(target)


def _postgres(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Engine, Restored]]:
    """A database copied as a whole, as a dump and its restore would."""
    server: PostgresServer = request.getfixturevalue("postgres")
    name = server.create(request.getfixturevalue("migrated_postgres"))
    engine, backups = open_engine(server.url(name)), []
    opened = [engine]

    def restored() -> Engine:
        engine.dispose()
        if not backups:
            backups.append(server.create(name))
            return engine
        opened.append(open_engine(server.url(server.create(backups[0]))))
        return opened[-1]

    yield engine, restored
    for one in opened:
        database = str(one.url.database)
        one.dispose()
        server.drop(database)
    for backup in backups:
        server.drop(backup)


def lived(engine: Engine, ref: CustomerRef, words: tuple[str, str, str]) -> None:
    """A customer with history, an open question, and tickets done and waiting."""
    said = [
        observed(words[0], 0, key="issue", kind="situation", ref=ref),
        observed(words[1], 1, key="contact_channel", kind="preference", ref=ref),
        observed("by phone", 2, key="contact_channel", kind="preference", ref=ref),
        observed("admin", 3, key="role", ref=ref),
    ]
    write(engine, *said, ref=ref, now=30)
    done(engine, ticket(f"{ref.customer}-1", ref=ref, ticket_id=words[2]))
    received(engine, ticket(f"{ref.customer}-2", ref=ref, text=f"{words[0]}, again"))


def found(engine: Engine) -> tuple[Trace, ...]:
    return traces(engine, KEYS, REF, values=WORDS)


def test_a_restored_backup_forgets_again(drill: tuple[Engine, Restored], ledger: Ledger, tmp_path: Path) -> None:
    engine, backup_or_restore = drill
    lived(engine, REF, WORDS)
    lived(engine, OTHER, ("E77 at import", "by post", "ticket-other-1"))
    others = recorded(engine, OTHER)
    reapply(engine, KEYS, ledger, rules=RULES)

    backup_or_restore()
    forget(engine, KEYS, ledger, REF, rules=RULES, actor="ops", now=REPORTED, opt_out=True)
    purge(engine, now=REPORTED, retention=Retention())
    assert found(engine) == ()

    engine = backup_or_restore()
    places = {trace.where for trace in found(engine)}
    assert {"facts.customer", "observations.value", "events.payload", "customers.customer"} <= places
    if engine.dialect.name == "sqlite":
        assert str(engine.url.database) in places

    migrate(engine.url.render_as_string(hide_password=False))
    assert lines_behind(engine, ledger) == 1
    assert reapply(engine, KEYS, ledger, rules=RULES).lines == 1
    purge(engine, now=REPORTED, retention=Retention())
    assert found(engine) == ()
    assert recorded(engine, OTHER) == others
    assert told(write(engine, observed("Oslo", 41))) == ["REJECT opted_out"]
    again = received(engine, ticket("u1-2", text="E1042 at export, again"))[0]
    assert again.state is State.ERASED
    assert counts(engine)["acme"].accepted == 5
    assert found(engine) == ()
