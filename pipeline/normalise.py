"""One plain view of a text, with a map back to the original.

Whoever hides a number writes it in other digits, other scripts, with invisible characters, escaped, spelled out or cut
over lines and speaker turns. `normalised` undoes what is only writing (escapes, NFKC, look-alikes, invisible
characters, spaced-out letters); `spoken` turns numerals and number words into digits; `joined` brings together what
one speaker says over several turns. Each is a View whose every character knows where it came from.
"""

import html
import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from urllib.parse import unquote_to_bytes

from pipeline.lookalikes import (
    CN_DIGITS,
    EN_DIGITS,
    EN_REPEATS,
    EN_TENS,
    HOMOGLYPHS,
    LATIN,
    LEET,
    LEET_WORDS,
    MARKS,
    TRADITIONAL,
    TWINS,
)
from pipeline.memo import lazy, once

HAN = "\u3400-\u4dbf\u4e00-\u9fff"


@dataclass(frozen=True)
class View:
    """Readable text. `starts[i]`, `ends[i]` are where character i stands in the original; None: it is the original."""

    text: str = field(repr=False)
    starts: tuple[int, ...] | None = field(default=None, repr=False)
    ends: tuple[int, ...] | None = field(default=None, repr=False)

    @lazy
    def lower(self) -> str:
        """The text in lower case, character by character, so that offsets hold."""
        lowered = self.text.lower()
        if len(lowered) == len(self.text):
            return lowered
        return "".join(c.lower() if len(c.lower()) == 1 else c for c in self.text)

    def origin(self, start: int, end: int) -> tuple[int, int]:
        """Offsets in the original (end exclusive) of what stands at `start:end` here, which must not be empty."""
        if self.starts is None or self.ends is None:
            return start, end
        return min(self.starts[start:end]), max(self.ends[start:end])

    def pieces(self, start: int, end: int) -> tuple[tuple[int, int], ...]:
        """Like `origin`, but where the view jumps to another line of the original, one pair a stretch."""
        if self.starts is None or self.ends is None:
            return ((start, end),)
        found: list[tuple[int, int]] = []
        for at in range(start, end):
            left, right = self.starts[at], self.ends[at]
            if found and found[-1][0] <= left <= found[-1][1] + _SMALL_GAP:
                found[-1] = (found[-1][0], max(found[-1][1], right))
            else:
                found.append((left, right))
        return tuple(found)

    def replaced(self, edits: Iterable[tuple[int, int, str]]) -> "View":
        """A view with each `start:end` (ascending, disjoint) replaced; what is put there points at all of it."""
        edits = list(edits)
        if not edits:
            return self
        starts, ends = self._maps()
        texts: list[str] = []
        new_starts: list[int] = []
        new_ends: list[int] = []
        at = 0
        for left, right, put in [*edits, (len(self.text), len(self.text), "")]:
            texts += self.text[at:left], put
            new_starts += starts[at:left]
            new_ends += ends[at:left]
            if put:
                new_starts += [starts[left]] * len(put)
                new_ends += [ends[right - 1]] * len(put)
            at = right
        return View("".join(texts), tuple(new_starts), tuple(new_ends))

    def around_new(self, before: "View", reach: int) -> list[tuple[int, int]]:
        """Disjoint stretches of this view within `reach` of a digit that `before`, from which it was made, had not."""
        there = before._maps()[0]
        old = {there[i] for i, c in enumerate(before.text) if c.isdigit()}
        starts = self._maps()[0]
        found: list[tuple[int, int]] = []
        for at, char in enumerate(self.text):
            if char.isdigit() and starts[at] not in old:
                left, right = max(0, at - reach), min(len(self.text), at + reach)
                if found and left <= found[-1][1]:
                    left = found.pop()[0]
                found.append((left, right))
        return found

    def _maps(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        if self.starts is not None and self.ends is not None:
            return self.starts, self.ends
        return tuple(range(len(self.text))), tuple(range(1, len(self.text) + 1))


_SMALL_GAP = 3
"""Characters (invisible ones, mostly) that may lie between two neighbours of a view without being a jump."""


def normalised(text: str) -> View:
    """What a reader sees in `text`: escapes decoded, NFKC, ASCII digits and punctuation, no invisible characters."""
    view = _folded(_unescaped(View(text)))
    view = _folded(_unescaped(view))
    view = view.replaced(_homoglyphs(view.text))
    view = view.replaced((*m.span(), m[1] or "") for m in _WIDE.finditer(view.text))
    view = view.replaced(_tight_han(view.text))
    view = view.replaced(_spaced_letters(view.text))
    return view.replaced(_leet(view.text))


class _Folds(dict[int, str]):
    """What `str.translate` puts for a character, worked out when it is first met."""

    def __missing__(self, code: int) -> str:
        self[code] = folded = _fold(chr(code))
        return folded


_FOLDS = _Folds()


def plain(text: str) -> str:
    """The text of `normalised(text)` in lower case, without the way back: for gates that need no offsets."""
    for _ in range(2):
        text = (_unescaped(View(text)).text if _ESCAPED.search(text) else text).translate(_FOLDS)
    for edits in (_homoglyphs, _tight_han, _spaced_letters, _leet):
        text = _edited(text, edits(text))
    return text.lower()


_ESCAPED = re.compile(r"&[#a-zA-Z]|%[0-9a-fA-F]{2}|\\[ux]")


def _edited(text: str, edits: Iterable[tuple[int, int, str]]) -> str:
    parts: list[str] = []
    at = 0
    for left, right, put in edits:
        parts += text[at:left], put
        at = right
    return "".join((*parts, text[at:])) if parts else text


# --- escapes --------------------------------------------------------------------------------------------------------

_ESCAPE = re.compile(
    r"&(?:amp;)*(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z]{2,31}[0-9]{0,2});"
    r"|(?:%[0-9a-fA-F]{2}){1,400}|\\u\{?[0-9a-fA-F]{4,6}\}?|\\x[0-9a-fA-F]{2}"
)


def _unescaped(view: View) -> View:
    if "&" not in view.text and "%" not in view.text and "\\" not in view.text:
        return view
    for _ in range(2):
        edits = [(*m.span(), put) for m in _ESCAPE.finditer(view.text) if (put := _decoded(m[0])) != m[0]]
        if not edits:
            break
        view = view.replaced(edits)
    return view


def _decoded(escape: str) -> str:
    if escape[0] == "&":
        return html.unescape(re.sub(r"^&(?:amp;)+", "&", escape))
    if escape[0] == "%":
        return unquote_to_bytes(escape).decode("utf-8", "replace").replace("\ufffd", "")
    code = int(escape[2:].strip("{}"), 16)
    return chr(code) if code < 0x110000 and not 0xD800 <= code < 0xE000 else ""


# --- characters -----------------------------------------------------------------------------------------------------

_NOT_PLAIN = re.compile(r"[^\n -~]")


def _folded(view: View) -> View:
    edits = [(*m.span(), put) for m in _NOT_PLAIN.finditer(view.text) if (put := _fold(m[0])) != m[0]]
    return view.replaced(edits)


@lru_cache(maxsize=8192)
def _fold(char: str) -> str:
    """One character as what it is read as: '' where nothing is seen."""
    if char == "\n":
        return char
    if char in MARKS:
        return MARKS[char]
    digit = unicodedata.digit(char, None)
    if digit is not None:
        return str(digit)
    if 0x1F1E6 <= ord(char) <= 0x1F1FF:
        return chr(ord("a") + ord(char) - 0x1F1E6)
    if 0x1F150 <= ord(char) <= 0x1F189:
        return chr(ord("A") + (ord(char) - 0x1F150) % 32)
    if "\u3040" <= char <= "\u30ff" or "\uac00" <= char <= "\ud7a3":
        return char
    return "".join(_seen(c) for c in unicodedata.normalize("NFD", unicodedata.normalize("NFKC", char)))


_READ_SYMBOLS = frozenset("°^`")
"""Symbols that say something; an emoji or an arrow between digits is a gap."""


def _seen(char: str) -> str:
    if char in MARKS:
        return MARKS[char]
    kind = unicodedata.category(char)
    if kind in {"Mn", "Me", "Cf", "Cc", "Cs"}:
        return "\n" if char == "\n" else ""
    if kind == "Zs" or (kind in {"So", "Sk"} and char not in _READ_SYMBOLS):
        return " "
    if kind == "Pd":
        return "-"
    return LATIN.get(char, TRADITIONAL.get(char, char))


_MIXED = re.compile(
    r"[A-Za-z0-9_]*[\u0370-\u052f\u0531-\u058f\ua4d0-\ua4ff][A-Za-z0-9_\u0370-\u052f\u0531-\u058f\ua4d0-\ua4ff]*"
)


_OTHER_SCRIPT = re.compile(r"[\u0370-\u052f\u0531-\u058f\ua4d0-\ua4ff]")


def _homoglyphs(text: str) -> list[tuple[int, int, str]]:
    """Words of other scripts that are meant to read as Latin: mixed ones, and those made of look-alikes alone."""
    if not _OTHER_SCRIPT.search(text):
        return []
    edits = []
    for m in _MIXED.finditer(text):
        word = m[0]
        if any(c.isascii() and c.isalnum() for c in word) or all(c in TWINS for c in word):
            edits += [(m.start() + i, m.start() + i + 1, HOMOGLYPHS[c]) for i, c in enumerate(word) if c in HOMOGLYPHS]
    return edits


_WIDE = re.compile(r"^ +| +$|( ) +", re.MULTILINE)
"""Blanks at the ends of a line, which are dropped, and several in a row, which become one."""
_MAILBOX = re.compile(r"[^\s@]{0,40}@")
_HAN_GAP = re.compile(rf"(?<=[{HAN}])[ .\-_*·|~+]{{1,2}}(?=[{HAN}])")


def _tight_han(text: str) -> list[tuple[int, int, str]]:
    """'身 份 证' and '密-码' as words. Chinese is written without spaces, so nothing is lost."""
    if text.isascii():
        return []
    return [(*m.span(), "") for m in _HAN_GAP.finditer(text) if "." not in m[0] or not _in_mailbox(text, m)]


def _in_mailbox(text: str, dot: re.Match[str]) -> bool:
    """'张.三@…', '…@例子.公司' are words already."""
    before = text[max(0, dot.start() - 40) : dot.start()].rsplit(maxsplit=1)[-1]
    return "@" in before or _MAILBOX.match(text, dot.end()) is not None


_SPACED_HINT = re.compile(r"[ ._\-*·][A-Za-z0-9][ ._\-*·]{1,2}[A-Za-z0-9](?![A-Za-z0-9])")
_SPACED = re.compile(r"(?<![A-Za-z0-9])(?:[A-Za-z][ ._\-*·]{1,2}){2,40}[A-Za-z](?![A-Za-z0-9])")
_SPACED_CODE = re.compile(r"(?<![A-Za-z0-9])(?:[A-Za-z0-9] ){7,70}[A-Za-z0-9](?![A-Za-z0-9])")
_SPACED_SEPS = re.compile(r"[^A-Za-z0-9]+")


def _spaced_letters(text: str) -> list[tuple[int, int, str]]:
    """'p a s s w o r d' and 'p.i.n' as words."""
    if not _SPACED_HINT.search(text):
        return []
    codes = [
        (*m.span(), m[0].replace(" ", ""))
        for m in _SPACED_CODE.finditer(text)
        if sum(char.isalpha() for char in m[0]) >= 3
    ]
    words = [(*m.span(), _SPACED_SEPS.sub("", m[0])) for m in _SPACED.finditer(text)]
    return _disjoint(sorted([*codes, *words], key=lambda edit: (edit[0], -edit[1])))


_LEET = re.compile(r"(?<![A-Za-z0-9@$!|.])[A-Za-z@$!|013457]{3,12}(?![A-Za-z0-9@$|])")

_LEET_SIGN = re.compile(r"[013457@$!|]+")
_LEET_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ@$!|013457")


def _leet(text: str) -> list[tuple[int, int, str]]:
    edits: dict[int, tuple[int, int, str]] = {}
    for sign in _LEET_SIGN.finditer(text):
        start = sign.start()
        while start > 0 and sign.start() - start < 12 and text[start - 1] in _LEET_LETTERS:
            start -= 1
        m = _LEET.match(text, start)
        plain = _plain_word(m[0].rstrip("!").lower()) if m and not m[0].isdigit() else ""
        if plain:
            edits[start] = (start, start + len(plain), plain)
    return list(edits.values())


def _plain_word(word: str) -> str:
    """The word that `word` spells with digits and signs for letters, or ''. 1 is read as l or as i."""
    for one in "li":
        plain = "".join(one if c in "1!" else LEET.get(c, c) for c in word)
        if plain in LEET_WORDS and plain != word:
            return plain
    return ""


# --- numerals -------------------------------------------------------------------------------------------------------

_N = "".join(CN_DIGITS)
_ANY_CN = re.compile(rf"[{_N}十]")
_CN_RUN = re.compile(rf"[{_N}0-9](?:(?:[ ,、,.\-·/\n]{{0,2}}|点)[{_N}0-9])+")
_CN_DATE = re.compile(rf"(?<![{_N}十百千万])([{_N}]?十[{_N}]?|[{_N}]{{1,2}})(?=\s?[年月日号岁])")
_WORD = "|".join(sorted([*EN_DIGITS, *EN_TENS, *EN_REPEATS], key=len, reverse=True))
_EN_RUN = re.compile(
    rf"(?<![A-Za-z0-9])(?:{_WORD}|[0-9]+)(?:[ ,.\-\n/]{{1,3}}(?:{_WORD}|[0-9]+)(?![A-Za-z0-9]))+", re.IGNORECASE
)
_EN_ONE = re.compile(rf"{_WORD}|[0-9]+", re.IGNORECASE)
_POINT = re.compile(r"(?<=[0-9])\s?(?:点|dot|point)\s?(?=[0-9])", re.IGNORECASE)
_DASH = re.compile(r"(?<=[0-9])\s?(?:中?横?杠|横线|dash|hyphen)\s?(?=[0-9])", re.IGNORECASE)


def spoken(view: View) -> View:
    """The view with numerals and number words as digits: 五一零 and 'five one zero' read 510. Itself if it has none."""
    result = view
    if not view.text.isascii():
        result = result.replaced(_cn_numerals(result.text))
    result = result.replaced(_en_numerals(result.lower))
    if result is view:
        return view
    result = result.replaced((*m.span(), ".") for m in _POINT.finditer(result.text))
    return result.replaced((*m.span(), "-") for m in _DASH.finditer(result.text))


def _cn_numerals(text: str) -> list[tuple[int, int, str]]:
    edits: dict[int, tuple[int, int, str]] = {}
    if not _ANY_CN.search(text):
        return []
    for m in _CN_DATE.finditer(text):
        edits[m.start()] = (*m.span(1), _ten(m[1]))
    for m in _CN_RUN.finditer(text):
        numerals = sum(c in CN_DIGITS for c in m[0])
        if numerals and sum(c.isdigit() or c in CN_DIGITS for c in m[0]) >= 3:
            for i, c in enumerate(m[0]):
                if c in CN_DIGITS and not c.isdigit():
                    edits.setdefault(m.start() + i, (m.start() + i, m.start() + i + 1, CN_DIGITS[c]))
    return _disjoint(sorted(edits.values()))


def _ten(numeral: str) -> str:
    left, has_ten, right = numeral.partition("十")
    if not has_ten:
        return "".join(CN_DIGITS[c] for c in numeral)
    return CN_DIGITS.get(left, "1") + CN_DIGITS.get(right, "0")


def _disjoint(edits: list[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    kept: list[tuple[int, int, str]] = []
    for edit in edits:
        if not kept or kept[-1][1] <= edit[0]:
            kept.append(edit)
    return kept


def _en_numerals(text: str) -> list[tuple[int, int, str]]:
    edits = []
    for m in _in_number_words(text):
        tokens = [(t.start() + m.start(), t.end() + m.start(), t[0]) for t in _EN_ONE.finditer(m[0])]
        if sum(not t[2].isdigit() for t in tokens) >= 2 and len(tokens) >= 3:
            edits += _en_digits(tokens)
    return _disjoint(sorted(edits))


_LEAD_WORDS = (
    "oh",
    *(word for word in (*EN_DIGITS, *EN_TENS, *EN_REPEATS) if len(word) > 2 and not word.endswith("teen")),
)


def _in_number_words(text: str) -> Iterator[re.Match[str]]:
    """Runs of number words, looked for only where a line has two of them: most lines have none."""
    present = [word for word in _LEAD_WORDS if word in text]
    start = 0
    for line in text.splitlines(keepends=True) if present else ():
        if sum(line.count(word) for word in present) > 1:
            yield from _EN_RUN.finditer(text, start, min(len(text), start + len(line) + 200))
        start += len(line)


def _en_digits(tokens: list[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    edits: list[tuple[int, int, str]] = []
    repeat, at = 1, 0
    for i, (start, end, word) in enumerate(tokens):
        if word in EN_REPEATS and i + 1 < len(tokens):
            repeat, at = EN_REPEATS[word], start
            continue
        follows = i + 1 < len(tokens) and len(EN_DIGITS.get(tokens[i + 1][2], "10")) == 1 and tokens[i + 1][2] != "oh"
        digits = EN_DIGITS.get(word) or (EN_TENS[word] + ("" if follows else "0") if word in EN_TENS else word)
        if not word.isdigit() or repeat > 1:
            edits.append((at if repeat > 1 else start, end, digits * repeat))
        repeat = 1
    return edits


# --- speaker turns --------------------------------------------------------------------------------------------------

SPEAKERS = (
    "customer|client|user|caller|visitor|buyer|guest|me|agent|bot|support|rep|operator|advisor|assistant|system"
    "|客户|用户|顾客|买家|访客|来电者|客服|坐席|座席|机器人|我|商家|卖家|助手|系统|专员"
)
TURN = re.compile(rf"^[> \t\u3000]*(?:[{HAN}]{{1,4}}?:?)?({SPEAKERS})(?:\s?[0-9A-Za-z]{{1,2}})?\s?:\s?", re.MULTILINE)


@once
def turns_of(text: str) -> tuple[re.Match[str], ...]:
    """The labels with which the turns of a conversation (lower case) begin; group 1 is the speaker."""
    return tuple(TURN.finditer(text))


_SEAM = 160
"""Characters of a turn that are read together with the same speaker's next one."""
_OPEN_END = re.compile(r"[0-9*@][^0-9a-z]{0,6}$")
_OPEN_START = re.compile(r"[^0-9\n]{0,14}[0-9*@]")


_BREAK = (0, 0)


def joined(view: View) -> View | None:
    """Where a number may go on in the same speaker's next turn, of a conversation with labels; None: nowhere."""
    turns = turns_of(view.lower)
    if len(turns) < 2:
        return None
    ends = [turn.start() for turn in turns[1:]] + [len(view.text)]
    open_chains: dict[str, list[tuple[int, int]]] = {}
    chains: list[list[tuple[int, int]]] = []
    for turn, end in zip(turns, ends, strict=True):
        chain = open_chains.get(turn[1])
        if chain and _open(view.lower, chain[-1], (turn.end(), end)):
            chain.append((turn.end(), end))
            continue
        open_chains[turn[1]] = [(turn.end(), end)]
        chains.append(open_chains[turn[1]])
    pieces = [piece for chain in chains if len(chain) > 1 for piece in [*_seams(chain), _BREAK]]
    return _arranged(view, pieces) if pieces else None


def _seams(chain: list[tuple[int, int]]) -> list[tuple[int, int]]:
    (left, right), (start, end) = chain[0], chain[-1]
    return [(max(left, right - _SEAM), right), *chain[1:-1], (start, min(end, start + _SEAM))]


def _open(text: str, last: tuple[int, int], here: tuple[int, int]) -> bool:
    """The turn before ends in a number and this one begins with one."""
    ends = _OPEN_END.search(text, max(last[0], last[1] - 12), last[1])
    return ends is not None and _OPEN_START.match(text, here[0], here[1]) is not None


def _arranged(view: View, spans: list[tuple[int, int]]) -> View:
    """The stretches in that order; (0, 0) is a break that nothing reads across."""
    starts, ends = view._maps()
    texts: list[str] = []
    new_starts: list[int] = []
    new_ends: list[int] = []
    for left, right in spans:
        put = view.text[left:right] if right else " ;;; "
        texts.append(put)
        at = new_ends[-1] if new_ends else 0
        new_starts += starts[left:right] if right else [at] * len(put)
        new_ends += ends[left:right] if right else [at] * len(put)
    return View("".join(texts), tuple(new_starts), tuple(new_ends))
