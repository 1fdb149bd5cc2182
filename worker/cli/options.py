"""Options that several verbs share, so that they read and behave the same everywhere."""

import getpass
import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, TypeVar

import click

from pipeline.ids import BadId, CustomerRef, checked_id
from pipeline.moments import countable
from worker.cli.exits import Exit, Stop
from worker.cli.values import COUNT, Plain

if TYPE_CHECKING:
    from store.selection import Selection

_DATE = re.compile(r"\d{4}-?\d{2}-?\d{2}|\d{4}-?W\d{2}(-?\d)?")
F = TypeVar("F", bound=Callable[..., Any])


class Moment(click.ParamType[datetime]):
    """An ISO 8601 time with its zone: whose clock was meant could only be guessed. A bare date is its midnight UTC."""

    name = "ISO-time+zone"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> datetime:
        if isinstance(value, datetime):
            return value
        text = value.strip()
        try:
            moment = datetime.fromisoformat(text)
        except ValueError:
            self.fail(f"want an ISO 8601 time such as 2026-11-29T10:00:00+08:00, not {value!r}", param, ctx)
        if not moment.tzinfo and not _DATE.fullmatch(text):
            self.fail(f"want its zone too: {text}Z for UTC, or an offset as in {text}+08:00", param, ctx)
        try:
            return countable(moment if moment.tzinfo else moment.replace(tzinfo=UTC))
        except ValueError as error:
            self.fail(str(error), param, ctx)


class Identifier(click.ParamType[str]):
    """1-200 characters without control characters."""

    name = "id"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        try:
            return checked_id(param.name if param and param.name else "id", str(value))
        except BadId as error:
            self.fail(str(error), param, ctx)


class Code(click.ParamType[str]):
    """One of the reason codes: a misspelt one would select nothing, as if there were nothing."""

    name = "code"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        from difflib import get_close_matches

        from pipeline.reasons import Reason

        known = [reason.value for reason in Reason]
        if value in known:
            return str(value)
        near = get_close_matches(str(value), known, n=1)
        hint = f"did you mean {near[0]}?" if near else "README, 'Reason codes', has all of them"
        return self.fail(f"no such reason code: {hint}", param, ctx)


def several(*options: Callable[[F], F]) -> Callable[[F], F]:
    """Options as one decorator, in reading order."""

    def decorate(function: F) -> F:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


json_option = click.option("--json", "as_json", is_flag=True, help="JSON Lines on stdout.")
yes_option = click.option("--yes", is_flag=True, help="Do it; without this, only say what would be done.")
dry_run_option = click.option("--dry-run", is_flag=True, help="Say what would be done; change nothing.")
tenant_option = click.option("--tenant", type=Identifier(), required=True)
customer_option = click.option("--customer", type=Identifier(), required=True)
whose = several(tenant_option, customer_option)
actor_option = click.option("--actor", type=Plain(), help="Who, for the audit. Default: operator:<login name>.")
why = several(
    click.option("--reason", "note", type=Plain(1_000), help="Why, for the audit. No customer data."),
    actor_option,
)
event_filters = several(
    click.option("--event", type=Identifier(), help="One event id, or its row id as in a log line; wants --tenant."),
    click.option("--tenant", type=Identifier(), help="This tenant's tickets."),
    click.option("--customer", type=Identifier(), help="One customer's; wants --tenant."),
    click.option("--ticket", type=Identifier(), help="One ticket's id; wants --tenant."),
    click.option(
        "--state", type=click.Choice(["pending", "processing", "done", "dead", "erased"]), help="In this state."
    ),
    click.option("--reason-code", type=Code(), help="That ended or wait for this reason, by its code."),
    click.option("--since", type=Moment(), help="Came in then or later."),
    click.option("--until", type=Moment(), help="Came in before then."),
    click.option("--limit", type=COUNT, help="At most so many tickets."),
)


def selection_of(filters: Mapping[str, Any], *, limit: int | None = None) -> "Selection":
    """The filters of `event_filters` as the store takes them; `limit` holds where none was given."""
    from store.selection import BadSelection, Selection
    from store.states import State

    state = filters.get("state")
    try:
        return Selection(
            tenant=filters.get("tenant"),
            event_id=filters.get("event"),
            ticket=filters.get("ticket"),
            customer=filters.get("customer"),
            states=(State(state),) if state else None,
            reason=filters.get("reason_code"),
            since=filters.get("since"),
            until=filters.get("until"),
            model=filters.get("model"),
            prompt_version=filters.get("prompt_version"),
            limit=filters.get("limit") or limit,
        )
    except BadSelection:
        raise click.UsageError(
            "--event, --ticket and --customer are names within a tenant: want --tenant too"
        ) from None


def ref(tenant: str, customer: str) -> CustomerRef:
    return CustomerRef(tenant=tenant, customer=customer)


def actor_or_login(actor: str | None) -> str:
    try:
        return actor or f"operator:{getpass.getuser()}"
    except (KeyError, OSError):  # a container without a passwd entry
        return "operator"


def checked_note(note: str | None) -> str | None:
    """The operator's reason goes into the audit, which outlives the customer: what the gates refuse stays out."""
    from pipeline.sensitive import judge_text

    if note is None or judge_text(note).passed:
        return note
    raise Stop("--reason holds personal data, which the audit must not keep: say it without", Exit.REFUSED)


def now() -> datetime:
    return datetime.now(UTC)
