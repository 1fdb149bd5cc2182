"""Recall, facts and forgetting, for programs. The tenant is the token's; the source of what is stated is its role's."""

from dataclasses import asdict
from datetime import UTC, datetime
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Security
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field

from pipeline import events
from pipeline.block import DEFAULT_BUDGET
from pipeline.events import Id, Text
from pipeline.facts import Source
from pipeline.ids import CustomerRef
from pipeline.invalid import told
from pipeline.kinds import Kind
from pipeline.statement import BadStatement, Day, checked_statement
from store import erase
from store.export import export
from store.history import history, live, plain, plainly_shown, show
from store.recall import DEFAULT_K
from store.scope import customer_reading
from store.statements import Stating, remember
from store.tokens import Scope, Token
from worker import house
from worker.http.auth import BEARER, SOURCES, actor_of, needs
from worker.http.context import Context, Door
from worker.http.documents import (
    Decided,
    ExplainedFact,
    Export,
    FactList,
    Forgotten,
    Recalled,
)
from worker.http.errors import Problem, guarded
from worker.http.fields import Moment, OwnTenant, PathId, QueryId
from worker.recalling import recall

MAX_K = 200
MAX_BUDGET = 20_000
router = APIRouter(tags=["memory"], dependencies=[Security(BEARER)])
Reader = Annotated[Token, Depends(needs(Scope.RECALL))]
Writer = Annotated[Token, Depends(needs(Scope.WRITE))]
Operator = Annotated[Token, Depends(needs(Scope.OPERATE))]


class StatedFact(BaseModel):
    """A fact as it is stated. `kind`, `key` and `value` are the gates' to judge: REJECT is an answer, no error."""

    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)

    kind: str = Field(max_length=64, examples=["preference"])
    key: str = Field(max_length=200, examples=["contact_channel"])
    value: Text = Field(default="", examples=["e-mail only"])
    source: Source | None = Field(default=None, description="only ever what the token's role gives; else 403")
    observed_at: events.Moment | None = None
    importance: float | None = Field(default=None, ge=0, le=1)
    confidence: float = Field(default=1.0, ge=0, le=1)
    ticket: Id | None = None
    ended: bool = False
    until: Day | None = Field(default=None, description="the last day on which it holds")
    tenant: str | None = Field(default=None, description="only ever the token's own; else 403")


@router.get("/v1/recall", responses={200: {"model": Recalled}, **guarded()})
def get_recall(  # noqa: PLR0917 (a parameter a query parameter)
    token: Reader,
    door: Door,
    customer: QueryId,
    _tenant: OwnTenant = None,
    query: Annotated[str | None, Query(max_length=2_000)] = None,
    k: Annotated[int, Query(ge=1, le=MAX_K)] = DEFAULT_K,
    budget: Annotated[int, Query(ge=1, le=MAX_BUDGET, description="tokens of the block")] = DEFAULT_BUDGET,
    at: Moment = None,
    known_at: Moment = None,
    kind: Annotated[list[Kind] | None, Query()] = None,
    min_source: Source | None = None,
    changed_since: Annotated[
        events.Moment | None, Query(description="also say which facts are new since then, and which are gone")
    ] = None,
    explain: Annotated[bool, Query(description="also say why each other fact is not told")] = False,
    language: Annotated[str, Query(pattern="^(en|zh)$")] = "en",
) -> JSONResponse:
    """What the agent is told about a customer: facts with their scores, and a block for its prompt. A database that is
    down gives an empty block that says `degraded`, with status 200: memory is an aid, never a dependency."""
    found = recall(
        door.runtime,
        _ref(token, customer),
        query=query,
        k=k,
        budget=budget,
        now=at,
        known_at=known_at,
        kinds=kind or None,
        min_source=min_source,
        changed_since=changed_since,
        language=language,
        actor=actor_of(token),
        explain=explain,
    )
    door.metrics.withheld(found.withheld.values())
    return JSONResponse(found.document())


@router.get("/v1/customers/{customer}/facts", responses={200: {"model": FactList}, **guarded()})
def get_facts(  # noqa: PLR0917
    customer: PathId,
    token: Reader,
    door: Door,
    _tenant: OwnTenant = None,
    key: Annotated[str | None, Query(max_length=200, description="this key alone; an alias will do")] = None,
    at: Moment = None,
    known_at: Moment = None,
    past: Annotated[bool, Query(description="also what has ended or expired")] = False,
) -> JSONResponse:
    """What holds of a customer, oldest first; with `past`, which knows no `at`, everything that ever held."""
    if past and at is not None:
        raise Problem(422, "invalid", "query.at: with past everything that ever held is told: leave one of the two out")
    folded = door.runtime.catalogue.fold(key) if key else None
    with customer_reading(door.runtime.engine, _ref(token, customer)) as view:
        if past:
            found = history(view, key=folded, known_at=known_at)
        else:
            found = live(view, at=at or _now(), known_at=known_at, key=folded)
    return JSONResponse({"facts": [plain(fact) for fact in found]})


@router.get("/v1/customers/{customer}/facts/{fact}", responses={200: {"model": ExplainedFact}, **guarded(404)})
def get_fact(customer: PathId, fact: PathId, token: Reader, door: Door, _tenant: OwnTenant = None) -> JSONResponse:
    """One fact and why: which ticket, which words, which model, what it replaced, who confirmed it."""
    with customer_reading(door.runtime.engine, _ref(token, customer)) as view:
        found = show(view, fact)
    if found is None:
        raise _no_fact()
    return JSONResponse(plainly_shown(found))


@router.post("/v1/customers/{customer}/facts", responses={200: {"model": Decided}, **guarded()})
def post_fact(
    customer: PathId, stated: StatedFact, token: Writer, door: Door, _tenant: OwnTenant = None
) -> JSONResponse:
    """State a fact. A business system's token writes as `system`, a person's as `agent_confirmed`; what an agent's
    token states is `extracted` and waits for a person. REJECT is an answer: 200."""
    source = SOURCES[token.role]
    _own(token, stated, source)
    fields = stated.model_dump(mode="json", exclude={"tenant", "source"}, exclude_none=True)
    try:
        statement = checked_statement({**fields, "tenant": token.tenant, "customer": customer, "source": source.value})
    except BadStatement as error:
        raise Problem(422, "invalid", told(error.faults, prefix="body.")) from None
    stating = Stating(now=None, actor=actor_of(token), has_transcript=source is not Source.EXTRACTED)
    done = remember(door.runtime.engine, door.runtime.keys, statement, terms=door.terms, stating=stating)
    return JSONResponse({"decision": done.action.value, "reason": done.reason.value, "fact": done.fact_id or None})


def _own(token: Token, stated: StatedFact, source: Source) -> None:
    """Raises Problem 403 where the body claims another tenant, or a source that is not the credential's."""
    if stated.tenant is not None and stated.tenant != token.tenant:
        raise Problem(403, "other_tenant", "the credential is another tenant's")
    if stated.source is not None and stated.source is not source:
        raise Problem(403, "other_source", f"what this token states is {source.value}")


@router.delete("/v1/customers/{customer}/facts/{fact}", responses={200: {"model": Forgotten}, **guarded(404)})
def delete_fact(customer: PathId, fact: PathId, token: Operator, door: Door, _tenant: OwnTenant = None) -> JSONResponse:
    """Forget one fact and all that it rests on, for good. What it had replaced holds again."""
    done = forget_fact(door, _ref(token, customer), fact, actor=actor_of(token))
    return JSONResponse(forgotten(done))


@router.delete("/v1/customers/{customer}", responses={200: {"model": Forgotten}, **guarded()})
def delete_customer(
    customer: PathId,
    token: Operator,
    door: Door,
    _tenant: OwnTenant = None,
    opt_out: Annotated[bool, Query(description="also switch memory off for this customer")] = False,
) -> JSONResponse:
    """Forget a customer, for good; one who is not known too, who may be in a backup."""
    done = forget_customer(door, _ref(token, customer), actor=actor_of(token), opt_out=opt_out)
    return JSONResponse(forgotten(done))


@router.get("/v1/customers/{customer}/export", responses={200: {"model": Export}, **guarded()})
def get_export(customer: PathId, token: Operator, door: Door, _tenant: OwnTenant = None) -> JSONResponse:
    """Everything that is held on a customer, as one document."""
    return JSONResponse(exported(door, _ref(token, customer)))


# --- shared with the page ---------------------------------------------------------------------------------------------


def exported(door: Context, ref: CustomerRef) -> dict[str, Any]:
    return export(door.runtime.engine, door.runtime.keys, ref)


def forget_customer(door: Context, ref: CustomerRef, *, actor: str, opt_out: bool = False) -> erase.Forgotten:
    """Raises StoreError (OnlyNoted where the next re-apply finishes it) and LedgerUnavailable."""
    runtime = door.runtime
    return erase.forget(
        runtime.engine,
        runtime.keys,
        runtime.ledger,
        ref,
        rules=house.rules(runtime, ref.tenant),
        actor=actor,
        now=_now(),
        opt_out=True if opt_out else None,
    )


def forget_fact(door: Context, ref: CustomerRef, fact: str, *, actor: str) -> erase.Forgotten:
    """Raises Problem 404, and as `forget_customer` does."""
    runtime = door.runtime
    rules = house.rules(runtime, ref.tenant)
    done = erase.forget_fact(
        runtime.engine, runtime.keys, runtime.ledger, ref, fact, rules=rules, actor=actor, now=_now()
    )
    if done is None:
        raise _no_fact()
    return done


def forgotten(done: erase.Forgotten) -> dict[str, Any]:
    return {"line": done.number, "erased_at": done.erased_at.isoformat(), "erased": asdict(done.wiped)}


def _no_fact() -> Problem:
    return Problem(404, "not_found", "this customer has no fact of this id")


def _ref(token: Token, customer: str) -> CustomerRef:
    return CustomerRef(tenant=token.tenant, customer=customer)


def _now() -> datetime:
    return datetime.now(UTC)
