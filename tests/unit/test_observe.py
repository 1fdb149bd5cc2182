from datetime import UTC, date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.catalogue import Catalogue, CatalogueKey
from pipeline.facts import Candidate, Observation, Quote, Source
from pipeline.ids import CustomerRef
from pipeline.kinds import KINDS, Kind
from pipeline.observe import Origin, expiry, observation_from, rules_of, slot_of

REF = CustomerRef(tenant="acme", customer="c-1")
AT = datetime(2026, 3, 2, 9, 30, tzinfo=timezone(timedelta(hours=8)))
CATALOGUE = Catalogue(
    (
        CatalogueKey(key="contact_channel", zh="联系方式", en="contact channel", kind=Kind.PREFERENCE),
        CatalogueKey(key="refund", zh="退款", en="refund", kind=Kind.EPISODE, per_ticket=True),
        CatalogueKey(key="plan", zh="套餐", en="plan", kind=Kind.PROFILE, system_owned=True),
        CatalogueKey(key="role", zh="角色", en="role", kind=Kind.PROFILE, needs_confirmation=True),
    )
)


def candidate(**given: object) -> Candidate:
    usual: dict[str, object] = {"kind": "preference", "key": "contact_channel", "value": "e-mail only"}
    return Candidate(**(usual | given))  # type: ignore[arg-type]


def observed(one: Candidate, **origin: object) -> Observation:
    usual: dict[str, object] = {"source": Source.EXTRACTED, "observed_at": AT, "event": "e" * 32, "ticket": "T-1"}
    return observation_from(
        one,
        ref=REF,
        origin=Origin(**(usual | origin)),  # type: ignore[arg-type]
        catalogue=CATALOGUE,
        ids_key=b"k" * 32,
    )


def test_an_observation_is_made_at_the_tickets_close() -> None:
    assert observed(candidate()).observed_at == AT
    assert observed(candidate()).observed_at.tzinfo is UTC


def test_its_message_is_the_latest_one_quoted() -> None:
    quotes = (Quote(message=7, text="b"), Quote(message=2, text="a"))
    assert observed(candidate(quotes=quotes)).message == 7
    assert observed(candidate()).message == -1


def test_a_kind_gives_importance_and_life_where_nothing_else_does() -> None:
    episode = observed(candidate(kind="episode", key="refund"))
    assert episode.importance == KINDS[Kind.EPISODE].importance
    assert episode.expires_at == AT + timedelta(days=180)
    assert observed(candidate()).expires_at is None


def test_a_given_importance_counts() -> None:
    made = observation_from(
        candidate(),
        ref=REF,
        origin=Origin(source=Source.SYSTEM, observed_at=AT),
        catalogue=CATALOGUE,
        ids_key=b"k" * 32,
        importance=0.1,
    )
    assert made.importance == 0.1


def test_an_end_date_is_inclusive_and_local() -> None:
    friday = date(2026, 3, 6)
    shanghai = ZoneInfo("Asia/Shanghai")
    assert expiry(Kind.SITUATION, AT, friday, shanghai) == datetime(2026, 3, 6, 16, tzinfo=UTC)
    assert expiry(Kind.SITUATION, AT, friday) == datetime(2026, 3, 7, tzinfo=UTC)


def test_the_day_on_which_the_clock_changes_ends_at_local_midnight() -> None:
    berlin = ZoneInfo("Europe/Berlin")
    assert expiry(Kind.SITUATION, AT, date(2026, 3, 29), berlin) == datetime(2026, 3, 29, 22, tzinfo=UTC)
    assert expiry(Kind.SITUATION, AT, date(2026, 10, 25), berlin) == datetime(2026, 10, 25, 23, tzinfo=UTC)


@given(st.dates())
def test_every_date_has_an_end(day: date) -> None:
    end = expiry(Kind.SITUATION, AT, day, ZoneInfo("Asia/Shanghai"))
    assert end is not None
    assert end.tzinfo is UTC


def test_only_a_key_that_holds_one_value_a_ticket_has_the_ticket_in_its_slot() -> None:
    assert slot_of(REF, "refund", "T-1", CATALOGUE).ticket == "T-1"
    assert slot_of(REF, "contact_channel", "T-1", CATALOGUE).ticket == ""
    assert slot_of(REF, "unknown_key", "T-1", CATALOGUE).ticket == ""


def test_the_same_statement_has_the_same_id_and_another_one_has_another() -> None:
    first = observed(candidate())
    assert observed(candidate()).id == first.id
    assert observed(candidate(confidence=0.6)).id == first.id
    others = [
        observed(candidate(value="phone")),
        observed(candidate(ended=True)),
        observed(candidate(), event="f" * 32),
        observed(candidate(), source=Source.AGENT_CONFIRMED),
        observed(candidate(), observed_at=AT + timedelta(seconds=1)),
        observed(candidate(quotes=(Quote(message=3, text="x"),))),
    ]
    assert len({first.id, *(o.id for o in others)}) == len(others) + 1


def test_the_same_instant_in_another_zone_is_the_same_statement() -> None:
    assert observed(candidate(), observed_at=AT.astimezone(UTC)).id == observed(candidate()).id


def test_the_catalogue_says_what_must_be_confirmed_and_what_a_system_owns() -> None:
    rules = rules_of(CATALOGUE, overwrite_floor=0.8)
    assert rules("role").needs_confirmation
    assert rules("plan").system_owned
    assert rules("套餐").system_owned
    assert not rules("anything_else").system_owned
    assert rules("contact_channel").overwrite_floor == 0.8


@pytest.mark.parametrize("text", ["e-mail only", "T-1 秘密"])
def test_nothing_of_a_statement_stands_in_its_repr(text: str) -> None:
    made = observed(candidate(value=text, quotes=(Quote(message=0, text=text),)))
    assert text not in repr(made)
