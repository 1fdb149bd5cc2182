"""The model's server as a process of its own: it may be killed, and its count of calls outlives it.

    python tests/faults/model.py FOLDER PORT

FOLDER/mood.json says how it answers just now; FOLDER/calls gets a line a call, with the name of the ticket asked about.
"""

import json
import os
import re
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent.parent))

import fake_openai as fake
from services import free_port

TICKET = re.compile(r"Ticket (n\d+)")


class Model:
    """The test's hand on the server. `calls` counts by ticket."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free_port()
        self.mood()
        (folder / "calls").touch()
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def calls(self) -> Counter[str]:
        return Counter((self.folder / "calls").read_text().split())

    def mood(self, *, delay: float = 0.0, status: int = 200) -> None:
        """How it answers from now on: after `delay` seconds, well or with this status."""
        written = self.folder / "mood.new"
        written.write_text(json.dumps({"delay": delay, "status": status}))
        written.replace(self.folder / "mood.json")

    def start(self) -> None:
        command = [sys.executable, __file__, str(self.folder), str(self.port)]
        with (self.folder / "errors").open("ab") as errors:  # each worker that dies is one
            self.process = subprocess.Popen(command, stderr=errors)
        ready = self.folder / f"ready-{self.process.pid}"
        deadline = time.monotonic() + 20
        while not ready.exists():
            assert time.monotonic() < deadline and self.process.poll() is None, "the model did not come up"
            time.sleep(0.02)

    def kill(self) -> None:
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process = None


@contextmanager
def model_process(folder: Path) -> Iterator[Model]:
    folder.mkdir(parents=True, exist_ok=True)
    model = Model(folder)
    model.start()
    try:
        yield model
    finally:
        model.kill()


class _Counting(fake.FakeOpenAI):
    def __init__(self, folder: Path, port: int) -> None:
        self._folder = folder
        self._calls = os.open(folder / "calls", os.O_WRONLY | os.O_APPEND)
        super().__init__(port)

    def take(self, request: fake.Request) -> fake.Said:
        text = "\n".join(text for _, _, text in fake.lines_of(request))
        named = TICKET.search(text)
        os.write(self._calls, f"{named[1] if named else 'unknown'}\n".encode())
        mood = json.loads((self._folder / "mood.json").read_text())
        said = fake.good(request) if mood["status"] == 200 else fake.Said(status=mood["status"], body="oops")
        return fake.Said(status=said.status, body=said.body, headers=said.headers, delay=mood["delay"])


if __name__ == "__main__":
    place, port = Path(sys.argv[1]), int(sys.argv[2])
    _Counting(place, port)
    (place / f"ready-{os.getpid()}").touch()
    threading.Event().wait()
