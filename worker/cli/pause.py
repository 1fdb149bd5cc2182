"""`afterword pause`, `resume` and `drain`: tickets wait because an operator says so."""

import time

import click

from store.pauses import EVERYONE
from store.states import State
from worker.cli.exits import Exit, Stop
from worker.cli.opened import opened
from worker.cli.options import Identifier, actor_or_login, json_option, now
from worker.cli.output import emit, say
from worker.cli.values import SECONDS, Plain
from worker.runtime import Runtime
from worker.wording import counted

tenant = click.option("--tenant", type=Identifier(), help="One tenant; without it, everyone.")
actor_option = click.option("--actor", type=Plain(), help="Who. Default: operator:<login name>.")


@click.command()
@tenant
@actor_option
@json_option
def pause(tenant: str | None, actor: str | None, as_json: bool) -> None:
    """Let tickets wait, of everyone or of one tenant. They are still accepted; what runs, ends."""
    with opened() as runtime:
        _pause(runtime, tenant, actor)
    _answer(tenant, "paused", as_json)


@click.command()
@tenant
@actor_option
@json_option
@click.pass_context
def resume(ctx: click.Context, tenant: str | None, actor: str | None, as_json: bool) -> None:
    """Go on after a pause. Exit 4 where nothing was paused under that name."""
    from store import pauses

    with opened() as runtime:
        found = pauses.resume(runtime.engine, tenant or EVERYONE, actor=actor_or_login(actor), now=now())
    _answer(tenant, "resumed" if found else "was not paused", as_json)
    ctx.exit(Exit.DONE if found else Exit.NOTHING_MATCHED)


@click.command()
@tenant
@actor_option
@click.option("--timeout", type=SECONDS, default=300.0, show_default=True, help="Seconds to wait.")
@json_option
def drain(tenant: str | None, actor: str | None, timeout: float, as_json: bool) -> None:
    """Pause, and wait until what is running has ended: before an upgrade, say. `resume` goes on."""
    with opened() as runtime:
        _pause(runtime, tenant, actor, action="drain")
        deadline = time.monotonic() + timeout
        while left := _processing(runtime, tenant):
            if time.monotonic() > deadline:
                raise Stop(f"{counted(left, 'tickets')} still unfinished after {timeout:g} s; paused all the same")
            time.sleep(0.2)
    _answer(tenant, "drained", as_json)


def _pause(runtime: Runtime, tenant: str | None, actor: str | None, *, action: str = "pause") -> None:
    from store import pauses

    pauses.pause(runtime.engine, tenant or EVERYONE, actor=actor_or_login(actor), now=now(), action=action)


def _processing(runtime: Runtime, tenant: str | None) -> int:
    from store.counts import counts

    found = counts(runtime.engine, tenant=tenant)
    return sum(getattr(one, State.PROCESSING.value) for one in found.values())


def _answer(tenant: str | None, state: str, as_json: bool) -> None:
    if as_json:
        emit({"tenant": tenant, "state": state})
    else:
        say(f"{tenant or 'everyone'}: {state}")
