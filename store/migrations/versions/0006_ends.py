"""Ends that reach another ticket's fact: whom one reached, once its neighbours are purged, and how far ends are.

Revision ID: 0006
"""

import sqlalchemy as sa
from alembic import op

from store.columns import AwareDateTime, json_type

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.add_column("observations", sa.Column("reach", json_type(), nullable=True))
    op.add_column("slot_horizons", sa.Column("ends", AwareDateTime(), nullable=True))
    for name, columns in (("ended", ["observed_at", "id"]), ("ended_key", ["tenant", "customer", "key"])):
        op.create_index(
            f"ix_observations_{name}",
            "observations",
            columns,
            sqlite_where=sa.text("ended = 1"),
            postgresql_where=sa.text("ended"),
        )
