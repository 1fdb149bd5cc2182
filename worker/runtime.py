"""What a process works with, opened once and shared by its threads."""

import os
import secrets
import tempfile
import threading
import time
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from redis import Redis
from sqlalchemy import Engine

from pipeline.catalogue import BadCatalogue, Catalogue, load_catalogue
from pipeline.policy import Policies, PolicyError, load_policy
from store.engine import open_engine
from store.faults import StoreError
from store.keys import MASTER_BYTES, Keys, keys_from
from store.ledger import Ledger, LedgerDamaged, LedgerUnavailable, open_ledger
from store.migrate import migrate
from store.reapply import LedgerBehind, LedgerKeyUnknown, LedgerMissing, OtherLedger
from store.whose_key import WrongKey
from worker import broker, house
from worker.drain import Hands
from worker.limits import ModelLimits, Rates
from worker.settings import KEY_FILE, Settings, SettingsError

if TYPE_CHECKING:
    from celery import Celery

    from worker.embed import Meaning
    from worker.extractors import Extractor
    from worker.read_gate import ReadGate


@dataclass(frozen=True, kw_only=True)
class Runtime:
    """Settings with all that they open. Safe to share among threads; one a process.

    What is slow to load (Celery, the model client) is loaded when it is first used, so that a command that only reads
    does not pay for it.
    """

    settings: Settings
    engine: Engine = field(repr=False)
    keys: Keys = field(repr=False)
    catalogue: Catalogue = field(repr=False)
    policies: Policies = field(repr=False)
    ledger: Ledger = field(repr=False)
    hands: Hands = field(repr=False, default_factory=Hands)

    @property
    def broker_url(self) -> str | None:
        """Where the broker is by now: the embedded one may have come up since this process began."""
        return broker.address(self.settings)

    @cached_property
    def redis(self) -> Redis | None:
        url = self.broker_url
        return broker.client(url) if url else None

    @cached_property
    def limits(self) -> ModelLimits:
        rates = Rates(requests=self.settings.requests_per_minute, tokens=self.settings.tokens_per_minute)
        # The offline rules call no model: nothing to spare.
        return ModelLimits(None if self.settings.extractor == "rules" else self.redis, rates)

    @cached_property
    def app(self) -> "Celery":
        from worker.celery import create_app

        return create_app(self.settings)

    @cached_property
    def extractor(self) -> "Extractor":
        from worker.extractors import extractor_of

        return extractor_of(self.settings, self.catalogue, self.limits)

    @cached_property
    def meaning(self) -> "Meaning | None":
        """What compares facts with a query; None: recall goes by words on purpose."""
        from worker.embed import Meaning, embedder_of

        embedder = embedder_of(self.settings)
        if embedder is None:
            return None
        seconds = self.settings.embed_timeout
        return Meaning(embedder=embedder, catalogue=self.catalogue, keys=self.keys, seconds=seconds)

    @cached_property
    def read_gate(self) -> "ReadGate":
        from worker.read_gate import ReadGate
        from worker.terms import terms_of

        return ReadGate(terms_of(self))

    def close(self) -> None:
        self.engine.dispose()


class CannotStart(Exception):
    """Database or erasure ledger are not in a state to serve from. The message says which, and what to do."""

    for_people = True


_NO_START = (
    StoreError,
    LedgerBehind,
    LedgerDamaged,
    LedgerKeyUnknown,
    LedgerMissing,
    LedgerUnavailable,
    OtherLedger,
    WrongKey,
)


def open_runtime(settings: Settings) -> Runtime:
    """Opens all, brings the schema up to date where it is empty or behind, and applies what the erasure ledger is ahead
    by: nothing is served from a restored backup before it has forgotten again.

    Raises SettingsError or CannotStart.
    """
    runtime = connected(settings)
    try:
        migrate(settings.migrate_url or settings.database)
        house.reapply(runtime)
    except _NO_START as error:
        runtime.close()
        raise CannotStart(advised(error)) from None
    return runtime


class Opening:
    """A runtime opened when it is first called for, by who must answer even while there is none (an agent's tools).

    Where it cannot be opened, CannotStart is raised at once to whoever asks within AGAIN seconds: who waits for an
    answer does not wait for the database each time.
    """

    AGAIN = 5.0

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._lock = threading.Lock()
        self._runtime: Runtime | None = None
        self._failed: CannotStart | None = None
        self._not_before = 0.0

    def __call__(self) -> Runtime:
        with self._lock:
            if self._runtime is not None:
                return self._runtime
            if self._failed is not None and time.monotonic() < self._not_before:
                raise CannotStart(str(self._failed))
            return self._tried()

    def _tried(self) -> Runtime:
        try:
            self._runtime = open_runtime(self._settings)
        except CannotStart as error:
            self._failed, self._not_before = error, time.monotonic() + self.AGAIN
            raise
        return self._runtime

    def close(self) -> None:
        if self._runtime is not None:
            self._runtime.close()


def connected(settings: Settings) -> Runtime:
    """The runtime as it is, without migrating or re-applying anything: for `doctor`. Raises SettingsError."""
    try:
        settings.home.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise SettingsError(f"AFTERWORD_HOME: {settings.home} cannot be made a directory: {error.strerror}") from None
    return Runtime(
        settings=settings,
        engine=open_engine(settings.database),
        keys=keys_from(master_key(settings)),
        catalogue=_catalogue(settings),
        policies=_policies(settings),
        ledger=open_ledger(settings.ledger_place),
    )


def advised(error: Exception) -> str:
    """What happened, then what the docstring of an exception of ours advises."""
    advice = " ".join((type(error).__doc__ or "").split())
    return f"{error}. {advice}" if not isinstance(error, StoreError) else str(error)


def _catalogue(settings: Settings) -> Catalogue:
    try:
        return load_catalogue(settings.catalogue)
    except (BadCatalogue, OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"AFTERWORD_CATALOGUE: {error}") from None


def master_key(settings: Settings) -> bytes:
    """AFTERWORD_KEY, else the key file under HOME, made where it is missing and readable by its owner alone."""
    if settings.key:
        return bytes.fromhex(settings.key)
    path = settings.home / KEY_FILE
    if not path.exists():
        _make_key(path)
    try:
        key = bytes.fromhex(path.read_text("ascii").strip())
    except ValueError:
        key = b""
    if len(key) != MASTER_BYTES:
        raise SettingsError(f"{path}: want 64 hexadecimal digits; restore it from a backup, or set AFTERWORD_KEY")
    return key


def _make_key(path: Path) -> None:
    """Whole or not at all, and of two processes that start together one wins: a link is made only once."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    handle, name = tempfile.mkstemp(dir=path.parent)  # readable by its owner alone
    try:
        with os.fdopen(handle, "w") as file:
            file.write(secrets.token_hex(MASTER_BYTES) + "\n")
            file.flush()
            os.fsync(file.fileno())
        os.link(name, path)
    except FileExistsError:
        return
    finally:
        Path(name).unlink()


def _policies(settings: Settings) -> Policies:
    if settings.policy is None:
        return Policies()
    try:
        return load_policy(settings.policy)
    except PolicyError as error:
        raise SettingsError(f"AFTERWORD_POLICY: {error}") from None
