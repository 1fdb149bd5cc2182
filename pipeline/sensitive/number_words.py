"""Cards and phones told in English number words: 'four one one, then triple one …', 'oh double-seven'."""

import re

from pipeline.lookalikes import EN_DIGITS, EN_REPEATS, EN_TENS
from pipeline.reasons import Reason
from pipeline.sensitive.finding import Hit
from pipeline.sensitive.phrase import CONTEXT

_WORDS = "|".join(sorted([*EN_DIGITS, *EN_TENS, *EN_REPEATS], key=len, reverse=True))
_BETWEEN = r"(?:[ ,.\-]{1,3}(?:then|and|followed by|next)?[ ,]{0,2})?"
_RUN = re.compile(rf"(?<![a-z])(?P<said>(?:(?:{_WORDS}){_BETWEEN}){{4,23}}(?:{_WORDS}))(?![a-z])")
_ONE = re.compile(_WORDS)
_HINTS = ("oh", "zero", "five", "seven", " then ", *EN_REPEATS)
"""Of one number or another at least one of these is a part; where none is, nothing is looked for."""
_CARD = re.compile(r"(?<![a-z])(?:card|visa|mastercard|amex)(?![a-z])|卡")
_NOUGHT = re.compile(r"(?:oh|zero)(?![a-z])")
_RINGS = re.compile(
    r"(?<![a-z])(?:call|ring|reach|text|phone|mobile|cell|number|dial|contact|whatsapp|sms|tel)(?:s|ed|ing)?(?![a-z])"
)


def said_in_words(text: str) -> list[Hit]:
    """12 to 19 digits beside a card's word are a card. 7 to 15 that begin with a nought, or stand behind a word of
    telephones, are a phone."""
    if not any(hint in text for hint in _HINTS):
        return []
    found = ((m, _reason(text, m)) for m in _RUN.finditer(text))
    return [Hit(reason, *m.span("said")) for m, reason in found if reason]


def _reason(text: str, run: re.Match[str]) -> Reason | None:
    digits, before = _digits(run["said"]), max(0, run.start() - CONTEXT)
    if 12 <= digits <= 19 and _CARD.search(text, before, run.end() + CONTEXT):
        return Reason.PAYMENT_CARD
    rings = _NOUGHT.match(run["said"]) or _RINGS.search(text, before, run.start())
    return Reason.PHONE if rings and 7 <= digits <= 15 else None


def _digits(words: str) -> int:
    """How many digits the words tell: 'triple one' three, 'seventy' and 'seventy one' two, 'nine hundred' three."""
    total, repeat, tens = 0, 1, False
    for word in _ONE.findall(words):
        if word in EN_REPEATS:
            repeat = EN_REPEATS[word]
            continue
        digits = 2 if word in EN_TENS else len(EN_DIGITS[word])
        total += 0 if tens and digits == 1 else repeat * digits
        repeat, tens = 1, word in EN_TENS
    return total
