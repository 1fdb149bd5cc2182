"""How well a fact answers a query, by letters alone: what recall falls back on where there are no embeddings.

Character n-grams need no dictionary and no segmentation, so Chinese, English and codes compare alike. A fact's score
depends on the query and on itself, never on its neighbours (no inverse document frequency).
"""

from collections.abc import Iterator
from itertools import groupby

from pipeline.compare import comparable

_SIZE = {True: 2, False: 3}
"""By whether the run is Han: most Chinese words have two characters; three letters are the usual trigram."""


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
