"""`afterword review`: questions that a person must answer."""

from datetime import datetime
from typing import Any

import click

from pipeline.reasons import Reason, explained
from store.states import ReviewState
from worker.cli.exits import Exit, Stop
from worker.cli.opened import opened
from worker.cli.options import Identifier, actor_or_login, customer_option, json_option, now, ref, tenant_option
from worker.cli.output import emit, say, show
from worker.cli.values import COUNT, Plain
from worker.cli.verbs import Verbs

COLUMNS = ("age", "customer", "ticket", "key", "says", "source", "holds", "reason", "changed", "id")
ask = click.option("--actor", type=Plain(), help="Who answers, for the audit. Default: operator:<login name>.")


@click.group(cls=Verbs)
def review() -> None:
    """Questions for a person: statements that were not applied because a stronger source, doubt or policy stood
    against them. Accepting writes the statement as agent_confirmed; dismissing lets it rest for good."""


@review.command("list")
@tenant_option
@click.option("--customer", type=Identifier())
@click.option("--state", type=click.Choice([s.value for s in ReviewState]), default="open", show_default=True)
@click.option("--limit", type=COUNT, default=200, show_default=True)
@json_option
def list_(tenant: str, customer: str | None, state: str, limit: int, as_json: bool) -> None:
    """Questions, those that have waited longest first.

    \b
    says     what was stated, by that source, in that ticket
    holds    what is remembered instead
    reason   why it was not applied
    changed  yes: something else holds than when the question was put, so accept wants --seen
    """
    from store.review import listed

    with opened() as runtime:
        items = listed(runtime.engine, tenant=tenant, customer=customer, state=ReviewState(state), limit=limit)
    rows = [_row(item, now()) for item in items]
    show(rows if as_json else map(_for_people, rows), COLUMNS, as_json=as_json, empty="no questions")


def _for_people(row: dict[str, Any]) -> dict[str, Any]:
    return {**row, "changed": "yes" if row["changed"] else "no"}


def _row(item: Any, moment: datetime) -> dict[str, Any]:
    said = item.observation
    return {
        "id": said.id,
        "customer": said.slot.ref.customer,
        "key": said.slot.key,
        "says": "(ended)" if said.ended else said.value,
        "source": said.source.value,
        "holds": item.live.value if item.live else None,
        "reason": item.reason.value,
        "ticket": said.ticket or None,
        "opened_at": item.opened_at,
        "age": _age((moment - item.opened_at).total_seconds()),
        "state": item.state.value,
        "resolved_by": item.resolved_by,
        "resolved_at": item.resolved_at,
        "changed": item.changed,
        "standing": item.standing,
    }


def _age(seconds: float) -> str:
    """2 d, 5 h or 12 min: the largest unit that fits."""
    for unit, size in (("d", 86_400), ("h", 3_600)):
        if seconds >= size:
            return f"{int(seconds // size)} {unit}"
    return f"{int(seconds // 60)} min"


@review.command()
@click.argument("item", type=Identifier())
@tenant_option
@customer_option
@click.option("--seen", help="The standing that `review list --json` showed, where the slot has changed since.")
@ask
@json_option
@click.pass_context
def accept(
    ctx: click.Context, item: str, tenant: str, customer: str, seen: str | None, actor: str | None, as_json: bool
) -> None:
    """Let a statement hold after all, as agent_confirmed. Asked again (exit 5) where the slot has changed since."""
    from store.review import accept as accepted
    from store.scope import customer_writing
    from worker.terms import terms_of

    with opened() as runtime, customer_writing(runtime.engine, runtime.keys, ref(tenant, customer), now=now()) as tx:
        done = accepted(tx, item, actor=actor_or_login(actor), terms=terms_of(runtime), seen=seen)
    _answer(ctx, done, as_json)


@review.command()
@click.argument("item", type=Identifier())
@tenant_option
@customer_option
@ask
@json_option
@click.pass_context
def dismiss(ctx: click.Context, item: str, tenant: str, customer: str, actor: str | None, as_json: bool) -> None:
    """Let a statement rest. It is not asked about again, also not after a replay."""
    from store.review import dismiss as dismissed
    from store.scope import customer_writing

    with opened() as runtime, customer_writing(runtime.engine, runtime.keys, ref(tenant, customer), now=now()) as tx:
        done = dismissed(tx, item, actor=actor_or_login(actor))
    _answer(ctx, done, as_json)


_SAID = {
    "accepted": (Exit.DONE, "accepted"),
    "dismissed": (Exit.DONE, "dismissed"),
    "changed": (Exit.REFUSED, "the slot has changed since: look again, and pass --seen {standing}"),
    "refused": (Exit.REFUSED, "may not be written: {reason}, {why}. The question stays open: {advice}"),
    "already_resolved": (Exit.REFUSED, "was answered before"),
    "unknown": (Exit.NOTHING_MATCHED, "this customer has no such question"),
}


_ADVICE = {Reason.OUTRANKED.value: "mend the business system, which then states it, or dismiss the question"}
_ELSE = "dismiss lets it rest"


def _answer(ctx: click.Context, done: Any, as_json: bool) -> None:
    code, text = _SAID[done.outcome.value]
    decision = done.decision
    row = {
        "outcome": done.outcome.value,
        "decision": decision.action.value if decision else None,
        "reason": decision.reason.value if decision else None,
        "standing": done.standing,
    }
    if as_json:
        emit(row)
    elif code is Exit.DONE:
        say(text + (f": {row['decision']} · {row['reason']}" if decision else ""))
    else:
        reason = row["reason"]
        raise Stop(text.format(**row, why=explained(reason), advice=_ADVICE.get(reason, _ELSE)), code)
    ctx.exit(code)
