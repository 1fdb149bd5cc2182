"""`remember`: what a business system or a person states, through the same gates and the same door as any ticket."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import TYPE_CHECKING

from sqlalchemy import Engine

from pipeline.facts import Decision, Observation
from pipeline.ids import CustomerRef
from pipeline.observe import Origin, observation_from
from pipeline.statement import BadStatement, Statement
from pipeline.terms import Terms
from store.keys import Keys
from store.refusals import Bars, bars_of
from store.scope import CustomerTx, batch_writing
from store.write import Refusal, Rules, apply, refuse

if TYPE_CHECKING:
    from pipeline.gates import Judged

BATCH = 200
"""Lines a transaction: few enough that nobody waits long for a customer, enough that the disk is not the limit."""


@dataclass(frozen=True, kw_only=True)
class Stating:
    """Who states, when, and whether a conversation stands behind it.

    `now` is None for what is stated as it comes: then this host's clock counts, read once the customer is locked. Of
    two who say the same at once, the second has so come second, and finds what the first has left.

    `has_transcript` is False for agents over HTTP or MCP: what they call `extracted` waits for a person.
    """

    now: datetime | None
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
    desk, source, first = _Desk(engine=engine, keys=keys, terms=terms, stating=stating), iter(lines), 0
    while batch := list(islice(source, BATCH)):
        yield from desk.answered(batch, first)
        first += len(batch)


@dataclass(frozen=True, kw_only=True)
class _Desk:
    """Where a batch of lines is judged and then written."""

    engine: Engine
    keys: Keys
    terms: Terms
    stating: Stating

    def answered(self, lines: list[Statement | BadStatement], first: int) -> list[Decision | BadStatement]:
        """One transaction's worth. `first` is the number of its first line. The gates run before it begins."""
        answers: dict[int, Decision | BadStatement] = {
            i: line for i, line in enumerate(lines) if isinstance(line, BadStatement)
        }
        given = {i: line for i, line in enumerate(lines) if isinstance(line, Statement)}
        if given:
            answers |= self._written(given, self._judged(given), first)
        return [answers[i] for i in range(len(lines))]

    def _judged(self, given: dict[int, Statement]) -> dict[int, "Judged"]:
        """What the gates make of each line; of what a system says of many customers alike, they judge the first."""
        said = {i: (s.tenant, s.kind, s.key, s.value, s.ended) for i, s in given.items()}
        verdicts = {
            one: self.terms.judge(one[0], kind=one[1], key=one[2], value=one[3], ended=one[4])
            for one in set(said.values())
        }
        return {i: verdicts[one] for i, one in said.items()}

    def _taken(self, statement: Statement, judged: "Judged", at: datetime) -> Observation | Refusal:
        ticket, known = statement.ticket or "", self.terms.catalogue.find(judged.candidate.key)
        if judged.verdict.reason is not None:
            return Refusal(
                reason=judged.verdict.reason,
                observed_at=at,
                ticket=ticket,
                key=known.key if known else "",
                actor=self.stating.actor,
            )
        origin = Origin(
            source=statement.source,
            observed_at=at,
            ticket=ticket,
            has_transcript=self.stating.has_transcript,
            actor=self.stating.actor,
            zone=self.terms.zone(statement.tenant),
        )
        return observation_from(
            replace(judged.candidate, until=statement.until, confidence=statement.confidence),
            ref=statement.ref,
            origin=origin,
            catalogue=self.terms.catalogue,
            ids_key=self.keys.ids,
            importance=statement.importance,
        )

    def _written(self, given: dict[int, Statement], judged: dict[int, "Judged"], first: int) -> dict[int, Decision]:
        """Customers in sorted order, as batches must take them; what bars any of them is read once for all.

        Two lines that name no time are two moments, or their order would be lost.
        """
        theirs: dict[CustomerRef, dict[int, Statement]] = {}
        for i, one in given.items():
            theirs.setdefault(one.ref, {})[i] = one
        tickets = {ref: {one.ticket or "" for one in mine.values()} for ref, mine in theirs.items()}
        answers: dict[int, Decision] = {}
        with batch_writing(self.engine, self.keys, now=self.stating.now or datetime.now(UTC)) as batch:
            batch.lock(tickets)
            bars = bars_of(batch.connection, self.keys, tickets)
            now = self.stating.now or datetime.now(UTC)
            for ref in sorted(theirs):
                taken = {
                    i: self._taken(s, judged[i], s.observed_at or now + timedelta(microseconds=first + i))
                    for i, s in theirs[ref].items()
                }
                with batch.customer(ref, now=now) as tx:
                    answers |= _of_one_customer(tx, taken, self.terms.rules(ref.tenant), bars[ref])
        return answers


def _of_one_customer(
    tx: CustomerTx, judged: dict[int, Observation | Refusal], rules: Rules, bars: Bars
) -> dict[int, Decision]:
    passed = {i: one for i, one in judged.items() if isinstance(one, Observation)}
    refused = {i: one for i, one in judged.items() if isinstance(one, Refusal)}
    written = apply(tx, list(passed.values()), rules=rules, bars=bars)
    noted = refuse(tx, list(refused.values()), rules=rules, bars=bars)
    return dict(zip(passed, written, strict=True)) | dict(zip(refused, noted, strict=True))
