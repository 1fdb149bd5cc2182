"""Two reports compared: which rates moved, and what changed in which ticket."""

import json
from collections.abc import Mapping
from typing import Any

FORM = 1
"""Of the JSON report: raised when a field changes its meaning."""


class NotAReport(ValueError):
    """The file is not a JSON report of `afterword evaluate --json`, or of another version of it."""

    for_people = True


def read_report(text: str) -> dict[str, Any]:
    """An earlier report. Raises NotAReport."""
    try:
        found = json.loads(text)
    except ValueError:
        found = None
    if not isinstance(found, dict) or found.get("form") != FORM:
        raise NotAReport(NotAReport.__doc__)
    return found


def compared(report: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """`report` against `other`, the earlier one. Tickets that only one of them has are named."""
    before = {ticket["ticket"]: ticket for ticket in other["tickets"]}
    now = {ticket["ticket"]: ticket for ticket in report["tickets"]}
    both = [name for name in now if name in before]
    return {
        "against": other["about"],
        "rates": _moved(report["writing"]["rates"], other["writing"]["rates"]),
        "leaks": {"before": len(other["leaks"]), "now": len(report["leaks"])},
        "tickets": [row for name in both if (row := _changed(name, before[name], now[name]))],
        "only_now": sorted(set(now) - set(before)),
        "only_before": sorted(set(before) - set(now)),
    }


def _moved(now: Mapping[str, Any], before: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: {"before": before[name]["value"], "now": rate["value"]}
        for name, rate in now.items()
        if name in before and before[name]["value"] != rate["value"]
    }


def _changed(name: str, before: Mapping[str, Any], now: Mapping[str, Any]) -> dict[str, Any] | None:
    gained = [key for key in now["matched"] if key not in before["matched"]]
    lost = [key for key in before["matched"] if key not in now["matched"]]
    new = [fact for fact in now["extra"] if fact not in before["extra"]]
    gone = [fact for fact in before["extra"] if fact not in now["extra"]]
    if not (gained or lost or new or gone or before["trapped"] != now["trapped"] or before["fault"] != now["fault"]):
        return None
    return {
        "ticket": name,
        "gained": gained,
        "lost": lost,
        "new_extra": new,
        "gone_extra": gone,
        "trapped": {"before": len(before["trapped"]), "now": len(now["trapped"])},
        "fault": {"before": before["fault"], "now": now["fault"]},
    }
