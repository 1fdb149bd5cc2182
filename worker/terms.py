"""This runtime's catalogue, policies and zones as the one value that statements are judged by."""

from zoneinfo import ZoneInfo

from pipeline.terms import Terms
from worker.runtime import Runtime


def terms_of(runtime: Runtime) -> Terms:
    """A tenant without a zone of its own means UTC."""
    zones = {tenant: ZoneInfo(name) for tenant, name in runtime.settings.timezone}
    return Terms(catalogue=runtime.catalogue, policies=runtime.policies, zones=zones)
