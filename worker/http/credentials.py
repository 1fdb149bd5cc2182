"""What the door remembers of credentials: for a second, so that a flood costs one look-up; no longer, so that what is
revoked ends at once.
"""

import hashlib
import logging
import threading
import time
from collections import OrderedDict
from datetime import UTC, datetime

from store import tokens
from store.faults import StoreError
from store.tokens import SigningSecret, Token
from worker.runtime import Runtime

FRESH_FOR = 1.0
"""Seconds. Also how long after its revocation a token may still be taken."""
RENEWED_AFTER = 0.5
"""Seconds after which signing secrets are read again in the background, so that no event waits for it."""
MAX_TOKENS = 1_000
log = logging.getLogger("worker.http")


class Credentials:
    """Tokens by the hash of what was shown, and all signing secrets. Safe among threads: each entry is one value, and
    of those who find it too old one asks the database for all."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._tokens: OrderedDict[bytes, tuple[float, Token]] = OrderedDict()
        self._secrets: tuple[float, tuple[SigningSecret, ...]] | None = None
        self._asking = threading.Lock()
        self._renewing = threading.Lock()

    def token(self, presented: str) -> Token | None:
        """The token that was shown; None where it is none that is valid. Raises StoreError."""
        if (fresh := self.fresh(presented)) is not None:
            return fresh
        with self._asking:
            return self.fresh(presented) or self._verified(presented)

    def fresh(self, presented: str) -> Token | None:
        """The token as it was within the last second; None where the database must be asked."""
        at, token = self._tokens.get(_digest(presented), (0.0, None))
        return token if time.monotonic() - at < FRESH_FOR else None

    def _verified(self, presented: str) -> Token | None:
        name, now = _digest(presented), time.monotonic()
        token = tokens.verified(self._runtime.engine, presented, now=datetime.now(UTC))
        if token is None:
            self._tokens.pop(name, None)
            return None
        self._tokens[name] = (now, token)
        while len(self._tokens) > MAX_TOKENS:
            self._tokens.popitem(last=False)
        return token

    def known(self, presented: str) -> Token | None:
        """The token as it was when the database last answered: for recall alone, which then is degraded."""
        found = self._tokens.get(_digest(presented))
        return found[1] if found else None

    def secrets(self, *, anew: bool = False) -> tuple[SigningSecret, ...]:
        """Every signing secret that is valid; `anew` asks the database whatever is remembered. Raises StoreError."""
        asked = time.monotonic()
        oldest = asked if anew else asked - FRESH_FOR
        if (found := self._secrets) is None or found[0] < oldest:
            with self._asking:
                found = self._secrets
                if found is None or found[0] < oldest:  # else another has asked meanwhile
                    found = self._read_secrets()
        return found[1]

    def _read_secrets(self) -> tuple[float, tuple[SigningSecret, ...]]:
        now = time.monotonic()
        read = tokens.signing_secrets(self._runtime.engine, self._runtime.keys, now=datetime.now(UTC))
        self._secrets = (now, read)
        return now, read

    def renew(self) -> None:
        """Begins to read the signing secrets again where they are getting old. Returns at once."""
        found = self._secrets
        old = found is not None and time.monotonic() - found[0] > RENEWED_AFTER
        if old and self._renewing.acquire(blocking=False):
            threading.Thread(target=self._renew, name="renew", daemon=True).start()

    def _renew(self) -> None:
        try:
            self.secrets(anew=True)
        except StoreError as error:  # whoever needs them next asks again, and is told
            log.warning("signing secrets were not renewed", extra={"error": type(error).__name__})
        finally:
            self._renewing.release()

    def at_hand(self, presented: str | None) -> bool:
        """Whether neither needs the database now: what must not wait may ask."""
        oldest = time.monotonic() - FRESH_FOR
        token_at = self._tokens.get(_digest(presented), (0.0,))[0] if presented is not None else oldest + FRESH_FOR
        return token_at > oldest and self._secrets is not None and self._secrets[0] > oldest

    def forget(self) -> None:
        """What was remembered is looked up anew."""
        self._tokens.clear()
        self._secrets = None


def _digest(presented: str) -> bytes:
    return hashlib.sha256(presented.encode("utf-8", "replace")).digest()
