"""Exit codes, and the one exception that ends a command early."""

from enum import IntEnum

import click


class Exit(IntEnum):
    DONE = 0
    FAILED = 1
    USAGE = 2
    PARTLY = 3
    NOTHING_MATCHED = 4
    REFUSED = 5


class Stop(click.ClickException):
    """Ends the command with one line on stderr: what, where, and what to do."""

    def __init__(self, message: str, code: Exit = Exit.FAILED) -> None:
        super().__init__(message)
        self.code = code

    def show(self, file: object = None) -> None:
        click.echo(f"afterword: {self.message}", err=True)
