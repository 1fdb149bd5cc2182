"""Who proposes facts: a language model, or the offline rules. Two behind one interface; neither decides anything."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from datetime import tzinfo
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol

from pipeline.catalogue import Catalogue
from pipeline.facts import Candidate
from pipeline.parts import MIN_BUDGET, merged, parts
from pipeline.parts import TooLong as TooManyParts
from pipeline.prompt import PROMPT_VERSION, estimated_tokens, prompt_messages
from pipeline.reasons import Reason
from pipeline.reply import InvalidReply, parse_reply, repair_messages, reply_schema
from pipeline.transcript import Transcript
from worker.limits import ModelLimits
from worker.outcomes import Answer, Deadline, Lasting, Passing, Reply, Spent, TooLong
from worker.settings import Settings

if TYPE_CHECKING:
    from worker.llm import Messages, Model

RULES_NAME = "rules (offline: finds little)"


@dataclass(frozen=True, kw_only=True)
class Proposal:
    """What was proposed, by whom, and what it cost. `ms` is the time spent waiting for the model."""

    candidates: tuple[Candidate, ...] = field(default=(), repr=False)
    model: str = ""
    prompt_version: str = ""
    prompt_tokens: int = 0
    reply_tokens: int = 0
    ms: int = 0
    calls: int = 0


class Extractor(Protocol):
    """Reads a masked ticket and proposes facts."""

    name: str

    def propose(
        self, transcript: Transcript, *, live_keys: Collection[str], timezone: tzinfo | None, deadline: Deadline
    ) -> Proposal | Passing | Lasting:
        """Candidates in the order in which they were found. `live_keys` are names of the customer's live facts."""

    def warm_up(self) -> None:
        """Loads what is slow to load, so that the first ticket does not pay for it."""


# --- the offline rules ------------------------------------------------------------------------------------------------


class RulesExtractor:
    """Reads plain statements by the catalogue's cues. Needs no model, finds little, and says so in its name."""

    name = RULES_NAME

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue

    def propose(
        self, transcript: Transcript, *, live_keys: Collection[str], timezone: tzinfo | None, deadline: Deadline
    ) -> Proposal:
        from pipeline.rules import propose

        found = propose(transcript, catalogue=self._catalogue, timezone=timezone)
        return Proposal(candidates=tuple(found), model=self.name)

    def warm_up(self) -> None:
        import pipeline.rules  # noqa: F401


# --- a language model -------------------------------------------------------------------------------------------------


class OpenAIExtractor:
    """Asks a model: once for an ordinary ticket, once more to repair a reply, in parts where it does not fit."""

    def __init__(self, model: "Model", catalogue: Catalogue, *, prompt_budget: int) -> None:
        self.name = model.name
        self._model = model
        self._catalogue = catalogue
        self._budget = prompt_budget

    def propose(
        self, transcript: Transcript, *, live_keys: Collection[str], timezone: tzinfo | None, deadline: Deadline
    ) -> Proposal | Passing | Lasting:
        def prompt(part: Transcript) -> "Messages":
            return prompt_messages(part, catalogue=self._catalogue, live_keys=sorted(live_keys), timezone=timezone)

        frame = tokens_of(prompt(transcript.part(0, 0)))
        session = _Session(self._model, prompt, frame, deadline)
        fault = session.read(transcript, max(self._budget - frame, MIN_BUDGET))
        if isinstance(fault, Lasting):
            return replace(fault, spent=session.spent())
        return fault or session.proposal()

    def warm_up(self) -> None:
        self._model.warm_up()


def tokens_of(messages: "Messages") -> int:
    """About how long a prompt is. The instructions, which stay the same from ticket to ticket, are counted once."""
    return sum(
        _counted(message["content"]) if message["role"] == "system" else estimated_tokens(message["content"])
        for message in messages
    )


@lru_cache(maxsize=256)
def _counted(instructions: str) -> int:
    return estimated_tokens(instructions)


class _Session:
    """The calls about one ticket, and what they add up to. `frame`: tokens of a prompt without any message."""

    def __init__(
        self, model: "Model", prompt: "Callable[[Transcript], Messages]", frame: int, deadline: Deadline
    ) -> None:
        self._model = model
        self._prompt = prompt
        self._frame = frame
        self._deadline = deadline
        self._replies: list[Reply] = []
        self._found: list[tuple[Candidate, ...]] = []
        self._calls = 0

    def proposal(self) -> Proposal:
        return Proposal(
            candidates=merged(self._found),
            model=self._model.name,
            prompt_version=PROMPT_VERSION,
            prompt_tokens=sum(reply.prompt_tokens for reply in self._replies),
            reply_tokens=sum(reply.reply_tokens for reply in self._replies),
            ms=sum(reply.ms for reply in self._replies),
            calls=self._calls,
        )

    def spent(self) -> Spent:
        done = self.proposal()
        if not done.calls:
            return Spent()
        return Spent(
            model=done.model,
            prompt_version=done.prompt_version,
            model_ms=done.ms,
            prompt_tokens=done.prompt_tokens,
            reply_tokens=done.reply_tokens,
        )

    def read(self, transcript: Transcript, room: int) -> Passing | Lasting | None:
        """Asks about the whole, in parts of at most `room` tokens. None: all was read. All or nothing: a part that
        cannot be read makes the ticket fail, since what it held would be lost without a word."""
        pieces = _pieces(transcript, room)
        if pieces is None:
            return Lasting(reason=Reason.TOO_LONG)
        for piece in pieces:
            if fault := self._read_piece(piece, room):
                return fault
        return None

    def _read_piece(self, piece: Transcript, room: int) -> Passing | Lasting | None:
        messages = self._prompt(piece)
        tokens = tokens_of(messages)
        half = min(room, tokens - self._frame) // 2
        divisible = half >= MIN_BUDGET
        answer = self._asked(messages, tokens, divisible=divisible)
        if isinstance(answer, TooLong):
            return self.read(piece, half) if divisible else Lasting(reason=Reason.TOO_LONG)
        if isinstance(answer, tuple):
            self._found.append(answer)
            return None
        return answer

    def _asked(
        self, messages: "Messages", tokens: int, *, divisible: bool
    ) -> tuple[Candidate, ...] | Passing | Lasting | TooLong:
        """The candidates of one prompt, after one repair where the first reply does not fit the schema. A reply that
        was cut off is repaired only where the ticket cannot be divided further."""
        answer = self._call(messages, tokens)
        cut_off = answer.reply if isinstance(answer, TooLong) and not divisible else None
        first = answer if isinstance(answer, Reply) else cut_off
        if first is None:
            return answer  # type: ignore[return-value]  # not a Reply: that one is `first`
        try:
            return parse_reply(first.text)
        except InvalidReply as error:
            second = self._call(repair_messages(messages, first.text, error), tokens)
        if not isinstance(second, Reply):
            return second
        try:
            return parse_reply(second.text)
        except InvalidReply:
            return Lasting(reason=Reason.INVALID_REPLY)

    def _call(self, messages: "Messages", tokens: int) -> Answer:
        self._calls += 1
        answer = self._model.ask(messages, reply_schema(), tokens=tokens, deadline=self._deadline)
        if isinstance(answer, Reply):
            self._replies.append(answer)
        elif isinstance(answer, TooLong) and answer.reply:
            self._replies.append(answer.reply)
        return answer


def _pieces(transcript: Transcript, room: int) -> Sequence[Transcript] | None:
    try:
        return parts(transcript, budget_tokens=room)
    except TooManyParts:
        return None


def extractor_of(settings: Settings, catalogue: Catalogue, limits: ModelLimits) -> Extractor:
    """The extractor that the settings name. The rules are never chosen in place of a model that is missing."""
    if settings.extractor == "rules":
        return RulesExtractor(catalogue)
    from worker.llm import Model  # the SDK takes a second to load

    model = Model(
        api_key=settings.openai_api_key,
        base_url=settings.openai_base_url,
        model=settings.model,
        timeout=settings.model_timeout,
        reply_budget=settings.reply_budget,
        limiter=limits,
    )
    return OpenAIExtractor(model, catalogue, prompt_budget=settings.prompt_budget)
