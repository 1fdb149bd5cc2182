"""A helpdesk's API on loopback, behaving as the documentation says: paging, refusals, Retry-After, slowness."""

import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit


@dataclass
class HelpdeskApi:
    """`pages` are answers by path and query, as in '/a?x=1' or '/a'. `trouble` is given instead, once each: a status
    with headers, 'hang', 'cut' or 'not json'. `asked` are the requests that came, with their headers."""

    pages: dict[str, Any] = field(default_factory=dict)
    trouble: list[Any] = field(default_factory=list)
    asked: list[tuple[str, Mapping[str, str]]] = field(default_factory=list)
    url: str = ""
    over: threading.Event = field(default_factory=threading.Event)

    def answer_to(self, target: str) -> Any:
        parts = urlsplit(target)
        given = dict(parse_qsl(parts.query))
        for name, page in self.pages.items():
            wanted = urlsplit(name)
            if wanted.path == parts.path and dict(parse_qsl(wanted.query)).items() <= given.items():
                return page
        return None


class _Handler(BaseHTTPRequestHandler):
    api: HelpdeskApi

    def do_GET(self) -> None:
        self.api.asked.append((self.path, {name.lower(): text for name, text in self.headers.items()}))
        if self.api.trouble:
            return self._trouble(self.api.trouble.pop(0))
        found = self.api.answer_to(self.path)
        return self._send(200 if found is not None else 404, json.dumps(found).encode())

    def _trouble(self, what: Any) -> None:
        if what == "hang":
            self.api.over.wait(20)
        elif what == "cut":
            self._send(200, b'{"half": ', length=100)
        elif what == "not json":
            self._send(200, b"<html>")
        else:
            status, headers = what
            self._send(status, b"{}", **headers)

    def _send(self, status: int, body: bytes, length: int | None = None, **headers: str) -> None:
        self.send_response(status)
        for name, text in headers.items():
            self.send_header(name.replace("_", "-"), text)
        self.send_header("Content-Length", str(len(body) if length is None else length))
        self.end_headers()
        self.wfile.write(body)
        self.close_connection = True

    def log_message(self, *_: Any) -> None:
        """Quiet."""


@contextmanager
def helpdesk_api() -> Iterator[HelpdeskApi]:
    api = HelpdeskApi()
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"api": api}))
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    api.url = f"http://127.0.0.1:{server.server_port}"
    try:
        yield api
    finally:
        api.over.set()
        server.shutdown()
        server.server_close()
        thread.join()
