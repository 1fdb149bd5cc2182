"""The HTTP door for tests: a real application over a real database, with tokens and signatures at hand."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from pipeline.ids import CustomerRef
from pipeline.statement import checked_statement
from store import tokens
from store.engine import writing
from store.statements import Stating, remember
from store.states import Role, TokenKind
from store.tokens import Created, Scope
from worker.http.application import create_app
from worker.http.webhooks import secret_bytes, signature
from worker.runtime import Runtime, open_runtime
from worker.settings import read_settings
from worker.terms import terms_of

CLOSED = "2026-03-02T09:00:00+00:00"


def ticket(*texts: str, **given: Any) -> dict[str, Any]:
    """TicketClosed's fields as a producer sends them; the tenant is the credential's."""
    messages = [{"role": "customer", "text": text} for text in texts or ("E-mail only, please don't call.",)]
    usual = {"ticket_id": "t-1", "customer_id": "c-1", "closed_at": CLOSED, "messages": messages, "language": "en"}
    return usual | given


def cloud_event(data: Any = None, **given: Any) -> dict[str, Any]:
    usual = {"specversion": "1.0", "id": "1", "source": "/helpdesk", "type": "helpdesk.ticket.closed.v1"}
    return usual | {"data": ticket() if data is None else data} | given


@dataclass(kw_only=True)
class DoorWorld:
    """`client` speaks to the application in this process. Every token has all scopes unless they are named."""

    runtime: Runtime
    client: TestClient
    now: datetime | None = None
    _made: dict[str, Created] = field(default_factory=dict)

    def clock(self) -> datetime:
        return self.now or datetime.now(UTC)

    def create(
        self,
        tenant: str = "acme",
        role: Role = Role.SYSTEM,
        scopes: Sequence[Scope] = tuple(Scope),
        kind: TokenKind = TokenKind.TOKEN,
        **given: Any,
    ) -> Created:
        now = datetime.now(UTC)
        return tokens.create(
            self.runtime.engine,
            self.runtime.keys,
            tenant=tenant,
            kind=kind,
            role=role,
            scopes=scopes,
            name="test",
            actor="test",
            now=now,
            **given,
        )

    def revoke(self, made: Created) -> None:
        """As `afterword tokens revoke` does in another process, a second ago."""
        tokens.revoke(self.runtime.engine, made.token.id, actor="test", now=datetime.now(UTC))
        self.client.app.state.context.credentials.forget()  # type: ignore[attr-defined]

    def bearer(self, **given: Any) -> dict[str, str]:
        """The header that shows a token; one token for the same wishes."""
        name = repr(sorted(given.items()))
        if name not in self._made:
            self._made[name] = self.create(**given)
        return {"Authorization": f"Bearer {self._made[name].secret}"}

    def signing(self, tenant: str = "acme") -> Created:
        return self.create(tenant, kind=TokenKind.SIGNING, scopes=[Scope.ENQUEUE])

    def signed(self, secret: str, body: bytes, *, name: str = "msg_1", at: datetime | None = None) -> dict[str, str]:
        """The headers of a body signed with a secret as it was shown."""
        key, stamp = secret_bytes(secret), int((at or self.clock()).timestamp())
        assert key is not None
        return {
            "webhook-id": name,
            "webhook-timestamp": str(stamp),
            "webhook-signature": signature(key, message_id=name, timestamp=stamp, body=body),
            "content-type": "application/cloudevents+json",
        }

    def post_event(self, event: Mapping[str, Any], **given: Any) -> Any:
        body = json.dumps(event).encode()
        headers = {"content-type": "application/cloudevents+json"} | (given.pop("headers", None) or self.bearer())
        return self.client.post("/v1/events", content=body, headers=headers, **given)

    @contextmanager
    def full(self, table: str) -> Iterator[None]:
        """SQLite, meanwhile, takes no row into the table: it says that its disk is full."""
        with writing(self.runtime.engine) as connection:
            says = "SELECT RAISE(ABORT, 'database or disk is full')"
            connection.exec_driver_sql(f"CREATE TRIGGER full BEFORE INSERT ON {table} BEGIN {says}; END")
        yield
        with writing(self.runtime.engine) as connection:
            connection.exec_driver_sql("DROP TRIGGER full")

    def remember(self, key: str, value: str, **given: Any) -> str:
        """States a fact directly. Returns the fact's id."""
        usual = {"tenant": "acme", "customer": "c-1", "kind": "preference", "key": key, "value": value}
        statement = checked_statement(usual | {"source": "system"} | given)
        done = remember(
            self.runtime.engine,
            self.runtime.keys,
            statement,
            terms=terms_of(self.runtime),
            stating=Stating(now=datetime.now(UTC), actor="test", has_transcript=given.get("source") != "extracted"),
        )
        return done.fact_id

    def facts(self, customer: str = "c-1", tenant: str = "acme") -> list[str]:
        from store.history import live
        from store.scope import customer_reading

        with customer_reading(self.runtime.engine, CustomerRef(tenant=tenant, customer=customer)) as view:
            return [f"{fact.slot.key} = {fact.value}" for fact in live(view, at=datetime.now(UTC))]


@contextmanager
def door_world(home: Path, database_url: str, **given: str) -> Iterator[DoorWorld]:
    """A door over a migrated database. `given` are further settings, without their prefix."""
    usual = {"home": str(home), "database_url": database_url, "key": "ab" * 32, "extractor": "rules"}
    usual["embedder"] = "none"  # else each door loads the encoder
    environ = {f"AFTERWORD_{name.upper()}": value for name, value in (usual | given).items()}
    runtime = open_runtime(read_settings(environ))
    world = DoorWorld(runtime=runtime, client=None)  # type: ignore[arg-type]
    application = create_app(runtime, clock=world.clock)
    with TestClient(application, raise_server_exceptions=True, follow_redirects=False) as client:
        world.client = client
        yield world
