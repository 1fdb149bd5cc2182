"""Gate 5: keys that name a credential, a card, an account or an id, in English and Chinese, in any spelling.

A key is read as words (camelCase, separators, split letters, look-alikes and leet undone). A forbidden name refuses as
a run of whole words anywhere in it, unless the key goes on to something harmless (`password_manager_vendor`,
`card_layout`). Written together ('cardnumber') it refuses where nothing is left over but known affixes.
"""

import re
import unicodedata
from functools import lru_cache

from pipeline.facts import PASSED, Verdict
from pipeline.forbidden_names import (
    AFFIXES,
    CHINESE,
    CHINESE_HARMLESS,
    ENGLISH,
    FOREIGN,
    FOREIGN_HARMLESS,
    HARMLESS_AFTER,
    HARMLESS_WORDS,
)
from pipeline.memo import once
from pipeline.normalise import normalised
from pipeline.policy import FLOOR, Policy
from pipeline.reasons import Reason
from pipeline.trie import trie

_REFUSED = Verdict(reason=Reason.FORBIDDEN_KEY)


def judge_key(key: str, policy: Policy = FLOOR) -> Verdict:
    """Passed, or blocked with `forbidden_key`. A tenant's further keys are compared as words, too."""
    try:
        return _REFUSED if _is_forbidden(key, policy.forbidden_keys) else PASSED
    except Exception:  # not judged, so not kept; the error may hold the key
        return Verdict(reason=Reason.GATE_ERROR)


@once
def _is_forbidden(key: str, more: tuple[str, ...]) -> bool:
    plain = normalised(_camel_split(key.replace("ß", "ss"))).lower
    if _chinese(plain) or _foreign(key) or _squashed(plain) in _split_names():
        return True
    extra = frozenset(tuple(_words(normalised(_camel_split(name)).lower)) for name in more)
    return any(_names_secret(words, extra) for words in _readings(plain)) or any(
        "".join(name) in _squashed(plain) for name in extra if len("".join(name)) >= 4
    )


_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def _camel_split(key: str) -> str:
    return _CAMEL.sub("_", key)


_SPLIT = re.compile(r"[^0-9a-z\u0370-\u052f\u4e00-\u9fff]+")
_DIGIT_EDGE = re.compile(r"(?<=[a-z])(?=[0-9])|(?<=[0-9])(?=[a-z])")


def _words(plain: str) -> list[str]:
    return [word for word in _SPLIT.split(plain) if word]


_LEET: dict[str, str | int | None] = dict(zip("03457@$98", "oeastasgb", strict=True))


def _readings(plain: str) -> list[list[str]]:
    """The words of the key: as written, with digits and signs read as letters, and with split letters joined."""
    readings = [_words(plain)]
    digits_apart = [part for word in readings[0] for part in _DIGIT_EDGE.split(word)]
    readings.append(digits_apart)
    for one in "il":
        leet = plain.translate(str.maketrans({**_LEET, **dict.fromkeys("1!|", one)}))
        readings.append(_words(leet))
    readings += [
        _joined_letters(reading) for reading in readings[:1] + readings[2:] if any(len(w) <= 2 for w in reading)
    ]
    return readings


def _joined_letters(words: list[str]) -> list[str]:
    """['c', 'a', 'r', 'd'] as ['card']: runs of one- and two-letter pieces become one word."""
    joined: list[str] = []
    run = ""
    for word in [*words, ""]:
        if len(word) == 1 or (run and len(word) == 2 and len(word) > 0):
            run += word
            continue
        joined += [part for part in (run, word) if part]
        run = ""
    return joined


def _names_secret(words: list[str], extra: frozenset[tuple[str, ...]]) -> bool:
    stems = [_stem(word) for word in words]
    for start in range(len(stems)):
        for end in range(start + 1, min(len(stems), start + _LONGEST) + 1):
            name = tuple(stems[start:end])
            if name in extra or tuple(words[start:end]) in extra:
                return True
            if name in _names() and not _goes_on(name, stems[:start], stems[end:]):
                return True
    return any(_together(stem, stems[:at], stems[at + 1 :]) for at, stem in enumerate(stems))


def _stem(word: str) -> str:
    if word in HARMLESS_WORDS:
        return word
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("sses", "xes")):
        return word[:-2]
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def _goes_on(name: tuple[str, ...], before: list[str], after: list[str]) -> bool:
    """The key is about the thing and not the thing: what follows or leads says so."""
    harmless = HARMLESS_AFTER.get(" ".join(name), HARMLESS_AFTER["*"])
    if any(word in harmless for word in after[:2]):
        return True
    return bool(before) and f"{before[-1]} {name[0]}" in HARMLESS_WORDS


def _together(word: str, before: list[str], after: list[str]) -> bool:
    """'cardnumber', 'userpassword': a forbidden name written together, with known affixes and nothing else."""
    if len(word) < 5 or word in HARMLESS_WORDS or not _any_squashed().search(word):
        return False
    for squashed, name in _squashed_names():
        at = word.find(squashed)
        if at < 0:
            continue
        rest = word[:at], word[at + len(squashed) :]
        if all(part in AFFIXES or part.isdigit() for part in rest) and not _goes_on(
            name, [] if rest[0] else before, [rest[1], *after] if rest[1] else after
        ):
            return True
    return False


def _squashed(plain: str) -> str:
    return "".join(_words(plain))


@lru_cache(maxsize=1)
def _names() -> frozenset[tuple[str, ...]]:
    return frozenset(tuple(_stem(word) for word in name.split()) for name in ENGLISH)


@lru_cache(maxsize=1)
def _squashed_names() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Names written together, long ones first; one short word alone is left to whole-word matching."""
    rows = [("".join(name), name) for name in _names()]
    return tuple(sorted((row for row in rows if len(row[0]) >= 5), key=lambda row: -len(row[0])))


@lru_cache(maxsize=1)
def _any_squashed() -> re.Pattern[str]:
    """Whether a word holds any of them: one scan, where most words end."""
    return re.compile(trie(squashed for squashed, _ in _squashed_names()))


@lru_cache(maxsize=1)
def _split_names() -> frozenset[str]:
    """Names of several words, written together: whatever stood between their letters ('ca rd_num ber')."""
    return frozenset(together for name in _names() if len(name) > 1 and len(together := "".join(name)) >= 8)


_LONGEST = 5

# --- Chinese --------------------------------------------------------------------------------------------------------

_HAN_SEPARATORS = re.compile(r"[^0-9a-z\u4e00-\u9fff]+")


def _chinese(plain: str) -> bool:
    if plain.isascii():
        return False
    squashed = _HAN_SEPARATORS.sub("", plain)
    kept = _harmless_han().sub("，", squashed)
    return _forbidden_han().search(kept) is not None


def _foreign(key: str) -> bool:
    """Names in other scripts, compared as written: taking marks off would turn one kana into another."""
    if key.isascii():
        return False
    squashed = _FOREIGN_SEPARATORS.sub("", unicodedata.normalize("NFKC", key).lower())
    return any(name in squashed for name in FOREIGN) and not any(word in squashed for word in FOREIGN_HARMLESS)


_FOREIGN_SEPARATORS = re.compile(r"[\W_]+")


@lru_cache(maxsize=1)
def _forbidden_han() -> re.Pattern[str]:
    return re.compile("|".join(sorted(CHINESE, key=len, reverse=True)))


@lru_cache(maxsize=1)
def _harmless_han() -> re.Pattern[str]:
    return re.compile("|".join(sorted(CHINESE_HARMLESS, key=len, reverse=True)))
