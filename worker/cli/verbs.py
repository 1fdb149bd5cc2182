"""A verb that has verbs of its own."""

import click


class Verbs(click.Group):
    """Its help tells each verb's first sentence whole: click would cut it off where the line ends."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        rows = [(name, self.commands[name].get_short_help_str(limit=1_000)) for name in self.list_commands(ctx)]
        with formatter.section("Commands"):
            formatter.write_dl(rows)
