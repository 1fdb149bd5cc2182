"""Everything that is held on one customer, as one document."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Engine, Row, Table, select

from pipeline.ids import CustomerRef
from store.erased import opted_out
from store.keys import Keys
from store.models import audit, customers, events, facts, observations, receipts, review_items, slot_horizons, vectors
from store.payload import Undecryptable, opened
from store.scope import CustomerView, customer_reading

SCHEMA = "afterword-export/1"
_SECRET = ("payload", "digest", "event_hash", "subject", "tenant_subject", "row", "vector")
"""Bytes and hashes of ours: they say nothing to the customer. The payload is given in the clear beside its event."""


def export(engine: Engine, keys: Keys, ref: CustomerRef) -> dict[str, Any]:
    """One JSON-ready document: times are ISO 8601 in UTC. An unknown customer has empty lists."""
    with customer_reading(engine, ref) as view:
        return {
            "schema": SCHEMA,
            "tenant": ref.tenant,
            "customer": ref.customer,
            "memory_switched_off": opted_out(view.connection, keys, ref),
            "known_since": next((_plain(row.created_at) for row in view.select(customers)), None),
            "facts": _rows(view, facts, "valid_from", "id", "version"),
            "observations": _rows(view, observations, "observed_at", "id"),
            "review_items": _rows(view, review_items, "opened_at", "observation"),
            "vectors": _rows(view, vectors, "fact"),
            "purged_until": _rows(view, slot_horizons, "key", "slot_ticket"),
            "events": _events(view, keys),
            "audit": _by_surrogate(view, audit),
            "receipts": _by_surrogate(view, receipts),
        }


def _rows(view: CustomerView, table: Table, *order: str) -> list[dict[str, Any]]:
    return [_document(row) for row in view.select(table, order_by=[table.c[name] for name in order])]


def _events(view: CustomerView, keys: Keys) -> list[dict[str, Any]]:
    rows = view.select(events, order_by=[events.c.closed_at, events.c.id])
    return [{**_document(row), "ticket_closed": _ticket(keys, row)} for row in rows]


def _ticket(keys: Keys, row: Row[Any]) -> Any:
    """The ticket as it came, while its payload is kept; what no longer decrypts is said to be so."""
    if row.payload is None:
        return None
    try:
        event = opened(keys, row.payload, row_id=row.id, tenant=row.tenant)
    except Undecryptable:
        return {"unreadable": "the payload does not decrypt with this key"}
    return event.model_dump(mode="json", exclude_none=True)


def _by_surrogate(view: CustomerView, table: Table) -> list[dict[str, Any]]:
    """Lines that name the customer by surrogate alone: audit and receipts."""
    if not view.surrogate:
        return []
    mine = (table.c.tenant == view.ref.tenant, table.c.surrogate == view.surrogate)
    rows: Sequence[Row[Any]] = view.connection.execute(
        select(table).where(*mine).order_by(table.c.at, table.c.id)
    ).all()
    return [_document(row) for row in rows]


def _document(row: Row[Any]) -> dict[str, Any]:
    """A row without what is the same all over the document, and without what is ours."""
    left_out = ("tenant", "customer", "surrogate", *_SECRET)
    return {name: _plain(value) for name, value in row._mapping.items() if name not in left_out}


def _plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime) else value
