"""The Celery application: `celery -A worker worker`, `celery -A worker beat`.

Celery holds no truth here. Messages carry row ids, results are off, acknowledgement is the broker's pop, and nothing
waits in a worker's memory: what is lost on the way is found by the sweep, what comes twice finds nothing to claim.
Nothing is built at import: `app` is made from the environment when it is first asked for.
"""

import sys
from datetime import timedelta
from functools import cache
from typing import Any

from celery import Celery
from celery.schedules import crontab
from celery.signals import setup_logging
from kombu.entity import Queue

from store.states import Lane
from worker import broker, logs
from worker.settings import Settings, SettingsError, read_settings

HOUSE = "afterword.house"
"""What beat sends: few and short, so they go first."""
QUEUES = {Lane.LIVE: "afterword.live", Lane.BACKFILL: "afterword.backfill", Lane.QUARANTINE: "afterword.quarantine"}
PROCESS, SWEEP, PURGE, REAPPLY = "afterword.process", "afterword.sweep", "afterword.purge", "afterword.reapply"
FETCH, FETCH_DUE = "afterword.fetch", "afterword.fetch_due"
EMBED = "afterword.embed"
UNREACHABLE = "redis://127.0.0.1:1/0"
"""Where a message goes while no broker is known: nowhere. The row waits, and the sweep publishes it later."""

TRANSPORT: dict[str, Any] = {
    # Emulated acknowledgement loses, doubles and silently stalls after an outage; the inbox is the truth.
    "ack_emulation": False,
    # House first, then live, then backfill: BRPOP serves the first of its keys that holds something.
    "queue_order_strategy": "priority",
    "priority_steps": [0],
    "socket_timeout": 5,
    "socket_connect_timeout": 2,
    "health_check_interval": 5,
}


def create_app(settings: Settings) -> Celery:
    """The application for these settings. A worker without -Q takes house, live and backfill; quarantine is asked for
    by name and runs alone: `celery -A worker worker -Q afterword.quarantine -c 1`."""
    broker.install()
    app = Celery("afterword")
    app.conf.update(
        broker_url=broker.for_celery(broker.address(settings) or UNREACHABLE),
        broker_transport_options=TRANSPORT | {"max_connections": settings.concurrency + 20},
        broker_connection_retry_on_startup=True,
        broker_connection_max_retries=None,
        broker_connection_timeout=2,
        result_backend=None,
        task_ignore_result=True,
        task_serializer="json",
        accept_content=["json"],
        task_queues=[_queue(name) for name in (HOUSE, QUEUES[Lane.LIVE], QUEUES[Lane.BACKFILL])],
        task_default_queue=HOUSE,
        worker_pool="threads",
        worker_concurrency=settings.concurrency,
        worker_prefetch_multiplier=1,
        worker_enable_remote_control=True,
        worker_hijack_root_logger=False,
        worker_redirect_stdouts=False,
        beat_schedule=schedule(settings),
        beat_scheduler="worker.beat:Scheduler",
        beat_schedule_filename=str(settings.home / "run" / "beat"),
        beat_max_loop_interval=5,
        enable_utc=True,
    )
    return app


def _queue(name: str) -> Queue:
    return Queue(name)  # type: ignore[no-untyped-call]


def schedule(settings: Settings) -> dict[str, dict[str, Any]]:
    """What beat fires; `worker.beat` sends nothing that still waits in the queue, so none pile up. Nothing expires:
    that would be by the worker's clock, and one that runs ahead of beat's would drop every sweep."""
    hour, minute = settings.purge_at.split(":")
    purge = timedelta(seconds=settings.purge_seconds) if settings.purge_seconds else crontab(minute, hour)
    embed = _entry(EMBED, timedelta(seconds=settings.embed_seconds))
    return ({"embed": embed} if settings.embedder != "none" else {}) | {
        "sweep": _entry(SWEEP, timedelta(seconds=settings.sweep_seconds)),
        "purge": _entry(PURGE, purge),
        "fetch": _entry(FETCH_DUE, timedelta(seconds=settings.sweep_seconds)),
        "reapply": _entry(REAPPLY, timedelta(seconds=settings.reapply_seconds)),
    }


def _entry(task: str, when: timedelta | crontab) -> dict[str, Any]:
    return {"task": task, "schedule": when, "options": {"queue": HOUSE, "retry": False}}


@cache
def _app_of_environment() -> Celery:
    try:
        settings = read_settings()
    except SettingsError as error:
        sys.stderr.write(f"afterword: {error}\n")
        raise SystemExit(2) from None
    (settings.home / "run").mkdir(parents=True, exist_ok=True, mode=0o700)
    logs.configure(style=settings.log_format, level=settings.log_level)
    setup_logging.connect(_logging_is_ours, weak=False)
    from worker import tasks

    app = create_app(settings)
    tasks.install(app)
    return app


def _logging_is_ours(**_: Any) -> None:
    """Celery asks who sets up logging; that somebody answers is enough for it to leave it alone."""


def __getattr__(name: str) -> Celery:
    if name == "app":
        return _app_of_environment()
    raise AttributeError(name)
