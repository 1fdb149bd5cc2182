"""Column types of our own: what the databases do not keep by themselves."""

from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import CheckConstraint, DateTime, String, TypeDecorator
from sqlalchemy.engine import Dialect


class AwareDateTime(TypeDecorator[datetime]):
    """An aware datetime, always UTC. SQLite keeps naive text: the zone is taken off going in, put back coming out."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise TypeError("naive datetime: every time in Afterword carries its zone")
        utc = value.astimezone(UTC)
        return utc.replace(tzinfo=None) if dialect.name == "sqlite" else utc

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class Text(TypeDecorator[str]):
    """Text that PostgreSQL can hold: NUL, which it refuses, becomes U+FFFD, as on the wire."""

    impl = String
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        return None if value is None else value.replace("\x00", "\ufffd").encode("utf-8", "replace").decode()


def one_of(column: str, values: type[StrEnum], name: str) -> CheckConstraint:
    """The database's own check that `column` holds a member of the enumeration."""
    listed = ", ".join(f"'{member.value}'" for member in values)
    return CheckConstraint(f"{column} IN ({listed})", name=name)


def json_type() -> Any:
    """JSON on both databases. None is no value there either."""
    from sqlalchemy import JSON
    from sqlalchemy.dialects.postgresql import JSONB

    return JSON(none_as_null=True).with_variant(JSONB(none_as_null=True), "postgresql")
