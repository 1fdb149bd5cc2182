"""The report as one HTML page that needs nothing else: tables, inline SVG, light and dark, no network."""

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from importlib.resources import files
from typing import Any

from worker.evaluation.totals import RATES

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def page(report: Mapping[str, Any]) -> str:
    """The whole document. Every text in it is escaped: values come from conversations."""
    style = (files("worker.evaluation") / "page.css").read_text("utf-8")
    body = "".join(part(report) for part in _PARTS)
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Afterword: evaluation</title><style>{style}</style></head><body><main>{body}</main></body></html>\n"
    )


# --- the parts --------------------------------------------------------------------------------------------------------


def _head(report: Mapping[str, Any]) -> str:
    about = report["about"]
    models = ", ".join(about["models"]) or "-"
    return (
        f"<h1>How good is the memory?</h1><p>{escape(about['extractor'])} · model {escape(models)} · "
        f"prompt {escape(', '.join(about['prompt_versions']) or '-')} · {about['tickets']} tickets, "
        f"{about['facts']} gold facts</p>"
    )


def _tiles(report: Mapping[str, Any]) -> str:
    rates, counts = report["writing"]["rates"], report["writing"]["counts"]
    tiles = [
        ("precision", percent(rates["precision"]["value"])),
        ("recall", percent(rates["recall"]["value"])),
        ("secrets refused, at this recall", percent(rates["refusal"]["value"])),
        ("leaks", str(len(report["leaks"]))),
        ("traps stored", f"{counts['trapped']} of {counts['traps']}"),
        ("spared repeating", percent(report["returning"]["spared"])),
    ]
    cells = (f"<div><b>{escape(value)}</b><span>{escape(name)}</span></div>" for name, value in tiles)
    return f'<section class="tiles">{"".join(cells)}</section>'


def _writing(report: Mapping[str, Any]) -> str:
    others = {**report["beside"], **{f"control: {name}": of for name, of in report["controls"].items()}}
    rows = []
    for name, (meaning, _, _) in RATES.items():
        rate = report["writing"]["rates"][name]
        beside = [percent(of["rates"][name]["value"]) for of in others.values()]
        rows.append(
            [_label(name, meaning), percent(rate["value"]), interval(rate), str(rate["of"]), Raw(bar(rate)), *beside]
        )
    table = _table(["", "rate", "95 %", "of", "", *others], rows)
    return f"<h2>Writing</h2>{table}{_counts(report)}"


def _counts(report: Mapping[str, Any]) -> str:
    counts = report["writing"]["counts"]
    rows = [[name.replace("_", " "), str(number)] for name, number in counts.items()]
    leaks = [[leak["ticket"], leak["why"], leak["where"]] for leak in report["leaks"]]
    found = _table(["ticket", "secret", "where"], leaks) if leaks else "<p>No leak in any place.</p>"
    return f"<details><summary>Counts</summary>{_table(['', 'number'], rows)}</details><h3>Leaks</h3>{found}"


def _splits(report: Mapping[str, Any]) -> str:
    parts = []
    for name, groups in report["splits"].items():
        rows = [
            [
                part,
                str(of["tickets"]),
                *(percent(of[rate]["value"]) for rate in ("precision", "recall", "f1")),
                Raw(bar(of["f1"])),
                percent(of["refusal"]["value"]),
            ]
            for part, of in groups.items()
        ]
        head = ["", "tickets", "precision", "recall", "F1", "F1 with 95 %", "refusal"]
        parts.append(f"<h3>By {escape(name)}</h3>{_table(head, rows)}")
    return "<h2>Where it is good and where not</h2>" + "".join(parts)


def _retrieval(report: Mapping[str, Any]) -> str:
    found = report["retrieval"]
    sets = {**found["by_set"], "all": found["all"]}
    names = [name for name in found["all"] if name not in ("queries", "facts", "outdated_or_forbidden")]
    rows = [
        [
            name,
            str(of["queries"]),
            *(percent(of[n]) if n != "mrr" else _number(of[n]) for n in names),
            str(of["outdated_or_forbidden"]),
        ]
        for name, of in sets.items()
    ]
    table = _table(["", "queries", *names, "outdated or forbidden"], rows)
    return f"<h2>Retrieval</h2><p>Ranked by {escape(', '.join(found['ranked_by']) or '-')}.</p>{table}"


def _returning(report: Mapping[str, Any]) -> str:
    of = report["returning"]
    rows = [
        [
            visit["ticket"],
            ", ".join(visit["needed"]) or "-",
            ", ".join(visit["missing"]) or "-",
            ", ".join(visit["outdated"]) or "-",
        ]
        for visit in of["by_visit"]
    ]
    visits = _table(["ticket", "needed", "not told", "outdated"], rows)
    return (
        f"<h2>Customers who come back</h2><p>{of['visits']} visits of {of['customers']} customers. Without memory they"
        f" repeat {of['repeated_without_memory']} things, with it {of['repeated_with_memory']}. Something outdated"
        f" stands in the block of {of['visits_with_outdated']} visits.</p>"
        f"{_drafts(report['drafts'])}<details><summary>Visits</summary>{visits}</details>"
    )


def _drafts(drafts: Mapping[str, Any] | None) -> str:
    if not drafts:
        return ""
    return (
        f"<p>Replies drafted by the model say {drafts['said_with_memory']} of {drafts['needed']} needed things with"
        f" memory, {drafts['said_without_memory']} without.</p>"
    )


def _batch(report: Mapping[str, Any]) -> str:
    batch = report["batch"]
    if not batch:
        return ""
    rows = [[name, str(len(batch[name])), ", ".join(batch[name])] for name in ("missing", "extra", "duplicated")]
    rows += [["unreadable", str(len(batch["unreadable"])), ", ".join(batch["unreadable"])]]
    rows += [[f"drift: {kind}", str(number), ""] for kind, number in batch["drift"].items()]
    return f"<h2>Replies</h2><p>{batch['answered']} of {batch['asked']} answered.</p>{_table(['', '', 'ids'], rows)}"


def _against(report: Mapping[str, Any]) -> str:
    found = report.get("against")
    if not found:
        return ""
    rates = [[name, percent(m["before"]), percent(m["now"])] for name, m in found["rates"].items()]
    rows = [
        [
            row["ticket"],
            ", ".join(row["gained"]),
            ", ".join(row["lost"]),
            _facts(row["new_extra"]),
            _facts(row["gone_extra"]),
        ]
        for row in found["tickets"]
    ]
    tickets = _table(["ticket", "gained", "lost", "extra now", "extra before"], rows)
    return f"<h2>Against the other run</h2>{_table(['', 'before', 'now'], rates)}{tickets}"


def _tickets(report: Mapping[str, Any]) -> str:
    rows = [
        [
            row["ticket"],
            str(len(row["matched"])),
            _facts(row["missed"]),
            _facts(row["extra"]),
            _facts([*row["trapped"], *row["stale"]]),
            ", ".join(f"{reason} {number}" for reason, number in row["refused"].items()),
            row["fault"],
        ]
        for row in report["tickets"]
    ]
    head = ["ticket", "right", "missed", "extra", "trapped or outdated", "refused", "fault"]
    return f"<h2>Tickets</h2>{_table(head, rows)}"


def _reading(report: Mapping[str, Any]) -> str:
    return (
        "<h2>How to read this</h2><p>Matching is deterministic: a changed number, date or time and a flipped negation"
        " rule a pair out, then words are compared. It may take a good paraphrase for a miss. Refusal means little"
        " without recall: a memory that stores nothing refuses everything. Intervals are bootstrapped over tickets and"
        " say how much these tickets, not all tickets, vary.</p>"
    )


_PARTS = (_head, _tiles, _writing, _splits, _retrieval, _returning, _batch, _against, _tickets, _reading)


# --- pieces -----------------------------------------------------------------------------------------------------------


class Raw(str):
    """Mark-up of ours, not to be escaped again."""


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    top = "".join(f"<th>{escape(name)}</th>" for name in head)
    body = "".join(f"<tr>{''.join(f'<td>{_cell(cell)}</td>' for cell in row)}</tr>" for row in rows)
    return f'<div class="wide"><table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table></div>'


def _cell(cell: str) -> str:
    return cell if isinstance(cell, Raw) else escape(cell)


def _label(name: str, meaning: str) -> Raw:
    return Raw(f"<b>{escape(name.replace('_', ' '))}</b><small>{escape(meaning)}</small>")


def _facts(facts: Iterable[Mapping[str, str]]) -> Raw:
    lines = (f"<b>{escape(f['key'])}</b> {escape(f['value'])} <i>{escape(f.get('why', ''))}</i>" for f in facts)
    return Raw("<br>".join(lines))


def percent(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:.1f} %"


def interval(rate: Mapping[str, Any]) -> str:
    return "" if rate["low"] is None else f"{100 * rate['low']:.0f}–{100 * rate['high']:.0f}"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def bar(rate: Mapping[str, Any]) -> str:
    """A rate as a bar with its interval as a line."""
    if rate["value"] is None:
        return ""
    low, high = rate["low"], rate["high"]
    whisker = ""
    if low is not None:
        whisker = f'<line x1="{100 * low:.1f}" x2="{100 * high:.1f}" y1="7" y2="7"/>'
    label = escape(percent(rate["value"]))
    return (
        f'<svg viewBox="0 0 100 14" width="140" height="20" role="img" aria-label="{label}">'
        f'<rect class="back" width="100" height="14"/><rect width="{100 * rate["value"]:.1f}" height="14"/>'
        f"{whisker}</svg>"
    )
