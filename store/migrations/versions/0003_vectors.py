"""Vectors of live facts, for recall by a query.

Revision ID: 0003
"""

import sqlalchemy as sa
from alembic import op

from store.wall import raise_wall

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.create_table(
        "vectors",
        sa.Column("tenant", sa.String(200), nullable=False),
        sa.Column("customer", sa.String(200), nullable=False),
        sa.Column("fact", sa.String(length=32), nullable=False),
        sa.Column("model", sa.String(length=200), nullable=False),
        sa.Column("digest", sa.String(length=32), nullable=False),
        sa.Column("vector", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["tenant", "customer"], ["customers.tenant", "customers.customer"], name=op.f("fk_vectors_customers")
        ),
        sa.PrimaryKeyConstraint("tenant", "customer", "fact", name=op.f("pk_vectors")),
    )
    raise_wall(op.get_bind())
