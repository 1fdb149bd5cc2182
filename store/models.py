"""Every table. What each holds, and what it must never hold, stands beside it.

Customer text stands in `observations`, `facts` and, encrypted, in `events.payload`, and nowhere else. Audit, receipts
and erasures name a customer by a random surrogate or a keyed hash.
"""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    UniqueConstraint,
    text,
)

from pipeline.facts import Source
from pipeline.kinds import Kind
from store.columns import AwareDateTime, Text, json_type, one_of
from store.states import ErasureScope, FetchState, Lane, ReviewState, Role, State, TokenKind

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)

Auto = BigInteger().with_variant(Integer(), "sqlite")


def _whose() -> list[Column[str]]:
    """The two columns that every row about a customer begins with."""
    return [Column("tenant", Text(200), nullable=False), Column("customer", Text(200), nullable=False)]


def _of_customer() -> ForeignKeyConstraint:
    return ForeignKeyConstraint(["tenant", "customer"], ["customers.tenant", "customers.customer"])


def _partial(name: str, *columns: str, where: str) -> Index:
    """An index over the rows that `where` (SQL that both databases read) picks, and over no others."""
    return Index(name, *columns, sqlite_where=text(where), postgresql_where=text(where))


# A customer as far as memory goes. The row is the lock of all that is written about them.
customers = Table(
    "customers",
    metadata,
    *_whose(),
    Column("surrogate", String(32), nullable=False, unique=True),  # random; forget destroys the mapping
    Column("subject", String(32), nullable=False),  # keyed hash of tenant and customer, as in the ledger
    Column("tenant_subject", String(32), nullable=False),  # keyed hash of the tenant, as in the ledger
    Column("created_at", AwareDateTime(), nullable=False),
    PrimaryKeyConstraint("tenant", "customer"),
    Index(None, "subject"),
    Index(None, "tenant_subject"),
)

# Statements that passed the gates: immutable but for their withdrawal.
observations = Table(
    "observations",
    metadata,
    Column("id", String(32), nullable=False),
    *_whose(),
    Column("key", Text(64), nullable=False),
    Column("slot_ticket", Text(200), nullable=False, server_default=""),
    Column("kind", String(20), nullable=False),
    Column("value", Text(), nullable=False),
    Column("ended", Boolean, nullable=False),
    Column("source", String(20), nullable=False),
    Column("observed_at", AwareDateTime(), nullable=False),
    Column("recorded_at", AwareDateTime(), nullable=False),
    Column("confidence", Float, nullable=False),
    Column("importance", Float, nullable=False),
    Column("expires_at", AwareDateTime()),
    Column("event", String(32), nullable=False, server_default=""),  # events.id, '' where none
    Column("ticket", Text(200), nullable=False, server_default=""),
    Column("message", Integer, nullable=False, server_default="-1"),
    Column("quotes", json_type(), nullable=False),  # [{"message": int, "text": str}]
    Column("has_transcript", Boolean, nullable=False),
    Column("model", String(200), nullable=False, server_default=""),
    Column("prompt_version", String(64), nullable=False, server_default=""),
    Column("actor", Text(200), nullable=False, server_default=""),
    Column("withdrawn_at", AwareDateTime()),
    Column("withdrawn_reason", String(32)),
    Column("reach", json_type()),  # of an 'ended': the tickets that it reached, once a neighbour of theirs was purged
    PrimaryKeyConstraint("id"),
    _of_customer(),
    one_of("kind", Kind, "kind"),
    one_of("source", Source, "source"),
    Index("ix_observations_slot", "tenant", "customer", "key", "slot_ticket"),
    Index("ix_observations_ticket", "tenant", "ticket"),
    Index("ix_observations_event", "event"),
    _partial("ix_observations_withdrawn_at", "withdrawn_at", where="withdrawn_at IS NOT NULL"),
    *(
        Index(name, *columns, sqlite_where=text("ended = 1"), postgresql_where=text("ended"))
        for name, columns in {
            "ix_observations_ended": ("observed_at", "id"),
            "ix_observations_ended_key": ("tenant", "customer", "key"),
        }.items()
    ),
)

# What the observations amount to. A row is one recorded version of one fact: `valid_*` is the customer's clock,
# `recorded_*` ours. Current versions have no `recorded_to`; live facts have no `valid_to` either.
facts = Table(
    "facts",
    metadata,
    Column("row", Auto, primary_key=True, autoincrement=True),
    Column("id", String(32), nullable=False),
    Column("version", Integer, nullable=False),
    *_whose(),
    Column("key", Text(64), nullable=False),
    Column("slot_ticket", Text(200), nullable=False, server_default=""),
    Column("kind", String(20), nullable=False),
    Column("value", Text(), nullable=False),
    Column("source", String(20), nullable=False),
    Column("confidence", Float, nullable=False),
    Column("importance", Float, nullable=False),
    Column("valid_from", AwareDateTime(), nullable=False),
    Column("valid_to", AwareDateTime()),
    Column("expires_at", AwareDateTime()),
    Column("confirmed_at", AwareDateTime(), nullable=False),
    Column("evidence", json_type(), nullable=False),  # observation ids, in order
    Column("recorded_from", AwareDateTime(), nullable=False),
    Column("recorded_to", AwareDateTime()),
    _of_customer(),
    UniqueConstraint("id", "version"),
    one_of("kind", Kind, "kind"),
    one_of("source", Source, "source"),
    Index(
        "uq_facts_live_slot",
        "tenant",
        "customer",
        "key",
        "slot_ticket",
        unique=True,
        sqlite_where=text("recorded_to IS NULL AND valid_to IS NULL"),
        postgresql_where=text("recorded_to IS NULL AND valid_to IS NULL"),
    ),
    Index("ix_facts_slot", "tenant", "customer", "key", "slot_ticket", "recorded_to"),
    _partial("ix_facts_expires_at", "expires_at", "row", where="recorded_to IS NULL"),
    _partial("ix_facts_valid_to", "valid_to", "row", where="recorded_to IS NULL"),
    _partial("ix_facts_recorded_to", "recorded_to", where="recorded_to IS NOT NULL"),
)

# What live facts mean, as numbers, for recall by a query. A row lives as long as its fact is live: it can be made again
# at any time, so whatever ends a fact deletes it.
vectors = Table(
    "vectors",
    metadata,
    *_whose(),
    Column("fact", String(32), nullable=False),  # facts.id
    Column("model", String(200), nullable=False),  # the embedder that made it
    Column("digest", String(32), nullable=False),  # keyed hash of the text that was embedded: label and value
    Column("vector", LargeBinary, nullable=False),  # little-endian half floats, of length 1
    PrimaryKeyConstraint("tenant", "customer", "fact"),
    _of_customer(),
)

# How far a slot's history has been purged: what is observed at or before is too late. `ends` is how far ends went, and
# too late for every ticket's slot of the key.
slot_horizons = Table(
    "slot_horizons",
    metadata,
    *_whose(),
    Column("key", Text(64), nullable=False),
    Column("slot_ticket", Text(200), nullable=False, server_default=""),
    Column("horizon", AwareDateTime(), nullable=False),
    Column("ends", AwareDateTime()),
    PrimaryKeyConstraint("tenant", "customer", "key", "slot_ticket"),
    _of_customer(),
)

# How far memory was purged of customers of whom nothing else is left: keyed hashes and a moment.
past_horizons = Table(
    "past_horizons",
    metadata,
    Column("subject", String(32), primary_key=True),
    Column("tenant_subject", String(32), nullable=False),
    Column("horizon", AwareDateTime(), nullable=False),
    Index("ix_past_horizons_tenant_subject", "tenant_subject"),
)

# What a person must look at, and what they said. Resolved rows outlive a replay, so a question is not asked twice.
review_items = Table(
    "review_items",
    metadata,
    Column("observation", String(32), nullable=False),
    *_whose(),
    Column("key", Text(64), nullable=False),
    Column("slot_ticket", Text(200), nullable=False, server_default=""),
    Column("ticket", Text(200), nullable=False, server_default=""),
    Column("reason", String(32), nullable=False),
    Column("opened_at", AwareDateTime(), nullable=False),
    Column("standing", String(48), nullable=False, server_default=""),  # what held then: fact id and version
    Column("state", String(20), nullable=False),
    Column("resolved_at", AwareDateTime()),
    Column("resolved_by", Text(200)),
    PrimaryKeyConstraint("observation"),
    _of_customer(),
    one_of("state", ReviewState, "state"),
    Index("ix_review_items_slot", "tenant", "customer", "key", "slot_ticket"),
    Index("ix_review_items_open", "tenant", "state", "opened_at"),
)

# Tickets whose observations may never come back. A row outlives the ticket's customer, so once its observations are
# withdrawn it names the ticket by a keyed hash.
retractions = Table(
    "retractions",
    metadata,
    Column("tenant", Text(200), nullable=False),
    Column("ticket", Text(200), nullable=False),
    Column("hashed", Boolean, nullable=False, server_default=text("false")),
    Column("retracted_at", AwareDateTime(), nullable=False),
    Column("actor", Text(200), nullable=False),
    PrimaryKeyConstraint("tenant", "ticket"),
)

# The inbox: the truth about every accepted ticket. After a forget only tenant, event_hash and state stay.
events = Table(
    "events",
    metadata,
    Column("id", String(32), nullable=False),  # keyed hash of tenant and event_id: all that Redis ever carries
    Column("tenant", Text(200), nullable=False),
    Column("event_hash", String(32), nullable=False),  # keyed hash of tenant and event_id
    Column("event_id", Text(200)),
    Column("ticket", Text(200)),
    Column("customer", Text(200)),
    Column("subject", String(32)),  # keyed hash of tenant and customer: how a re-applied erasure finds the row
    Column("closed_at", AwareDateTime()),
    Column("received_at", AwareDateTime()),
    Column("payload", LargeBinary),  # AES-GCM
    Column("digest", String(32)),  # keyed hash of the content: the same id with other content is a conflict
    Column("state", String(12), nullable=False),
    Column("reason", String(32)),
    Column("lane", String(12), nullable=False),
    Column("fence", Integer, nullable=False, server_default="0"),
    Column("lease_until", AwareDateTime()),
    Column("next_attempt", AwareDateTime()),
    Column("next_publish", AwareDateTime()),  # None: not published; else when its message counts as lost
    Column("failing_since", AwareDateTime()),  # the first of the passing faults that it waits out
    Column("replay_job", String(32)),  # selected by that replay and not put back yet
    Column("attempts", Integer, nullable=False, server_default="0"),
    Column("crashes", Integer, nullable=False, server_default="0"),
    Column("claimed_at", AwareDateTime()),
    Column("finished_at", AwareDateTime()),
    Column("model", String(200)),
    Column("prompt_version", String(64)),
    Column("model_ms", Integer),
    Column("prompt_tokens", Integer),
    Column("reply_tokens", Integer),
    PrimaryKeyConstraint("id"),
    UniqueConstraint("tenant", "event_hash"),
    one_of("state", State, "state"),
    one_of("lane", Lane, "lane"),
    # Partial indexes: a backlog or a long past must slow down neither claim nor accept. Their queries name the state
    # as a literal, because neither database proves a partial index from a parameter.
    _partial("ix_events_due", "lane", "tenant", "next_attempt", where="state = 'pending'"),
    _partial(
        "ix_events_published",
        "lane",
        "tenant",
        "next_publish",
        where="state = 'pending' AND next_publish IS NOT NULL",
    ),
    _partial("ix_events_lease", "lease_until", where="state = 'processing'"),
    _partial("ix_events_erased", "id", where="state = 'erased'"),
    _partial("ix_events_replay_job", "replay_job", "id", where="replay_job IS NOT NULL"),
    _partial("ix_events_finished_at", "state", "finished_at", where="finished_at IS NOT NULL"),
    Index("ix_events_tenant_state", "tenant", "state", "received_at"),
    Index("ix_events_customer", "tenant", "customer", "state"),
    Index("ix_events_subject", "subject"),
    Index("ix_events_ticket", "tenant", "ticket"),
)

# What purged inbox rows add up to, so that accepted = pending + processing + done + dead + erased for ever.
event_totals = Table(
    "event_totals",
    metadata,
    Column("tenant", Text(200), nullable=False),
    Column("state", String(12), nullable=False),
    Column("purged", BigInteger, nullable=False),
    PrimaryKeyConstraint("tenant", "state"),
    one_of("state", State, "state"),
)

# Who did what, when, why and with which outcome: ids and codes, never a value.
audit = Table(
    "audit",
    metadata,
    Column("id", Auto, primary_key=True, autoincrement=True),
    Column("at", AwareDateTime(), nullable=False),
    Column("tenant", Text(200), nullable=False),
    Column("surrogate", String(32)),
    Column("actor", Text(200), nullable=False),
    Column("action", String(32), nullable=False),
    Column("outcome", String(32), nullable=False),
    Column("reason", String(32)),
    Column("event", String(32)),
    Column("observation", String(32)),
    Column("fact", String(32)),
    Column("key", Text(64)),  # a key of the catalogue; one that a model or a caller made up is not written here
    Column("job", String(32)),
    Column("note", Text(200)),  # the operator's --reason, after the gates
    Index("ix_audit_tenant_at", "tenant", "at"),
    Index("ix_audit_surrogate", "surrogate"),
    Index("ix_audit_event", "event"),
    Index("ix_audit_at", "at"),
)

# What a recall handed out: ids and scores, so that a reply can be explained later.
receipts = Table(
    "receipts",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("at", AwareDateTime(), nullable=False),
    Column("tenant", Text(200), nullable=False),
    Column("surrogate", String(32), nullable=False),
    Column("actor", Text(200), nullable=False),
    Column("facts", json_type(), nullable=False),  # [{"id": str, "version": int, "score": float}]
    Column("degraded", Boolean, nullable=False),
    Index("ix_receipts_surrogate", "surrogate"),
    Index("ix_receipts_at", "at"),
)

# The ledger's lines as far as this database has applied them. Keyed hashes only.
erasures = Table(
    "erasures",
    metadata,
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    Column("scope", String(12), nullable=False),
    Column("subject", String(32), nullable=False),
    Column("erased_at", AwareDateTime(), nullable=False),
    Column("observations", json_type(), nullable=False),  # of one forgotten fact, keyed ids
    Column("applied_at", AwareDateTime(), nullable=False),
    one_of("scope", ErasureScope, "scope"),
    Index("ix_erasures_subject", "subject", "erased_at"),
)

# Customers who have switched memory off, by keyed hash.
opt_outs = Table(
    "opt_outs",
    metadata,
    Column("subject", String(32), primary_key=True),
    Column("since", AwareDateTime(), nullable=False),
)

# One row: which ledger this database follows, and the last line it has applied without a gap.
ledger_mark = Table(
    "ledger_mark",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("ledger", String(32), nullable=False),
    Column("applied", BigInteger, nullable=False),
)

# What keeps the house running, and when it last did: beat, sweep, purge, workers.
heartbeats = Table(
    "heartbeats",
    metadata,
    Column("name", String(64), primary_key=True),
    Column("at", AwareDateTime(), nullable=False),
    Column("detail", json_type(), nullable=False),
)

# Tenants whose events wait because an operator said so; '' is everyone.
pauses = Table(
    "pauses",
    metadata,
    Column("tenant", Text(200), primary_key=True),
    Column("since", AwareDateTime(), nullable=False),
    Column("actor", Text(200), nullable=False),
)

# Who may come through the door. A token's secret is kept as a hash; a signing secret is derived from the master key and
# the row's id, and is kept nowhere.
access_tokens = Table(
    "access_tokens",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("tenant", Text(200), nullable=False),
    Column("kind", String(12), nullable=False),
    Column("role", String(12), nullable=False),
    Column("scopes", json_type(), nullable=False),  # [str]
    Column("hash", String(64)),  # SHA-256 of the secret, hexadecimal; none for a signing secret
    Column("name", Text(200), nullable=False),  # what it is for, in the operator's words
    Column("created_at", AwareDateTime(), nullable=False),
    Column("created_by", Text(200), nullable=False),
    Column("expires_at", AwareDateTime()),
    Column("revoked_at", AwareDateTime()),
    Column("revoked_by", Text(200)),
    one_of("kind", TokenKind, "kind"),
    one_of("role", Role, "role"),
    Index("ix_access_tokens_tenant", "tenant", "kind"),
)

# Closed tickets whose words are still to be fetched from the helpdesk: a promise given to its webhook. The row goes
# once the ticket is in the inbox; what cannot be fetched stays as dead. No customer and no text.
fetches = Table(
    "fetches",
    metadata,
    Column("id", String(32), primary_key=True),  # keyed hash of tenant, vendor and event
    Column("tenant", Text(200), nullable=False),
    Column("vendor", String(20), nullable=False),
    Column("ticket", Text(200), nullable=False),
    Column("event_id", Text(200), nullable=False),
    Column("closed_at", AwareDateTime(), nullable=False),
    Column("received_at", AwareDateTime(), nullable=False),
    Column("state", String(12), nullable=False),
    Column("reason", String(32)),
    Column("attempts", Integer, nullable=False, server_default="0"),
    Column("fence", Integer, nullable=False, server_default="0"),
    Column("next_attempt", AwareDateTime(), nullable=False),  # also the end of the lease while one is at it
    one_of("state", FetchState, "state"),
    Index("ix_fetches_due", "state", "next_attempt"),
)
