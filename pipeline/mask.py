"""Masks a ticket before a model sees it: one numbered placeholder a value, the same value the same placeholder.

The detectors of gate 6 read the whole ticket as one labelled conversation, so a number that is cut over two messages
and an answer to 'which number?' are found. What the helpdesk knows the customer by is masked exactly, too. Statements
that no placeholder can stand for (health, belief, a child) stay readable; the gate refuses them later.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from pipeline.events import CustomerIdentifiers, Role, TicketClosed
from pipeline.normalise import HAN, View, normalised, spoken
from pipeline.reasons import Reason
from pipeline.sensitive import PLACEHOLDER, STATEMENTS, matches
from pipeline.transcript import _MADE_BY_MASK, Line, Span, Transcript

_LABELS: dict[Role, str] = {
    Role.CUSTOMER: "customer: ",
    Role.AGENT: "agent: ",
    Role.BOT: "bot: ",
    Role.SYSTEM: "system: ",
    Role.INTERNAL_NOTE: "support: ",
}
NAME = "NAME"


@dataclass(frozen=True, kw_only=True, order=True)
class _Value:
    """A stretch of the conversation that is masked. `key` tells equal values, whatever their writing."""

    start: int
    end: int
    kind: str
    key: str = field(repr=False)


def masked(event: TicketClosed) -> Transcript:
    """The ticket's messages with placeholders, and where each stood. What a detector raises goes up."""
    text, starts = _conversation(event)
    values = _merged(text, [*_sensitive(text), *_known(text, event.customer_identifiers)])
    placeholders = _numbered(values, taken=set(PLACEHOLDER.findall(text)))
    spans = tuple(_spans(event, starts, values, placeholders))
    lines = tuple(
        Line(position=at, role=message.role, text=_replaced(message.text, at, spans), id=message.id, at=message.at)
        for at, message in enumerate(event.messages)
    )
    return Transcript(lines, event.closed_at, event.language or _language(event), spans, _MADE_BY_MASK)


def _conversation(event: TicketClosed) -> tuple[str, list[int]]:
    """All messages with speaker labels, and where each message's own text begins."""
    parts: list[str] = []
    starts: list[int] = []
    at = 0
    for message in event.messages:
        label = _LABELS[message.role]
        starts.append(at + len(label))
        text = f"{label}{message.text}\n"
        parts.append(text)
        at += len(text)
    return "".join(parts), starts


def _sensitive(text: str) -> Iterator[_Value]:
    for reason, pieces in matches(text):
        if reason not in STATEMENTS:
            key = _key(reason.value, "".join(text[start:end] for start, end in pieces))
            for start, end in pieces:
                yield _Value(start=start, end=end, kind=reason.value.upper(), key=key)


def _key(kind: str, text: str) -> str:
    """Digits and letters alone; of a phone number the last ten digits, so that +86 makes no difference."""
    plain = re.sub(r"\W|_", "", spoken(normalised(text)).lower)
    return plain[-10:] if kind == Reason.PHONE.value and plain.isdigit() and len(plain) > 10 else plain


# --- what the helpdesk knows the customer by ------------------------------------------------------------------------


def _known(text: str, identifiers: CustomerIdentifiers | None) -> Iterator[_Value]:
    if identifiers is None:
        return
    plain = normalised(text)
    said = spoken(plain)
    if identifiers.name:
        yield from _found(text, plain, _name_pattern(identifiers.name), NAME)
    if identifiers.email:
        yield from _found(text, plain, _literal(normalised(identifiers.email).lower.strip()), "EMAIL")
    if identifiers.phone:
        for number in _phone_forms(identifiers.phone):
            yield from _found(text, said, _digits_pattern(number), "PHONE")


def _found(text: str, view: View, pattern: re.Pattern[str] | None, kind: str) -> Iterator[_Value]:
    for m in pattern.finditer(view.text) if pattern else ():
        start, end = view.origin(*m.span())
        yield _Value(start=start, end=end, kind=kind, key=_key(kind.lower(), text[start:end]))


def _literal(value: str) -> re.Pattern[str] | None:
    return re.compile(re.escape(value), re.IGNORECASE) if len(value) >= 3 else None


def _name_pattern(name: str) -> re.Pattern[str] | None:
    """The whole name in any case and spacing. One Latin word ('Will', 'Mark') only as written: it may be a word."""
    parts = normalised(name).text.split()
    if not parts or len("".join(parts)) < 2:
        return None
    body = r"[\s,.\-·]{1,3}".join(re.escape(part) for part in parts)
    alone = len(parts) == 1 and parts[0].isascii()
    return re.compile(rf"(?<![A-Za-z0-9]){body}(?![A-Za-z0-9])", 0 if alone else re.IGNORECASE)


def _phone_forms(phone: str) -> list[str]:
    """The digits to look for: as given, and without the country code. The longest first."""
    import phonenumbers

    digits = re.sub(r"\D", "", spoken(normalised(phone)).text)
    forms = {digits}
    try:
        parsed = phonenumbers.parse(f"+{digits}" if not phone.strip().startswith("+") else phone, None)
        forms.add(str(parsed.national_number))
    except phonenumbers.NumberParseException:
        forms.add(digits.lstrip("0"))
    if digits.startswith("86") and len(digits) == 13:
        forms.add(digits[2:])
    return sorted((form for form in forms if len(form) >= 7), key=len, reverse=True)


def _digits_pattern(digits: str) -> re.Pattern[str]:
    body = r"[\s\-.()/·,、_]{0,3}".join(digits)
    return re.compile(rf"(?<![0-9]){body}(?![0-9])|(?<=0){body}(?![0-9])")


# --- placeholders ---------------------------------------------------------------------------------------------------


def _merged(text: str, values: Iterable[_Value]) -> list[_Value]:
    """Overlapping finds as one, of the longest one's kind. Neighbours that only touch stay two."""
    kept: list[_Value] = []
    for value in sorted(values, key=lambda v: (v.start, -v.end)):
        if kept and value.start < kept[-1].end:
            kept[-1] = _union(text, kept[-1], value)
        else:
            kept.append(value)
    return kept


def _union(text: str, left: _Value, right: _Value) -> _Value:
    longer = left if left.end - left.start >= right.end - right.start else right
    start, end = left.start, max(left.end, right.end)
    if (start, end) == (longer.start, longer.end):
        return longer
    return _Value(start=start, end=end, kind=longer.kind, key=_key(longer.kind.lower(), text[start:end]))


def _numbered(values: list[_Value], taken: set[str]) -> list[str]:
    """A placeholder for each value, in order. A string that the ticket itself holds is never used."""
    given: dict[tuple[str, str], str] = {}
    count: Counter[str] = Counter()
    for value in values:
        while (value.kind, value.key) not in given:
            count[value.kind] += 1
            name = f"<{value.kind}_{count[value.kind]}>"
            if name not in taken:
                given[value.kind, value.key] = name
    return [given[value.kind, value.key] for value in values]


def _spans(event: TicketClosed, starts: list[int], values: list[_Value], placeholders: list[str]) -> Iterator[Span]:
    """The values as spans of single messages: what lies over a border is cut there."""
    position = 0
    for value, placeholder in zip(values, placeholders, strict=True):
        while position + 1 < len(starts) and starts[position + 1] <= value.start:
            position += 1
        at = position
        while at < len(starts) and starts[at] < value.end:
            start = max(0, value.start - starts[at])
            end = min(len(event.messages[at].text), value.end - starts[at])
            if start < end:
                yield Span(position=at, start=start, end=end, placeholder=placeholder)
            at += 1


def _replaced(text: str, position: int, spans: tuple[Span, ...]) -> str:
    out: list[str] = []
    at = 0
    for span in spans:
        if span.position == position:
            out += text[at : span.start], span.placeholder
            at = span.end
    return "".join([*out, text[at:]])


_HAN = re.compile(rf"[{HAN}]")
_LETTERS = re.compile(r"[A-Za-z]+")


def _language(event: TicketClosed) -> str:
    """'zh' when Chinese characters outnumber Latin words, else 'en'."""
    text = "\n".join(message.text for message in event.messages)
    return "zh" if len(_HAN.findall(text)) > len(_LETTERS.findall(text)) else "en"
