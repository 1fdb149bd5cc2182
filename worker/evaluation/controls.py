"""Controls: memories whose score is known beforehand. A measure that does not tell them apart measures nothing."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, time, timedelta

from pipeline.annotation import AnnotatedTicket
from pipeline.catalogue import Catalogue
from pipeline.events import Role
from pipeline.kinds import Kind
from worker.evaluation.runner import Stored
from worker.evaluation.scoring import Score, score

Memory = Callable[[AnnotatedTicket, Catalogue], Sequence[Stored]]


def gold(ticket: AnnotatedTicket, catalogue: Catalogue) -> list[Stored]:
    """The annotation itself: must score 1."""
    return [
        Stored(
            key=catalogue.fold(fact.key),
            kind=fact.kind,
            value=fact.value,
            fresh=True,
            quotes=((fact.turn, fact.evidence),),
            expires_at=datetime.combine(fact.valid_until + timedelta(days=1), time(), ticket.closed_at.tzinfo or UTC)
            if fact.valid_until
            else None,
        )
        for fact in ticket.facts
    ]


def dumped(ticket: AnnotatedTicket, catalogue: Catalogue) -> list[Stored]:
    """Every customer turn kept as it is: finds much, but is no memory, and keeps every secret."""
    return [
        Stored(key=f"turn_{at}", kind=Kind.PROFILE, value=message.text, fresh=True, quotes=((at, message.text),))
        for at, message in enumerate(ticket.messages)
        if message.role is Role.CUSTOMER
    ]


def nothing(ticket: AnnotatedTicket, catalogue: Catalogue) -> list[Stored]:
    """Refuses all secrets, and knows nothing: why refusal is never shown without recall."""
    return []


CONTROLS: dict[str, Memory] = {"gold": gold, "every turn": dumped, "nothing": nothing}


def control(name: str, tickets: Sequence[AnnotatedTicket], catalogue: Catalogue) -> list[Score]:
    return [score(ticket, CONTROLS[name](ticket, catalogue), catalogue) for ticket in tickets]
