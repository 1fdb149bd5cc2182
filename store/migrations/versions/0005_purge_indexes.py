"""Indexes along which the purge walks: the current facts by their end, the superseded versions by theirs.

Revision ID: 0005
"""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    _replace("expires_at", ["expires_at", "row"], "recorded_to IS NULL")
    _replace("valid_to", ["valid_to", "row"], "recorded_to IS NULL")
    _replace("recorded_to", ["recorded_to"], "recorded_to IS NOT NULL")


def _replace(name: str, columns: list[str], where: str) -> None:
    op.drop_index(f"ix_facts_{name}", "facts")
    part = sa.text(where)
    op.create_index(f"ix_facts_{name}", "facts", columns, sqlite_where=part, postgresql_where=part)
