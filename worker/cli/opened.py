"""Settings and runtime for a verb: opened once, closed at its end, with logs where they do not disturb."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from worker.cli.output import warn
from worker.runtime import CannotStart, Runtime, open_runtime
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


def told(opening: Callable[[], Runtime]) -> Runtime:
    """The runtime, or CannotStart once stderr has said why: for what answers without one too."""
    try:
        return opening()
    except CannotStart as error:
        warn(str(error))
        raise
