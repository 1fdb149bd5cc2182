"""The OpenAI Batch file format: model calls as JSON Lines, to be answered in bulk, and the returned file.

A request is {"custom_id", "method", "url", "body"}, a reply {"custom_id", "response": {"status_code", "body"}, "error"}
(https://platform.openai.com/docs/guides/batch). The format has no room for notes, so `custom_id` carries the version of
the prompt: `name|version|part`. Bodies hold masked text only.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import tzinfo
from typing import Any

from pipeline.catalogue import Catalogue
from pipeline.facts import Candidate
from pipeline.parts import MIN_BUDGET, TooLong, merged, parts
from pipeline.prompt import PROMPT_VERSION, prompt_messages
from pipeline.reply import InvalidReply, parse_reply, reply_schema
from pipeline.transcript import Transcript
from pipeline.wire import numbered_lines
from worker.extractors import tokens_of
from worker.settings import Settings

URL = "/v1/chat/completions"
_SEPARATOR = "|"
_PART = re.compile("[0-9]{1,6}")


@dataclass(frozen=True, kw_only=True)
class Asked:
    """One model call about the ticket `name`: part `part` (from 0), with the prompt of `version`."""

    name: str
    part: int
    version: str
    body: dict[str, Any] = field(repr=False)

    @property
    def custom_id(self) -> str:
        return _SEPARATOR.join((self.name, self.version, str(self.part)))

    def line(self) -> str:
        """The request as a line of a batch file, without its end."""
        row = {"custom_id": self.custom_id, "method": "POST", "url": URL, "body": self.body}
        return json.dumps(row, ensure_ascii=False)

    @property
    def prompt(self) -> str:
        """Everything that was said to the model."""
        return "\n".join(str(message.get("content", "")) for message in self.body.get("messages", ()))


@dataclass(frozen=True, kw_only=True)
class Told:
    """One reply: the model that gave it, what it said and what it cost, or why there is none (`fault`)."""

    name: str
    part: int
    version: str
    model: str = ""
    text: str = field(default="", repr=False)
    prompt_tokens: int = 0
    reply_tokens: int = 0
    fault: str = ""


@dataclass(frozen=True, kw_only=True)
class Replies:
    """A returned file: the replies by ticket, in the file's order (doubles are all there), and by its number every line
    that is no reply, with what is wrong with it."""

    by_name: Mapping[str, Sequence[Told]] = field(repr=False)
    unread: Mapping[str, str]


class BadBatch(ValueError):
    """A batch file is not one. The message names the line and what is wanted; nothing of its content."""

    for_people = True


# --- asking -----------------------------------------------------------------------------------------------------------


def asked(
    name: str,
    transcript: Transcript,
    *,
    settings: Settings,
    catalogue: Catalogue,
    live_keys: Sequence[str],
    timezone: tzinfo | None,
) -> tuple[Asked, ...]:
    """The calls that a worker would make first about a ticket: one, or one a part. Raises TooLong."""
    from worker.llm import Dialect

    def prompt(part: Transcript) -> list[dict[str, str]]:
        return prompt_messages(part, catalogue=catalogue, live_keys=live_keys, timezone=timezone)

    room = max(settings.prompt_budget - tokens_of(prompt(transcript.part(0, 0))), MIN_BUDGET)
    dialect = Dialect(model=settings.model, reply_budget=settings.reply_budget)
    pieces = parts(transcript, budget_tokens=room)
    return tuple(
        Asked(name=name, part=at, version=PROMPT_VERSION, body=dialect.request(prompt(piece), reply_schema()))
        for at, piece in enumerate(pieces)
    )


# --- reading files ----------------------------------------------------------------------------------------------------


def read_requests(lines: Iterable[str]) -> dict[str, tuple[Asked, ...]]:
    """The calls by ticket, in order of their parts. Raises BadBatch."""
    by_name: dict[str, list[Asked]] = {}
    for number, text in numbered_lines(lines):
        try:
            call = _asked(_row(text))
        except BadBatch as error:
            raise BadBatch(f"line {number}: {error}") from None
        by_name.setdefault(call.name, []).append(call)
    return {name: tuple(sorted(calls, key=lambda call: call.part)) for name, calls in by_name.items()}


def _asked(row: dict[str, Any]) -> Asked:
    name, version, part = _id_of(row)
    body = row.get("body")
    if not isinstance(body, dict) or not isinstance(body.get("messages"), list):
        raise BadBatch("body: want a chat completion request with its messages")
    return Asked(name=name, part=part, version=version, body=body)


def read_replies(lines: Iterable[str]) -> Replies:
    """What a returned file holds. A line that is none of its kind (a download was cut off) costs that line alone;
    raises BadBatch where all of them are so: it is another file."""
    by_name: dict[str, list[Told]] = {}
    unread: dict[str, str] = {}
    for number, text in numbered_lines(lines):
        try:
            told = _told(_row(text))
            by_name.setdefault(told.name, []).append(told)
        except BadBatch as error:
            unread[f"line {number}"] = str(error)
    if unread and not by_name:
        raise BadBatch(": ".join(next(iter(unread.items()))))
    return Replies(by_name=by_name, unread=unread)


def _row(text: str) -> dict[str, Any]:
    try:
        row = json.loads(text)
    except (ValueError, RecursionError):
        raise BadBatch("is not JSON") from None
    if not isinstance(row, dict):
        raise BadBatch("want a JSON object")
    return row


def _id_of(row: dict[str, Any]) -> tuple[str, str, int]:
    name, _, rest = str(row.get("custom_id", "")).partition(_SEPARATOR)
    version, _, part = rest.partition(_SEPARATOR)
    if not name or not version or not _PART.fullmatch(part):
        raise BadBatch("custom_id: want name|prompt version|part, as the request file has it")
    return name, version, int(part)


def _told(row: dict[str, Any]) -> Told:
    name, version, part = _id_of(row)
    response = row.get("response") or {}
    body = response.get("body") if isinstance(response, dict) else None
    status = response.get("status_code") if isinstance(response, dict) else None
    if row.get("error") or status != 200 or not isinstance(body, dict):
        return Told(name=name, part=part, version=version, fault=f"no answer (status {status or 'missing'})")
    try:
        choice = body["choices"][0]
        text = choice["message"]["content"]
    except (LookupError, TypeError):
        return Told(name=name, part=part, version=version, fault="not a chat completion")
    fault = "" if choice.get("finish_reason", "stop") == "stop" and isinstance(text, str) else "refused or cut off"
    usage = body.get("usage") if isinstance(body.get("usage"), dict) else {}
    return Told(
        name=name,
        part=part,
        version=version,
        model=str(body.get("model", "")),
        text=text if isinstance(text, str) else "",
        prompt_tokens=_count(usage, "prompt_tokens"),
        reply_tokens=_count(usage, "completion_tokens"),
        fault=fault,
    )


def _count(usage: Any, name: str) -> int:
    value = usage.get(name)
    return value if isinstance(value, int) and value >= 0 else 0


# --- pairing ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Paired:
    """What the replies say about one ticket. `fault` names why nothing can be taken from them: an omission."""

    candidates: tuple[Candidate, ...] = field(default=(), repr=False)
    model: str = ""
    version: str = ""
    prompt_tokens: int = 0
    reply_tokens: int = 0
    fault: str = ""


def paired(calls: Sequence[Asked], replies: Sequence[Told]) -> Paired:
    """The candidates of one ticket's replies. A part that is missing, double or unreadable makes all of it an
    omission, as a worker would not keep half a ticket. `calls` may be empty: then the replies stand alone."""
    wanted = [call.part for call in calls] or sorted({told.part for told in replies}) or [0]
    fault = _pairing_fault(wanted, replies)
    if fault:
        return Paired(fault=fault)
    try:
        found = [parse_reply(told.text) for told in sorted(replies, key=lambda told: told.part)]
    except InvalidReply as error:
        return Paired(fault=f"invalid reply: {error.problem}")
    return Paired(
        candidates=merged(found),
        model=replies[0].model,
        version=replies[0].version,
        prompt_tokens=sum(told.prompt_tokens for told in replies),
        reply_tokens=sum(told.reply_tokens for told in replies),
    )


def _pairing_fault(wanted: Sequence[int], replies: Sequence[Told]) -> str:
    given = [told.part for told in replies]
    if missing := sorted(set(wanted) - set(given)):
        return f"reply missing (part {missing[0]})"
    if len(given) != len(set(given)):
        return "more than one reply"
    if set(given) - set(wanted):
        return "a reply to a part that was not asked"
    return next((told.fault for told in replies if told.fault), "")


__all__ = [
    "Asked",
    "BadBatch",
    "Paired",
    "Replies",
    "Told",
    "TooLong",
    "asked",
    "paired",
    "read_replies",
    "read_requests",
]
