"""Observations for tests: plain builders, and Hypothesis strategies that draw whole lives of a slot."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import strategies as st
from sqlalchemy import Engine

from pipeline.across import fold_key
from pipeline.catalogue import Catalogue, CatalogueKey
from pipeline.facts import Candidate, Decision, Fact, Observation, Quote, Source
from pipeline.fold import SlotRules
from pipeline.ids import CustomerRef
from pipeline.kinds import Kind
from pipeline.observe import Origin, observation_from, rules_of
from store.keys import Keys, keys_from
from store.rows import StoredFact
from store.scope import customer_reading, customer_writing
from store.write import apply

DAY_0 = datetime(2026, 1, 1, 12, tzinfo=UTC)
KEYS = keys_from(b"k" * 32)
REF = CustomerRef(tenant="acme", customer="u1")
CATALOGUE = Catalogue(
    (
        CatalogueKey(key="plan", zh="套餐", en="plan", kind=Kind.PROFILE, system_owned=True),
        CatalogueKey(key="role", zh="角色", en="role", kind=Kind.PROFILE, needs_confirmation=True),
        CatalogueKey(key="refund", zh="退款", en="refund", kind=Kind.SITUATION, per_ticket=True),
        CatalogueKey(key="contact_channel", zh="联系渠道", en="contact channel", kind=Kind.PREFERENCE),
    )
)
RULES = rules_of(CATALOGUE)


def day(number: float) -> datetime:
    return DAY_0 + timedelta(days=number)


def observed(
    value: str,
    at: float = 0,
    *,
    key: str = "city",
    kind: str = "profile",
    source: str = "extracted",
    ref: CustomerRef = REF,
    importance: float | None = None,
    message: int = -1,
    ended: bool = False,
    confidence: float = 1.0,
    keys: Keys = KEYS,
    **origin: Any,
) -> Observation:
    """An observation `at` days after DAY_0. `origin` goes to Origin (event, ticket, has_transcript, …)."""
    quotes = (Quote(message=message, text=f"we are in {value}"),) if message >= 0 else ()
    candidate = Candidate(kind=kind, key=key, value=value, ended=ended, confidence=confidence, quotes=quotes)
    return observation_from(
        candidate,
        ref=ref,
        origin=Origin(source=Source(source), observed_at=day(at), **{"has_transcript": True, **origin}),
        catalogue=CATALOGUE,
        ids_key=keys.ids,
        importance=importance,
    )


def write(engine: Engine, *observations: Observation, now: float = 1_000, ref: CustomerRef = REF) -> list[Decision]:
    """Applies observations in one transaction, `now` days after DAY_0."""
    with customer_writing(engine, KEYS, ref, now=day(now)) as tx:
        return list(apply(tx, observations, rules=RULES))


def told(decisions: Sequence[Decision]) -> list[str]:
    """'ADD new', 'REJECT outranked', …"""
    return [f"{decision.action} {decision.reason}" for decision in decisions]


def recorded(engine: Engine, ref: CustomerRef = REF, **asked: Any) -> list[StoredFact]:
    from store.history import history

    with customer_reading(engine, ref) as view:
        return history(view, **asked)


def living(engine: Engine, at: float = 1_000, ref: CustomerRef = REF, **asked: Any) -> list[StoredFact]:
    from store.history import live

    with customer_reading(engine, ref) as view:
        return live(view, at=day(at), **asked)


def content(facts: Sequence[Fact]) -> list[dict[str, Any]]:
    """What facts say, without versions and times of recording, in order of slot and time."""
    names = [name for name in Fact.__dataclass_fields__ if name != "version"]
    ordered = sorted(facts, key=lambda f: (f.slot.key, f.slot.ticket, f.valid_from, f.id))
    return [{name: getattr(fact, name) for name in names} for fact in ordered]


# --- strategies -----------------------------------------------------------------------------------------------------

_VALUES = st.sampled_from(["Oslo", "oslo", "Bergen", "UTC+8", "UTC-8", "上海"])
_PROBLEMS = st.sampled_from(
    ["exports fail with E1042", "error E1042", "exports fail", "imports fail", "order 77120 is late", "登录闪退", ""]
)
PER_TICKET = "refund"
"""The catalogue's key that holds one value a ticket: an end in one ticket may mean what another one began."""


@st.composite
def observations(draw: st.DrawFn, *, ref: CustomerRef = REF, key: str = "city") -> Observation:
    """One observation: from a ticket (whose moment its event fixes), a system or an agent."""
    event = draw(st.sampled_from(["", "", "e1", "e2", "e3"]))
    source = "extracted" if event else draw(st.sampled_from(["system", "agent_confirmed", "extracted"]))
    ends = draw(st.sampled_from([False, False, True] if key == PER_TICKET else [False, False, False, False, True]))
    return observed(
        draw(_PROBLEMS.filter(lambda said: ends or bool(said)) if key == PER_TICKET else _VALUES),
        float(event[1:]) if event else draw(st.integers(0, 5)),
        ref=ref,
        key=key,
        kind=draw(st.sampled_from(["profile", "situation"])),
        source=source,
        event=event,
        ticket=f"t{draw(st.integers(1, 3))}" if not event else f"t{event[1:]}",
        message=draw(st.integers(0, 3)) if event else -1,
        ended=ends,
        confidence=draw(st.sampled_from([0.6, 0.9])),
        has_transcript=draw(st.sampled_from([True, True, True, False])),
    )


def lives(*, ref: CustomerRef = REF, key: str = "city", most: int = 8) -> st.SearchStrategy[list[Observation]]:
    """All that is ever observed of one slot, or of a per-ticket key's slots, in no order."""
    return st.lists(observations(ref=ref, key=key), min_size=1, max_size=most, unique_by=lambda one: one.id)


def amounts_to(life: Sequence[Observation], key: str = "city") -> list[dict[str, Any]]:
    """The content of the facts that a life's observations fold to."""
    return content([fact for folded in fold_key(life, RULES(key)).values() for fact in folded.facts])


rules = st.builds(SlotRules, needs_confirmation=st.booleans())
