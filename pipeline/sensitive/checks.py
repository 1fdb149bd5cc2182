"""Check digits and number shapes, each where python-stdnum is wrong, missing or too slow to ask for every run."""
# ruff: noqa: E501, SIM905 (rows of words and patterns read best one a line)

import re

ISSUERS = re.compile(
    r"4|5[1-5]|5018|5020|5038|5893|6304|6759|676[1-3]|50[0-9]|5[6-8]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720|3[47]|30[0-5]|309|36|3[89]"
    r"|35(?:2[89]|[3-8])|6011|64[4-9]|65|62|81|60|6[37]|220[0-4]|9792|1800|2131"
)
"""First digits of payment cards: Visa, Mastercard (2-series too), Maestro, Amex, Diners, JCB, Discover, UnionPay, RuPay,
Mir, Troy (ISO/IEC 7812; Wikipedia, 'Payment card number')."""

CN_REGIONS = frozenset(
    "11 12 13 14 15 21 22 23 31 32 33 34 35 36 37 41 42 43 44 45 46 50 51 52 53 54 61 62 63 64 65 71 81 82 83".split()
)
"""First two digits of a resident id (GB/T 2260 provinces; 81-83: residence permits of Hong Kong, Macau and Taiwan people)."""


_UUID = re.compile(r"(?<![0-9a-f])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![0-9a-f])")


_UUID_MIDDLE = re.compile(r"-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-")


def without_uuids(text: str) -> str:
    """`text`, as long as it was, with UUIDs blotted out: their digits are no numbers, their letters no words."""
    return _UUID.sub("§" * 36, text) if _UUID_MIDDLE.search(text) else text


_DIGEST = re.compile(r"(?<![0-9a-z])(?=(?:[0-9]{0,9}[a-f]){6})[0-9a-f]{24,128}(?![0-9a-z])")


def without_codes(text: str) -> str:
    """Like `without_uuids`, and without long hexadecimal words (digests, keys): what hides in their middle is chance."""
    return _DIGEST.sub(lambda m: "§" * len(m[0]), without_uuids(text))


def luhn(digits: str) -> bool:
    """ISO/IEC 7812-1 check digit."""
    total = 0
    for at, char in enumerate(reversed(digits)):
        value = int(char) * (2 if at % 2 else 1)
        total += value - 9 if value > 9 else value
    return total % 10 == 0


def date8(digits: str) -> bool:
    """YYYYMMDD of 1850-2099."""
    return digits[:2] in {"18", "19", "20"} and _month_day(digits[4:])


def date6(digits: str) -> bool:
    """YYMMDD."""
    return _month_day(digits[2:])


def _month_day(digits: str) -> bool:
    return 1 <= int(digits[:2]) <= 12 and 1 <= int(digits[2:4]) <= 31


def cn_id18(digits: str) -> bool:
    """Region and date of an 18-digit resident id (GB 11643). The check digit is not asked for: a typo is still an id."""
    return digits[:17].isdigit() and digits[:2] in CN_REGIONS and date8(digits[6:14])


def cn_id15(digits: str) -> bool:
    return digits.isdigit() and digits[:2] in CN_REGIONS and date6(digits[6:12]) and len(set(digits)) > 2


def cn_id_check(digits: str) -> bool:
    """ISO 7064 MOD 11-2."""
    total = sum(int(c) * (2 ** (17 - i) % 11) for i, c in enumerate(digits[:17]))
    return "10x98765432"[total % 11] == digits[17].lower()


def verhoeff(digits: str) -> bool:
    """Verhoeff's check digit, as Aadhaar uses it."""
    from stdnum import verhoeff as scheme

    return bool(scheme.is_valid(digits))
