"""`afterword recall`: what an agent is told about a customer."""

from contextlib import ExitStack
from datetime import datetime
from typing import TYPE_CHECKING, Any

import click

from pipeline.facts import Source
from pipeline.kinds import Kind
from worker.cli.opened import opened, told
from worker.cli.options import Moment, json_option, now, ref, whose
from worker.cli.output import emit, printable, say
from worker.cli.values import COUNT, Plain
from worker.wording import stamp

if TYPE_CHECKING:
    from worker.runtime import Runtime

PATIENCE = 30.0
"""Seconds. In a fresh process nothing is embedded yet, and whoever waits here would rather wait than go by words."""


@click.command()
@whose
@click.option("--query", help="What the agent is about to answer: relevance first.")
@click.option("--k", type=COUNT, default=12, show_default=True, help="At most so many facts.")
@click.option("--budget", type=COUNT, default=600, show_default=True, help="Tokens of the block.")
@click.option("--at", type=Moment(), help="As of that time. Default: now.")
@click.option("--known-at", type=Moment(), help="As it was recorded at that time.")
@click.option("--kind", "kinds", type=click.Choice([kind.value for kind in Kind]), multiple=True)
@click.option("--min-source", type=click.Choice([source.value for source in Source]))
@click.option("--changed-since", type=Moment(), help="Also say which facts are new since then, and which are gone.")
@click.option("--language", type=click.Choice(["en", "zh"]), default="en", show_default=True, help="Of the block.")
@click.option("--actor", type=Plain(), help="Who asks, for the receipt.")
@click.option("--explain", is_flag=True, help="Also say why each other fact is not told.")
@json_option
def recall(
    tenant: str,
    customer: str,
    query: str | None,
    k: int,
    budget: int,
    at: datetime | None,
    known_at: datetime | None,
    kinds: tuple[str, ...],
    min_source: str | None,
    changed_since: datetime | None,
    language: str,
    actor: str | None,
    explain: bool,
    as_json: bool,
) -> None:
    """What an agent is told: the live facts, best first, and the block for its prompt.

    With --query the facts that answer it come first, found by meaning; the first such call of a process loads the
    encoder, which takes two seconds (a server or a worker does so once). Memory is an aid: a database that is down
    gives an empty block that says `degraded`, and exit 0; stderr says what is wrong.
    """
    from worker.recalling import recall_once_open

    with ExitStack() as stack:
        answer = recall_once_open(
            lambda: _ready(stack, asks=bool(query and query.strip())),
            ref(tenant, customer),
            query=query,
            k=k,
            budget=budget,
            now=at or now(),
            known_at=known_at,
            kinds=frozenset(Kind(kind) for kind in kinds) or None,
            min_source=Source(min_source) if min_source else None,
            changed_since=changed_since,
            language=language,
            actor=actor or "cli",
            explain=explain,
            patience=PATIENCE,
        )
    if as_json:
        emit(answer.document())
    else:
        _print(answer)


def _ready(stack: ExitStack, *, asks: bool) -> "Runtime":
    """The runtime, until `stack` ends; for a query with its encoder loaded: the deadline is for the embedder's answer,
    and who waits at a command line waits for the loading too. Raises CannotStart, once stderr has why."""
    from worker.warming import load_encoder

    runtime = told(lambda: stack.enter_context(opened()))
    if asks:
        load_encoder(runtime)
    return runtime


def _print(answer: Any) -> None:
    for line in answer.block.splitlines():
        say(printable(line))
    say()
    document = answer.document()
    for fact in document["facts"]:
        say(f"{fact['score']:.3f}  {fact['key']}  ({_parts(fact)})")
    for one in document.get("explained", []):
        if one["why"] != "told":
            say(f"  -    {one['key']}  {one['why']}: {one['says']}")
    if changes := document.get("changes"):
        since = stamp(datetime.fromisoformat(changes["since"]))
        say(f"since {since}: {len(changes['fresh'])} new or changed, {len(changes['gone'])} gone")
    for flag in document["flags"]:
        say(f"note: {flag}")
    if answer.receipt:
        say(f"receipt {answer.receipt}")


def _parts(fact: dict[str, Any]) -> str:
    return ", ".join(f"{name} {value:.2f}" for name, value in fact["parts"].items() if value is not None)
