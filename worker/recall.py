"""Recall for every door: command line, Python, and what comes later. Memory is an aid, never a dependency."""

import logging
from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from pipeline.block import DEFAULT_BUDGET, Block, context_block
from pipeline.catalogue import Catalogue
from pipeline.facts import Source
from pipeline.ids import CustomerRef
from pipeline.kinds import Kind
from pipeline.ranking import Scored, ranked
from store import receipts
from store.faults import StoreError
from store.history import plain
from store.recall import DEFAULT_K, pending_tickets, recallable, relevances_by_words
from store.rows import StoredFact
from store.scope import customer_reading
from worker.runtime import Runtime

log = logging.getLogger("worker.recall")


@dataclass(frozen=True, kw_only=True)
class Recalled:
    """What was handed out. `facts` are best first; `block` is for the agent's prompt; `receipt` explains it later."""

    facts: tuple[Scored[StoredFact], ...] = field(repr=False)
    block: str = field(repr=False)
    left_out: int
    pending: int
    degraded: bool
    receipt: str | None

    def document(self) -> dict[str, Any]:
        """As JSON: {"facts": [{"key", "value", "score", "parts", …}], "block", "left_out", "pending", …}."""
        return {
            "facts": [_scored(one) for one in self.facts],
            "block": self.block,
            "left_out": self.left_out,
            "pending": self.pending,
            "degraded": self.degraded,
            "receipt": self.receipt,
        }


def _scored(one: Scored[StoredFact]) -> dict[str, Any]:
    score = one.score
    parts = {"importance": score.importance, "recency": score.recency, "trust": score.trust}
    return {**plain(one.fact), "score": score.total, "parts": {**parts, "relevance": score.relevance}}


def recall(
    runtime: Runtime,
    ref: CustomerRef,
    *,
    query: str | None = None,
    k: int = DEFAULT_K,
    budget: int = DEFAULT_BUDGET,
    now: datetime | None = None,
    known_at: datetime | None = None,
    kinds: Collection[Kind] | None = None,
    min_source: Source | None = None,
    language: str = "en",
    actor: str = "",
) -> Recalled:
    """The right few facts of this customer. A store that is down gives an empty block that says so, not an error."""
    moment = now or datetime.now(UTC)
    try:
        with customer_reading(runtime.engine, ref) as view:
            facts = recallable(view, now=moment, known_at=known_at, kinds=kinds, min_source=min_source)
            pending, surrogate = pending_tickets(view), view.surrogate
    except StoreError as error:
        log.warning("recall is degraded", extra={"error": type(error).__name__})
        return degraded(language)
    relevances = relevances_by_words(facts, query, runtime.catalogue) if query and query.strip() else None
    best = ranked(facts, now=moment, relevances=relevances)[:k]
    block: Block[StoredFact] = context_block(
        [one.fact for one in best], catalogue=runtime.catalogue, language=language, budget=budget, pending=pending
    )
    told = {fact.id for fact in block.facts}
    handed_out = tuple(one for one in best if one.fact.id in told)
    receipt = receipts.write(
        runtime.engine,
        tenant=ref.tenant,
        surrogate=surrogate,
        actor=actor,
        handed_out=handed_out,
        now=datetime.now(UTC),
    )
    return Recalled(
        facts=handed_out,
        block=block.text,
        left_out=len(facts) - len(handed_out),
        pending=pending,
        degraded=False,
        receipt=receipt,
    )


def degraded(language: str = "en") -> Recalled:
    """What is handed out where memory cannot be reached: nothing, and a block that says what its silence means."""
    block: Block[StoredFact] = context_block([], catalogue=Catalogue(()), language=language, degraded=True)
    return Recalled(facts=(), block=block.text, left_out=0, pending=0, degraded=True, receipt=None)
