"""Who may come through the door: tokens, kept as hashes, and signing secrets, kept nowhere.

A token reads `aw_ID_SECRET`. Its secret is 32 random bytes, so a plain SHA-256 keeps it. A signing secret must be known
to verify with, so it is derived from the master key and its row's id: who has the database alone has no secret.
"""

import base64
import hashlib
import hmac
import secrets
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import Engine, Row, insert, or_, select, update

from pipeline.ids import checked_id
from store import audit
from store.engine import reading, writing
from store.keys import Keys
from store.models import access_tokens as rows
from store.states import Role, TokenKind

PREFIX = "aw_"
SIGNING_PREFIX = "whsec_"
MAX_TOKEN = 200


class Scope(StrEnum):
    """What a token may do. Each stands alone: none holds another."""

    ENQUEUE = "enqueue"
    """Hand in closed tickets."""
    RECALL = "recall"
    """Read what is remembered."""
    WRITE = "write"
    """State facts, and report a wrong one."""
    OPERATE = "operate"
    """Forget, export, answer reviews, replay, and sign in to the memory page."""


@dataclass(frozen=True, kw_only=True)
class Token:
    """One credential, without its secret."""

    id: str
    tenant: str
    kind: TokenKind
    role: Role
    scopes: frozenset[Scope]
    name: str
    created_at: datetime
    created_by: str
    expires_at: datetime | None
    revoked_at: datetime | None
    revoked_by: str | None

    def valid_at(self, moment: datetime) -> bool:
        return self.revoked_at is None and (self.expires_at is None or moment < self.expires_at)


@dataclass(frozen=True, kw_only=True)
class Created:
    """A new credential. `secret` is shown once and kept by whoever asked for it."""

    token: Token
    secret: str = field(repr=False)


@dataclass(frozen=True, kw_only=True)
class SigningSecret:
    """What one producer signs with. `secret` are the bytes behind the text that begins with whsec_."""

    token: Token
    secret: bytes = field(repr=False)


def create(
    engine: Engine,
    keys: Keys,
    *,
    tenant: str,
    kind: TokenKind,
    role: Role,
    scopes: Collection[Scope],
    name: str,
    actor: str,
    now: datetime,
    expires_at: datetime | None = None,
) -> Created:
    """Makes a credential of this tenant. Raises BadId and StoreError."""
    name_of_row, secret = secrets.token_hex(6), secrets.token_urlsafe(32)
    values: dict[str, Any] = {
        "id": name_of_row,
        "tenant": checked_id("tenant", tenant),
        "kind": kind.value,
        "role": role.value,
        "scopes": sorted(scope.value for scope in scopes),
        "hash": _hash(secret) if kind is TokenKind.TOKEN else None,
        "name": name,
        "created_at": now,
        "created_by": actor,
        "expires_at": expires_at,
    }
    with writing(engine) as connection:
        connection.execute(insert(rows), values)
        audit.record(connection, at=now, tenant=tenant, surrogate=None, actor=actor, action="token", outcome="created")
    token = _token(values | {"revoked_at": None, "revoked_by": None})
    shown = f"{PREFIX}{token.id}_{secret}" if kind is TokenKind.TOKEN else written(signing_bytes(keys, token.id))
    return Created(token=token, secret=shown)


def verified(engine: Engine, presented: str, *, now: datetime) -> Token | None:
    """The token that was shown, None where it is unknown, wrong, expired or revoked. Takes the same time for each."""
    name, _, secret = presented.removeprefix(PREFIX).partition("_")
    if len(presented) > MAX_TOKEN or not presented.startswith(PREFIX):
        name = secret = ""
    with reading(engine) as connection:
        row = connection.execute(select(rows).where(rows.c.id == name)).one_or_none()
    right = hmac.compare_digest((row.hash if row else None) or "-" * 64, _hash(secret))
    token = _of_row(row) if row else None
    return token if token and right and token.valid_at(now) else None


def standing(engine: Engine, name: str, *, now: datetime) -> Token | None:
    """The token of this id where it is valid: what a session, which has shown its secret before, is checked by."""
    with reading(engine) as connection:
        row = connection.execute(select(rows).where(rows.c.id == name)).one_or_none()
    token = _of_row(row) if row else None
    return token if token and token.valid_at(now) else None


def signing_secrets(engine: Engine, keys: Keys, *, now: datetime) -> tuple[SigningSecret, ...]:
    """Every signing secret that is valid now, of all tenants: the door tells by the signature whose an event is."""
    query = select(rows).where(
        rows.c.kind == TokenKind.SIGNING.value,
        rows.c.revoked_at.is_(None),
        or_(rows.c.expires_at.is_(None), rows.c.expires_at > now),
    )
    with reading(engine) as connection:
        found = [_of_row(row) for row in connection.execute(query.order_by(rows.c.created_at, rows.c.id))]
    return tuple(SigningSecret(token=token, secret=signing_bytes(keys, token.id)) for token in found)


def listed(engine: Engine, *, tenant: str | None = None) -> tuple[Token, ...]:
    """Credentials, revoked ones too, oldest first."""
    query = select(rows).order_by(rows.c.created_at, rows.c.id)
    if tenant is not None:
        query = query.where(rows.c.tenant == tenant)
    with reading(engine) as connection:
        return tuple(_of_row(row) for row in connection.execute(query))


def revoke(engine: Engine, name: str, *, actor: str, now: datetime) -> Token | None:
    """Ends a credential at once; one that was revoked before stays as it was. None where there is none of this id."""
    with writing(engine) as connection:
        values = {"revoked_at": now, "revoked_by": actor}
        fresh = connection.execute(
            update(rows).where(rows.c.id == name, rows.c.revoked_at.is_(None)).values(values)
        ).rowcount
        row = connection.execute(select(rows).where(rows.c.id == name)).one_or_none()
        if row is not None and fresh:
            audit.record(
                connection, at=now, tenant=row.tenant, surrogate=None, actor=actor, action="token", outcome="revoked"
            )
    return _of_row(row) if row else None


def signing_bytes(keys: Keys, name: str) -> bytes:
    """The 32 bytes that a signing secret stands for: HMAC-SHA256 of the row's id under a key of ours."""
    return hmac.new(keys.ids, b"afterword signing secret\x00" + name.encode(), hashlib.sha256).digest()


def written(secret: bytes) -> str:
    """A signing secret as Standard Webhooks writes it."""
    return SIGNING_PREFIX + base64.b64encode(secret).decode()


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()


def _of_row(row: Row[Any]) -> Token:
    return _token(dict(row._mapping))


def _token(values: Mapping[str, Any]) -> Token:
    kept = {name: value for name, value in values.items() if name != "hash"}
    scopes = frozenset(Scope(name) for name in values["scopes"])
    typed = {"kind": TokenKind(values["kind"]), "role": Role(values["role"]), "scopes": scopes}
    return Token(**(kept | typed))
