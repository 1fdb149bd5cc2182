"""`afterword doctor`: what works, what does not, and what to do."""

from dataclasses import asdict

import click

from worker.cli.exits import Exit
from worker.cli.opened import settings
from worker.cli.options import json_option
from worker.cli.output import emit

_COLOUR = {"ok": "green", "warn": "yellow", "fail": "red"}


@click.command()
@json_option
@click.pass_context
def doctor(ctx: click.Context, as_json: bool) -> None:
    """Say what works, what does not, and what to do about it. Changes nothing. Exit 1 where a check fails."""
    from worker.doctor import Health, examine
    from worker.runtime import connected

    runtime = connected(settings())
    failed = False
    for check in examine(runtime):
        failed |= check.health is Health.FAIL
        if as_json:
            emit(asdict(check))
        else:
            mark = click.style(check.health.value.ljust(4), fg=_COLOUR[check.health.value])
            click.echo(f"{mark}  {check.name.ljust(11)}  {check.says}")
    runtime.close()
    ctx.exit(Exit.FAILED if failed else Exit.DONE)
