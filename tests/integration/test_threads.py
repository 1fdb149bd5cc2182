"""Many threads of one process read tickets at once; only what waits is done side by side."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from world import closed_ticket

from worker import process as processing
from worker.process import Ended, process
from worker.publish import enqueue_events
from worker.runtime import open_runtime
from worker.settings import read_settings


class Counted:
    """How many threads were in `work` at once, at most."""

    def __init__(self, work: Any) -> None:
        self._work, self._inside, self.most = work, 0, 0
        self._lock = threading.Lock()

    def __call__(self, *given: Any, **named: Any) -> Any:
        with self._lock:
            self._inside += 1
            self.most = max(self.most, self._inside)
        time.sleep(0.02)
        try:
            return self._work(*given, **named)
        finally:
            with self._lock:
                self._inside -= 1


@pytest.mark.parametrize("work", ["masked", "judge_all"])
def test_one_thread_masks_or_judges_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, work: str) -> None:
    counted = Counted(getattr(processing, work))
    monkeypatch.setattr(processing, work, counted)
    runtime = open_runtime(read_settings({"AFTERWORD_HOME": str(tmp_path), "AFTERWORD_EXTRACTOR": "rules"}))
    tickets = [closed_ticket("Please contact me by e-mail only.", customer=f"c{i}") for i in range(8)]
    rows = [accepted.row_id for accepted in enqueue_events(runtime, tickets, now=datetime.now(UTC))]
    with ThreadPoolExecutor(8) as threads:
        assert set(threads.map(lambda row: process(runtime, row), rows)) == {Ended.DONE}
    assert counted.most == 1
    runtime.close()
