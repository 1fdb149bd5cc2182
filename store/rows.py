"""Observations and facts as rows, and back."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any

from sqlalchemy import Row

from pipeline.facts import Fact, Observation, Quote, Slot, Source
from pipeline.ids import CustomerRef
from pipeline.kinds import Kind


@dataclass(frozen=True, kw_only=True)
class StoredFact(Fact):
    """One recorded version of a fact. Current while `recorded_to` is None; `row` is its place in the table."""

    recorded_from: datetime
    recorded_to: datetime | None
    row: int


_CONTENT = [field.name for field in fields(Fact) if field.name != "version"]


def same_content(one: Fact, other: Fact) -> bool:
    """Whether two facts say the same, whatever their versions and the times of their recording."""
    return all(getattr(one, name) == getattr(other, name) for name in _CONTENT)


def observation_row(observation: Observation, *, recorded_at: datetime) -> dict[str, Any]:
    return {**revisable(observation), "recorded_at": recorded_at, "withdrawn_at": None, "withdrawn_reason": None}


def revisable(observation: Observation) -> dict[str, Any]:
    """The columns that the observation itself gives."""
    plain = {f.name: getattr(observation, f.name) for f in fields(Observation) if f.name not in ("slot", "quotes")}
    return {
        **plain,
        "kind": observation.kind.value,
        "source": observation.source.value,
        "key": observation.slot.key,
        "slot_ticket": observation.slot.ticket,
        "quotes": [{"message": quote.message, "text": quote.text} for quote in observation.quotes],
    }


def observation_from_row(row: Row[Any], *, slot: Slot | None = None) -> Observation:
    """`slot`, where the caller knows it: many rows then share one."""
    found = row._mapping
    plain = {f.name: found[f.name] for f in fields(Observation) if f.name not in ("slot", "quotes", "kind", "source")}
    return Observation(
        **plain,
        slot=slot or slot_of_row(found),
        kind=Kind(found["kind"]),
        source=Source(found["source"]),
        quotes=tuple(Quote(message=q["message"], text=q["text"]) for q in found["quotes"]),
    )


def fact_row(fact: Fact, *, version: int, recorded_from: datetime) -> dict[str, Any]:
    return {
        "id": fact.id,
        "version": version,
        "key": fact.slot.key,
        "slot_ticket": fact.slot.ticket,
        "kind": fact.kind.value,
        "value": fact.value,
        "source": fact.source.value,
        "confidence": fact.confidence,
        "importance": fact.importance,
        "valid_from": fact.valid_from,
        "valid_to": fact.valid_to,
        "expires_at": fact.expires_at,
        "confirmed_at": fact.confirmed_at,
        "evidence": list(fact.evidence),
        "recorded_from": recorded_from,
        "recorded_to": None,
    }


def fact_from_row(row: Row[Any], *, slot: Slot | None = None) -> StoredFact:
    """`slot` as above."""
    found = row._mapping
    plain = {name: found[name] for name in _CONTENT if name not in ("slot", "kind", "source", "evidence")}
    return StoredFact(
        **plain,
        slot=slot or slot_of_row(found),
        kind=Kind(found["kind"]),
        source=Source(found["source"]),
        evidence=tuple(found["evidence"]),
        version=found["version"],
        recorded_from=found["recorded_from"],
        recorded_to=found["recorded_to"],
        row=found["row"],
    )


def slot_of_row(found: Mapping[Any, Any]) -> Slot:
    """The slot that a row of any table with key and slot_ticket belongs to."""
    ref = CustomerRef(tenant=found["tenant"], customer=found["customer"])
    return Slot(ref=ref, key=found["key"], ticket=found["slot_ticket"])
