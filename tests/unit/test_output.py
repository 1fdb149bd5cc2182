"""What a person sees at the command line."""

from datetime import UTC, datetime

import pytest

from worker.cli.output import emit, printable, shortened, show
from worker.wording import counted


def test_columns_line_up_where_han_characters_take_two_cells(capsys: pytest.CaptureFixture[str]) -> None:
    show([{"key": "城市", "value": "苏州"}, {"key": "city", "value": "x"}], ["key", "value"], as_json=False, empty="")
    lines = capsys.readouterr().out.splitlines()
    assert lines[1] == "城市  苏州"
    assert lines[2] == "city  x"


def test_an_empty_list_says_so_to_people_and_nothing_to_programs(capsys: pytest.CaptureFixture[str]) -> None:
    show([], ["key"], as_json=False, empty="nothing is known")
    show([], ["key"], as_json=True, empty="nothing is known")
    assert capsys.readouterr().out == "nothing is known\n"


def test_a_stored_value_cannot_move_the_cursor_or_forge_a_line() -> None:
    assert printable("a\x1b[2Jb\nc\u202ed") == "a [2Jb c d"


def test_a_long_cell_is_cut_with_a_mark() -> None:
    assert shortened("x" * 100, 10) == "x" * 9 + "…"


def test_times_are_printed_in_utc_with_a_z(capsys: pytest.CaptureFixture[str]) -> None:
    emit({"at": datetime(2026, 11, 29, 10, tzinfo=UTC), "value": "苏州"})
    assert capsys.readouterr().out == '{"at": "2026-11-29T10:00:00Z", "value": "苏州"}\n'


def test_one_thing_is_counted_in_the_singular() -> None:
    assert [counted(number, "facts") for number in (0, 1, 2)] == ["0 facts", "1 fact", "2 facts"]
