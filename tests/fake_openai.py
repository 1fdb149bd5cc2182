"""A server on loopback that speaks the OpenAI protocol: it fakes the model's answers and nothing else.

    with fake_openai() as server:
        server.answer = rate_limited(seconds=1)
        ...  # OPENAI_BASE_URL=server.url

An answer is a function from the decoded request to a `Said`. `answers(one, then_another)` gives them in turn.
"""

import json
import re
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Request = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Said:
    """What the server sends. `delay` comes before the first byte; `drip` seconds between the body's bytes."""

    status: int = 200
    body: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    delay: float = 0.0
    drip: float = 0.0


Answer = Callable[[Request], Said]

# What the canned model finds in a customer's line: what to look for, then kind, key and value.
CUES = (
    (r"e-mail only", "preference", "contact_channel", "e-mail only"),
    (r"(?i)call me", "preference", "contact_channel", "phone"),
    (r"只用邮件联系", "preference", "contact_channel", "邮件"),
    (r"(?i)we run (\w+)", "profile", "runtime", None),
    (r"E\d{4}", "situation", "open_issue", None),
)


def fact(message: int, text: str, **given: Any) -> dict[str, Any]:
    """A fact as the schema wants it, quoting `text` of `message`."""
    usual = {
        "kind": "preference",
        "key": "contact_channel",
        "value": text,
        "ended": False,
        "quotes": [{"message": message, "text": text}],
        "speaker": "customer",
        "about": "customer",
        "lasting": "lasting",
        "until": None,
        "confidence": 0.95,
    }
    return usual | given


def lines_of(request: Request) -> list[tuple[int, str, str]]:
    """(number, role, text) of the ticket's lines in the prompt."""
    prompt = "\n".join(str(message["content"]) for message in request["messages"] if message["role"] == "user")
    return [(int(n), role, text) for n, role, text in re.findall(r"^\[(\d+)\] (\w+): (.*)$", prompt, re.MULTILINE)]


def found_by_cues(request: Request) -> list[dict[str, Any]]:
    """What the canned model proposes for this prompt."""
    facts = []
    for number, role, text in lines_of(request):
        for pattern, kind, key, value in CUES:
            if role == "customer" and (match := re.search(pattern, text)):
                words = value or (match[1] if match.groups() else match[0])
                facts.append(fact(number, text, kind=kind, key=key, value=words))
    return facts


def completion(content: str | None, *, finish: str = "stop", refusal: str | None = None) -> str:
    message = {"role": "assistant", "content": content, "refusal": refusal}
    return json.dumps(
        {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1_700_000_000,
            "model": "fake",
            "choices": [{"index": 0, "message": message, "finish_reason": finish}],
            "usage": {"prompt_tokens": 900, "completion_tokens": 60, "total_tokens": 960},
        }
    )


def error(status: int, code: str, message: str = "no", param: str | None = None, **headers: str) -> Said:
    body = {"error": {"message": message, "type": "invalid_request_error", "param": param, "code": code}}
    return Said(status=status, body=json.dumps(body), headers={k.replace("_", "-"): v for k, v in headers.items()})


# --- the modes --------------------------------------------------------------------------------------------------------


def says(facts: Sequence[dict[str, Any]]) -> Answer:
    return lambda _: Said(body=completion(json.dumps({"facts": list(facts)}, ensure_ascii=False)))


def good(request: Request) -> Said:
    return Said(body=completion(json.dumps({"facts": found_by_cues(request)}, ensure_ascii=False)))


def fabricated_quote(request: Request) -> Said:
    return says([fact(0, "I always want gold wrapping", key="delivery_preference")])(request)


def prose_around_json(request: Request) -> Said:
    text = json.dumps({"facts": found_by_cues(request)}, ensure_ascii=False)
    return Said(body=completion(f"Here {{about billing}}: {text} Hope this helps!"))


def truncated(_: Request) -> Said:
    return Said(body=completion('{"facts": [{"kind": "prefer', finish="length"))


def cut_json(_: Request) -> Said:
    return Said(body=completion('{"facts": [{"kind": "prefer'))


def empty(_: Request) -> Said:
    return Said(body=completion(""))


def no_content(_: Request) -> Said:
    return Said(body=completion(None))


def refusal(_: Request) -> Said:
    return Said(body=completion(None, refusal="I cannot help with that."))


def content_filter(_: Request) -> Said:
    return Said(body=completion(None, finish="content_filter"))


def content_filter_error(_: Request) -> Said:
    return error(400, "content_filter")


def rate_limited(seconds: float) -> Answer:
    return lambda _: error(429, "rate_limit_exceeded", retry_after=f"{seconds:g}")


def out_of_quota(_: Request) -> Said:
    return error(429, "insufficient_quota")


def failing(_: Request) -> Said:
    return Said(status=500, body="<html>oops</html>")


def wrong_key(_: Request) -> Said:
    return error(401, "invalid_api_key")


def unknown_model(_: Request) -> Said:
    return error(404, "model_not_found")


def not_a_completion(_: Request) -> Said:
    return Said(body="<html>A proxy's login page</html>")


def hanging(_: Request) -> Said:
    return Said(delay=3600)


def slow(seconds: float, then: Answer = good) -> Answer:
    def answer(request: Request) -> Said:
        said = then(request)
        return Said(status=said.status, body=said.body, headers=said.headers, delay=seconds)

    return answer


def dripping(request: Request) -> Said:
    return Said(body=good(request).body, drip=0.05)


def refuses_everything(_: Request) -> Said:
    """Repeats the prompt in its error, as some servers do."""
    return error(400, "bad_request", message=json.dumps(_["messages"], ensure_ascii=False))


def json_schema_refused(request: Request) -> Said:
    if request.get("response_format", {}).get("type") == "json_schema":
        return error(400, "unsupported", "response_format.type must be text or json_object", "response_format.type")
    return good(request)


def knows_no(*parameters: str) -> Answer:
    """A server that refuses these parameters, naming the first that it meets."""

    def answer(request: Request) -> Said:
        for name in parameters:
            if name in request:
                return error(400, "unsupported_parameter", f"Unsupported parameter: '{name}'", name)
        return good(request)

    return answer


def answers(*several: Answer) -> Answer:
    """One after the other; the last one stays."""
    left = list(several)
    lock = threading.Lock()

    def answer(request: Request) -> Said:
        with lock:
            current = left.pop(0) if len(left) > 1 else left[0]
        return current(request)

    return answer


# --- the server -------------------------------------------------------------------------------------------------------


class FakeOpenAI:
    """Listens on `port`, by default a free one. `answer` may be changed at any time; `requests` is what was asked."""

    def __init__(self, port: int = 0) -> None:
        self.answer: Answer = good
        self.requests: list[Request] = []
        self.connections = 0
        self.closing = threading.Event()
        self._lock = threading.Lock()
        handler = type("Handler", (_Handler,), {"owner": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", port), handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    @property
    def calls(self) -> int:
        with self._lock:
            return len(self.requests)

    def take(self, request: Request) -> Said:
        with self._lock:
            self.requests.append(request)
        return self.answer(request)

    def wait_for_calls(self, count: int, *, within: float = 20.0) -> None:
        deadline = time.monotonic() + within
        while self.calls < count:
            assert time.monotonic() < deadline, f"{self.calls} of {count} model calls within {within} s"
            time.sleep(0.02)

    def close(self) -> None:
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    owner: FakeOpenAI

    def setup(self) -> None:
        super().setup()
        self.owner.connections += 1

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        said = self.owner.take(request)
        if self.owner.closing.wait(said.delay) and said.delay:
            return
        try:
            self._send(said)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def _send(self, said: Said) -> None:
        body = said.body.encode()
        self.send_response(said.status)
        for name, value in {"content-type": "application/json", **said.headers}.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        if not said.drip:
            self.wfile.write(body)
            return
        for byte in body:
            self.wfile.write(bytes([byte]))
            self.wfile.flush()
            if self.owner.closing.wait(said.drip):
                return

    def log_message(self, format: str, *args: Any) -> None:
        pass


@contextmanager
def fake_openai(answer: Answer = good) -> Iterator[FakeOpenAI]:
    server = FakeOpenAI()
    server.answer = answer
    try:
        yield server
    finally:
        server.close()
