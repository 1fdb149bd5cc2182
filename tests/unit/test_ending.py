"""Which facts an end means, by the words alone."""

import pytest
from remembering import REF

from pipeline.ending import alike, certain, identifiers, meant
from pipeline.facts import Slot


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("Exports fail with E1042", {"1042"}),
        ("error 1042 on order #77120", {"1042", "77120"}),
        ("订单77120未到货", {"77120"}),
        ("refund of 4,500.00 CNY", {"4500"}),
        ("since 2026-11-03, again on 2026年11月5日, as in 2025", set()),
        ("order 2026-0417", set()),
        ("3 seats, 16:30, v4.2", set()),
    ],
)
def test_identifiers_are_long_numbers_that_are_no_date(value: str, found: set[str]) -> None:
    assert identifiers(value) - {"0417"} == found


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("exports fail", "Exports  fail."),
        ("the E1042 error", "Exports fail with E1042 since Monday"),
        ("导出报错 E1042", "每周一导出 CSV 报错 e1042"),
        ("order 77120", "order 77120 has not arrived, error 1042 in the app"),
    ],
)
def test_the_same_value_and_a_shared_identifier_are_certain(said: str, value: str) -> None:
    assert certain(said, value)


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("exports fail with E1042", "exports fail with E2077"),
        ("order 77120 is late", "order 88231 is late"),
        ("E1042 on order 77120", "E1042 on order 88231"),
        ("refund of 129 EUR", "login fails on the iPad"),
    ],
)
def test_other_identifiers_and_other_words_are_other_matters(said: str, value: str) -> None:
    assert not alike(said, value)


def at(ticket: str) -> Slot:
    return Slot(ref=REF, key="open_issue", ticket=ticket)


def tickets(said: str, live: dict[str, str], *, alone: bool = True) -> set[str]:
    return {slot.ticket for slot in meant(said, {at(t): value for t, value in live.items()}, alone=alone)}


def test_all_that_is_certain_is_meant_and_nothing_else() -> None:
    live = {"t1": "exports fail with E1042", "t2": "CSV error E1042", "t3": "exports fail with a timeout"}
    assert tickets("E1042 when exporting", live) == {"t1", "t2"}


def test_without_certainty_the_likest_is_meant() -> None:
    live = {"t1": "exports fail with a timeout", "t2": "imports fail with a timeout", "t3": "登录闪退"}
    assert tickets("exports failing with timeout", live) == {"t1"}
    assert tickets("App 登录一直闪退", live) == {"t3"}


def test_the_only_one_is_meant_however_it_is_worded_but_not_against_its_identifier() -> None:
    assert tickets("", {"t1": "exports fail with E1042"}) == {"t1"}
    assert tickets("the problem from last week", {"t1": "exports fail with E1042"}) == {"t1"}
    assert tickets("order 77120", {"t1": "exports fail with E1042"}) == set()
    assert tickets("", {"t1": "exports fail"}, alone=False) == set()
    assert tickets("the problem", {"t1": "exports fail", "t2": "登录闪退"}) == set()
