"""`remember`: what a business system or a person states, through the same gates and the same door as any ticket."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import groupby, islice

from sqlalchemy import Engine

from pipeline.facts import Decision, Observation
from pipeline.observe import Origin, observation_from
from pipeline.statement import BadStatement, Statement
from pipeline.terms import Terms
from store.keys import Keys
from store.scope import CustomerTx, batch_writing
from store.write import Refusal, Rules, apply, refuse

BATCH = 200
"""Lines a transaction: few enough that nobody waits long for a customer, enough that the disk is not the limit."""


@dataclass(frozen=True, kw_only=True)
class Stating:
    """Who states, when, and whether a conversation stands behind it.

    `has_transcript` is False for agents over HTTP or MCP: what they call `extracted` waits for a person.
    """

    now: datetime
    actor: str
    has_transcript: bool


def remember(engine: Engine, keys: Keys, statement: Statement, *, terms: Terms, stating: Stating) -> Decision:
    """Takes one statement and says what became of it. Raises StoreError; then nothing was changed."""
    (answer,) = remember_many(engine, keys, [statement], terms=terms, stating=stating)
    assert isinstance(answer, Decision)  # noqa: S101 - a BadStatement only answers a BadStatement
    return answer


def remember_many(
    engine: Engine,
    keys: Keys,
    lines: Iterable[Statement | BadStatement],
    *,
    terms: Terms,
    stating: Stating,
) -> Iterator[Decision | BadStatement]:
    """One answer a line, in their order; a line that could not be read is its own answer.

    A transaction takes BATCH lines. Where one fails (StoreError) the answers given so far stand; stating all lines
    again is safe.
    """
    source, first = iter(lines), 0
    while batch := list(islice(source, BATCH)):
        yield from _batch(engine, keys, batch, first, terms=terms, stating=stating)
        first += len(batch)


def _batch(
    engine: Engine,
    keys: Keys,
    lines: list[Statement | BadStatement],
    first: int,
    *,
    terms: Terms,
    stating: Stating,
) -> list[Decision | BadStatement]:
    """The gates run before the transaction begins; customers come in sorted order, as batches must take them."""
    given = {i: line for i, line in enumerate(lines) if isinstance(line, Statement)}
    moments = {i: s.observed_at or stating.now + timedelta(microseconds=first + i) for i, s in given.items()}
    judged = {i: _judged(s, moments[i], terms, stating, keys) for i, s in given.items()}
    answers: dict[int, Decision | BadStatement] = {
        i: line for i, line in enumerate(lines) if isinstance(line, BadStatement)
    }
    if not judged:
        return [answers[i] for i in range(len(lines))]
    with batch_writing(engine, keys, now=stating.now) as batch:
        for ref, group in groupby(sorted(judged, key=lambda i: (given[i].ref, i)), key=lambda i: given[i].ref):
            with batch.customer(ref) as tx:
                answers |= _of_one_customer(tx, {i: judged[i] for i in group}, terms.rules(ref.tenant))
    return [answers[i] for i in range(len(lines))]


def _judged(statement: Statement, at: datetime, terms: Terms, stating: Stating, keys: Keys) -> Observation | Refusal:
    """What the gates make of a statement. Two that name no time are two moments, or their order would be lost."""
    found = terms.judge(
        statement.tenant, kind=statement.kind, key=statement.key, value=statement.value, ended=statement.ended
    )
    ticket = statement.ticket or ""
    if found.verdict.reason is not None:
        return Refusal(reason=found.verdict.reason, observed_at=at, ticket=ticket, actor=stating.actor)
    origin = Origin(
        source=statement.source,
        observed_at=at,
        ticket=ticket,
        has_transcript=stating.has_transcript,
        actor=stating.actor,
        zone=terms.zone(statement.tenant),
    )
    candidate = replace(found.candidate, until=statement.until, confidence=statement.confidence)
    return observation_from(
        candidate,
        ref=statement.ref,
        origin=origin,
        catalogue=terms.catalogue,
        ids_key=keys.ids,
        importance=statement.importance,
    )


def _of_one_customer(
    tx: CustomerTx, judged: dict[int, Observation | Refusal], rules: Rules
) -> dict[int, Decision | BadStatement]:
    passed = {i: one for i, one in judged.items() if isinstance(one, Observation)}
    refused = {i: one for i, one in judged.items() if isinstance(one, Refusal)}
    answers: dict[int, Decision | BadStatement] = {}
    answers |= dict(zip(passed, apply(tx, list(passed.values()), rules=rules), strict=True))
    answers |= dict(zip(refused, refuse(tx, list(refused.values()), rules=rules), strict=True))
    return answers
