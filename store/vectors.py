"""Vectors of live facts: what a text means, as numbers. Made outside of any transaction, and always replaceable.

A customer has dozens of facts, so theirs are read whole and compared one by one; there is no vector index.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from sqlalchemy import Engine

from pipeline.ids import keyed_id
from store.heartbeat import last_runs, record
from store.history import live
from store.keys import Keys
from store.models import vectors
from store.scope import CustomerTx, CustomerView

PROGRESS = "embed"
"""The heartbeat that says how far the re-embedding has come."""


@dataclass(frozen=True, kw_only=True)
class Vector:
    """`raw` is little-endian half floats. `digest` tells whether the text that it was made of is still the fact's."""

    model: str
    digest: str
    raw: bytes = field(repr=False)


def digest(keys: Keys, text: str) -> str:
    """A keyed hash of an embedded text: it tells that the text has changed, and not what it says."""
    return keyed_id(keys.ids, "embedded", text)


def vectors_of(view: CustomerView, *, model: str) -> dict[str, Vector]:
    """The customer's vectors by this model, by fact id."""
    c = vectors.c
    rows = view.select(vectors, c.model == model, columns=[c.fact, c.model, c.digest, c.vector])
    return {row.fact: Vector(model=row.model, digest=row.digest, raw=row.vector) for row in rows}


def save(tx: CustomerTx, made: Mapping[str, Vector]) -> int:
    """Stores vectors by fact id, in place of older ones, for those facts that are still live. Returns how many.

    What ended or was forgotten while it was being embedded leaves nothing behind.
    """
    standing = {fact.id for fact in live(tx, at=tx.now)} & set(made)
    if not standing:
        return 0
    tx.delete(vectors, vectors.c.fact.in_(standing))
    rows = [
        {"fact": name, "model": made[name].model, "digest": made[name].digest, "vector": made[name].raw}
        for name in sorted(standing)
    ]
    tx.insert(vectors, rows)
    return len(rows)


# --- how far the embedding of everything has come -------------------------------------------------------------------


def progress(engine: Engine, *, model: str) -> int:
    """The facts' row up to which everything has a vector by this model; 0 where another model's was the last."""
    last = last_runs(engine).get(PROGRESS)
    return int(last.detail["row"]) if last and last.detail.get("model") == model else 0


def note_progress(engine: Engine, *, model: str, row: int) -> None:
    """Notes how far it has come, and with which model."""
    record(engine, PROGRESS, {"model": model, "row": row})
