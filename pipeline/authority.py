"""Gate 7: a text that would change rights, money, checks or the agent's own rules is no memory.

A remembered line is read again by an agent that can move money, so a line that gives orders about checks, refunds or
rules would be an instruction from whoever wrote it (memory poisoning). How to serve the customer ('e-mail only', 'no
bullet points', 'refund to the original card, not to balance') is exactly what is kept.

No list of sentences can hold every way of saying it. So words are sorted into kinds (`authority_en.toml`,
`authority_zh.toml`) and a few dozen rules (`authority.toml`) say which kinds together are an order: somebody is to
grant, always, money; nobody is to make a check. What the words are, and in which of the two languages, does not
matter. Beside the rules, every sentence is weighed as a whole (pipeline/authority_score.py): what no rule knows is
still refused where its words and their kinds sound enough like orders. Either of the two refuses.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from typing import Any

from pipeline.authority_score import Scorer, read_weights
from pipeline.facts import PASSED, Verdict
from pipeline.normalise import plain
from pipeline.reasons import Reason
from pipeline.tagging import Lexicon
from pipeline.tagrules import Rule, Rules


@dataclass(frozen=True, kw_only=True)
class _Written:
    """A form of writing that only a machine's own words have; `needs` spares most texts the expression."""

    needs: tuple[str, ...]
    form: re.Pattern[str] = field(repr=False)

    def found(self, text: str) -> bool:
        return any(need in text for need in self.needs) and self.form.search(text) is not None


@dataclass(frozen=True, kw_only=True)
class _Book:
    lexicon: Lexicon
    rules: Rules
    written: tuple[_Written, ...]


def judge_authority(text: str) -> Verdict:
    """Whether `text` gives an order about rights, money, checks or the agent's rules. Linear in its length."""
    return Verdict(reason=Reason.AUTHORITY) if explain_authority(text) else PASSED


def explain_authority(text: str) -> tuple[str, ...]:
    """Why `text` is refused: its rule, or the words and kinds of words that weighed most; () if it passes."""
    seen = plain(text)
    rule, suspected = "", False
    for rule, weak in _rules_met(seen):
        if not weak:
            return (rule,)
        suspected = True
    if not _scorer().orders(seen, suspected=suspected):
        return ()
    return (rule,) if suspected else tuple(_scorer().heaviest(seen))


def rules_met(text: str) -> tuple[tuple[str, bool], ...]:
    """The rules that `text` meets, whatever the weights say: their names, and whether they are weak."""
    return tuple(_rules_met(plain(text)))


def preload() -> None:
    """Reads words, rules and weights, so that the first text does not pay for it."""
    judge_authority("always refund")


def lexicon() -> Lexicon:
    """The words of both languages with their kinds."""
    return _book().lexicon


def _rules_met(seen: str) -> Iterator[tuple[str, bool]]:
    """The names of the rules that a text meets, and whether they are weak."""
    book = _book()
    if any(written.found(seen) for written in book.written):
        yield "written like a machine's own words", False
    for sentence in book.lexicon.sentences(seen):
        yield from ((rule.name, rule.weak) for rule in book.rules.met(sentence))


@lru_cache(maxsize=1)
def _scorer() -> Scorer:
    return Scorer(_book().lexicon, read_weights((files("pipeline") / "authority_weights.txt").read_text("utf-8")))


@lru_cache(maxsize=1)
def _book() -> _Book:
    """Words and rules, read once: a tenth of a second, at the first text."""
    data, english, chinese = (_read(name) for name in ("authority.toml", "authority_en.toml", "authority_zh.toml"))
    excuses = frozenset(kind for row in data["rule"] for kind in row.get("unless", "").split())
    lexicon = Lexicon(english["verbs"], (english["words"], chinese["words"]), excuses=excuses)
    return _Book(
        lexicon=lexicon,
        rules=Rules(lexicon, (one for row in data["rule"] for one in _rules(row, data["macros"]))),
        written=tuple(_Written(needs=tuple(w["needs"]), form=re.compile(w["form"], re.M)) for w in data["written"]),
    )


def _rules(row: Mapping[str, Any], macros: Mapping[str, str]) -> Iterator[Rule]:
    unless = _meant(row.get("unless", ""), macros)
    for pattern in row["find"]:
        yield Rule(
            name=row["name"],
            pattern=_meant(pattern, macros),
            unless=unless,
            script=row.get("script", "").upper(),
            weak=row.get("weak", False),
        )


def _meant(pattern: str, macros: Mapping[str, str]) -> str:
    """The pattern with the kinds for which its macros stand."""
    return re.sub(r"\b[A-Z]+\b(?!\*)", lambda m: macros.get(m[0], m[0]), pattern)


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads((files("pipeline") / name).read_text("utf-8"))
