"""The few places where SQLite and PostgreSQL speak differently."""

import json
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Column, ColumnElement, Connection, Table, any_, cast, func, select
from sqlalchemy.dialects import postgresql, sqlite


def insert_for(connection: Connection, table: Table) -> Any:
    """An INSERT that knows ON CONFLICT, in the connection's own dialect."""
    return postgresql.insert(table) if connection.dialect.name == "postgresql" else sqlite.insert(table)


def among(connection: Connection, column: Column[Any], values: Sequence[Any]) -> ColumnElement[bool]:
    """`column` is one of many values, which travel as one parameter, so that the statement stays small."""
    if connection.dialect.name != "postgresql":
        return column.in_(select(func.json_each(json.dumps(list(values))).table_valued("value").c.value))
    return column == any_(cast(list(values), postgresql.ARRAY(column.type)))


def lock_shared(connection: Connection, *keys: int) -> None:
    """Holds these advisory locks, shared, until the transaction ends. SQLite's one writer needs none."""
    if connection.dialect.name == "postgresql":
        for key in sorted(set(keys)):
            connection.execute(select(func.pg_advisory_xact_lock_shared(key)))


def lock_alone(connection: Connection, key: int) -> None:
    """Holds this advisory lock, exclusively, until the transaction ends."""
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock(key)))
