"""Gate 7: a text that would change rights, money, checks or the agent's own rules is no memory.

A remembered line is read again by an agent that can move money, so a line that gives orders about checks, refunds or
rules would be an instruction from whoever wrote it (memory poisoning). How to serve the customer ('e-mail only', 'no
bullet points', 'refund to the original card, not to balance') is exactly what is kept.

No list of sentences can hold every way of saying it. So words are sorted into kinds (`authority_en.toml`,
`authority_zh.toml`) and a few dozen rules (`authority.toml`) say which kinds together are an order: somebody is to
grant, always, money; nobody is to make a check. What the words are, and in which of the two languages, does not
matter. Beside the rules, every sentence is weighed as a whole (pipeline/authority_score.py): what no rule knows is
still refused where its words and their kinds sound enough like orders, and what a rule knows passes where all of it
together sounds harmless. The more certain the rule, the more harmless it must sound. What is written like a machine's
own words is refused whatever it sounds like.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from typing import Any

from pipeline.authority_score import TOPIC, Evidence, Scorer, read_weights
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


def judge_authority(text: str) -> Verdict:
    """Whether `text` gives an order about rights, money, checks or the agent's rules. Linear in its length."""
    return Verdict(reason=Reason.AUTHORITY) if _refused(plain(text)) else PASSED


def explain_authority(text: str) -> tuple[str, ...]:
    """Why `text` is refused: its rule, or the words and kinds of words that weighed most; () if it passes."""
    seen = plain(text)
    if not _refused(seen):
        return ()
    if _machine_written(seen):
        return (_MACHINE,)
    met = sorted(_rules_met(seen), key=lambda rule: rule[1])
    return (met[0][0],) if met else tuple(_scorer().heaviest(seen))


def rules_met(text: str) -> tuple[tuple[str, bool], ...]:
    """The rules that `text` meets, whatever the weights say: their names, and whether they are weak."""
    return tuple(_rules_met(plain(text)))


def machine_written(text: str) -> bool:
    """Whether `text` is written like a machine's own words, which is refused whatever the weights say."""
    return _machine_written(plain(text))


def preload() -> None:
    """Reads words, rules and weights, so that the first text does not pay for it."""
    _scorer(), _written(), _book()


def _refused(seen: str) -> bool:
    return _machine_written(seen) or _scorer().orders(seen, lambda: _evidence(seen))


def _evidence(seen: str) -> Evidence:
    weak = [weak for _, weak in _rules_met(seen)]
    return Evidence.NONE if not weak else Evidence.WEAK if all(weak) else Evidence.STRONG


def _rules_met(seen: str) -> Iterator[tuple[str, bool]]:
    """The names of the rules that a text meets, and whether they are weak."""
    for sentence in lexicon().sentences(seen):
        yield from ((rule.name, rule.weak) for rule in _book().met(sentence))


_MACHINE = "written like a machine's own words"


def _machine_written(seen: str) -> bool:
    return any(written.found(seen) for written in _written())


@lru_cache(maxsize=1)
def _scorer() -> Scorer:
    return Scorer(lexicon(), read_weights((files("pipeline") / "authority_weights.txt").read_text("utf-8")))


@lru_cache(maxsize=1)
def _written() -> tuple[_Written, ...]:
    return tuple(_Written(needs=tuple(w["needs"]), form=re.compile(w["form"], re.M)) for w in _data()["written"])


@lru_cache(maxsize=1)
def lexicon() -> Lexicon:
    """The words of the rules, and those of the topics, whose kinds no rule can name; read once, at the first text."""
    english, chinese, topics = (_read(f"authority_{name}.toml") for name in ("en", "zh", "topics"))
    about = {part: {TOPIC + kind: words for kind, words in table.items()} for part, table in topics.items()}
    words = (english["words"], chinese["words"], about["english"], about["chinese"])
    excuses = frozenset(kind for row in _data()["rule"] for kind in row.get("unless", "").split())
    return Lexicon(english["verbs"] | about["verbs"], words, excuses=excuses)


@lru_cache(maxsize=1)
def _book() -> Rules:
    """The rules, read at the first text that they could decide."""
    return Rules(lexicon(), (one for row in _data()["rule"] for one in _rules(row, _data()["macros"])))


@lru_cache(maxsize=1)
def _data() -> dict[str, Any]:
    return _read("authority.toml")


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
