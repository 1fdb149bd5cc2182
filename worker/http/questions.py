"""The review queue and feedback on what a recall handed out."""

from datetime import UTC, datetime
from enum import StrEnum
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Security
from fastapi.responses import JSONResponse
from pydantic import AliasChoices, BaseModel, ConfigDict, Field

from pipeline.events import Words
from pipeline.ids import CustomerRef
from store import audit, receipts, review
from store.engine import reading, writing
from store.feedback import MIN_REFERENCE, handed_out, report
from store.history import quoted
from store.receipts import Receipt
from store.review import Item, Outcome, Resolution
from store.scope import customer_writing, owner_of_observation
from store.statements import Stating
from store.states import ReviewState
from store.tokens import Scope, Token
from worker.http.auth import BEARER, actor_of, needs
from worker.http.context import Context, Door
from worker.http.documents import QuoteOf
from worker.http.errors import Problem, guarded
from worker.http.fields import OwnTenant, PathId, QueryId

router = APIRouter(tags=["review"], dependencies=[Security(BEARER)])
Operator = Annotated[Token, Depends(needs(Scope.OPERATE))]
Writer = Annotated[Token, Depends(needs(Scope.WRITE))]


class Question(BaseModel):
    """A statement that was not applied. Pass `standing` back as `seen` when accepting."""

    id: str
    customer: str
    key: str
    says: str | None
    ended: bool
    source: str
    quotes: list[QuoteOf]
    holds: str | None
    reason: str
    ticket: str | None
    opened_at: str
    age_seconds: float
    state: str
    resolved_by: str | None
    resolved_at: str | None
    changed: bool
    standing: str


class QuestionList(BaseModel):
    questions: list[Question]


class Answer(BaseModel):
    """How a question is answered. `seen` is the `standing` that was looked at, wanted where the slot has changed."""

    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)

    seen: str | None = Field(default=None, max_length=100)


class Resolved(BaseModel):
    outcome: str
    decision: str | None
    reason: str | None
    standing: str


class Verdict(StrEnum):
    """What a memory that was handed out turned out to be."""

    HELPFUL = "helpful"
    WRONG = "wrong"
    OUTDATED = "outdated"


class Feedback(BaseModel):
    """`fact` is one of the receipt's, or its ref in the block; what is wrong or outdated must be named."""

    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)

    verdict: Verdict
    fact: str | None = Field(
        default=None,
        min_length=MIN_REFERENCE,
        max_length=32,
        validation_alias=AliasChoices("fact", "ref"),
        description="its id, or its `ref` in the block; may be sent as `ref` too",
    )
    instead: Words | None = Field(
        default=None, min_length=1, max_length=2_000, description="what the customer says is right, if they said so"
    )


class Noted(BaseModel):
    """`outcome`: noted; filed, as a question for a person; gone, for the fact holds no more; refused, with its code."""

    receipt: str
    verdict: str
    fact: str | None
    outcome: str
    reason: str | None


@router.get("/v1/review", responses={200: {"model": QuestionList}, **guarded()})
def get_review(
    token: Operator,
    door: Door,
    customer: QueryId | None = None,
    _tenant: OwnTenant = None,
    state: ReviewState = ReviewState.OPEN,
    limit: Annotated[int, Query(ge=1, le=500)] = 200,
) -> JSONResponse:
    """Questions for a person, those that have waited longest first."""
    items = review.listed(door.runtime.engine, tenant=token.tenant, customer=customer, state=state, limit=limit)
    return JSONResponse({"questions": [question(item, _now()) for item in items]})


@router.post("/v1/review/{item}/accept", responses={200: {"model": Resolved}, **guarded(404, 409)})
def post_accept(item: PathId, token: Operator, door: Door, answer: Answer | None = None) -> JSONResponse:
    """Let the statement hold after all. 409 where the slot has changed since, or it may not be written."""
    return JSONResponse(answered(door, token.tenant, item, actor=actor_of(token), seen=answer.seen if answer else None))


@router.post("/v1/review/{item}/dismiss", responses={200: {"model": Resolved}, **guarded(404, 409)})
def post_dismiss(item: PathId, token: Operator, door: Door) -> JSONResponse:
    """Let the statement rest. It is not asked about again, also not after a replay."""
    return JSONResponse(answered(door, token.tenant, item, actor=actor_of(token), dismiss=True))


@router.post("/v1/receipts/{receipt}/feedback", responses={200: {"model": Noted}, **guarded(404)})
def post_feedback(receipt: PathId, feedback: Feedback, token: Writer, door: Door) -> JSONResponse:
    """Report what a recalled memory turned out to be. One that is wrong or outdated becomes a question for a person,
    who alone changes anything: should it end, or say what stands in `instead`?"""
    if feedback.verdict is not Verdict.HELPFUL and not feedback.fact:
        raise Problem(422, "invalid", "body.fact: name the fact that is wrong or outdated")
    found = receipts.read(door.runtime.engine, tenant=token.tenant, receipt=receipt)
    fact = handed_out(found, feedback.fact) if found and feedback.fact else None
    if found is None or (feedback.fact and fact is None):
        raise Problem(404, "not_found", "no receipt of this id, or it handed out no such fact")
    told = _reported(door, token, receipt, feedback) if feedback.verdict is not Verdict.HELPFUL else _NOTED
    _audited(door, token, found, feedback.verdict, fact)
    door.metrics.feedback(feedback.verdict.value)
    return JSONResponse({"receipt": receipt, "verdict": feedback.verdict.value, "fact": fact, **told})


_NOTED = {"outcome": "noted", "reason": None}


def _reported(door: Context, token: Token, receipt: str, feedback: Feedback) -> dict[str, str | None]:
    done = report(
        door.runtime.engine,
        door.runtime.keys,
        tenant=token.tenant,
        receipt=receipt,
        reference=feedback.fact or "",
        terms=door.terms,
        stating=Stating(now=_now(), actor=actor_of(token), has_transcript=False),
        instead=feedback.instead or "",
    )
    return {"outcome": done.outcome.value, "reason": done.decision.reason.value if done.decision else None}


def _audited(door: Context, token: Token, found: Receipt, verdict: Verdict, fact: str | None) -> None:
    with writing(door.runtime.engine) as connection:
        audit.record(
            connection,
            at=_now(),
            tenant=token.tenant,
            surrogate=found.surrogate or None,
            actor=actor_of(token),
            action="feedback",
            outcome=verdict.value,
            fact=fact,
        )


# --- shared with the page ---------------------------------------------------------------------------------------------


def question(item: Item, moment: datetime) -> dict[str, Any]:
    said = item.observation
    return {
        "id": said.id,
        "customer": said.slot.ref.customer,
        "key": said.slot.key,
        "says": None if said.ended else said.value,
        "ended": said.ended,
        "source": said.source.value,
        "quotes": quoted(said),
        "holds": item.live.value if item.live else None,
        "reason": item.reason.value,
        "ticket": said.ticket or None,
        "opened_at": item.opened_at.isoformat(),
        "age_seconds": max(0.0, (moment - item.opened_at).total_seconds()),
        "state": item.state.value,
        "resolved_by": item.resolved_by,
        "resolved_at": item.resolved_at.isoformat() if item.resolved_at else None,
        "changed": item.changed,
        "standing": item.standing,
    }


_REFUSED = {
    Outcome.CHANGED: ("changed", "the slot has changed since the question was put: look again, and pass `seen`"),
    Outcome.REFUSED: ("refused", "it may not be written"),
    Outcome.ALREADY_RESOLVED: ("already_resolved", "it was answered before"),
}


def answered(
    door: Context, tenant: str, item: str, *, actor: str, seen: str | None = None, dismiss: bool = False
) -> dict[str, Any]:
    """Accepts or dismisses. Raises Problem 404 for a question that is not this tenant's, 409 with what stands against
    it, and StoreError."""
    with reading(door.runtime.engine) as connection:
        ref = owner_of_observation(connection, tenant, item)
    done = _resolution(door, ref, item, actor=actor, seen=seen, dismiss=dismiss) if ref else None
    if done is None or done.outcome is Outcome.UNKNOWN:
        raise Problem(404, "not_found", "no question of this id")
    if done.outcome in _REFUSED:
        code, text = _REFUSED[done.outcome]
        reason = done.decision.reason.value if done.decision else ""
        raise Problem(409, code, text + (f" ({reason})" if reason else ""), reason=reason)
    decision = done.decision
    return {
        "outcome": done.outcome.value,
        "decision": decision.action.value if decision else None,
        "reason": decision.reason.value if decision else None,
        "standing": done.standing,
    }


def _resolution(
    door: Context, ref: CustomerRef, item: str, *, actor: str, seen: str | None, dismiss: bool
) -> Resolution:
    with customer_writing(door.runtime.engine, door.runtime.keys, ref, now=_now()) as tx:
        if dismiss:
            return review.dismiss(tx, item, actor=actor)
        return review.accept(tx, item, actor=actor, terms=door.terms, seen=seen)


def _now() -> datetime:
    return datetime.now(UTC)
