"""The cues of `cues.toml`: how a clause shows that it is about somebody else, guessed, for once only, or not meant."""

import re
import tomllib
from enum import StrEnum
from functools import lru_cache
from importlib.resources import files
from typing import Any

from pipeline.traditional import simplified


class Cue(StrEnum):
    """One kind of cue. `search` reads a clause or a sentence for it."""

    THIRD_PARTY = "third_party"
    THIRD_PERSON = "third_person"
    OWN = "own"
    HEDGE = "hedge"
    HEARSAY_ASIDE = "hearsay_aside"
    UNDECIDED = "undecided"
    ONCE = "once"
    ONCE_ASIDE = "once_aside"
    NOW = "now"
    ACT = "act"
    WHILE = "while"
    ALWAYS = "always"
    ASKED = "asked"
    REQUEST = "request"
    SARCASM = "sarcasm"
    MOOD_VALUE = "mood_value"
    CORRECTION = "correction"
    SLIP = "slip"
    NEGATED = "negated"
    LEFT_BEHIND = "left_behind"
    NO_USE = "no_use"
    NEGATION = "negation"
    BOUND = "bound"
    DENIAL = "denial"
    NEGATIVE_KEY = "negative_key"
    ENDING = "ending"
    BARE_VERB = "bare_verb"
    SOMEBODY = "somebody"
    ANAPHORA = "anaphora"
    AFFIRMED = "affirmed"
    UNSAY = "unsay"
    POINTER = "pointer"

    def search(self, text: str) -> re.Match[str] | None:
        return _pattern(self).search(simplified(text))

    def taken_from(self, text: str) -> tuple[list[str], str]:
        """What the cue covers, and the text without it."""
        spans = [match.span() for match in _pattern(self).finditer(simplified(text))]
        rest: list[str] = []
        at = 0
        for begin, end in spans:
            rest.append(text[at:begin])
            at = end
        return [text[begin:end] for begin, end in spans], " ".join((*rest, text[at:]))


@lru_cache(maxsize=1)
def _data() -> dict[str, Any]:
    return tomllib.loads((files("pipeline") / "gates" / "cues.toml").read_text("utf-8"))


@lru_cache(maxsize=64)
def _pattern(cue: Cue) -> re.Pattern[str]:
    text = "|".join(_data()["cues"][cue])
    for name, words in _data()["words"].items():
        text = text.replace(f"{{{name}}}", words)
    return re.compile(text, re.IGNORECASE)


@lru_cache(maxsize=1)
def mood_keys() -> frozenset[str]:
    """Keys under which models file a mood."""
    return frozenset(_data()["mood_keys"])
