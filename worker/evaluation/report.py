"""The report: one JSON document. What it says of a ticket names keys and values, but never a secret."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from pipeline.annotation import RetrievalPair, Row
from pipeline.catalogue import load_catalogue
from pipeline.prompt import PROMPT_VERSION
from worker.evaluation import controls, drafting, retrieval, returning
from worker.evaluation.against import FORM
from worker.evaluation.leaks import Leak, captured_log, leaks
from worker.evaluation.recorded import Check, Drift, Recording, checked
from worker.evaluation.runner import Done, Outcome, Run, run, unheard
from worker.evaluation.sandbox import sandbox
from worker.evaluation.scoring import Score, Told, compact, score
from worker.evaluation.tickets import Case, cases
from worker.evaluation.totals import DRAWS, TALLIES, Counts, rates, summed
from worker.extractors import RULES_NAME
from worker.read_gate import OpenGate
from worker.runtime import Runtime
from worker.settings import Settings

SPLIT_DRAWS = 200
PATIENCE = 60.0
"""Seconds that a recall waits for the embedder here: a slow machine must not change a figure."""


@dataclass(frozen=True, kw_only=True)
class Level:
    """One extractor's run over all tickets."""

    name: str
    run: Run = field(repr=False)
    scores: tuple[Score, ...] = field(repr=False)
    leaks: tuple[Leak, ...]
    visits: tuple[returning.Visit, ...] = field(repr=False)


def evaluated(
    settings: Settings, rows: Sequence[Row], recording: Recording | None, *, draft: bool = False, done: Done = unheard
) -> dict[str, Any]:
    """Everything measured: the recorded replies or the configured extractor, and the offline rules beside it.

    `draft`: the configured model also drafts replies to returning customers, with memory and without.
    `done` hears of each
    ticket that was read; `readings` says how many it will hear of.
    """
    of = list(cases(rows))
    patient = replace(settings, embed_timeout=PATIENCE)
    rules = replace(patient, extractor="rules")
    main, document = _measured(patient, of, recording, done)
    beside = main if _rules_alone(settings, recording) else _measured(rules, of, None, done)[0]
    catalogue = load_catalogue(settings.catalogue)
    tickets = [outcome.ticket for outcome in main.run.outcomes]
    counted = {name: [s.counts for s in controls.control(name, tickets, catalogue)] for name in controls.CONTROLS}
    return {
        "form": FORM,
        "about": _about(main, recording, rows),
        **document,
        "beside": {} if beside is main else {beside.name: _in_short(beside)},
        "controls": {name: _figures(counts, draws=0) for name, counts in counted.items()},
        "retrieval": retrieval.summary(_retrieved(rules, rows, of)),
        "drafts": drafting.summary(list(drafting.drafts(patient, catalogue, main.run.visits))) if draft else None,
        "batch": _batch(recording, main.run.outcomes),
        "tickets": [_ticket(outcome, s) for outcome, s in zip(main.run.outcomes, main.scores, strict=True)],
    }


def readings(settings: Settings, rows: Sequence[Row], recording: Recording | None) -> int:
    """How many tickets `evaluated` reads, those that it reads by the rules again counted twice."""
    return sum(len(case.tickets) for case in cases(rows)) * (1 if _rules_alone(settings, recording) else 2)


def _rules_alone(settings: Settings, recording: Recording | None) -> bool:
    return recording is None and settings.extractor == "rules"


def _retrieved(settings: Settings, rows: Sequence[Row], of: Sequence[Case]) -> list[retrieval.Query]:
    pairs = [row for row in rows if isinstance(row, RetrievalPair)]
    if not pairs and not any(case.returning for case in of):
        return []
    with sandbox(settings) as runtime:
        runtime.__dict__["read_gate"] = OpenGate()  # the facts are put past the gates: retrieval alone is measured
        return retrieval.of_pairs(runtime, pairs) + retrieval.of_visits(runtime, of)


def _measured(
    settings: Settings, of: Sequence[Case], recording: Recording | None, done: Done
) -> tuple[Level, dict[str, Any]]:
    with sandbox(settings) as runtime:
        level = measured(runtime, of, recording, done)
    return level, {
        "writing": _figures([s.counts for s in level.scores]),
        "splits": _splits(level.scores),
        "leaks": [asdict(leak) for leak in level.leaks],
        "returning": _returning(level),
    }


def measured(runtime: Runtime, of: Sequence[Case], recording: Recording | None, done: Done = unheard) -> Level:
    """Reads every ticket into the runtime's database and scores what is left. The runtime's own memory is written."""
    with captured_log() as log:
        found = run(runtime, of, recording, done=done)
    return Level(
        name="recorded replies" if recording else runtime.extractor.name,
        run=found,
        scores=tuple(score(one.ticket, one.stored, runtime.catalogue) for one in found.outcomes),
        leaks=leaks(runtime, found.outcomes, log),
        visits=tuple(returning.visits(found.visits, runtime.catalogue)),
    )


# --- parts of the document --------------------------------------------------------------------------------------------


def _about(main: Level, recording: Recording | None, rows: Sequence[Row]) -> dict[str, Any]:
    outcomes = main.run.outcomes
    return {
        "extractor": main.name,
        "models": recording.models if recording else [main.name],
        "prompt_versions": recording.versions if recording else [PROMPT_VERSION] * (main.name != RULES_NAME),
        "prompt_version_today": PROMPT_VERSION,
        "tickets": len(outcomes),
        "model_calls": sum(outcome.asked for outcome in outcomes),
        "facts": sum(len(outcome.ticket.facts) for outcome in outcomes),
        "pairs": sum(isinstance(row, RetrievalPair) for row in rows),
        "prompt_tokens": sum(outcome.prompt_tokens for outcome in outcomes),
        "reply_tokens": sum(outcome.reply_tokens for outcome in outcomes),
    }


def _figures(counts: Sequence[Counts], *, draws: int = DRAWS) -> dict[str, Any]:
    total = summed(counts)
    found = {name: rate.document() for name, rate in rates(counts, draws=draws).items()}
    return {"rates": found, "counts": {name: total[name] for name in TALLIES}}


def _in_short(level: Level) -> dict[str, Any]:
    return {
        **_figures([s.counts for s in level.scores]),
        "leaks": [asdict(leak) for leak in level.leaks],
        "returning": returning.summary(level.visits),
    }


def _splits(scores: Sequence[Score]) -> dict[str, dict[str, Any]]:
    by: dict[str, dict[str, list[Counts]]] = {"language": {}, "domain": {}, "hard case": {}}
    for one in scores:
        by["language"].setdefault(one.ticket.lang, []).append(one.counts)
        by["domain"].setdefault(one.ticket.domain or "-", []).append(one.counts)
        for case in one.ticket.hard_cases:
            by["hard case"].setdefault(case, []).append(one.counts)
    return {name: {part: _split(of) for part, of in sorted(groups.items())} for name, groups in by.items()}


def _split(counts: Sequence[Counts]) -> dict[str, Any]:
    wanted = ("precision", "recall", "f1", "refusal")
    found = rates(counts, names=wanted, draws=SPLIT_DRAWS)
    return {"tickets": len(counts), **{name: found[name].document() for name in wanted}}


def _returning(level: Level) -> dict[str, Any]:
    return {**returning.summary(level.visits), "by_visit": [visit.document() for visit in level.visits]}


def _batch(recording: Recording | None, outcomes: Sequence[Outcome]) -> dict[str, Any] | None:
    if recording is None:
        return None
    names = {outcome.ticket.dialogue_id for outcome in outcomes if outcome.asked}
    check: Check = checked(recording, names)
    drifted = Counter(outcome.drift for outcome in outcomes if outcome.asked)
    return {
        **{name: list(value) if isinstance(value, tuple) else value for name, value in asdict(check).items()},
        "drift": {kind.value: drifted[kind] for kind in Drift},
        "drifted_tickets": [o.ticket.dialogue_id for o in outcomes if o.drift is Drift.TICKET],
    }


def _ticket(outcome: Outcome, scored: Score) -> dict[str, Any]:
    hide = [compact(secret.text) for secret in outcome.ticket.secrets]
    return {
        "ticket": outcome.ticket.dialogue_id,
        "lang": outcome.ticket.lang,
        "hard_cases": list(outcome.ticket.hard_cases),
        "fault": outcome.fault,
        "drift": outcome.drift.value,
        "matched": list(scored.matched),
        "missed": _told(scored.missed, hide),
        "extra": _told(scored.extra, hide),
        "trapped": _told(scored.trapped, hide),
        "stale": _told(scored.stale, hide),
        "secrets_stored": list(scored.stored_secrets),
        "refused": dict(sorted(outcome.refused.items())),
    }


def _told(of: Sequence[Told], hide: Sequence[str]) -> list[Mapping[str, str]]:
    """Facts as they are, but for one that holds a secret or a planted instruction."""
    return [
        replace(told, value="(withheld)").document()
        if any(secret in compact(told.value) for secret in hide)
        else told.document()
        for told in of
    ]
