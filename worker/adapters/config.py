"""AFTERWORD_HOOKS: which helpdesks speak for which tenant, and how their words are fetched.

    [acme.zendesk]
    secrets = ["env:ACME_ZENDESK_SECRET"]     # several while one is replaced
    api_url = "https://acme.zendesk.com"
    api_user = "ops@acme.example/token"       # where the vendor wants a name beside the token
    api_token = "env:ACME_ZENDESK_TOKEN"

A value `env:NAME` is read from the environment, so that no secret need stand in the file.
"""

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from pipeline.ids import BadId, checked_id
from worker.settings import SettingsError


def _said(secret: str) -> str:
    """An empty secret would open the door to whoever sends none, or signs with an empty key."""
    if not secret.strip():
        raise ValueError("want a secret, not an empty one")
    return secret


class Hook(BaseModel):
    """One helpdesk of one tenant. Without `api_token` nothing is fetched: the webhook's own words are all there is."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    secrets: tuple[Annotated[str, AfterValidator(_said)], ...] = Field(min_length=1, repr=False)
    api_url: str = ""
    api_user: str = ""
    api_token: str = Field(default="", repr=False)

    @property
    def fetches(self) -> bool:
        return bool(self.api_url and self.api_token)


@dataclass(frozen=True, kw_only=True)
class Hooks:
    """By tenant and vendor."""

    by_name: Mapping[tuple[str, str], Hook] = field(default_factory=dict, repr=False)

    def of(self, tenant: str, vendor: str) -> Hook | None:
        return self.by_name.get((tenant, vendor))


def load_hooks(path: Path | None, environ: Mapping[str, str] | None = None) -> Hooks:
    """The file's hooks; none for None. Raises SettingsError, which names tenant, vendor and field, never a secret."""
    if path is None:
        return Hooks()
    try:
        raw = tomllib.loads(path.read_text("utf-8-sig"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError):
        raise SettingsError(f"AFTERWORD_HOOKS: {path} cannot be read as TOML") from None
    found = {}
    for tenant, vendors in raw.items():
        for vendor, row in vendors.items() if isinstance(vendors, dict) else ():
            found[tenant, vendor] = _hook(tenant, vendor, row, os.environ if environ is None else environ)
    return Hooks(by_name=found)


def _hook(tenant: str, vendor: str, row: object, environ: Mapping[str, str]) -> Hook:
    from worker.adapters import ADAPTERS

    where = f"AFTERWORD_HOOKS: [{tenant}.{vendor}]"
    if vendor not in ADAPTERS:
        raise SettingsError(f"{where}: no such helpdesk: want one of {', '.join(sorted(ADAPTERS))}")
    try:
        checked_id("tenant", tenant)
        hook = Hook.model_validate(_resolved(where, row, environ))
    except BadId as error:
        raise SettingsError(f"{where}: {error}") from None
    except ValidationError as error:
        first = error.errors(include_input=False, include_context=False, include_url=False)[0]
        raise SettingsError(f"{where}: {'.'.join(map(str, first['loc']))}: {first['msg']}") from None
    if hook.api_url and urlsplit(hook.api_url).scheme not in ("http", "https"):
        raise SettingsError(f"{where}: api_url: want https://…")
    return hook


def _resolved(where: str, value: object, environ: Mapping[str, str]) -> object:
    if isinstance(value, dict):
        return {name: _resolved(where, one, environ) for name, one in value.items()}
    if isinstance(value, list):
        return tuple(_resolved(where, one, environ) for one in value)
    if isinstance(value, str) and value.startswith("env:"):
        name = value.removeprefix("env:")
        if not environ.get(name):
            raise SettingsError(f"{where}: the variable {name} is not set")
        return environ[name]
    return value
