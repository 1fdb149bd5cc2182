"""What Prometheus sees. Each metric is named once, in the table below; no label ever holds a tenant, customer or value.

Workers are many processes on many hosts, and what they do ends in the database; so the door reads its figures there,
and workers carry no metrics of their own. Counters begin at 0 when the door starts, as any process's do. Several doors
over one database count the same: take `max`, not `sum`, of what does not begin with afterword_http.
"""

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Histogram, disable_created_metrics, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector
from redis import RedisError

from pipeline.facts import Action
from pipeline.reasons import Reason
from store import figures
from store.faults import StoreError
from store.heartbeat import last_runs
from store.ledger import LedgerUnavailable
from store.reapply import lines_behind
from worker.broker import JUNK_KEY
from worker.runtime import Runtime

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
LAG = timedelta(seconds=5)
"""How long after its moment a line is counted: transactions that began before and commit later are then in."""
_METHODS = frozenset(("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"))
_SECONDS = (0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
_MODEL_SECONDS = (0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 15.0, 30.0, 60.0, 120.0)


@dataclass(frozen=True, kw_only=True)
class Named:
    """One metric. `kind` is Prometheus's word for it."""

    kind: str
    says: str
    labels: tuple[str, ...] = ()


# --- counted as it happens, or read by window ---
ARRIVED = "afterword_events_arrived_total"
FINISHED = "afterword_events_finished_total"
MODEL_SECONDS = "afterword_model_seconds"
MODEL_TOKENS = "afterword_model_tokens_total"
DECISIONS = "afterword_decisions_total"
REFUSALS = "afterword_gate_refusals_total"
FEEDBACK = "afterword_feedback_total"
WITHHELD = "afterword_recall_withheld_total"
REQUESTS = "afterword_http_requests_total"
REQUEST_SECONDS = "afterword_http_request_seconds"
# --- as they stand at the scrape ---
EVENTS = "afterword_events"
OLDEST_PENDING = "afterword_oldest_pending_seconds"
QUEUED = "afterword_queue_messages"
JUNK = "afterword_junk_messages"
FETCHES = "afterword_fetches"
OLDEST_FETCH = "afterword_oldest_fetch_seconds"
QUESTIONS = "afterword_review_open"
OLDEST_QUESTION = "afterword_review_oldest_seconds"
LAST_RUN = "afterword_last_run_timestamp_seconds"
PURGED = "afterword_last_purge_rows"
BEHIND = "afterword_ledger_behind_lines"
DATABASE_UP = "afterword_database_up"
REDIS_UP = "afterword_redis_up"

NAMES: dict[str, Named] = {
    ARRIVED: Named(kind="counter", says="Closed tickets at the door, by answer and way in", labels=("result", "via")),
    FINISHED: Named(kind="counter", says="Tickets that ended, by state and reason code", labels=("state", "reason")),
    MODEL_SECONDS: Named(kind="histogram", says="What asking the model took, a ticket, in seconds"),
    MODEL_TOKENS: Named(kind="counter", says="Tokens as the model server counts them", labels=("part",)),
    DECISIONS: Named(kind="counter", says="What became of statements", labels=("decision", "reason")),
    REFUSALS: Named(kind="counter", says="Statements that a gate refused, by reason code", labels=("code",)),
    FEEDBACK: Named(kind="counter", says="What recalled memories turned out to be", labels=("verdict",)),
    WITHHELD: Named(kind="counter", says="Facts that a recall withheld, by the gate's reason code", labels=("code",)),
    REQUESTS: Named(kind="counter", says="Requests by route and status", labels=("route", "method", "status")),
    REQUEST_SECONDS: Named(kind="histogram", says="How long requests took, in seconds", labels=("route",)),
    EVENTS: Named(kind="gauge", says="Tickets now, by state", labels=("state",)),
    OLDEST_PENDING: Named(kind="gauge", says="How long the ticket that waits longest has waited; 0: none waits"),
    QUEUED: Named(kind="gauge", says="Messages on a queue in Redis", labels=("queue",)),
    JUNK: Named(kind="gauge", says="Messages that could not be read and were dropped, in all"),
    FETCHES: Named(kind="gauge", says="Tickets to be fetched from a helpdesk, by state", labels=("state",)),
    OLDEST_FETCH: Named(kind="gauge", says="How long the fetch that waits longest has waited; 0: none waits"),
    QUESTIONS: Named(kind="gauge", says="Questions that wait for a person"),
    OLDEST_QUESTION: Named(kind="gauge", says="How long the oldest question has waited; 0: none waits"),
    LAST_RUN: Named(kind="gauge", says="When housekeeping last succeeded, in seconds since 1970", labels=("job",)),
    PURGED: Named(kind="gauge", says="Rows that the last purge deleted, by class", labels=("class",)),
    BEHIND: Named(kind="gauge", says="Lines of the erasure ledger that the database has not applied"),
    DATABASE_UP: Named(kind="gauge", says="1 where the database answered this scrape"),
    REDIS_UP: Named(kind="gauge", says="1 where Redis answered this scrape"),
}
_GATES = frozenset(list(Reason)[list(Reason).index(Reason.BAD_SHAPE) : list(Reason).index(Reason.GATE_TIMEOUT) + 1])
"""The reason codes that are a gate's, as they stand together in the vocabulary."""


class Metrics:
    """One a door. Safe among threads."""

    def __init__(self, runtime: Runtime, *, now: datetime | None = None) -> None:
        disable_created_metrics()  # type: ignore[no-untyped-call]  # series that nobody asks for
        self._runtime = runtime
        self._registry = CollectorRegistry()
        self._counters = {
            name: Counter(name, row.says, row.labels, registry=self._registry)
            for name, row in NAMES.items()
            if row.kind == "counter"
        }
        buckets = {MODEL_SECONDS: _MODEL_SECONDS, REQUEST_SECONDS: _SECONDS}
        self._histograms = {
            name: Histogram(name, NAMES[name].says, NAMES[name].labels, registry=self._registry, buckets=bounds)
            for name, bounds in buckets.items()
        }
        self._read_until = now or datetime.now(UTC)
        self._lock = threading.Lock()
        self._registry.register(_Standing(runtime))

    def arrived(self, result: str, *, via: str) -> None:
        self._counters[ARRIVED].labels(result, via).inc()

    def feedback(self, verdict: str) -> None:
        self._counters[FEEDBACK].labels(verdict).inc()

    def withheld(self, codes: Iterable[Reason]) -> None:
        for code in codes:
            self._counters[WITHHELD].labels(code.value).inc()

    def answered(self, route: str, method: str, status: int, seconds: float) -> None:
        """`route` is the route's template, never a path that somebody sent."""
        named = method if method in _METHODS else "other"
        self._counters[REQUESTS].labels(route, named, str(status)).inc()
        self._histograms[REQUEST_SECONDS].labels(route).observe(seconds)

    def exposition(self) -> bytes:
        """The text that Prometheus reads. A database that is down is said by afterword_database_up."""
        with self._lock:
            with suppress(StoreError):  # the window stays open: it is read once the database answers again
                self._read_on()
            return generate_latest(self._registry)

    def _read_on(self) -> None:
        engine = self._runtime.engine
        until = figures.clock(engine) - LAG
        if until <= self._read_until:
            return
        ended = figures.ended_between(engine, self._read_until, until)
        done = figures.done_between(engine, self._read_until, until)
        self._read_until = until
        for (state, reason), number in ended.by_result.items():
            self._counters[FINISHED].labels(state, reason).inc(number)
        for milliseconds in ended.model_ms:
            self._histograms[MODEL_SECONDS].observe(milliseconds / 1000)
        self._counters[MODEL_TOKENS].labels("prompt").inc(ended.prompt_tokens)
        self._counters[MODEL_TOKENS].labels("reply").inc(ended.reply_tokens)
        for (action, outcome, reason), number in done.items():
            if action == "write":
                self._decided(outcome, reason, number)

    def _decided(self, decision: str, reason: str, number: int) -> None:
        self._counters[DECISIONS].labels(decision, reason).inc(number)
        if decision == Action.REJECT and reason in _GATES:
            self._counters[REFUSALS].labels(reason).inc(number)


class _Standing(Collector):
    """The gauges: asked for at every scrape. A part that does not answer is left out, and its `up` is 0."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    def describe(self) -> Iterator[Metric]:
        for name, row in NAMES.items():
            if row.kind == "gauge":
                yield GaugeMetricFamily(name, row.says)

    def collect(self) -> Iterator[Metric]:
        for up, read in ((DATABASE_UP, self._database), (REDIS_UP, self._redis)):
            found = _answer(read)
            yield from found or ()
            yield _gauge(up, 0 if found is None else 1)
        yield from _answer(self._ledger) or ()

    def _database(self) -> list[Metric]:
        now = figures.standing(self._runtime.engine)
        runs = last_runs(self._runtime.engine)
        purge = runs["purge"].detail if "purge" in runs else {}
        rows = {name: number for name, number in purge.items() if not isinstance(number, bool)}
        return [
            _gauges(EVENTS, now.events),
            _gauge(OLDEST_PENDING, _age(now.at, now.oldest_pending)),
            _gauges(FETCHES, now.fetches),
            _gauge(OLDEST_FETCH, _age(now.at, now.oldest_fetch)),
            _gauge(QUESTIONS, now.questions),
            _gauge(OLDEST_QUESTION, _age(now.at, now.oldest_question)),
            _gauges(LAST_RUN, {name: run.at.timestamp() for name, run in runs.items()}),
            _gauges(PURGED, rows),
        ]

    def _redis(self) -> list[Metric]:
        from worker.celery import HOUSE, QUEUES

        redis: Any = self._runtime.redis
        if redis is None:
            raise RedisError
        queues = (HOUSE, *QUEUES.values())
        return [
            _gauges(QUEUED, {queue: redis.llen(queue) for queue in queues}),
            _gauge(JUNK, int(redis.get(JUNK_KEY) or 0)),
        ]

    def _ledger(self) -> list[Metric]:
        return [_gauge(BEHIND, lines_behind(self._runtime.engine, self._runtime.ledger))]


def _answer(read: Callable[[], list[Metric]]) -> list[Metric] | None:
    try:
        return read()
    except (StoreError, RedisError, LedgerUnavailable, OSError):
        return None


def _age(now: datetime, since: datetime | None) -> float:
    return max(0.0, (now - since).total_seconds()) if since else 0.0


def _gauge(name: str, value: float) -> Metric:
    return GaugeMetricFamily(name, NAMES[name].says, value=value)


def _gauges(name: str, values: Any) -> Metric:
    family = GaugeMetricFamily(name, NAMES[name].says, labels=NAMES[name].labels)
    for label, value in values.items():
        family.add_metric([label], value)
    return family
