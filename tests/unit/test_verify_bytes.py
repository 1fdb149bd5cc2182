"""Looking for words in bytes: what is found, what is proven, and what is left open."""

import base64
import gzip

import pytest

from store.verify_bytes import Needles


def traced(word: str, raw: bytes) -> int:
    trace = Needles.of(word).found("x", raw).trace
    return trace.count if trace else 0


@pytest.mark.parametrize(
    "raw",
    [
        b"INSERT INTO facts VALUES('acme','zoe',1)",
        b"customer=zoe",
        b"zoe",
        "顾客zoe来电".encode(),
        rb'{"text":"hello\nzoe"}',
        rb'{"text":"\u5f20zoe"}',
        b"zoe_2",
    ],
)
def test_a_short_word_is_found_in_a_text_where_it_stands_by_itself(raw: bytes) -> None:
    assert traced("zoe", raw) == 1


@pytest.mark.parametrize("raw", [b"zoes", b"azoe", b"zoe1", b"Q0zoeX9=", b"1zoe", b"ozone"])
def test_a_short_word_inside_letters_and_digits_is_chance(raw: bytes) -> None:
    assert Needles.of("zoe").found("x", raw).trace is None


def test_a_short_word_in_what_is_no_text_leaves_a_doubt_and_its_absence_none() -> None:
    look = Needles.of("zoe").found("copy.db", b"SQLite format 3\0acmezoe\x01")
    assert look.trace is None and look.doubt and "zoe" not in look.doubt.why
    assert Needles.of("zoe").found("copy.db", b"SQLite format 3\0acme").doubt is None


def test_a_short_number_is_never_proven_by_standing_somewhere() -> None:
    look = Needles.of("12").found("x", b"2026-11-12 10:00")
    assert look.trace is None and look.doubt
    assert Needles.of("12").found("x", b"2026-11-13 10:00").doubt is None


def test_a_short_word_that_is_not_ascii_counts_anywhere() -> None:
    assert traced("张", "客户张女士".encode()) == 1
    assert traced("张", rb"\u5f20") == 1


def test_a_long_word_is_found_whatever_surrounds_it() -> None:
    coded = [base64.b64encode(b"." * before + b"maria..") for before in range(3)]
    for raw in (b"\0acmemaria\x01", b"xmariax", *coded):
        assert traced("maria", raw) == 1


def test_what_is_compressed_is_never_called_clean() -> None:
    look = Needles.of("maria").found("x.gz", gzip.compress(b"maria"))
    assert look.trace is None and look.doubt


def test_of_the_databases_own_file_a_short_word_leaves_no_doubt() -> None:
    look = Needles.of("zoe").in_own_file("a.db", b"\0zoe")
    assert look.trace is None and look.doubt is None and look.size == 4
