"""Recall for every door: command line, Python, HTTP, MCP. Memory is an aid, never a dependency.

Read `recall` first: begin to embed the query, read one snapshot, score, build the block, leave a receipt.
"""

import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from pipeline.block import DEFAULT_BUDGET, Block, context_block
from pipeline.catalogue import Catalogue
from pipeline.facts import Source
from pipeline.ids import CustomerRef
from pipeline.kinds import Kind
from pipeline.ranking import Scored, ranked
from pipeline.reasons import Reason
from pipeline.relevance import MAX_QUERY, presentable
from store import receipts
from store.erased import opted_out
from store.faults import StoreError
from store.history import changed, history, live, plain
from store.keys import Keys
from store.recall import DEFAULT_K, pending_tickets, relevances_by_words, wanted
from store.rows import StoredFact
from store.scope import CustomerView, customer_reading
from store.vectors import Vector, vectors_of
from worker.embed.deadline import Begun, TooSlow
from worker.embed.embedders import EmbedderMissing
from worker.explain import Explained, explained
from worker.runtime import CannotStart, Runtime

if TYPE_CHECKING:
    from worker.embed.embedders import Vectors

log = logging.getLogger("worker.recalling")


class Flag(StrEnum):
    """What a caller should know about how the answer came about."""

    STORE_DOWN = "store_down"
    """Nothing was looked up, so silence means nothing."""
    EMBEDDER_MISSING = "embedder_missing"
    EMBEDDER_SLOW = "embedder_slow"
    EMBEDDER_FAILED = "embedder_failed"
    """The query was answered by words, because the embedder is not installed, too slow, or raised."""
    QUERY_EMPTY = "query_empty"
    """The query held nothing to ask for: ranked as if there were none."""
    QUERY_CUT = "query_cut"
    """The query was too long: what stands first was asked for."""
    UNKNOWN_CUSTOMER = "unknown_customer"
    """Nothing is held on anybody of this id."""
    OPTED_OUT = "opted_out"
    """The customer has switched memory off: nothing is kept, and nothing will be."""
    WITHHELD = "withheld"
    """Something that is stored would not pass today's gates, so it was not told: `afterword rescan` clears it away."""
    BUDGET_TOO_SMALL = "budget_too_small"
    """Not one fact fits into the block."""
    NO_RECEIPT = "no_receipt"
    """The receipt could not be written, so this answer cannot be explained later."""


class RankedBy(StrEnum):
    WEIGHT = "weight"
    """Importance, recency and trust: there was no query."""
    MEANING = "meaning"
    WORDS = "words"


@dataclass(frozen=True, kw_only=True)
class Changes:
    """What differs from `since`: ids of facts that are new or changed, and of those that held then and do no more."""

    since: datetime
    fresh: frozenset[str]
    gone: frozenset[str]

    def document(self) -> dict[str, Any]:
        return {"since": self.since.isoformat(), "fresh": sorted(self.fresh), "gone": sorted(self.gone)}


@dataclass(frozen=True, kw_only=True)
class Recalled:
    """What was handed out. `facts` are best first; `block` is for the agent's prompt; `receipt` explains it later.

    `degraded`: the database did not answer. `flags` say what else a caller should know.
    """

    facts: tuple[Scored[StoredFact], ...] = field(repr=False)
    block: str = field(repr=False)
    left_out: int
    pending: int
    degraded: bool
    receipt: str | None
    ranked_by: RankedBy = RankedBy.WEIGHT
    flags: tuple[Flag, ...] = ()
    changes: Changes | None = None
    explained: tuple[Explained, ...] | None = field(default=None, repr=False)
    withheld: Mapping[str, Reason] = field(default_factory=dict)
    """By fact id, why a gate would not let it be told."""

    def document(self) -> dict[str, Any]:
        """As JSON: {"facts": [{"key", "value", "score", "parts", …}], "block", "left_out", "pending", "flags", …}."""
        return {
            "facts": [_scored(one) for one in self.facts],
            "block": self.block,
            "left_out": self.left_out,
            "pending": self.pending,
            "degraded": self.degraded,
            "receipt": self.receipt,
            "ranked_by": self.ranked_by.value,
            "flags": [flag.value for flag in self.flags],
            **({"changes": self.changes.document()} if self.changes else {}),
            **({"explained": [one.document() for one in self.explained]} if self.explained is not None else {}),
        }


def _scored(one: Scored[StoredFact]) -> dict[str, Any]:
    return {**plain(one.fact), "score": one.score.total, "parts": one.score.parts}


@dataclass(frozen=True, kw_only=True)
class _Asked:
    """A query on its way: `text` is '' for none, `vector` is being made, `flags` say what went wrong so far."""

    text: str = field(repr=False)
    vector: "Begun[Vectors] | None" = None
    flags: tuple[Flag, ...] = ()


@dataclass(frozen=True, kw_only=True)
class _Read:
    """One snapshot of the customer."""

    live: list[StoredFact] = field(repr=False)
    vectors: dict[str, Vector] = field(repr=False)
    pending: int
    surrogate: str
    opted_out: bool
    changes: Changes | None
    past: list[StoredFact] = field(repr=False)


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
    changed_since: datetime | None = None,
    language: str = "en",
    actor: str = "",
    explain: bool = False,
    patience: float | None = None,
) -> Recalled:
    """The right few facts of this customer, and why. A store that is down gives an empty block that says so, not an
    error; an embedder that is missing, slow or raises leaves the query to be answered by words.

    `k` facts at most, in a block of at most `budget` estimated tokens. `now` and `known_at` are the two clocks.
    `patience` is how many seconds the embedder may take, by default AFTERWORD_EMBED_TIMEOUT.
    """
    moment = now or datetime.now(UTC)
    asked = _asked(runtime, query, patience)
    try:
        with customer_reading(runtime.engine, ref) as view:
            read = _read(
                view,
                keys=runtime.keys,
                model=_model(runtime, asked),
                now=moment,
                known_at=known_at,
                since=changed_since,
                explain=explain,
            )
    except StoreError as error:
        log.warning("recall is degraded", extra={"error": type(error).__name__})
        return degraded(language)
    facts = [fact for fact in read.live if wanted(fact, kinds=kinds, min_source=min_source)]
    relevances, ranked_by, flags = _relevances(runtime, asked, facts, read.vectors)
    scored = ranked(facts, now=moment, relevances=relevances)
    passed, withheld = _passed(runtime, ref, scored, k)
    block: Block[StoredFact] = context_block(
        [one.fact for one in passed],
        catalogue=runtime.catalogue,
        language=language,
        budget=budget,
        pending=read.pending,
        narrowed=len(facts) < len(read.live),
        withheld=bool(withheld),
    )
    told = {fact.id for fact in block.facts}
    handed_out = tuple(one for one in scored if one.fact.id in told)
    receipt = _receipt(runtime, ref, read.surrogate, actor, handed_out, by_words=ranked_by is RankedBy.WORDS)
    unknown = not read.surrogate and not read.pending and not read.opted_out
    return Recalled(
        facts=handed_out,
        block=block.text,
        left_out=len(facts) - len(handed_out) - len(withheld),
        pending=read.pending,
        degraded=False,
        receipt=receipt,
        ranked_by=ranked_by,
        flags=(
            *asked.flags,
            *flags,
            *[Flag.OPTED_OUT] * read.opted_out,
            *[Flag.UNKNOWN_CUSTOMER] * unknown,
            *[Flag.WITHHELD] * bool(withheld),
            *[Flag.BUDGET_TOO_SMALL] * (block.left_out > 0 and not told),
            *[Flag.NO_RECEIPT] * (receipt is None),
        ),
        changes=read.changes,
        explained=explained(scored, read.past, told, k=k, now=moment, kinds=kinds, refusal=runtime.read_gate.refusal)
        if explain
        else None,
        withheld=withheld,
    )


def recall_once_open(
    opening: Callable[[], Runtime], ref: CustomerRef, *, language: str = "en", **asked: Any
) -> Recalled:
    """`recall` with the runtime that `opening` gives. Where that raises CannotStart the answer is degraded, as it is
    where the store goes down later."""
    try:
        runtime = opening()
    except CannotStart as error:
        log.warning("recall is degraded", extra={"error": type(error).__name__})
        return degraded(language)
    return recall(runtime, ref, language=language, **asked)


def degraded(language: str = "en") -> Recalled:
    """What is handed out where memory cannot be reached: nothing, and a block that says what its silence means."""
    block: Block[StoredFact] = context_block([], catalogue=Catalogue(()), language=language, degraded=True)
    return Recalled(
        facts=(), block=block.text, left_out=0, pending=0, degraded=True, receipt=None, flags=(Flag.STORE_DOWN,)
    )


# --- the steps --------------------------------------------------------------------------------------------------------


def _asked(runtime: Runtime, query: str | None, patience: float | None) -> _Asked:
    """The query in a form that can be asked, its vector begun."""
    text = presentable(query or "")
    if not text:
        return _Asked(text="", flags=(Flag.QUERY_EMPTY,) if query is not None else ())
    cut = (Flag.QUERY_CUT,) if len(" ".join((query or "").split())) > MAX_QUERY else ()
    if runtime.meaning is None:
        return _Asked(text=text, flags=cut)
    try:
        return _Asked(text=text, vector=runtime.meaning.asked(text, patience=patience), flags=cut)
    except TooSlow:
        return _Asked(text=text, flags=(*cut, Flag.EMBEDDER_SLOW))


def _model(runtime: Runtime, asked: _Asked) -> str:
    """Whose vectors are wanted; '' for nobody's."""
    return runtime.meaning.model if asked.vector and runtime.meaning else ""


def _passed(
    runtime: Runtime, ref: CustomerRef, scored: Sequence[Scored[StoredFact]], k: int
) -> tuple[list[Scored[StoredFact]], dict[str, Reason]]:
    """The best `k` that today's gates let through, and what they do not."""
    passed, withheld = runtime.read_gate.first(scored, k)
    if withheld:
        codes = ",".join(sorted(set(withheld.values())))
        log.warning(
            "a recall withheld what today's gates refuse: afterword rescan",
            extra={"tenant": ref.tenant, "count": len(withheld), "reason": codes},
        )
    return passed, withheld


def _read(
    view: CustomerView,
    *,
    keys: Keys,
    model: str,
    now: datetime,
    known_at: datetime | None,
    since: datetime | None,
    explain: bool,
) -> _Read:
    fresh, gone = changed(view, since=since) if since else (set(), set())
    found = live(view, at=now, known_at=known_at)
    return _Read(
        live=found,
        vectors=vectors_of(view, model=model) if model else {},
        pending=pending_tickets(view),
        surrogate=view.surrogate,
        opted_out=not found and opted_out(view.connection, keys, view.ref),  # nothing is kept of who has opted out
        changes=Changes(since=since, fresh=frozenset(fresh), gone=frozenset(gone)) if since else None,
        past=history(view, known_at=known_at) if explain else [],
    )


def _relevances(
    runtime: Runtime, asked: _Asked, facts: Sequence[StoredFact], stored: dict[str, Vector]
) -> tuple[dict[str, float] | None, RankedBy, tuple[Flag, ...]]:
    """By meaning; by words where that cannot be had. All facts the same way: the two are on different scales."""
    if not asked.text:
        return None, RankedBy.WEIGHT, ()
    flags: tuple[Flag, ...] = ()
    if asked.vector is not None and runtime.meaning is not None:
        try:
            return runtime.meaning.relevances(asked.text, facts, stored, asked.vector), RankedBy.MEANING, ()
        except TooSlow:
            flags = (Flag.EMBEDDER_SLOW,)
        except EmbedderMissing:
            flags = (Flag.EMBEDDER_MISSING,)
        except Exception as error:  # whatever an embedder raises: its own words may hold the text
            log.warning("recall goes by words", extra={"error": type(error).__name__})
            flags = (Flag.EMBEDDER_FAILED,)
    return relevances_by_words(facts, asked.text, runtime.catalogue), RankedBy.WORDS, flags


def _receipt(
    runtime: Runtime,
    ref: CustomerRef,
    surrogate: str,
    actor: str,
    handed_out: Sequence[Scored[StoredFact]],
    *,
    by_words: bool,
) -> str | None:
    return receipts.write(
        runtime.engine,
        tenant=ref.tenant,
        surrogate=surrogate,
        actor=actor,
        handed_out=handed_out,
        now=datetime.now(UTC),
        degraded=by_words and runtime.meaning is not None,
    )
