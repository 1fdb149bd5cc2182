"""How well a fact answers a query: what an embedder is given of it, and what letters alone tell.

Character n-grams need no dictionary and no segmentation, so Chinese, English and codes compare alike; they are what
recall falls back on where there are no embeddings. A fact's score depends on the query and on itself, never on its
neighbours (no inverse document frequency).
"""

import re
import unicodedata
from collections.abc import Iterator, Set
from dataclasses import dataclass, field
from itertools import groupby

from pipeline.catalogue import Catalogue
from pipeline.compare import comparable
from pipeline.facts import Fact

_SIZE = {True: 2, False: 3}
"""By whether the run is Han: most Chinese words have two characters; three letters are the usual trigram."""


MAX_QUERY = 1_000
"""Characters of a query that are looked at. A longer one is a pasted conversation, and what is asked stands first."""
NAMED = 0.3
"""What it adds that a fact holds the very code or number that was asked for: embedders hardly tell 77120 from 77342."""
_NAMES = 4
"""A label and its first aliases: who asks how to reach somebody says neither 'contact channel' nor 'contact hours'."""
_CODE = re.compile(r"[a-z0-9][a-z0-9.+#/_-]*", re.IGNORECASE)
_HAN = re.compile(r"[\u3400-\u9fff]")


@dataclass(frozen=True, kw_only=True)
class Wording:
    """What of a fact is embedded: 'label: value', and apart from it the names that its key goes by."""

    names: str
    text: str = field(repr=False)


def wording(fact: Fact, catalogue: Catalogue) -> Wording:
    """In the customer's language, as their own words show it: with a Han character in the value, Chinese."""
    row = catalogue.find(fact.slot.key)
    chinese = bool(_HAN.search(fact.value))
    label = row.label("zh" if chinese else "en") if row else fact.slot.key.replace("_", " ")
    others = [name.replace("_", " ") for name in row.aliases if bool(_HAN.search(name)) == chinese] if row else []
    return Wording(names=", ".join([label, *others][:_NAMES]), text=f"{label}: {fact.value}")


def presentable(query: str) -> str:
    """A query without what no text needs (control and format characters, half a surrogate), at most MAX_QUERY long.

    '' asks for nothing, and is answered as if there were no query.
    """
    kept = (" " if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp") else c for c in query[: 4 * MAX_QUERY])
    return " ".join("".join(kept).split())[:MAX_QUERY].rstrip()


def blended(meaning: float, share: float) -> float:
    """One relevance, 0 to 1, of a cosine (below 0 it means nothing) and of the share of codes that are there."""
    return min(max(meaning, 0.0) + NAMED * share, 1.0)


def named(wanted: Set[str], text: str) -> float:
    """The share of a query's `codes` that stand whole in `text`; 0 where it has none."""
    return len(wanted & codes(text)) / len(wanted) if wanted else 0.0


def codes(text: str) -> frozenset[str]:
    """Order numbers, error codes, versions: every word of Latin letters and digits that holds a digit, case folded."""
    found = (match[0].rstrip(".-_/") for match in _CODE.finditer(unicodedata.normalize("NFKC", text).casefold()))
    return frozenset(code for code in found if any(char.isdigit() for char in code))


def relevance(query: str, text: str) -> float:
    """From 0 (nothing in common) to 1: the share of the query's n-grams that stand in `text`.

    Containment, not similarity: a long fact is not less relevant for what else it says.
    """
    wanted = set(_grams(query))
    if not wanted:
        return 0.0
    return len(wanted & set(_grams(text))) / len(wanted)


def _grams(text: str) -> Iterator[str]:
    for run, han in _runs(comparable(text).replace("_", " ")):
        size = min(_SIZE[han], len(run))
        yield from (run[i : i + size] for i in range(len(run) - size + 1))


def _runs(text: str) -> Iterator[tuple[str, bool]]:
    """Words and stretches of Han characters; what is neither letter nor digit parts them."""
    for kind, chars in groupby(text, key=_class):
        if kind:
            run = "".join(chars)
            yield (run, True) if kind == "han" else (f" {run} ", False)


def _class(char: str) -> str:
    if "\u3400" <= char <= "\u9fff":
        return "han"
    return "word" if char.isalnum() else ""
