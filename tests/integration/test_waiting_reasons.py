"""Why a ticket waits or may not be replayed: codes that only a fault or a lack of something brings about."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest
from world import closed_ticket

from pipeline.catalogue import Catalogue, CatalogueKey
from pipeline.gates import judge_statement
from pipeline.kinds import Kind
from pipeline.policy import FLOOR
from pipeline.reasons import Reason
from store.claim import bury
from store.claim import claim as take
from store.counts import row_shown
from store.faults import StoreUnavailable
from store.inbox import accept
from store.purge import purge
from store.replay import select_for_replay
from store.retention import Retention
from store.selection import Selection
from worker.client import extract
from worker.outcomes import Passing
from worker.process import Ended, process
from worker.runtime import Runtime, open_runtime
from worker.settings import read_settings


def opened(home: Path, extractor: str = "rules") -> Runtime:
    return open_runtime(read_settings({"AFTERWORD_HOME": str(home), "AFTERWORD_EXTRACTOR": extractor}))


def accepted(runtime: Runtime) -> str:
    ticket = closed_ticket("Please contact me by email, don't call me.")
    return accept(runtime.engine, runtime.keys, [ticket], now=datetime.now(UTC))[0].row_id


def test_without_a_model_nothing_is_proposed_and_the_code_says_so(tmp_path: Path) -> None:
    assert extract(closed_ticket("I moved to Oslo."), using=opened(tmp_path, "openai")) == Passing(
        reason=Reason.NO_MODEL
    )


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        (StoreUnavailable("the database did not answer"), Reason.STORE_UNAVAILABLE),
        (RuntimeError("canary"), Reason.UNEXPECTED),
    ],
)
def test_a_fault_while_reading_puts_the_ticket_back_and_says_which(
    tmp_path: Path, fault: Exception, reason: Reason
) -> None:
    runtime = opened(tmp_path)

    def failing(*_: object, **__: object) -> None:
        raise fault

    vars(runtime)["extractor"] = SimpleNamespace(propose=failing, name="failing")
    row = accepted(runtime)
    assert process(runtime, row) is Ended.WAITS
    shown = row_shown(runtime.engine, row)
    assert (shown["state"], shown["reason"]) == ("pending", reason.value)


def test_a_ticket_whose_text_is_gone_cannot_be_replayed(tmp_path: Path) -> None:
    runtime = opened(tmp_path)
    assert process(runtime, accepted(runtime)) is Ended.DONE
    later = datetime.now(UTC) + timedelta(days=1)
    purge(runtime.engine, now=later, retention=Retention(payload_days=0))
    found = select_for_replay(runtime.engine, runtime.keys, Selection(tenant="acme"))
    assert (found.replayable, dict(found.refused)) == (0, {Reason.PAYLOAD_GONE.value: 1})


def test_a_dead_ticket_that_keeps_its_text_can_be_replayed(tmp_path: Path) -> None:
    runtime = opened(tmp_path)
    held = take(runtime.engine, accepted(runtime), lease=timedelta(minutes=1))
    assert held is not None
    bury(runtime.engine, held, reason=Reason.BAD_REQUEST)
    assert select_for_replay(runtime.engine, runtime.keys, Selection(tenant="acme")).replayable == 1


def test_a_value_that_the_catalogue_does_not_allow_is_refused() -> None:
    size = CatalogueKey(key="shirt", zh="衬衫", en="shirt", kind=Kind.PROFILE, allowed=("S", "M"))
    catalogue = Catalogue((size,))
    judged = [
        judge_statement(kind="profile", key="shirt", value=value, catalogue=catalogue, policy=FLOOR)
        for value in ("M", "XXL")
    ]
    assert [one.verdict.reason for one in judged] == [None, Reason.NOT_ALLOWED]
