"""What stands before the model for all workers together, kept in Redis: a rate, a token limit and a breaker.

Redis unreachable admits every call: limits spare the model server, and are never a reason to lose a ticket.
"""

import logging
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from redis import Redis, RedisError

from pipeline.reasons import Reason
from worker.outcomes import Answer, Passing

PREFIX = "afterword:model:"
OPEN_AFTER = 5
"""Failures in a row, of all workers, that open the breaker."""
OPEN_SECONDS = 10.0
PROBE_SECONDS = 60.0
"""How long one probe may take before another may try."""
FORGET_SECONDS = 3600
log = logging.getLogger("worker.limits")

# Generic cell rate algorithm (ITU-T I.371): one timestamp says when the next unit is due; a burst of BURST is let pass.
# KEYS: one a limit. ARGV: burst in ms, then per limit the interval of this call in ms (cost / rate).
# Returns 0 and books all, or the milliseconds to wait and books none.
_TAKE = """
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local wait = 0
for i, key in ipairs(KEYS) do
  local due = tonumber(redis.call('GET', key) or 0)
  wait = math.max(wait, due - now - ARGV[1])
end
if wait > 0 then return math.ceil(wait) end
for i, key in ipairs(KEYS) do
  local due = math.max(tonumber(redis.call('GET', key) or 0), now) + ARGV[i + 1]
  redis.call('SET', key, string.format('%.3f', due), 'PX', math.ceil(due - now + 60000))
end
return 0
"""

# KEYS: open, tripped, probe. ARGV: the probe's time in ms. Returns 0 to go, else the milliseconds to wait.
_ADMIT = """
local open = redis.call('PTTL', KEYS[1])
if open > 0 then return open end
if redis.call('EXISTS', KEYS[2]) == 0 then return 0 end
if redis.call('SET', KEYS[3], '1', 'NX', 'PX', ARGV[1]) then return 0 end
return math.max(redis.call('PTTL', KEYS[3]), 1)
"""

# KEYS: open, tripped, probe, failures. ARGV: how many trip it, ms to stay open, seconds to remember.
_FAIL = """
local failures = redis.call('INCR', KEYS[4])
redis.call('EXPIRE', KEYS[4], ARGV[3])
redis.call('DEL', KEYS[3])
if failures >= tonumber(ARGV[1]) or redis.call('EXISTS', KEYS[2]) == 1 then
  redis.call('SET', KEYS[2], '1', 'EX', ARGV[3])
  redis.call('SET', KEYS[1], '1', 'PX', ARGV[2])
  return 1
end
return 0
"""


@dataclass(frozen=True, kw_only=True)
class Rates:
    """Per minute, of all workers together; 0 is no limit."""

    requests: int = 0
    tokens: int = 0


class ModelLimits:
    """The limits that `worker.llm` asks before a call, and the breaker that `worker.process` asks before a claim."""

    def __init__(self, redis: Redis | None, rates: Rates) -> None:
        self._redis = redis
        self._rates = {"requests": rates.requests, "tokens": rates.tokens}

    def wait(self, tokens: int) -> float:
        """Seconds until a call of `tokens` tokens may be made; 0: now, and it is booked."""
        costs = {"requests": 1, "tokens": tokens}
        limited = {name: costs[name] * 60_000 / rate for name, rate in self._rates.items() if rate}
        if not limited or self._redis is None:
            return 0.0
        keys = [PREFIX + name for name in limited]
        return self._ask(_TAKE, keys, [_BURST_MS, *limited.values()]) / 1000

    def admits(self) -> float:
        """0 while the breaker is closed, or for the one probe of a half-open breaker; else the seconds to wait."""
        return self._ask(_ADMIT, _keys("open", "tripped", "probe"), [PROBE_SECONDS * 1000]) / 1000

    def unused(self) -> None:
        """Admitted, but there was nothing to ask: the next may be the probe."""
        self._safely(lambda redis: redis.delete(PREFIX + "probe"))

    def state(self) -> str:
        """closed, open or half_open; books nothing."""
        if self._redis is None:
            return "closed"
        try:
            is_open, tripped = (bool(self._redis.exists(key)) for key in _keys("open", "tripped"))
        except RedisError:
            return "closed"
        return "open" if is_open else "half_open" if tripped else "closed"

    def record(self, answer: Answer) -> None:
        """An answer closes the breaker; a server that fails opens it; one that asks to slow down is obeyed by all."""
        if not isinstance(answer, Passing):
            self._forget_failures()
        elif answer.reason is Reason.RATE_LIMITED:
            self._hold(answer.retry_after or 1.0)
        else:
            self._failed()

    def _failed(self) -> None:
        arguments: list[float] = [OPEN_AFTER, OPEN_SECONDS * 1000, FORGET_SECONDS]
        if self._ask(_FAIL, _keys("open", "tripped", "probe", "failures"), arguments):
            log.warning("breaker open: the model server fails")

    def _hold(self, seconds: float) -> None:
        """Nobody asks until then; no probe, since the server works."""
        self._safely(lambda redis: redis.set(PREFIX + "open", "1", px=max(round(seconds * 1000), 1)))
        self._safely(lambda redis: redis.delete(PREFIX + "probe"))

    def _forget_failures(self) -> None:
        self._safely(lambda redis: redis.delete(*_keys("tripped", "probe", "failures")))

    def _ask(self, script: str, keys: list[str], arguments: list[float]) -> int:
        whole = [math.ceil(argument) for argument in arguments]  # Redis takes no fractions for a time
        answer = self._safely(lambda redis: redis.eval(script, len(keys), *keys, *whole))
        return int(answer or 0)

    def _safely(self, action: Callable[[Redis], Any]) -> Any:
        if self._redis is None:
            return None
        try:
            return action(self._redis)
        except RedisError as error:
            log.warning("limits unknown: Redis unreachable", extra={"error": type(error).__name__})
            return None


_BURST_MS = 2_000
"""A limit is spread evenly, but two seconds' worth may go at once."""


def _keys(*names: str) -> list[str]:
    return [PREFIX + name for name in names]
