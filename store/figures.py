"""What the house amounts to, in numbers for whoever watches it: never a customer, never a value.

What grows is read by window, so that a scrape costs what has happened since the last one, however long the past is.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, Engine, func, select

from store.engine import database_now, reading
from store.models import audit, events, fetches, review_items
from store.states import FetchState, ReviewState, State
from store.waiting import in_state


@dataclass(frozen=True, kw_only=True)
class Ended:
    """Events that ended within a window, by state and reason; what asking the model took (milliseconds) and cost."""

    by_result: Mapping[tuple[str, str], int]
    model_ms: tuple[int, ...]
    prompt_tokens: int
    reply_tokens: int


@dataclass(frozen=True, kw_only=True)
class Standing:
    """What stands now. `oldest_*` are None where nothing waits."""

    at: datetime
    events: Mapping[str, int]
    oldest_pending: datetime | None
    fetches: Mapping[str, int]
    oldest_fetch: datetime | None
    questions: int
    oldest_question: datetime | None


def clock(engine: Engine) -> datetime:
    """The database's time."""
    with reading(engine) as connection:
        return database_now(connection)


def ended_between(engine: Engine, after: datetime, until: datetime) -> Ended:
    """Events whose `finished_at` lies after `after` and not after `until`."""
    c = events.c
    query = select(c.state, c.reason, c.model_ms, c.prompt_tokens, c.reply_tokens).where(
        c.state.in_([State.DONE, State.DEAD]), c.finished_at > after, c.finished_at <= until
    )
    counted: dict[tuple[str, str], int] = {}
    model_ms, prompt, reply = [], 0, 0
    with reading(engine) as connection:
        for row in connection.execute(query):
            result = (row.state, row.reason or "")
            counted[result] = counted.get(result, 0) + 1
            model_ms += [row.model_ms] if row.model_ms else []
            prompt, reply = prompt + (row.prompt_tokens or 0), reply + (row.reply_tokens or 0)
    return Ended(by_result=counted, model_ms=tuple(model_ms), prompt_tokens=prompt, reply_tokens=reply)


def done_between(
    engine: Engine, after: datetime, until: datetime, *, tenant: str | None = None
) -> dict[tuple[str, str, str], int]:
    """Lines of the audit within the window, as (action, outcome, reason) and how many."""
    c = audit.c
    query = select(c.action, c.outcome, c.reason, func.count().label("number")).where(c.at > after, c.at <= until)
    if tenant is not None:
        query = query.where(c.tenant == tenant)
    with reading(engine) as connection:
        rows = connection.execute(query.group_by(c.action, c.outcome, c.reason)).all()
    return {(row.action, row.outcome, row.reason or ""): row.number for row in rows}


def standing(engine: Engine) -> Standing:
    """Queues as they are."""
    with reading(engine) as connection:
        waiting = [_state_of_events(connection, state) for state in (State.PENDING, State.PROCESSING, State.DEAD)]
        asked = select(func.count(), func.min(review_items.c.opened_at)).where(
            review_items.c.state == ReviewState.OPEN.value
        )
        questions, oldest_question = connection.execute(asked).one()
        by_state = select(fetches.c.state, func.count(), func.min(fetches.c.received_at)).group_by(fetches.c.state)
        fetching = {row[0]: (row[1], row[2]) for row in connection.execute(by_state)}
        return Standing(
            at=database_now(connection),
            events={state: number for state, number, _ in waiting},
            oldest_pending=waiting[0][2],
            fetches={state.value: fetching.get(state, (0, None))[0] for state in FetchState},
            oldest_fetch=fetching.get(FetchState.PENDING, (0, None))[1],
            questions=questions,
            oldest_question=oldest_question,
        )


def _state_of_events(connection: Connection, state: State) -> tuple[str, int, datetime | None]:
    query = select(func.count(), func.min(events.c.received_at)).where(in_state(state))
    number, oldest = connection.execute(query).one()
    return state.value, number, oldest


def questions_of(engine: Engine, tenant: str) -> int:
    """How many of a tenant's questions wait for a person."""
    c = review_items.c
    query = select(func.count()).where(c.tenant == tenant, c.state == ReviewState.OPEN.value)
    with reading(engine) as connection:
        return connection.execute(query).scalar_one()
