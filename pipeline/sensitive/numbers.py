"""What a number is, by the word that announces it and by its shape. One row a kind, the thresholds in the rows."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from pipeline.reasons import Reason
from pipeline.sensitive.checks import CN_REGIONS, ISSUERS, cn_id15, cn_id18, date6, date8, luhn, verhoeff
from pipeline.sensitive.cues import Announced
from pipeline.sensitive.lexicon import Cue


class Number(Protocol):
    """What is asked of a segment (pipeline.sensitive.digits.Segment)."""

    @property
    def text(self) -> str: ...
    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...
    @property
    def digits(self) -> str: ...
    @property
    def lens(self) -> tuple[int, ...]: ...
    @property
    def seps(self) -> tuple[str, ...]: ...
    @property
    def lead(self) -> str: ...
    @property
    def masked(self) -> bool: ...
    @property
    def real(self) -> int: ...
    @property
    def coded(self) -> bool: ...
    @property
    def decimal(self) -> bool: ...


@dataclass(frozen=True, kw_only=True)
class Announcement:
    """How long a number is that a cue announces: `strict` next to the cue, `loose` farther off (0: not at all).

    `part` is the range for 'ending in', 'last four'; `masked` the digits that must be left of a masked one.
    """

    reason: Reason
    strict: tuple[int, int]
    loose: tuple[int, int] = (0, 0)
    part: tuple[int, int] = (2, 8)
    masked: int = 2


CUED: dict[Cue, Announcement] = {
    Cue.CARD: Announcement(reason=Reason.PAYMENT_CARD, strict=(6, 19), loose=(12, 19)),
    Cue.BRAND: Announcement(reason=Reason.PAYMENT_CARD, strict=(6, 19), loose=(12, 19)),
    Cue.CVV: Announcement(reason=Reason.CVV, strict=(3, 4)),
    Cue.BANK: Announcement(reason=Reason.BANK_ACCOUNT, strict=(5, 30), loose=(8, 24)),
    Cue.PAYOUT: Announcement(reason=Reason.BANK_ACCOUNT, strict=(8, 30), loose=(12, 24)),
    Cue.ACCOUNT: Announcement(reason=Reason.BANK_ACCOUNT, strict=(10, 24), loose=(12, 24)),
    Cue.CN_ID: Announcement(reason=Reason.GOVERNMENT_ID, strict=(6, 18), loose=(14, 18)),
    Cue.SSN: Announcement(reason=Reason.GOVERNMENT_ID, strict=(7, 11), loose=(9, 9)),
    Cue.GOV_ID: Announcement(reason=Reason.GOVERNMENT_ID, strict=(5, 22), loose=(8, 18)),
    Cue.PERMIT: Announcement(reason=Reason.GOVERNMENT_ID, strict=(5, 18), loose=(8, 18)),
    Cue.PASSPORT: Announcement(reason=Reason.PASSPORT, strict=(6, 12), loose=(8, 9)),
    Cue.LICENCE: Announcement(reason=Reason.DRIVING_LICENCE, strict=(6, 18), loose=(8, 18)),
    Cue.PLATE: Announcement(reason=Reason.LICENCE_PLATE, strict=(4, 8)),
    Cue.PHONE: Announcement(reason=Reason.PHONE, strict=(7, 16), loose=(10, 13), part=(2, 6), masked=3),
    Cue.PIN: Announcement(reason=Reason.PASSWORD, strict=(3, 12)),
    Cue.PASSWORD: Announcement(reason=Reason.PASSWORD, strict=(3, 64)),
    Cue.OTP: Announcement(reason=Reason.ONE_TIME_CODE, strict=(4, 10)),
    Cue.SECRET: Announcement(reason=Reason.SECRET, strict=(8, 128)),
    Cue.IM: Announcement(reason=Reason.IM_ACCOUNT, strict=(5, 15)),
}

_MEASURE = re.compile(
    r"\s?(?:px|kb|mb|gb|ms|hz|k(?![a-z])|%|x[0-9]|年|月(?!薪)|日|号楼|天|次|位(?!数)|个|张|元|条|分钟|秒|小时|字符|人|页|行|倍|岁|周|万|亿|台|套|份|件|笔|家|网点|支行|大厦|步|种|版|层|度|代"
    r"|(?:characters?|chars?|digits?|letters?|times|days?|hours?|minutes?|seconds?|months?|years?|weeks?|users?|seats?|people|agents?|rows?|attempts?"
    r"|pixels?|tokens?|requests?|calls?|pages?|entries|records|words|devices|followers|items|per|percent|lines?|cards?|logins|pieces|messages|usd|eur|dollars)(?![a-z]))"
)
_CURRENCY = re.compile(r"(?:[$€£¥₹]|usd|eur|gbp|cny|rmb|inr|jpy)\s?$")
_YEAR = re.compile(r"(?:19|20)[0-9]{2}")


def by_cue(number: Number, cue: Announced) -> Reason | None:
    """What the announcing word makes of it, or None."""
    row = CUED.get(cue.kind)
    if row is None or _harmless(number):
        return None
    size = len(number.digits)
    if number.masked:
        return row.reason if number.real >= row.masked and size >= 5 else None
    if cue.tail and row.part[0] <= size <= row.part[1]:
        return row.reason
    if cue.strict:
        return row.reason if _in(size, row.strict) or _short(cue.kind, number) else None
    return row.reason if _in(size, row.loose) and _plausible(cue.kind, number) else None


def _in(size: int, bounds: tuple[int, int]) -> bool:
    return bounds[0] <= size <= bounds[1]


def _short(kind: Cue, number: Number) -> bool:
    """'Visa 4242', 'SSN 5214': four digits next to the word are the last four."""
    four = len(number.digits) == 4 and not _YEAR.fullmatch(number.digits)
    return four and kind in {Cue.BRAND, Cue.SSN, Cue.CARD, Cue.BANK}


def _plausible(kind: Cue, number: Number) -> bool:
    if kind in {Cue.CARD, Cue.BRAND}:
        return ISSUERS.match(number.digits) is not None and not number.coded
    return not number.coded


def _harmless(number: Number) -> bool:
    """A measure, an amount, a date, a SIM's serial: whatever stands before it."""
    size = len(number.digits)
    if number.decimal or _amount(number) or (size < 8 and _MEASURE.match(number.text, number.end)):
        return True
    if size < 12 and _CURRENCY.search(number.text[max(0, number.start - 4) : number.start]):
        return True
    return _date(number) or (size in {19, 20} and number.digits.startswith("898"))


def _amount(number: Number) -> bool:
    if not number.seps or set(number.seps) - {",", "."} or "," not in number.seps:
        return False
    tail = number.lens[1:-1] if number.seps[-1] == "." else number.lens[1:]
    return number.lens[0] <= 3 and all(size == 3 for size in tail)


def _date(number: Number) -> bool:
    digits = number.digits
    if number.masked or not digits.isdigit():
        return False
    if number.lens in {(4, 2, 2), (4, 1, 2), (4, 2, 1), (4, 1, 1)}:
        return digits[:2] in {"19", "20"}
    if number.lens in {(2, 2, 4), (1, 2, 4), (2, 1, 4), (1, 1, 4)}:
        return digits[-4:-2] in {"19", "20"} and number.seps[0] in "/.-"
    if number.lens[:3] == (4, 2, 2):
        return digits[:2] == "20"
    return len(digits) in {8, 12, 14} and number.lens[0] >= 8 and digits[:2] == "20" and date8(digits)


# --- by shape -------------------------------------------------------------------------------------------------------

_CN_MOBILE = re.compile(r"(?:0{0,2}86)?1[3-9][0-9]{9}")
_CARD_GROUPS = {
    (4, 4, 4, 4),
    (4, 6, 5),
    (4, 6, 4),
    (4, 4, 4, 4, 3),
    (4, 4, 4, 4, 2),
    (4, 4, 4, 4, 1),
    (6, 13),
    (6, 10),
    (8, 8),
    (6, 6, 4),
    (4, 4, 5),
}
_MASKED: tuple[tuple[re.Pattern[str], Reason], ...] = (
    (re.compile(r"1[3-9][0-9]\*{3,6}[0-9]{2,4}|1[3-9][0-9]{3,8}\*{2,6}"), Reason.PHONE),
    (re.compile(r"(?:86)?1[3-9][0-9]\*{4}[0-9]{4}"), Reason.PHONE),
    (
        re.compile(r"[1-8][0-9]{2,13}\*{4,15}[0-9x]{1,4}(?<=^.{18})|[1-8][0-9]{5}\*{6,}[0-9]{3}(?<=^.{15})"),
        Reason.GOVERNMENT_ID,
    ),
    (re.compile(r"[0-9]{4,8}\*{3,12}[0-9]{2,4}(?<=.{12})|[0-9]{4}\*{8,}[0-9]{3,4}"), Reason.PAYMENT_CARD),
    (re.compile(r"\*{8,15}[0-9]{3,4}(?<=.{12})"), Reason.PAYMENT_CARD),
    (re.compile(r"[0-9]{12,15}\*{3,4}|[0-9]{6}\*{6,13}"), Reason.PAYMENT_CARD),
)
"""What is left of a masked number tells what it was. Read in this order."""


def by_shape(number: Number, cue: Announced) -> Reason | None:
    """What it is by its own digits and grouping, whatever stands before it."""
    if number.masked:
        return _masked(number)
    if number.decimal or (number.coded and number.lens == (len(number.digits),)):
        return None
    calm = cue.kind is Cue.OTHER and cue.strict
    for rule in (_card, _cn_id, _grouped_id, _phone):
        reason = rule(number, calm)
        if reason:
            return reason
    return None


def _masked(number: Number) -> Reason | None:
    if number.lens == (3, 2, 4) and number.digits.startswith("***"):
        return Reason.GOVERNMENT_ID
    if number.real < 3 or number.digits.count("*") < 3:
        return None
    for pattern, reason in _MASKED:
        if pattern.fullmatch(number.digits):
            if reason is Reason.GOVERNMENT_ID and number.digits[:2] not in CN_REGIONS:
                continue
            return reason
    if (number.lens[0] in {3, 4} and number.lead.endswith("(")) or number.lens == (3, 3, 4):
        return Reason.PHONE
    return None


def _card(number: Number, calm: bool) -> Reason | None:
    digits, grouped = number.digits, number.lens in _CARD_GROUPS
    if number.lens == (4, 4, 4, 4, 3) and digits.isdigit() and _issued(digits) and not number.coded:
        return Reason.PAYMENT_CARD
    if not digits.isdigit() or not 14 <= len(digits) <= 19 or not luhn(digits) or len(set(digits)) == 1:
        return None
    if not _issued(digits) or ((calm or number.coded) and not grouped):
        return None
    uniform = len(set(number.lens[:-1])) <= 1 and max(number.lens) <= 4 and len({s.strip() for s in number.seps}) == 1
    return (
        Reason.PAYMENT_CARD
        if grouped or uniform or len(number.lens) == 1 or (len(number.lens) <= 4 and "\n" in "".join(number.seps))
        else None
    )


_ISSUED: dict[int, re.Pattern[str]] = {
    14: re.compile(r"30[0-5]|309|36|3[89]"),
    15: re.compile(r"3[47]|1800|2131"),
    16: re.compile(
        r"4|5[1-5]|50|5[6-8]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720|30[0-5]|3[689]|35(?:2[89]|[3-8])|6011|64[4-9]|65|62|81|60|6[37]|220[0-4]|9792"
    ),
    17: re.compile(r"62|5[0678]|6"),
    18: re.compile(r"62|5[0678]|6"),
    19: re.compile(r"4|62|5[0678]|6|35|81"),
}
"""Issuer prefixes by length: UnionPay and Maestro up to 19 digits, Visa, Discover and JCB 19 too."""


def _issued(digits: str) -> bool:
    return _ISSUED[len(digits)].match(digits) is not None


def _cn_id(number: Number, calm: bool) -> Reason | None:
    digits = number.digits
    if len(digits) == 18 and cn_id18(digits):
        return Reason.GOVERNMENT_ID
    if len(digits) == 15 and cn_id15(digits) and not calm and not number.coded:
        return Reason.GOVERNMENT_ID
    return None


def _ssn(number: Number) -> bool:
    return set(number.seps) in ({"-"}, {" "}, {"."}, {"\n"}) or {s.strip() for s in number.seps} == {"-"}


def _ymd(digits: str) -> str:
    """DDMMYY turned round."""
    return digits[4:6] + digits[2:4] + digits[:2]


def _aadhaar(number: Number) -> bool:
    return number.digits[0] in "23456789" and set(number.seps) <= {" ", "-"} and verhoeff(number.digits)


_GROUPED: dict[tuple[int, ...], Callable[[Number], bool]] = {
    (3, 2, 4): _ssn,
    (4, 4, 4): _aadhaar,
    (3, 3, 3, 2): lambda n: n.seps in {(".", ".", "-"), ("-", "-", " ")},
    (6, 7): lambda n: n.seps == ("-",) and date6(n.digits) and n.digits[6] in "12345678",
    (6, 2, 4): lambda n: set(n.seps) == {"-"} and date6(n.digits),
    (6, 4): lambda n: (
        n.seps == ("-",)
        and ((date6(n.digits) and luhn(n.digits)) or date6(n.digits[4:6] + n.digits[2:4] + n.digits[:2]))
    ),
    (8, 4): lambda n: n.seps == ("-",) and date8(n.digits) and luhn(n.digits[2:]),
    (3, 4, 4, 2): lambda n: n.digits.startswith("756") and set(n.seps) == {"."},
    (1, 4, 5, 2, 1): lambda n: set(n.seps) <= {"-", " "},
    (1, 2, 2, 2, 3, 3, 2): lambda n: n.digits[0] in "12" and set(n.seps) == {" "},
    (1, 2, 2, 2, 3, 3): lambda n: n.digits[0] in "12" and set(n.seps) == {" "},
}
"""National ids that their grouping tells: US SSN and ITIN, Aadhaar, CPF and SNILS, Korean RRN, MyKad, Nordic personal
numbers, Swiss AHV, Thai id, French INSEE."""


def _grouped_id(number: Number, calm: bool) -> Reason | None:
    rule = _GROUPED.get(number.lens)
    if rule is None or calm or number.coded or not number.digits.isdigit():
        return None
    return Reason.GOVERNMENT_ID if rule(number) else None


def _phone(number: Number, calm: bool) -> Reason | None:
    digits = number.digits
    if (
        not digits.isdigit()
        or not 7 <= len(digits) <= 17
        or (calm and len(number.lens) == 1 and not number.lead)
        or number.coded
    ):
        return None
    if _date(number) or _amount(number) or _no_phone(number):
        return None
    if _CN_MOBILE.fullmatch(digits) and (max(number.lens) >= 3 or len(set(number.lens)) == 1):
        return Reason.PHONE
    return (
        Reason.PHONE
        if any(rule(number) for rule in (_international, _american, _trunk, _bracketed, _hotline))
        else None
    )


_NUMBERED = re.compile(
    r"(?:isbn(?:-1[03])?|issn|ean|doi|air ?waybill|awb|waybill|运单号?|提单号?)"
    r"\W{0,3}(?:no\.?|number|is|was|是|为)?\W{0,3}$"
)
_TOTAL = re.compile(r"(?:累计|总计|合计|共计|一共|达到?|超过|突破|total(?: of)?)\W{0,2}$")
_COUNTED = re.compile(r"\s?(?:次|个|元|条|人|件|字节|点击|clicks|views|bytes|rows|requests|times)")


def _no_phone(number: Number) -> bool:
    """A book's or a waybill's number, a build ('139.0.7258.128'), a total that is counted."""
    before = number.text[max(0, number.start - 24) : number.start]
    build = set(number.seps) == {"."} and 1 in number.lens and not number.lead
    counted = _TOTAL.search(before) and _COUNTED.match(number.text, number.end)
    return bool(build or counted or _NUMBERED.search(before))


def _international(number: Number) -> bool:
    digits = number.digits
    if number.lead.startswith("+") or number.lead == "(+":
        return 8 <= len(digits) <= 15
    if not digits.startswith("00") or len(digits) < 11:
        return False
    return len(number.lens) > 1 and _possible("+" + digits[2:])


def _possible(number: str) -> bool:
    import phonenumbers

    try:
        return bool(phonenumbers.is_possible_number(phonenumbers.parse(number)))
    except phonenumbers.NumberParseException:
        return False


def _american(number: Number) -> bool:
    lens, digits = number.lens, number.digits
    if lens == (1, 3, 3, 4) and digits[0] == "1":
        lens, digits = lens[1:], digits[1:]
    if lens == (3, 7) and number.lead == "(" and ")" in number.seps[0]:
        return True
    if lens != (3, 3, 4):
        return False
    hyphens = {s.strip() for s in number.seps} <= {"-", ")", ") ", ")-", "."} and "" not in {
        s.strip() for s in number.seps
    }
    return hyphens or number.lead == "(" or (digits[0] in "23456789" and digits[3] in "23456789")


def _trunk(number: Number) -> bool:
    """National numbers with their leading zero, grouped: 010-62910099, 020 7946 0958, 06 12 34 56 78."""
    digits, seps = number.digits, {s.strip() for s in number.seps}
    if digits[0] != "0" or not 9 <= len(digits) <= 12 or len(number.lens) < 2 or not seps <= {"", "-", "/", ")", "(0)"}:
        return False
    pairs = set(number.lens) == {2} and len(digits) == 10
    return (
        pairs
        or (2 <= number.lens[0] <= 5 and min(number.lens[1:]) >= 3)
        or (number.lens[0] <= 5 and len(number.lens) <= 5 and digits[1] != "0")
    )


def _bracketed(number: Number) -> bool:
    return (
        number.lead == "("
        and bool(number.seps)
        and ")" in number.seps[0]
        and 2 <= number.lens[0] <= 5
        and 8 <= len(number.digits) <= 12
    )


_INDIAN = re.compile(r"[6-9][0-9]{9}")


def _hotline(number: Number) -> bool:
    """400-123-4567, 800-820-1234, 98765 43210."""
    if number.lens in {(3, 4, 3), (3, 3, 4), (3, 7)} and number.digits[:3] in {"400", "800"}:
        return True
    return number.lens == (5, 5) and _INDIAN.fullmatch(number.digits) is not None
