"""Annotated rows as the tickets of customers: what the runner and the request files go through, in order."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from pipeline.annotation import AnnotatedTicket, GoldFact, ReturningCustomer, Row
from pipeline.catalogue import Catalogue
from pipeline.events import TicketClosed
from worker.evaluation.sandbox import TENANT


@dataclass(frozen=True, kw_only=True)
class Case:
    """A customer with annotated tickets in order. `returning` is set where the tickets belong together."""

    customer: str
    tickets: tuple[AnnotatedTicket, ...] = field(repr=False)
    returning: ReturningCustomer | None = field(default=None, repr=False)


def cases(rows: Iterable[Row]) -> Iterator[Case]:
    """The rows that hold tickets. Customers are kept apart by row: two rows are two customers, whatever their ids."""
    for row in rows:
        if isinstance(row, AnnotatedTicket):
            yield Case(customer=f"{row.customer_id}/{row.dialogue_id}", tickets=(row,))
        elif isinstance(row, ReturningCustomer):
            yield Case(customer=row.customer_id, tickets=row.tickets, returning=row)


def event_of(ticket: AnnotatedTicket, customer: str) -> TicketClosed:
    """The ticket as a helpdesk would have sent it. It carries no language: that is found as for any other ticket."""
    return TicketClosed(
        tenant=TENANT,
        ticket_id=ticket.dialogue_id,
        customer_id=customer,
        event_id=ticket.dialogue_id,
        closed_at=ticket.closed_at,
        messages=ticket.messages,
    )


def keys_before(case: Case, index: int, catalogue: Catalogue) -> tuple[str, ...]:
    """The keys that a faultless memory knows before ticket `index` opens: what a request file says of a customer.

    All requests are written before any reply is there, so a later ticket cannot carry what was really remembered of an
    earlier one.
    """
    held: dict[str, bool] = {}
    for ticket in case.tickets[: index + 1]:
        held |= {catalogue.fold(prior.key): True for prior in ticket.prior_memory}
    for ticket in case.tickets[:index]:
        held |= {catalogue.fold(fact.key): _still(fact, case.tickets[index]) for fact in ticket.facts}
        held |= {catalogue.fold(key): False for key in ticket.must_delete}
    return tuple(sorted(key for key, live in held.items() if live))


def _still(fact: GoldFact, ticket: AnnotatedTicket) -> bool:
    return fact.valid_until is None or fact.valid_until >= ticket.opened_at.date()


def all_tickets(of: Sequence[Case]) -> Iterator[tuple[Case, int, AnnotatedTicket]]:
    for case in of:
        for index, ticket in enumerate(case.tickets):
            yield case, index, ticket
