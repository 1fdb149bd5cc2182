"""`afterword remember`: what a business system, a person or an extractor states, through the same gates."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, TextIO

import click

from pipeline.facts import Decision, Source
from pipeline.kinds import Kind
from pipeline.statement import BadStatement, Statement, checked_statement, parse_statement
from pipeline.wire import numbered_lines
from worker.cli.exits import Exit
from worker.cli.opened import opened
from worker.cli.options import Identifier, Moment, actor_option, actor_or_login, json_option
from worker.cli.output import emit, say
from worker.terms import terms_of

LONE = ("tenant", "customer", "kind", "key", "value", "source")


@click.command()
@click.option(
    "--lines", type=click.File("r", encoding="utf-8", errors="replace"), help="JSON Lines of the same fields."
)
@click.option("--tenant", type=Identifier())
@click.option("--customer", type=Identifier())
@click.option("--kind", type=click.Choice([kind.value for kind in Kind]))
@click.option("--key")
@click.option("--value")
@click.option("--source", type=click.Choice([source.value for source in Source]))
@click.option(
    "--observed-at", type=Moment(), help="When it was so; what was stated since is judged anew. Default: now."
)
@click.option("--importance", type=float)
@click.option("--confidence", type=float)
@click.option("--ticket", type=Identifier(), help="The ticket that it comes from.")
@click.option("--until", help="The last day (YYYY-MM-DD) on which it holds.")
@click.option("--ended", is_flag=True, help="It no longer holds: the fact gets its end, and no successor.")
@actor_option
@json_option
@click.pass_context
def remember(ctx: click.Context, /, lines: TextIO | None, actor: str | None, as_json: bool, **fields: Any) -> None:
    """State a fact, or many with --lines FILE (or -). A REJECT is an answer, not a failure.

    Each answer: {"decision": ADD, UPDATE, NOOP or REJECT, "reason": code}. With --lines an unreadable line is answered
    by its faults, each with field and problem, and the command ends with 3.
    """
    stated = [_lone(fields)] if lines is None else _read(lines)
    with opened() as runtime:
        answers = _answers(runtime, stated, actor_or_login(actor))
        count = _print_lines(answers, as_json) if lines is not None else _print_lone(answers, as_json)
    ctx.exit(Exit.PARTLY if count["invalid"] else Exit.DONE)


def _lone(fields: dict[str, Any]) -> Statement:
    missing = [f"--{name}" for name in LONE if fields[name] is None and not (name == "value" and fields["ended"])]
    if missing:
        raise click.UsageError(f"want {', '.join(missing)} (or --lines FILE)")
    at = fields["observed_at"]
    try:
        return checked_statement({**fields, "observed_at": at.isoformat() if at else None})
    except BadStatement as error:
        raise click.UsageError(str(error)) from None


def _read(lines: Iterable[str]) -> Iterator[Statement | BadStatement]:
    for _, line in numbered_lines(lines):
        try:
            yield parse_statement(line)
        except BadStatement as error:
            yield error


def _answers(runtime: Any, stated: Iterable[Statement | BadStatement], actor: str) -> Iterator[Decision | BadStatement]:
    from store.statements import Stating, remember_many

    # An operator at the command line has seen what they write: it counts as having a conversation behind it.
    stating = Stating(now=None, actor=actor, has_transcript=True)
    return remember_many(runtime.engine, runtime.keys, stated, terms=terms_of(runtime), stating=stating)


def _row(answer: Decision | BadStatement) -> dict[str, Any]:
    if isinstance(answer, BadStatement):
        first = {"field": answer.field, "problem": answer.problem}
        return {"decision": "REJECT", "reason": "bad_shape", **first, "faults": answer.rows()}
    row = {"decision": answer.action.value, "reason": answer.reason.value}
    return {**row, **({"fact": answer.fact_id} if answer.fact_id else {})}


def _print_lone(answers: Iterable[Decision | BadStatement], as_json: bool) -> Counter[str]:
    for answer in answers:
        if as_json:
            emit(_row(answer))
        elif isinstance(answer, Decision):
            say(f"{answer.action.value} · {answer.reason.value}: {answer.reason.explain}")
    return Counter()


def _print_lines(answers: Iterable[Decision | BadStatement], as_json: bool) -> Counter[str]:
    count: Counter[str] = Counter()
    for number, answer in enumerate(answers, start=1):
        row = _row(answer)
        count["invalid" if isinstance(answer, BadStatement) else row["decision"]] += 1
        if as_json:
            emit(row)
        elif isinstance(answer, BadStatement):
            say(f"statement {number}: {answer}")
    if not as_json:
        say("  ".join(f"{number} {name}" for name, number in sorted(count.items())) or "no statements")
    return count
