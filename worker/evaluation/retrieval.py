"""Retrieval alone: given a memory without fault, does a query find its fact? Recall@k, mean reciprocal rank, and what
outdated or forbidden facts come along.

Two sets: pairs of query and fact, all facts of a set held by one customer; and the visits of returning customers, whose
memory is what the annotations say.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from pipeline.annotation import RetrievalPair, ReturningCustomer
from pipeline.facts import Candidate, Source
from pipeline.ids import CustomerRef
from pipeline.observe import Origin, observation_from
from store.scope import customer_writing
from store.write import apply
from worker import house
from worker.evaluation.returning import outdated
from worker.evaluation.runner import K
from worker.evaluation.sandbox import TENANT
from worker.evaluation.tickets import Case
from worker.recalling import RankedBy, recall
from worker.runtime import Runtime

AT = (1, 3, 5)
_PAIRS_AT = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, kw_only=True)
class Query:
    """One query: the ranks, from 1, of the facts that answer it (None: not found among K), and what else came along."""

    set: str
    name: str
    ranks: tuple[int | None, ...]
    outdated: int = 0
    ranked_by: RankedBy = RankedBy.WORDS


def of_pairs(runtime: Runtime, pairs: Sequence[RetrievalPair]) -> list[Query]:
    """All facts of a set belong to one customer, so each competes with all others."""
    found = []
    for name in dict.fromkeys(pair.set for pair in pairs):
        mine = [pair for pair in pairs if pair.set == name]
        ref = CustomerRef(tenant=TENANT, customer=f"pairs {name}".strip())
        keys = _held(runtime, ref, [(pair.key_label or pair.id, pair.fact) for pair in mine])
        found += [_asked(runtime, ref, name or "pairs", pair, key) for pair, key in zip(mine, keys, strict=True)]
    return found


def _asked(runtime: Runtime, ref: CustomerRef, name: str, pair: RetrievalPair, key: str) -> Query:
    told = recall(runtime, ref, query=pair.query, k=K, budget=4_000, now=_PAIRS_AT, actor="evaluation")
    ranks = [n for n, one in enumerate(told.facts, 1) if one.fact.slot.key == key]
    return Query(set=name, name=pair.id, ranks=(ranks[0] if ranks else None,), ranked_by=told.ranked_by)


def _held(runtime: Runtime, ref: CustomerRef, facts: Sequence[tuple[str, str]]) -> list[str]:
    """Stores each fact under the key its label folds to, or under the label itself with a number where that is taken or
    not ours to write: past the gates, since it is retrieval that is measured."""
    keys: list[str] = []
    for n, (label, _) in enumerate(facts):
        row = runtime.catalogue.find(label)
        ours = row is None or not (row.system_owned or row.needs_confirmation)
        key = row.key if row is not None else label
        keys.append(key if ours and key not in keys else f"{label} {n}")
    origin = Origin(source=Source.EXTRACTED, observed_at=_PAIRS_AT, has_transcript=True, actor="evaluation")
    _stored(runtime, ref, [_pair_candidate(key, value) for key, (_, value) in zip(keys, facts, strict=True)], origin)
    return keys


def _pair_candidate(key: str, value: str) -> Candidate:
    return Candidate(kind="preference", key=key, value=value)


def _stored(runtime: Runtime, ref: CustomerRef, candidates: Sequence[Candidate], origin: Origin) -> None:
    facts = [
        observation_from(c, ref=ref, origin=origin, catalogue=runtime.catalogue, ids_key=runtime.keys.ids)
        for c in candidates
    ]
    with customer_writing(runtime.engine, runtime.keys, ref, now=origin.observed_at.astimezone(UTC)) as tx:
        apply(tx, facts, rules=house.rules(runtime, TENANT))


# --- returning customers, with the annotations as their memory --------------------------------------------------------


def of_visits(runtime: Runtime, cases: Sequence[Case]) -> list[Query]:
    return [query for case in cases if case.returning for query in _of_case(runtime, case, case.returning)]


def _of_case(runtime: Runtime, case: Case, customer: ReturningCustomer) -> Iterator[Query]:
    ref = CustomerRef(tenant=TENANT, customer=f"{case.customer} as annotated")
    for index, ticket in enumerate(case.tickets):
        for visit in customer.visits:
            if visit.ticket == index and visit.query:
                told = recall(
                    runtime, ref, query=visit.query, k=K, budget=4_000, now=ticket.opened_at, actor="evaluation"
                )
                ranked = [one.fact for one in told.facts]
                values = {fact.value: n for n, fact in reversed(list(enumerate(ranked, 1)))}
                yield Query(
                    set=f"visits {customer.lang}",
                    name=ticket.dialogue_id,
                    ranks=tuple(values.get(customer.needed(need).value) for need in visit.needs),
                    outdated=len(list(outdated(visit.stale, ranked, runtime.catalogue))),
                    ranked_by=told.ranked_by,
                )
        _taught(runtime, ref, case, index)


def _taught(runtime: Runtime, ref: CustomerRef, case: Case, index: int) -> None:
    """What the ticket's annotation says, with what it ends."""
    ticket = case.tickets[index]
    origin = Origin(
        source=Source.EXTRACTED,
        observed_at=ticket.closed_at,
        ticket=ticket.dialogue_id,
        has_transcript=True,
        actor="evaluation",
        zone=ticket.closed_at.tzinfo or UTC,
    )
    fold = runtime.catalogue.fold
    said = [Candidate(kind=f.kind, key=fold(f.key), value=f.value, until=f.valid_until) for f in ticket.facts]
    said += [Candidate(kind="situation", key=fold(key), value="-", ended=True) for key in ticket.must_delete]
    if said:
        _stored(runtime, ref, said, origin)


# --- figures ----------------------------------------------------------------------------------------------------------


def summary(queries: Sequence[Query]) -> dict[str, Any]:
    """By set and over all: recall@k (of all that answers, how much is among the first k), MRR (of the first answer)."""
    sets = {name: [query for query in queries if query.set == name] for name in dict.fromkeys(q.set for q in queries)}
    return {
        "all": _figures(queries),
        "by_set": {name: _figures(of) for name, of in sets.items()},
        "ranked_by": sorted({query.ranked_by.value for query in queries}),
    }


def _figures(queries: Sequence[Query]) -> dict[str, Any]:
    wanted = [rank for query in queries for rank in query.ranks]
    firsts = [min((rank for rank in query.ranks if rank), default=None) for query in queries if query.ranks]
    return {
        "queries": len(queries),
        "facts": len(wanted),
        **{f"recall@{k}": _share([rank is not None and rank <= k for rank in wanted]) for k in (*AT, K)},
        "mrr": round(sum(1 / rank if rank else 0.0 for rank in firsts) / len(firsts), 4) if firsts else None,
        "outdated_or_forbidden": sum(query.outdated for query in queries),
    }


def _share(hits: Sequence[bool]) -> float | None:
    return round(sum(hits) / len(hits), 4) if hits else None
