"""The laws of the store, on both databases: what the fold promises survives being written in any order, in pieces."""

from itertools import count

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from remembering import (
    CATALOGUE,
    KEYS,
    PER_TICKET,
    RULES,
    amounts_to,
    content,
    day,
    lives,
    living,
    observed,
    recorded,
    write,
)
from sqlalchemy import Engine

from pipeline.across import fold_key
from pipeline.ids import CustomerRef
from pipeline.reasons import Reason
from pipeline.terms import Terms
from store.models import review_items
from store.retract import retract
from store.rows import slot_of_row
from store.scope import customer_reading, customer_writing
from store.write import apply, withdraw

TERMS = Terms(catalogue=CATALOGUE)
_numbers = count()
few = settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
"""A fresh customer an example, so that one database serves them all."""


def someone() -> CustomerRef:
    return CustomerRef(tenant=f"tenant{next(_numbers)}", customer="u1")


of_both_sorts = pytest.mark.parametrize("key", ["city", PER_TICKET])
"""A key with one slot, and one with a slot a ticket, where an end in one may mean another's fact."""


@of_both_sorts
@given(data=st.data())
@few
def test_any_order_and_any_repetition_gives_the_same_facts_and_history(
    engine: Engine, key: str, data: st.DataObject
) -> None:
    ref = someone()
    life = data.draw(lives(ref=ref, key=key))
    arriving = data.draw(st.permutations(life + life[: len(life) // 2]))
    cut = data.draw(st.integers(0, len(arriving)))
    for number, one in enumerate(arriving[:cut]):
        write(engine, one, ref=ref, now=100 + number)
    write(engine, *arriving[cut:], ref=ref, now=900)
    assert content(recorded(engine, ref)) == amounts_to(life, key)
    live = [fact.slot for fact in recorded(engine, ref) if fact.valid_to is None]
    assert len(live) == len(set(live))


@of_both_sorts
@given(data=st.data())
@few
def test_any_order_leaves_the_questions_of_the_fold_with_their_reasons(
    engine: Engine, key: str, data: st.DataObject
) -> None:
    ref = someone()
    life = data.draw(lives(ref=ref, key=key))
    for number, one in enumerate(data.draw(st.permutations(life))):
        write(engine, one, ref=ref, now=100 + number)
    folded = fold_key(life, RULES(key))
    with customer_reading(engine, ref) as view:
        asked = {(row.observation, slot_of_row(row._mapping), row.reason) for row in view.select(review_items)}
    assert asked == {(r.observation_id, slot, r.reason) for slot, one in folded.items() for r in one.reviews}


@of_both_sorts
@given(data=st.data())
@few
def test_retracting_and_delivering_again_equals_never_delivered(engine: Engine, key: str, data: st.DataObject) -> None:
    ref = someone()
    life = data.draw(lives(ref=ref, key=key))
    write(engine, *life, ref=ref)
    retract(engine, KEYS, ref.tenant, "t2", actor="ann", now=day(1_001), terms=TERMS)
    write(engine, *data.draw(st.permutations(life)), ref=ref, now=1_002)
    others = [one for one in life if one.ticket != "t2"]
    assert content(recorded(engine, ref)) == amounts_to(others, key)


@of_both_sorts
@given(data=st.data())
@few
def test_known_at_answers_what_a_reader_then_saw(engine: Engine, key: str, data: st.DataObject) -> None:
    ref = someone()
    life = data.draw(lives(ref=ref, key=key))
    moments = range(100, 100 + 2 * len(life))
    saw = {}
    for now in moments:
        with customer_writing(engine, KEYS, ref, now=day(now)) as tx:
            one = data.draw(st.sampled_from(life))
            if data.draw(st.sampled_from([True, True, False])):
                apply(tx, [one], rules=RULES)
            else:
                withdraw(tx, [one.id], reason=Reason.AUTHORITY, actor="ann", rules=RULES)
        saw[now] = content(recorded(engine, ref)), content(living(engine, 3, ref)), content(living(engine, 40, ref))
    for now, then in saw.items():
        known = day(now + 0.5)
        again = recorded(engine, ref, known_at=known), *(living(engine, at, ref, known_at=known) for at in (3, 40))
        assert tuple(content(facts) for facts in again) == then
    assert recorded(engine, ref, known_at=day(99)) == []


IDS = [
    "u1",
    "u10",
    "u",
    "U1",
    "u1 ",
    "\u00e9",
    "e\u0301",
    "用户一",
    "用户一二",
    "%",
    "u_",
    "'; --",
    "👩‍👩‍👧",
    "x" * 200,
    "x" * 199,
    "𝒖" * 200,
]


@pytest.mark.parametrize("tenants", [["t"], ["t", "t1", "T", "t%"]])
def test_ids_that_resemble_each_other_never_touch(engine: Engine, tenants: list[str]) -> None:
    refs = [CustomerRef(tenant=tenant, customer=name) for tenant in tenants for name in IDS]
    for number, ref in enumerate(refs):
        write(engine, observed(f"city {number}", ref=ref, ticket="t1"), ref=ref)
    gone = refs[0]
    with customer_writing(engine, KEYS, gone, now=day(1_001)) as tx:
        withdraw(tx, [observed("city 0", ref=gone, ticket="t1").id], reason=Reason.AUTHORITY, actor="a", rules=RULES)
    assert [[fact.value for fact in living(engine, ref=ref)] for ref in refs] == [
        [f"city {number}"] if number else [] for number in range(len(refs))
    ]


def test_the_longest_ids_of_the_widest_letters_fit_into_every_index(engine: Engine) -> None:
    ref = CustomerRef(tenant="𝒕" * 200, customer="𝒖" * 200)
    said = observed("20 EUR", key="refund", kind="situation", ticket="𝒙" * 200, ref=ref)
    write(engine, said, ref=ref)
    assert [fact.value for fact in living(engine, at=1, ref=ref)] == ["20 EUR"]
