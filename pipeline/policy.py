"""What a tenant's memory may hold, beyond the floor. A tenant may tighten it, and may allow contact details; no more.

The file is TOML, a table a tenant, `default` for all that have none of their own:

    [default]
    confidence_floor = 0.6

    [tenants.acme]
    allow = ["email"]
    forbidden_keys = ["salary_band"]
    refused_words = ["Project Falcon"]
"""

import hashlib
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from pipeline.ids import BadId, checked_id
from pipeline.memo import lazy
from pipeline.reasons import Reason

ALLOWABLE = frozenset({Reason.PHONE, Reason.EMAIL, Reason.IM_ACCOUNT})
"""Contact identifiers: the only sensitive content that a tenant may allow. Credentials and ids never."""
CONFIDENCE_FLOOR = 0.5
OVERWRITE_FLOOR = 0.7
MAX_VALUE = 500


class PolicyError(ValueError):
    """The policy file is not usable, or would loosen the floor. One line: the field, and what is wanted there."""

    def __init__(self, where: str, problem: str) -> None:
        super().__init__(f"{where}: {problem}")
        self.where = where


@dataclass(frozen=True, kw_only=True)
class Policy:
    """What is refused and how sure the model must be. The defaults are the floor; raises PolicyError below it."""

    confidence_floor: float = CONFIDENCE_FLOOR
    """Candidates under it are dropped (0.5-1)."""
    overwrite_floor: float = OVERWRITE_FLOOR
    """Extracted values under it do not replace what is known (0.7-1)."""
    max_value: int = MAX_VALUE
    """Characters that a value may have (1-500)."""
    allow: frozenset[Reason] = frozenset()
    """Contact identifiers that may be kept: phone, email, im_account."""
    forbidden_keys: tuple[str, ...] = field(default=(), repr=False)
    """Further keys that are refused, in any spelling."""
    refused_words: tuple[str, ...] = field(default=(), repr=False)
    """Further words that no key, value or quote may hold, compared as the normalised view in lower case."""

    def __post_init__(self) -> None:
        _between("confidence_floor", self.confidence_floor, CONFIDENCE_FLOOR, 1)
        _between("overwrite_floor", self.overwrite_floor, OVERWRITE_FLOOR, 1)
        _between("max_value", self.max_value, 1, MAX_VALUE)
        if not self.allow <= ALLOWABLE:
            raise PolicyError("allow", f"only {_names(ALLOWABLE)} may be allowed")
        if any(not word.strip() for word in (*self.forbidden_keys, *self.refused_words)):
            raise PolicyError("forbidden_keys, refused_words", "want words, not blanks")

    @lazy
    def fingerprint(self) -> str:
        """Tells policies apart without saying what is in them."""
        said = [getattr(self, f.name) for f in fields(self)]
        said = [sorted(one) if isinstance(one, frozenset) else one for one in said]
        return hashlib.sha256(repr(said).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _between(name: str, value: float, low: float, high: float) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        raise PolicyError(name, f"want a number from {low} to {high}: a tenant may tighten the floor, never loosen it")


def _names(reasons: frozenset[Reason]) -> str:
    return ", ".join(sorted(reason.value for reason in reasons))


FLOOR = Policy()


@dataclass(frozen=True)
class Policies(Mapping[str, Policy]):
    """The policy of each tenant; the default for one that has none of its own, so a look-up never fails."""

    default: Policy = FLOOR
    tenants: Mapping[str, Policy] = field(default_factory=lambda: MappingProxyType({}), repr=False)

    def __getitem__(self, tenant: str) -> Policy:
        return self.tenants.get(tenant, self.default)

    def __iter__(self) -> Any:
        return iter(self.tenants)

    def __len__(self) -> int:
        return len(self.tenants)


def load_policy(path: Path) -> Policies:
    """The policies of a TOML file. Raises PolicyError, which names the file or the field."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise PolicyError(str(path), "cannot be read: want a TOML file in UTF-8") from error
    return parse_policy(text)


def parse_policy(text: str) -> Policies:
    """The policies of a TOML text. Raises PolicyError, which names the field."""
    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise PolicyError("policy", f"is not TOML ({error})") from None
    unknown = sorted(set(raw) - {"default", "tenants"})
    if unknown:
        raise PolicyError(unknown[0], "unknown table: want [default] or [tenants.NAME]")
    default = _tightened(FLOOR, "default", raw.get("default", {}))
    tenants = _table("tenants", raw.get("tenants", {}))
    return Policies(default, MappingProxyType({name: _tenant(default, name, row) for name, row in tenants.items()}))


def _tenant(default: Policy, name: str, row: Any) -> Policy:
    try:
        checked_id("tenant", name)
    except BadId as error:
        raise PolicyError("tenants", str(error)) from None
    return _tightened(default, f"tenants.{name}", row)


def _table(where: str, raw: Any) -> dict[str, Any]:
    if not isinstance(raw, dict):
        raise PolicyError(where, "want a table")
    return raw


def _tightened(base: Policy, where: str, raw: Any) -> Policy:
    given = _table(where, raw)
    for name in given:
        if name not in _READERS:
            raise PolicyError(f"{where}.{name}", f"unknown field: want one of {', '.join(_READERS)}")
    try:
        return replace(base, **{name: _READERS[name](name, value) for name, value in given.items()})
    except PolicyError as error:
        raise PolicyError(f"{where}.{error.where}", str(error).partition(": ")[2]) from None


def _words(name: str, value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(word, str) for word in value):
        raise PolicyError(name, "want a list of words")
    return tuple(value)


def _reasons(name: str, value: Any) -> frozenset[Reason]:
    known = {reason.value: reason for reason in ALLOWABLE}
    words = _words(name, value)
    if not set(words) <= set(known):
        raise PolicyError(name, f"only {_names(ALLOWABLE)} may be allowed")
    return frozenset(known[word] for word in words)


def _as_it_is(_: str, value: Any) -> Any:
    return value


_READERS: dict[str, Callable[[str, Any], Any]] = {
    "confidence_floor": _as_it_is,
    "overwrite_floor": _as_it_is,
    "max_value": _as_it_is,
    "allow": _reasons,
    "forbidden_keys": _words,
    "refused_words": _words,
}
