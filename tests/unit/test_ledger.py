"""The erasure ledger keeps its numbers and its lines, whatever happens to the process that writes them."""

import json
import multiprocessing
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from store.ledger import Entry, Ledger, LedgerDamaged, LedgerUnavailable, open_ledger
from store.states import ErasureScope

AT = datetime(2026, 1, 1, tzinfo=UTC)


def entry(subject: str, **changes: object) -> Entry:
    values: dict[str, object] = {"scope": ErasureScope.CUSTOMER, "erased_at": AT, "key_id": "k1"}
    return Entry(subject=subject, **{**values, **changes})  # type: ignore[arg-type]


@pytest.fixture(params=["file", "database"])
def target(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return str(tmp_path / "ledger.jsonl") if request.param == "file" else f"sqlite:///{tmp_path / 'ledger.db'}"


@pytest.fixture
def ledger(target: str) -> Iterator[Ledger]:
    ledger = open_ledger(target)
    ledger.create()
    yield ledger


# --- what every ledger does -------------------------------------------------------------------------------------------


def test_a_ledger_that_was_never_begun_has_no_name_and_no_lines(target: str) -> None:
    ledger = open_ledger(target)
    assert (ledger.identity(), ledger.last(), list(ledger.after(0))) == ("", 0, [])


def test_a_ledger_keeps_the_name_that_it_was_begun_with(target: str, ledger: Ledger) -> None:
    name = ledger.identity()
    assert len(name) == 32
    assert ledger.create() == name == open_ledger(target).identity()


def test_lines_are_numbered_from_one_without_a_gap(target: str, ledger: Ledger) -> None:
    assert ledger.append([entry("a")]) == (1,)
    assert ledger.append([entry("b"), entry("c")]) == (2, 3)
    again = open_ledger(target)
    assert again.last() == 3
    assert [(line.number, line.subject) for line in again.after(1)] == [(2, "b"), (3, "c")]


def test_a_line_comes_back_as_it_was_noted(ledger: Ledger) -> None:
    noted = entry("a", scope=ErasureScope.FACT, observations=("o1", "o2"), opt_out=False)
    ledger.append([noted])
    (line,) = ledger.after(0)
    assert {name: getattr(line, name) for name in vars(noted)} == vars(noted)


def test_a_ledger_says_where_it_lives(target: str, ledger: Ledger, tmp_path: Path) -> None:
    place = ledger.place()
    assert place is not None
    assert place.parent == tmp_path


def _append(target: str, name: str) -> None:
    for i in range(20):
        open_ledger(target).append([entry(f"{name}-{i}")])


def test_processes_that_append_at_once_share_the_numbers_out(target: str, ledger: Ledger) -> None:
    context = multiprocessing.get_context("fork")
    processes = [context.Process(target=_append, args=(target, f"p{i}")) for i in range(4)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    lines = list(ledger.after(0))
    assert [line.number for line in lines] == list(range(1, 81))
    assert len({line.subject for line in lines}) == 80


def test_a_ledger_that_cannot_be_written_says_so_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(LedgerUnavailable):
        open_ledger(str(tmp_path / "missing" / "ledger.jsonl")).append([entry("a")])
    with pytest.raises(LedgerUnavailable):
        open_ledger(f"sqlite:///{tmp_path}/missing/ledger.db").append([entry("a")])


# --- what can happen to a file ----------------------------------------------------------------------------------------


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "ledger.jsonl"


def begun(path: Path, *subjects: str) -> Ledger:
    ledger = open_ledger(str(path))
    ledger.create()
    for subject in subjects:
        ledger.append([entry(subject)])
    return ledger


@pytest.mark.parametrize("torn", ['{"number": 3, "sco', '{"number": 3}', "\x00" * 100, "x" * 200_000])
def test_a_torn_last_line_is_no_line_and_is_cut_off_by_the_next(path: Path, torn: str) -> None:
    ledger = begun(path, "a", "b")
    with path.open("a") as file:
        file.write(torn)
    assert (ledger.last(), len(list(ledger.after(0)))) == (2, 2)
    assert ledger.append([entry("c")]) == (3,)
    assert [line.subject for line in ledger.after(0)] == ["a", "b", "c"]


@pytest.mark.parametrize("torn", ["", '{"format": "afterword era'])
def test_a_ledger_that_died_while_it_was_begun_is_begun_again(path: Path, torn: str) -> None:
    path.write_text(torn)
    ledger = open_ledger(str(path))
    assert (ledger.identity(), ledger.last()) == ("", 0)
    assert len(ledger.create()) == 32
    assert ledger.append([entry("a")]) == (1,)


def test_a_line_lost_from_the_middle_is_damage(path: Path) -> None:
    ledger = begun(path, "a", "b", "c")
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join([*lines[:2], *lines[3:]]))
    with pytest.raises(LedgerDamaged):
        list(ledger.after(0))


@pytest.mark.parametrize("line", ["not json", "[]", '{"number": 2}', '{"number": 2, "scope": "planet"}'])
def test_a_line_that_does_not_read_as_one_is_damage(path: Path, line: str) -> None:
    ledger = begun(path, "a")
    with path.open("a") as file:
        file.write(line + "\n")
    with pytest.raises(LedgerDamaged):
        list(ledger.after(0))
    with pytest.raises(LedgerDamaged):
        ledger.append([entry("b")])


def test_another_file_is_not_taken_for_a_ledger(path: Path) -> None:
    path.write_text('{"some": "thing"}\n')
    with pytest.raises(LedgerDamaged):
        open_ledger(str(path)).identity()


def test_a_ledger_is_readable_by_its_owner_alone_and_holds_hashes_only(path: Path) -> None:
    begun(path, "a")
    assert path.stat().st_mode & 0o077 == 0
    names = [set(json.loads(line)) for line in path.read_text().splitlines()[1:]]
    assert names == [{"number", "scope", "subject", "erased_at", "key_id", "observations", "opt_out"}]


def test_a_line_longer_than_a_block_is_found_from_the_end(path: Path) -> None:
    ledger = begun(path, "a")
    ledger.append([entry("b", observations=tuple(f"{i:032x}" for i in range(5_000)))])
    assert ledger.last() == 2
    assert ledger.append([entry("c")]) == (3,)
