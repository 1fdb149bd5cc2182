"""`afterword purge`: what has had its time is deleted for good."""

import click

from worker import house
from worker.cli.exits import Exit, Stop
from worker.cli.opened import opened
from worker.cli.options import dry_run_option, json_option
from worker.cli.output import emit, say, table, warn
from worker.wording import counted

BUSY = "the write-ahead log could not be emptied because somebody was reading: deleted text may still stand in it"


class Explained(click.Command):
    """Its help says what each of the numbers counts."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("What is counted, and the setting that says how long it is kept"):
            formatter.write_dl([(name, f"{one.explain} ({one.after})") for name, one in house.PURGED.items()])


@click.command(cls=Explained)
@dry_run_option
@json_option
@click.pass_context
def purge(ctx: click.Context, dry_run: bool, as_json: bool) -> None:
    """Delete for good: what was forgotten, expired or has outlived its retention. Beat does so by itself.

    Exit 3 where SQLite's log was busy, so that deleted text may still be in it: purge again. A dry run tells the same
    numbers, takes about as long, and nobody waits for it.
    """
    from store.engine import clock
    from store.exclusive import AlreadyRunning

    with opened() as runtime:
        try:
            report = house.purge_report(runtime, now=clock(runtime.engine), dry_run=dry_run)
        except AlreadyRunning as error:
            raise Stop(str(error), Exit.REFUSED) from None
    if as_json:
        emit({"dry_run": dry_run, "rows": report.rows, "busy": report.busy, "purged": dict(report.numbers)})
    else:
        verb = "would be purged" if dry_run else "purged"
        say(f"{counted(report.rows, 'rows')} {verb}")
        table([{"class": name, "rows": number} for name, number in report.numbers.items()], ("class", "rows"))
    if report.busy:
        warn(BUSY)
    ctx.exit(Exit.PARTLY if report.busy else Exit.DONE)
