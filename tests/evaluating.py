"""Replies for the tests of the evaluation: what a model would say that answers exactly as the annotations do."""

import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from pipeline.annotation import AnnotatedTicket, GoldFact, ReturningCustomer, Row, read_annotations
from pipeline.catalogue import load_catalogue

DATA = Path(__file__).parent / "data"
EVALUATION = DATA / "evaluation"
TICKETS = (DATA / "annotated_tickets.jsonl", EVALUATION / "tickets.jsonl", EVALUATION / "returning.jsonl")
REQUESTS = EVALUATION / "requests.jsonl"
REPLIES = EVALUATION / "replies.jsonl"
FURTHER = tuple(EVALUATION / f"further{part}.jsonl" for part in ("", "_requests", "_replies"))
PAIRS = EVALUATION / "retrieval_pairs.jsonl"

Facts = list[dict[str, Any]]


def rows(*files: Path) -> list[Row]:
    found: list[Row] = []
    for file in files:
        with file.open(encoding="utf-8") as lines:
            found += [row for _, row in read_annotations(lines)]
    return found


def tickets(*files: Path) -> list[AnnotatedTicket]:
    return [
        ticket
        for row in rows(*files)
        for ticket in (row.tickets if isinstance(row, ReturningCustomer) else (row,))
        if isinstance(ticket, AnnotatedTicket)
    ]


def as_annotated(ticket: AnnotatedTicket) -> Facts:
    """The gold facts as a model would give them, and what is to be deleted as ended."""
    said = [_said(ticket, gold) for gold in ticket.facts]
    last = max(at for at, message in enumerate(ticket.messages) if message.role == "customer")
    quote = {"message": last, "text": ticket.messages[last].text}
    known = {prior.key: prior for prior in ticket.prior_memory}
    for key in ticket.must_delete:
        prior = known.get(key)
        if prior:
            said.append(_fact(prior.kind.value, key, prior.value, [quote], ended=True))
    return said


def _said(ticket: AnnotatedTicket, gold: GoldFact) -> dict[str, Any]:
    quotes = [{"message": gold.turn, "text": gold.evidence}]
    return _fact(
        gold.kind.value,
        load_catalogue().fold(gold.key),
        gold.value,
        quotes,
        until=gold.valid_until.isoformat() if gold.valid_until else None,
    )


def _fact(kind: str, key: str, value: str, quotes: Facts, *, ended: bool = False, until: str | None = None) -> Any:
    return {
        "kind": kind,
        "key": key,
        "value": value,
        "ended": ended,
        "quotes": quotes,
        "speaker": "customer",
        "about": "customer",
        "lasting": "until_date" if until else "lasting",
        "until": until,
        "confidence": 0.9,
    }


def contact_fact(quote: str, value: str) -> dict[str, Any]:
    """How the customer wants to be contacted, quoting message 0."""
    fact: dict[str, Any] = _fact("preference", "contact_channel", value, [{"message": 0, "text": quote}])
    return fact


def reply_line(custom_id: str, facts: Facts, *, model: str = "as annotated", **given: Any) -> str:
    """One line of a replies file; `given` replaces its members."""
    message = {"role": "assistant", "content": json.dumps({"facts": facts}, ensure_ascii=False)}
    body = {
        "model": model,
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 1000, "completion_tokens": 100},
    }
    line = {"custom_id": custom_id, "response": {"status_code": 200, "body": body}, "error": None}
    return json.dumps(line | given, ensure_ascii=False)


def replies(
    of: Sequence[AnnotatedTicket], asked: Iterable[str], answer: Callable[[AnnotatedTicket], Facts] = as_annotated
) -> list[str]:
    """A line for every request about one of the tickets."""
    known = {ticket.dialogue_id: ticket for ticket in of}
    ids = [json.loads(line)["custom_id"] for line in asked if line.strip()]
    return [reply_line(name, answer(known[name.split("|")[0]])) for name in ids if name.split("|")[0] in known]
