"""The root command: which verbs there are, each loaded only when it is called."""

import os
import sys
from collections.abc import Sequence
from importlib import import_module

import click

from worker.cli.exits import Exit, Stop

GROUPS: dict[str, dict[str, tuple[str, str]]] = {
    "Begin": {
        "demo": ("demo", "Run sample tickets, or FILE, through the whole way and show what is kept and why."),
        "up": ("up", "Run everything on this machine: Redis, workers, beat and door, until Ctrl-C."),
        "doctor": ("doctor", "Say what works, what does not, and what to do about it."),
    },
    "Tickets": {
        "enqueue": ("enqueue", "Hand in closed tickets, as JSON Lines."),
        "extract": ("extract", "Show what a model proposes for a ticket and what each gate says. Writes nothing."),
        "events": ("events", "List or show tickets by their state."),
        "backfill": ("backfill", "Read old tickets in bulk, as a batch file at half price or live."),
        "replay": ("replay", "Put finished tickets back, to be read again."),
        "stats": ("stats", "Counts that reconcile with what was accepted."),
        "pause": ("pause", "Let tickets wait, of everyone or of one tenant."),
        "resume": ("pause", "Go on after a pause."),
        "drain": ("pause", "Pause, and wait until what is running has ended."),
    },
    "Memory": {
        "recall": ("recall", "What an agent is told about a customer."),
        "mcp": ("mcp", "Serve memory to an agent over the Model Context Protocol (stdio)."),
        "facts": ("facts", "List a customer's facts, their history, or one with its evidence."),
        "remember": ("remember", "Write a fact as a system, a person or an extractor."),
        "review": ("review", "Questions for a person: list, accept, dismiss."),
        "retract": ("retract", "Take back all that one ticket taught."),
        "export": ("export", "Everything held on a customer, as one JSON document."),
    },
    "Forgetting": {
        "forget": ("forget", "Forget a customer, a fact or a tenant."),
        "erasures": ("erasures", "The erasure ledger: list, verify, reapply."),
        "purge": ("purge", "Delete for good what has had its time."),
    },
    "Policy": {
        "check": ("check", "Ask the gates about texts or keys."),
        "rescan": ("rescan", "Run today's gates over stored facts."),
        "audit": ("audit", "Who did what, when and why."),
        "evaluate": ("evaluate", "Measure the memory over annotated tickets."),
    },
    "Door": {
        "tokens": ("tokens", "Who may come through the HTTP door: create, list, revoke."),
    },
    "Database": {
        "migrate": ("migrate", "Bring the database to this version's schema."),
    },
}
COMMANDS = {name: entry for group in GROUPS.values() for name, entry in group.items()}


class LazyGroup(click.Group):
    """Loads a verb's module when the verb is called; the help is printed from the table above."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = getattr(import_module(f"worker.cli.{COMMANDS[cmd_name][0]}"), cmd_name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """click's own suggestion would load every verb; the table is enough."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from difflib import get_close_matches

            near = get_close_matches(args[0], COMMANDS, n=1)
            raise click.UsageError(f"no such verb: {args[0]}." + (f" Did you mean {near[0]}?" if near else ""), ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for title, entries in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([(name, entry[1]) for name, entry in entries.items()], col_max=12)


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="afterword", prog_name="afterword")
def root() -> None:
    """Afterword remembers customers for a support organisation's AI agent, and forgets them on request.

    Most verbs take --json (JSON Lines on stdout, nothing else there). What takes away what you name shows what it would
    do and wants --yes; purge takes what has had its time, as beat does daily, and asks none, nor do enqueue and replay.
    Times are ISO 8601 with their zone (2026-11-29T10:00:00+08:00); a bare date is its midnight UTC. Exit codes:
    0 done, 1 failed, 2 usage, 3 partly, 4 the selection matched nothing, 5 refused.
    """


def main(args: Sequence[str] | None = None) -> None:
    """The console script; `args` are the command line's by default.

    No traceback reaches a user: it could carry a customer's words.
    """
    try:
        code = root.main(args, prog_name="afterword", standalone_mode=False)
    except click.exceptions.Abort:
        click.echo("afterword: stopped", err=True)
        code = 130
    except Stop as stop:
        stop.show()
        code = stop.code
    except click.ClickException as error:
        error.show()
        code = error.exit_code
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = int(Exit.DONE)
    except Exception as error:
        stopped = explained(error)
        stopped.show()
        code = stopped.code
    sys.exit(code if isinstance(code, int) else 0)


def explained(error: Exception) -> Stop:
    """One line for an exception that reached the top. Its text is repeated only where it is known to be ours."""
    from store.engine import BadDatabaseUrl
    from worker.settings import SettingsError

    if isinstance(error, SettingsError | BadDatabaseUrl):
        return Stop(str(error), Exit.USAGE)
    if getattr(error, "for_people", False):
        return Stop(str(error))
    where = _last_own_frame(error)
    return Stop(f"unexpected {type(error).__name__} at {where}; `afterword doctor` says what works")


def _last_own_frame(error: Exception) -> str:
    frame, where = error.__traceback__, "?"
    while frame:
        code = frame.tb_frame.f_code
        module = frame.tb_frame.f_globals.get("__name__", "")
        if module.split(".")[0] in ("worker", "store", "pipeline"):
            where = f"{module}:{frame.tb_lineno} ({code.co_name})"
        frame = frame.tb_next
    return where
