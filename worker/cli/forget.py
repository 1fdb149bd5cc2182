"""`afterword forget`: a customer, a fact or a tenant becomes unknown, at once and for good."""

from collections.abc import Mapping
from typing import Any

import click

from pipeline.ids import CustomerRef
from worker import batch_files, house
from worker.cli.exits import Exit, Stop
from worker.cli.opened import opened
from worker.cli.options import Identifier, actor_or_login, checked_note, json_option, now, ref, why, yes_option
from worker.cli.output import emit, printable, say
from worker.runtime import Runtime
from worker.wording import counted

BACKUPS = (
    "it is gone from this database; its files follow with `afterword purge`, logs and backups with your own rotation"
)
FILES = "these batch files may still hold such words; delete those that you need no more:"


@click.command()
@click.option("--tenant", type=Identifier(), required=True)
@click.option("--customer", type=Identifier(), help="Without it: every customer of the tenant (a contract's end).")
@click.option("--opt-out", is_flag=True, help="Also switch memory off for this customer.")
@click.option("--opt-in", is_flag=True, help="Switch memory on again. Erases nothing.")
@why
@yes_option
@json_option
def forget(
    tenant: str,
    customer: str | None,
    opt_out: bool,
    opt_in: bool,
    note: str | None,
    actor: str | None,
    yes: bool,
    as_json: bool,
) -> None:
    """Forget a customer: facts, history, evidence, questions, waiting tickets, dead letters.

    Also an unknown customer, who may still be in a backup: the erasure ledger remembers that they are to be forgotten.
    """
    _check_options(customer, opt_out, opt_in)
    order = {"actor": actor_or_login(actor), "note": checked_note(note), "now": now()}
    with opened() as runtime:
        if customer is None:
            done = _tenant(runtime, tenant, order, yes=yes, as_json=as_json)
        elif opt_in:
            done = _opt_in(runtime, ref(tenant, customer), order, yes=yes, as_json=as_json)
        else:
            done = _customer(runtime, ref(tenant, customer), order, opt_out=opt_out, yes=yes, as_json=as_json)
        left = _files_left(runtime)
    if done:
        _answer({"tenant": tenant, "customer": customer, **done}, left, as_json)


def _check_options(customer: str | None, opt_out: bool, opt_in: bool) -> None:
    if opt_in and opt_out:
        raise click.UsageError("--opt-out or --opt-in, not both")
    if customer is None and (opt_in or opt_out):
        raise click.UsageError("--opt-out and --opt-in want --customer")


def _customer(
    runtime: Runtime, whose: CustomerRef, order: dict[str, Any], *, opt_out: bool, yes: bool, as_json: bool
) -> dict[str, Any] | None:
    from store.erase import forget as forget_customer
    from store.preview import would_forget

    if not yes:
        _only_say(would_forget(runtime.engine, whose.tenant, whose.customer), as_json)
        return None
    done = forget_customer(
        runtime.engine,
        runtime.keys,
        runtime.ledger,
        whose,
        rules=house.rules(runtime, whose.tenant),
        opt_out=True if opt_out else None,
        **order,
    )
    return {**done.numbers, "line": done.number, "erased_at": done.erased_at, "opted_out": opt_out}


def _tenant(runtime: Runtime, tenant: str, order: dict[str, Any], *, yes: bool, as_json: bool) -> dict[str, Any] | None:
    from store.erase import forget_tenant
    from store.preview import would_forget

    if not yes:
        _only_say(would_forget(runtime.engine, tenant), as_json, what=f"ALL of tenant {tenant}: ")
        return None
    rules = house.rules(runtime, tenant)
    done = forget_tenant(runtime.engine, runtime.keys, runtime.ledger, tenant, rules=rules, **order)
    return {**done.numbers, "line": done.number, "erased_at": done.erased_at}


def _opt_in(
    runtime: Runtime, whose: CustomerRef, order: dict[str, Any], *, yes: bool, as_json: bool
) -> dict[str, Any] | None:
    from store.engine import reading
    from store.erase import opt_in
    from store.erased import opted_out

    if not yes:
        with reading(runtime.engine) as connection:
            off = opted_out(connection, runtime.keys, whose)
        _say_switch(off, as_json)
        return None
    rules = house.rules(runtime, whose.tenant)
    done = opt_in(runtime.engine, runtime.keys, runtime.ledger, whose, rules=rules, **order)
    return {"line": done.number, "opted_out": False}


def forgotten_fact(
    whose: CustomerRef, fact_id: str, *, note: str | None, actor: str | None, yes: bool, as_json: bool
) -> None:
    """Forgets one fact, named as `whole_id` reads it. Raises Stop where that names none, or several."""
    from store.erase import forget_fact
    from store.preview import would_forget_fact
    from store.scope import customer_reading
    from worker.cli.fact_ids import whole_id

    with opened() as runtime:
        with customer_reading(runtime.engine, whose) as view:
            fact_id = whole_id(view, fact_id)
        if not yes:
            return _only_say(would_forget_fact(runtime.engine, whose, fact_id), as_json)
        done = forget_fact(
            runtime.engine,
            runtime.keys,
            runtime.ledger,
            whose,
            fact_id,
            rules=house.rules(runtime, whose.tenant),
            actor=actor_or_login(actor),
            note=checked_note(note),
            now=now(),
        )
        left = _files_left(runtime)
    if done is None:
        raise Stop(f"fact {fact_id} was forgotten by somebody else meanwhile", Exit.NOTHING_MATCHED)
    return _answer({"fact": fact_id, **done.numbers, "line": done.number}, left, as_json)


def _only_say(numbers: Mapping[str, int], as_json: bool, what: str = "") -> None:
    if as_json:
        emit({"dry_run": True, **numbers})
    else:
        say(f"would forget {what}{_counted(numbers)}; --yes does it")


def _say_switch(off: bool, as_json: bool) -> None:
    if as_json:
        emit({"dry_run": True, "opted_out": off})
    else:
        say("would switch memory on again; --yes does it" if off else "memory is on: there is nothing to switch")


def _files_left(runtime: Runtime) -> list[dict[str, str | None]]:
    """Batch files that are still there. They name no customer, so that whose words they hold cannot be told."""
    known = batch_files.registered(runtime.settings)
    return [{"path": one.path, "kept_until": one.expires_at or None} for one in known]


def _answer(row: dict[str, Any], left: list[dict[str, str | None]], as_json: bool) -> None:
    took = "facts" in row
    if as_json:
        emit({**row, "files": left} if took else row)
    elif took:
        numbers = {name: row[name] for name in COUNTED if name in row}
        say(f"forgotten: {_counted(numbers)}; line {row['line']} of the erasure ledger")
        say(BACKUPS)
        _say_files(left)
    else:
        say(f"memory is on again; line {row['line']} of the erasure ledger")


def _say_files(left: list[dict[str, str | None]]) -> None:
    if left:
        say(FILES)
    for one in left:
        until = (
            f"a purge after {one['kept_until'][:10]} deletes it" if one["kept_until"] else "yours: no purge deletes it"
        )
        say(f"  {printable(str(one['path']))} ({until})")


COUNTED = ("customers", "facts", "observations", "reviews", "events")


def _counted(numbers: Mapping[str, int]) -> str:
    return ", ".join(counted(number, name) for name, number in numbers.items()) or "nothing"
