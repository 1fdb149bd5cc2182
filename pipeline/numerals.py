"""Numbers as people write them: Han numerals and English number words, as integers."""

import re

HAN_DIGITS = {c: n for n, c in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "兩": 2, "俩": 2}
_HAN_UNITS = {"十": 10, "百": 100, "千": 1_000}
HAN_NUMBER = r"[零〇一二两兩三四五六七八九十百千万]+"
NUMBER = rf"(?:\d+|{HAN_NUMBER})"

_ENGLISH = [
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
]
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"]
WORDS: dict[str, int] = (
    {word: n for n, word in enumerate(_ENGLISH)}
    | {word: 10 * n for n, word in enumerate(_TENS, 2)}
    | {"once": 1, "twice": 2, "both": 2, "couple": 2, "fortnight": 2, "dozen": 12}
)
ORDINALS: dict[str, int] = {word: n for n, word in enumerate(_ORDINALS, 1)}


def number(text: str) -> int | None:
    """'12', '十二', '一百零五', '二〇二六', '两', '1万' as an integer; None where it is none."""
    if re.fullmatch(r"\d{1,12}", text):
        return int(text)
    if not text or not re.fullmatch(HAN_NUMBER, text):
        return None
    return _places(text) if any(c in "十百千万" for c in text) else int("".join(str(HAN_DIGITS[c]) for c in text[:12]))


def _places(text: str) -> int:
    total, digit, section = 0, 0, 0
    for char in text:
        if char in HAN_DIGITS:
            digit = HAN_DIGITS[char]
        elif char == "万":
            total, section, digit = total + (section + digit) * 10_000, 0, 0
        else:
            section, digit = section + (digit or 1) * _HAN_UNITS[char], 0
    return total + section + digit
