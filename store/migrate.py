"""The schema, brought up to date where the database is empty or behind. Safe when several processes start at once.

Each database keeps the whole migration in one transaction under one lock, so one that is killed in the middle leaves
what was there before, and the next start begins again.
"""

import logging
import time
from pathlib import Path

from sqlalchemy import Connection, Engine, inspect
from sqlalchemy import text as sql

from store.engine import open_engine, reading, writing
from store.faults import SchemaTooNew, StoreUnavailable
from store.migrations import HEAD, REVISIONS
from store.wall import Wall, raise_wall, wall_state

_ADVISORY_LOCK = 0x41667465727764  # 'Afterwd': any number that nobody else uses in this database
_PATIENCE = 30.0


def migrate(url: str) -> None:
    """Brings the database at `url` up to date. Raises SchemaTooNew, StoreUnavailable or BadDatabaseUrl."""
    engine = open_engine(url)
    try:
        if _revision_when_free(engine) != HEAD:
            _upgrade(engine)
        elif wall_state(engine) is Wall.NO_ROLES:
            with writing(engine) as connection:  # the roles may have been made since
                raise_wall(connection)
    finally:
        engine.dispose()


def revision(engine: Engine) -> str | None:
    """The schema's revision, None for an empty database."""
    with reading(engine) as connection:
        return _revision(connection)


def checked_revision(engine: Engine) -> str | None:
    """`revision`, or SchemaTooNew where this code does not know it."""
    with reading(engine) as connection:
        return _known(_revision(connection))


def _known(found: str | None) -> str | None:
    if found is not None and found not in REVISIONS:
        raise SchemaTooNew(
            f"the database's schema ({found}) is newer than this Afterword ({HEAD}): install that version"
        )
    return found


def _revision(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(sql("SELECT version_num FROM alembic_version")).scalar_one_or_none()


def _revision_when_free(engine: Engine) -> str | None:
    """SQLite does not wait its turn while another process makes the file: ask again."""
    deadline = time.monotonic() + _PATIENCE
    while True:
        try:
            return checked_revision(engine)
        except SchemaTooNew:
            raise
        except StoreUnavailable as error:
            if "locked" not in str(error) or time.monotonic() > deadline:
                raise
            time.sleep(0.05)


def _upgrade(engine: Engine) -> None:
    logging.getLogger("alembic").setLevel(logging.WARNING)  # before the import, which talks
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    with writing(engine) as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(sql("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _ADVISORY_LOCK})
        if _known(_revision(connection)) == HEAD:
            return  # another process was first
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
