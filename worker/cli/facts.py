"""`afterword facts`: what is remembered of a customer, its history, and one fact with all that explains it."""

from datetime import datetime
from typing import TYPE_CHECKING, Any

import click

from worker.cli.exits import Exit, Stop
from worker.cli.forget import forgotten_fact
from worker.cli.opened import opened
from worker.cli.options import Identifier, Moment, json_option, now, ref, whose, why, yes_option
from worker.cli.output import details, emit, say, show, warn
from worker.cli.values import Plain
from worker.cli.verbs import Verbs
from worker.wording import stamp

if TYPE_CHECKING:
    from store.scope import CustomerView

COLUMNS = ("key", "value", "kind", "source", "valid_from", "expires_at", "id")
HISTORY = ("key", "value", "source", "valid_from", "valid_to", "expires_at", "id")
known_at_option = click.option("--known-at", type=Moment(), help="As it was recorded at that time.")
key_option = click.option("--key", type=Plain(), help="This key alone; an alias will do.")


@click.group(cls=Verbs)
def facts() -> None:
    """A customer's facts: what holds, what held, and why."""


@facts.command("list")
@whose
@key_option
@click.option("--at", type=Moment(), help="What held at that time. Default: now.")
@known_at_option
@json_option
def list_(
    tenant: str, customer: str, key: str | None, at: datetime | None, known_at: datetime | None, as_json: bool
) -> None:
    """What is live and unexpired, a line a fact, oldest first."""
    from store.history import live, plain
    from store.scope import customer_reading

    with opened() as runtime, customer_reading(runtime.engine, ref(tenant, customer)) as view:
        folded = runtime.catalogue.fold(key) if key else None
        found = [plain(fact) for fact in live(view, at=at or now(), known_at=known_at, key=folded)]
        if at or known_at:
            _tell_purged(view, folded, None if known_at else at)
    show(found, COLUMNS, as_json=as_json, empty="nothing is remembered of this customer")


@facts.command()
@whose
@key_option
@known_at_option
@json_option
def history(tenant: str, customer: str, key: str | None, known_at: datetime | None, as_json: bool) -> None:
    """Everything that ever held by what is recorded today, ended and expired too, oldest first.

    A statement of a stronger source about an earlier time may show that what was live never held: then it stands here
    no more. --known-at tells what was recorded at that time, and `audit list --customer` what was decided.
    """
    from store.history import history as all_of
    from store.history import plain
    from store.scope import customer_reading

    with opened() as runtime, customer_reading(runtime.engine, ref(tenant, customer)) as view:
        folded = runtime.catalogue.fold(key) if key else None
        found = [plain(fact) for fact in all_of(view, key=folded, known_at=known_at)]
        _tell_purged(view, folded, None)
    show(found, HISTORY, as_json=as_json, empty="nothing was ever remembered of this customer")


def _tell_purged(view: "CustomerView", key: str | None, moment: datetime | None) -> None:
    """Says that there was more, where the answer is about `moment` (None: any) and history was purged beyond it."""
    from store.history import purged_until

    until = purged_until(view, key=key)
    if until and (moment is None or moment <= until):
        warn(f"history was purged: of what held until {stamp(until)} some is not told any more")


@facts.command("show")
@click.argument("fact_id", type=Identifier())
@whose
@json_option
def show_(fact_id: str, tenant: str, customer: str, as_json: bool) -> None:
    """One fact: which ticket, which message, which words, which model, what it replaced, who confirmed it.

    FACT_ID is its id, or 8 or more of the id's first digits: the ref that a recall prints will do.
    """
    from store.history import plainly_shown
    from store.history import show as explained
    from store.scope import customer_reading
    from worker.cli.fact_ids import whole_id

    with opened() as runtime, customer_reading(runtime.engine, ref(tenant, customer)) as view:
        found = explained(view, whole_id(view, fact_id))
    if found is None:
        raise Stop(f"fact {fact_id} went meanwhile", Exit.NOTHING_MATCHED)
    document = plainly_shown(found)
    if as_json:
        emit(document)
    else:
        _print(document)


def _print(document: dict[str, Any]) -> None:
    parts = ("observations", "replaced", "replaced_by", "versions", "evidence")
    details({name: value for name, value in document.items() if name not in parts})
    for title in ("replaced", "replaced_by"):
        if document[title]:
            say(f"\n{title.replace('_', ' ')}:")
            show([document[title]], HISTORY, as_json=False, empty="")
    say("\nrests on:")
    rows = [{**one, "words": " … ".join(q["text"] for q in one["quotes"]) or None} for one in document["observations"]]
    columns = ("observed_at", "source", "ticket", "words", "model", "prompt_version", "actor", "withdrawn")
    show(rows, columns, as_json=False, empty="nothing (any more)")


@facts.command()
@click.argument("fact_id", type=Identifier())
@whose
@why
@yes_option
@json_option
def forget(
    fact_id: str, tenant: str, customer: str, note: str | None, actor: str | None, yes: bool, as_json: bool
) -> None:
    """Forget one fact and all that it rests on, for good. What it had replaced holds again.

    FACT_ID is its id, or 8 or more of the id's first digits: the ref that a recall prints will do.
    """
    forgotten_fact(ref(tenant, customer), fact_id, note=note, actor=actor, yes=yes, as_json=as_json)
