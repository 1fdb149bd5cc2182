"""What the page changes: each form's deed, then back to a page that says what it did."""

from datetime import UTC, datetime

from starlette.responses import Response

from pipeline.facts import Action, Decision, Source
from pipeline.statement import BadStatement, checked_statement
from store import fetches, replay
from store.history import show
from store.rows import StoredFact
from store.scope import customer_reading
from store.selection import Selection
from store.statements import Stating, remember
from store.states import Lane, State
from worker.adapters.fetch import wake
from worker.http.auth import actor_of, checked_token
from worker.http.errors import Problem
from worker.http.memory import forget_customer, forget_fact
from worker.http.pages import session as sessions
from worker.http.pages.visit import Visit, redirect
from worker.http.questions import answered
from worker.publish import publish

STEP = 200


def sign_in(visit: Visit) -> Response:
    """The form, and what comes of it."""
    if visit.request.method != "POST":
        return redirect("/memory") if visit.session else visit.render("sign_in.html")
    try:
        token = checked_token(visit.door.credentials, visit.door.rates, _presented(visit))
    except Problem:
        return _turned_away(visit)
    if not sessions.may_sign_in(token):
        return _turned_away(visit)
    response = redirect("/memory")
    sessions.begin(visit.door, response, token, visit.door.clock())
    return response


def _presented(visit: Visit) -> str | None:
    """What was typed, or None where it can be no token: those are printable ASCII, and PostgreSQL compares no NUL."""
    typed = visit.fields.get("token", "").strip()
    return typed if typed.isascii() and typed.isprintable() and typed else None


def _turned_away(visit: Visit) -> Response:
    return visit.problem(401, "wrong_token")


def sign_out(visit: Visit) -> Response:
    response = redirect("/memory/sign-in")
    sessions.end(visit.door, visit.request, response, visit.door.clock())
    return response


def correct(visit: Visit) -> Response:
    """Another value, as a person's word."""
    return _stated(visit, visit.fields.get("value", ""), "did_correct")


def confirm(visit: Visit) -> Response:
    """The same value, as a person's word."""
    return _stated(visit, None, "did_confirm")


def _stated(visit: Visit, value: str | None, done: str) -> Response:
    ref, name = visit.customer(), visit.name("fact")
    with customer_reading(visit.door.runtime.engine, ref) as view:
        shown = show(view, name)
    if shown is None:
        return visit.problem(404, "not_found")
    decision = _remembered(visit, shown.fact, shown.fact.value if value is None else value)
    if decision.action is Action.REJECT:
        return redirect("/memory/fact", f"refused:{decision.reason.value}", customer=ref.customer, fact=name)
    return redirect("/memory/fact", done, customer=ref.customer, fact=decision.fact_id or name)


def _remembered(visit: Visit, fact: StoredFact, value: str) -> Decision:
    """Raises Problem 422 for a value that is no text, StoreError."""
    fields = {
        "tenant": visit.tenant,
        "customer": fact.slot.ref.customer,
        "kind": fact.kind.value,
        "key": fact.slot.key,
        "value": value,
        "source": Source.AGENT_CONFIRMED.value,
        "importance": fact.importance,
        "ticket": fact.slot.ticket or None,
    }
    try:
        statement = checked_statement(fields)
    except BadStatement:
        raise Problem(422, "invalid", "value") from None
    stating = Stating(now=datetime.now(UTC), actor=actor_of(visit.signed_in.token), has_transcript=True)
    runtime = visit.door.runtime
    return remember(runtime.engine, runtime.keys, statement, terms=visit.door.terms, stating=stating)


def forget_one(visit: Visit) -> Response:
    ref = visit.customer()
    forget_fact(visit.door, ref, visit.name("fact"), actor=actor_of(visit.signed_in.token))
    return redirect("/memory/customer", "did_forget", customer=ref.customer)


def forget_all(visit: Visit) -> Response:
    """The whole customer, where their id was typed once more."""
    ref = visit.customer()
    if visit.fields.get("again", "") != ref.customer:
        return redirect("/memory/customer", "not_confirmed", customer=ref.customer)
    forget_customer(visit.door, ref, actor=actor_of(visit.signed_in.token))
    return redirect("/memory/customer", "did_forget", customer=ref.customer)


def accept(visit: Visit) -> Response:
    return _answered(visit, dismiss=False)


def dismiss(visit: Visit) -> Response:
    return _answered(visit, dismiss=True)


def _answered(visit: Visit, *, dismiss: bool) -> Response:
    """A refusal stays in the queue; one that has changed since is shown anew, with what holds now."""
    actor, item = actor_of(visit.signed_in.token), visit.name("item")
    try:
        seen = None if dismiss else visit.fields.get("seen")
        answered(visit.door, visit.tenant, item, actor=actor, seen=seen, dismiss=dismiss)
    except Problem as problem:
        if problem.status == 409:
            return redirect("/memory/review", _not_written(problem))
        raise
    return redirect("/memory/review", "did_dismiss" if dismiss else "did_accept")


def _not_written(problem: Problem) -> str:
    """What the page says of it: the code where there is a sentence for it, else the reason of the decision."""
    return f"refused:{problem.reason}" if problem.code == "refused" else f"refused_{problem.code}"


def put_back(visit: Visit) -> Response:
    """One dead letter, one fetch that failed, or all of this tenant's dead letters, to be tried again."""
    if visit.fields.get("fetch"):
        _refetched(visit, visit.name("fetch"))
    elif visit.fields.get("event"):
        _replayed(visit, Selection(tenant=visit.tenant, event_id=visit.name("event")))
    elif visit.fields.get("all"):
        _replayed(visit, Selection(tenant=visit.tenant, states=(State.DEAD,)))
    return redirect("/memory/dead", "did_replay")


def _refetched(visit: Visit, row_id: str) -> None:
    if fetches.put_back(visit.door.runtime.engine, row_id, tenant=visit.tenant):
        wake(visit.door.runtime, (row_id,))


def _replayed(visit: Visit, selection: Selection) -> None:
    runtime = visit.door.runtime
    job = replay.begin(runtime.engine, runtime.keys, selection)
    left = job.selected
    while left:
        actor = actor_of(visit.signed_in.token)
        step = replay.put_back(
            runtime.engine, runtime.keys, job.id, limit=STEP, actor=actor, now=datetime.now(UTC), lane=Lane.LIVE
        )
        publish(runtime, [row_id for row_id, _ in step.rows])
        left = step.left
