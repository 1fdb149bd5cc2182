"""Beat's scheduler: Celery's own, but it sends nothing that still waits, and goes on after its clock was set back."""

from functools import cached_property
from typing import Any

from celery.beat import PersistentScheduler
from redis import Redis, RedisError

from worker import broker
from worker.celery import HOUSE

READ_AT_MOST = 100


class Scheduler(PersistentScheduler):  # type: ignore[misc]
    def tick(self, *args: Any, **kwargs: Any) -> Any:
        self._forgive_the_clock()
        return super().tick(*args, **kwargs)

    def apply_entry(self, entry: Any, producer: Any = None) -> None:
        if not self._waits(entry.task):
            super().apply_entry(entry, producer=producer)

    def _waits(self, task: str) -> bool:
        """Whether one is in the queue already: they must not pile up while there is no worker to take them."""
        try:
            return task in broker.headers(self._redis.lrange(HOUSE, 0, READ_AT_MOST), "task")
        except RedisError:
            return False  # then it cannot be sent either, and that is logged

    def _forgive_the_clock(self) -> None:
        """What last ran in the future was sent before the clock was set back: it counts as having run now. Otherwise
        nothing would be due until that moment comes again."""
        for entry in self.schedule.values():
            now = entry.default_now()
            if entry.last_run_at and entry.last_run_at > now:
                entry.last_run_at = now
                self._heap = None  # made anew from the entries

    @cached_property
    def _redis(self) -> Redis:
        return broker.client(self.app.conf.broker_url)
