"""What is worked out of a text is kept for one ticket, and no longer."""

import threading

import pytest

from pipeline.memo import once, working

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
