"""The model's reply, decoded once into candidates or into one named error.

The reply as a whole must fit the schema to the letter: prose around the JSON, a cut-off or half a character would lose
facts silently, so they cost one repair instead. What fits but is nonsense (an unknown kind, a confidence of 7) stays a
candidate, so that gate 1 refuses it with a reason and the rest of the reply lives.
"""

import json
from datetime import date
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pipeline.facts import Candidate, Quote

MAX_REPLY = 400_000
MAX_FACTS = 200
UNREADABLE = "unreadable"
"""Stands in `lasting` for a field that fits the schema but cannot be read (a date that is none): gate 1 refuses it."""


class InvalidReply(ValueError):
    """The model's reply does not fit the schema. Ask once more (`repair_messages`); if that fails too, the event is
    dead with `invalid_reply`: look at the model and its settings (`afterword doctor`), then replay. `problem` says
    where and what, in words of ours; it never repeats the reply.
    """

    def __init__(self, problem: str) -> None:
        super().__init__(problem)
        self.problem = problem


class _Strict(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, hide_input_in_errors=True)


class QuoteModel(_Strict):
    message: int = Field(description="number of the message")
    text: str = Field(description="its exact words", repr=False)


class FactModel(_Strict):
    """One fact as the model gives it. Every field is required: OpenAI's strict mode knows no optional ones."""

    kind: str
    key: str = Field(repr=False)
    value: str = Field(repr=False)
    ended: bool
    quotes: tuple[QuoteModel, ...] = Field(repr=False, strict=False)
    speaker: str
    about: str
    lasting: str
    until: str | None
    confidence: float


class ReplyModel(_Strict):
    facts: tuple[FactModel, ...] = Field(max_length=MAX_FACTS, repr=False, strict=False)


def parse_reply(text: str) -> tuple[Candidate, ...]:
    """The candidates of a reply, in its order. Raises InvalidReply. Message numbers count from 0."""
    raw = _decoded(text)
    try:
        reply = ReplyModel.model_validate(raw)
    except ValidationError as error:
        raise InvalidReply(_problem(error)) from None
    return tuple(_candidate(fact) for fact in reply.facts)


def _decoded(text: str) -> Any:
    if len(text) > MAX_REPLY:
        raise InvalidReply(f"longer than {MAX_REPLY} characters")
    try:
        raw = json.loads(text, parse_constant=_refuse, object_pairs_hook=_without_doubles)
    except InvalidReply:
        raise
    except (ValueError, RecursionError):
        raise InvalidReply(_json_problem(text)) from None
    if _has_surrogate(raw):
        raise InvalidReply("half of a surrogate pair in a string")
    return raw


def _refuse(name: str) -> None:
    raise InvalidReply("a number that JSON does not know")


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Two members of one name: the first would be lost without a word."""
    if len({name for name, _ in pairs}) != len(pairs):
        raise InvalidReply("the same field twice in one object")
    return dict(pairs)


def _json_problem(text: str) -> str:
    stripped = text.strip()
    if not stripped:
        return "empty"
    if not stripped.startswith("{"):
        return "text around the JSON object"
    behind = stripped.rpartition("}")[2] if "}" in stripped else ""
    return "text around the JSON object" if behind.strip(" \t\r\n]") else "JSON cut off or malformed"


def _has_surrogate(value: Any) -> bool:
    if isinstance(value, str):
        return any("\ud800" <= char <= "\udfff" for char in value)
    if isinstance(value, dict):
        return any(_has_surrogate(part) for item in value.items() for part in item)
    return isinstance(value, list) and any(_has_surrogate(part) for part in value)


_FIELDS = frozenset(ReplyModel.model_fields) | frozenset(FactModel.model_fields) | frozenset(QuoteModel.model_fields)


def _problem(error: ValidationError) -> str:
    """'facts[2].key: Field required'. Names that are not ours are content, and are not repeated."""
    first = error.errors(include_input=False, include_context=False, include_url=False)[0]
    where = "".join(
        f"[{part}]" if isinstance(part, int) else f".{part if part in _FIELDS else '(unknown field)'}"
        for part in first["loc"]
    )
    return f"{where.lstrip('.') or 'reply'}: {first['msg']}"


def _candidate(fact: FactModel) -> Candidate:
    until, readable = _until(fact.until)
    return Candidate(
        kind=fact.kind,
        key=fact.key,
        value=fact.value,
        ended=fact.ended,
        quotes=tuple(Quote(message=quote.message, text=quote.text) for quote in fact.quotes),
        speaker=fact.speaker,
        about=fact.about,
        lasting=fact.lasting if readable else UNREADABLE,
        until=until,
        confidence=fact.confidence,
    )


def _until(text: str | None) -> tuple[date | None, bool]:
    if text is None or not text.strip():
        return None, True
    try:
        return date.fromisoformat(text.strip()[:10]), True
    except ValueError:
        return None, False


# --- the schema, as strict structured output wants it -----------------------------------------------------------------


def reply_schema() -> dict[str, Any]:
    """JSON Schema of the reply, within OpenAI's strict mode: no extras, everything required, no references."""
    quote = _object(message={"type": "integer"}, text={"type": "string"})
    fact = _object(
        kind={"type": "string", "enum": ["preference", "profile", "situation", "episode"]},
        key={"type": "string"},
        value={"type": "string"},
        ended={"type": "boolean"},
        quotes={"type": "array", "items": quote},
        speaker={"type": "string", "enum": ["customer", "agent"]},
        about={"type": "string", "enum": ["customer", "organisation", "third_party", "agent"]},
        lasting={"type": "string", "enum": ["lasting", "until_date", "once", "mood"]},
        until={"type": ["string", "null"]},
        confidence={"type": "number"},
    )
    return _object(facts={"type": "array", "items": fact})


def _object(**properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def repair_messages(messages: list[dict[str, str]], reply: str, error: InvalidReply) -> list[dict[str, str]]:
    """The same request once more, with the reply that did not fit and what was wrong with it."""
    asked = (
        f"That reply does not fit the schema ({error.problem}). Reply again with the one JSON object and nothing else: "
        "no text around it, complete, every field present."
    )
    clean = reply[:MAX_REPLY].encode("utf-8", "replace").decode()
    return [*messages, {"role": "assistant", "content": clean or "(empty)"}, {"role": "user", "content": asked}]
