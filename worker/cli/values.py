"""What a value at the command line may be: one parser for each sort, so that its bounds are everywhere the same.

Whatever lies beyond them is a usage error (exit 2), and never an exception from deeper down.
"""

import math
import os
import unicodedata
from pathlib import Path
from typing import Any

import click

from pipeline.ids import MAX_ID

COUNT = click.IntRange(min=1, max=1_000_000_000)
DAYS = click.IntRange(min=1, max=36_500)
"""A hundred years: what is to last longer has no end."""


class Plain(click.ParamType[str]):
    """Up to `most` characters of one line, not all blank: a name, a code, a note."""

    name = "text"

    def __init__(self, most: int = MAX_ID) -> None:
        self.most = most

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        text = str(value)
        # Cs: bytes of the shell that are no UTF-8 arrive as halves of characters.
        broken = any(unicodedata.category(char) in ("Cc", "Cs") for char in text)
        if broken or not text.strip() or len(text) > self.most:
            self.fail(f"want 1-{self.most} characters without control characters, not all blank", param, ctx)
        return text


class Amount(click.FloatRange):
    """A number in its range: infinity and nan, which Python reads too, are none."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        number = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"want a number, not {value!r}", param, ctx)
        return number


SECONDS = Amount(min=0)


class OutFile(click.Path):
    """A file to be written, in a folder that is there: known before any work is done for it."""

    def __init__(self) -> None:
        super().__init__(dir_okay=False, writable=True, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        path = Path(os.fsdecode(super().convert(value, param, ctx)))
        if not path.parent.is_dir() or not os.access(path.parent, os.W_OK):
            self.fail(f"{click.format_filename(path.parent)} is no folder that can be written into", param, ctx)
        return path
