"""One question to a language model over the OpenAI protocol, answered by a value.

What can go wrong is a value too: `Passing` (wait and ask again), `Lasting` (asking again would not help) or `TooLong`
(ask in parts). No exception leaves this module, since a server's error may repeat the prompt.
"""

import json
import logging
import math
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Protocol

import openai

from pipeline.reasons import Reason
from worker.connections import ConnectionPerThread
from worker.outcomes import Answer, Deadline, Lasting, Passing, Reply, TooLong

MAX_REPLY_BYTES = 2_000_000
MAX_RETRY_AFTER = 3600.0
NO_KEY = "none"
"""What the SDK is given where only OPENAI_BASE_URL is set: a server of one's own often wants no key."""
log = logging.getLogger("worker.llm")

Messages = list[dict[str, str]]


class Limiter(Protocol):
    """What stands before the model for all workers together; see `worker.limits`."""

    def wait(self, tokens: int) -> float:
        """Seconds until a call of so many tokens may be made; 0 books it."""

    def record(self, answer: Answer) -> None:
        """How a call ended."""


class Model:
    """An OpenAI-compatible server. One a process: a new client costs 65 ms of CPU. Safe to share among threads."""

    def __init__(
        self, *, api_key: str, base_url: str, model: str, timeout: float, reply_budget: int, limiter: Limiter
    ) -> None:
        # max_retries=0: the SDK's own two retries are hidden from the deadline and from the count of calls.
        self._client = openai.OpenAI(
            api_key=api_key or NO_KEY,
            base_url=base_url or None,
            max_retries=0,
            timeout=timeout,
            http_client=ConnectionPerThread(),
        )
        self.name = model
        self._timeout = timeout
        self._limiter = limiter
        self._dialect = Dialect(model=model, reply_budget=reply_budget)

    def warm_up(self) -> None:
        """The SDK loads its resources when they are first used, which takes half a second."""
        _ = self._client.chat.completions.with_streaming_response

    def ask(self, messages: Messages, schema: Mapping[str, Any], *, tokens: int, deadline: Deadline) -> Answer:
        """The model's answer to `messages` in the form of `schema`; `tokens`: about how long the prompt is."""
        wait = self._limiter.wait(tokens)
        if wait > 0:
            return Passing(reason=Reason.RATE_LIMITED, retry_after=wait)
        answer = self._ask_in_any_dialect(messages, schema, deadline)
        self._limiter.record(answer)
        return answer

    def _ask_in_any_dialect(self, messages: Messages, schema: Mapping[str, Any], deadline: Deadline) -> Answer:
        """A server that refuses a parameter is asked again without it, and without it from then on."""
        dialect = self._dialect
        while True:
            answer = self._call(dialect.request(messages, schema), deadline)
            if not isinstance(answer, _BadRequest):
                if not isinstance(answer, Passing):
                    self._dialect = dialect.proven()
                return answer
            plainer = dialect.without(answer.names)
            if plainer is None:
                return _blame(self._dialect)
            log.info("the model server refuses a parameter", extra={"status": answer.status})
            dialect = plainer

    def _call(self, request: dict[str, Any], deadline: Deadline) -> "Answer | _BadRequest":
        started = time.monotonic()
        seconds = min(self._timeout, deadline.left())
        if seconds <= 0:
            return Passing(reason=Reason.MODEL_TIMEOUT)
        try:
            body = self._fetch(request, started + seconds, seconds)
        except openai.APIStatusError as error:
            return _refused(error)
        except Exception as error:  # the SDK's, its HTTP client's, or a socket's: all mean no answer
            return _no_answer(error)
        return _read(body, ms=round((time.monotonic() - started) * 1000))

    def _fetch(self, request: dict[str, Any], end: float, seconds: float) -> bytes:
        """The body, in pieces, since the client's time-out counts anew for each: a dripping server never ends."""
        body = bytearray()
        asked, more = dict(request), {}
        for name in request.keys() - _TYPED:
            more[name] = asked.pop(name)
        create = self._client.chat.completions.with_streaming_response.create
        with create(**asked, extra_body=more, timeout=seconds) as response:
            for piece in response.iter_bytes():
                body += piece
                if time.monotonic() > end or len(body) > MAX_REPLY_BYTES:
                    raise TimeoutError
        return bytes(body)


_TYPED = frozenset({"model", "messages"})
"""What goes through the SDK's types. It would walk through the schema's as well, at every call, to change nothing."""


# --- what a server understands ----------------------------------------------------------------------------------------

FORMS = ("json_schema", "json_object", "text")
"""How the reply's form is asked for, best first. What is asked for less strictly is checked here all the same."""
_HINT = "Answer with one JSON object and nothing else. Its JSON Schema:\n"


@dataclass(frozen=True, kw_only=True)
class Dialect:
    """What this server takes, learnt from what it refused. `answered`: it has answered before."""

    model: str
    reply_budget: int
    form: str = FORMS[0]
    dropped: frozenset[str] = frozenset()
    answered: bool = False

    def request(self, messages: Messages, schema: Mapping[str, Any]) -> dict[str, Any]:
        optional: dict[str, Any] = {"temperature": 0, "store": False, "max_completion_tokens": self.reply_budget}
        kept = {name: value for name, value in optional.items() if name not in self.dropped}
        if self.form == "json_schema":
            named = {"name": "facts", "strict": True, "schema": dict(schema)}
            kept["response_format"] = {"type": "json_schema", "json_schema": named}
            return {"model": self.model, "messages": messages, **kept}
        if self.form == "json_object":
            kept["response_format"] = {"type": "json_object"}
        hint = {"role": "system", "content": _HINT + json.dumps(schema, ensure_ascii=False)}
        return {"model": self.model, "messages": [hint, *messages], **kept}

    def without(self, names: frozenset[str]) -> "Dialect | None":
        """The next plainer way to ask: without what the server named, else with a looser form. None: none is left."""
        fresh = names & {"temperature", "store", "max_completion_tokens"} - self.dropped
        if fresh:
            return self._with(dropped=self.dropped | fresh)
        if self.form == FORMS[-1]:
            return None
        return self._with(form=FORMS[FORMS.index(self.form) + 1])

    def proven(self) -> "Dialect":
        return self if self.answered else self._with(answered=True)

    def _with(self, **changes: Any) -> "Dialect":
        return replace(self, **changes)


@dataclass(frozen=True, kw_only=True)
class _BadRequest:
    """400 or 422: the server does not take the request as it is. `names`: parameters that its message mentions."""

    status: int
    names: frozenset[str]


def _blame(dialect: Dialect) -> Answer:
    """A request refused in every form. Where this server has answered others, it is this ticket; else our settings,
    and a wrong setting must not kill good tickets."""
    if dialect.answered:
        return Lasting(reason=Reason.BAD_REQUEST)
    return Passing(reason=Reason.MODEL_REFUSES)


# --- faults -----------------------------------------------------------------------------------------------------------

_LENGTH_CODES = ("context_length_exceeded", "string_above_max_length", "maximum context length")
_FILTER_CODES = ("content_filter", "content_policy_violation", "responsibleaipolicyviolation")
_MODEL_CODES = ("model_not_found", "model not found", "invalid_model", "does not exist", "no such model")
_PARAMETERS = ("temperature", "store", "max_completion_tokens", "response_format", "json_schema")


def _refused(error: openai.APIStatusError) -> "Answer | _BadRequest":
    """What an HTTP status means. 401, 403 and 404 are outages of ours: the ticket waits, and `doctor` says why."""
    status, said = error.status_code, _said(error)
    if status == 413 or any(code in said for code in _LENGTH_CODES):
        return TooLong()
    if status == 429:
        quota = "insufficient_quota" in said
        reason = Reason.MODEL_REFUSES if quota else Reason.RATE_LIMITED
        return Passing(reason=reason, retry_after=retry_after(error.response.headers))
    if status in (400, 422) and not any(code in said for code in _MODEL_CODES):
        if any(code in said for code in _FILTER_CODES):
            return Lasting(reason=Reason.CONTENT_FILTER)
        return _BadRequest(status=status, names=frozenset(name for name in _PARAMETERS if name in said))
    reason = Reason.MODEL_UNAVAILABLE if status >= 500 or status in (408, 409, 425) else Reason.MODEL_REFUSES
    log.warning("the model server refuses", extra={"status": status, "reason": reason})
    return Passing(reason=reason, retry_after=retry_after(error.response.headers))


def _said(error: openai.APIStatusError) -> str:
    """The error's body, to look for codes in. Never logged: servers repeat prompts in it."""
    try:
        return json.dumps(error.body, ensure_ascii=False).lower()[:4000]
    except (TypeError, ValueError):
        return ""


def _no_answer(error: Exception) -> Passing:
    timed_out = isinstance(error, TimeoutError) or "Timeout" in type(error).__name__
    reason = Reason.MODEL_TIMEOUT if timed_out else Reason.MODEL_UNAVAILABLE
    log.warning("no answer from the model server", extra={"error": type(error).__name__, "reason": reason})
    return Passing(reason=reason)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """The server's Retry-After as seconds from now, at most an hour (RFC 9110: seconds, or a date)."""
    exact, text = headers.get("retry-after-ms"), headers.get("retry-after")
    try:
        seconds = float(exact) / 1000 if exact else float(text) if text else None
    except ValueError:
        seconds = _until(text)
    if seconds is None or not math.isfinite(seconds):
        return None
    return min(max(seconds, 0.0), MAX_RETRY_AFTER)


def _until(text: str | None) -> float | None:
    try:
        moment = parsedate_to_datetime(text or "")
        return ((moment if moment.tzinfo else moment.replace(tzinfo=UTC)) - datetime.now(UTC)).total_seconds()
    except (ValueError, OverflowError):  # no date, or one of no calendar: a hint that cannot be read is none
        return None


# --- reading the answer -----------------------------------------------------------------------------------------------


def _read(body: bytes, *, ms: int) -> Answer:
    """A chat completion's first choice. Read as plain JSON, since servers differ in all that stands around it."""
    try:
        whole = json.loads(body)
        choice = whole["choices"][0]
        message = choice.get("message") or {}
        finish, refusal = choice.get("finish_reason"), message.get("refusal")
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        log.warning("the model server's answer is not a chat completion")
        return Passing(reason=Reason.MODEL_UNAVAILABLE)
    if finish == "content_filter":
        return Lasting(reason=Reason.CONTENT_FILTER)
    if refusal:
        return Lasting(reason=Reason.REFUSAL)
    usage = whole.get("usage") or {}
    reply = Reply(
        text=_text(message.get("content")),
        prompt_tokens=_count(usage, "prompt_tokens"),
        reply_tokens=_count(usage, "completion_tokens"),
        ms=ms,
    )
    return TooLong(reply=reply) if finish == "length" else reply


def _text(content: object) -> str:
    """Content is a string; some servers send a list of parts."""
    if isinstance(content, list):
        return "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return content if isinstance(content, str) else ""


_MANY = 2**31 - 1
"""What a column of whole numbers holds; a server that says more says nothing."""


def _count(usage: object, name: str) -> int:
    value = usage.get(name) if isinstance(usage, dict) else None
    return min(value, _MANY) if isinstance(value, int) and value >= 0 else 0
