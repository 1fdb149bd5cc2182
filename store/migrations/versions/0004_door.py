"""Tokens of the HTTP door, and closed tickets that are still to be fetched from their helpdesk.

Revision ID: 0004
"""

import sqlalchemy as sa
from alembic import op

from store.columns import AwareDateTime, json_type
from store.wall import raise_wall

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.create_table(
        "access_tokens",
        sa.Column("id", sa.String(16), nullable=False),
        sa.Column("tenant", sa.String(200), nullable=False),
        sa.Column("kind", sa.String(12), nullable=False),
        sa.Column("role", sa.String(12), nullable=False),
        sa.Column("scopes", json_type(), nullable=False),
        sa.Column("hash", sa.String(64), nullable=True),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("created_at", AwareDateTime(), nullable=False),
        sa.Column("created_by", sa.String(200), nullable=False),
        sa.Column("expires_at", AwareDateTime(), nullable=True),
        sa.Column("revoked_at", AwareDateTime(), nullable=True),
        sa.Column("revoked_by", sa.String(200), nullable=True),
        sa.CheckConstraint("kind IN ('token', 'signing')", name=op.f("ck_access_tokens_kind")),
        sa.CheckConstraint("role IN ('system', 'person', 'agent')", name=op.f("ck_access_tokens_role")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_access_tokens")),
    )
    op.create_index("ix_access_tokens_tenant", "access_tokens", ["tenant", "kind"])
    op.create_table(
        "fetches",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("tenant", sa.String(200), nullable=False),
        sa.Column("vendor", sa.String(20), nullable=False),
        sa.Column("ticket", sa.String(200), nullable=False),
        sa.Column("event_id", sa.String(200), nullable=False),
        sa.Column("closed_at", AwareDateTime(), nullable=False),
        sa.Column("received_at", AwareDateTime(), nullable=False),
        sa.Column("state", sa.String(12), nullable=False),
        sa.Column("reason", sa.String(32), nullable=True),
        sa.Column("attempts", sa.Integer(), server_default="0", nullable=False),
        sa.Column("fence", sa.Integer(), server_default="0", nullable=False),
        sa.Column("next_attempt", AwareDateTime(), nullable=False),
        sa.CheckConstraint("state IN ('pending', 'dead')", name=op.f("ck_fetches_state")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_fetches")),
    )
    op.create_index("ix_fetches_due", "fetches", ["state", "next_attempt"])
    raise_wall(op.get_bind())
