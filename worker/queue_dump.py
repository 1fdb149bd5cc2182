"""Everything that Redis holds, as bytes: for the proof that it holds no customer's words."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from redis import Redis


def dump(client: Redis) -> bytes:
    """All keys and values of the database, one after the other. For queues of thousands, not of millions."""
    return b"\n".join(_all(client))


def _all(client: Any) -> Iterator[bytes]:
    for key in client.scan_iter(count=1000):
        yield bytes(key)
        yield from _value(client, key)


def _value(client: Any, key: bytes) -> Iterator[bytes]:
    readers: dict[bytes, Callable[[], Iterable[Any]]] = {
        b"string": lambda: [client.get(key)],
        b"list": lambda: client.lrange(key, 0, -1),
        b"set": lambda: client.smembers(key),
        b"zset": lambda: client.zrange(key, 0, -1),
        b"hash": lambda: [part for pair in client.hgetall(key).items() for part in pair],
    }
    read = readers.get(client.type(key), lambda: [client.dump(key)])
    yield from (bytes(value) for value in read() if value is not None)
