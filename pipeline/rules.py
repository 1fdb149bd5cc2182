"""The offline extractor: plain statements by the catalogue's cues. It finds little, and is meant to.

One clause, one cue, one value, always in the customer's own words; a clause that asks, guesses, jokes, speaks of
somebody else or holds for once only is passed over. What it proposes goes through the same gates as a model's reply.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import tzinfo
from functools import lru_cache

from pipeline.catalogue import Catalogue, CatalogueKey
from pipeline.events import Role
from pipeline.facts import Candidate, Quote
from pipeline.gates.cues import Cue
from pipeline.kinds import Kind
from pipeline.quoting import foreign_spans
from pipeline.transcript import Line, Transcript

NAME = "rules (offline, finds little)"
CONFIDENCE = 0.9
MAX_CLAUSE = 300
_CLAUSE = re.compile(r"(?:[^,，;；。.!！?？\n]|(?<=\w)\.(?=\w)|(?<=\d),(?=\d))+[?？]?")
_NEGATED_BEFORE = re.compile(
    r"(?:\b(?:not|never|no longer|n['’]t|don['’]?t|instead of|rather than|without|used to|wasn['’]?t|isn['’]?t|stop|"
    r"unless|if)\b[^,;.]{0,24}$)"
    r"|(?:不|别|勿|没|未|非|如果|要是|除非|以前|之前|原来|曾经)[^，,。；]{0,6}$",
    re.IGNORECASE,
)
_ONE_CLAUSE_BARRED = (Cue.HEDGE, Cue.UNDECIDED, Cue.SARCASM, Cue.ASKED, Cue.THIRD_PARTY)


@dataclass(frozen=True, kw_only=True)
class _Cue:
    row: CatalogueKey
    pattern: re.Pattern[str]
    value: str = field(default="", repr=False)


def propose(transcript: Transcript, *, catalogue: Catalogue, timezone: tzinfo | None = None) -> tuple[Candidate, ...]:
    """What the cues find in the customer's own words, in order; of one key, the last statement. No dates are read."""
    found: dict[str, Candidate] = {}
    for line in transcript.lines:
        for clause in _own_clauses(line):
            for candidate in _from_clause(clause, line, _cues(catalogue)):
                found.pop(candidate.key, None)
                found[candidate.key] = candidate
    return tuple(found.values())


def _own_clauses(line: Line) -> Iterator[re.Match[str]]:
    if line.role is not Role.CUSTOMER:
        return
    foreign = foreign_spans(line.text)
    for match in _CLAUSE.finditer(line.text):
        if not any(begin <= match.start() < end for begin, end in foreign) and len(match[0]) <= MAX_CLAUSE:
            yield match


def _from_clause(clause: re.Match[str], line: Line, known: tuple[_Cue, ...]) -> Iterator[Candidate]:
    text = clause[0].strip()
    if any(barred.search(text) for barred in _ONE_CLAUSE_BARRED):
        return
    seen: set[str] = set()
    for cue in known:
        match = cue.pattern.search(text)
        if match and cue.row.key not in seen and _is_stated(match, cue.row, text):
            seen.add(cue.row.key)
            yield _candidate(cue, match, text, line)


def _is_stated(match: re.Match[str], row: CatalogueKey, text: str) -> bool:
    """Not denied, and not for this once only (which an open issue may be)."""
    semantic = row.kind in (Kind.PREFERENCE, Kind.PROFILE)
    if semantic and Cue.ONCE.search(text) and not Cue.ALWAYS.search(text):
        return False
    return not _NEGATED_BEFORE.search(text[: match.start()])


def _candidate(cue: _Cue, match: re.Match[str], text: str, line: Line) -> Candidate:
    value = cue.value or " ".join(match["v"].split()).strip("\"'“”‘’「」『』 ")
    return Candidate(
        kind=cue.row.kind.value,
        key=cue.row.key,
        value=value,
        quotes=(Quote(message=line.position, text=text),),
        confidence=CONFIDENCE,
    )


@lru_cache(maxsize=8)
def _compiled(rows: tuple[tuple[str, str], ...]) -> tuple[tuple[str, re.Pattern[str], str], ...]:
    compiled = []
    for key, cue in rows:
        pattern, _, value = cue.partition(" => ")
        compiled.append((key, re.compile(pattern, re.IGNORECASE), value))
    return tuple(compiled)


def _cues(catalogue: Catalogue) -> tuple[_Cue, ...]:
    """Both languages' cues over every clause: customers mix them."""
    rows = {row.key: row for row in catalogue.keys}
    named = tuple((row.key, cue) for row in catalogue.keys for texts in row.cues.values() for cue in texts)
    return tuple(_Cue(row=rows[key], pattern=pattern, value=value) for key, pattern, value in _compiled(named))
