"""JSON as people send it: lines with a byte order mark, and halves of characters."""

import json
import re
from collections.abc import Collection, Iterable, Iterator
from datetime import datetime
from typing import Any

_HALF = re.compile("[\ud800-\udfff]")
_LOST, _REFUSED = "\ufffd", "\x00"
_MARK = "\ufeff"


def numbered_lines(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """The lines of a JSON Lines file that are not blank, each with its number from 1.

    A byte order mark, which some editors put first, is no part of a line; nor where such files were joined.
    """
    for number, line in enumerate(lines, start=1):
        text = line.removeprefix(_MARK)
        if text.strip():
            yield number, text


def wire_json(raw: Any, *, words: Collection[str]) -> bytes:
    """`raw` as JSON in UTF-8, a datetime as ISO 8601. Raises TypeError, ValueError and RecursionError for what is none.

    JSON can spell half a surrogate pair, which can be neither sent nor stored. In a field named in `words`, which hold
    what people said, it becomes U+FFFD: nothing is lost for one broken character. Anywhere else it becomes NUL, which
    no id, time or name may hold, so that the field is refused by its own rule.
    """
    try:
        return json.dumps(raw, ensure_ascii=False, default=_told).encode()
    except UnicodeEncodeError:
        return json.dumps(_mended(raw, words, ""), ensure_ascii=False, default=_told).encode()


def _told(value: object) -> str:
    if isinstance(value, datetime):
        return value.isoformat()
    raise TypeError(type(value).__name__)


def whole(text: str, instead: str = _LOST) -> str:
    """The text with both halves of a pair joined, and what is left of any other replaced."""
    if text.isascii():
        return text
    return _HALF.sub(instead, text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass"))


def _mended(value: Any, words: Collection[str], name: str) -> Any:
    if isinstance(value, str):
        return whole(value, _LOST if name in words else _REFUSED)
    if isinstance(value, dict):
        return {whole(key, _REFUSED): _mended(one, words, key) for key, one in value.items() if isinstance(key, str)}
    if isinstance(value, list | tuple):
        return [_mended(one, words, name) for one in value]
    return value
