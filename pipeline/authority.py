"""Gate 7: a text that would change rights, money, checks or the agent's own rules is no memory.

A remembered line is read again by an agent that can move money, so a line that gives orders about checks, refunds or
rules would be an instruction from whoever wrote it (memory poisoning). How to serve the customer ('e-mail only', 'no
bullet points', 'refund to the original card, not to balance') is exactly what is kept.

The rules are data (`authority.toml`), a row a way of saying it. They are read over the normalised text and over a copy
without gaps, so that '免 审 核' and 'i g n o r e' are what they spell.
"""

import re
import tomllib
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from pipeline.facts import PASSED, Verdict
from pipeline.normalise import normalised
from pipeline.reasons import Reason

MAX_WINDOW = 4_000
OVERLAP = 400
_NOT_LETTERS = re.compile(r"[^a-z:]+")
_HAN = re.compile(r"[\u3400-\u9fff]")
_BETWEEN_HAN = re.compile(
    r"(?<=[\u3400-\u9fff])[\s.\-_*·/|~、•　]+(?=[\u3400-\u9fffA-Za-z])|(?<=[A-Za-z])\s+(?=[\u3400-\u9fff])"
)
_COMPACT = re.compile(
    r"(?:ignore|disregard|forget)(?:all|any|every)?(?:the|your|my)?(?:previous|prior|above|earlier|existing)(?:\w{0,3}?)(?:instruction|rule|prompt|polic)"
    r"|(?:skip|bypass|no|without)(?:identity|security|any|all|further)?(?:verification|securitychecks?|identitychecks?)(?:for|needed|required|ever|always|$)"
    r"|approveeverything|alwaysrefund(?!to|the|ed)|alwaysapprove|refundwithoutchecks?|systemprompt:"
)
"""What letters spaced out in any way still spell."""
_SIMPLER = str.maketrans(
    "審後餘額權驗證絕無須則規檢從現對該戶過復覆認統請記這個開發員級長遠終優惠減賠償補貴賓設為單動給應費聽們說話點訂檔內標註備資際臺",
    "审后余额权验证绝无须则规检从现对该户过复覆认统请记这个开发员级长远终优惠减赔偿补贵宾设为单动给应费听们说话点订档内标注备资际台",
)


@dataclass(frozen=True)
class _Rule:
    """`needs`: what any match must contain, so that most texts never meet the expression."""

    needs: tuple[str, ...]
    text: str

    def finds(self, text: str) -> bool:
        return _holds(text, self.needs) and _compiled(self.text).search(text) is not None


@dataclass(frozen=True)
class _Book:
    """One language's rules, and the words of which every order holds one."""

    core: tuple[str, ...]
    rules: tuple[_Rule, ...]

    def finds(self, text: str) -> bool:
        return _holds(text, self.core) and any(rule.finds(text) for rule in self.rules)


def _holds(text: str, words: tuple[str, ...]) -> bool:
    for word in words:  # noqa: SIM110  a plain loop costs half, and this is what nearly every text costs
        if word in text:
            return True
    return False


def judge_authority(text: str) -> Verdict:
    """Whether `text` gives an order about rights, money, checks or the agent's rules. Long texts go in windows."""
    step = MAX_WINDOW - OVERLAP
    windows = (text[at : at + MAX_WINDOW] for at in range(0, max(1, len(text) - OVERLAP), step))
    return Verdict(reason=Reason.AUTHORITY) if any(_gives_orders(window) for window in windows) else PASSED


def _gives_orders(text: str) -> bool:
    plain = _plain(text)
    english, chinese, tags = _rules()
    if tags.fullmatch(plain) or english.finds(plain) or _COMPACT.search(_NOT_LETTERS.sub("", plain)):
        return True
    if not _HAN.search(plain):
        return False
    joined = _BETWEEN_HAN.sub("", plain)
    return tags.fullmatch(joined) is not None or chinese.finds(joined)


def _plain(text: str) -> str:
    """The normalised text in lower case, with straight quotes, NFKC punctuation and simplified characters."""
    view = unicodedata.normalize("NFKC", normalised(text).text).lower().translate(_SIMPLER)
    straight = view.replace("’", "'").replace("‘", "'").replace("“", '"').replace("”", '"')
    return re.sub(r"[ \t]+", " ", straight)


@lru_cache(maxsize=1)
def _rules() -> tuple[_Book, _Book, re.Pattern[str]]:
    """English rules, Chinese rules, and the tags that are an order when they stand alone."""
    data = tomllib.loads((files("pipeline") / "authority.toml").read_text("utf-8"))
    words = {f"{{{name}}}": text for name, text in data["words"].items()}
    english = _Book(tuple(data["core"]), tuple(_rule(row, words) for row in data["en"]))
    chinese = _Book(tuple(data["core_zh"]), tuple(_rule(row, words) for row in data["zh"]))
    return english, chinese, re.compile(rf"\W*(?:{'|'.join(data['tags'])})\W*")


def _rule(row: dict[str, object], words: dict[str, str]) -> _Rule:
    text = str(row["rule"])
    for name, meaning in words.items():
        text = text.replace(name, meaning)
    needs = row["needs"]
    return _Rule(tuple(needs) if isinstance(needs, list) else (), text)


@lru_cache(maxsize=256)
def _compiled(rule: str) -> re.Pattern[str]:
    """Compiled when first needed: all at once would cost a tenth of a second."""
    return re.compile(rule, re.MULTILINE)
