"""Settings and runtime for a verb: opened once, closed at its end, with logs where they do not disturb."""

from collections.abc import Iterator
from contextlib import contextmanager

from worker.runtime import Runtime, open_runtime
from worker.settings import Settings, read_settings


def settings() -> Settings:
    """The settings, with only warnings of our own on stderr: a verb's output is its answer."""
    from worker import logs

    read = read_settings()
    logs.configure(style=read.log_format, level="warning")
    return read


@contextmanager
def opened(using: Settings | None = None) -> Iterator[Runtime]:
    """A runtime ready to serve: schema up to date, erasures applied."""
    runtime = open_runtime(using or settings())
    try:
        yield runtime
    finally:
        runtime.close()
