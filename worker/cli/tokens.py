"""`afterword tokens`: who may come through the HTTP door."""

from datetime import timedelta
from typing import Any

import click

from store.states import Role, TokenKind
from store.tokens import Scope
from worker.cli.exits import Exit, Stop
from worker.cli.opened import opened
from worker.cli.options import Identifier, actor_option, actor_or_login, json_option, now, tenant_option
from worker.cli.output import emit, say, show, warn
from worker.cli.values import DAYS, Plain
from worker.cli.verbs import Verbs

COLUMNS = ("id", "tenant", "kind", "role", "scopes", "name", "created_at", "expires_at", "revoked_at")


@click.group(cls=Verbs)
def tokens() -> None:
    """Tokens and signing secrets of a tenant. A token is kept as a hash, a signing secret not at all: each is
    shown once, when it is made."""


@tokens.command()
@tenant_option
@click.option(
    "--scope",
    "scopes",
    type=click.Choice([scope.value for scope in Scope]),
    multiple=True,
    help="What it may do; may be repeated.",
)
@click.option(
    "--role",
    type=click.Choice([role.value for role in Role]),
    default=Role.AGENT.value,
    show_default=True,
    help="Who speaks: a business system's facts count as system, a person's as agent_confirmed, an agent's wait.",
)
@click.option("--signing", is_flag=True, help="A secret to sign events with (Standard Webhooks), not a token.")
@click.option("--name", type=Plain(), help="What it is for. No customer data.")
@click.option("--days", type=DAYS, help="How long it is valid. Default: until it is revoked.")
@actor_option
@json_option
def create(
    tenant: str,
    scopes: tuple[str, ...],
    role: str,
    signing: bool,
    name: str | None,
    days: int | None,
    actor: str | None,
    as_json: bool,
) -> None:
    """Make a token, or with --signing a secret that events are signed with. Its text is shown now and never again."""
    from store import tokens as store

    if signing and scopes:
        raise click.UsageError("--signing signs events and nothing else: leave --scope out")
    if not signing and not scopes:
        raise click.UsageError("want --scope (enqueue, recall, write, operate), or --signing")
    moment = now()
    with opened() as runtime:
        made = store.create(
            runtime.engine,
            runtime.keys,
            tenant=tenant,
            kind=TokenKind.SIGNING if signing else TokenKind.TOKEN,
            role=Role.SYSTEM if signing else Role(role),
            scopes=[Scope.ENQUEUE] if signing else [Scope(scope) for scope in scopes],
            name=name or "",
            actor=actor_or_login(actor),
            now=moment,
            expires_at=moment + timedelta(days=days) if days else None,
        )
    if as_json:
        emit({**_row(made.token), "secret" if signing else "token": made.secret})
    else:
        say(made.secret)
        warn(f"id {made.token.id}; shown once: keep it where secrets are kept")  # a script takes the other line


@tokens.command("list")
@click.option("--tenant", type=Identifier())
@json_option
def list_(tenant: str | None, as_json: bool) -> None:
    """Tokens and signing secrets, revoked ones too, oldest first. Never their text."""
    from store.tokens import listed

    with opened() as runtime:
        found = listed(runtime.engine, tenant=tenant)
    rows = [_row(token) for token in found]
    shown = rows if as_json else [{**row, "scopes": " ".join(row["scopes"])} for row in rows]
    show(shown, COLUMNS, as_json=as_json, empty="no tokens")


@tokens.command()
@click.argument("token_id", type=Identifier())
@actor_option
@json_option
def revoke(token_id: str, actor: str | None, as_json: bool) -> None:
    """End a token or a signing secret, and every session that was opened with it, at once."""
    from store.tokens import revoke as revoked

    with opened() as runtime:
        found = revoked(runtime.engine, token_id, actor=actor_or_login(actor), now=now())
    if found is None:
        raise Stop(f"no token {token_id}: `afterword tokens list`", Exit.NOTHING_MATCHED)
    if as_json:
        emit(_row(found))
    else:
        say(f"revoked {found.id} of tenant {found.tenant}")


def _row(token: Any) -> dict[str, Any]:
    return {
        "id": token.id,
        "tenant": token.tenant,
        "kind": token.kind.value,
        "role": token.role.value,
        "scopes": sorted(scope.value for scope in token.scopes),
        "name": token.name,
        "created_at": token.created_at,
        "created_by": token.created_by,
        "expires_at": token.expires_at,
        "revoked_at": token.revoked_at,
        "revoked_by": token.revoked_by,
    }
