"""The key catalogue: which keys are known, what they mean, and who may write them. Data, read by an explicit call."""

import re
import tomllib
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.resources import files
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pipeline.kinds import Kind

MAX_KEY = 64
_SLUG = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_GAP = re.compile(r"[\s\-./]+")
_PADDING = re.compile(
    r"^(?:the|my|our|customer|user|client|account|current|default|preferred|usual|new|company)s?_"
    r"|_(?:preferences?|info|details?|name|value|setting|type|status|request)$|(?<=[a-z]{3})s$"
)
"""Words that a name may carry without meaning another key: `current_plan` and `plan_details` are the plan."""


class BadCatalogue(ValueError):
    """The catalogue file is wrong. The message names the key and the field; mend the file and start again."""


class CatalogueKey(BaseModel):
    """One known key. `cues` are what the offline extractor reads plain statements by."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    key: str
    zh: str
    en: str
    kind: Kind
    aliases: tuple[str, ...] = ()
    system_owned: bool = False
    needs_confirmation: bool = False
    per_ticket: bool = False
    allowed: tuple[str, ...] = ()
    hint: str = Field(default="", description="a few words for the prompt, where the name alone misleads")
    said_as: tuple[str, ...] = Field(
        default=(), description="regular expressions: a customer's value that one is found in belongs to this key"
    )
    cues: Mapping[str, tuple[str, ...]] = Field(default_factory=dict)

    def label(self, language: str) -> str:
        return self.zh if language.startswith("zh") else self.en


@dataclass(frozen=True)
class Catalogue:
    keys: tuple[CatalogueKey, ...]

    @cached_property
    def _by_name(self) -> dict[str, CatalogueKey]:
        return {slug(name): row for row in self.keys for name in (row.key, row.zh, row.en, *row.aliases)}

    def find(self, name: str) -> CatalogueKey | None:
        """The known key that `name` (a key, a label or an alias, in any spelling) stands for."""
        return self._remembered(name)

    @cached_property
    def _remembered(self) -> Callable[[str], CatalogueKey | None]:
        """A recall asks for each of its facts, and for the same few hundred names again and again."""
        return lru_cache(maxsize=4_096)(self._looked_up)

    def _looked_up(self, name: str) -> CatalogueKey | None:
        return next((self._by_name[form] for form in _forms(slug(name)) if form in self._by_name), None)

    @cached_property
    def _claims(self) -> tuple[tuple[re.Pattern[str], CatalogueKey], ...]:
        return tuple((re.compile(rule, re.IGNORECASE), row) for row in self.keys for rule in row.said_as)

    def claimed(self, value: str) -> CatalogueKey | None:
        """The key that a value belongs to under any name: 'software: 旗舰版' is a claim about the plan."""
        return next((row for pattern, row in self._claims if pattern.search(value)), None)

    def fold(self, name: str) -> str:
        """The key under which `name` is stored: the known key, else its slug."""
        row = self.find(name)
        return row.key if row else slug(name)


def slug(name: str) -> str:
    """'Contact Channel', 'contactChannel' and 'contact-channel' as contact_channel. Other scripts stay as they are."""
    text = unicodedata.normalize("NFKC", name).strip()
    return re.sub(r"_+", "_", _GAP.sub("_", _CAMEL.sub("_", text))).strip("_").casefold()


def _forms(name: str) -> tuple[str, ...]:
    """`name`, then without its padding, one word less at a time: customer_current_plans, current_plans, plans, plan."""
    forms = [name]
    while (shorter := _PADDING.sub("", forms[-1], count=1)) not in (forms[-1], ""):
        forms.append(shorter)
    return tuple(forms)


def usable_key(key: str) -> bool:
    """Whether a folded key is a snake_case slug of at most 64 characters."""
    return len(key) <= MAX_KEY and _SLUG.fullmatch(key) is not None


def load_catalogue(path: Path | None = None) -> Catalogue:
    """The shipped catalogue, or the file at `path`. Raises BadCatalogue."""
    text = path.read_text("utf-8-sig") if path else (files("pipeline") / "catalogue.toml").read_text("utf-8")
    try:
        rows = tomllib.loads(text)
        keys = tuple(CatalogueKey(key=key, **row) for key, row in rows.items())
    except (tomllib.TOMLDecodeError, ValidationError, TypeError) as error:
        raise BadCatalogue(str(error).splitlines()[0]) from error
    return _without_clashes(Catalogue(keys))


def _without_clashes(catalogue: Catalogue) -> Catalogue:
    """Two rows that answer to one name would make the fold of keys depend on their order."""
    owner: dict[str, str] = {}
    for row in catalogue.keys:
        for name in {slug(n) for n in (row.key, row.zh, row.en, *row.aliases)}:
            if owner.setdefault(name, row.key) != row.key:
                raise BadCatalogue(f"{row.key}: the name {name!r} already belongs to {owner[name]}")
    return catalogue
