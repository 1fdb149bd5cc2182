"""What the inbox keeps of a ticket is sealed, bound to its row, and named by keyed hashes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inboxing import ticket

from pipeline.events import TicketClosed
from pipeline.ids import CustomerRef
from store.keys import keys_from
from store.payload import Undecryptable, digest, digest_as_written, event_hash, opened, row_id, sealed

KEYS = keys_from(b"k" * 32)
OTHER_KEYS = keys_from(b"o" * 32)


@given(text=st.text(max_size=200), tenant=st.sampled_from(["acme", "租户", "a" * 200]))
def test_what_was_sealed_opens_as_it_was(text: str, tenant: str) -> None:
    event = ticket(ref=CustomerRef(tenant=tenant, customer="u1"), text=text)
    assert opened(KEYS, sealed(KEYS, event, "row"), row_id="row", tenant=tenant) == event


def test_identifiers_and_moments_survive_the_seal() -> None:
    event = ticket(
        customer_identifiers={"name": "张伟", "email": "z@example.com"},
        closed_at="2026-01-02T03:04:05.678901+08:00",
        language="zh-CN",
    )
    again = opened(KEYS, sealed(KEYS, event, "row"), row_id="row", tenant="acme")
    assert again == event
    assert again.closed_at.utcoffset() == event.closed_at.utcoffset()


def test_the_seal_shows_no_word_and_is_never_the_same_twice() -> None:
    event = ticket(text="a rare sentence")
    one, other = sealed(KEYS, event, "row"), sealed(KEYS, event, "row")
    assert one != other
    assert b"rare" not in one
    assert b"acme" not in one


@pytest.mark.parametrize(
    ("keys", "row", "tenant"), [(OTHER_KEYS, "row", "acme"), (KEYS, "row2", "acme"), (KEYS, "row", "acme2")]
)
def test_a_seal_opens_under_its_own_key_in_its_own_row_of_its_own_tenant(keys: object, row: str, tenant: str) -> None:
    blob = sealed(KEYS, ticket(), "row")
    with pytest.raises(Undecryptable):
        opened(keys, blob, row_id=row, tenant=tenant)  # type: ignore[arg-type]


@pytest.mark.parametrize("damage", [lambda b: b[:-1], lambda b: b"\x02" + b[1:], lambda b: b"", lambda b: b[:20]])
def test_a_damaged_seal_is_named_and_its_text_is_not(damage: object) -> None:
    blob = sealed(KEYS, ticket(text="a rare sentence"), "row")
    with pytest.raises(Undecryptable) as raised:
        opened(KEYS, damage(blob), row_id="row", tenant="acme")  # type: ignore[operator]
    assert "rare" not in f"{raised.value}{raised.value.__cause__}"
    assert raised.value.__suppress_context__ or raised.value.__context__ is None


def test_the_digest_tells_contents_apart() -> None:
    same = [ticket(), ticket()]
    other = [
        ticket(text="x"),
        ticket(language="en"),
        ticket(closed_at="2026-01-01T12:00:01Z"),
        ticket(customer_id="u2"),
    ]
    assert digest(KEYS, same[0]) == digest(KEYS, same[1])
    assert len({digest(KEYS, event) for event in [*same, *other]}) == 1 + len(other)
    assert digest(OTHER_KEYS, same[0]) != digest(KEYS, same[0])


def test_names_tell_tenants_and_events_apart() -> None:
    pairs = [("ab", "c"), ("a", "bc"), ("ab", "d")]
    assert len({event_hash(KEYS, *pair) for pair in pairs}) == 3
    assert len({row_id(KEYS, *pair) for pair in pairs}) == 3
    assert not {row_id(KEYS, *pair) for pair in pairs} & {event_hash(KEYS, *pair) for pair in pairs}


def test_a_ticket_is_silent_about_its_text() -> None:
    event: TicketClosed = ticket(text="a rare sentence")
    assert "rare" not in repr(event)


def test_the_zone_of_the_close_does_not_count_and_a_digest_from_when_it_did_is_known() -> None:
    there, here = ticket(closed_at="2026-01-02T11:04:05+08:00"), ticket(closed_at="2026-01-02T03:04:05Z")
    assert digest(KEYS, there) == digest(KEYS, here) == digest_as_written(KEYS, here)
    assert digest_as_written(KEYS, there) != digest(KEYS, there)
