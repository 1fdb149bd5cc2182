"""Gate 6: sensitive content, in any disguise. `findings` says where, `judge_text` whether a text may be kept."""

import re
from collections.abc import Iterator

from pipeline.facts import PASSED, Verdict
from pipeline.memo import once, working
from pipeline.normalise import View, joined, normalised, spoken
from pipeline.policy import FLOOR, Policy
from pipeline.reasons import Reason
from pipeline.sensitive.finding import STATEMENTS, Finding, Hit

__all__ = ["STATEMENTS", "Finding", "findings", "judge_text", "matches", "preload"]

WINDOW = 12_000
OVERLAP = 600
_CONTEXT = 120
"""Characters that two neighbouring windows share: a value shorter than half of it is seen whole by one of them."""
PLACEHOLDER = re.compile(r"<[A-Z][A-Z_]{1,40}_[0-9]{1,3}>")


def preload() -> None:
    """Imports and builds the recognisers, so that a process pays for it before it forks, not in its first judgement."""
    findings("preload 4111 1111 1111 1111, 密码 x1y2z3, jo@example.com, +44 20 7946 0958, 0044 20 7946 0958")


def judge_text(text: str, policy: Policy = FLOOR) -> Verdict:
    """Passed, or blocked with the reason of the first finding. A detector that fails or takes too long blocks."""
    try:
        reason = _first_reason(text, policy)
    except TimeoutError:
        return Verdict(reason=Reason.GATE_TIMEOUT)
    except Exception:  # whatever went wrong, the text was not judged, so it is not kept; the error may hold the text
        return Verdict(reason=Reason.GATE_ERROR)
    return Verdict(reason=reason) if reason else PASSED


def _first_reason(text: str, policy: Policy) -> Reason | None:
    for finding in findings(text):
        if finding.reason not in policy.allow:
            return finding.reason
    return Reason.POLICY if _refused_word(text, policy) else None


def _refused_word(text: str, policy: Policy) -> bool:
    if not policy.refused_words:
        return False
    plain = normalised(text).lower
    return any(normalised(word).lower in plain for word in policy.refused_words)


def findings(text: str) -> tuple[Finding, ...]:
    """All sensitive values and statements of `text`, in order; they may overlap. Raises what a detector raises."""
    found = {Finding(start=start, end=end, reason=reason) for reason, pieces in matches(text) for start, end in pieces}
    return tuple(sorted(found))


def matches(text: str) -> tuple[tuple[Reason, tuple[tuple[int, int], ...]], ...]:
    """Like `findings`, one entry a value: a value that is cut over several turns has several pieces."""
    with working():
        return _matches(text)


@once
def _matches(text: str) -> tuple[tuple[Reason, tuple[tuple[int, int], ...]], ...]:
    shielded = PLACEHOLDER.sub(lambda m: ";" * len(m[0]), text)
    found: dict[tuple[Reason, tuple[tuple[int, int], ...]], None] = {}
    for view, places in _readings(shielded):
        for hit in _hits(view, places):
            found[hit.reason, view.pieces(hit.start, hit.end)] = None
    return tuple(sorted(found, key=lambda match: (match[1][0], match[0])))


def _readings(text: str) -> Iterator[tuple[View, list[tuple[int, int]]]]:
    """The text as it reads, where numerals became digits, and what one speaker says over several turns."""
    plain = normalised(text)
    yield plain, list(_windows(0, len(plain.text)))
    said = spoken(plain)
    if said is not plain:
        yield said, [window for start, end in said.around_new(plain, _CONTEXT) for window in _windows(start, end)]
    together = joined(said)
    if together is not None:
        yield together, list(_windows(0, len(together.text)))


def _hits(view: View, places: list[tuple[int, int]]) -> Iterator[Hit]:
    from pipeline.sensitive.recognisers import hits_in

    size = len(view.text)
    for start, end in places:
        for hit in hits_in(view.text[start:end], view.lower[start:end]):
            cut_off = (hit.start == 0 and start > 0) or (hit.end == end - start and end < size)
            if not cut_off or hit.end - hit.start >= OVERLAP // 2:
                yield _whole(Hit(hit.reason, hit.start + start, hit.end + start), view.text)


_LAST_SIGNS = re.compile(r"[!?$#*%^~+=&@.:_\-]*[!?$#*%^~+=&@](?![A-Za-z0-9])")


def _whole(hit: Hit, text: str) -> Hit:
    """A password with the signs right behind it: whether 'Abc12345!' ends in one or its sentence does, nobody can tell,
    so they are hidden too."""
    signs = _LAST_SIGNS.match(text, hit.end) if hit.reason is Reason.PASSWORD else None
    return hit._replace(end=signs.end()) if signs else hit


def _windows(start: int, stop: int) -> Iterator[tuple[int, int]]:
    """Overlapping stretches that cover `start:stop`."""
    while True:
        end = min(stop, start + WINDOW)
        yield start, end
        if end == stop:
            return
        start = end - OVERLAP
