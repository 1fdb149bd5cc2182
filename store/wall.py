"""The second wall (PostgreSQL): row level security that the worker's role cannot cross.

`afterword_worker` sees and writes one customer, the one that the transaction names. `afterword_maintenance` (and
whoever is a member of it, as the login is) sees all: inbox, sweep, purge and erasure work across customers. Security is
forced, so that owning the tables opens no door.
"""

from enum import StrEnum

from sqlalchemy import Connection, Engine, inspect
from sqlalchemy import text as sql

from store.engine import reading

WORKER_ROLE = "afterword_worker"
MAINTENANCE_ROLE = "afterword_maintenance"
WALLED_TABLES = ("customers", "observations", "facts", "slot_horizons", "review_items", "vectors")
_WORKER_MAY = {
    "SELECT, INSERT, UPDATE, DELETE": WALLED_TABLES,
    "SELECT, INSERT, UPDATE": ("events",),
    "SELECT, INSERT": ("audit", "receipts"),
    "SELECT": ("erasures", "opt_outs", "past_horizons", "retractions", "ledger_mark", "pauses"),
}


class Wall(StrEnum):
    """How the second wall stands. The value is what `doctor` says."""

    NOT_THERE = "SQLite has no second wall: the first (every query names its customer) stands alone"
    UP = "row level security is forced and transactions take the role afterword_worker"
    NO_ROLES = (
        "row level security is off: the migration may not create roles; let one who may run CREATE ROLE"
        " afterword_worker, CREATE ROLE afterword_maintenance, grant both to this login, and migrate again"
    )
    NOT_A_MEMBER = (
        "this login may not take the role afterword_worker: GRANT afterword_worker, afterword_maintenance to it"
    )


def raise_wall(connection: Connection) -> bool:
    """Roles, rights and policies, made or brought up to date. False where roles are missing and may not be created."""
    if connection.dialect.name != "postgresql" or not _roles_made(connection):
        return False
    there = set(inspect(connection).get_table_names())  # a later migration may be still to come
    for rights, tables in _WORKER_MAY.items():
        listed = ", ".join(table for table in tables if table in there)
        connection.execute(sql(f"GRANT {rights} ON {listed} TO {WORKER_ROLE}"))
    connection.execute(
        sql(f"GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO {MAINTENANCE_ROLE}")
    )
    connection.execute(sql(f"REVOKE INSERT, UPDATE, DELETE ON alembic_version FROM {MAINTENANCE_ROLE}"))
    connection.execute(sql(f"GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO {WORKER_ROLE}, {MAINTENANCE_ROLE}"))
    for table in sorted(there.intersection(WALLED_TABLES)):
        _wall_in(connection, table)
    return True


def wall_state(engine: Engine) -> Wall:
    """How the second wall stands for this login."""
    if engine.dialect.name != "postgresql":
        return Wall.NOT_THERE
    forced = sql("SELECT count(*) FROM pg_class WHERE relname = ANY(:names) AND relrowsecurity AND relforcerowsecurity")
    member = sql("SELECT count(*) FROM pg_roles WHERE rolname = :role AND pg_has_role(rolname, 'MEMBER')")
    with reading(engine) as connection:
        if connection.execute(forced, {"names": list(WALLED_TABLES)}).scalar_one() < len(WALLED_TABLES):
            return Wall.NO_ROLES
        return Wall.UP if connection.execute(member, {"role": WORKER_ROLE}).scalar_one() else Wall.NOT_A_MEMBER


def _roles_made(connection: Connection) -> bool:
    """Whether both roles are there and this login is a member of both.

    A wall raised without that would lock the login itself out. Roles belong to the cluster, so another database's
    migration may have made them, or make them right now.
    """
    for role in (WORKER_ROLE, MAINTENANCE_ROLE):
        connection.execute(sql(_CREATE.format(role=role)))
        connection.execute(sql(_JOIN.format(role=role)))
    return all(connection.execute(sql(_IS_MEMBER), {"role": role}).scalar() for role in (WORKER_ROLE, MAINTENANCE_ROLE))


_CREATE = """DO $$ BEGIN IF to_regrole('{role}') IS NULL THEN CREATE ROLE {role} NOLOGIN; END IF;
EXCEPTION WHEN duplicate_object OR unique_violation OR insufficient_privilege THEN NULL; END $$"""
_JOIN = """DO $$ BEGIN IF NOT pg_has_role('{role}', 'USAGE') THEN GRANT {role} TO CURRENT_USER; END IF;
EXCEPTION WHEN insufficient_privilege OR undefined_object THEN NULL; END $$"""
_IS_MEMBER = "SELECT pg_has_role(rolname, 'USAGE') FROM pg_roles WHERE rolname = :role"


def _wall_in(connection: Connection, table: str) -> None:
    theirs = (
        "tenant = current_setting('afterword.tenant', true) AND customer = current_setting('afterword.customer', true)"
    )
    for statement in (
        f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY",
        f"ALTER TABLE {table} FORCE ROW LEVEL SECURITY",
        f"DROP POLICY IF EXISTS one_customer ON {table}",
        f"DROP POLICY IF EXISTS maintenance ON {table}",
        f"CREATE POLICY one_customer ON {table} TO {WORKER_ROLE} USING ({theirs}) WITH CHECK ({theirs})",
        f"CREATE POLICY maintenance ON {table} TO {MAINTENANCE_ROLE} USING (true) WITH CHECK (true)",
    ):
        connection.execute(sql(statement))
