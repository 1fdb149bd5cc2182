"""Retracted tickets are named by a keyed hash once what they said is withdrawn.

Revision ID: 0007
"""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    column = sa.Column("hashed", sa.Boolean(), server_default=sa.text("false"), nullable=False)
    op.add_column("retractions", column)
