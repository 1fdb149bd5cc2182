"""Whether workers run somewhere, by what they last wrote down: the settings of this shell say nothing of them."""

from datetime import timedelta

from store.engine import database_now, reading
from store.heartbeat import last_runs
from worker.runtime import Runtime
from worker.settings import Settings


def sweep_overdue(settings: Settings) -> timedelta:
    """After how long without a sweep neither beat nor a worker is likely to run."""
    return timedelta(seconds=max(60.0, 6 * settings.sweep_seconds))


def workers_alive(runtime: Runtime) -> bool:
    """Whether a worker has begun or swept of late. Raises StoreUnavailable."""
    with reading(runtime.engine) as connection:
        now = database_now(connection)
    runs = last_runs(runtime.engine)
    return any(now - runs[name].at <= sweep_overdue(runtime.settings) for name in ("sweep", "worker") if name in runs)


def why_tickets_wait(runtime: Runtime) -> str | None:
    """None where a model is configured, here or perhaps for workers elsewhere; else one line that says what is missing.
    Raises StoreUnavailable."""
    missing = runtime.settings.model_configured
    return None if missing is None or workers_alive(runtime) else missing
