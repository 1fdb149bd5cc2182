"""kombu's Redis transport, made to survive anything at all on the queue.

As shipped, a list entry that is not JSON, or is JSON of another shape, raises in the worker's event loop and ends the
process, and what is left of the queue kills the next one. Here such an entry is dropped and counted: the inbox is the
truth, so a message carries nothing that could be lost.
"""

import json
import logging
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from queue import Empty
from typing import Any

from kombu.transport import TRANSPORT_ALIASES, redis
from kombu.utils.json import dumps
from redis import Redis, RedisError

from worker.settings import Settings

JUNK_KEY = "afterword:junk"
"""The Redis counter of messages that were dropped because they could not be read."""
ADDRESS_FILE = "redis.url"
"""Under HOME/run: where the embedded Redis is to be found."""
log = logging.getLogger("worker.broker")


class Channel(redis.Channel):
    batch: dict[str, list[str]] | None = None
    """While `in_one_go` collects: messages by queue, ready to be pushed."""

    def _brpop_read(self, **options: Any) -> Any:
        before = len(self.qos._delivered)
        try:
            return super()._brpop_read(**options)  # type: ignore[no-untyped-call]
        except Empty:
            raise
        except Exception as error:
            # kombu counts KeyError among the connection's errors; here it is a message without its fields.
            if isinstance(error, self.connection_errors) and not isinstance(error, KeyError):
                raise
            # Whatever the message was, it is off the list now: forget it, count it, and take the next.
            self._forget_undelivered(before)
            self._count_junk(error)
            return True

    def _put(self, queue: str, message: Any, **options: Any) -> None:
        if self.batch is None:
            super()._put(queue, message, **options)  # type: ignore[no-untyped-call]
        else:
            self.batch[queue].append(dumps(message))  # type: ignore[no-untyped-call]

    def _forget_undelivered(self, before: int) -> None:
        """A message that failed between its receipt and its task would hold one of the prefetch places for ever."""
        if len(self.qos._delivered) > before:
            self.qos.ack(next(reversed(self.qos._delivered)))

    def _count_junk(self, error: Exception) -> None:
        log.warning("junk on the queue", extra={"error": type(error).__name__})
        try:
            with self.conn_or_acquire() as connection:
                connection.incr(JUNK_KEY)
        except self.connection_errors:
            log.warning("junk not counted: broker unreachable")


@contextmanager
def in_one_go(channel: Channel) -> Iterator[None]:
    """Messages published in the block go out at its end, one command a queue: a tenth of the time. Raises what Redis
    does; then some queues may have theirs and others not, which the sweep evens out."""
    channel.batch = defaultdict(list)
    try:
        yield
        batch, channel.batch = channel.batch, None
        with channel.conn_or_acquire() as connection:
            for queue, messages in batch.items():
                connection.lpush(queue, *messages)
    finally:
        channel.batch = None


class Transport(redis.Transport):
    Channel = Channel


def install() -> None:
    """Makes redis:// and rediss:// mean this transport, in this process."""
    for alias in ("redis", "rediss"):
        TRANSPORT_ALIASES[alias] = "worker.broker:Transport"


def headers(messages: Iterable[bytes | str], name: str) -> Iterator[str]:
    """A header of each of a queue's entries. What is not one of ours has none: the worker will drop and count it."""
    for message in messages:
        try:
            yield str(json.loads(message)["headers"][name])
        except (ValueError, LookupError, TypeError):
            continue


def count_junk(redis_client: Redis | None) -> None:
    """Counts a message that could be read but meant nothing: an unknown task, wrong arguments."""
    log.warning("junk on the queue")
    try:
        if redis_client is not None:
            redis_client.incr(JUNK_KEY)
    except RedisError:
        log.warning("junk not counted: broker unreachable")


# --- addresses --------------------------------------------------------------------------------------------------------


def for_celery(url: str) -> str:
    """redis-py says unix:///path for a socket, kombu redis+socket:///path: either is taken."""
    return url.replace("unix://", "redis+socket://", 1) if url.startswith("unix://") else url


def client(url: str) -> Redis:
    """A redis-py client that gives up soon: whoever asks has something better to do than to wait for Redis."""
    address = url.replace("redis+socket://", "unix://", 1)
    return Redis.from_url(address, socket_timeout=2, socket_connect_timeout=1, health_check_interval=30)


def address(settings: Settings) -> str | None:
    """Where the broker is: AFTERWORD_REDIS_URL, else the one that `afterword up` or `demo` runs for this HOME."""
    if settings.redis_url:
        return settings.redis_url
    try:
        return (settings.home / "run" / ADDRESS_FILE).read_text().strip() or None
    except OSError:
        return None
