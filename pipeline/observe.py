"""From what passed the gates to what is stored: slot, expiry, default importance and id of an observation."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, tzinfo

from pipeline.catalogue import Catalogue
from pipeline.dates import end_of_day
from pipeline.facts import Candidate, Observation, Slot, Source
from pipeline.fold import SlotRules, observation_id
from pipeline.ids import CustomerRef
from pipeline.kinds import KINDS, Kind

FOR_NOW = "_for_now"
"""Ends the key of a preference with an end date (`pipeline.gates` puts it there)."""


@dataclass(frozen=True, kw_only=True)
class Origin:
    """Where a statement comes from. `zone` is the one that its dates are meant in (the tenant's, else the event's)."""

    source: Source
    observed_at: datetime
    event: str = ""
    ticket: str = ""
    has_transcript: bool = False
    model: str = ""
    prompt_version: str = ""
    actor: str = ""
    zone: tzinfo = UTC


def rules_of(catalogue: Catalogue, *, overwrite_floor: float = 0.7) -> Callable[[str], SlotRules]:
    """What catalogue and policy say of the slots of a key. One that holds for now obeys what its own key obeys."""

    def rules(key: str) -> SlotRules:
        own = catalogue.find(key)
        row = own or catalogue.find(key.removesuffix(FOR_NOW))
        return SlotRules(
            overwrite_floor=overwrite_floor,
            needs_confirmation=bool(row and row.needs_confirmation),
            system_owned=bool(row and row.system_owned),
            known=row is not None,
            per_ticket=bool(own and own.per_ticket),
        )

    return rules


def slot_of(ref: CustomerRef, key: str, ticket: str, catalogue: Catalogue) -> Slot:
    """Where a folded key's value lives: with the ticket too, where the catalogue says one value a ticket."""
    row = catalogue.find(key)
    return Slot(ref=ref, key=key, ticket=ticket if row and row.per_ticket else "")


def expiry(kind: Kind, observed_at: datetime, until: date | None, zone: tzinfo = UTC) -> datetime | None:
    """When it stops to hold unless confirmed: the end of the day `until`, else the kind's life, else never (None)."""
    if until is not None:
        return end_of_day(until, observed_at, zone)
    lives = KINDS[kind].lives
    return observed_at + lives if lives else None


def observation_from(
    candidate: Candidate,
    *,
    ref: CustomerRef,
    origin: Origin,
    catalogue: Catalogue,
    ids_key: bytes,
    importance: float | None = None,
) -> Observation:
    """The observation that a candidate amounts to; its key is folded and its kind known, as the gates leave it.

    `importance` (0 to 1) is by default the kind's.
    """
    kind = Kind(candidate.kind)
    slot = slot_of(ref, candidate.key, origin.ticket, catalogue)
    message = max((quote.message for quote in candidate.quotes), default=-1)
    return Observation(
        id=_id_of(candidate, slot, origin, message, ids_key),
        slot=slot,
        kind=kind,
        value=candidate.value,
        ended=candidate.ended,
        source=origin.source,
        observed_at=origin.observed_at.astimezone(UTC),
        confidence=candidate.confidence,
        importance=KINDS[kind].importance if importance is None else importance,
        expires_at=expiry(kind, origin.observed_at.astimezone(UTC), candidate.until, origin.zone),
        event=origin.event,
        ticket=origin.ticket,
        message=message,
        quotes=candidate.quotes,
        has_transcript=origin.has_transcript,
        model=origin.model,
        prompt_version=origin.prompt_version,
        actor=origin.actor,
    )


def _id_of(candidate: Candidate, slot: Slot, origin: Origin, message: int, ids_key: bytes) -> str:
    """'It is X' and 'X has ended' are two statements. What has no event is told apart by its ticket, so that
    retracting one ticket leaves what another one said."""
    value = f"ended:{candidate.value}" if candidate.ended else f"is:{candidate.value}"
    place = origin.event or (f"ticket:{origin.ticket}" if origin.ticket else "")
    at = origin.observed_at.astimezone(UTC)
    return observation_id(ids_key, event=place, slot=slot, value=value, source=origin.source, at=at, message=message)
