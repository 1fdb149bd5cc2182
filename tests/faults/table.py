"""Every fault, as data: what is done while tickets come in, and what must then have happened."""

import signal
import sqlite3
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime

from faults.proxy import LostCommit
from faults.stage import BEAT, SHORT, Stage
from world import closed_ticket

from pipeline.events import TicketClosed
from pipeline.ids import CustomerRef
from store.erase import forget
from store.states import Lane
from worker import house
from worker.celery import QUEUES
from worker.publish import send

Strike = Callable[[Stage], None]
SQLITE, POSTGRESQL = "sqlite", "postgresql"
BOTH = (SQLITE, POSTGRESQL)
LEASE = float(SHORT["lease"])
STEADY = {"lease": "30", "deadline": "20"}
"""For what must not lose a lease, on however slow a machine."""
UNWATCHED = {"liveness_seconds": "300"}
"""For a worker that is frozen longer than its watch allows, and is to wake nevertheless."""


@dataclass(frozen=True, kw_only=True)
class Fault:
    """`strike` is done while `tickets` come in, and checks that the fault took place. `row` is the line of the README's
    table that it stands for. `plug` is what happens inside of the workers (tests/faults/plug)."""

    name: str
    row: str
    strike: Strike
    databases: tuple[str, ...] = (SQLITE,)
    workers: tuple[str, ...] = ("one",)
    plug: str = ""
    beat_too: bool = False
    """The plug is in beat as well."""
    delay: float = 0.3
    """Seconds that the model takes."""
    tickets: int = 24
    every: float = 0.25
    """Seconds between three tickets and the next three."""
    hours_ago: int = 0
    also: tuple[TicketClosed, ...] = ()
    dead: frozenset[str] = frozenset()
    settings: dict[str, str] = field(default_factory=dict)
    short: str = ""
    """The database on which it is part of `make test`: a few, quick ones."""


# --- strikes ----------------------------------------------------------------------------------------------------------


def worker_dies(stage: Stage) -> None:
    """The plug kills it, once."""
    stage.until((stage.folder / "died").exists, what="the worker's death")
    stage.until(lambda: stage.deaths() == 1, what="its restart")


def worker_killed_again_and_again(stage: Stage) -> None:
    for _ in range(3):
        stage.called(stage.model.calls.total() + 2)
        stage.signal("one", signal.SIGKILL)
        stage.wait(6)
    assert stage.deaths() == 3


def redis(what: str, *, seconds: float) -> Strike:
    """Redis, or the way to it, is broken in one way for a while, and comes back."""
    ways: dict[str, tuple[Strike, Strike]] = {
        "killed": (lambda s: s.redis.kill(), lambda s: s.redis.start()),
        "flushed": (lambda s: s.redis.client.flushall() and None, lambda s: None),
        "frozen": (lambda s: s.redis.freeze(), lambda s: s.redis.thaw()),
        "cut off": (lambda s: s.to_redis.silence(), lambda s: s.to_redis.mend()),
        "refusing": (lambda s: s.to_redis.refuse(), lambda s: s.to_redis.mend()),
    }
    break_it, mend_it = ways[what]

    def strike(stage: Stage) -> None:
        stage.called()
        break_it(stage)
        stage.wait(seconds)
        mend_it(stage)

    return strike


def redis_flushed_all_the_time(stage: Stage) -> None:
    stage.called(1)
    for _ in range(8):
        stage.redis.client.flushall()
        stage.wait(0.5)


def database(what: str, *, seconds: float) -> Strike:
    def cut(stage: Stage) -> None:
        assert stage.to_database
        stage.to_database.silence()

    def refuse(stage: Stage) -> None:
        assert stage.to_database
        stage.to_database.refuse()

    def stop(stage: Stage) -> None:
        assert stage.postgres
        stage.postgres.stop()

    def start(stage: Stage) -> None:
        assert stage.postgres
        stage.postgres.start()

    def mend(stage: Stage) -> None:
        assert stage.to_database
        stage.to_database.mend()

    ways: dict[str, tuple[Strike, Strike]] = {
        "restarted": (stop, start), "cut off": (cut, mend), "refusing": (refuse, mend)
    }  # fmt: skip
    break_it, mend_it = ways[what]

    def strike(stage: Stage) -> None:
        stage.called()
        break_it(stage)
        stage.wait(seconds)
        mend_it(stage)

    return strike


def commits_lost(which: LostCommit) -> Strike:
    def strike(stage: Stage) -> None:
        assert stage.to_database
        stage.to_database.lose_commits(which)
        stage.until(lambda: stage.to_database and stage.to_database.lost == which.times, what="lost commits")

    return strike


def sqlite_locked(stage: Stage) -> None:
    stage.called()
    other = sqlite3.connect(stage.direct_url.removeprefix("sqlite:///"), isolation_level=None, timeout=10)
    other.execute("BEGIN IMMEDIATE")
    stage.wait(LEASE + 1)
    other.execute("ROLLBACK")
    other.close()


def second_beat(stage: Stage) -> None:
    """On a second host: a home of its own, the same database and Redis."""
    home = stage.folder / "second-home"
    stage.start("beat-2", [*BEAT, "--pidfile=", "-s", str(stage.folder / "beat-2")], AFTERWORD_HOME=str(home))
    for _ in range(4):
        stage.redis.client.delete(*QUEUES.values())
        stage.wait(1)


def beat_killed(stage: Stage) -> None:
    stage.called()
    stage.redis.client.flushall()
    stage.signal("beat", signal.SIGKILL)
    stage.until(lambda: stage.deaths() == 1, what="beat's restart")


def eight_times(stage: Stage) -> None:
    row_id = stage.take([closed_ticket("Please e-mail only. Ticket n999, once.", ticket_id="n999")])[0]
    for _ in range(5):
        send(stage.world.runtime, [(row_id, Lane.LIVE)] * 8)
    stage.until(lambda: stage.model.calls["n999"] >= 1, what="its call")
    send(stage.world.runtime, [(row_id, Lane.LIVE)] * 8)
    stage.until(lambda: stage.world.state(row_id)[0] == "done", what="its end")
    send(stage.world.runtime, [(row_id, Lane.LIVE)] * 8)
    stage.until(lambda: stage.redis.client.llen(QUEUES[Lane.LIVE]) == 0, what="an empty queue")
    assert stage.model.calls["n999"] == 1


def zombie(stage: Stage) -> None:
    """One worker sleeps through its leases, another takes over, and the first one wakes with its answers."""
    stage.called(6)
    stage.signal("one", signal.SIGSTOP)
    stage.until(lambda: crashes(stage) >= 1, what="a lease lost")
    stage.wait(3)
    stage.signal("one", signal.SIGCONT)
    number = stage.world.processes.index(stage.programs["one"].process)
    stage.until(lambda: "another worker has it" in stage.world.log(number), what="the zombie's defeat")


def crashes(stage: Stage) -> int:
    return sum(stage.world.row(row_id).crashes for row_id in list(stage.accepted))


def poison_ends(stage: Stage) -> None:
    stage.until(lambda: stage.dead() == {"worker_lost"}, within=90, what="the end of the poison")
    (row,) = [r for r in map(stage.world.row, list(stage.accepted)) if r.state == "dead"]
    assert (row.lane, row.crashes, row.ticket) == ("quarantine", 3, POISON.ticket_id)
    assert stage.deaths() == 3


def rolling_restart(stage: Stage) -> None:
    """One worker after the other is asked to stop, has stopped, and is replaced."""
    stage.called()
    for name in ("one", "two"):
        process = stage.programs.pop(name).process
        process.send_signal(signal.SIGTERM)
        stage.until(lambda p=process: p.poll() is not None, what="its stop")  # type: ignore[misc]
        assert process.returncode == 0
        stage.start_workers([name])
    assert crashes(stage) == 0


def asked_to_stop(stage: Stage) -> None:
    """A stop in the middle of calls: what can be finished is, and what cannot is handed back untried."""
    stage.called(4)
    process = stage.programs.pop("one").process
    asked = time.monotonic()
    process.send_signal(signal.SIGTERM)
    stage.until(lambda: process.poll() is not None, what="its stop")
    assert time.monotonic() - asked < 10
    left = [row for row in map(stage.world.row, list(stage.accepted)) if row.state != "done"]
    assert {(row.state, row.attempts, row.crashes) for row in left} <= {("pending", 0, 0)}
    assert process.returncode == 0
    stage.start_workers(["one"])


def hands_back(stage: Stage) -> None:
    """The model answers later than a stopping worker may wait."""
    asked_to_stop(stage)
    assert "it was handed back" in stage.world.logs()
    stage.model.mood(delay=0.1)


def clock_set(*shifts: float) -> Strike:
    """The clock is off by so many seconds, one after the other."""

    def strike(stage: Stage) -> None:
        stage.called(2)
        for shift in shifts:
            (stage.folder / "clock").write_text(str(shift))
            stage.wait(3)

    return strike


def clock_set_and_only_the_sweep_helps(*shifts: float) -> Strike:
    """What Redis holds is lost at each jump."""

    def strike(stage: Stage) -> None:
        stage.called(2)
        for shift in shifts:
            (stage.folder / "clock").write_text(str(shift))
            stage.wait(1)
            stage.redis.client.flushall()
            stage.called(stage.model.calls.total() + 2)

    return strike


def network_gone_in_a_transaction(stage: Stage) -> None:
    """A host vanishes with a transaction open: its locks must not outlast it by hours."""
    assert stage.to_database
    stage.to_database.lose_commits(LostCommit(marker=b"applied", when="silently", times=2))
    stage.until(lambda: stage.to_database and stage.to_database.lost == 2, what="two transactions cut")
    stage.signal("one", signal.SIGKILL)


def model_down(**mood: float) -> Strike:
    def strike(stage: Stage) -> None:
        stage.called()
        stage.model.mood(**mood)  # type: ignore[arg-type]
        stage.until(lambda: "breaker open" in stage.world.logs(), what="an open breaker")
        asked = stage.model.calls.total()
        stage.wait(5)
        assert stage.model.calls.total() - asked <= 8 + 2  # what was under way, and a probe
        stage.model.mood(delay=0.1)

    return strike


def model_killed(stage: Stage) -> None:
    stage.called()
    stage.model.kill()
    stage.until(lambda: "put back" in stage.world.logs(), what="a ticket put back")
    stage.wait(2)
    stage.model.start()


def junk(stage: Stage) -> None:
    """Twelve of each kind, which is more than the worker has places for, and two that are huge."""
    import json

    from kombu import Connection

    raw = [b"not json", b"\xff\xfe", b"[]", b"{}", b"1", b'{"properties": {}}', b"\x00" * 1_000] * 12
    raw += [b"x" * 5_000_000] * 2
    for entry in raw:
        stage.redis.client.lpush(QUEUES[Lane.LIVE], entry)
    with Connection(stage.world.environ["AFTERWORD_REDIS_URL"]) as connection:
        producer = connection.Producer()
        for task in ("nobody.knows", "celery.chord_unlock", "afterword.process"):
            for body in ([[], {}, {}], [[{"a": 1}, 2], {"x": 1}, {}], [["../x"], {}, {}], {}, "text"):
                producer.publish(
                    json.dumps(body),
                    routing_key=QUEUES[Lane.LIVE],
                    content_type="application/json",
                    content_encoding="utf-8",
                    headers={"task": task, "id": "x", "lang": "py"},
                )
        producer.publish({"a": 1}, routing_key=QUEUES[Lane.LIVE], serializer="pickle", headers={"task": "x", "id": "1"})
    stage.until(lambda: int(stage.redis.client.get("afterword:junk") or 0) >= len(raw), what="counts of junk")
    assert stage.deaths() == 0


def forgotten(stage: Stage) -> None:
    """A customer is forgotten while a worker reads their tickets, and dies."""
    stage.called(4)
    runtime = stage.world.runtime
    ref = CustomerRef(tenant="tenant-0", customer="c-0")
    forget(
        runtime.engine,
        runtime.keys,
        runtime.ledger,
        ref,
        rules=house.rules(runtime),
        actor="test",
        now=datetime.now(UTC),
    )
    stage.signal("one", signal.SIGKILL)
    stage.settle()
    assert stage.world.states()["erased"] >= 1


POISON = closed_ticket("Please e-mail only. Ticket n666, poison.", ticket_id="n666", customer="poison")

# --- the table --------------------------------------------------------------------------------------------------------

KILLED = "worker killed at any moment"
REDIS = "Redis lost, emptied, cut off or frozen"
DATABASE = "the database restarts, is cut off, or is locked"
COMMIT = "the database goes away at the commit"
TWICE = "the same message twice, eight times; two beats"
ZOMBIE = "a worker that was frozen wakes after its lease"
CRASHES = "a ticket that kills its worker"
STOP = "a worker is asked to stop; a rolling restart"
CLOCK = "a clock that jumps, or is wrong"
MODEL = "the model is down for a day"
JUNK = "junk on the Redis queue"
FORGET = "a customer is forgotten meanwhile"
MIXED = "all of it mixed"

FAULTS = (
    *(
        Fault(
            name=f"a worker killed {step}",
            row=KILLED,
            plug=f"die {step}",
            strike=worker_dies,
            databases=BOTH,
            delay=0.8,
            tickets=12,
            short=POSTGRESQL if step == "during the call" else "",
        )
        for step in (
            "before the claim",
            "after the claim",
            "with the ticket open",
            "during the call",
            "after the answer",
            "before the commit",
            "after the commit",
        )
    ),
    Fault(name="redis killed and restarted empty", row=REDIS, strike=redis("killed", seconds=3), short=SQLITE),
    Fault(name="redis flushed again and again", row=REDIS, strike=redis_flushed_all_the_time),
    Fault(name="redis cut off", row=REDIS, strike=redis("cut off", seconds=12), databases=BOTH),
    Fault(name="redis refusing connections", row=REDIS, strike=redis("refusing", seconds=6)),
    Fault(name="redis frozen", row=REDIS, strike=redis("frozen", seconds=10)),
    Fault(
        name="the database restarted",
        row=DATABASE,
        strike=database("restarted", seconds=3),
        databases=(POSTGRESQL,),
    ),
    Fault(
        name="the database cut off",
        row=DATABASE,
        strike=database("cut off", seconds=12),
        databases=(POSTGRESQL,),
        workers=("one", "two"),
    ),
    Fault(
        name="the database refusing connections",
        row=DATABASE,
        strike=database("refusing", seconds=LEASE + 2),
        databases=(POSTGRESQL,),
    ),
    Fault(name="the database locked", row=DATABASE, strike=sqlite_locked),
    *(
        Fault(
            name=f"{what} cut off {when} its commit",
            row=COMMIT,
            strike=commits_lost(LostCommit(marker=marker, when=when)),
            databases=(POSTGRESQL,),
            tickets=36,
        )
        for what, marker in (("taking in", b"INSERT INTO events"), ("a claim", b"fence + "), ("an end", b"applied"))
        for when in ("before", "after")
    ),
    Fault(
        name="the network gone in a transaction",
        row=COMMIT,
        plug="impatient database",
        strike=network_gone_in_a_transaction,
        databases=(POSTGRESQL,),
    ),
    Fault(name="two beats", row=TWICE, strike=second_beat, databases=BOTH),
    Fault(name="beat killed", row=KILLED, strike=beat_killed),
    Fault(
        name="a message eight times at once",
        row=TWICE,
        strike=eight_times,
        databases=BOTH,
        workers=("one", "two"),
        short=POSTGRESQL,
    ),
    Fault(
        name="a zombie that wakes after its lease",
        row=ZOMBIE,
        strike=zombie,
        databases=BOTH,
        workers=("one", "two"),
        delay=1.0,
        settings=UNWATCHED,
    ),
    Fault(
        name="a ticket that kills its worker",
        row=CRASHES,
        plug="die of poison",
        strike=poison_ends,
        databases=BOTH,
        workers=("one", "quarantine"),
        also=(POISON,),
        dead=frozenset({"worker_lost"}),
    ),
    Fault(
        name="workers killed three times",
        row=KILLED,
        strike=worker_killed_again_and_again,
        workers=("one", "quarantine"),
        settings=STEADY,
    ),
    Fault(
        name="a rolling restart",
        row=STOP,
        strike=rolling_restart,
        databases=BOTH,
        workers=("one", "two"),
        tickets=60,
        settings=STEADY,
    ),
    Fault(name="a stop during calls", row=STOP, strike=asked_to_stop, delay=0.5, settings=STEADY),
    Fault(
        name="a stop during calls that last",
        row=STOP,
        strike=hands_back,
        delay=3.5,
        settings=STEADY,
        short=SQLITE,
    ),
    *(
        Fault(
            name=f"a worker's clock {name}",
            row=CLOCK,
            plug="jump",
            strike=clock_set_and_only_the_sweep_helps(*shifts),
            databases=(POSTGRESQL,),
            every=0.5,
            tickets=48,
        )
        for name, shifts in (
            ("that jumps", (7200, -7200, 0)),
            ("two hours fast", (7200,)),
            ("two hours slow", (-7200,)),
        )
    ),
    Fault(
        name="beat's clock set back",
        row=CLOCK,
        plug="jump",
        strike=clock_set_and_only_the_sweep_helps(7200, 0),
        every=0.5,
        tickets=48,
        beat_too=True,
    ),
    Fault(
        name="the database's clock set back and forward",
        row=CLOCK,
        plug="jump with the database",
        strike=clock_set(-7200, 0, 7200),
        hours_ago=3,
        beat_too=True,
    ),
    Fault(name="a model that fails", row=MODEL, strike=model_down(status=503)),
    Fault(name="a model that is gone", row=MODEL, strike=model_killed),
    Fault(name="junk on the queue", row=JUNK, strike=junk),
    Fault(name="a customer forgotten", row=FORGET, strike=forgotten, databases=BOTH, delay=0.8),
)
