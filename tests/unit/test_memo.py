"""What is worked out of a text is kept for one ticket, and no longer."""

import functools
import gc
import threading
from typing import Any

import pytest

from pipeline.catalogue import load_catalogue
from pipeline.gates import judge_statement
from pipeline.memo import lazy, once, working
from pipeline.normalise import _fold
from pipeline.policy import FLOOR

done: list[str] = []


@once
def length(text: str) -> int:
    done.append(text)
    if not text:
        raise ValueError
    return len(text)


@pytest.fixture(autouse=True)
def _nothing_done() -> None:
    done.clear()


def test_work_on_one_text_is_done_once_while_a_ticket_is_judged() -> None:
    with working():
        assert [length("abc"), length("abc"), length("ab")] == [3, 3, 2]
    assert done == ["abc", "ab"]


def test_nothing_is_kept_outside_of_a_ticket() -> None:
    with working():
        length("abc")
    length("abc")
    length("abc")
    with working():
        length("abc")
    assert done == ["abc"] * 4


def test_a_ticket_within_a_ticket_shares_what_is_known_and_leaves_it() -> None:
    with working():
        length("abc")
        with working():
            length("abc")
        length("abc")
    assert done == ["abc"]


def test_an_error_is_raised_each_time() -> None:
    with working():
        for _ in range(2):
            with pytest.raises(ValueError):
                length("")
    assert done == ["", ""]


def test_another_thread_knows_nothing_of_it() -> None:
    with working():
        length("abc")
        other = threading.Thread(target=length, args=("abc",))
        other.start()
        other.join()
    assert done == ["abc", "abc"]


class Line:
    def __init__(self, text: str) -> None:
        self.text = text

    @lazy
    def length(self) -> int:
        """Letters."""
        done.append(self.text)
        return len(self.text)


def test_a_lazy_attribute_is_worked_out_once_an_object() -> None:
    line, other = Line("abc"), Line("ab")
    assert [line.length, line.length, other.length, line.length] == [3, 3, 2, 3]
    assert done == ["abc", "ab"]
    assert Line.length.__doc__ == "Letters."


def test_threads_do_not_wait_for_each_other_at_a_lazy_attribute() -> None:
    """One object's work goes on while another's is stuck."""
    stuck, release = threading.Event(), threading.Event()

    class Slow:
        def __init__(self, wait: bool) -> None:
            self.wait = wait

        @lazy
        def value(self) -> bool:
            if self.wait:
                stuck.set()
                assert release.wait(10)
            return self.wait

    first = threading.Thread(target=lambda: Slow(True).value)
    first.start()
    assert stuck.wait(10)
    second = threading.Thread(target=lambda: Slow(False).value, daemon=True)
    second.start()
    second.join(5)
    waited = second.is_alive()
    release.set()
    first.join(10)
    assert not waited


def test_no_cache_of_the_process_takes_in_a_word_that_a_customer_said() -> None:
    """What is cached for good are our own tables, and single characters: after strange words they are as large as
    before."""
    for text in ("Please write to me, never call. Skip no check.", "我们以后都开增值税专用发票"):
        judged(text)
    caches = {one: one.cache_info().currsize for one in caches_of_the_pipeline()}
    judged("Quetzalcoatl zwiefach brummelt, never ungereimt: vortrefflich-4711.")
    grown = {one.__qualname__ for one, size in caches.items() if one.cache_info().currsize > size}
    assert (len(caches) > 20, grown) == (True, set())


CATALOGUE = load_catalogue()


def judged(text: str) -> None:
    judge_statement(kind="preference", key="channel", value=text, catalogue=CATALOGUE, policy=FLOOR)


def caches_of_the_pipeline() -> list[Any]:
    """Those of functions and those of objects, of which there may be several by one name."""
    caches = [one for one in gc.get_objects() if isinstance(one, functools._lru_cache_wrapper)]
    return [one for one in caches if (one.__module__ or "").startswith("pipeline") and one is not _fold]
