"""The few places where SQLite and PostgreSQL speak differently."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    FromClause,
    Integer,
    String,
    Table,
    any_,
    bindparam,
    cast,
    func,
    select,
    true,
)
from sqlalchemy.dialects import postgresql, sqlite


def insert_for(connection: Connection, table: Table) -> Any:
    """An INSERT that knows ON CONFLICT, in the connection's own dialect."""
    return postgresql.insert(table) if connection.dialect.name == "postgresql" else sqlite.insert(table)


def among(connection: Connection, column: Column[Any], values: Sequence[Any]) -> ColumnElement[bool]:
    """`column` is one of many values, which travel as one parameter, so that the statement stays small."""
    if connection.dialect.name != "postgresql":
        return column.in_(select(func.json_each(json.dumps(list(values))).table_valued("value").c.value))
    return column == any_(cast(list(values), postgresql.ARRAY(column.type)))


T = TypeVar("T")


def built_once(build: Callable[[Connection], T]) -> Callable[[Connection], T]:
    """A statement that is executed again and again, built once for each of the databases."""
    built: dict[str, T] = {}

    def statement(connection: Connection) -> T:
        name = connection.dialect.name
        if name not in built:
            built[name] = build(connection)
        return built[name]

    return statement


def as_list(values: Iterable[Any]) -> str:
    """Values as `listed` gives them."""
    return ",".join(map(str, values))


def listed(column: ColumnElement[Any]) -> ColumnElement[Any]:
    """The column's values (keys of ours: numbers, or words without a comma) as one text: "1,2,3"."""
    return func.aggregate_strings(cast(column, String), ",")


def among_listed(connection: Connection, column: Column[Any], name: str) -> ColumnElement[bool]:
    """`column` is one of the values that the parameter `name` lists, as `listed` does. None and '' list nothing."""
    text = func.coalesce(bindparam(name, type_=String), "")
    if connection.dialect.name == "postgresql":
        return column == any_(cast(func.string_to_array(text, ","), postgresql.ARRAY(column.type)))
    quoted = text if isinstance(column.type, Integer) else '"' + func.replace(text, ",", '","') + '"'
    return column.in_(select(func.json_each("[" + quoted + "]").table_valued("value").c.value))


def beside(
    connection: Connection, outer: FromClause, table: FromClause, where: ColumnElement[bool], **sums: ColumnElement[Any]
) -> tuple[FromClause, Mapping[str, ColumnElement[Any]]]:
    """`outer` with sums over `table`'s rows for which `where` holds beside each of its own rows. PostgreSQL looks those
    up once, however many sums there are; SQLite, which cannot, once for each."""
    one = select(*(value.label(name) for name, value in sums.items())).where(where)
    if connection.dialect.name == "postgresql":
        found = one.lateral()
        return outer.join(found, true()), dict(found.c)
    each = {name: select(value).where(where).correlate_except(table).scalar_subquery() for name, value in sums.items()}
    return outer, each


def later_of(connection: Connection) -> Any:
    """The function that gives the latest of its arguments."""
    return func.greatest if connection.dialect.name == "postgresql" else func.max


def lock_shared(connection: Connection, *keys: int) -> None:
    """Holds these advisory locks, shared, until the transaction ends. SQLite's one writer needs none."""
    if connection.dialect.name == "postgresql":
        for key in sorted(set(keys)):
            connection.execute(select(func.pg_advisory_xact_lock_shared(key)))


def lock_alone(connection: Connection, key: int) -> None:
    """Holds this advisory lock, exclusively, until the transaction ends."""
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock(key)))
