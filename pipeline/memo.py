"""What has been worked out of a text, kept while one ticket is judged and not a moment longer.

The gates read the same few lines for every candidate: a line's words, a quote's numbers, what is sensitive in a value.
A function marked `@once` remembers its answers between the first and the last line of `working()`; outside of it
nothing is kept, so no customer's text outlives its judgement.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import Any, TypeVar, TypeVarTuple

_KNOWN: ContextVar[dict[Any, Any] | None] = ContextVar("known", default=None)
Given = TypeVarTuple("Given")
Answer = TypeVar("Answer")


@contextmanager
def working() -> Iterator[None]:
    """While it lasts, in this thread, `@once` holds. One inside another shares what the outer one knows."""
    if _KNOWN.get() is not None:
        yield
        return
    token = _KNOWN.set({})
    try:
        yield
    finally:
        _KNOWN.reset(token)


def once(work: Callable[[*Given], Answer]) -> Callable[[*Given], Answer]:
    """`work` (pure; arguments hashable, by position) is done once for the same arguments. Errors are not kept."""

    @wraps(work)
    def remembered(*given: *Given) -> Answer:
        known = _KNOWN.get()
        if known is None:
            return work(*given)
        key = (work, given)
        if key not in known:
            known[key] = work(*given)
        answer: Answer = known[key]
        return answer

    return remembered
