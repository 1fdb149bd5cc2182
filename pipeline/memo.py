"""What has been worked out of a text, kept while one ticket is judged and not a moment longer.

The gates read the same few lines for every candidate: a line's words, a quote's numbers, what is sensitive in a value.
A function marked `@once` remembers its answers between the first and the last line of `working()`; outside of it
nothing is kept, so no customer's text outlives its judgement. A method marked `@lazy` is worked out once an object.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import Any, Generic, TypeVar, TypeVarTuple, overload

_KNOWN: ContextVar[dict[Any, Any] | None] = ContextVar("known", default=None)
Given = TypeVarTuple("Given")
Answer = TypeVar("Answer")
Owner = TypeVar("Owner")


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


class lazy(Generic[Owner, Answer]):
    """An attribute of a frozen object, worked out when it is first asked for.

    What `functools.cached_property` has been since Python 3.12. Before, one lock for all objects of the class is held
    while it works, and a hundred threads that judge stand at it. Here two threads may both work it out: it is pure.
    """

    def __init__(self, work: Callable[[Owner], Answer]) -> None:
        self._work = work
        self.__doc__ = work.__doc__

    @overload
    def __get__(self, instance: None, owner: type) -> "lazy[Owner, Answer]": ...
    @overload
    def __get__(self, instance: Owner, owner: type) -> Answer: ...
    def __get__(self, instance: Owner | None, owner: type) -> "Answer | lazy[Owner, Answer]":
        if instance is None:
            return self
        answer = vars(instance)[self._work.__name__] = self._work(instance)
        return answer
