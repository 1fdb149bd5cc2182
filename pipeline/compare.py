"""When two values are the same: the one comparison that every decision rests on."""

import re
import unicodedata

_SUPERSCRIPTS = str.maketrans({c: f"^{n}" for n, c in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")})
_SPACE = re.compile(r"\s+")
_SPACE_AT_HAN = re.compile(r"(?<=[\u3400-\u9fff]) | (?=[\u3400-\u9fff])")
_QUOTES = "\"'“”‘’«»「」『』"
_SENTENCE_MARKS = re.compile(rf"(?<!\d)[.,;:!?。、…]+(?=\s|$|[{_QUOTES}])|(?<!\d)[{_QUOTES}]+(?!\d)")


def comparable(value: str) -> str:
    """`value` as it is compared: NFKC, case and space folded, sentence marks and quotation marks dropped.

    What touches a digit stays ('1.5' is not '15', '7"' is not '7'), and so does every sign and symbol (UTC+8, C++, C#).
    NFKC would read 10² as 102, so superscripts are spelt out first.
    """
    text = unicodedata.normalize("NFKC", value.translate(_SUPERSCRIPTS)).casefold()
    text = _SENTENCE_MARKS.sub("", _SPACE.sub(" ", text).strip())
    folded = _SPACE_AT_HAN.sub("", _SPACE.sub(" ", text)).strip()
    return folded or value


def same_value(one: str, other: str) -> bool:
    return comparable(one) == comparable(other)
