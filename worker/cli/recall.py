"""`afterword recall`: what an agent is told about a customer."""

from datetime import datetime
from typing import Any

import click

from pipeline.facts import Source
from pipeline.kinds import Kind
from worker.cli.opened import opened
from worker.cli.options import Moment, json_option, now, ref, whose
from worker.cli.output import emit, printable, say


@click.command()
@whose
@click.option("--query", help="What the agent is about to answer: relevance first.")
@click.option("--k", type=click.IntRange(min=1), default=12, show_default=True, help="At most so many facts.")
@click.option("--budget", type=click.IntRange(min=1), default=600, show_default=True, help="Tokens of the block.")
@click.option("--at", type=Moment(), help="As of that time. Default: now.")
@click.option("--known-at", type=Moment(), help="As it was recorded at that time.")
@click.option("--kind", "kinds", type=click.Choice([kind.value for kind in Kind]), multiple=True)
@click.option("--min-source", type=click.Choice([source.value for source in Source]))
@click.option("--language", default="en", show_default=True, help="Of the block: zh or en.")
@click.option("--actor", default=None, help="Who asks, for the receipt.")
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
    language: str,
    actor: str | None,
    as_json: bool,
) -> None:
    """What an agent is told: the live facts, best first, and the block for its prompt."""
    from worker.recall import recall as recalled

    with opened() as runtime:
        answer = recalled(
            runtime,
            ref(tenant, customer),
            query=query,
            k=k,
            budget=budget,
            now=at or now(),
            known_at=known_at,
            kinds=frozenset(Kind(kind) for kind in kinds) or None,
            min_source=Source(min_source) if min_source else None,
            language=language,
            actor=actor or "cli",
        )
    if as_json:
        emit(answer.document())
    else:
        _print(answer)


def _print(answer: Any) -> None:
    for line in answer.block.splitlines():
        say(printable(line))
    say()
    for fact in answer.document()["facts"]:
        parts = ", ".join(f"{name} {value:.2f}" for name, value in fact["parts"].items() if value is not None)
        say(f"{fact['score']:.3f}  {fact['key']}  ({parts})")
