"""What stands before the model for all workers together, against a real Redis."""

import time

import pytest
import redis

from pipeline.reasons import Reason
from worker import limits
from worker.limits import ModelLimits, Rates
from worker.outcomes import Lasting, Passing, Reply

DOWN = Passing(reason=Reason.MODEL_UNAVAILABLE)
FINE = Reply(text="")


UNLIMITED = Rates()


def two(url: str, rates: Rates = UNLIMITED) -> tuple[ModelLimits, ModelLimits]:
    """Two workers that know each other only through Redis."""
    return ModelLimits(redis.Redis.from_url(url), rates), ModelLimits(redis.Redis.from_url(url), rates)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "OPEN_SECONDS", 0.2)


def open_breaker(one: ModelLimits) -> None:
    for _ in range(limits.OPEN_AFTER):
        one.record(DOWN)


def test_without_a_limit_nobody_waits(redis_url: str) -> None:
    one, _ = two(redis_url)
    assert [one.wait(10_000) for _ in range(100)] == [0.0] * 100


def test_a_rate_is_shared_by_all_workers(redis_url: str) -> None:
    one, other = two(redis_url, Rates(requests=60))
    waits = [worker.wait(1) for _ in range(3) for worker in (one, other)]
    assert waits[0] == 0.0
    assert waits[-1] > 0
    assert sum(wait == 0.0 for wait in waits) <= 4


def test_a_token_limit_counts_tokens(redis_url: str) -> None:
    one, other = two(redis_url, Rates(tokens=60_000))
    assert one.wait(10_000) == 0.0
    wait = other.wait(10)
    assert 5 < wait <= 10


def test_a_refused_call_books_nothing(redis_url: str) -> None:
    one, _ = two(redis_url, Rates(requests=6, tokens=1_000_000))
    one.wait(1)
    first = one.wait(1)
    assert first > 0
    for _ in range(20):
        assert one.wait(1) <= first


def test_failures_in_a_row_open_the_breaker_for_all(redis_url: str) -> None:
    one, other = two(redis_url)
    for _ in range(limits.OPEN_AFTER - 1):
        one.record(DOWN)
        assert other.admits() == 0.0
    one.record(DOWN)
    assert other.admits() > 0
    assert other.state() == "open"


def test_one_answer_in_between_keeps_it_closed(redis_url: str) -> None:
    one, other = two(redis_url)
    for _ in range(limits.OPEN_AFTER * 2):
        one.record(DOWN)
        other.record(Lasting(reason=Reason.REFUSAL))
    assert one.state() == "closed"


def test_a_half_open_breaker_lets_one_probe_through(redis_url: str, quick: None) -> None:
    one, other = two(redis_url)
    open_breaker(one)
    time.sleep(0.25)
    assert one.state() == "half_open"
    assert one.admits() == 0.0
    assert other.admits() > 0
    assert one.admits() > 0


def test_a_probe_that_succeeds_closes_it(redis_url: str, quick: None) -> None:
    one, other = two(redis_url)
    open_breaker(one)
    time.sleep(0.25)
    assert one.admits() == 0.0
    one.record(FINE)
    assert other.state() == "closed"
    assert [other.admits() for _ in range(5)] == [0.0] * 5


def test_a_probe_that_fails_opens_it_again_at_once(redis_url: str, quick: None) -> None:
    one, other = two(redis_url)
    open_breaker(one)
    time.sleep(0.25)
    one.admits()
    one.record(DOWN)
    assert other.state() == "open"


def test_a_probe_that_found_no_ticket_leaves_its_place_to_the_next(redis_url: str, quick: None) -> None:
    one, other = two(redis_url)
    open_breaker(one)
    time.sleep(0.25)
    assert one.admits() == 0.0
    one.unused()
    assert other.admits() == 0.0


def test_a_server_that_asks_to_slow_down_is_obeyed_by_all_and_needs_no_probe(redis_url: str) -> None:
    one, other = two(redis_url)
    one.record(Passing(reason=Reason.RATE_LIMITED, retry_after=0.2))
    assert 0 < other.admits() <= 0.2
    time.sleep(0.25)
    assert other.admits() == one.admits() == 0.0


def test_redis_out_of_reach_admits_every_call() -> None:
    unreachable = ModelLimits(redis.Redis(port=1, socket_connect_timeout=0.2), Rates(requests=1))
    unreachable.record(DOWN)
    assert unreachable.wait(1) == unreachable.admits() == 0.0
    assert unreachable.state() == "closed"
