"""Every live fact gets a vector of the current model: right after a write where the model is loaded anyhow, and by a
task that goes through all facts, remembers how far it came, and begins anew when the model changes."""

import logging
import time
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from pipeline.ids import CustomerRef
from store.engine import database_now, reading
from store.history import live
from store.scope import customer_reading, customer_writing, facts_after
from store.vectors import note_progress, progress, save, vectors_of
from worker.embed.embedders import EmbedderFailed, EmbedderMissing
from worker.embed.meaning import Meaning

if TYPE_CHECKING:
    from worker.runtime import Runtime

log = logging.getLogger("worker.embed")
STRETCH = 500
SECONDS = 20.0
"""How long one run of the task goes on; the next one goes on from there."""
SETTLED = timedelta(minutes=5)
"""No transaction is open longer than that, so none can still commit a row among older ones."""


def after_write(runtime: "Runtime", ref: CustomerRef) -> None:
    """Embeds what was just written. Never raises: what is left out the task finds.

    Where the model is not loaded it does nothing, so that a process that only writes need not load it.
    """
    meaning = runtime.meaning
    if meaning is None or not meaning.embedder.ready:
        return
    try:
        embed_customer(runtime, meaning, ref)
    except Exception as error:
        log.warning("not embedded yet", extra={"error": type(error).__name__})


def embed_customer(runtime: "Runtime", meaning: Meaning, ref: CustomerRef) -> int:
    """Gives the customer's live facts the vectors that they lack. Returns how many. The model is asked outside of any
    transaction; a fact that ended meanwhile gets none. Raises EmbedderMissing, EmbedderFailed and StoreError."""
    now = datetime.now(UTC)
    with customer_reading(runtime.engine, ref) as view:
        facts, stored = live(view, at=now), vectors_of(view, model=meaning.model)
    usable = meaning.usable(facts, stored)
    made = meaning.made([fact for fact in facts if fact.id not in usable])
    if not made:
        return 0
    with customer_writing(runtime.engine, runtime.keys, ref) as tx:
        return save(tx, made)


def embed_all(runtime: "Runtime", *, seconds: float = SECONDS) -> int:
    """Goes on through all live facts where the last run stopped. Returns how many it embedded. Raises StoreError."""
    meaning = runtime.meaning
    if meaning is None:
        return 0
    try:
        return _embed_from(runtime, meaning, progress(runtime.engine, model=meaning.model), time.monotonic() + seconds)
    except (EmbedderMissing, EmbedderFailed) as error:
        log.warning("recall goes by words", extra={"error": type(error).__name__})
        return 0


def _embed_from(runtime: "Runtime", meaning: Meaning, row: int, until: float) -> int:
    made = 0
    while time.monotonic() < until:
        with reading(runtime.engine) as connection:
            settled_at = database_now(connection) - SETTLED
            found = facts_after(connection, row, model=meaning.model, settled_at=settled_at, limit=STRETCH)
        made += sum(embed_customer(runtime, meaning, ref) for ref in found.without)
        if found.settled is not None:
            note_progress(runtime.engine, model=meaning.model, row=found.settled)
        if found.row is None:
            break
        row = found.row
    return made
