"""A phrase that tells a protected value, and how it is looked for. The rows are in the modules named `told_…`."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pipeline.reasons import Reason
from pipeline.sensitive.finding import Hit
from pipeline.sensitive.nearby import Trigger, near

HAN_DIGIT = "零〇一二三四五六七八九幺壹贰叁肆伍陆柒捌玖0-9"
"""Between brackets: a digit, in figures or in Chinese, financial and spoken numerals too."""
CONTEXT = 60
"""Characters on either side in which what must, or must not, stand beside a phrase is looked for."""


@dataclass(frozen=True, kw_only=True)
class Phrase:
    """`pattern` is tried where the text holds one of `words`; groups named value… are found, if they are `valid`."""

    reason: Reason
    words: tuple[str, ...]
    pattern: re.Pattern[str]
    valid: Callable[[str], bool] = bool
    beside: re.Pattern[str] | None = None
    """What must stand within CONTEXT characters."""
    never: re.Pattern[str] | None = None
    """What must not stand within CONTEXT characters."""
    before: re.Pattern[str] | None = None
    """What must not stand right before."""
    digits: bool = True
    """Whether a digit stands in it: where none is near, it is not tried."""
    reach: int = 110
    """How far it reaches from its word, in characters."""


def told(text: str, row: Phrase, words: Sequence[Trigger]) -> list[Hit]:
    """What the phrase tells in `text` (lower case), in which these of its words stand."""
    return [
        Hit(row.reason, *m.span(name))
        for start, end in near(text, words, row.reach)
        if not row.digits or _DIGIT.search(text, start, end)
        for m in row.pattern.finditer(text, start, end)
        if _stands(text, row, m)
        for name, value in m.groupdict().items()
        if name.startswith("value") and value is not None and row.valid(value)
    ]


_DIGIT = re.compile("[0-9]")


def _stands(text: str, row: Phrase, m: re.Match[str]) -> bool:
    around = text[max(0, m.start() - CONTEXT) : m.end() + CONTEXT]
    if row.beside and not row.beside.search(around):
        return False
    if row.never and row.never.search(around):
        return False
    return not (row.before and row.before.search(text[max(0, m.start() - 24) : m.start()]))


# --- what makes a value believable ----------------------------------------------------------------------------------


def mixed(value: str) -> bool:
    """Letters with a digit or a sign, and no version, measure or address."""
    value = value.rstrip(".,;!?。，")
    letters = sum("a" <= c <= "z" for c in value)
    others = sum(c in "0123456789@#$%^&*!+=~?_" for c in value)
    return letters >= 2 and others >= 1 and len(value) >= 4 and not value.startswith(("<", "http", "{", "$"))


def keyed(value: str) -> bool:
    """A digit and a letter."""
    return any(c.isdigit() for c in value) and any("a" <= c <= "z" for c in value)


def no_year(value: str) -> bool:
    """Digits that are no year of our time."""
    return re.fullmatch(r"(?:19|20)[0-9]{2}", value) is None
