"""Two walls between customers: no query without a customer, and on PostgreSQL none that sees another's rows."""

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from remembering import KEYS, REF, day, living, observed, write
from services import PostgresServer
from sqlalchemy import Connection, Engine, create_engine, func, insert, select, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DBAPIError

from pipeline.ids import BadId, CustomerRef
from store.engine import open_engine, reading, writing
from store.faults import StoreError
from store.migrate import migrate
from store.models import customers, erasures, facts, heartbeats, metadata, observations
from store.scope import NotCustomers, batch_writing, customer_reading, customer_writing
from store.wall import Wall, wall_state

OTHER = CustomerRef(tenant="acme", customer="u10")
STORE = Path(__file__).parents[2] / "store"
PURGE = {"purge_steps.py", "purge_slots.py", "purge_whole.py", "purge_held.py", "purge_ends.py", "purge_departed.py"}
ADMINISTRATIVE = {"scope.py", "figures.py", "erase.py", "preview.py", "reapply.py", "wipe.py", *PURGE}
"""Modules that work across customers by their nature. Every other one reaches these tables through a CustomerView."""
THEIRS = {"customers", "observations", "facts", "slot_horizons", "review_items", "vectors"}


def statements_on_customer_tables(path: Path) -> list[str]:
    """Calls of select, insert, update, delete or insert_for that name a customer table: 'file:line'."""
    tree = ast.parse(path.read_text("utf-8"))
    aliases = {
        alias.asname or alias.name: alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == "store.models"
        for alias in node.names
    }
    makers = {"select", "insert", "update", "delete", "insert_for", "exists", "select_from"}
    return [
        f"{path.name}:{call.lineno}"
        for call in ast.walk(tree)
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in makers
        for name in ast.walk(call)
        if isinstance(name, ast.Name) and aliases.get(name.id) in THEIRS
    ]


def test_no_module_of_the_store_builds_a_statement_on_a_customers_table_by_itself() -> None:
    found = [
        place
        for path in sorted(STORE.glob("*.py"))
        if path.name not in ADMINISTRATIVE
        for place in statements_on_customer_tables(path)
    ]
    assert found == []


def test_the_check_would_find_one(tmp_path: Path) -> None:
    bad = tmp_path / "bad.py"
    bad.write_text("from store.models import facts as f\nfrom sqlalchemy import select\nquery = select(f.c.value)\n")
    assert statements_on_customer_tables(bad) == ["bad.py:3"]


@pytest.mark.parametrize("name", ["", "x" * 201, "a\nb", "\x00", "\ud83d"])
def test_an_id_that_is_none_is_refused_before_any_query(name: str) -> None:
    with pytest.raises(BadId):
        CustomerRef(tenant="acme", customer=name)


def test_a_table_that_is_not_about_customers_cannot_be_read_for_one(engine: Engine) -> None:
    with customer_reading(engine, REF) as view, pytest.raises(NotCustomers):
        view.select(heartbeats)


def test_a_customers_rows_cannot_be_given_away(engine: Engine) -> None:
    write(engine, observed("Oslo"))
    with customer_writing(engine, KEYS, REF, now=day(1)) as tx, pytest.raises(NotCustomers):
        tx.update(facts, {"customer": "u10"})


def test_writes_and_deletes_reach_one_customer_alone(engine: Engine) -> None:
    write(engine, observed("Oslo"))
    write(engine, observed("Bergen", ref=OTHER), ref=OTHER)
    with customer_writing(engine, KEYS, REF, now=day(1)) as tx:
        assert tx.update(facts, {"importance": 0.1}) == 1
        assert tx.delete(facts) == 1
        tx.insert(facts, [])
    assert living(engine) == []
    assert [f.importance for f in living(engine, ref=OTHER)] == [0.7]


def test_an_unknown_customer_reads_as_empty(engine: Engine) -> None:
    with customer_reading(engine, OTHER) as view:
        assert (view.surrogate, view.select(facts), view.select(customers)) == ("", [], [])


def test_a_reader_sees_one_snapshot(engine: Engine) -> None:
    write(engine, observed("Oslo"))
    with customer_reading(engine, REF) as view:
        before = view.select(facts)
        write(engine, observed("Bergen", 1))
        assert view.select(facts) == before


# --- the second wall, on PostgreSQL ---------------------------------------------------------------------------------


@pytest.fixture
def walled(postgres_url: str) -> Engine:
    engine = open_engine(postgres_url)
    write(engine, observed("Oslo"))
    write(engine, observed("Bergen", ref=OTHER), ref=OTHER)
    return engine


def test_the_wall_stands_and_says_so(walled: Engine, sqlite_url: str) -> None:
    assert wall_state(walled) is Wall.UP
    assert wall_state(open_engine(sqlite_url)) is Wall.NOT_THERE


@pytest.mark.parametrize("table", sorted(THEIRS))
def test_security_is_forced_on_every_customer_table(walled: Engine, table: str) -> None:
    query = text("SELECT relrowsecurity AND relforcerowsecurity FROM pg_class WHERE relname = :table")
    with reading(walled) as connection:
        assert connection.execute(query, {"table": table}).scalar_one() is True


def test_a_query_that_forgets_the_customer_still_sees_only_theirs(walled: Engine) -> None:
    with customer_reading(walled, REF) as view:
        assert view.connection.execute(select(facts.c.value)).scalars().all() == ["Oslo"]
        assert view.connection.execute(select(func.count()).select_from(customers)).scalar_one() == 1
    with reading(walled) as connection:
        assert connection.execute(select(func.count()).select_from(facts)).scalar_one() == 2


def test_a_write_for_another_customer_is_refused_by_the_database(walled: Engine) -> None:
    with reading(walled) as connection:
        theirs = dict(connection.execute(select(observations).where(observations.c.customer == "u10")).one()._mapping)
    with pytest.raises(StoreError) as raised, customer_writing(walled, KEYS, REF, now=day(1)) as tx:
        tx.connection.execute(insert(observations), {**theirs, "id": "forged"})
    assert "Bergen" not in str(raised.value)


def test_deleting_without_a_condition_takes_only_ones_own(walled: Engine) -> None:
    with customer_writing(walled, KEYS, REF, now=day(1)) as tx:
        assert tx.connection.execute(facts.delete()).rowcount == 1
    assert [f.value for f in living(walled, ref=OTHER)] == ["Bergen"]


def test_the_workers_role_sees_nothing_without_naming_a_customer(walled: Engine) -> None:
    with walled.begin() as connection:
        connection.execute(text("SET LOCAL ROLE afterword_worker"))
        assert [connection.execute(select(func.count()).select_from(metadata.tables[t])).scalar() for t in THEIRS] == [
            0
        ] * len(THEIRS)


def test_the_workers_role_cannot_forge_the_ledger(walled: Engine) -> None:
    with walled.connect() as connection, connection.begin(), pytest.raises(DBAPIError):
        connection.execute(text("SET LOCAL ROLE afterword_worker"))
        connection.execute(erasures.delete())


def test_a_batch_sees_one_customer_after_the_other(walled: Engine) -> None:
    with batch_writing(walled, KEYS, now=day(1)) as batch:
        seen = []
        for ref in sorted([REF, OTHER]):
            with batch.customer(ref) as tx:
                seen.append(tx.connection.execute(select(facts.c.value)).scalars().all())
    assert seen == [["Oslo"], ["Bergen"]]


def test_the_role_is_given_back_with_the_transaction(walled: Engine) -> None:
    with customer_writing(walled, KEYS, REF, now=day(1)):
        pass
    with writing(walled) as connection:
        assert connection.execute(text("SELECT current_user")).scalar_one() != "afterword_worker"


@pytest.fixture
def plain_url(postgres: PostgresServer) -> Iterator[str]:
    """An empty database that belongs to an ordinary login, which may not create roles."""
    name = postgres.create()
    with admin(postgres) as connection:
        connection.execute(text("CREATE ROLE plain_login LOGIN"))
        connection.execute(text(f'ALTER DATABASE "{name}" OWNER TO plain_login'))
    yield make_url(postgres.url(name)).set(username="plain_login").render_as_string(hide_password=False)
    postgres.drop(name)
    with admin(postgres) as connection:
        connection.execute(text("DROP ROLE plain_login"))


@contextmanager
def admin(postgres: PostgresServer) -> Iterator[Connection]:
    engine = create_engine(make_url(postgres.admin_url).set(drivername="postgresql+psycopg"))
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        yield connection
    engine.dispose()


def test_a_login_that_may_not_take_the_roles_works_without_the_wall_and_says_so(
    plain_url: str, migrated_postgres: str
) -> None:
    migrate(plain_url)
    engine = open_engine(plain_url)
    assert wall_state(engine) is Wall.NO_ROLES
    write(engine, observed("Oslo"))
    assert [f.value for f in living(engine)] == ["Oslo"]
    engine.dispose()


def test_the_wall_goes_up_at_the_next_start_once_the_roles_are_granted(
    plain_url: str, migrated_postgres: str, postgres: PostgresServer
) -> None:
    migrate(plain_url)
    with admin(postgres) as connection:
        connection.execute(text("GRANT afterword_worker, afterword_maintenance TO plain_login"))
    migrate(plain_url)
    engine = open_engine(plain_url)
    assert wall_state(engine) is Wall.UP
    write(engine, observed("Oslo"))
    write(engine, observed("Bergen", ref=OTHER), ref=OTHER)
    with customer_reading(engine, REF) as view:
        assert view.connection.execute(select(facts.c.value)).scalars().all() == ["Oslo"]
    with reading(engine) as connection:  # maintenance, by membership
        assert connection.execute(select(func.count()).select_from(facts)).scalar_one() == 2
    engine.dispose()
