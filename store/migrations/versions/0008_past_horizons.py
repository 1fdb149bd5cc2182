"""How far memory was purged of customers of whom nothing else is left.

Revision ID: 0008
"""

import sqlalchemy as sa
from alembic import op

from store.columns import AwareDateTime
from store.wall import raise_wall

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    op.create_table(
        "past_horizons",
        sa.Column("subject", sa.String(32), nullable=False),
        sa.Column("tenant_subject", sa.String(32), nullable=False),
        sa.Column("horizon", AwareDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("subject", name=op.f("pk_past_horizons")),
    )
    op.create_index("ix_past_horizons_tenant_subject", "past_horizons", ["tenant_subject"])
    raise_wall(op.get_bind())
