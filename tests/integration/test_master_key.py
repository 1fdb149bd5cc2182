"""Another master key than database and ledger began with: it is told in one line, and nothing is done under it."""

from pathlib import Path

import pytest
from commandline import CommandLine
from inboxing import received, ticket
from remembering import DAY_0, KEYS, REF, RULES, observed, write
from sqlalchemy import Engine

from store.erase import forget
from store.keys import keys_from
from store.ledger import Ledger, open_ledger
from store.reapply import reapply
from store.whose_key import WrongKey, check_key

WHO = ("--tenant", "acme", "--customer", "u1")
OTHER = keys_from(b"o" * 32)


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    return open_ledger(str(tmp_path / "ledger.jsonl"))


def refused(engine: Engine, ledger: Ledger) -> str:
    """What is said under the other key; under the right one nothing is."""
    check_key(engine, KEYS, ledger)
    with pytest.raises(WrongKey) as said:
        check_key(engine, OTHER, ledger)
    for act in (
        lambda: reapply(engine, OTHER, ledger, rules=RULES),
        lambda: forget(engine, OTHER, ledger, REF, rules=RULES, actor="ops", now=DAY_0),
    ):
        lines = ledger.last()
        with pytest.raises(WrongKey):
            act()
        assert ledger.last() == lines
    return str(said.value)


def test_of_an_empty_database_any_key_is_the_right_one(engine: Engine, ledger: Ledger) -> None:
    check_key(engine, KEYS, ledger)
    check_key(engine, OTHER, ledger)


def test_a_customer_in_the_database_tells_the_key(engine: Engine, ledger: Ledger) -> None:
    write(engine, observed("Oslo"))
    assert OTHER.key_id in refused(engine, ledger)


def test_a_ticket_that_waits_tells_the_key(engine: Engine, ledger: Ledger) -> None:
    received(engine, ticket("e1"))
    refused(engine, ledger)


def test_where_everybody_was_forgotten_the_ledger_tells_the_key(engine: Engine, ledger: Ledger) -> None:
    write(engine, observed("Oslo"))
    forget(engine, KEYS, ledger, REF, rules=RULES, actor="ops", now=DAY_0)
    assert f"under the master key {KEYS.key_id}, not {OTHER.key_id}" in refused(engine, ledger)


@pytest.mark.parametrize("forgotten", [False, True])
def test_at_the_command_line_every_verb_refuses_recall_is_degraded_and_doctor_fails(
    afterword: CommandLine, forgotten: bool
) -> None:
    afterword.setenv("AFTERWORD_KEY", "6b" * 32)
    city = ("--kind", "profile", "--key", "city", "--value", "Oslo", "--source", "system")
    assert afterword("remember", *WHO, *city).code == 0
    if forgotten:
        assert afterword("forget", *WHO, "--yes").code == 0
    assert afterword("doctor").code == 0
    afterword.setenv("AFTERWORD_KEY", "6f" * 32)
    for verb in (
        ["facts", "list", *WHO],
        ["forget", *WHO, "--yes"],
        ["erasures", "reapply"],
        ["remember", *WHO, *city],
    ):
        done = afterword(*verb)
        assert (done.code, done.out, done.err.count("\n")) == (1, "", 1)
        assert "master key" in done.err and "Put back the master key" in done.err
    recalled = afterword("recall", *WHO, "--json")
    assert (recalled.code, recalled.row["flags"]) == (0, ["store_down"]) and "master key" in recalled.err
    checks = {row["name"]: row for row in afterword("doctor", "--json").rows}
    assert checks["key"]["health"] == "fail" and "Put back the master key" in checks["key"]["says"]
    assert afterword("doctor").code == 1
    afterword.setenv("AFTERWORD_KEY", "6b" * 32)
    assert afterword("facts", "list", *WHO).code == 0
