"""Whether a stored fact says what an annotated one says: deterministic, without a model, and explained.

A pair is vetoed where a number, date or time was changed, a negation flipped, another of two exclusive choices taken,
or the superseded value kept; no likeness makes up for that. What is left is compared by its words: the same key with
some likeness, another key with more. Each gold fact takes one stored fact, the likest first; what is left over and
says the same is a duplicate.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, reduce
from operator import or_

from pipeline.matching.figures import Figures, figures
from pipeline.matching.wording import Wording, plain, wording

__all__ = ["Likeness", "Paired", "Said", "Wanted", "contradicts", "likeness", "mentions", "paired", "plain"]

SAME_KEY, OTHER_KEY, OTHER_KEY_SAME_WORDS = 0.34, 0.6, 0.45
"""How alike two values must be: under one key, under two, and under two where both rest on the same words.

Under one key a value may say more than the gold one, or be terse; under two it is Dice's coefficient that counts, so
that a whole turn kept as it was said is not taken for the fact in it."""


@dataclass(frozen=True, kw_only=True)
class Said:
    """A stored fact: its folded key, its value, and what it rests on by message (position to exact quotes)."""

    key: str
    value: str = field(repr=False)
    quotes: tuple[tuple[int, str], ...] = field(default=(), repr=False)


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """A gold fact: any of `forms` is right; `known` are further figures that may stand in a right value (those of the
    evidence, the day the ticket closed)."""

    key: str
    forms: tuple[str, ...] = field(repr=False)
    evidence: str = field(default="", repr=False)
    turn: int = -1
    known: str = field(default="", repr=False)
    former: str = field(default="", repr=False)
    """The value that it takes the place of: stored alone, that one is wrong, however much a form repeats of it."""


@dataclass(frozen=True, kw_only=True)
class Likeness:
    """From 0 to 1; `veto`: what rules the pair out (numbers, dates, times, weekdays, negation, choice,
    superseded)."""

    score: float
    balanced: float = 0.0
    """Dice's coefficient: what is said beyond the wanted counts against it."""
    veto: str | None = None


@dataclass(frozen=True, kw_only=True)
class Paired:
    """`pairs`: gold index to stored index. `duplicates`: stored index to the gold index that it says once more.
    `vetoed`: stored index to (gold index, veto), where all but the veto spoke for the pair."""

    pairs: Mapping[int, int]
    duplicates: Mapping[int, int]
    vetoed: Mapping[int, tuple[int, str]]


def likeness(said: Said, wanted: Wanted) -> Likeness:
    """How much of what is wanted is said. Of several forms, the likest that nothing rules out."""
    if plain(said.value) in map(plain, wanted.forms):
        return Likeness(score=1.0, balanced=1.0)
    mine = _wording(said.value, said.key)
    forms = [_wording(form, wanted.key) for form in wanted.forms]
    best = Likeness(score=max(_overlap(mine, f) for f in forms), balanced=max(_dice(mine, f) for f in forms))
    if wanted.former and mine.within(_wording(wanted.former, wanted.key)):
        return replace(best, veto="superseded")
    if changed := _changed_figure(mine, forms, wanted):
        return replace(best, veto=changed)
    free = [form for form in forms if not _flipped(mine, form)]
    if not free:
        return replace(best, veto="negation")
    if _other_choice(mine, forms):
        return replace(best, veto="choice")
    return Likeness(score=max(_overlap(mine, f) for f in free), balanced=max(_dice(mine, f) for f in free))


def paired(said: Sequence[Said], wanted: Sequence[Wanted]) -> Paired:
    """Which stored fact answers which gold fact. The order of neither matters for who is answered, but in a tie."""
    table = {(s, w): likeness(one, other) for s, one in enumerate(said) for w, other in enumerate(wanted)}
    enough = {pair for pair, found in table.items() if _enough(said[pair[0]], wanted[pair[1]], found)}
    good = [pair for pair in enough if table[pair].veto is None]
    good.sort(key=lambda pair: (-_rank(said[pair[0]], wanted[pair[1]], table[pair]), pair))
    pairs: dict[int, int] = {}
    for s, w in good:
        if w not in pairs and s not in pairs.values():
            pairs[w] = s
    left = set(range(len(said))) - set(pairs.values())
    duplicates = {s: w for s, w in reversed(good) if s in left}
    vetoed = {s: (w, veto) for s, w in sorted(enough) if s in left and (veto := table[s, w].veto)}
    return Paired(pairs=pairs, duplicates=duplicates, vetoed=vetoed)


def mentions(text: str, wanted: Wanted) -> bool:
    """Whether free text (a drafted reply) says what is wanted: most of one form's words, and nothing against it."""
    mine = _wording(text, "")
    forms = [_wording(form, wanted.key) for form in wanted.forms]
    return any(_cover(mine, form) >= OTHER_KEY and not _flipped(mine, form) for form in forms)


def contradicts(one: Said, other: Said) -> bool:
    """Whether two stored facts cannot both hold: much the same words, one of them negated or chosen otherwise."""
    mine, theirs = _wording(one.value, one.key), _wording(other.value, other.key)
    if _dice(mine, theirs) < OTHER_KEY:
        return False
    return _flipped(mine, theirs) or (one.key == other.key and _other_choice(mine, [theirs]))


# --- the vetoes -------------------------------------------------------------------------------------------------------


def _changed_figure(mine: Wording, forms: Sequence[Wording], wanted: Wanted) -> str | None:
    gold = _all(form.figures for form in forms)
    return gold.changed_in(mine.figures, gold | figures(plain(f"{wanted.evidence} | {wanted.known}")))


def _all(found: Iterable[Figures]) -> Figures:
    return reduce(or_, found, Figures())


def _flipped(mine: Wording, theirs: Wording) -> bool:
    """Whether most of the words that both have are negated in one and not in the other."""
    shared = [word for word in mine.words if word in theirs.words]
    flips = [word for word in shared if {mine.words[word], theirs.words[word]} == {True, False}]
    return bool(shared) and 2 * len(flips) > len(shared)


def _other_choice(mine: Wording, forms: Sequence[Wording]) -> bool:
    rows = {row for form in forms for row in form.choices} & set(mine.choices)
    taken = {row: frozenset().union(*(form.choices.get(row, frozenset()) for form in forms)) for row in rows}
    return any(not mine.choices[row] & taken[row] for row in rows)


# --- likeness ---------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def _wording(value: str, key: str) -> Wording:
    return wording(value, key)


def _enough(said: Said, wanted: Wanted, found: Likeness) -> bool:
    if said.key == wanted.key:
        return found.score >= SAME_KEY
    return found.balanced >= (OTHER_KEY_SAME_WORDS if _same_words(said, wanted) else OTHER_KEY)


def _rank(said: Said, wanted: Wanted, found: Likeness) -> float:
    return found.score + 0.5 * (said.key == wanted.key) + 0.2 * _same_words(said, wanted)


def _same_words(said: Said, wanted: Wanted) -> bool:
    """Whether a quote and the gold evidence, from one message, hold one another."""
    return any(
        at == wanted.turn and bool(quote) and (quote in wanted.evidence or wanted.evidence in quote)
        for at, quote in said.quotes
    )


def _overlap(mine: Wording, theirs: Wording) -> float:
    """Dice's coefficient, or nearly all of the shorter one in the longer: a value may say more, or be terse."""
    shared, m, t = _shared(mine, theirs), _size(mine), _size(theirs)
    if not shared:
        return 0.0
    return max(_dice(mine, theirs), 0.85 * shared / t, 0.75 * shared / m if shared > 1 else 0.5 * (shared == m))


def _dice(mine: Wording, theirs: Wording) -> float:
    return 2 * _shared(mine, theirs) / max(_size(mine) + _size(theirs), 1)


def _cover(mine: Wording, theirs: Wording) -> float:
    return _shared(mine, theirs) / max(_size(theirs), 1)


def _shared(mine: Wording, theirs: Wording) -> int:
    figures_shared = theirs.figures.count - theirs.figures.missing_from(mine.figures).count
    return len(mine.words.keys() & theirs.words.keys()) + figures_shared


def _size(one: Wording) -> int:
    return len(one.words) + one.figures.count
