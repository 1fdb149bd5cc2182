"""Housekeeping with this runtime's settings: the erasure ledger applied again, the purge."""

from typing import TYPE_CHECKING

from pipeline.observe import rules_of
from store.reapply import reapply as reapply_ledger
from store.write import Rules

if TYPE_CHECKING:
    from worker.runtime import Runtime


def rules(runtime: "Runtime", tenant: str | None = None) -> Rules:
    """What catalogue and policy say of a key's slots: of this tenant, or of one without a policy of its own."""
    policy = runtime.policies[tenant] if tenant else runtime.policies.default
    return rules_of(runtime.catalogue, overwrite_floor=policy.overwrite_floor)


def reapply(runtime: "Runtime") -> int:
    """Applies what the erasure ledger is ahead by. Returns how many lines. Raises what `store.reapply` does."""
    return reapply_ledger(runtime.engine, runtime.keys, runtime.ledger, rules=rules(runtime)).lines
