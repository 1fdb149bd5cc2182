"""Values that a whole phrase tells, where one announcing word does not: a code in the clause after its word, the first
six of a card, a password on a command line, a lock pattern. The rows are data, one a phrase.
"""

import re

from pipeline.lookalikes import EN_DIGITS, EN_REPEATS
from pipeline.reasons import Reason
from pipeline.sensitive.checks import without_uuids
from pipeline.sensitive.finding import Hit
from pipeline.sensitive.nearby import ByWord, flattened
from pipeline.sensitive.phrase import CONTEXT, Phrase, told
from pipeline.sensitive.told_aloud import ALOUD, phones_said
from pipeline.sensitive.told_cards import CARDS
from pipeline.sensitive.told_codes import CODES
from pipeline.sensitive.told_contacts import CONTACTS
from pipeline.sensitive.told_documents import DOCUMENTS
from pipeline.sensitive.told_people import PEOPLE
from pipeline.sensitive.told_places import PLACES
from pipeline.sensitive.told_secrets import SECRETS

PHRASES: tuple[Phrase, ...] = (*CODES, *CARDS, *SECRETS, *CONTACTS, *DOCUMENTS, *PLACES, *PEOPLE, *ALOUD)


def phrases_in(text: str) -> list[Hit]:
    """What the phrases announce in `text` (lower case), and card numbers told in words."""
    text = without_uuids(text)
    rows = [PHRASES[at] for at in _BY_WORD.met(flattened(text))]
    return [hit for row in rows for hit in told(text, row)] + _told_cards(text) + phones_said(text)


_BY_WORD = ByWord(row.words for row in PHRASES)
_SAID = "|".join(sorted([*EN_DIGITS, *EN_REPEATS], key=len, reverse=True))
_TOLD = re.compile(
    rf"(?<![a-z])(?:(?:{_SAID})(?:[ ,.\-]{{1,3}}(?:then|and|followed by|next)?[ ,]{{0,2}})?){{5,24}}(?![a-z])"
)
_ONE = re.compile(_SAID)
_CARD = re.compile(r"(?<![a-z])(?:card|visa|mastercard|amex)(?![a-z])|卡")


def _told_cards(text: str) -> list[Hit]:
    """'four one one one, then triple one one, quadruple one …': 12 to 19 digits in words, beside a card's word."""
    if not any(word in text for word in EN_REPEATS) and " then " not in text:
        return []
    return [
        Hit(Reason.PAYMENT_CARD, *m.span())
        for m in _TOLD.finditer(text)
        if 12 <= _digits_told(m[0]) <= 19 and _CARD.search(text, max(0, m.start() - CONTEXT), m.end() + CONTEXT)
    ]


def _digits_told(words: str) -> int:
    total, repeat = 0, 1
    for word in _ONE.findall(words):
        if word in EN_REPEATS:
            repeat = EN_REPEATS[word]
        else:
            total, repeat = total + repeat * len(EN_DIGITS[word]), 1
    return total
