"""Fixtures that every kind of test shares: real servers, fresh databases, keys."""

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine

sys.path.insert(0, str(Path(__file__).parent))

from commandline import CommandLine
from services import PostgresServer, RedisServer, redis_server

from store.engine import open_engine
from store.keys import Keys, keys_from

DATA = Path(__file__).parent / "data"


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of the tests' own copies of data."""
    return DATA


@pytest.fixture(scope="session")
def keys() -> Keys:
    return keys_from(b"k" * 32)


@pytest.fixture(scope="session")
def shared_redis() -> Iterator[RedisServer]:
    with redis_server() as server:
        yield server


@pytest.fixture
def redis_url(shared_redis: RedisServer) -> str:
    """A Redis that is empty when the test begins. Tests that kill it start their own (`services.redis_server`)."""
    shared_redis.client.flushall()
    return shared_redis.url


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    server = PostgresServer()
    yield server
    server.close()


@pytest.fixture(scope="session")
def migrated_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated, empty SQLite file: tests copy it, so each begins fresh without paying for the migration."""
    from store.migrate import migrate

    path = tmp_path_factory.mktemp("sqlite") / "empty.db"
    migrate(f"sqlite:///{path}")
    return path


@pytest.fixture(scope="session")
def migrated_postgres(postgres: PostgresServer) -> str:
    """The name of a migrated, empty database, to be used as a template."""
    from store.migrate import migrate

    name = postgres.create()
    migrate(postgres.url(name))
    return name


@pytest.fixture
def sqlite_url(migrated_sqlite: Path, tmp_path: Path) -> str:
    for path in migrated_sqlite.parent.glob("empty.db*"):
        shutil.copy(path, tmp_path / path.name.replace("empty", "afterword"))
    return f"sqlite:///{tmp_path / 'afterword.db'}"


@pytest.fixture
def postgres_url(request: pytest.FixtureRequest, postgres: PostgresServer, migrated_postgres: str) -> Iterator[str]:
    name = postgres.create(migrated_postgres)
    yield postgres.url(name)
    postgres.drop(name)


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest) -> str:
    """A fresh, migrated database, once on SQLite and once on PostgreSQL."""
    name = "sqlite_url" if request.param == "sqlite" else "postgres_url"
    url: str = request.getfixturevalue(name)
    return url


@pytest.fixture
def engine(database_url: str) -> Iterator[Engine]:
    engine = open_engine(database_url)
    yield engine
    engine.dispose()


@pytest.fixture
def afterword(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path, migrated_sqlite: Path
) -> CommandLine:
    """The command line over a HOME of its own, with a migrated, empty SQLite file in it and the offline extractor."""
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    for path in migrated_sqlite.parent.glob("empty.db*"):
        shutil.copy(path, home / path.name.replace("empty", "afterword"))
    for name in [name for name in os.environ if name.startswith(("AFTERWORD_", "OPENAI_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("AFTERWORD_HOME", str(home))
    monkeypatch.setenv("AFTERWORD_EXTRACTOR", "rules")
    return CommandLine(monkeypatch, capfd)
