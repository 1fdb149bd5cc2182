"""PostgreSQL with a login that owns the tables and one that works with them: the README's grants, end to end."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from commandline import CommandLine
from remembering import REF, living, observed, write
from services import PostgresServer
from sqlalchemy import Engine, inspect, text
from sqlalchemy.exc import ProgrammingError

from store.engine import open_engine, reading
from store.migrate import migrate
from store.models import metadata
from store.wall import Wall, wall_state

TICKET = """{"tenant": "acme", "event_id": "e1", "ticket_id": "t1", "customer_id": "u1",
 "closed_at": "2026-01-02T12:00:00+00:00", "messages": [{"role": "customer", "text": "E-mail only, please."}]}"""


@dataclass(frozen=True)
class Logins:
    """The database's URL as its owner, and as the login that serves."""

    owner: str
    app: str


@pytest.fixture
def logins(postgres: PostgresServer) -> Iterator[Logins]:
    with postgres.two_logins() as (owner, app):
        yield Logins(owner=owner, app=app)


@pytest.fixture
def serving(logins: Logins) -> Iterator[Engine]:
    """The app's engine, on tables that the owner has made."""
    migrate(logins.owner)
    engine = open_engine(logins.app)
    yield engine
    engine.dispose()


def test_the_wall_stands_and_the_app_writes_and_reads_behind_it(serving: Engine) -> None:
    assert wall_state(serving) is Wall.UP
    write(serving, observed("Oslo"))
    assert [fact.value for fact in living(serving)] == ["Oslo"]


@pytest.mark.parametrize("table", sorted(metadata.tables))
def test_the_app_may_change_no_table(serving: Engine, table: str) -> None:
    for change in ("ALTER TABLE {} ADD COLUMN note text", "DROP TABLE {}", "ALTER TABLE {} DISABLE ROW LEVEL SECURITY"):
        with pytest.raises(ProgrammingError, match="must be owner"), serving.begin() as connection:
            connection.execute(text(change.format(table)))


def test_the_app_may_make_no_table_and_not_forge_the_schemas_revision(serving: Engine) -> None:
    for statement in ("CREATE TABLE mine (id int)", "UPDATE alembic_version SET version_num = '9999'"):
        with pytest.raises(ProgrammingError, match="permission denied"), serving.begin() as connection:
            connection.execute(text(statement))


def test_every_table_and_every_revision_of_it_is_open_to_the_app(serving: Engine) -> None:
    with reading(serving) as connection:
        assert set(inspect(connection).get_table_names()) == {*metadata.tables, "alembic_version"}
        for table in metadata.tables:
            connection.execute(text(f"SELECT * FROM {table}"))


def test_a_customers_life_through_the_command_line(
    afterword: CommandLine, logins: Logins, redis_url: str, tmp_path: Path
) -> None:
    afterword.setenv("AFTERWORD_DATABASE_URL", logins.app)
    afterword.setenv("AFTERWORD_MIGRATE_URL", logins.owner)
    afterword.setenv("AFTERWORD_KEY", "7" * 64)
    afterword.setenv("AFTERWORD_LEDGER", str(tmp_path / "elsewhere" / "ledger.jsonl"))
    afterword.setenv("AFTERWORD_REDIS_URL", redis_url)
    whose = ("--tenant", REF.tenant, "--customer", REF.customer)
    said = ("--kind", "profile", "--key", "city", "--value", "Oslo", "--source", "system", "--ticket", "t9")
    assert afterword("migrate", "--json").row["changed"]
    assert afterword("remember", *whose, *said, "--json").row["reason"] == "new"
    assert afterword("enqueue", "--json", stdin=TICKET.replace("\n", "")).rows[0]["outcome"] == "accepted"
    assert [row["value"] for row in afterword("facts", "list", *whose, "--json").rows] == ["Oslo"]
    assert "Oslo" in afterword("recall", *whose, "--json").row["block"]
    assert afterword("retract", "--tenant", REF.tenant, "--ticket", "t9", "--yes", "--json").row["observations"] == 1
    assert json.loads(afterword("export", *whose).out)["customer"] == REF.customer
    assert afterword("forget", *whose, "--yes", "--json").row["events"] == 1
    assert afterword("purge", "--json").code == 0
    assert afterword("erasures", "verify", *whose, "--value", "Oslo").code == 0
    assert afterword("audit", "list", "--tenant", REF.tenant, "--json").code == 0
