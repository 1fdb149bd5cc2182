"""The first schema.

Revision ID: 0001
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0001"
down_revision = None

json = sa.JSON().with_variant(postgresql.JSONB(), "postgresql")
auto = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "audit",
        sa.Column("id", auto, autoincrement=True, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("tenant", sa.String(200), nullable=False),
        sa.Column("surrogate", sa.String(length=32), nullable=True),
        sa.Column("actor", sa.String(200), nullable=False),
        sa.Column("action", sa.String(length=32), nullable=False),
        sa.Column("outcome", sa.String(length=32), nullable=False),
        sa.Column("reason", sa.String(length=32), nullable=True),
        sa.Column("event", sa.String(length=32), nullable=True),
        sa.Column("observation", sa.String(length=32), nullable=True),
        sa.Column("fact", sa.String(length=32), nullable=True),
        sa.Column("key", sa.String(64), nullable=True),
        sa.Column("job", sa.String(length=32), nullable=True),
        sa.Column("note", sa.String(200), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit")),
    )
    op.create_index("ix_audit_at", "audit", ["at"], unique=False)
    op.create_index("ix_audit_event", "audit", ["event"], unique=False)
    op.create_index("ix_audit_surrogate", "audit", ["surrogate"], unique=False)
    op.create_index("ix_audit_tenant_at", "audit", ["tenant", "at"], unique=False)
    op.create_table(
        "customers",
        sa.Column("tenant", sa.String(200), nullable=False),
        sa.Column("customer", sa.String(200), nullable=False),
        sa.Column("surrogate", sa.String(length=32), nullable=False),
        sa.Column("subject", sa.String(length=32), nullable=False),
        sa.Column("tenant_subject", sa.String(length=32), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("tenant", "customer", name=op.f("pk_customers")),
        sa.UniqueConstraint("surrogate", name=op.f("uq_customers_surrogate")),
    )
    op.create_index(op.f("ix_customers_subject"), "customers", ["subject"], unique=False)
    op.create_index(op.f("ix_customers_tenant_subject"), "customers", ["tenant_subject"], unique=False)
    op.create_table(
        "erasures",
        sa.Column("number", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("scope", sa.String(length=12), nullable=False),
        sa.Column("subject", sa.String(length=32), nullable=False),
        sa.Column("erased_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("observations", json, nullable=False),
        sa.Column("applied_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("scope IN ('customer', 'tenant', 'fact', 'switch')", name=op.f("ck_erasures_scope")),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_erasures")),
    )
    op.create_index("ix_erasures_subject", "erasures", ["subject", "erased_at"], unique=False)
    op.create_table(
        "event_totals",
        sa.Column("tenant", sa.String(200), nullable=False),
        sa.Column("state", sa.String(length=12), nullable=False),
        sa.Column("purged", sa.BigInteger(), nullable=False),
        sa.CheckConstraint(
            "state IN ('pending', 'processing', 'done', 'dead', 'erased')", name=op.f("ck_event_totals_state")
        ),
        sa.PrimaryKeyConstraint("tenant", "state", name=op.f("pk_event_totals")),
    )
    op.create_table(
        "events",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("tenant", sa.String(200), nullable=False),
        sa.Column("event_hash", sa.String(length=32), nullable=False),
        sa.Column("event_id", sa.String(200), nullable=True),
        sa.Column("ticket", sa.String(200), nullable=True),
        sa.Column("customer", sa.String(200), nullable=True),
        sa.Column("subject", sa.String(length=32), nullable=True),
        sa.Column("closed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("received_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("payload", sa.LargeBinary(), nullable=True),
        sa.Column("digest", sa.String(length=32), nullable=True),
        sa.Column("state", sa.String(length=12), nullable=False),
        sa.Column("reason", sa.String(length=32), nullable=True),
        sa.Column("lane", sa.String(length=12), nullable=False),
        sa.Column("fence", sa.Integer(), server_default="0", nullable=False),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("next_attempt", sa.DateTime(timezone=True), nullable=True),
        sa.Column("next_publish", sa.DateTime(timezone=True), nullable=True),
        sa.Column("failing_since", sa.DateTime(timezone=True), nullable=True),
        sa.Column("replay_job", sa.String(length=32), nullable=True),
        sa.Column("attempts", sa.Integer(), server_default="0", nullable=False),
        sa.Column("crashes", sa.Integer(), server_default="0", nullable=False),
        sa.Column("claimed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("model", sa.String(length=200), nullable=True),
        sa.Column("prompt_version", sa.String(length=64), nullable=True),
        sa.Column("model_ms", sa.Integer(), nullable=True),
        sa.Column("prompt_tokens", sa.Integer(), nullable=True),
        sa.Column("reply_tokens", sa.Integer(), nullable=True),
        sa.CheckConstraint("lane IN ('live', 'backfill', 'quarantine')", name=op.f("ck_events_lane")),
        sa.CheckConstraint(
            "state IN ('pending', 'processing', 'done', 'dead', 'erased')", name=op.f("ck_events_state")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_events")),
        sa.UniqueConstraint("tenant", "event_hash", name=op.f("uq_events_tenant_event_hash")),
    )
    op.create_index("ix_events_customer", "events", ["tenant", "customer", "state"], unique=False)
    op.create_index(
        "ix_events_due",
        "events",
        ["lane", "tenant", "next_attempt"],
        unique=False,
        sqlite_where=sa.text("state = 'pending'"),
        postgresql_where=sa.text("state = 'pending'"),
    )
    op.create_index(
        "ix_events_erased",
        "events",
        ["id"],
        unique=False,
        sqlite_where=sa.text("state = 'erased'"),
        postgresql_where=sa.text("state = 'erased'"),
    )
    op.create_index(
        "ix_events_finished_at",
        "events",
        ["state", "finished_at"],
        unique=False,
        sqlite_where=sa.text("finished_at IS NOT NULL"),
        postgresql_where=sa.text("finished_at IS NOT NULL"),
    )
    op.create_index(
        "ix_events_lease",
        "events",
        ["lease_until"],
        unique=False,
        sqlite_where=sa.text("state = 'processing'"),
        postgresql_where=sa.text("state = 'processing'"),
    )
    op.create_index(
        "ix_events_published",
        "events",
        ["lane", "tenant", "next_publish"],
        unique=False,
        sqlite_where=sa.text("state = 'pending' AND next_publish IS NOT NULL"),
        postgresql_where=sa.text("state = 'pending' AND next_publish IS NOT NULL"),
    )
    op.create_index(
        "ix_events_replay_job",
        "events",
        ["replay_job", "id"],
        unique=False,
        sqlite_where=sa.text("replay_job IS NOT NULL"),
        postgresql_where=sa.text("replay_job IS NOT NULL"),
    )
    op.create_index("ix_events_subject", "events", ["subject"], unique=False)
    op.create_index("ix_events_tenant_state", "events", ["tenant", "state", "received_at"], unique=False)
    op.create_index("ix_events_ticket", "events", ["tenant", "ticket"], unique=False)
    op.create_table(
        "heartbeats",
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("detail", json, nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_heartbeats")),
    )
    op.create_table(
        "ledger_mark",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("ledger", sa.String(length=32), nullable=False),
        sa.Column("applied", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_ledger_mark")),
    )
    op.create_table(
        "opt_outs",
        sa.Column("subject", sa.String(length=32), nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("subject", name=op.f("pk_opt_outs")),
    )
    op.create_table(
        "pauses",
        sa.Column("tenant", sa.String(200), nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.Column("actor", sa.String(200), nullable=False),
        sa.PrimaryKeyConstraint("tenant", name=op.f("pk_pauses")),
    )
    op.create_table(
        "receipts",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("tenant", sa.String(200), nullable=False),
        sa.Column("surrogate", sa.String(length=32), nullable=False),
        sa.Column("actor", sa.String(200), nullable=False),
        sa.Column("facts", json, nullable=False),
        sa.Column("degraded", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_receipts")),
    )
    op.create_index("ix_receipts_at", "receipts", ["at"], unique=False)
    op.create_index("ix_receipts_surrogate", "receipts", ["surrogate"], unique=False)
    op.create_table(
        "retractions",
        sa.Column("tenant", sa.String(200), nullable=False),
        sa.Column("ticket", sa.String(200), nullable=False),
        sa.Column("retracted_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("actor", sa.String(200), nullable=False),
        sa.PrimaryKeyConstraint("tenant", "ticket", name=op.f("pk_retractions")),
    )
    op.create_table(
        "facts",
        sa.Column("row", auto, autoincrement=True, nullable=False),
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("tenant", sa.String(200), nullable=False),
        sa.Column("customer", sa.String(200), nullable=False),
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("slot_ticket", sa.String(200), server_default="", nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("value", sa.String(), nullable=False),
        sa.Column("source", sa.String(length=20), nullable=False),
        sa.Column("confidence", sa.Float(), nullable=False),
        sa.Column("importance", sa.Float(), nullable=False),
        sa.Column("valid_from", sa.DateTime(timezone=True), nullable=False),
        sa.Column("valid_to", sa.DateTime(timezone=True), nullable=True),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("confirmed_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("evidence", json, nullable=False),
        sa.Column("recorded_from", sa.DateTime(timezone=True), nullable=False),
        sa.Column("recorded_to", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint("kind IN ('preference', 'profile', 'situation', 'episode')", name=op.f("ck_facts_kind")),
        sa.CheckConstraint("source IN ('system', 'agent_confirmed', 'extracted')", name=op.f("ck_facts_source")),
        sa.ForeignKeyConstraint(
            ["tenant", "customer"], ["customers.tenant", "customers.customer"], name=op.f("fk_facts_customers")
        ),
        sa.PrimaryKeyConstraint("row", name=op.f("pk_facts")),
        sa.UniqueConstraint("id", "version", name=op.f("uq_facts_id_version")),
    )
    op.create_index("ix_facts_expires_at", "facts", ["expires_at"], unique=False)
    op.create_index("ix_facts_recorded_to", "facts", ["recorded_to"], unique=False)
    op.create_index("ix_facts_slot", "facts", ["tenant", "customer", "key", "slot_ticket", "recorded_to"], unique=False)
    op.create_index("ix_facts_valid_to", "facts", ["valid_to"], unique=False)
    op.create_index(
        "uq_facts_live_slot",
        "facts",
        ["tenant", "customer", "key", "slot_ticket"],
        unique=True,
        sqlite_where=sa.text("recorded_to IS NULL AND valid_to IS NULL"),
        postgresql_where=sa.text("recorded_to IS NULL AND valid_to IS NULL"),
    )
    op.create_table(
        "observations",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("tenant", sa.String(200), nullable=False),
        sa.Column("customer", sa.String(200), nullable=False),
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("slot_ticket", sa.String(200), server_default="", nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("value", sa.String(), nullable=False),
        sa.Column("ended", sa.Boolean(), nullable=False),
        sa.Column("source", sa.String(length=20), nullable=False),
        sa.Column("observed_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("recorded_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("confidence", sa.Float(), nullable=False),
        sa.Column("importance", sa.Float(), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("event", sa.String(length=32), server_default="", nullable=False),
        sa.Column("ticket", sa.String(200), server_default="", nullable=False),
        sa.Column("message", sa.Integer(), server_default="-1", nullable=False),
        sa.Column("quotes", json, nullable=False),
        sa.Column("has_transcript", sa.Boolean(), nullable=False),
        sa.Column("model", sa.String(length=200), server_default="", nullable=False),
        sa.Column("prompt_version", sa.String(length=64), server_default="", nullable=False),
        sa.Column("actor", sa.String(200), server_default="", nullable=False),
        sa.Column("withdrawn_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("withdrawn_reason", sa.String(length=32), nullable=True),
        sa.CheckConstraint(
            "kind IN ('preference', 'profile', 'situation', 'episode')", name=op.f("ck_observations_kind")
        ),
        sa.CheckConstraint("source IN ('system', 'agent_confirmed', 'extracted')", name=op.f("ck_observations_source")),
        sa.ForeignKeyConstraint(
            ["tenant", "customer"], ["customers.tenant", "customers.customer"], name=op.f("fk_observations_customers")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_observations")),
    )
    op.create_index("ix_observations_event", "observations", ["event"], unique=False)
    op.create_index("ix_observations_slot", "observations", ["tenant", "customer", "key", "slot_ticket"], unique=False)
    op.create_index("ix_observations_ticket", "observations", ["tenant", "ticket"], unique=False)
    op.create_index(
        "ix_observations_withdrawn_at",
        "observations",
        ["withdrawn_at"],
        unique=False,
        sqlite_where=sa.text("withdrawn_at IS NOT NULL"),
        postgresql_where=sa.text("withdrawn_at IS NOT NULL"),
    )
    op.create_table(
        "review_items",
        sa.Column("observation", sa.String(length=32), nullable=False),
        sa.Column("tenant", sa.String(200), nullable=False),
        sa.Column("customer", sa.String(200), nullable=False),
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("slot_ticket", sa.String(200), server_default="", nullable=False),
        sa.Column("ticket", sa.String(200), server_default="", nullable=False),
        sa.Column("reason", sa.String(length=32), nullable=False),
        sa.Column("opened_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("standing", sa.String(length=48), server_default="", nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("resolved_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("resolved_by", sa.String(200), nullable=True),
        sa.CheckConstraint("state IN ('open', 'accepted', 'dismissed')", name=op.f("ck_review_items_state")),
        sa.ForeignKeyConstraint(
            ["tenant", "customer"], ["customers.tenant", "customers.customer"], name=op.f("fk_review_items_customers")
        ),
        sa.PrimaryKeyConstraint("observation", name=op.f("pk_review_items")),
    )
    op.create_index("ix_review_items_open", "review_items", ["tenant", "state", "opened_at"], unique=False)
    op.create_index("ix_review_items_slot", "review_items", ["tenant", "customer", "key", "slot_ticket"], unique=False)
    op.create_table(
        "slot_horizons",
        sa.Column("tenant", sa.String(200), nullable=False),
        sa.Column("customer", sa.String(200), nullable=False),
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("slot_ticket", sa.String(200), server_default="", nullable=False),
        sa.Column("horizon", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["tenant", "customer"], ["customers.tenant", "customers.customer"], name=op.f("fk_slot_horizons_customers")
        ),
        sa.PrimaryKeyConstraint("tenant", "customer", "key", "slot_ticket", name=op.f("pk_slot_horizons")),
    )
