"""Many words as one regular expression, so that a text is scanned once for all of them."""

import re
from collections.abc import Iterable
from typing import Any

SEPARATOR = r"[\s_.\-]{0,2}"
"""What a space in a word stands for."""


def trie(words: Iterable[str]) -> str:
    """A regular expression for any of `words`, the longest first, sharing prefixes; a space is any separator."""
    root: dict[str, Any] = {}
    for word in words:
        node = root
        for char in word:
            node = node.setdefault(char, {})
        node[""] = {}
    return _branches(root)


def _branches(node: dict[str, Any]) -> str:
    options = [
        (SEPARATOR if char == " " else re.escape(char)) + _branches(below) for char, below in node.items() if char != ""
    ]
    if not options:
        return ""
    body = options[0] if len(options) == 1 and "" not in node else f"(?:{'|'.join(options)})"
    return body + "?" if "" in node else body
