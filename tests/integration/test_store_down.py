"""Recall where the store is down from the beginning: whoever asks gets an answer, by every way that an agent has."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from commandline import CommandLine, tool_called
from sqlalchemy import text

from store.engine import open_engine, writing
from worker.runtime import CannotStart, Opening
from worker.settings import read_settings
from worker.tools import RECALL, REPORT, Toolbox

WHO = ("--tenant", "acme", "--customer", "u1")
NOBODY_LISTENS = "postgresql+psycopg://u:p@127.0.0.1:1/x"


def garbage(database: Path) -> None:
    for path in database.parent.glob("afterword.db-*"):
        path.unlink()
    database.write_bytes(b"canary, and no database at all. " * 300)


def directory(database: Path) -> None:
    database.unlink()
    database.mkdir()


def of_a_newer_version(database: Path) -> None:
    engine = open_engine(f"sqlite:///{database}")
    with writing(engine) as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    engine.dispose()


def unreachable(_database: Path) -> None:
    os.environ["AFTERWORD_DATABASE_URL"] = NOBODY_LISTENS
    os.environ["AFTERWORD_KEY"] = "6b" * 32


BREAKS = [garbage, directory, of_a_newer_version, unreachable]


@pytest.fixture(params=BREAKS, ids=lambda breaks: breaks.__name__)
def broken(request: pytest.FixtureRequest, afterword: CommandLine) -> CommandLine:
    """The command line over a database that cannot be opened."""
    afterword.setenv("AFTERWORD_DATABASE_URL", f"sqlite:///{database()}")
    afterword.setenv("AFTERWORD_KEY", "6b" * 32)
    breaks: Callable[[Path], None] = request.param
    breaks(database())
    return afterword


def database() -> Path:
    return Path(os.environ["AFTERWORD_HOME"]) / "afterword.db"


def test_recall_at_the_command_line_gives_an_empty_block_that_says_so(broken: CommandLine) -> None:
    for query in ([], ["--query", "which database"]):
        done = broken("recall", *WHO, *query, "--json")
        assert done.code == 0
        assert (done.row["degraded"], done.row["facts"], done.row["flags"]) == (True, [], ["store_down"])
        assert "cannot be reached" in done.row["block"]
        assert done.err.startswith("afterword: the database") and "canary" not in done.out + done.err
    for_people = broken("recall", *WHO, "--language", "zh")
    assert for_people.code == 0 and "<customer_memory>" in for_people.out and "note: store_down" in for_people.out


@pytest.mark.parametrize("verb", [["facts", "list", *WHO], ["export", *WHO], ["forget", *WHO, "--yes"]])
def test_every_other_verb_ends_with_one_clear_line(broken: CommandLine, verb: list[str]) -> None:
    done = broken(*verb)
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("afterword: the database") and done.err.count("\n") == 1


def test_tools_answer_that_memory_cannot_be_reached(broken: CommandLine) -> None:
    toolbox = Toolbox(opening=Opening(read_settings()), tenant="acme", actor="bot")
    found = toolbox.call(RECALL, {"customer_id": "u1"})
    assert (found.failed, found.data["degraded"], found.data["flags"]) == (False, True, ["store_down"])
    assert "cannot be reached" in found.text
    reported = toolbox.call(REPORT, {"receipt": "x" * 32, "ref": "0" * 12})
    assert reported.failed and "go on without it" in reported.text


def test_a_server_for_agents_starts_without_the_database_and_says_why_on_stderr(
    broken: CommandLine, tmp_path: Path
) -> None:
    answer = tool_called(RECALL, {}, "--tenant", "acme", "--customer", "u1", stderr=tmp_path / "stderr")
    assert (tmp_path / "stderr").read_text().startswith("afterword: the database")
    assert not answer.is_error and "cannot be reached" in answer.content[0].text


def test_tools_serve_once_the_database_is_back_and_meanwhile_keep_nobody_waiting(
    afterword: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep = database().with_name("kept")
    assert afterword("remember", *WHO, "--kind", "profile", "--key", "city", "--value", "Oslo", "--source", "system")
    shutil.copy(database(), keep)
    garbage(database())
    opening = Opening(read_settings())
    toolbox = Toolbox(opening=opening, tenant="acme", actor="bot")
    assert toolbox.call(RECALL, {"customer_id": "u1"}).data["degraded"]
    database().unlink()
    shutil.copy(keep, database())
    with pytest.raises(CannotStart, match="not a SQLite database"):
        opening()  # not asked again so soon
    monkeypatch.setattr(Opening, "AGAIN", 0.0)
    opening._not_before = 0.0
    assert "Oslo" in toolbox.call(RECALL, {"customer_id": "u1"}).text
    opening.close()


def test_a_home_that_is_no_directory_is_one_line(afterword: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    afterword.setenv("AFTERWORD_HOME", str(tmp_path / "file" / "home"))
    done = afterword("facts", "list", *WHO)
    assert done.code == 2 and done.err.startswith("afterword: AFTERWORD_HOME: ") and done.err.count("\n") == 1
