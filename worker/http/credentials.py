"""What the door remembers of credentials: for a second, so that a flood costs one look-up; no longer, so that what is
revoked ends at once.
"""

import hashlib
import time
from collections import OrderedDict
from datetime import UTC, datetime

from store import tokens
from store.tokens import SigningSecret, Token
from worker.runtime import Runtime

FRESH_FOR = 1.0
"""Seconds. Also how long after its revocation a token may still be taken."""
MAX_TOKENS = 1_000


class Credentials:
    """Tokens by the hash of what was shown, and all signing secrets. Safe among threads: each entry is one value."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._tokens: OrderedDict[bytes, tuple[float, Token]] = OrderedDict()
        self._secrets: tuple[float, tuple[SigningSecret, ...]] | None = None

    def token(self, presented: str) -> Token | None:
        """The token that was shown; None where it is none that is valid. Raises StoreError."""
        name, now = _digest(presented), time.monotonic()
        at, token = self._tokens.get(name, (0.0, None))
        if token is not None and now - at < FRESH_FOR:
            return token
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
        now, found = time.monotonic(), self._secrets
        if anew or found is None or now - found[0] >= FRESH_FOR:
            read = tokens.signing_secrets(self._runtime.engine, self._runtime.keys, now=datetime.now(UTC))
            found = self._secrets = (now, read)
        return found[1]

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
