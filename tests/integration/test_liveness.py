"""A worker whose threads can do nothing any more ends, so that whoever started it starts it again."""

import os
import subprocess
import sys
from pathlib import Path

from services import RedisServer

from worker.liveness import EXIT_STALLED

WORKER = """
import re, sys, time
from worker import liveness
from worker.runtime import open_runtime
from worker.settings import read_settings
runtime = open_runtime(read_settings())
liveness.watch(runtime, ["afterword.live"])
time.sleep(0.5)
{work}
"""
HOLDS_THE_INTERPRETER = "re.match('(a+)+$', 'a' * 60 + '" + "Quetzalcoatl" + "')"


def ended(home: Path, redis: RedisServer, work: str, *, within: float) -> subprocess.CompletedProcess[str]:
    given = {"HOME": str(home), "EXTRACTOR": "rules", "REDIS_URL": redis.url, "LIVENESS_SECONDS": "2"}
    environ = os.environ | {f"AFTERWORD_{name}": value for name, value in given.items()}
    code = WORKER.format(work=work)
    command = [sys.executable, "-c", code]
    return subprocess.run(command, check=False, env=environ, capture_output=True, text=True, timeout=within)


def test_a_thread_that_keeps_the_interpreter_to_itself_ends_its_worker(
    tmp_path: Path, shared_redis: RedisServer
) -> None:
    end = ended(tmp_path, shared_redis, HOLDS_THE_INTERPRETER, within=120)
    assert end.returncode == 1
    assert "Timeout" in end.stderr
    assert "Quetzalcoatl" not in end.stdout + end.stderr


def test_messages_that_wait_while_nothing_is_finished_end_the_worker(tmp_path: Path, shared_redis: RedisServer) -> None:
    shared_redis.client.lpush("afterword.live", "x")
    try:
        assert ended(tmp_path, shared_redis, "time.sleep(600)", within=120).returncode == EXIT_STALLED
    finally:
        shared_redis.client.delete("afterword.live")


def test_a_worker_that_waits_for_work_lives_on(tmp_path: Path, shared_redis: RedisServer) -> None:
    end = ended(tmp_path, shared_redis, "time.sleep(6); print('alive')", within=120)
    assert (end.returncode, end.stdout.strip()) == (0, "alive")
