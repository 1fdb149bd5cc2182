"""A TCP proxy that can be told to misbehave: stop forwarding, refuse, or lose what a server said of a commit."""

import contextlib
import socket
import threading
from dataclasses import dataclass
from typing import Literal

_COMMIT = b"COMMIT\0"  # as psycopg sends it; "READ COMMITTED" is no commit
Address = tuple[str, int] | str
"""Host and port, or the path of a socket."""


@dataclass(frozen=True, kw_only=True)
class LostCommit:
    """Cut a connection at the COMMIT of a transaction in which `marker` was sent: `before` the server gets it, or
    `after` it has answered. `silently` it is cut before, and neither end is told. `times` connections are cut so."""

    marker: bytes
    when: Literal["before", "after", "silently"]
    times: int = 3


class Proxy:
    """Listens on loopback and forwards to `target`, as long as nobody says otherwise."""

    def __init__(self, target: Address) -> None:
        self.target = target
        self.lost = 0
        self._losing: LostCommit | None = None
        self._flows = threading.Event()
        self._flows.set()
        self._refusing = False
        self._open: set[_Link] = set()
        self._lock = threading.Lock()
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=256)
        self.port: int = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def silence(self) -> None:
        """Nothing gets through, and nobody is told: what a network does that is cut."""
        self._flows.clear()

    def refuse(self) -> None:
        """Every connection is closed, and every new one at once."""
        self._refusing = True
        self.drop_all()

    def lose_commits(self, which: LostCommit) -> None:
        self.lost, self._losing = 0, which

    def mend(self) -> None:
        """Forwards again. What was open while nothing got through is closed, as a network's timers would."""
        self._refusing, self._losing = False, None
        if not self._flows.is_set():
            self.drop_all()
            self._flows.set()

    def drop_all(self) -> None:
        with self._lock:
            links, self._open = self._open, set()
        for link in links:
            link.close()

    def close(self) -> None:
        self._listener.close()
        self.drop_all()
        self._flows.set()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            if self._refusing:
                client.close()
            else:
                threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        self._flows.wait()
        try:
            server = _connected(self.target)
        except OSError:
            client.close()
            return
        link = _Link(client, server)
        with self._lock:
            self._open.add(link)
        threading.Thread(target=self._pump, args=(link, server, client), daemon=True).start()
        self._pump(link, client, server)

    def _pump(self, link: "_Link", source: socket.socket, sink: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65_536):
                self._flows.wait()
                if source is link.server and link.swallow:
                    break
                if source is link.client and self._is_lost(link, data):
                    break
                sink.sendall(data)
        if link.held:
            return
        link.close()
        with self._lock:
            self._open.discard(link)

    def _is_lost(self, link: "_Link", data: bytes) -> bool:
        """Whether this is a COMMIT that must not reach the server. One whose answer is to be lost is noted."""
        which = self._losing
        if which is None:
            return False
        link.marked = link.marked or which.marker in data
        if not (link.marked and _COMMIT in data):
            return False
        link.marked = False
        with self._lock:
            if self.lost >= which.times:
                return False
            self.lost += 1
        link.swallow, link.held = which.when == "after", which.when == "silently"
        return which.when != "after"


class _Link:
    """One connection with its two ends."""

    def __init__(self, client: socket.socket, server: socket.socket) -> None:
        self.client, self.server = client, server
        self.marked = False
        self.swallow = False
        self.held = False

    def close(self) -> None:
        for end in (self.client, self.server):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()


def _connected(target: Address) -> socket.socket:
    if isinstance(target, tuple):
        return socket.create_connection(target, timeout=None)
    server = socket.socket(socket.AF_UNIX)
    server.connect(target)
    return server
