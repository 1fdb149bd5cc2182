"""What the page shows. Reads only; what changes something is in `deeds`."""

import json
from dataclasses import fields
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

from starlette.responses import Response

from store import fetches, review
from store.counts import counts, events_listed, oldest_pending
from store.figures import done_between, questions_of
from store.history import history, live, show
from store.recall import pending_tickets
from store.rows import StoredFact
from store.scope import customer_reading
from store.selection import Selection
from store.states import FetchState, State
from worker.http.memory import exported
from worker.http.pages.visit import Visit
from worker.http.pages.words import age, explained
from worker.http.questions import question

SHOWN = 200
"""Rows of a list on one page."""


def home(visit: Visit) -> Response:
    """Find a customer, and today's numbers."""
    engine, now = visit.door.runtime.engine, visit.door.clock()
    found = counts(engine, tenant=visit.tenant)[visit.tenant]
    states = [("accepted", found.accepted), *((state.value, getattr(found, state)) for state in State)]
    names = {"dead": "dead_n"}
    oldest = oldest_pending(engine, tenant=visit.tenant)
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    done = done_between(engine, midnight, now, tenant=visit.tenant)
    decisions: dict[str, int] = {}
    for (action, outcome, _reason), number in done.items():
        if action == "write":
            decisions[outcome] = decisions.get(outcome, 0) + number
    return visit.render(
        "home.html",
        counts=[(visit.words[names.get(name, name)], number) for name, number in states],
        oldest=age(now - oldest, visit.language) if oldest else "",
        questions=questions_of(engine, visit.tenant),
        decisions=[(visit.words.get(f"action_{name}", name), number) for name, number in sorted(decisions.items())],
    )


def customer(visit: Visit) -> Response:
    """What is remembered of a customer, and the whole past as a timeline."""
    ref, now = visit.customer(), visit.door.clock()
    with customer_reading(visit.door.runtime.engine, ref) as view:
        holds, past, pending = live(view, at=now), history(view), pending_tickets(view)
    return visit.render(
        "customer.html",
        customer=ref.customer,
        facts=[_seen(visit, fact) for fact in holds],
        past=[_seen(visit, fact) for fact in reversed(past)],
        pending=pending,
    )


def fact(visit: Visit) -> Response:
    """One fact and why: evidence, source, history, expiry."""
    ref, name = visit.customer(), visit.name("fact")
    with customer_reading(visit.door.runtime.engine, ref) as view:
        shown = show(view, name)
        if shown is None:
            return visit.problem(404, "not_found")
        past = [one for one in history(view, key=shown.fact.slot.key) if one.slot == shown.fact.slot]
    return visit.render(
        "fact.html",
        customer=ref.customer,
        fact=_seen(visit, shown.fact),
        shown=shown,
        past=[_seen(visit, one) for one in reversed(past)],
    )


def _seen(visit: Visit, one: StoredFact) -> SimpleNamespace:
    values = {row.name: getattr(one, row.name) for row in fields(one)}
    live = one.live_at(visit.door.clock())
    over = one.valid_to or (None if live else one.expires_at)
    return SimpleNamespace(**values, label=visit.label(one.slot.key), live=live, over=over)


def export(visit: Visit) -> Response:
    """Everything that is held, as a file: JSON alone, so nothing in it is ever a formula or a page."""
    text = json.dumps(exported(visit.door, visit.customer()), ensure_ascii=False, indent=2)
    headers = {"Content-Disposition": 'attachment; filename="customer.json"'}
    return Response(text, media_type="application/json", headers=headers)


def questions(visit: Visit) -> Response:
    """The review queue, those that have waited longest first."""
    now = visit.door.clock()
    items = review.listed(visit.door.runtime.engine, tenant=visit.tenant, limit=SHOWN)
    rows = [question(item, now) for item in items]
    return visit.render("review.html", items=[{**row, **_words_of(visit, row)} for row in rows])


def _words_of(visit: Visit, row: dict[str, Any]) -> dict[str, str]:
    waited = age(timedelta(seconds=row["age_seconds"]), visit.language)
    return {"age": waited, "label": visit.label(row["key"]), "why": explained(row["reason"], visit.language)}


def dead(visit: Visit) -> Response:
    """Tickets that could not be read, and those that could not be fetched."""
    runtime = visit.door.runtime
    selection = Selection(tenant=visit.tenant, states=(State.DEAD,), limit=SHOWN)
    events = events_listed(runtime.engine, runtime.keys, selection)
    rows = [
        {**row, "name": "event", "id": row["event_id"], "why": explained(row["reason"], visit.language)}
        for row in events
    ]
    failed = fetches.listed(runtime.engine, tenant=visit.tenant, state=FetchState.DEAD, limit=SHOWN)
    rows += [_unfetched(visit, one) for one in failed]
    return visit.render("dead.html", rows=rows)


def _unfetched(visit: Visit, one: fetches.Fetch) -> dict[str, Any]:
    return {
        "name": "fetch",
        "id": one.id,
        "ticket": one.wanted.ticket,
        "customer": None,
        "reason": one.reason,
        "why": f"{one.wanted.vendor}: {visit.words['fetch_failed']}",
        "attempts": one.attempts,
        "received_at": one.received_at,
    }
