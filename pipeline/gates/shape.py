"""Gate 1: does it fit the schema, and is it a fact at all."""

import math

from pipeline.catalogue import Catalogue, usable_key
from pipeline.events import Role
from pipeline.facts import PASSED, Candidate, Verdict
from pipeline.kinds import KINDS, Kind
from pipeline.policy import Policy
from pipeline.reasons import Reason

ABOUT = frozenset({"customer", "organisation", "third_party", "agent"})
LASTING = frozenset({"lasting", "until_date", "once", "mood"})
_KINDS = frozenset(Kind)
_ROLES = frozenset(Role)
MAX_QUOTES = 12


def is_semantic(kind: str) -> bool:
    """Whether it is a preference or a profile: what lives until it is replaced."""
    return kind in _KINDS and KINDS[Kind(kind)].coala == "semantic"


def judge_shape(candidate: Candidate, *, catalogue: Catalogue, policy: Policy) -> Verdict:
    """`candidate.key` is folded already."""
    for wrong, reason in (
        (candidate.kind not in _KINDS, Reason.UNKNOWN_KIND),
        (not _fits(candidate), Reason.BAD_SHAPE),
        (not usable_key(candidate.key), Reason.BAD_KEY),
        (not candidate.value.strip() and not candidate.ended, Reason.EMPTY_VALUE),
        (len(candidate.value) > policy.max_value, Reason.TOO_LONG),
        (not _allowed(candidate, catalogue), Reason.NOT_ALLOWED),
    ):
        if wrong:
            return Verdict(reason=reason)
    return PASSED


def _fits(candidate: Candidate) -> bool:
    return (
        candidate.speaker in _ROLES
        and candidate.about in ABOUT
        and candidate.lasting in LASTING
        and not math.isnan(candidate.confidence)
        and 0.0 <= candidate.confidence <= 1.0
        and len(candidate.quotes) <= MAX_QUOTES
        and not any("\ud800" <= char <= "\udfff" or char == "\0" for char in candidate.value)
    )


def _allowed(candidate: Candidate, catalogue: Catalogue) -> bool:
    row = catalogue.find(candidate.key)
    return not row or not row.allowed or candidate.ended or candidate.value.strip() in row.allowed
