"""Digit runs: where they stand, how they are grouped, what is masked in them, and what they are.

A run is a maximal stretch of digits (and mask characters) with separators between them. It is judged whole, then by
stretches of one separator, then by well-known groupings, then group by group; never by a window inside a group, since
one number in ten passes Luhn.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from pipeline.memo import lazy
from pipeline.reasons import Reason
from pipeline.sensitive.checks import ISSUERS, luhn, without_codes
from pipeline.sensitive.cues import Cues, cues_of, link_end
from pipeline.sensitive.finding import Hit
from pipeline.sensitive.lexicon import Cue
from pipeline.sensitive.numbers import by_cue, by_shape

_RUN = re.compile(r"[+(]{0,2}[0-9*#x]+(?:[ \-.,/、·_()|~\n>]{1,3}[0-9*#x]+)*")
_GROUP = re.compile(r"[0-9*#x]+")
_GROUPINGS = re.compile(
    "4444[1-3]?|465|464|444(?!4)|1334|334|244|344|324|3332|6[78]4?|666|624|14521|1222332|222222|22222|3442|552?|54|45|38|48|47|37"
)
"""Groupings that are numbers of their own in a longer run, as lengths (a character a group)."""


@dataclass(frozen=True, kw_only=True)
class Segment:
    """Neighbouring groups of a run, to be judged as one number. Offsets in the text; `lens` are the groups' lengths."""

    text: str = field(repr=False)
    start: int
    end: int
    digits: str = field(repr=False)
    lens: tuple[int, ...]
    seps: tuple[str, ...]
    lead: str

    @lazy
    def masked(self) -> bool:
        return "*" in self.digits

    @lazy
    def real(self) -> int:
        return len(self.digits) - self.digits.count("*")

    @lazy
    def coded(self) -> bool:
        """Part of an alphanumeric code: 'SO-2026', 'abc123', '12ab'."""
        return _CODED.search(self.text[max(0, self.start - 3) : self.start]) is not None or self.embedded

    @lazy
    def embedded(self) -> bool:
        """Glued to a Latin letter."""
        after = self.text[self.end : self.end + 1]
        before = self.text[self.start - 1 : self.start]
        return _is_letter(after) or _is_letter(before)

    @lazy
    def decimal(self) -> bool:
        """Digits of a longer decimal number: 1.5, 12,50. A comma behind or before a long number parts a list."""
        before = _DECIMAL_BEFORE.search(self.text[max(0, self.start - 2) : self.start])
        after = _DECIMAL_AFTER.match(self.text, self.end)
        size = len(self.digits)
        return bool((before and (before[1] == "." or size <= 3)) or (after and (after[1] or size <= 8)))


_CODED = re.compile(r"[a-z][\-_/#]?$")
_DECIMAL_BEFORE = re.compile(r"[0-9]([.,])$")
_DECIMAL_AFTER = re.compile(r"(\.)[0-9]|,[0-9]{1,3}(?![0-9])")


def _is_letter(char: str) -> bool:
    return "a" <= char <= "z" if char else False


def numbers_in(text: str) -> list[Hit]:
    """All sensitive numbers of `text` (a view, lower case)."""
    text = without_codes(text)
    if not any(c in text for c in "0123456789"):
        return []
    cues = cues_of(text)
    hits: list[Hit] = []
    for run in _RUN.finditer(text):
        if run.end() - run.start() >= _LEAST:
            hits += _judged_run(text, run, cues)
    return hits + _misread(text, cues) + _misread_cards(text)


_MISREAD = re.compile(r"(?:[0-9lioqszb|!](?:[ .\-](?=[0-9lioqszb|!]))?){9,23}(?![a-z0-9])")
_MISREAD_KINDS: dict[Cue, tuple[Reason, int]] = {
    Cue.CARD: (Reason.PAYMENT_CARD, 12),
    Cue.BRAND: (Reason.PAYMENT_CARD, 12),
    Cue.PHONE: (Reason.PHONE, 10),
    Cue.CN_ID: (Reason.GOVERNMENT_ID, 15),
    Cue.SSN: (Reason.GOVERNMENT_ID, 9),
    Cue.BANK: (Reason.BANK_ACCOUNT, 9),
}
"""What an announced number of letters for digits ('4l11 llll') is, and its least length."""


def _misread(text: str, cues: Cues) -> list[Hit]:
    hits = []
    for cue in cues.found:
        if cue.kind not in _MISREAD_KINDS:
            continue
        reason, least = _MISREAD_KINDS[cue.kind]
        m = _MISREAD.match(text, link_end(text, cue.end))
        size = sum(c not in " .-" for c in m[0]) if m else 0
        if m and size >= least and sum(c.isdigit() for c in m[0]) * 3 >= size:
            hits.append(Hit(reason, *m.span()))
    return hits


_FOUR = r"[0-9lioqszb|!]{4}"
_MISREAD_CARD = re.compile(
    rf"(?<![a-z0-9])(?:{_FOUR}(?P<sep>[ \-.]?)(?:{_FOUR}(?P=sep)){{2}}[0-9lioqszb|!]{{3,4}})(?![a-z0-9])"
)
_READINGS = (str.maketrans("lioqszb|!", "110052811"), str.maketrans("lioqszb|!", "110052611"))
"""b is read as 8 or as 6."""


def _misread_cards(text: str) -> list[Hit]:
    """'4OI2-8888-8888-I88I': groups of four with letters for digits, whose issuer and check digit fit."""
    return [Hit(Reason.PAYMENT_CARD, *m.span()) for m in _MISREAD_CARD.finditer(text) if _reads_as_card(m[0])]


def _reads_as_card(found: str) -> bool:
    written = re.sub(r"[ \-.]", "", found)
    if written.isdigit() or sum(c.isdigit() for c in written) < 4:
        return False
    readings = {written.translate(table) for table in _READINGS}
    return any(luhn(digits) and ISSUERS.match(digits) for digits in readings)


_LEAST = 3
"""Characters of the shortest number that can mean anything."""


def _judged_run(text: str, run: re.Match[str], cues: Cues) -> list[Hit]:
    hits = []
    for groups in _lines(text, _groups(text, run)):
        last: list[Hit] = []
        for part in _listed(text, groups):
            found = _judged_groups(text, run.start(), part, cues) or _carried_on(text, last, part)
            hits += found
            last = found
    return hits


Group = tuple[int, int, str]
_LIST_MARK = re.compile(r"[,、/]")
_WHOLE_NUMBER = 7
"""Digits from which a part between commas is a number of its own, and no group of one."""


def _listed(text: str, groups: list[Group]) -> list[list[Group]]:
    """The numbers of a list ('010-67013036, 010-67028866'), each by itself; anything else whole."""
    parts: list[list[Group]] = []
    for group in groups:
        if parts and not _LIST_MARK.search(text, parts[-1][-1][1], group[0]):
            parts[-1].append(group)
        else:
            parts.append([group])
    long = all(sum(len(digits) for _, _, digits in part) >= _WHOLE_NUMBER for part in parts)
    return parts if long else [groups]


def _carried_on(text: str, last: list[Hit], part: list[Group]) -> list[Hit]:
    """What follows a found number in a list and is as long as it, or as its last group, is one more of the kind."""
    if not last:
        return []
    size = sum(len(digits) for _, _, digits in part)
    before = [len(digits) for digits in _DIGITS.findall(text, last[-1].start, last[-1].end)]
    like = size in {sum(before), before[-1] if before else 0}
    return [Hit(last[-1].reason, part[0][0], part[-1][1])] if like else []


_DIGITS = re.compile("[0-9]+")
_ITEM = re.compile(r"[.)、] ?")


def _lines(text: str, groups: list[Group]) -> Iterator[list[Group]]:
    """Cut where the next line is no continuation: a numbered item ('3. Mastercard'), or a mask alone ('***')."""
    part: list[Group] = []
    for group in groups:
        if part and "\n" in text[part[-1][1] : group[0]] and _new_line(text, group, part[-1]):
            yield part
            part = []
        part.append(group)
    if part:
        yield part


def _new_line(text: str, group: Group, last: Group) -> bool:
    item = len(group[2]) <= 2 and _ITEM.match(text, group[1]) is not None
    return item or not _has_digit(group[2]) or not _has_digit(last[2])


def _judged_groups(text: str, run_start: int, groups: list[Group], cues: Cues) -> list[Hit]:
    if not any(_has_digit(g) for _, _, g in groups):
        return []
    taken: list[Hit] = []
    for left, right in _stretches(text, groups):
        start, end = groups[left][0], groups[right - 1][1]
        if any(hit.start < end and start < hit.end for hit in taken):
            continue
        segment = _segment(text, groups[left:right], run_start)
        reason = _reason(segment, cues)
        if reason:
            taken.append(Hit(reason, segment.start - len(segment.lead), end))
    return taken


def _reason(segment: Segment, cues: Cues) -> Reason | None:
    cue = cues.of(segment.start - len(segment.lead), segment.end)
    if segment.embedded and not cue.strict:
        return None
    return by_cue(segment, cue) or by_shape(segment, cue)


def _groups(text: str, run: re.Match[str]) -> list[Group]:
    """(start, end, digits) of each group; digits has * for what is masked, and a final x of an id as x."""
    found = []
    for m in _GROUP.finditer(text, run.start(), run.end()):
        start, end, group = _unmasked(text, m)
        if group:
            found.append((start, end, group))
    while found and not (_has_digit(found[-1][2]) or len(found[-1][2]) > 1):
        found.pop()
    while found and not (_has_digit(found[0][2]) or len(found[0][2]) > 1):
        found.pop(0)
    return found if any(_has_digit(g) for _, _, g in found) else []


def _has_digit(group: str) -> bool:
    return any(c.isdigit() for c in group)


_LAST_FOUR = re.compile(r"[x#*][0-9]{4}")
_BOLD = re.compile(r"\*\*([0-9]+)(?:\*\*)?|([0-9]+)\*\*")


def _unmasked(text: str, m: re.Match[str]) -> Group:
    """The group with its masks as *; '' where it is none: Markdown's bold, a word's letters ('max 5', '1920x1080')."""
    start, end = m.span()
    if not m[0].strip("#") or m[0] == "**":
        return start, end, ""
    bold = _BOLD.fullmatch(m[0])
    if bold:
        return *_bold_span(m, bold), bold[1] or bold[2]
    group = m[0].replace("#", "*")
    if _LAST_FOUR.fullmatch(m[0]) and not _is_letter(text[start - 1 : start]):
        return start, end, "*" + m[0][-4:]
    return start, end, _without_letters(text, start, end, group) if "x" in group else group


def _bold_span(m: re.Match[str], bold: re.Match[str]) -> tuple[int, int]:
    left, right = bold.span(1) if bold[1] else bold.span(2)
    return m.start() + left, m.start() + right


def _without_letters(text: str, start: int, end: int, group: str) -> str:
    """x as a mask where it stands in runs, as the last place of an id after digits, and else as part of a word."""
    before, after = text[start - 1 : start], text[end : end + 1]
    if _is_letter(after) or (_is_letter(before) and group[0] == "x"):
        return ""
    if re.fullmatch(r"[0-9]+\**x|[0-9]+\*{4,}[0-9]{0,3}x", group) and len(group) >= 4:
        return group
    return group.replace("x", "*") if "xx" in group or group.strip("x*") == "" else ""


def _stretches(text: str, groups: list[tuple[int, int, str]]) -> Iterator[tuple[int, int]]:
    """Index ranges of groups to judge as one number, the likeliest first."""
    count = len(groups)
    yield 0, count
    if count == 1:
        return
    yield from _uniform(text, groups)
    lens = "".join(chr(48 + min(len(g), 60)) for _, _, g in groups)
    for m in _GROUPINGS.finditer(lens):
        if m.span() != (0, count):
            yield m.span()
    for i, (_, _, group) in enumerate(groups):
        if len(group) >= 6 or "*" in group:
            yield i, i + 1


def _uniform(text: str, groups: list[Group]) -> Iterator[tuple[int, int]]:
    """Index ranges of at least two groups between which always the same separator stands."""
    seps = [text[left[1] : right[0]].strip(" ") or " " for left, right in pairwise(groups)]
    at = 0
    for i in range(1, len(seps) + 1):
        if i == len(seps) or seps[i] != seps[at]:
            if (at, i) != (0, len(seps)):
                yield at, i + 1
            at = i


def _segment(text: str, groups: list[tuple[int, int, str]], run_start: int) -> Segment:
    start, end = groups[0][0], groups[-1][1]
    lead = ""
    while start - len(lead) > run_start and text[start - len(lead) - 1] in "+(":
        lead = text[start - len(lead) - 1] + lead
    return Segment(
        text=text,
        start=start,
        end=end,
        digits="".join(g for _, _, g in groups),
        lens=tuple(len(g) for _, _, g in groups),
        seps=tuple(text[a[1] : b[0]] for a, b in pairwise(groups)),
        lead=lead,
    )
