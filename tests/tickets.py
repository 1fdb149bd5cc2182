"""Small tickets for tests, as `pipeline.mask` would make them of messages in which nothing needs masking."""

import json
from collections.abc import Iterable
from datetime import date, datetime
from pathlib import Path
from typing import Any

from pipeline import transcript as made
from pipeline.events import Message, Role, TicketClosed
from pipeline.facts import Candidate, Quote
from pipeline.mask import masked
from pipeline.transcript import Line, Transcript

DATA = Path(__file__).parent / "data"
CLOSED = "2026-11-24T15:00:00+00:00"


def transcript(*messages: tuple[str, str] | str, closed_at: str = CLOSED, language: str = "en") -> Transcript:
    """Messages as (role, text), or a bare text for the customer."""
    pairs = (("customer", m) if isinstance(m, str) else m for m in messages)
    lines = tuple(Line(position=at, role=Role(role), text=text) for at, (role, text) in enumerate(pairs))
    return Transcript(lines, datetime.fromisoformat(closed_at), language, (), made._MADE_BY_MASK)


def candidate(
    value: str, *quotes: tuple[int, str], kind: str = "preference", key: str = "note", **more: Any
) -> Candidate:
    told = tuple(Quote(message=at, text=text) for at, text in quotes)
    return Candidate(kind=kind, key=key, value=value, quotes=told, **more)


def lines_of(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / name).read_text("utf-8").splitlines() if line]


def ticket(row: dict[str, Any]) -> Transcript:
    """An annotated ticket, or a row of gate_cases.jsonl."""
    pairs: Iterable[tuple[str, str]] = (
        (m["role"], m["text"]) if isinstance(m, dict) else (m[0], m[1]) for m in row["messages"]
    )
    return transcript(*pairs, closed_at=row["closed_at"], language=row["lang"])


def masked_ticket(messages: list[list[str]], closed_at: str = CLOSED, language: str = "en") -> Transcript:
    """The real mask over (role, text) pairs."""
    told = tuple(Message(role=Role(role), text=text) for role, text in messages)
    return masked(
        TicketClosed(
            tenant="t",
            ticket_id="1",
            customer_id="c",
            closed_at=datetime.fromisoformat(closed_at),
            messages=told,
            event_id="e",
            language=language,
        )
    )


def day(text: str | None) -> date | None:
    return date.fromisoformat(text) if text else None
