"""The inbox as a state machine: whatever happens in whatever order, nothing is lost and the counts reconcile."""

from collections import Counter
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test
from inboxing import LEASE, NOW, finished, lose_worker, ticket
from remembering import KEYS, RULES
from sqlalchemy import Engine, delete

from pipeline.ids import CustomerRef
from pipeline.reasons import Reason
from store import replay
from store.claim import Claim, LostLease, bury, claim, extend, postpone, release
from store.counts import Counts, counts
from store.engine import writing
from store.erase import forget
from store.inbox import Outcome, accept, publishable
from store.ledger import open_ledger
from store.models import metadata
from store.purge import purge
from store.retention import Retention
from store.selection import Selection
from store.states import State
from store.sweep import due

REFS = [CustomerRef(tenant=t, customer=c) for t in ("acme", "acme1") for c in ("u1", "u10")]
NAMES = st.integers(0, 5).map(str)
WAYS = ("finish", "bury", "postpone", "release", "extend")
NO_TIME_AT_ALL = Retention(payload_days=0, event_days=0, dead_days=0)


class Delivery(RuleBasedStateMachine):
    """Runs the store beside a model that knows only what was answered."""

    engine: Engine
    folder: Path
    claims: Bundle[Claim] = Bundle("claims")

    def __init__(self) -> None:
        super().__init__()
        with writing(self.engine) as connection:
            for table in reversed(metadata.sorted_tables):
                connection.execute(delete(table))
        self.ledger = open_ledger(str(self.folder / f"ledger-{id(self)}.jsonl"))
        self.clock = NOW
        self.accepted: Counter[str] = Counter()
        self.applied: Counter[tuple[str, int]] = Counter()
        self.rows: dict[str, CustomerRef] = {}

    @initialize()
    def _begin(self) -> None:
        self.deliver(REFS[0], ["0", "1"], same=True)

    @rule(ref=st.sampled_from(REFS), names=st.lists(NAMES, min_size=1, max_size=4), same=st.booleans())
    def deliver(self, ref: CustomerRef, names: list[str], same: bool) -> None:
        """Delivers events, some of them again, some with other content under the same id."""
        self.clock += timedelta(minutes=1)
        events = [
            ticket(
                f"{ref.customer}-{name}",
                ref=ref,
                text="as ever" if same else "something else",
                closed_at=self.clock if not same else NOW,
            )
            for name in names
        ]
        for answer in accept(self.engine, KEYS, events, now=self.clock):
            self.rows[answer.row_id] = ref
            self.accepted[ref.tenant] += answer.outcome is Outcome.ACCEPTED

    @rule()
    def publish(self) -> None:
        publishable(self.engine, list(self.rows), outstanding_limit=2)

    @rule(target=claims, pick=st.integers(0, 10_000))
    def take(self, pick: int) -> Any:
        """A delivery of some message: a claim, or nothing."""
        rows = sorted(self.rows)
        return claim(self.engine, rows[pick % len(rows)], lease=LEASE) if rows else None

    @rule(held=claims, way=st.sampled_from(WAYS))
    def end(self, held: Claim | None, way: str) -> None:
        """An attempt ends, perhaps long after it was lost, or for the second time."""
        if held is None:
            return
        try:
            self._end(held, way)
        except LostLease:
            return
        if way in ("finish", "bury"):
            self.applied[held.row_id, held.fence] += 1

    def _end(self, held: Claim, way: str) -> None:
        if way == "finish":
            finished(self.engine, held)
        elif way == "bury":
            bury(self.engine, held, reason=Reason.REFUSAL)
        elif way == "postpone":
            postpone(self.engine, held, reason=Reason.RATE_LIMITED, delay=timedelta(0))
        elif way == "release":
            release(self.engine, held)
        else:
            extend(self.engine, held, lease=LEASE)

    @rule(held=claims)
    def crash(self, held: Claim | None) -> None:
        """The worker vanishes, and so does whoever holds the row by now; the sweep finds out."""
        if held is not None:
            lose_worker(self.engine, held.row_id)
            self.sweep()

    @rule()
    def sweep(self) -> None:
        due(self.engine, limit=10, outstanding_limit=2, republish_after=timedelta(minutes=5))

    @rule(tenant=st.sampled_from(["acme", "acme1", None]), limit=st.integers(1, 3))
    def put_back(self, tenant: str | None, limit: int) -> None:
        job = replay.begin(self.engine, KEYS, Selection(tenant=tenant))
        replay.put_back(self.engine, KEYS, job.id, limit=limit, actor="ops", now=self.clock)

    @rule(ref=st.sampled_from(REFS))
    def forget(self, ref: CustomerRef) -> None:
        self.clock += timedelta(minutes=1)
        forget(self.engine, KEYS, self.ledger, ref, rules=RULES, actor="ops", now=self.clock)

    @rule(everything=st.booleans())
    def purge(self, everything: bool) -> None:
        retention = NO_TIME_AT_ALL if everything else Retention()
        purge(self.engine, now=self.clock + timedelta(days=40_000 if everything else 0), retention=retention, batch=2)

    @invariant()
    def what_was_accepted_is_somewhere(self) -> None:
        found = counts(self.engine)
        assert {t: c.accepted for t, c in found.items() if c.accepted} == {t: n for t, n in self.accepted.items() if n}

    @invariant()
    def nothing_is_applied_twice_under_one_fence(self) -> None:
        assert all(times == 1 for times in self.applied.values())

    def teardown(self) -> None:
        """In the end everything that waits can be finished: no row is stuck."""
        for row_id in self.rows:
            lose_worker(self.engine, row_id)
        for _ in range(3):
            self.sweep()
            for row_id in self.rows:
                if held := claim(self.engine, row_id, lease=LEASE):
                    finished(self.engine, held)
        left = sum(counts(self.engine).values(), Counts())
        assert (left.pending, left.processing) == (0, 0)
        assert left.accepted == self.accepted.total()


@pytest.mark.timeout(600)
def test_whatever_happens_nothing_is_lost_and_nothing_applied_twice(engine: Engine, tmp_path: Path) -> None:
    machine = type("Machine", (Delivery,), {"engine": engine, "folder": tmp_path})
    checked = settings(
        max_examples=12,
        stateful_step_count=25,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    run_state_machine_as_test(machine, settings=checked)


def test_without_the_fence_a_zombie_would_apply_its_ticket_twice(engine: Engine) -> None:
    """The negative control: the same row, the fence left out of the condition."""
    from inboxing import claimed, row_of
    from sqlalchemy import update

    from store.models import events

    zombie = claimed(engine, row_of(engine, ticket("1")))
    lose_worker(engine, zombie.row_id)
    due(engine, limit=1, outstanding_limit=1, republish_after=LEASE)
    claimed(engine, zombie.row_id)
    with pytest.raises(LostLease):
        finished(engine, zombie)
    with writing(engine) as connection:
        unfenced = update(events).where(events.c.id == zombie.row_id, events.c.state == State.PROCESSING)
        assert connection.execute(unfenced.values(state=State.DONE)).rowcount == 1
