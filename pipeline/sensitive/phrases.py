"""Values that a whole phrase tells, where one announcing word does not: a code in the clause after its word, the first
six of a card, a password on a command line, a lock pattern. The rows are data, one a phrase.
"""

from pipeline.sensitive.checks import without_uuids
from pipeline.sensitive.finding import Hit
from pipeline.sensitive.nearby import ByTrigger
from pipeline.sensitive.number_words import said_in_words
from pipeline.sensitive.phrase import Phrase, told
from pipeline.sensitive.told_cards import CARDS
from pipeline.sensitive.told_codes import CODES
from pipeline.sensitive.told_contacts import CONTACTS
from pipeline.sensitive.told_documents import DOCUMENTS
from pipeline.sensitive.told_people import PEOPLE
from pipeline.sensitive.told_places import PLACES
from pipeline.sensitive.told_secrets import SECRETS

PHRASES: tuple[Phrase, ...] = (*CODES, *CARDS, *SECRETS, *CONTACTS, *DOCUMENTS, *PLACES, *PEOPLE)


def phrases_in(text: str) -> list[Hit]:
    """What the phrases announce in `text` (lower case), and what is told in number words."""
    text = without_uuids(text)
    return [hit for at, words in _BY_WORD.met(text) for hit in told(text, PHRASES[at], words)] + said_in_words(text)


_BY_WORD = ByTrigger(row.words for row in PHRASES)
