"""Where a quote stands: the line, the clause around it, and which parts of a message are somebody else's mail."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from pipeline.events import Role
from pipeline.facts import Candidate, Quote
from pipeline.memo import once
from pipeline.transcript import Line, Transcript

LINE_BREAK = "⏎"
"""Stands for a line break where a prompt shows a message on one line; in a quote it is white space again."""
_SPACE = re.compile(r"\s+")
_QUOTED_LINE = re.compile(r"^[ \t]*(?:>|＞|&gt;|\|\s)")
_MAIL_HEADER = re.compile(
    r"^[ \t]*(?:-{2,} ?(?:original message|forwarded message|begin forwarded|原始邮件|转发邮件|转发的邮件|原邮件)"
    r"|begin forwarded message|on [^\n]{4,80} wrote:|在 ?[^\n]{4,60}写道[:：]"
    r"|(?:from|发件人|寄件人)[:：] ?[^\n]{2,}$)",
    re.IGNORECASE,
)
_SIGNATURE = re.compile(
    r"^[ \t]*(?:-- ?|—|__+|此致|祝好|顺祝商祺|(?:best|kind|warm|many)? ?(?:regards|wishes),?|sincerely,?|cheers,|"
    r"sent from my \w+[^\n]*)[ \t]*$",
    re.IGNORECASE,
)
_CLAUSE = re.compile(
    r"[^,，;；。.!！?？\n、]+(?:(?<=\d)[.,](?=\d)[^,，;；。.!！?？\n、]+|\.(?=\w)[^,，;；。.!！?？\n、]+)*[,，;；。.!！?？、]*"
)
_SENTENCE = re.compile(r"(?:[^。.!！?？\n；;]|\.(?=\w))+[。.!！?？\n；;]*")


def folded(text: str) -> str:
    """White space folded to single blanks: all that a quote may differ in."""
    return _SPACE.sub(" ", text).strip()


@dataclass(frozen=True, kw_only=True)
class Place:
    """A quote found in its line: offsets in the line's text, end exclusive."""

    line: Line
    begin: int
    end: int
    quote: str = field(repr=False)

    @property
    def clauses(self) -> tuple[str, ...]:
        """The clauses of the message that the quote touches, whole, so that cutting a quote short hides nothing."""
        return self._touched(_clause_spans(self.line.text))

    @property
    def sentences(self) -> tuple[str, ...]:
        return self._touched(_sentence_spans(self.line.text))

    def _touched(self, spans: Iterable[tuple[int, int]]) -> tuple[str, ...]:
        return tuple(self.line.text[begin:end] for begin, end in spans if begin < self.end and self.begin < end)

    @property
    def foreign(self) -> bool:
        """Whether it stands in quoted mail or below a signature's line."""
        return any(begin <= self.begin < end for begin, end in foreign_spans(self.line.text))


@once
def _clause_spans(text: str) -> tuple[tuple[int, int], ...]:
    return tuple(match.span() for match in _CLAUSE.finditer(text))


@once
def _sentence_spans(text: str) -> tuple[tuple[int, int], ...]:
    return tuple(match.span() for match in _SENTENCE.finditer(text))


def line_at(transcript: Transcript, position: int) -> Line | None:
    return next((line for line in transcript.lines if line.position == position), None)


def places(candidate: Candidate, transcript: Transcript) -> tuple[Place, ...] | None:
    """Where each quote stands in its message; None where one does not. Outside quoted mail is preferred."""
    found = tuple(_place(quote, line_at(transcript, quote.message)) for quote in candidate.quotes)
    return tuple(place for place in found if place) if found and all(found) else None


def _place(quote: Quote, line: Line | None) -> Place | None:
    if line is None or not _SPACE.sub("", quote.text.replace(LINE_BREAK, "")):
        return None
    pattern = r"\s+".join(re.escape(word) for word in quote.text.replace(LINE_BREAK, " ").split())
    spots = [Place(line=line, begin=m.start(), end=m.end(), quote=m[0]) for m in re.finditer(pattern, line.text)]
    return next((spot for spot in spots if not spot.foreign), spots[0] if spots else None)


@once
def foreign_spans(text: str) -> tuple[tuple[int, int], ...]:
    """The parts of a message that are quoted mail (lines behind '>', below a mail header) or a signature."""
    spans, at, below = [], 0, False
    for raw in text.splitlines(keepends=True):
        below = below or _ends_own_words(raw, at)
        if below or _QUOTED_LINE.match(raw):
            spans.append((at, at + len(raw)))
        at += len(raw)
    return tuple(spans)


def _ends_own_words(raw: str, at: int) -> bool:
    return bool(_MAIL_HEADER.match(raw) or (at and _SIGNATURE.match(raw.rstrip("\r\n"))))


def own_words(line: Line) -> str:
    """The message without what is quoted mail or signature."""
    return _without(line.text, foreign_spans(line.text))


@once
def _without(text: str, spans: tuple[tuple[int, int], ...]) -> str:
    kept, at = [], 0
    for begin, end in spans:
        kept.append(text[at:begin])
        at = end
    return "".join(kept) + text[at:]


def clauses_of(text: str) -> tuple[str, ...]:
    return tuple(text[begin:end] for begin, end in _clause_spans(text))


def lines_of(transcript: Transcript, roles: Iterable[Role]) -> tuple[Line, ...]:
    wanted = frozenset(roles)
    return tuple(line for line in transcript.lines if line.role in wanted)
