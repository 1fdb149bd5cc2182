"""Our detectors as Presidio recognisers, and the predefined ones that are right, in one registry.

Presidio's own loop over patterns swallows a regex time-out ('no finding') and its loggers print values; here a
time-out is an error and the loggers are silent. Importing this module costs seconds (Presidio brings spaCy along):
only `pipeline.sensitive.preload` and the first judgement do it.
"""
# ruff: noqa: E501 (rows of words and patterns read best one a line)

import logging
import re
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import regex  # type: ignore[import-untyped]
from presidio_analyzer import LocalRecognizer, Pattern, PatternRecognizer, RecognizerRegistry, RecognizerResult
from presidio_analyzer.nlp_engine import NlpArtifacts
from presidio_analyzer.predefined_recognizers import (
    CryptoRecognizer,
    FiPersonalIdentityCodeRecognizer,
    SgFinRecognizer,
)

from pipeline.reasons import Reason
from pipeline.sensitive.contacts import ADDRESS_PATTERNS, contacts_in
from pipeline.sensitive.credentials import credentials_in
from pipeline.sensitive.digits import numbers_in
from pipeline.sensitive.finding import Hit
from pipeline.sensitive.ids import ID_PATTERNS, ids_in
from pipeline.sensitive.nearby import ByTrigger, Trigger, near
from pipeline.sensitive.phrases import phrases_in
from pipeline.sensitive.places import places_in
from pipeline.sensitive.replies import replies_in
from pipeline.sensitive.secret import SECRET_PATTERNS, secrets_in
from pipeline.sensitive.special import statements_in
from pipeline.sensitive.triggers import DIGIT, LONG_WORD, TRIGGERS

TIMEOUT = 2.0
"""Seconds that one pattern may take over one window before the gate refuses."""
NO_NLP = NlpArtifacts(entities=[], tokens=[], tokens_indices=[], lemmas=[], nlp_engine=None, language="en")  # type: ignore[arg-type]


class FunctionRecognizer(LocalRecognizer):
    """A detector function as a recogniser. It reads the lower-case view."""

    reads_lower = True

    def __init__(self, name: str, detect: Callable[[str], Iterable[Hit]]) -> None:
        super().__init__(supported_entities=[reason.value for reason in Reason], name=name)
        self._detect = detect

    def load(self) -> None:
        """Nothing to load."""

    def analyze(self, text: str, entities: list[str], nlp_artifacts: Any = None) -> list[RecognizerResult]:
        """The detector's hits as Presidio results, all of full score."""
        return [RecognizerResult(hit.reason.value, hit.start, hit.end, 1.0) for hit in self._detect(text)]


class StrictPatternRecognizer(PatternRecognizer):
    """A PatternRecognizer whose time-outs are errors. A group named `value`, where there is one, is what is found."""

    reads_lower = True
    trigger: re.Pattern[str] | None = None
    reach: int = 0

    def analyze(
        self, text: str, entities: list[str], nlp_artifacts: Any = None, regex_flags: int | None = 0
    ) -> list[RecognizerResult]:
        """All matches that pass their check. Raises TimeoutError."""
        found = []
        rows, by_trigger = self._ready
        for row, triggers in [(rows[at], met) for at, met in by_trigger.met(text)]:
            for place in row.places(text, triggers):
                for match in row.compiled.finditer(text, *place, concurrent=False, timeout=TIMEOUT):
                    if match.end() > match.start() and self._valid(row.score, match[0]):
                        start, end = match.span(row.value)
                        found.append(RecognizerResult(self.supported_entities[0], start, end, row.score))
        return found

    @property
    def triggers(self) -> tuple[Trigger, ...]:
        """Without one of these in a text nothing is found there. Empty: no saying."""
        rows, _ = self._ready
        return tuple(t for row in rows for t in row.triggers) if all(row.triggers for row in rows) else ()

    @cached_property
    def _ready(self) -> tuple[list["_Row"], ByTrigger]:
        patterns: list[Any] = self.patterns  # type: ignore[has-type]
        rows = [_row(p, self.global_regex_flags or 0, self.trigger, self.reach) for p in patterns]
        return rows, ByTrigger(row.triggers for row in rows)

    def _valid(self, score: float, found: str) -> bool:
        verdict = self.validate_result(found)
        if verdict is None:
            return score >= _MIN_SCORE and not self.invalidate_result(found)
        return bool(verdict)


class _Row(NamedTuple):
    """A pattern ready for use. `value`: the group that is found; one of `triggers`, if any, must stand within `reach`."""

    compiled: Any
    score: float
    value: str | int
    triggers: tuple[Trigger, ...]
    reach: int

    def places(self, text: str, met: Sequence[Trigger]) -> list[tuple[int, int]]:
        """Where the pattern is worth trying: near those of its triggers that stand in `text`."""
        return near(text, met, self.reach, _LONGEST) if met else [(0, len(text))]


def _row(pattern: Pattern, flags: int, trigger: re.Pattern[str] | None, reach: int) -> _Row:
    compiled = regex.compile(pattern.regex, flags)
    return _Row(
        compiled=compiled,
        score=pattern.score,
        value="value" if "value" in compiled.groupindex else 0,
        triggers=(trigger,) if trigger else TRIGGERS.get(pattern.name, ()),
        reach=reach or _REACH.get(pattern.name, 130),
    )


_SHORT = (
    "hkid",
    "macau",
    "curp",
    "codice_fiscale",
    "mbi",
    "nie",
    "dni",
    "hetu",
    "rfc_person",
    "dvla",
    "mac",
    "mac_cisco",
    "china",
)
_REACH = {"private_key": 6_000, "mrz": 200, **dict.fromkeys(_SHORT, 30)}
"""How far a match reaches from its trigger, where that is more than 130 characters."""
_LONGEST = 6_000
"""A long word is followed to its end, so that it is masked whole."""
_MIN_SCORE = 0.5
"""Presidio's weak patterns wait for a context word; ours bring their own, so what scores under this is left out."""


_PREDEFINED: tuple[tuple[type[PatternRecognizer], Reason], ...] = (
    (CryptoRecognizer, Reason.WALLET),
    (FiPersonalIdentityCodeRecognizer, Reason.GOVERNMENT_ID),
    (SgFinRecognizer, Reason.GOVERNMENT_ID),
)
"""Presidio's own where they hold a checksum or a shape that nothing harmless has. Not among them, and why: cards,
phones and IBANs (ours read disguises; theirs log or cost most of the time), e-mail (fetches a list from the network), dates,
URLs and UUIDs (harmless), national ids of bare digits (one random order number in ten passes their checksum)."""


def _predefined(kind: type[PatternRecognizer], reason: Reason) -> PatternRecognizer:
    strict = type(
        f"Strict{kind.__name__}",
        (StrictPatternRecognizer, kind),
        {"reads_lower": False, "trigger": LONG_WORD if reason is Reason.WALLET else DIGIT, "reach": 30},
    )
    made: PatternRecognizer = strict()
    made.supported_entities = [reason.value]
    return made


_PATTERNS: tuple[tuple[str, dict[Reason, dict[str, str]]], ...] = (
    ("secrets", SECRET_PATTERNS),
    ("ids", ID_PATTERNS),
    ("addresses", ADDRESS_PATTERNS),
)
_FUNCTIONS: dict[str, Callable[[str], Iterable[Hit]]] = {
    "numbers": numbers_in,
    "ids": ids_in,
    "contacts": contacts_in,
    "credentials": credentials_in,
    "secrets": secrets_in,
    "phrases": phrases_in,
    "places": places_in,
    "replies": replies_in,
    "statements": statements_in,
}


@lru_cache(maxsize=1)
def registry() -> RecognizerRegistry:
    """The recognisers, built once a process. Add one of your own with `registry().add_recognizer(...)`."""
    _silence()
    recognisers: list[Any] = [FunctionRecognizer(name, detect) for name, detect in _FUNCTIONS.items()]
    for name, rows in _PATTERNS:
        recognisers += [_pattern_recogniser(name, reason, patterns) for reason, patterns in rows.items()]
    recognisers += [_predefined(kind, reason) for kind, reason in _PREDEFINED]
    return RecognizerRegistry(recognizers=recognisers)


@lru_cache(maxsize=1)
def _triggered() -> tuple[list[Any], ByTrigger]:
    """The recognisers that came with the registry, and which of them are worth asking."""
    ours = list(registry().recognizers)
    return ours, ByTrigger(r.triggers if isinstance(r, StrictPatternRecognizer) else () for r in ours)


def _worth_asking(lower: str) -> list[Any]:
    """All but those of which we know that they find nothing without a trigger; one that was added is always asked."""
    ours, by_trigger = _triggered()
    met = {at for at, _ in by_trigger.met(lower)}
    idle = {id(recogniser) for at, recogniser in enumerate(ours) if at not in met}
    return [recogniser for recogniser in registry().recognizers if id(recogniser) not in idle]


def _pattern_recogniser(name: str, reason: Reason, patterns: dict[str, str]) -> StrictPatternRecognizer:
    return StrictPatternRecognizer(
        supported_entity=reason.value,
        name=f"{name}:{reason.value}",
        patterns=[Pattern(label, source, 1.0) for label, source in patterns.items()],
        global_regex_flags=regex.MULTILINE | regex.DOTALL,
    )


def _silence() -> None:
    """Presidio logs matched values (its IBAN recogniser does at once): nothing of it may be printed or handled."""
    for name in ("presidio-analyzer", "presidio_analyzer", "decision_process"):
        logger = logging.getLogger(name)
        logger.handlers = [logging.NullHandler()]
        logger.propagate = False
        logger.disabled = True
        logger.addFilter(lambda _: False)  # logging.config (uvicorn calls it) enables and re-routes, but keeps filters


def hits_in(text: str, lower: str) -> list[Hit]:
    """What all recognisers find in one window of a view. Raises what a recogniser raises."""
    found = []
    for recogniser in _worth_asking(lower):
        given = lower if getattr(recogniser, "reads_lower", False) else text
        for result in recogniser.analyze(given, recogniser.supported_entities, NO_NLP):
            found.append(Hit(_reason(result.entity_type), result.start, result.end))
    return found


def _reason(entity: str) -> Reason:
    """An added recogniser's own entity (PERSON, …) is some protected matter."""
    return Reason(entity) if entity in _REASONS else Reason.SPECIAL_CATEGORY


_REASONS = frozenset(reason.value for reason in Reason)
