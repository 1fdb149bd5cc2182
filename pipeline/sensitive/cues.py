"""Finds the announcing words of the lexicon in a text, and tells which of them a value belongs to."""
# ruff: noqa: E501 (rows of words and patterns read best one a line)

import re
from bisect import bisect_left
from functools import lru_cache
from typing import NamedTuple

from pipeline.memo import once
from pipeline.normalise import SPEAKERS
from pipeline.sensitive.lexicon import CHINESE, ENGLISH, Cue
from pipeline.trie import trie


class Found(NamedTuple):
    """A cue in the text: offsets, end exclusive."""

    kind: Cue
    start: int
    end: int


class Announced(NamedTuple):
    """How a value is announced. `strict`: only linking words in between. `tail`: a part of the number was announced."""

    kind: Cue
    strict: bool
    tail: bool


NOTHING = Announced(Cue.NONE, strict=False, tail=False)
MAX_GAP = 36
"""Characters that may lie between a cue and its value."""

_TURN = rf"[?!.。]{{0,2}}\s?\n[>\s]{{0,8}}(?:{SPEAKERS})\s?:\s?"
_TAIL = (
    r"的?(?:最后|后面|最末|后|末|前|尾|头)的?[0-9一二三四五六七八两]+个?位?数?字?|的?(?:尾号|尾数|末尾|结尾|开头)"
    r"|(?:the )?(?:last|final|first|trailing) ?(?:[0-9]|two|three|four|five|six|eight)(?: ?digits?| numbers?)?(?![a-z])"
    r"|(?:that )?end(?:ing|s|ed)?(?: (?:in|with|on))?(?![a-z])|(?:start|begin)(?:s|ning|ing)? with(?![a-z])"
)
_FILLER = (
    r"\([^()\n0-9]{1,24}\)|[\s:=#>\"'`(\[{<,、|/~*.@-]|(?:currently|following|alternative|temporary|username|personal|changed|updated|address|account|contact|primary"
    r"|default|backup|number|please|mobile|direct|added|today|there|right|their|card|acct|value|reads|digits|handle|found|reach|would|using|still|that's|that|this|"
    r"it's|its|user|main|work|home|cell|code|file|sure|okay|name|temp|will|with|back|china|your|been|i'm|was|are|the|our|his|her|for|via|now|set|yes|and|just"
    r"|new|old|one|add|use|ist|lautet|usa|is|it|est|my|an|to|at|on|no|nr|of|as|me|by|ok|id|be|up|in|es|und|uk|us|eu|hk|i|a)(?![a-z0-9])"
    r"|(?:[四五六七八]|[4-8])位(?:数字?)?|は|은|는|이|が"
    r"|报一下|在这里|持卡|好的|号码|分别|改成|改为|换成|设置|重置|一下|给您|发您|给你|发你|在这|这个|那个|如下|客户|用户|联系|登录|现在|目前|统一|直接|搜索|添加|可以|后面|地址|默认|初始"
    r"|多少\??|什么|哪个|几号|告知|提供|核对|数字|正确|应该|账号|本人|最新|公司|家里|一张|是|为|号|码|就|叫|改|已|设|报|给|发|这|的|我|您|你|他|她|请|记|填|写|到|都|用|打|拨|加|搜|嗯|那|有|了|吧|呢|吗|个|张|帮|查|看|绑|尾|可|也|回"
    r"|转|输|试|新|旧|和|在|将|把|成|数|证"
)
_LINK = re.compile(rf"(?:(?>{_TURN}|{_TAIL}|{_FILLER})){{0,16}}+")
_HAS_TAIL = re.compile(_TAIL)
_STOP = re.compile(rf"[。;!?]|\n(?![>\s]*(?:{SPEAKERS})\s?:)|\. ")
_BACK = re.compile(
    r"[\s,)\"'`-]{0,3}(?P<link>(?:is|was|are|as|being)(?![a-z])|就?是|为)?\s?(?:(?:the|my|an|a|his|her|our|their|这个?|那个?|我的?|他的?|她的?"
    r"|客户的?|用户的?|您的?)\s?)?(?P<tail>(?:last|first|final) (?:[0-9]|two|three|four|five|six)(?: digits?| numbers?)? (?:of|on) "
    r"(?:my |the |his |her |our )?|结尾的?|开头的?|尾号的?)?[\s\"'`(-]{0,2}"
)
_TAIL_BEFORE = re.compile(
    r"(?:last|final|first) (?:[0-9]|two|three|four|five|six)(?: digits?| numbers?)?,? (?:of|on|for)(?: (?:the|my|his|her|their|our|a))?\s?$"
)

_TAIL_LEADS = re.compile(
    r"(?:尾号|尾数|末四位|后四位|后[四4]位|末[四4]位|结尾|end(?:ing|ed|s)(?: in| with)?|last four|last 4)\W{0,3}(?:是|为|is)?\W{0,2}$"
)
_TAIL_BACK = re.compile(r"[\s\"')]{0,3}(?:的(?:那张|这张)?|on|of|for|,)?\s?(?:the|my|his|her|our|我的|他的)?\s?")


class Cues:
    """The cues of one text (lower case), in order."""

    def __init__(self, text: str) -> None:
        self._text = text
        self.found = found_in(text)
        self._ends = [cue.end for cue in self.found]
        self._starts = [cue.start for cue in self.found]

    def of(self, start: int, end: int) -> Announced:
        """What announces the value at `start:end`: the nearest cue on its left, or one on its right that points back."""
        left = self._left(start)
        if left.strict:
            return left
        right = self._right(start, end)
        return right if right.kind is not Cue.NONE else left

    def _left(self, start: int) -> Announced:
        at = bisect_left(self._ends, start + 1) - 1
        if at < 0:
            return NOTHING
        cue = self.found[at]
        gap = self._text[cue.end : start]
        if len(gap) > MAX_GAP * 2 or cue.kind is Cue.NONE:
            return NOTHING
        strict = _LINK.fullmatch(gap) is not None
        if not strict and (len(gap) > MAX_GAP or _STOP.search(gap)):
            return NOTHING
        tail = _HAS_TAIL.search(gap) is not None or _tail_before(self._text, cue.start)
        return Announced(cue.kind, strict, tail)

    def _right(self, start: int, end: int) -> Announced:
        at = bisect_left(self._starts, end)
        if at >= len(self.found) or self.found[at].start - end > MAX_GAP:
            return NOTHING
        kind = self.found[at].kind
        gap = self._text[end : self.found[at].start]
        if kind in {Cue.NONE, Cue.OTHER}:
            return NOTHING
        if _TAIL_LEADS.search(self._text[max(0, start - 24) : start]) and _TAIL_BACK.fullmatch(gap):
            return Announced(kind, strict=True, tail=True)
        m = _BACK.fullmatch(gap)
        if not m or not (m["tail"] or m["link"]):
            return NOTHING
        return Announced(kind, strict=True, tail=bool(m["tail"]))


@once
def cues_of(text: str) -> Cues:
    """The cues of a window, found once for all detectors."""
    return Cues(text)


def link_end(text: str, start: int) -> int:
    """Where the linking words (':', 'is', '改成', a speaker's turn, …) that begin at `start` end."""
    m = _LINK.match(text, start)
    return m.end() if m else start


def _tail_before(text: str, start: int) -> bool:
    """'last four of' stands before the cue itself."""
    return _TAIL_BEFORE.search(text[max(0, start - 40) : start]) is not None


def found_in(text: str) -> tuple[Found, ...]:
    """All cues of `text` (lower case), the longest where several begin together; none inside another."""
    english, chinese, kinds = _lexicon()
    raw = [(m.start(), -m.end(), kinds[_key(m[1])]) for m in english.finditer(text)]
    if not text.isascii():
        raw += [(m.start(), -m.end(), kinds[_key(m[0])]) for m in chinese.finditer(text)]
        raw.sort()
    kept: list[Found] = []
    for start, end, kind in raw:
        if not kept or start >= kept[-1].end:
            kept.append(Found(kind, start, -end))
    return tuple(kept)


_SEPARATORS = re.compile(r"[\s_.\-]+")


def _key(word: str) -> str:
    return _SEPARATORS.sub("", word)


@lru_cache(maxsize=1)
def _lexicon() -> tuple[re.Pattern[str], re.Pattern[str], dict[str, Cue]]:
    kinds: dict[str, Cue] = {}
    words = {"en": [], "zh": []}  # type: dict[str, list[str]]
    for cue, line in ENGLISH.items():
        words["en"] += [w.strip() for w in line.replace("\n", " ").split("|")]
        kinds |= {_key(w): cue for w in words["en"] if _key(w) not in kinds}
    for cue, line in CHINESE.items():
        words["zh"] += line.lower().split()
        kinds |= {_key(w): cue for w in words["zh"] if _key(w) not in kinds}
    english = re.compile(rf"(?<![a-z])({trie(words['en'])})(?:'?s)?(?![a-z])")
    return english, re.compile(trie(words["zh"])), kinds
