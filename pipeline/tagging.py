"""Words to kinds of words: how gate 7 reads a text.

A lexicon says what kind of word each word is (`GIVE`, `CHECKN`, `ALWAYS`, ...; a word may be several). Each set of
kinds has a letter, and a sentence becomes a string of letters, on which rules are regular expressions
(pipeline/tagrules.py).
"""

import re
from collections.abc import Iterable, Iterator, Mapping

CLAUSE, SENTENCE, ASKED, WORD = ",", ";", "?", "."
LONGEST = 90
"""Tokens of a sentence that are read together; longer ones go in overlapping stretches."""
_OVERLAP = 30
LATIN, HAN = "LATIN", "HAN"
"""Tags that every word of a script has."""
_ONE = r"[0-9]?[a-z]+(?:'[a-z]+)?'?"
_TOKEN = re.compile(
    rf"(?P<latin>{_ONE}(?: {_ONE})*)|(?P<han>[\u3400-\u9fff]+)"
    r"|(?P<stop>[.…](?=[\s\"')\]]|$|[\u3400-\u9fff])|[!;。\n])"
    r"|(?P<ask>\?)|(?P<clause>[,:()\[\]{}\"“”„«»<>|、—–【】「」『』《》]|\s-{1,2}\s)"
    r"|(?P<other>[0-9]+(?:[.,:][0-9]+)*%?|[$€£¥])"
)
_FIRST = "\ue000"
_FORMS = ("", "s", "d", "d", "g")


class Lexicon:
    """Which tags the words have. Built once from tables of words; pure look-up afterwards.

    `excuses`: kinds whose words count only when spelled rightly. Of the others a long one may be a letter off.
    """

    def __init__(
        self,
        verbs: Mapping[str, list[str]],
        words: Iterable[Mapping[str, list[str]]],
        *,
        excuses: frozenset[str] = frozenset(),
    ) -> None:
        tags = _tagged(verbs, words)
        self._letter_of: dict[frozenset[str], str] = {}
        self._letters_of: dict[str, set[str]] = {}
        self._kinds_of: dict[str, tuple[str, ...]] = {}
        self._latin: dict[str, str] = {}
        self._phrases: dict[str, dict[str, list[tuple[list[str], str]]]] = {}
        self._han: dict[str, str] = {}
        self._han_sizes: dict[str, list[int]] = {}
        for phrase, names in tags.items():
            self._enter(phrase, self._letter(frozenset(names)))
        for by_second in self._phrases.values():
            for row in by_second.values():
                row.sort(key=lambda entry: -len(entry[0]))
        for word in sorted(self._han, key=len, reverse=True):
            sizes = self._han_sizes.setdefault(word[0], [])
            if len(word) not in sizes:
                sizes.append(len(word))
        self._misspelt = _near(w for w in self._latin if len(w) >= _LONG_WORD and not excuses & tags.get(w, set()))
        self._starts = {word[:2] for word in self._misspelt}
        self._vocabulary = {word for phrase in tags for word in _words(phrase)}

    def _letter(self, names: frozenset[str]) -> str:
        letter = self._letter_of.setdefault(names, chr(ord(_FIRST) + 1 + len(self._letter_of)))
        self._kinds_of[letter] = tuple(sorted(names - {LATIN, HAN}))
        for name in names:
            self._letters_of.setdefault(name, set()).add(letter)
        return letter

    def _enter(self, phrase: str, letter: str) -> None:
        if "\u3400" <= phrase[0] <= "\u9fff":
            self._han[phrase] = letter
            return
        first, *rest = _words(phrase)
        if not rest:
            self._latin[first] = letter
            return
        self._latin.setdefault(first, WORD)
        self._phrases.setdefault(first, {}).setdefault(rest[0], []).append((rest, letter))

    def letters(self, name: str) -> frozenset[str]:
        """Every letter that stands for a word of this kind; `NAME*` of any of its forms. ValueError for no word."""
        wanted = [name[:-1] + form for form in ("", "s", "d", "g")] if name.endswith("*") else [name]
        found: frozenset[str] = frozenset().union(*(self._letters_of.get(one, ()) for one in wanted))
        if not found:
            raise ValueError(f"no word has the tag {name}")
        return found

    def kinds(self, letter: str) -> tuple[str, ...]:
        """The kinds of a word, by its letter; none for an unknown word or a sign."""
        return self._kinds_of.get(letter, ())

    def sentences(self, text: str) -> Iterator[str]:
        """The text, normalised and in lower case, as sentences of one letter a word; none without a known word."""
        letters: list[str] = []
        for token in self._tokens(text):
            if token != SENTENCE:
                letters.append(token)
                if len(letters) < LONGEST:
                    continue
            if len(letters) > 1 or (letters and letters[0] > _FIRST):
                yield "".join(letters)
            letters = letters[-_OVERLAP:] if token != SENTENCE else []
        if letters:
            yield "".join(letters)

    def _tokens(self, text: str) -> Iterator[str]:
        words: list[str] = []
        for m in _TOKEN.finditer(text):
            kind = m.lastgroup
            if kind == "latin":
                words += m[0].split(" ")
                continue
            if words:
                yield from self._tagged_latin(words)
                words = []
            if kind == "han":
                yield from self._tagged_han(m[0])
            elif kind == "ask":
                yield from (ASKED, SENTENCE)
            else:
                yield SENTENCE if kind == "stop" else CLAUSE if kind == "clause" else self._figure(m[0])
        yield from self._tagged_latin(words)

    def _figure(self, figure: str) -> str:
        if figure.endswith("%"):
            return self._latin["percent"]
        return self._latin["zero"] if figure == "0" else WORD

    def _tagged_latin(self, words: list[str]) -> list[str]:
        """The letters of a run of words: where phrases begin at one word, the longest counts."""
        known = self._latin
        read = [part for word in words for part in ((word,) if word in known else self._meant(word))]
        found: list[str] = []
        at, end = 0, len(read)
        while at < end:
            letter, size = known.get(read[at], WORD), 1
            seconds = self._phrases.get(read[at])
            for rest, of_phrase in seconds.get(read[at + 1], ()) if seconds and at + 1 < end else ():
                if read[at + 1 : at + 1 + len(rest)] == rest:
                    letter, size = of_phrase, 1 + len(rest)
                    break
            found.append(letter)
            at += size
        return found

    def _meant(self, word: str) -> tuple[str, ...]:
        """An unknown word without its closing quote, rightly spelled, or taken apart; itself if it remains unknown."""
        if word[-1] == "'":
            return self._meant(word[:-1])
        if len(word) < _SHORT_WORD:
            return (word,)
        single = _DOUBLE.sub(r"\1", word)
        if single in self._latin:
            return (single,)
        if word[:2] in self._starts:
            for one in (word, *_shorter(word)):
                if one in self._misspelt:
                    return (self._misspelt[one],)
        return tuple(self._unjoined(word)) or (word,) if len(word) > _JOINED else (word,)

    def _tagged_han(self, run: str) -> list[str]:
        """The letters of a run of Chinese; two unknown characters count as one word."""
        found: list[str] = []
        at, unknown = 0, 0
        while at < len(run):
            for size in self._han_sizes.get(run[at], ()):
                letter = self._han.get(run[at : at + size])
                if letter:
                    found += [WORD] * ((unknown + 1) // 2)
                    found.append(letter)
                    unknown = 0
                    at += size
                    break
            else:
                at += 1
                unknown += 1
        return found + [WORD] * ((unknown + 1) // 2)

    def _unjoined(self, word: str) -> list[str]:
        """'ignorepreviousrules' as its words, where known words cover it; [] where they do not."""
        best: list[list[str] | None] = [[], *([None] * min(len(word), 120))]
        for end in range(1, len(best)):
            for start in range(max(0, end - 16), end):
                before, part = best[start], word[start:end]
                if before is not None and (part in self._vocabulary or part in _GLUE):
                    here = best[end]
                    if here is None or len(before) + 1 < len(here):
                        best[end] = [*before, part]
        return best[-1] or []


_LONG_WORD = 7
"""Letters of a word that is recognised with a letter missing, doubled or wrong: shorter ones would be other words."""
_SHORT_WORD = 4
_DOUBLE = re.compile(r"(.)\1+")
_JOINED = 12
"""Letters beyond which an unknown word may be several written together."""
_GLUE = frozenset(
    "a an the and or of to for in on at my your our this that is are be i you it we with by now so".split()  # noqa: SIM905  a line of words is easier to read
)
"""Small words that a joined-up text has between the known ones."""


def _tagged(verbs: Mapping[str, list[str]], words: Iterable[Mapping[str, list[str]]]) -> dict[str, set[str]]:
    """Each word or phrase with its kinds."""
    tags: dict[str, set[str]] = {}
    for tag, entries in verbs.items():
        for entry in entries:
            for suffix, form in zip(_FORMS, _inflected(entry), strict=True):
                tags.setdefault(_plain_phrase(form), set()).add(tag + suffix)
    for tag, phrase in ((tag, phrase) for table in words for tag, phrases in table.items() for phrase in phrases):
        tags.setdefault(_plain_phrase(phrase), set()).add(tag)
    for form, found in tags.items():
        found.add(HAN if "\u3400" <= form[0] <= "\u9fff" else LATIN)
    return tags


def _shorter(word: str) -> list[str]:
    """The word with each letter but the first left out; none for a short one."""
    return [word[:i] + word[i + 1 :] for i in range(1, len(word))] if _LONG_WORD - 1 <= len(word) <= 20 else []


def _near(words: Iterable[str]) -> dict[str, str]:
    """What is one letter off a word, to that word: the word itself, and it with one letter left out."""
    near: dict[str, str] = {}
    for word in words:
        for short in _shorter(word):
            near.setdefault(short, word)
        near[word] = word
    return near


def _words(phrase: str) -> list[str]:
    return re.findall(r"[0-9]?[a-z]+(?:'[a-z]+)?", phrase)


def _plain_phrase(phrase: str) -> str:
    return phrase if "\u3400" <= phrase[0] <= "\u9fff" else " ".join(_words(phrase))


def _inflected(entry: str) -> tuple[str, str, str, str, str]:
    """Base, -s, past, participle, -ing; an entry with slashes says them itself."""
    if "/" in entry:
        base, third, past, participle, ing = entry.split("/")
        return base, third, past, participle, ing
    head, _, tail = entry.partition(" ")
    tail = f" {tail}" if tail else ""
    stem = head[:-1] if head.endswith("e") and not head.endswith(("ee", "oe")) else head
    if head.endswith("y") and head[-2] not in "aeiou":
        return entry, f"{head[:-1]}ies{tail}", f"{head[:-1]}ied{tail}", f"{head[:-1]}ied{tail}", f"{head}ing{tail}"
    if re.fullmatch(r"(?:[^aeiou]*|sub|com|per|re|un|for)[^aeiou]*[aeiou][bdgmnpt]", head):
        stem += head[-1]
    third = f"{head}es" if head.endswith(("s", "x", "ch", "sh", "o")) else f"{head}s"
    return entry, third + tail, f"{stem}ed{tail}", f"{stem}ed{tail}", f"{stem}ing{tail}"
