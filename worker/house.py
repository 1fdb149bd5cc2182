"""Housekeeping with this runtime's settings: the erasure ledger applied again, the purge."""

from dataclasses import fields, replace
from datetime import datetime
from typing import TYPE_CHECKING

from pipeline.observe import rules_of
from store.engine import clock
from store.purge import PurgeReport
from store.purge import purge as purge_store
from store.purge_classes import CLASSES, Class
from store.reapply import reapply as reapply_ledger
from store.retention import Retention
from store.retract import resume
from store.write import Rules
from worker import batch_files

if TYPE_CHECKING:
    from worker.runtime import Runtime

REQUEST_FILES = "request_files"
PURGED = {
    **CLASSES,
    REQUEST_FILES: Class(explain="request files of a backfill or an evaluation", after="AFTERWORD_PAYLOAD_DAYS"),
}
"""What the numbers of a purge count."""


def rules(runtime: "Runtime", tenant: str | None = None) -> Rules:
    """What catalogue and policy say of a key's slots: of this tenant, or of one without a policy of its own."""
    policy = runtime.policies[tenant] if tenant else runtime.policies.default
    return rules_of(runtime.catalogue, overwrite_floor=policy.overwrite_floor)


def reapply(runtime: "Runtime") -> int:
    """Applies what the erasure ledger is ahead by. Returns how many lines. Raises what `store.reapply` does."""
    return reapply_ledger(runtime.engine, runtime.keys, runtime.ledger, rules=rules(runtime)).lines


def finish_retractions(runtime: "Runtime") -> int:
    """Finishes what a kill left half retracted. Returns how many tickets."""
    from worker.terms import terms_of

    return len(resume(runtime.engine, runtime.keys, now=clock(runtime.engine), terms=terms_of(runtime)))


def retention(runtime: "Runtime") -> Retention:
    """How long each class of row is kept, as the settings say."""
    return Retention(**{row.name: getattr(runtime.settings, row.name) for row in fields(Retention)})


def purge_report(runtime: "Runtime", *, now: datetime, dry_run: bool = False) -> PurgeReport:
    """Purges what the settings give no more time, or tells what would go: rows, and the request files that we wrote.
    Raises AlreadyRunning and StoreError."""
    files = batch_files.expired(runtime.settings, now=now)
    if not dry_run:
        batch_files.expire(runtime.settings, now=now)
    report = purge_store(runtime.engine, now=now, retention=retention(runtime), dry_run=dry_run)
    return replace(report, numbers={**report.numbers, REQUEST_FILES: len(files)})


def purge(runtime: "Runtime") -> int:
    """The scheduled purge, by the database's clock: a host whose clock is wrong deletes nothing early. Returns how many
    rows went."""
    return purge_report(runtime, now=clock(runtime.engine)).rows
