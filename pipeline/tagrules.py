"""Rules over tagged text: which kinds of words, put together, mean what.

A sentence is a string with one letter a word (pipeline/tagging.py). A pattern is a line of atoms over it: `A|B` a word
of either kind, `A*` every form of a verb, `A?` maybe, `,` the end of a clause, `.3` up to three words of one clause,
`~8` up to eight of one sentence, `^` and `$` the ends of a clause, `!A` not followed by A, `<!A` not preceded by A,
`<!!A` nor by A and one more word. So `NOT .2 CHECKN` is a negation and, at most two words later, a check, whichever
words of either language those are. All repetition is bounded: the cost is linear.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pipeline.tagging import ASKED, CLAUSE, SENTENCE, WORD, Lexicon


@dataclass(frozen=True, kw_only=True)
class Rule:
    """`pattern` and `unless` as written; `script`: LATIN or HAN where the order of words is that of one script.

    `weak`: harmless sentences meet it too, so that it decides only together with something else.
    """

    name: str
    pattern: str
    unless: str = ""
    script: str = ""
    weak: bool = False


class Rules:
    """Rules over one lexicon. Raises ValueError for a tag that no word has.

    A sentence meets few of them. For each letter a mask says of which rules it is the first, second, ... word that they
    cannot do without (a stretch of bits each, a bit a rule), and only rules that have all of theirs are tried. An
    expression is compiled when first tried.
    """

    def __init__(self, lexicon: Lexicon, rules: Iterable[Rule]) -> None:
        self.rules = tuple(rules)
        self._lexicon = lexicon
        self._compiled: dict[int, tuple[re.Pattern[str], re.Pattern[str] | None]] = {}
        needs = [_needs(lexicon, one) for one in self.rules]
        self._size = len(self.rules)
        self._slots = range(max(map(len, needs)))
        self._free = sum(
            1 << (slot * self._size + i) for slot in self._slots for i, need in enumerate(needs) if len(need) <= slot
        )
        self._masks = self._needing(needs)

    def _needing(self, needs: list[list[frozenset[str]]]) -> dict[str, int]:
        """Of each letter its mask; words of the same kinds are needed by many rules, so they are gathered first."""
        bits: dict[frozenset[str], int] = {}
        for i, need in enumerate(needs):
            for slot, letters in enumerate(need):
                bits[letters] = bits.get(letters, 0) | 1 << (slot * self._size + i)
        masks: dict[str, int] = {}
        for letters, mask in bits.items():
            for letter in letters:
                masks[letter] = masks.get(letter, 0) | mask
        return masks

    def first(self, sentence: str) -> Rule | None:
        """The first rule that the sentence (letters) meets."""
        return next(self.met(sentence), None)

    def met(self, sentence: str) -> Iterator[Rule]:
        """The rules that the sentence meets."""
        possible = self._possible(sentence)
        while possible:
            lowest = possible & -possible
            index = lowest.bit_length() - 1
            if self._meets(index, sentence):
                yield self.rules[index]
            possible ^= lowest

    def _possible(self, sentence: str) -> int:
        found = self._free
        for letter in set(sentence):
            found |= self._masks.get(letter, 0)
        possible = (1 << self._size) - 1
        for _ in self._slots:
            possible &= found
            found >>= self._size
        return possible

    def _meets(self, index: int, sentence: str) -> bool:
        finds, unless = self._compiled.get(index) or self._compile(index)
        if unless is None:
            return finds.search(sentence) is not None
        return any(not _excused(unless, sentence, m) for m in finds.finditer(sentence))

    def _compile(self, index: int) -> tuple[re.Pattern[str], re.Pattern[str] | None]:
        one = self.rules[index]
        finds = re.compile("".join(_expression(self._lexicon, atom) for atom in one.pattern.split()))
        unless = re.compile(_class(self._lexicon, one.unless.replace(" ", "|"))) if one.unless else None
        self._compiled[index] = finds, unless
        return finds, unless


def _excused(unless: re.Pattern[str], sentence: str, m: re.Match[str]) -> bool:
    """A word that excuses it stands in the clauses of the match."""
    start = sentence.rfind(CLAUSE, 0, m.start()) + 1
    end = sentence.find(CLAUSE, max(m.start(), m.end() - 1))
    return unless.search(sentence, start, len(sentence) if end < 0 else end) is not None


def _needs(lexicon: Lexicon, one: Rule) -> list[frozenset[str]]:
    """The letters of each word that a match cannot do without."""
    needs = [lexicon.letters(one.script)] if one.script else []
    for atom in one.pattern.split():
        names = atom.split("|")
        if atom[0] not in ".~^$!<" and not atom.endswith("?") and not {"$", *_SIGNS} & set(names):
            needs.append(frozenset().union(*(lexicon.letters(name) for name in names)))
    return needs


def _expression(lexicon: Lexicon, atom: str) -> str:
    """The regular expression, over letters, of one atom of a pattern."""
    if atom in _ENDS:
        return _ENDS[atom]
    if atom[0] in ".~":
        return f"[^{CLAUSE if atom[0] == '.' else SENTENCE}]{{0,{atom[1:]}}}?"
    if atom.startswith("<!!"):
        first = _class(lexicon, atom[3:])
        return f"(?<!{first})(?<!{first}[{WORD}{''.join(sorted(lexicon.letters('ALWAYS')))}])"
    if atom.startswith("<!"):
        return f"(?<!{_class(lexicon, atom[2:])})"
    if atom.startswith("!"):
        return f"(?!{_class(lexicon, atom[1:])})"
    return f"{_class(lexicon, atom[:-1])}?" if atom.endswith("?") else _class(lexicon, atom)


_SIGNS = {"ASKED": ASKED, ",": CLAUSE}
_END = f"(?=[{CLAUSE}{ASKED}]|$)"
_ENDS = {"^": f"(?:(?<=[{CLAUSE}])|^)", "$": _END}


def _class(lexicon: Lexicon, names: str) -> str:
    parts = names.split("|")
    letters = {letter for name in parts if name != "$" for letter in _SIGNS.get(name) or lexicon.letters(name)}
    one_of = f"[{''.join(sorted(letters))}]"
    return f"(?:{one_of}|{_END})" if "$" in parts else one_of
