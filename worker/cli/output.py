"""What a person or a program sees: JSON Lines or aligned columns on stdout, progress on a terminal's stderr only."""

import json
import re
import sys
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import click

from worker.wording import stamp

MAX_CELL = 60


def emit(row: Mapping[str, Any]) -> None:
    """One JSON line."""
    click.echo(json.dumps(row, ensure_ascii=False, default=_plain))


def _plain(value: object) -> object:
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat().replace("+00:00", "Z")
    if isinstance(value, timedelta):
        return value.total_seconds()
    raise TypeError(type(value).__name__)


def show(rows: Iterable[Mapping[str, Any]], columns: Sequence[str], *, as_json: bool, empty: str) -> int:
    """Rows as JSON Lines, or as aligned columns for people (`empty` where there are none). Returns how many."""
    listed = list(rows)
    if as_json:
        for row in listed:
            emit(row)
    elif listed:
        table(listed, columns)
    else:
        click.echo(empty)
    return len(listed)


def table(rows: Sequence[Mapping[str, Any]], columns: Sequence[str]) -> None:
    """Columns aligned by display width: a Han character takes two cells."""
    cells = [[_cell(row.get(column), column) for column in columns] for row in rows]
    titles = [column.replace("_", " ") for column in columns]
    widths = [max(width_of(line[i]) for line in [titles, *cells]) for i in range(len(columns))]
    for index, line in enumerate([titles, *cells]):
        text = "  ".join(padded(value, width) for value, width in zip(line, widths, strict=True))
        click.echo(click.style(text.rstrip(), dim=index == 0))


def details(row: Mapping[str, Any]) -> None:
    """One thing as 'name  value' lines, what is unknown left out."""
    known = {name: value for name, value in row.items() if value is not None}
    width = max(map(len, known), default=0)
    for name, value in known.items():
        click.echo(f"{click.style(name.replace('_', ' ').ljust(width), dim=True)}  {_cell(value, name)}")


_TIME = re.compile(r"(?:^|_)(?:at|from|until|since)$")
"""Names of columns that hold a time, which may come as text. A value that looks like a time is a value."""


def _cell(value: object, column: str) -> str:
    if value is None:
        return "-"
    if isinstance(value, str) and _TIME.search(column):
        value = _moment(value)
    if isinstance(value, datetime):
        return stamp(value)
    if isinstance(value, float):
        return f"{value:.2f}"
    return shortened(printable(str(value)))


def _moment(text: str) -> object:
    """The time that it is; else the text, as with a bare date."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return text
    return moment if moment.tzinfo else text


def printable(text: str) -> str:
    """Without control characters: a stored value must not move the operator's cursor or forge a line."""
    return "".join(" " if unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp") else c for c in text)


def shortened(text: str, limit: int = MAX_CELL) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"


def padded(text: str, width: int) -> str:
    """`text` filled up to `width` cells."""
    return text + " " * (width - width_of(text))


def width_of(text: str) -> int:
    """Cells on a terminal: a Han character takes two, a combining mark none."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 0 if unicodedata.combining(c) else 1 for c in text)


def say(text: str = "") -> None:
    """A line for people. Callers print it only without --json."""
    click.echo(text)


def warn(text: str) -> None:
    """A line on stderr, also with --json."""
    click.echo(f"afterword: {text}", err=True)


@contextmanager
def progress(total: int, label: str) -> Iterator[Any]:
    """A progress bar on stderr where that is a terminal, else silence. Call `.update(n)` on what it yields."""
    hidden = not sys.stderr.isatty()
    with click.progressbar(length=total, label=label, file=sys.stderr, hidden=hidden, show_pos=True) as bar:
        yield bar
