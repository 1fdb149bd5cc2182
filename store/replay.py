"""Replay: events that are done or dead go back to waiting, because an operator wants them read again.

A replay is stamped onto its rows when it begins, so it knows what is left, whatever else arrives or stops it. Each row
loses its stamp as it goes back; the audit keeps who did it, why, and as which job.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import uuid4

from sqlalchemy import (
    ColumnElement,
    Connection,
    Engine,
    Row,
    Select,
    and_,
    case,
    exists,
    false,
    func,
    null,
    or_,
    select,
    update,
)

from pipeline.reasons import Reason
from store import audit
from store.engine import database_now, reading, writing
from store.keys import Keys
from store.models import events as rows
from store.models import retractions
from store.retracted import retracted
from store.selection import Selection
from store.states import Lane, State

_FINISHED = (State.DONE, State.DEAD)


@dataclass(frozen=True, kw_only=True)
class Selected:
    """What a replay would do: `replayable` rows go back, the others are refused by reason code."""

    refused: Mapping[str, int]
    row_ids: tuple[str, ...]
    """Those that go back, oldest first, as far as the selection's limit."""

    @property
    def replayable(self) -> int:
        return len(self.row_ids)


@dataclass(frozen=True, kw_only=True)
class Named:
    """A row that would go back, as an operator knows it."""

    tenant: str
    event_id: str
    state: State


@dataclass(frozen=True, kw_only=True)
class Job:
    """A replay that has begun: `selected` rows carry its id."""

    id: str
    selected: int
    refused: Mapping[str, int]


@dataclass(frozen=True, kw_only=True)
class PutBack:
    """One step of a replay: the rows that wait again, each with its lane, those refused after all, and how many are
    left to do."""

    rows: tuple[tuple[str, Lane], ...]
    refused: Mapping[str, int]
    left: int


def select_for_replay(engine: Engine, keys: Keys, selection: Selection) -> Selected:
    """A dry run: what would be put back and what refused. Without states, a selection that names no event, ticket or
    customer means what is done or dead."""
    with reading(engine) as connection:
        return _selected(connection, keys, selection)


def select_for_resume(engine: Engine, keys: Keys, job: str) -> Selected:
    """A dry run of what is left of a job."""
    with reading(engine) as connection:
        return _told(connection, keys, [rows.c.replay_job == job], limit=None)


def named(engine: Engine, row_ids: Sequence[str]) -> Iterator[Named]:
    """These rows by name, in order. One that was erased or purged meanwhile has none and is left out."""
    for start in range(0, len(row_ids), 500):
        chunk = row_ids[start : start + 500]
        query = select(rows.c.id, rows.c.tenant, rows.c.event_id, rows.c.state)
        with reading(engine) as connection:
            found = {row.id: row for row in connection.execute(query.where(rows.c.id.in_(chunk)))}
        for row in (found[row_id] for row_id in chunk if row_id in found):
            if row.event_id is not None:
                yield Named(tenant=row.tenant, event_id=row.event_id, state=State(row.state))


def begin(engine: Engine, keys: Keys, selection: Selection) -> Job:
    """Stamps the rows that may go back with a new job's id. Nothing else changes yet."""
    job = uuid4().hex
    with writing(engine) as connection:
        found = _selected(connection, keys, selection)
        for start in range(0, len(found.row_ids), 500):
            chunk = found.row_ids[start : start + 500]
            connection.execute(update(rows).where(rows.c.id.in_(chunk)).values(replay_job=job))
    return Job(id=job, selected=len(found.row_ids), refused=found.refused)


def left(engine: Engine, job: str) -> int:
    """How many rows the job has not dealt with yet; 0 for a finished or unknown one."""
    with reading(engine) as connection:
        return _left(connection, job)


def put_back(
    engine: Engine,
    keys: Keys,
    job: str,
    *,
    limit: int,
    actor: str,
    note: str | None = None,
    now: datetime,
    lane: Lane = Lane.BACKFILL,
) -> PutBack:
    """Puts up to `limit` rows of the job back, in one transaction; call it until nothing is left.

    What has changed since the job began is looked at again: a row that was erased, retracted or cleared meanwhile is
    refused. By default they travel behind today's tickets.
    """
    with writing(engine) as connection:
        barred = _retracted(connection, keys, rows.c.replay_job == job)
        batch = connection.execute(_batch(job, limit, barred)).all()
        back = [row for row in batch if row.refusal is None]
        due = database_now(connection)
        refused = [row for row in batch if row.refusal is not None]
        connection.execute(update(rows).where(_these(back)).values(_anew(lane, due)))
        connection.execute(update(rows).where(_these(refused)).values(replay_job=None))
        audit.record_all(connection, [_line(row, job=job, actor=actor, note=note, now=now) for row in batch])
        return PutBack(
            rows=tuple((row.id, lane) for row in back),
            refused=Counter(row.refusal for row in refused),
            left=_left(connection, job),
        )


def _selected(connection: Connection, keys: Keys, selection: Selection) -> Selected:
    conditions = selection.conditions(keys)
    if selection.states is None and not selection.named:
        conditions.append(rows.c.state.in_(_FINISHED))
    return _told(connection, keys, conditions, limit=selection.limit)


def _told(
    connection: Connection, keys: Keys, conditions: Sequence[ColumnElement[bool]], *, limit: int | None
) -> Selected:
    barred = _retracted(connection, keys, *conditions)
    refusal = _refusal(barred).label("refusal")
    tally = select(refusal, func.count().label("number")).where(*conditions).group_by(refusal)
    found = {row.refusal: row.number for row in connection.execute(tally)}
    found.pop(None, None)
    wanted = select(rows.c.id).where(*conditions, _refusal(barred).is_(None))
    ids = connection.execute(wanted.order_by(rows.c.received_at, rows.c.id).limit(limit)).scalars()
    return Selected(refused=found, row_ids=tuple(ids))


def _retracted(connection: Connection, keys: Keys, *conditions: ColumnElement[bool]) -> ColumnElement[bool]:
    """Whether a row's ticket was retracted. Retractions name it by a keyed hash, so the tickets in question are looked
    at here, where their tenant has retracted any at all."""
    theirs = exists().where(retractions.c.tenant == rows.c.tenant)
    asked = select(rows.c.tenant, rows.c.ticket).where(*conditions, theirs, rows.c.ticket.is_not(None)).distinct()
    barred = retracted(connection, keys, [(row.tenant, row.ticket) for row in connection.execute(asked)])
    return or_(false(), *(and_(rows.c.tenant == tenant, rows.c.ticket == ticket) for tenant, ticket in sorted(barred)))


def _refusal(barred: ColumnElement[bool]) -> ColumnElement[str | None]:
    """Why a row may not go back, as a reason code; NULL where it may."""
    return case(
        (rows.c.state == State.ERASED, Reason.ERASED.value),
        (rows.c.state == State.PROCESSING, Reason.PROCESSING.value),
        (rows.c.state == State.PENDING, Reason.PENDING.value),
        (barred, Reason.RETRACTED.value),
        (rows.c.payload.is_(None), Reason.PAYLOAD_GONE.value),
        else_=null(),
    )


def _batch(job: str, limit: int, barred: ColumnElement[bool]) -> Select[Any]:
    query = select(rows.c.id, rows.c.tenant, _refusal(barred).label("refusal")).where(rows.c.replay_job == job)
    return query.order_by(rows.c.id).limit(limit).with_for_update(of=rows)


def _these(batch: Sequence[Row[Any]]) -> ColumnElement[bool]:
    return rows.c.id.in_([row.id for row in batch])


def _anew(lane: Lane, due: datetime) -> dict[str, Any]:
    """A row as it waits when it was put back: nothing of its former attempts counts against it."""
    return {
        "state": State.PENDING,
        "reason": Reason.REPLAYED,
        "lane": lane,
        "fence": rows.c.fence + 1,
        "attempts": 0,
        "crashes": 0,
        "next_attempt": due,
        "next_publish": None,
        "failing_since": None,
        "finished_at": None,
        "replay_job": None,
    }


def _line(row: Row[Any], *, job: str, actor: str, note: str | None, now: datetime) -> audit.Entry:
    return audit.Entry(
        at=now,
        tenant=row.tenant,
        actor=actor,
        action="replay",
        outcome="refused" if row.refusal else "put_back",
        reason=row.refusal or Reason.REPLAYED,
        event=row.id,
        job=job,
        note=note,
    )


def _left(connection: Connection, job: str) -> int:
    return connection.execute(select(func.count()).where(rows.c.replay_job == job)).scalar_one()
