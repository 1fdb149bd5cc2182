"""Annotated tickets: what a memory should have made of them, and what it must not. Read once, errors by line and field.

A line is an annotated ticket, a customer who comes back (`tickets`, `visits`), or a pair of query and fact. `turn`
counts messages from 0; `valid_until` is inclusive; prior memory holds from midnight UTC of its day.
"""

import json
import re
from collections.abc import Iterable, Iterator
from datetime import date
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field, ValidationError, model_validator

from pipeline.events import Message
from pipeline.kinds import Kind
from pipeline.wire import numbered_lines

__all__ = [
    "AnnotatedTicket",
    "BadAnnotation",
    "GoldFact",
    "MustNotStore",
    "NeutralFact",
    "Prior",
    "RetrievalPair",
    "ReturningCustomer",
    "Row",
    "Trap",
    "Visit",
    "read_annotations",
]


class BadAnnotation(ValueError):
    """A line of an annotated file is wrong. `line` counts from 1, `field` says where, `problem` what is wanted."""

    for_people = True

    def __init__(self, line: int, field: str, problem: str) -> None:
        super().__init__(f"line {line}: {field}: {problem}")
        self.line, self.field, self.problem = line, field, problem


def _regex(value: str) -> str:
    try:
        re.compile(value)
    except re.error as error:
        raise ValueError(f"not a regular expression ({error.msg})") from None
    return value


Text = Annotated[str, Field(min_length=1)]
Regex = Annotated[str, AfterValidator(_regex)]
Match = Literal["contains", "value_equals"]


class _Frozen(BaseModel):
    """Fields that are not known are kept apart (`unknown_fields` names them): a newer format is still read."""

    model_config = ConfigDict(frozen=True, extra="allow", hide_input_in_errors=True)

    def __repr_args__(self) -> list[tuple[str | None, Any]]:
        """Silent about its text, as the events are."""
        return []


class GoldFact(_Frozen):
    """What should be stored. Any of `forms` is right; either kind of `kinds_ok` is right."""

    kind: Kind
    key: Text
    value: Text
    evidence: Text
    turn: int = Field(ge=0)
    value_aliases: tuple[Text, ...] = ()
    kinds_ok: tuple[Kind, ...] = ()
    valid_until: date | None = None
    supersedes: str | None = None

    @property
    def forms(self) -> tuple[str, ...]:
        return (self.value, *self.value_aliases)

    @property
    def kinds(self) -> tuple[Kind, ...]:
        return (self.kind, *self.kinds_ok)


class NeutralFact(_Frozen):
    """May be stored or not."""

    key: Text
    value: Text


class Prior(_Frozen):
    """What was remembered before the ticket, as `extracted`."""

    kind: Kind
    key: Text
    value: Text
    observed_at: date


class MustNotStore(_Frozen):
    """A text that may stand nowhere (`sensitive`), or a planted instruction that may stand in no fact or evidence.

    Entries of one ticket with the same `why` are forms of one secret. `statement`: a sensitive sentence that no
    placeholder can stand for; the model reads it, and storing it is the leak.
    """

    text: Text
    why: str
    sensitive: bool
    statement: bool = False


class Trap(_Frozen):
    """A value that must not be stored under one of `kinds`, unless `allow_if` is found in it (negated, or replaced)."""

    text: Text
    why: str
    kinds: tuple[Kind, ...] = tuple(Kind)
    match: Match = "contains"
    key: str | None = None
    allow_if: Regex | None = None


class AnnotatedTicket(_Frozen):
    """One closed ticket with gold facts, traps and secrets."""

    dialogue_id: Text
    customer_id: Text
    lang: Text
    domain: str = ""
    opened_at: AwareDatetime
    closed_at: AwareDatetime
    hard_cases: tuple[str, ...] = ()
    prior_memory: tuple[Prior, ...] = ()
    messages: tuple[Message, ...] = Field(min_length=1)
    facts: tuple[GoldFact, ...]
    neutral_facts: tuple[NeutralFact, ...] = ()
    must_not_store: tuple[Text, ...] = ()
    must_not_store_detail: tuple[MustNotStore, ...] = ()
    traps: tuple[Trap, ...] = ()
    must_delete: tuple[str, ...] = ()
    episode_neutral: bool = False

    @property
    def secrets(self) -> tuple[MustNotStore, ...]:
        """`must_not_store_detail`, and what stands in `must_not_store` alone, which then counts as sensitive."""
        told = {entry.text for entry in self.must_not_store_detail}
        bare = (MustNotStore(text=text, why=text, sensitive=True) for text in self.must_not_store if text not in told)
        return (*self.must_not_store_detail, *bare)

    @model_validator(mode="after")
    def _consistent(self) -> "AnnotatedTicket":
        for index, fact in enumerate(self.facts):
            if fact.turn >= len(self.messages):
                raise _Misplaced(f"facts[{index}].turn", f"there are {len(self.messages)} messages, counted from 0")
            if fact.evidence not in self.messages[fact.turn].text:
                raise _Misplaced(f"facts[{index}].evidence", f"does not stand in message {fact.turn}")
        if self.closed_at < self.opened_at:
            raise _Misplaced("closed_at", "lies before opened_at")
        return self


class Need(_Frozen):
    """What the agent must be told: a gold fact of an earlier ticket (`ticket` counts from 0)."""

    ticket: int = Field(ge=0)
    key: Text


class Visit(_Frozen):
    """The customer opens ticket `ticket`: what the agent asks memory, needs to be told, and must not be told."""

    ticket: int = Field(ge=1)
    query: str | None = None
    needs: tuple[Need, ...] = ()
    stale: tuple[Trap, ...] = ()


class ReturningCustomer(_Frozen):
    """A customer's tickets in order, and what is asked when a later one opens."""

    customer_id: Text
    lang: Text
    domain: str = ""
    tickets: tuple[AnnotatedTicket, ...] = Field(min_length=2)
    visits: tuple[Visit, ...] = Field(min_length=1)

    def needed(self, need: Need) -> GoldFact:
        return next(fact for fact in self.tickets[need.ticket].facts if fact.key == need.key)

    @model_validator(mode="after")
    def _consistent(self) -> "ReturningCustomer":
        closes = [ticket.closed_at for ticket in self.tickets]
        if closes != sorted(closes):
            raise _Misplaced("tickets", "want them in order of closed_at")
        for index, visit in enumerate(self.visits):
            if visit.ticket >= len(self.tickets):
                raise _Misplaced(f"visits[{index}].ticket", f"there are {len(self.tickets)} tickets, counted from 0")
            self._check_needs(index, visit)
        return self

    def _check_needs(self, index: int, visit: Visit) -> None:
        for at, need in enumerate(visit.needs):
            where = f"visits[{index}].needs[{at}]"
            if need.ticket >= visit.ticket:
                raise _Misplaced(f"{where}.ticket", "want a ticket before the visit's")
            if all(fact.key != need.key for fact in self.tickets[need.ticket].facts):
                raise _Misplaced(f"{where}.key", f"ticket {need.ticket} has no gold fact of that key")


class RetrievalPair(_Frozen):
    """A query, and the fact that answers it."""

    id: Text
    query: Text
    fact: Text
    set: str = ""
    key_label: str = ""


Row = AnnotatedTicket | ReturningCustomer | RetrievalPair


class _Misplaced(ValueError):
    """Carries the field through pydantic, which would name only the whole object."""

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(problem)
        self.field, self.problem = field, problem


def read_annotations(lines: Iterable[str]) -> Iterator[tuple[int, Row]]:
    """Every non-blank line with its number from 1. Raises BadAnnotation; two tickets of one id are one too many."""
    seen: dict[str, int] = {}
    for number, text in numbered_lines(lines):
        row = _row(number, text)
        for name in _names(row):
            if name in seen:
                raise BadAnnotation(number, _id_field(row), f"the id is taken by line {seen[name]}")
            seen[name] = number
        yield number, row


def unknown_fields(row: BaseModel, prefix: str = "") -> Iterator[str]:
    """Where `row` has fields that this version does not read, as 'facts[0].colour'."""
    yield from (f"{prefix}{name}" for name in row.model_extra or {} if name not in _ABOUT_THE_DATA)
    for name in type(row).model_fields:
        value = getattr(row, name)
        if isinstance(value, tuple):
            for at, item in enumerate(value):
                if isinstance(item, BaseModel):
                    yield from unknown_fields(item, f"{prefix}{name}[{at}].")


_ABOUT_THE_DATA = ("source", "licence", "about")


def _names(row: Row) -> list[str]:
    if isinstance(row, ReturningCustomer):
        return [ticket.dialogue_id for ticket in row.tickets]
    return [row.dialogue_id if isinstance(row, AnnotatedTicket) else f"pair {row.id}"]


def _id_field(row: Row) -> str:
    return "id" if isinstance(row, RetrievalPair) else "dialogue_id"


def _row(number: int, text: str) -> Row:
    try:
        raw = json.loads(text)
    except (ValueError, RecursionError):
        raise BadAnnotation(number, "line", "is not JSON") from None
    if not isinstance(raw, dict):
        raise BadAnnotation(number, "line", "want a JSON object")
    try:
        return _model(raw).model_validate_json(text)
    except ValidationError as error:
        field, problem = _first(error)
        raise BadAnnotation(number, field, problem) from None


def _model(raw: dict[str, Any]) -> type[AnnotatedTicket] | type[ReturningCustomer] | type[RetrievalPair]:
    if "tickets" in raw or "visits" in raw:
        return ReturningCustomer
    return RetrievalPair if "query" in raw and "messages" not in raw else AnnotatedTicket


def _first(error: ValidationError) -> tuple[str, str]:
    """The first error's field and problem. Names of unknown members and values are never repeated."""
    first = error.errors(include_input=False, include_url=False)[0]
    where = ""
    for part in first["loc"]:
        where += f"[{part}]" if isinstance(part, int) else f".{part}"
    cause = first.get("ctx", {}).get("error")
    if isinstance(cause, _Misplaced):
        return f"{where}.{cause.field}".lstrip("."), cause.problem
    return where.lstrip(".") or "line", first["msg"]
