"""Settings: environment variables with the prefix AFTERWORD_, read once, checked once at start, frozen.

Every setting is a row of the dataclass: its name is the variable's without the prefix, in capitals.
"""
# ruff: noqa: RUF009 (each row is a dataclass field, made by `_setting`)

import dataclasses
import difflib
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import time
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

PREFIX = "AFTERWORD_"
KEY_FILE = "key"
EXTRACTORS = ("openai", "rules")
DEFAULT_MODEL = "gpt-4.1-mini"
EMBEDDERS = ("use", "openai", "none")
ANY_TENANT = "*"
_SDK = ("OPENAI_API_KEY", "OPENAI_BASE_URL")
MAX_DAYS = 36_500
"""A century. A longer time is a slip of the keyboard, and dates that far back or ahead cannot be reckoned with."""
_DIGITS = re.compile(r"\d{1,18}")
"""What fits into a database's whole number; Python itself refuses to read thousands of digits."""
_UNITS = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86400}
T = TypeVar("T")


class SettingsError(ValueError):
    """A setting is unknown, malformed or contradicts another. One line: which variable, what is wanted. Exit 2."""


def _seconds(text: str) -> float:
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([smhd]?)", text.strip())
    if not match:
        raise ValueError("want seconds, or a number with s, m, h or d (90, 30s, 5m, 7d)")
    seconds = float(match[1]) * _UNITS[match[2]]
    if seconds > MAX_DAYS * _UNITS["d"]:  # also a row of digits that reads as infinite
        raise ValueError(f"want at most {MAX_DAYS}d")
    return seconds


def _whole(low: int) -> Callable[[str], int]:
    def parse(text: str) -> int:
        if not _DIGITS.fullmatch(text.strip()) or int(text) < low:
            raise ValueError(f"want a whole number, {low} or more")
        return int(text)

    return parse


def _days(text: str) -> int:
    days = _whole(0)(text)
    if days > MAX_DAYS:
        raise ValueError(f"want at most {MAX_DAYS} days")
    return days


def _one_of(*choices: str) -> Callable[[str], str]:
    def parse(text: str) -> str:
        if text in choices:
            return text
        raise ValueError(f"want {' or '.join(choices)}{_did_you_mean(text, choices)}")

    return parse


def _path(text: str) -> Path:
    try:
        return Path(text).expanduser().absolute()
    except RuntimeError:  # ~nobody: pathlib knows no home for that name
        raise ValueError("want a path; there is no home directory for what stands after ~") from None


def _url(*schemes: str, host: bool = True) -> Callable[[str], str]:
    def parse(text: str) -> str:
        wanted = ValueError(f"malformed URL: want {' or '.join(scheme + '://…' for scheme in schemes)}")
        try:
            parts = urlsplit(text)
            _ = parts.port  # raises where it is no number
        except ValueError:
            raise wanted from None
        if parts.scheme not in schemes or "://" not in text or (host and not parts.hostname):
            raise wanted
        return text

    return parse


def _database(text: str) -> str:
    needs_host = not text.startswith("sqlite")
    # A PostgreSQL URL may leave the host out where it names a socket directory in its query.
    return _url("sqlite", "postgresql", "postgresql+psycopg", host=needs_host and "?host=" not in text)(text)


def _redis(text: str) -> str:
    is_socket = text.startswith(("unix", "redis+socket"))
    return _url("redis", "rediss", "unix", "redis+socket", host=not is_socket)(text)


def _clock(text: str) -> str:
    if not re.fullmatch(r"\d{2}:\d{2}", text):
        raise ValueError("want a time of day in UTC, as 03:30")
    time.fromisoformat(text)
    return text


def _key(text: str) -> str:
    if not re.fullmatch(r"[0-9a-fA-F]{64}", text):
        raise ValueError("want 64 hexadecimal digits (32 bytes): openssl rand -hex 32")
    return text.lower()


def _listens(text: str) -> str:
    """'127.0.0.1:8321' or '[::1]:8321', or off."""
    host, _, port = text.rpartition(":")
    if text != "off" and not (host and port.isdecimal() and int(port) < 65_536):
        raise ValueError("want HOST:PORT, as 127.0.0.1:8321, or off")
    return text


def _zones(text: str) -> tuple[tuple[str, str], ...]:
    """'Asia/Shanghai' for every tenant, or 'acme=Asia/Shanghai,*=UTC' by tenant, as (tenant, zone) pairs."""
    pairs = [part.strip().rpartition("=") for part in text.split(",") if part.strip()]
    return tuple((tenant.strip() or ANY_TENANT, _zone(zone.strip())) for tenant, _, zone in pairs)


def _zone(name: str) -> str:
    try:
        return ZoneInfo(name).key
    except (OSError, ValueError, KeyError):
        raise ValueError("want an IANA time zone (Asia/Shanghai), or tenant=zone pairs with commas") from None


def _setting(default: T, parse: Callable[[str], T], says: str, *, secret: bool = False) -> T:
    """A row: what holds by default, how the variable's text is read, and what the setting does."""
    return dataclasses.field(default=default, repr=not secret, metadata={"parse": parse, "says": says})


@dataclass(frozen=True, kw_only=True)
class Settings:
    """All that can be set. Times are seconds, retentions are days. Secrets stand in no `repr`."""

    home: Path = _setting(Path("~/.afterword"), _path, "where the embedded default keeps its files")
    database_url: str = _setting("", _database, "the database; by default a SQLite file under HOME", secret=True)
    migrate_url: str = _setting("", _database, "the database as a role that may change tables", secret=True)
    redis_url: str = _setting("", _redis, "the broker; by default one that `up` and `demo` start", secret=True)
    key: str = _setting("", _key, "master key, 64 hex digits; by default a file under HOME", secret=True)
    ledger: str = _setting("", str, "the erasure ledger: a file, or the URL of a second database", secret=True)

    extractor: str = _setting("openai", _one_of(*EXTRACTORS), "who proposes facts: a model, or the offline rules")
    model: str = _setting(DEFAULT_MODEL, str, "the model's name")
    model_timeout: float = _setting(30.0, _seconds, "the longest that one model call may take")
    deadline: float = _setting(120.0, _seconds, "the longest for call, repair and parts of one ticket together")
    lease: float = _setting(180.0, _seconds, "how long a claimed ticket is its worker's; longer than the deadline")
    max_wait: float = _setting(3 * 86400.0, _seconds, "how old a ticket may grow through passing faults")
    prompt_budget: int = _setting(6000, _whole(500), "tokens of one prompt; a longer ticket goes in parts")
    reply_budget: int = _setting(4000, _whole(100), "tokens of one reply")
    requests_per_minute: int = _setting(0, _whole(0), "model calls of all workers together; 0: no limit")
    tokens_per_minute: int = _setting(0, _whole(0), "tokens of all workers together; 0: no limit")

    embedder: str = _setting("use", _one_of(*EMBEDDERS), "who embeds for recall; none: by words")
    embed_model: str = _setting("text-embedding-3-small", str, "the embeddings endpoint's model")
    embed_timeout: float = _setting(0.5, _seconds, "what a recall waits for the embedder before it goes by words")
    embed_seconds: float = _setting(15.0, _seconds, "how often facts without a vector are looked for")

    concurrency: int = _setting(50, _whole(1), "threads of a worker process")
    processes: int = _setting(1, _whole(1), "worker processes that `up` starts; one a core is enough")
    niceness: int = _setting(10, _whole(0), "how far workers stand back on their cores for the door and the database")
    outstanding: int = _setting(200, _whole(1), "published tickets of one tenant at a time; more wait in the database")
    sweep_seconds: float = _setting(10.0, _seconds, "how often what is due is published")
    republish_seconds: float = _setting(60.0, _seconds, "when a published ticket nobody took is published again")
    drain_seconds: float = _setting(20.0, _seconds, "what SIGTERM gives the tickets in hand before they are put back")
    liveness_seconds: float = _setting(300.0, _seconds, "no progress for this long with work waiting means restart")

    purge_at: str = _setting("03:30", _clock, "when the daily purge runs, UTC")
    purge_seconds: float = _setting(0.0, _seconds, "purge this often instead of once a day")
    reapply_seconds: float = _setting(300.0, _seconds, "how often the erasure ledger is applied again")
    retention_days: int = _setting(30, _days, "soft deletes")
    expired_grace_days: int = _setting(30, _days, "expired facts")
    history_days: int = _setting(730, _days, "superseded facts")
    payload_days: int = _setting(7, _days, "payloads of tickets that are done")
    dead_days: int = _setting(30, _days, "dead letters")
    event_days: int = _setting(90, _days, "inbox rows of tickets that are done")
    review_days: int = _setting(180, _days, "review items")
    receipt_days: int = _setting(90, _days, "receipts of recalls")
    audit_days: int = _setting(730, _days, "audit rows")

    http: str = _setting("127.0.0.1:8321", _listens, "where the HTTP door listens; off: `up` opens none")
    public_url: str = _setting("", _url("http", "https"), "the address that the outside reaches the door by")
    hooks: Path | None = _setting(None, _path, "the helpdesks' webhooks and credentials (TOML)")
    http_body_bytes: int = _setting(5_000_000, _whole(1_000), "the largest request body")
    http_body_seconds: float = _setting(10.0, _seconds, "how long a request body may take to arrive")
    http_rate: int = _setting(500, _whole(0), "requests a second of one credential; 0: no limit")

    timezone: tuple[tuple[str, str], ...] = _setting((), _zones, "a zone, or tenant=zone pairs; else closed_at's")
    catalogue: Path | None = _setting(None, _path, "a key catalogue of your own (TOML)")
    policy: Path | None = _setting(None, _path, "a policy of your own (TOML)")
    log_format: str = _setting("plain", _one_of("plain", "json"), "how a log line looks")
    log_level: str = _setting("info", _one_of("debug", "info", "warning", "error"), "the least that is logged")

    openai_api_key: str = dataclasses.field(default="", repr=False)
    openai_base_url: str = dataclasses.field(default="", repr=False)

    @property
    def database(self) -> str:
        """The database's URL, with the default filled in."""
        return self.database_url or f"sqlite:///{self.home / 'afterword.db'}"

    @property
    def ledger_place(self) -> str:
        """Where erasures are written: outside the database and its directory, so that no one backup holds both."""
        return self.ledger or str(self.home / "ledger" / "erasures.jsonl")

    @property
    def postgresql(self) -> bool:
        return self.database.startswith("postgresql")

    @property
    def model_configured(self) -> str | None:
        """None where tickets can be read, else one line that says what is missing."""
        if self.extractor == "rules" or self.openai_api_key or self.openai_base_url:
            return None
        return (
            "no model is configured, so tickets wait: set OPENAI_API_KEY (or OPENAI_BASE_URL for a server of your"
            " own), or choose the offline extractor with AFTERWORD_EXTRACTOR=rules"
        )

    def timezone_of(self, tenant: str) -> ZoneInfo | None:
        """The tenant's time zone; None: the offset that `closed_at` carries."""
        zones = dict(self.timezone)
        name = zones.get(tenant) or zones.get(ANY_TENANT)
        return ZoneInfo(name) if name else None

    def environ(self) -> dict[str, str]:
        """The variables that read back as these settings: what a child process is started with."""
        rows = {row.name: getattr(self, row.name) for row in _rows() if getattr(self, row.name) != row.default}
        sdk = {name: getattr(self, name.lower()) for name in _SDK if getattr(self, name.lower())}
        return {variable(name): _text(value) for name, value in rows.items()} | sdk


def _text(value: object) -> str:
    if isinstance(value, tuple):
        return ",".join(f"{tenant}={zone}" for tenant, zone in value)
    return "" if value is None else str(value)


def _rows() -> list[dataclasses.Field[Any]]:
    return [row for row in dataclasses.fields(Settings) if row.metadata]


def variable(name: str) -> str:
    return PREFIX + name.upper()


def described() -> list[tuple[str, str, str]]:
    """Every variable with its default and what it does: the table that the README prints."""
    return [(variable(row.name), _text(row.default), row.metadata["says"]) for row in _rows()]


def read_settings(environ: Mapping[str, str] | None = None) -> Settings:
    """The settings as the environment gives them. Raises SettingsError; an empty variable counts as not set."""
    given = {name: text for name, text in (os.environ if environ is None else environ).items() if text}
    _refuse_unknown(given)
    values = {row.name: _parsed(row, given[variable(row.name)]) for row in _rows() if variable(row.name) in given}
    if "home" not in values:
        values["home"] = _parsed(next(row for row in _rows() if row.name == "home"), "~/.afterword")
    values |= {name.lower(): given[name].strip() for name in _SDK if name in given}
    return _consistent(Settings(**values))


def _refuse_unknown(given: Mapping[str, str]) -> None:
    known = [variable(row.name) for row in _rows()]
    for name in sorted(given):
        if name.startswith(PREFIX) and name not in known:
            raise SettingsError(f"{name}: no such setting{_did_you_mean(name, known)}")


def _did_you_mean(word: str, choices: list[str] | tuple[str, ...]) -> str:
    close = difflib.get_close_matches(word, choices, n=1, cutoff=0.6)
    return f"; did you mean {close[0]}?" if close else ""


def _parsed(row: dataclasses.Field[Any], text: str) -> Any:
    try:
        return row.metadata["parse"](text)
    except ValueError as error:
        raise SettingsError(f"{variable(row.name)}: {error}") from None


_MORE_THAN_NOTHING = (
    "model_timeout",
    "deadline",
    "embed_timeout",
    "embed_seconds",
    "sweep_seconds",
    "republish_seconds",
    "reapply_seconds",
    "max_wait",
)


def _consistent(settings: Settings) -> Settings:
    if settings.openai_base_url:
        try:
            _url("http", "https")(settings.openai_base_url)
        except ValueError as error:
            raise SettingsError(f"OPENAI_BASE_URL: {error}") from None
    if settings.deadline >= settings.lease:
        raise SettingsError(
            f"AFTERWORD_DEADLINE: {settings.deadline:g}s must be less than AFTERWORD_LEASE ({settings.lease:g}s), else"
            " a ticket is taken from a worker that still reads it"
        )
    for name in _MORE_THAN_NOTHING:
        if getattr(settings, name) <= 0:
            raise SettingsError(f"{variable(name)}: want more than 0")
    if settings.postgresql and not settings.key and not (settings.home / KEY_FILE).exists():
        raise SettingsError(
            "AFTERWORD_KEY: with PostgreSQL a key of your own is wanted, the same on every host: openssl rand -hex 32"
        )
    return settings
