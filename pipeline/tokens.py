"""How many tokens a text costs, without a tokenizer: an estimate that errs upwards."""

import re

_WORD = re.compile(r"[A-Za-z]+")
_NUMBER = re.compile(r"[0-9]+")
_BLANK = re.compile(r"\s")


def estimated_tokens(text: str) -> int:
    """About one per word of up to six letters, per three digits, per Han character, per other sign. Blanks are free."""
    words, numbers = _WORD.findall(text), _NUMBER.findall(text)
    others = len(text) - sum(map(len, words)) - sum(map(len, numbers)) - len(_BLANK.findall(text))
    parts = sum((len(word) + 5) // 6 for word in words) + sum((len(number) + 2) // 3 for number in numbers)
    return parts + others + text.count("\n")
