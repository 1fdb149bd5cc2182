"""Whatever is killed, cut, frozen or delivered again: no ticket is lost and none is applied twice."""

import re
from pathlib import Path

import pytest
from faults.model import model_process
from faults.stage import BEAT, some_tickets, staged
from faults.table import FAULTS, MIXED, POSTGRESQL, Fault
from services import redis_server
from world import ROOT

README = (ROOT / "README.md").read_text("utf-8")
CASES = [
    pytest.param(
        fault, database, id=f"{fault.name}-{database}", marks=() if database == fault.short else pytest.mark.fault
    )
    for fault in FAULTS
    for database in fault.databases
]


@pytest.mark.parametrize(("fault", "database"), CASES)
def test_nothing_is_lost_and_nothing_is_applied_twice(
    fault: Fault, database: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    on_postgres = database == POSTGRESQL
    url = request.getfixturevalue("postgres_url" if on_postgres else "sqlite_url")
    postgres = request.getfixturevalue("postgres") if on_postgres else None
    with (
        redis_server() as broker,
        model_process(tmp_path / "model") as model,
        staged(tmp_path, broker, model, url, postgres, plug=fault.plug, **fault.settings) as stage,
    ):
        model.mood(delay=fault.delay)
        stage.start("beat", [*BEAT, "--pidfile="], plugged=fault.beat_too)
        stage.start_workers(fault.workers)
        tickets = [*fault.also, *some_tickets(fault.tickets, hours_ago=fault.hours_ago)]
        with stage.producing(tickets, every=fault.every):
            fault.strike(stage)
            stage.mend()
        stage.settle()
        assert stage.violations() == []
        assert stage.dead() == fault.dead


def test_every_line_of_the_readmes_table_is_exercised_and_no_fault_is_missing_there() -> None:
    table = README.split("<!-- faults -->")[1].split("<!-- /faults -->")[0]
    lines = re.findall(r"^\| ([^|]+) \| [^|]+ \|$", table, re.MULTILINE)[1:]
    assert set(lines) - {"---"} == {fault.row for fault in FAULTS} | {MIXED}
