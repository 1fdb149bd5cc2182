"""Annotated files: read whole, or refused with line and field."""

import json
from copy import deepcopy
from typing import Any

import pytest

from pipeline.annotation import AnnotatedTicket, BadAnnotation, read_annotations, unknown_fields

TICKET: dict[str, Any] = {
    "dialogue_id": "T-1",
    "customer_id": "C-1",
    "lang": "en",
    "opened_at": "2026-11-01T09:00:00+00:00",
    "closed_at": "2026-11-01T10:00:00+00:00",
    "messages": [{"role": "customer", "text": "E-mail only, please."}],
    "facts": [
        {"kind": "preference", "key": "contact_channel", "value": "e-mail", "evidence": "E-mail only", "turn": 0}
    ],
}
CUSTOMER = {
    "customer_id": "C-1",
    "lang": "en",
    "tickets": [TICKET, TICKET | {"dialogue_id": "T-2", "closed_at": "2026-12-01T10:00:00+00:00"}],
    "visits": [{"ticket": 1, "needs": [{"ticket": 0, "key": "contact_channel"}]}],
}


def read(*rows: Any) -> list[Any]:
    return [row for _, row in read_annotations(json.dumps(row) if isinstance(row, dict) else row for row in rows)]


def changed(row: dict[str, Any], *path: Any, to: Any) -> dict[str, Any]:
    copy = deepcopy(row)
    spot: Any = copy
    for name in path[:-1]:
        spot = spot[name]
    spot[path[-1]] = to
    return copy


WRONG = [
    (changed(TICKET, "facts", 0, "turn", to=3), "facts[0].turn"),
    (changed(TICKET, "facts", 0, "evidence", to="by phone"), "facts[0].evidence"),
    (changed(TICKET, "facts", 0, "kind", to="mood"), "facts[0].kind"),
    (changed(TICKET, "messages", 0, "role", to="boss"), "messages[0].role"),
    (changed(TICKET, "closed_at", to="2026-11-01T08:00:00+00:00"), "closed_at"),
    (changed(TICKET, "closed_at", to="2026-11-01T10:00:00"), "closed_at"),
    (TICKET | {"traps": [{"text": "x", "why": "y", "allow_if": "("}]}, "traps[0].allow_if"),
    ({"query": "q", "fact": "f"}, "id"),
    (changed(CUSTOMER, "visits", 0, "ticket", to=2), "visits[0].ticket"),
    (changed(CUSTOMER, "visits", 0, "needs", 0, "key", to="city"), "visits[0].needs[0].key"),
    ("{", "line"),
    ("[]", "line"),
]


@pytest.mark.parametrize(("row", "field"), WRONG)
def test_a_malformed_annotation_is_named_by_line_and_field(row: Any, field: str) -> None:
    with pytest.raises(BadAnnotation) as caught:
        read("", TICKET | {"dialogue_id": "fine"}, row)
    assert (caught.value.line, caught.value.field) == (3, field)
    assert str(caught.value).startswith(f"line 3: {field}: ")


def test_the_error_repeats_nothing_of_the_line() -> None:
    with pytest.raises(BadAnnotation) as caught:
        read(changed(TICKET, "facts", 0, "kind", to="my secret words"))
    assert "my secret words" not in str(caught.value)


def test_two_tickets_of_one_id_are_one_too_many() -> None:
    with pytest.raises(BadAnnotation, match="line 2: dialogue_id: the id is taken by line 1"):
        read(TICKET, TICKET)


def test_all_three_kinds_of_row_are_read_from_one_file() -> None:
    found = read(CUSTOMER, {"id": "p", "query": "q", "fact": "f"}, TICKET | {"dialogue_id": "T-3"})
    assert [type(row).__name__ for row in found] == ["ReturningCustomer", "RetrievalPair", "AnnotatedTicket"]


def test_a_field_of_a_newer_format_is_read_over_and_named() -> None:
    (row,) = read(changed(TICKET, "facts", 0, "colour", to="red"))
    assert list(unknown_fields(row)) == ["facts[0].colour"]


def test_must_not_store_without_detail_is_sensitive() -> None:
    (row,) = read(TICKET | {"must_not_store": ["4111"]})
    assert isinstance(row, AnnotatedTicket)
    assert [(secret.text, secret.sensitive) for secret in row.secrets] == [("4111", True)]


def test_no_text_stands_in_a_repr() -> None:
    (row,) = read(TICKET)
    assert "E-mail" not in repr(row)
