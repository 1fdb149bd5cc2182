"""A real beat: what it sends, and what it leaves."""

import json
import time
from pathlib import Path

from services import redis_server
from world import world

from worker.celery import HOUSE, schedule
from worker.settings import read_settings


def test_beat_sends_nothing_that_still_waits(tmp_path: Path) -> None:
    with redis_server() as broker, world(tmp_path, broker, None, sweep_seconds="0.1", purge_seconds="0.1") as made:
        made.start("beat", "--pidfile=")
        made.until(lambda: broker.client.llen(HOUSE) >= 3, what="sweep, fetch and purge")
        time.sleep(2)
        sent = [json.loads(entry)["headers"]["task"] for entry in broker.client.lrange(HOUSE, 0, -1)]
        assert len(sent) == len(set(sent))
        broker.client.delete(HOUSE)
        made.until(lambda: broker.client.llen(HOUSE) >= 3, what="the next ones")


def test_no_message_of_beats_expires_by_a_workers_clock() -> None:
    entries = schedule(read_settings({})).values()
    assert entries
    assert all("expires" not in entry["options"] for entry in entries)
