"""Migrations: forward on both databases, at any number of processes, and put right after a kill."""

import subprocess
import sys
import textwrap
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from remembering import living, observed, write
from services import PostgresServer
from sqlalchemy import Engine, inspect, text

from store import migrations
from store.engine import open_engine, reading, writing
from store.faults import SchemaMissing, SchemaTooNew, StoreUnavailable
from store.migrate import checked_revision, migrate, revision
from store.models import customers, metadata

ROOT = Path(__file__).parents[2]


@pytest.fixture(params=["sqlite", "postgresql"])
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A database with nothing in it."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'empty.db'}"
        return
    server: PostgresServer = request.getfixturevalue("postgres")
    name = server.create()
    yield server.url(name)
    server.drop(name)


def scripts() -> ScriptDirectory:
    config = Config()
    config.set_main_option("script_location", str(ROOT / "store" / "migrations"))
    return ScriptDirectory.from_config(config)


def test_an_empty_database_is_brought_to_the_head_and_a_second_start_changes_nothing(empty_url: str) -> None:
    migrate(empty_url)
    migrate(empty_url)
    assert revision(open_engine(empty_url)) == migrations.HEAD


def test_the_revisions_that_the_code_names_are_those_that_it_brings() -> None:
    known = [script.revision for script in scripts().walk_revisions()]
    assert tuple(reversed(known)) == migrations.REVISIONS


def test_the_migrated_schema_is_the_one_that_the_code_works_with(engine: Engine) -> None:
    with engine.connect() as connection:
        options = {"compare_type": True, "compare_server_default": engine.dialect.name == "postgresql"}
        context = MigrationContext.configure(connection, opts=options)
        assert compare_metadata(context, metadata) == []


def test_the_databases_own_checks_stand(engine: Engine) -> None:
    """What autogenerate does not compare: enumerations, and one live fact a slot."""
    found = inspect(engine)
    checks = {check["name"] for table in metadata.tables for check in found.get_check_constraints(table)}
    wanted = {c.name for table in metadata.tables.values() for c in table.constraints if str(c.name).startswith("ck_")}
    assert checks == wanted
    (live,) = [i for i in found.get_indexes("facts") if i["name"] == "uq_facts_live_slot"]
    assert live["unique"]


@pytest.mark.parametrize("start", migrations.REVISIONS)
def test_every_earlier_revision_is_brought_forward_with_its_data(empty_url: str, start: str) -> None:
    engine = open_engine(empty_url)
    upgraded(engine, start)
    row = {"tenant": "acme", "customer": "u1", "surrogate": "s", "subject": "x", "tenant_subject": "y"}
    with writing(engine) as connection:
        connection.execute(customers.insert(), {**row, "created_at": datetime(2026, 1, 1, tzinfo=UTC)})
    migrate(empty_url)
    assert revision(engine) == migrations.HEAD
    write(engine, observed("Oslo"))
    assert [fact.value for fact in living(engine)] == ["Oslo"]
    with reading(engine) as connection:
        assert connection.execute(text("SELECT surrogate FROM customers")).scalars().all() == ["s"]


def upgraded(engine: Engine, to: str) -> None:
    from alembic import command

    config = Config()
    config.set_main_option("script_location", str(ROOT / "store" / "migrations"))
    with writing(engine) as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, to)


def test_eight_starts_at_once_migrate_once(empty_url: str) -> None:
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(migrate, [empty_url] * 8))
    assert revision(open_engine(empty_url)) == migrations.HEAD


def test_four_processes_that_start_at_once_all_find_a_schema(empty_url: str) -> None:
    code = "import sys; from store.migrate import migrate; migrate(sys.argv[1])"
    started = [subprocess.Popen([sys.executable, "-c", code, empty_url], cwd=ROOT) for _ in range(4)]
    assert [process.wait(60) for process in started] == [0] * 4
    assert revision(open_engine(empty_url)) == migrations.HEAD


@pytest.mark.parametrize("killed_at", ["before the second revision", "before the commit"])
def test_a_migration_killed_in_the_middle_is_done_by_the_next_start(empty_url: str, killed_at: str) -> None:
    place = "store.wall.raise_wall" if killed_at.startswith("before the second") else "alembic.command.upgrade"
    code = f"""
        import importlib, os, sys
        from alembic import command
        module, name = {place!r}.rsplit(".", 1)
        owner = importlib.import_module(module)
        real = getattr(owner, name)
        def killed(*given, **named):
            if name == "upgrade":
                real(*given, **named)
            os.kill(os.getpid(), 9)
        setattr(owner, name, killed)
        from store.migrate import migrate
        migrate(sys.argv[1])
    """
    died = subprocess.run([sys.executable, "-c", textwrap.dedent(code), empty_url], cwd=ROOT, check=False)
    assert died.returncode == -9
    assert revision(open_engine(empty_url)) is None
    migrate(empty_url)
    assert revision(open_engine(empty_url)) == migrations.HEAD


def test_a_newer_schema_is_refused_by_name_and_left_alone(engine: Engine, database_url: str) -> None:
    with writing(engine) as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(SchemaTooNew, match=r"9999.+ is newer"):
        migrate(database_url)
    with pytest.raises(StoreUnavailable):
        checked_revision(engine)
    assert revision(engine) == "9999"


def test_a_database_without_tables_says_what_to_do(empty_url: str) -> None:
    with pytest.raises(SchemaMissing, match="afterword migrate"):
        write(open_engine(empty_url), observed("Oslo"))


def test_migrating_prints_nothing(empty_url: str) -> None:
    code = "import sys, logging; logging.basicConfig(level=0); from store.migrate import migrate; migrate(sys.argv[1])"
    done = subprocess.run([sys.executable, "-c", code, empty_url], cwd=ROOT, capture_output=True, text=True, check=True)
    assert "alembic" not in done.stdout + done.stderr
