"""A real Chromium for tests, driven over the pipe that it offers for that (Chrome DevTools Protocol, no package)."""

import base64
import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--remote-debugging-pipe",
)


# Chromium reads descriptor 3 and writes 4: the pipes are put there on the way.
_SHIM = """
import fcntl, os, sys
reads, writes = (fcntl.fcntl(int(fd), fcntl.F_DUPFD, 10) for fd in sys.argv[1:3])
os.dup2(reads, 3)
os.dup2(writes, 4)
os.execv(sys.argv[3], sys.argv[3:])
"""


def chromium() -> str | None:
    """Where a Chromium is; None where there is none."""
    names = ("chromium", "chromium-browser", "google-chrome")
    return next((found for name in names if (found := shutil.which(name))), None)


class Browser:
    """One tab. Messages are JSON, ended by NUL, on two pipes."""

    def __init__(self, to_browser: int, from_browser: int) -> None:
        self._out, self._in = to_browser, from_browser
        self._buffer = b""
        self._number = 0
        self._session: str | None = None
        self.complaints: list[str] = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **params: Any) -> Any:
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": params}
        message |= {"sessionId": self._session} if self._session else {}
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self._number:
                assert "error" not in answer, answer
                return answer["result"]
            if answer.get("method") == "Log.entryAdded":
                self.complaints.append(answer["params"]["entry"]["text"])

    def _next(self) -> Any:
        while b"\0" not in self._buffer:
            part = os.read(self._in, 1 << 16)
            assert part, "the browser has gone"
            self._buffer += part
        text, _, self._buffer = self._buffer.partition(b"\0")
        return json.loads(text)

    def open(self, url: str) -> None:
        self.call("Page.navigate", url=url)
        self.settle()

    def settle(self) -> None:
        """Until the page that was asked for is there."""
        deadline = time.monotonic() + 20
        time.sleep(0.15)
        while self.run("document.readyState") != "complete":
            assert time.monotonic() < deadline, "the page did not load in 20 s"
            time.sleep(0.05)

    def run(self, script: str) -> Any:
        found = self.call("Runtime.evaluate", expression=script, returnByValue=True)
        return found["result"].get("value")

    def text(self) -> str:
        return str(self.run("document.body.innerText"))

    def key(self, name: str, code: int, text: str = "") -> None:
        event = {"key": name, "code": name, "windowsVirtualKeyCode": code}
        self.call("Input.dispatchKeyEvent", type="keyDown", text=text, **event)
        self.call("Input.dispatchKeyEvent", type="keyUp", **event)

    def tab(self) -> str:
        """Presses Tab. Returns what has the focus then: its text, or its name."""
        self.key("Tab", 9)
        return str(self.run("(e => e.tagName + ' ' + (e.name || e.innerText || ''))(document.activeElement)"))

    def enter(self) -> None:
        self.key("Enter", 13, "\r")
        self.settle()

    def type(self, text: str) -> None:
        self.call("Input.insertText", text=text)

    def look(self, path: Path, *, dark: bool = False, width: int = 1100, height: int = 900) -> Path:
        """A screenshot of the whole page."""
        scheme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self.call("Emulation.setEmulatedMedia", features=scheme)
        self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600
        )
        found = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=True)
        path.write_bytes(base64.b64decode(found["data"]))
        return path


@contextmanager
def browser() -> Iterator[Browser]:
    path = chromium()
    assert path, "no Chromium"
    profile = tempfile.mkdtemp(prefix="afterword-chromium-")
    theirs_in, ours_out = os.pipe()
    ours_in, theirs_out = os.pipe()
    command = [sys.executable, "-S", "-c", _SHIM, str(theirs_in), str(theirs_out), path, *FLAGS]
    process = subprocess.Popen(
        [*command, f"--user-data-dir={profile}"],
        pass_fds=(theirs_in, theirs_out),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    os.close(theirs_in)
    os.close(theirs_out)
    try:
        yield Browser(ours_out, ours_in)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        os.close(ours_out)
        os.close(ours_in)
        shutil.rmtree(profile, ignore_errors=True)
