"""Recorded replies in the model's place, and what has drifted since they were asked for."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import tzinfo
from enum import StrEnum

from pipeline.prompt import rendered_line
from pipeline.quoting import LINE_BREAK
from pipeline.reasons import Reason
from pipeline.transcript import Line, Transcript
from worker.batch import Asked, Paired, Replies, Told, paired
from worker.extractors import Proposal
from worker.outcomes import Deadline, Lasting, Passing

_LINE = re.compile(r"^\[(\d+)\] (\w+): (.*)$")


class Drift(StrEnum):
    """How today's request differs from the frozen one."""

    NONE = "none"
    INSTRUCTIONS = "instructions"
    """The prompt, the catalogue's keys or the customer's keys: the reply answers other instructions."""
    TICKET = "ticket"
    """The ticket reads otherwise (another mask, say): it is scored as the model saw it."""


class Recorded:
    """An extractor that answers with what was recorded. `turn_to` says which ticket comes next."""

    name = "recorded"

    def __init__(self) -> None:
        self._next = Paired(fault="no reply")

    def turn_to(self, reply: Paired) -> None:
        self._next = reply

    def propose(
        self, transcript: Transcript, *, live_keys: Collection[str], timezone: tzinfo | None, deadline: Deadline
    ) -> Proposal | Passing | Lasting:
        reply = self._next
        if reply.fault:
            return Lasting(reason=Reason.INVALID_REPLY)
        return Proposal(
            candidates=reply.candidates,
            model=reply.model,
            prompt_version=reply.version,
            prompt_tokens=reply.prompt_tokens,
            reply_tokens=reply.reply_tokens,
            calls=1,
        )

    def warm_up(self) -> None:
        """Nothing to load."""


@dataclass(frozen=True, kw_only=True)
class Recording:
    """A replies file with the requests that it answers, by ticket."""

    requests: Mapping[str, Sequence[Asked]] = field(repr=False)
    told: Replies = field(repr=False)

    @property
    def replies(self) -> Mapping[str, Sequence[Told]]:
        return self.told.by_name

    def of(self, name: str) -> Paired:
        """What was said about one ticket; its `fault` where nothing usable was."""
        return paired(self.requests.get(name, ()), self.replies.get(name, ()))

    def prompts(self, name: str) -> str:
        return "\n".join(call.prompt for call in self.requests.get(name, ()))

    @property
    def models(self) -> list[str]:
        return sorted({told.model for of in self.replies.values() for told in of if told.model})

    @property
    def versions(self) -> list[str]:
        return sorted({told.version for of in self.replies.values() for told in of})


@dataclass(frozen=True, kw_only=True)
class Check:
    """How well a replies file fits what was asked, as ids. None of it is dropped without a word: what is missing,
    double or unreadable (by ticket, or by the line that names none) is scored as an omission."""

    asked: int
    answered: int
    missing: tuple[str, ...] = ()
    extra: tuple[str, ...] = ()
    duplicated: tuple[str, ...] = ()
    unreadable: Mapping[str, str] = field(default_factory=dict)


def checked(recording: Recording, names: Collection[str]) -> Check:
    """The file against the requests about the tickets `names`; ids of others asked for are nobody's business here."""
    wanted = {call.custom_id for name in names for call in recording.requests.get(name, ())}
    known = {call.custom_id for calls in recording.requests.values() for call in calls}
    given = [_id(told) for of in recording.replies.values() for told in of]
    mine = [one for one in given if one in wanted]
    faults = {name: recording.of(name).fault for name in sorted(names) if recording.requests.get(name)}
    odd = ("reply missing", "more than one", "a reply to a part")
    return Check(
        asked=len(wanted),
        answered=len(set(mine)),
        missing=tuple(sorted(wanted - set(mine))),
        extra=tuple(sorted(set(given) - known)),
        duplicated=tuple(sorted({one for one in mine if mine.count(one) > 1})),
        unreadable={
            **{name: fault for name, fault in faults.items() if fault and not fault.startswith(odd)},
            **recording.told.unread,
        },
    )


def _id(told: Told) -> str:
    return Asked(name=told.name, part=told.part, version=told.version, body={}).custom_id


# --- drift ------------------------------------------------------------------------------------------------------------


def drift(today: Sequence[Asked], frozen: Sequence[Asked]) -> Drift:
    """Compares what was said to the model; parameters of the call may differ."""
    if [_tickets(call) for call in today] != [_tickets(call) for call in frozen]:
        return Drift.TICKET
    same = [call.body["messages"] for call in today] == [call.body["messages"] for call in frozen]
    return Drift.NONE if same else Drift.INSTRUCTIONS


def as_asked(transcript: Transcript, frozen: Sequence[Asked]) -> Transcript:
    """The transcript with the lines that the model saw, where today's read otherwise.

    A message that was cut into pieces is left as it is today.
    """
    seen: dict[int, set[str]] = {}
    for call in frozen:
        for at, text in _tickets(call):
            seen.setdefault(at, set()).add(text)
    lines = tuple(_as_seen(line, seen.get(line.position, set())) for line in transcript.lines)
    return replace(transcript, lines=lines)


def _as_seen(line: Line, seen: set[str]) -> Line:
    today = _LINE.match(rendered_line(line))
    if len(seen) != 1 or today is None or today[3] in seen:
        return line
    return replace(line, text=next(iter(seen)).replace(f" {LINE_BREAK} ", "\n"))


def _tickets(call: Asked) -> list[tuple[int, str]]:
    """The ticket's lines in a request: position and text."""
    content = str(call.body["messages"][-1].get("content", ""))
    found = (_LINE.match(line) for line in content.split("\n"))
    return [(int(match[1]), match[3]) for match in found if match]
