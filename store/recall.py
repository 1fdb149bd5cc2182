"""What an agent is told: the live facts of one customer, best first, each with its score in parts."""

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime

from sqlalchemy import func

from pipeline.catalogue import Catalogue
from pipeline.facts import Fact, Source
from pipeline.kinds import Kind
from pipeline.ranking import Scored, ranked
from pipeline.relevance import relevance
from store.history import live
from store.models import events
from store.rows import StoredFact
from store.scope import CustomerView, owned
from store.states import State

DEFAULT_K = 12
_WAITING = owned(events, events.c.state.in_([State.PENDING, State.PROCESSING]), columns=[func.count()])


def recallable(
    tx: CustomerView,
    *,
    now: datetime,
    known_at: datetime | None = None,
    kinds: Collection[Kind] | None = None,
    min_source: Source | None = None,
) -> list[StoredFact]:
    """What a recall chooses from: facts live and unexpired at `now`, of these kinds, from this source or a stronger.

    For a caller who embeds: read these, leave the transaction, embed, and rank with `pipeline.ranking.ranked`.
    """
    found = live(tx, at=now, known_at=known_at)
    return [fact for fact in found if wanted(fact, kinds=kinds, min_source=min_source)]


def wanted(fact: Fact, *, kinds: Collection[Kind] | None, min_source: Source | None) -> bool:
    """Whether it is of these kinds (None: of any) and from this source or a stronger one."""
    floor = min_source.rank if min_source else 0
    return (kinds is None or fact.kind in kinds) and fact.source.rank >= floor


def recall(
    tx: CustomerView,
    *,
    now: datetime,
    relevances: Mapping[str, float] | None = None,
    k: int = DEFAULT_K,
    known_at: datetime | None = None,
    kinds: Collection[Kind] | None = None,
    min_source: Source | None = None,
) -> list[Scored[StoredFact]]:
    """The best `k` facts, best first. `relevances` (fact id to 0..1) is what the query gives, None without a query."""
    facts = recallable(tx, now=now, known_at=known_at, kinds=kinds, min_source=min_source)
    return ranked(facts, now=now, relevances=relevances)[:k]


def relevances_by_words(facts: Iterable[StoredFact], query: str, catalogue: Catalogue) -> dict[str, float]:
    """How well each fact answers a query, by letters: by fact id, 0 to 1. Offline, and the fallback of embeddings."""
    return {fact.id: relevance(query, searchable(fact, catalogue)) for fact in facts}


def searchable(fact: StoredFact, catalogue: Catalogue) -> str:
    """'label: value' of a fact, with the key's names in both languages, so that either finds it."""
    row = catalogue.find(fact.slot.key)
    names = f"{row.zh} {row.en} {' '.join(row.aliases)}" if row else fact.slot.key
    return f"{names}: {fact.value}"


def pending_tickets(tx: CustomerView) -> int:
    """Closed tickets of this customer that were accepted and not read yet."""
    return int(tx.asked(_WAITING)[0][0])
