"""`afterword check`: what the gates say of texts and keys, without storing anything."""

import json
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import click

from pipeline.facts import Verdict
from pipeline.policy import FLOOR, Policy, PolicyError, load_policy
from pipeline.reasons import Reason
from pipeline.wire import numbered_lines

PARTLY = 3
_NOT_UTF8 = re.compile("[\udc80-\udcff]")


@click.command(name="check")
@click.option("--keys", is_flag=True, help="Lines are keys: bare words, JSON strings, or objects with `key` or `text`.")
@click.option("--json", "as_json", is_flag=True, help="The scores as JSON Lines, too.")
@click.option(
    "--score",
    "scored",
    multiple=True,
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Score a labelled file by category.",
)
@click.option("--policy", type=click.Path(path_type=Path, exists=True, dir_okay=False), help="A policy file (TOML).")
@click.option("--tenant", default="", help="Whose policy of that file; its default without this.")
def check(*, keys: bool, as_json: bool, scored: tuple[Path, ...], policy: Path | None, tenant: str) -> None:
    """Judge JSON Lines from standard input: {"id", "text"} or {"id", "key"}, an answer a line, same order.

    Gate 5 judges keys, gates 6 and 7 judge texts; placeholders of masked values pass. A line without id gets its
    number. A line that cannot be read is refused as bad_shape, and the exit code is 3.
    """
    rules = _policy(policy, tenant)
    if scored:
        _print_scores([_score(path, rules) for path in scored], as_json=as_json)
        return
    unreadable = 0
    for answer in _answers(sys.stdin.buffer, rules, keys=keys):
        unreadable += answer["reason"] == Reason.BAD_SHAPE.value
        click.echo(json.dumps(answer))
    if unreadable:
        sys.exit(PARTLY)


def _policy(path: Path | None, tenant: str) -> Policy:
    if path is None:
        return FLOOR
    try:
        return load_policy(path)[tenant]
    except PolicyError as error:
        raise click.ClickException(f"{path}: {error}") from None


# --- judging --------------------------------------------------------------------------------------------------------


class Item(NamedTuple):
    """A line to judge: its id, and a key, a text or both. None of them: it could not be read."""

    id: Any
    key: str | None = None
    text: str | None = None


def _answers(lines: Any, policy: Policy, *, keys: bool) -> Iterator[dict[str, Any]]:
    for number, line in _lines(lines):
        item = _item(line, number, keys=keys)
        verdict = _judged(item, policy)
        yield {"id": item.id, "decision": "pass" if verdict.passed else "refuse", "reason": verdict.reason}


def _lines(lines: Iterable[bytes]) -> Iterator[tuple[int, str]]:
    """What is not UTF-8 stays one unreadable line: its bytes become halves of characters."""
    return numbered_lines(line.decode("utf-8", "surrogateescape") for line in lines)


def _item(line: str, number: int, *, keys: bool) -> Item:
    text = line.strip()
    if _NOT_UTF8.search(text):
        return Item(number)
    try:
        raw = json.loads(text)
    except (ValueError, RecursionError):
        return Item(number, key=text) if keys and not text.startswith(("{", "[")) else Item(number)
    if keys and isinstance(raw, str | int):
        return Item(number, key=text if isinstance(raw, int) else raw)
    return _object(raw, number, keys=keys) if isinstance(raw, dict) else Item(number)


def _object(raw: dict[str, Any], number: int, *, keys: bool) -> Item:
    given = raw.get("id")
    at = number if given is None or isinstance(given, dict | list) else given
    key, text = raw.get("key"), raw.get("text")
    if keys and key is None:
        key, text = text, None
    if any(value is not None and not isinstance(value, str) for value in (key, text)):
        return Item(at)
    return Item(at, key=key, text=text)


def _judged(item: Item, policy: Policy) -> Verdict:
    """Gate 5 on the key, 6 and 7 on the text; the first refusal counts."""
    from pipeline.authority import judge_authority
    from pipeline.forbidden import judge_key
    from pipeline.sensitive import judge_text

    if item.key is None and item.text is None:
        return Verdict(reason=Reason.BAD_SHAPE)
    verdict = Verdict() if item.key is None else judge_key(item.key, policy)
    if verdict.passed and item.text is not None:
        verdict = judge_text(item.text, policy)
        if verdict.passed:
            verdict = judge_authority(item.text)
    return verdict


# --- scoring --------------------------------------------------------------------------------------------------------


class Row(NamedTuple):
    """Counts of one category of a labelled file."""

    category: str
    must_refuse: int = 0
    refused: int = 0
    must_pass: int = 0
    falsely_refused: int = 0


def _score(path: Path, policy: Policy) -> tuple[str, list[Row]]:
    rows: dict[str, Row] = {}
    for number, line in _lines(path.read_bytes().splitlines()):
        label, item = _labelled(path, number, line)
        blocked = not _judged(item, policy).passed
        row = rows.get(label["category"], Row(label["category"]))
        rows[label["category"]] = (
            row._replace(must_refuse=row.must_refuse + 1, refused=row.refused + blocked)
            if label["expect"] == "refuse"
            else row._replace(must_pass=row.must_pass + 1, falsely_refused=row.falsely_refused + blocked)
        )
    return path.name, [rows[name] for name in sorted(rows)]


def _labelled(path: Path, number: int, line: str) -> tuple[dict[str, str], Item]:
    item = _item(line, number, keys=False)
    raw = json.loads(line) if item.key is not None or item.text is not None else {}
    if raw.get("expect") not in {"refuse", "pass"}:
        raise click.ClickException(f"{path}, line {number}: want a text or key, and `expect`: refuse or pass")
    category = raw.get("category")
    return {"expect": raw["expect"], "category": category if isinstance(category, str) else "keys"}, item


def _total(rows: list[Row]) -> Row:
    return Row(
        "total",
        sum(row.must_refuse for row in rows),
        sum(row.refused for row in rows),
        sum(row.must_pass for row in rows),
        sum(row.falsely_refused for row in rows),
    )


_HEAD = ("category", "n", "refused of must-refuse", "falsely refused of must-pass")


def _print_scores(scores: list[tuple[str, list[Row]]], *, as_json: bool) -> None:
    for name, rows in scores:
        total = _total(rows)
        if as_json:
            for row in [*rows, total]:
                click.echo(json.dumps({"file": name, **row._asdict()}))
        else:
            _print_table(name, [*rows, total])


def _print_table(name: str, rows: list[Row]) -> None:
    cells = [_HEAD, *(_cells(row) for row in rows)]
    widths = [max(len(line[i]) for line in cells) for i in range(len(_HEAD))]
    click.echo(name)
    for line in cells:
        click.echo(
            "  ".join(
                f"{cell:<{width}}" if i == 0 else f"{cell:>{width}}"
                for i, (cell, width) in enumerate(zip(line, widths, strict=True))
            )
        )
    click.echo()


def _cells(row: Row) -> tuple[str, str, str, str]:
    return (
        row.category,
        str(row.must_refuse + row.must_pass),
        _share(row.refused, row.must_refuse),
        _share(row.falsely_refused, row.must_pass),
    )


def _share(part: int, whole: int) -> str:
    return f"{part}/{whole} = {part / whole:.1%}" if whole else "-"
