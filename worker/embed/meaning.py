"""How well facts answer a query by what they mean: one vector a fact, one a query, their cosine.

Exact: a customer's vectors are read whole and compared one by one. There is no index to be out of date.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pipeline.catalogue import Catalogue
from pipeline.facts import Fact
from pipeline.relevance import Wording, blended, codes, named, wording
from store.keys import Keys
from store.vectors import Vector, digest
from worker.embed.deadline import Begun
from worker.embed.embedders import Embedder, masked_query, unit

if TYPE_CHECKING:
    from worker.embed.embedders import Vectors

NAMES_SHARE = 0.4
"""How much of a fact's vector is the names of its key; the rest is 'label: value'. A query asks by the name far more
often than by the value. On the 49 pairs under tests/data 0.3 to 0.5 are alike, and 0 is three first places worse."""
FORM = 1
"""Raise it when a vector's making changes: it is part of the model's stored name, so all are made anew."""


@dataclass(frozen=True, kw_only=True)
class Meaning:
    """An embedder with what it needs to know of facts. `seconds` is what a recall may wait for it."""

    embedder: Embedder
    catalogue: Catalogue
    keys: Keys
    seconds: float

    @property
    def model(self) -> str:
        return f"{self.embedder.name}/{FORM}"

    def asked(self, query: str, *, patience: float | None = None) -> "Begun[Vectors]":
        """Begins to embed a query, so that the facts can be read meanwhile. Raises TooSlow."""
        seconds = self.seconds if patience is None else patience
        return Begun(lambda: self.embedder.embed([self._presentable(query)]), seconds=seconds)

    def _presentable(self, query: str) -> str:
        return masked_query(query) if self.embedder.remote else query

    def digest_of(self, fact: Fact) -> str:
        """What tells whether a stored vector is still of what the fact says."""
        said = wording(fact, self.catalogue)
        return digest(self.keys, f"{said.names}\n{said.text}")

    def usable(self, facts: Sequence[Fact], stored: Mapping[str, Vector]) -> dict[str, bytes]:
        """The stored vectors that are of what the facts say now."""
        digests = {fact.id: self.digest_of(fact) for fact in facts}
        return {name: stored[name].raw for name, made_of in digests.items() if _is_of(stored.get(name), made_of)}

    def made(self, facts: Sequence[Fact]) -> dict[str, Vector]:
        """Vectors of these facts, by id. Raises EmbedderMissing and EmbedderFailed."""
        if not facts:
            return {}
        wordings = [wording(fact, self.catalogue) for fact in facts]
        rows = self._rows(wordings)
        return {
            fact.id: Vector(model=self.model, digest=self.digest_of(fact), raw=row.astype("<f2").tobytes())
            for fact, row in zip(facts, rows, strict=True)
        }

    def _rows(self, wordings: Sequence[Wording]) -> "Vectors":
        both = self.embedder.embed([w.text for w in wordings] + [w.names for w in wordings])
        texts, names = both[: len(wordings)], both[len(wordings) :]
        return unit((1 - NAMES_SHARE) * texts + NAMES_SHARE * names)

    def relevances(
        self, query: str, facts: Sequence[Fact], stored: Mapping[str, Vector], asked: "Begun[Vectors]"
    ) -> dict[str, float]:
        """By fact id, from 0 to 1. What has no vector yet gets one now, in the time that is left.

        Raises TooSlow, EmbedderMissing and EmbedderFailed.
        """
        vector = asked.result()[0]
        raw = self.usable(facts, stored)
        lacking = [fact for fact in facts if fact.id not in raw]
        if lacking:
            made = Begun(lambda: self.made(lacking), seconds=asked.left()).result()
            raw |= {name: one.raw for name, one in made.items()}
        wanted = codes(query)
        cosines = _cosines(vector, [raw[fact.id] for fact in facts])
        return {
            fact.id: blended(cosine, named(wanted, fact.value)) for fact, cosine in zip(facts, cosines, strict=True)
        }


def _is_of(stored: Vector | None, made_of: str) -> bool:
    return stored is not None and stored.digest == made_of


def _cosines(query: "Vectors", raw: Sequence[bytes]) -> list[float]:
    import numpy as np

    if not raw:
        return []
    rows = np.frombuffer(b"".join(raw), dtype="<f2").reshape(len(raw), -1).astype(np.float32)
    return [float(cosine) for cosine in rows @ query]
