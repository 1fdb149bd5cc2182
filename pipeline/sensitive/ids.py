"""Identity documents and plates with letters in them: by the word that announces them, and by their own shape.

Numbers of bare digits are in `digits`. Shapes: HKSAR and Macau identity cards, HMRC NINO, Indian PAN, DVLA licence,
Mexican CURP, Italian codice fiscale, US MBI (CMS), ICAO 9303 machine-readable zones, Chinese plates (GA 36-2018).
"""
# ruff: noqa: E501, SIM905 (rows of words and patterns read best one a line)

import re
from collections.abc import Iterator

from pipeline.reasons import Reason
from pipeline.sensitive.checks import without_codes
from pipeline.sensitive.cues import Cues, cues_of, link_end
from pipeline.sensitive.finding import Hit
from pipeline.sensitive.lexicon import Cue
from pipeline.sensitive.nearby import STRETCH, near_matches, near_pattern

_START, _END = r"(?<![a-z0-9])", r"(?![a-z0-9])"

ID_PATTERNS: dict[Reason, dict[str, str]] = {
    Reason.GOVERNMENT_ID: {
        "hkid": rf"{_START}[a-z]{{1,2}}[0-9*x]{{6}}\s?\([0-9a*]\)",
        "macau": r"(?<![0-9/])[1578](?:[0-9]{6}\s?\([0-9]\)|/[0-9]{6}/[0-9])(?![0-9/])",
        "curp": rf"{_START}[a-z]{{4}}[0-9]{{6}}[hmx][a-z]{{5}}[0-9a-z][0-9]{_END}",
        "codice_fiscale": rf"{_START}[a-z]{{6}}[0-9]{{2}}[a-ehlmprst][0-9]{{2}}[a-z][0-9]{{3}}[a-z]{_END}",
        "mbi": rf"{_START}[1-9][ac-hj-np-rt-y][0-9ac-hj-np-rt-y][0-9]-[ac-hj-np-rt-y][0-9ac-hj-np-rt-y][0-9]-[ac-hj-np-rt-y]{{2}}[0-9]{{2}}{_END}",
        "nie": rf"{_START}[xyz]-?[0-9]{{7}}-?[a-hj-np-tv-z]{_END}",
        "dni": rf"{_START}[0-9]{{8}}-[a-hj-np-tv-z]{_END}",
        "hetu": rf"{_START}[0-3][0-9][01][0-9]{{3}}[-+a][0-9]{{3}}[0-9a-fhj-npr-y]{_END}",
        "rfc_person": rf"{_START}[a-z]{{4}}[0-9]{{2}}(?:0[1-9]|1[0-2])(?:[0-2][0-9]|3[01])[a-z0-9]{{2}}[0-9a]{_END}",
    },
    Reason.PASSPORT: {
        "mrz": r"(?<![a-z0-9])[piacv][a-z<][a-z<]{3}[a-z]{1,30}<[a-z<]{5,40}(?:\s{1,3}[a-z0-9<]{9}[0-9][a-z<]{3}[0-9]{7}[mfx<][0-9]{7}[a-z0-9<]{0,16})?",
        "mrz_second": r"(?<![a-z0-9])[a-z0-9<]{9}[0-9][a-z<]{3}[0-9]{7}[mfx<][0-9]{7}[a-z0-9<]{2,16}",
    },
    Reason.DRIVING_LICENCE: {
        "dvla": rf"{_START}(?=[a-z])[a-z9]{{5}} ?[0-9]{{6}} ?[a-z9]{{2}} ?[a-z0-9]{{3}}{_END}",
    },
    Reason.LICENCE_PLATE: {
        "china": r"[京津沪渝冀豫辽湘皖鲁苏浙赣鄂桂甘晋蒙陕吉闽贵粤藏川宁琼][ ]?[a-z][·\-* .]?(?=[a-z*]{0,3}[0-9*])(?=(?:[a-z]?[0-9*]){2})"
        r"[a-z0-9*]{4,6}[挂学警港澳]?(?![a-z0-9])",
        "china_two_letters": r"[京津沪渝冀豫辽湘皖鲁苏浙赣鄂桂甘晋蒙陕吉闽贵粤藏川宁琼][a-z][·\-* .]?[a-z]{2}[0-9*]{3,4}(?![a-z0-9])",
        "china_common_words": r"[云黑新青使领][a-z](?:[·\-*][a-z0-9]{5,6}|[0-9]{5}|[dfabcejghk][0-9]{5}|[0-9]{5}[df])[挂学警]?(?![a-z0-9])",
    },
}


_CODED: tuple[tuple[re.Pattern[str], Reason], ...] = (
    (re.compile(rf"{_START}[a-z]{{3}}[abcfghljpt][a-z][0-9]{{4}}[a-z]{_END}"), Reason.GOVERNMENT_ID),
    (
        re.compile(
            rf"{_START}(?:[a-ceghj-pr-tw-z][a-ceghj-npr-tw-z]|qq)(?:[ -]?[0-9]{{2}}){{3}}[ -]?[a-d]{_END}(?!-[0-9])"
        ),
        Reason.GOVERNMENT_ID,
    ),
)
"""Indian PAN and British NINO: the shape alone, unless a part or order number is announced."""
_US_LICENCE = re.compile(
    r"licen[cs]e:? (?P<value>[a-z][0-9]{3}-[0-9]{3,4}-[0-9]{2,4}(?:-[0-9]{2,3}(?:-[0-9])?)?)(?![0-9])"
)
"""Illinois, Wisconsin and Florida write a letter and groups of digits."""
_VALUE = re.compile(
    r"[a-z0-9*<][a-z0-9*\-./<]{2,30}(?: (?=[a-z\-]{0,3}[0-9*])[a-z0-9*\-]{1,12}){0,5}(?: [a-z](?![a-z0-9]))?"
)
_PLATE = re.compile(r"[a-z0-9*]{1,5}(?:[ \-·][a-z0-9*]{1,5}){0,3}")
_CUED: dict[Cue, tuple[Reason, int]] = {
    Cue.CN_ID: (Reason.GOVERNMENT_ID, 5),
    Cue.GOV_ID: (Reason.GOVERNMENT_ID, 4),
    Cue.SSN: (Reason.GOVERNMENT_ID, 4),
    Cue.PERMIT: (Reason.GOVERNMENT_ID, 5),
    Cue.PASSPORT: (Reason.PASSPORT, 5),
    Cue.LICENCE: (Reason.DRIVING_LICENCE, 4),
    Cue.BANK: (Reason.BANK_ACCOUNT, 6),
    Cue.PAYOUT: (Reason.BANK_ACCOUNT, 10),
}
"""Reason, and how many digits (or masks) the value must have."""
_IBAN = re.compile(r"(?<![a-z0-9])(?P<head>[a-z]{2}[0-9]{2})(?P<body>(?:[ \-.]?[a-z0-9*]){11,30})(?![a-z0-9])")
_LOOSE = re.compile(r"(?<![a-z0-9])[a-z]{1,3}[ -]?[0-9*]{6,10}[a-z]?(?![a-z0-9])")
_VERSION = re.compile(r"v?[0-9]+(?:\.[0-9]+){1,4}")
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-")


def ids_in(text: str) -> list[Hit]:
    """Documents, IBANs and plates of `text` (lower case)."""
    text = without_codes(text)
    if not any("0" <= c <= "9" or c == "*" for c in text):
        return []
    cues = cues_of(text)
    return [
        *_after_cues(text, cues),
        *_loose(text, cues),
        *_ibans(text, cues),
        *_plates(text, cues),
        *_taiwan(text),
        *_coded(text, cues),
        *(Hit(Reason.DRIVING_LICENCE, *m.span("value")) for m in _US_LICENCE.finditer(text)),
    ]


_TWO_DIGITS = re.compile(r"[0-9]{2}")


def _near(text: str, hint: re.Pattern[str], reach: int, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
    for start, end in near_pattern(text, hint, reach, STRETCH):
        yield from pattern.finditer(text, start, end)


def _coded(text: str, cues: Cues) -> list[Hit]:
    return [
        Hit(reason, *m.span())
        for pattern, reason in _CODED
        for m in _near(text, _TWO_DIGITS, 16, pattern)
        if cues.of(*m.span()).kind is not Cue.OTHER
    ]


def _after_cues(text: str, cues: Cues) -> list[Hit]:
    hits = []
    for cue in cues.found:
        if cue.kind not in _CUED:
            continue
        reason, least = _CUED[cue.kind]
        m = _VALUE.match(text, link_end(text, cue.end))
        if m and _digits(m[0]) >= least and not _harmless(m[0]) and any(c.isalpha() for c in m[0]):
            hits.append(Hit(reason, *m.span()))
    return hits


def _digits(value: str) -> int:
    return sum(c.isdigit() or c == "*" for c in value)


def _harmless(value: str) -> bool:
    return bool(_VERSION.fullmatch(value) or _UUID.match(value))


def _loose(text: str, cues: Cues) -> list[Hit]:
    """'E12345678 is my passport', 'the passport he showed us was E12345678'."""
    hits = []
    for start, end in near_matches(text, _SIX_DIGITS, 8, 12):
        for m in _LOOSE.finditer(text, start, end):
            kind = cues.of(*m.span()).kind
            if kind in _CUED and kind not in {Cue.BANK, Cue.PAYOUT}:
                hits.append(Hit(_CUED[kind][0], *m.span()))
    return hits


_SIX_DIGITS = re.compile(r"[0-9*]{6}")


def _ibans(text: str, cues: Cues) -> list[Hit]:
    """IBANs whose length and ISO 7064 check digits fit; announced ones in any state, masked too."""
    hits = []
    for m in _near(text, _TWO_DIGITS, 45, _IBAN):
        head, end = m["head"], m.end()
        compact = re.sub(r"[ \-.]", "", m[0])
        size = _IBAN_LENGTHS.get(head[:2])
        if size is None:
            continue
        if len(compact) > size:
            end, compact = _cut(text, m.start(), size)
        announced = cues.of(m.start(), end)
        valid = len(compact) == size and "*" not in compact and _mod97(compact)
        masked = "*" in compact and _digits(compact) >= 8
        if valid or masked or (announced.kind in {Cue.BANK, Cue.PAYOUT} and len(compact) >= 12):
            hits.append(Hit(Reason.BANK_ACCOUNT, m.start(), end))
    return hits


def _cut(text: str, start: int, size: int) -> tuple[int, str]:
    """Where `size` letters and digits from `start` end, and they themselves."""
    kept = ""
    for at in range(start, len(text)):
        if text[at].isalnum() or text[at] == "*":
            kept += text[at]
        if len(kept) == size:
            return at + 1, kept
    return len(text), kept


def _mod97(compact: str) -> bool:
    moved = compact[4:] + compact[:4]
    return int("".join(str(int(c, 36)) for c in moved)) % 97 == 1


_IBAN_LENGTHS: dict[str, int] = {
    pair[:2]: int(pair[3:])
    for pair in (
        "ad:24 ae:23 al:28 at:20 az:28 ba:20 be:16 bg:22 bh:22 bi:27 br:29 by:28 ch:21 cr:22 cy:28 cz:24 de:22 dj:27 dk:18"
        " do:28 ee:20 eg:29 es:24 fi:18 fo:18 fr:27 gb:22 ge:22 gi:23 gl:18 gr:27 gt:28 hr:21 hu:28 ie:22 il:23 iq:23 is:26"
        " it:27 jo:30 kw:30 kz:20 lb:28 lc:32 li:21 lt:20 lu:20 lv:21 ly:25 mc:27 md:24 me:22 mk:19 mn:20 mr:27 mt:31 mu:30"
        " ni:28 nl:18 no:15 om:23 pk:24 pl:28 ps:29 pt:25 qa:29 ro:24 rs:22 ru:33 sa:24 sc:31 sd:18 se:24 si:19 sk:24 sm:27"
        " so:23 st:25 sv:28 tl:23 tn:24 tr:26 ua:29 va:22 vg:24 xk:20"
    ).split()
}
"""Length by country (SWIFT IBAN registry, release 99)."""


def _plates(text: str, cues: Cues) -> list[Hit]:
    hits = []
    for cue in cues.found:
        if cue.kind is Cue.PLATE:
            m = _PLATE.match(text, link_end(text, cue.end))
            if m and (end := _plate_end(m[0])):
                hits.append(Hit(Reason.LICENCE_PLATE, m.start(), m.start() + end))
    return hits


def _plate_end(found: str) -> int:
    """The longest stretch of its groups that has 5-9 letters and digits, both, or 0."""
    parts = [p.end() for p in re.finditer(r"[a-z0-9*]+", found)]
    for end in reversed(parts):
        value = re.sub(r"[^a-z0-9*]", "", found[:end])
        last = re.split(r"[ \-·]", found[:end])[-1]
        if (
            5 <= len(value) <= 9
            and _digits(value) >= 1
            and any(c.isalpha() for c in value)
            and (last.isdigit() or len(last) <= 3 or _digits(last))
        ):
            return end
    return 0


_TW = re.compile(r"(?<![a-z0-9])[a-z][1289][0-9]{8}(?![a-z0-9])")
_TW_LETTERS = "abcdefghjklmnpqrstuvxywzio"


def _taiwan(text: str) -> list[Hit]:
    """Taiwanese national ids, whose weighted sum (Ministry of the Interior) must fit."""
    return [Hit(Reason.GOVERNMENT_ID, *m.span()) for m in _near(text, _SIX_DIGITS, 16, _TW) if _taiwan_check(m[0])]


def _taiwan_check(value: str) -> bool:
    code = 10 + _TW_LETTERS.index(value[0])
    digits = [code // 10, code % 10, *map(int, value[1:])]
    weights = [1, 9, 8, 7, 6, 5, 4, 3, 2, 1, 1]
    return sum(d * w for d, w in zip(digits, weights, strict=True)) % 10 == 0
