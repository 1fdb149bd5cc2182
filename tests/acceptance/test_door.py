"""From a shell to the page: a signed curl makes a fact that recall returns and the page shows."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

import httpx
import pytest
from services import free_port

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")


def script() -> str:
    """The README's own words; only the door's address is the test's."""
    found = re.search(r"^export DOOR=\S+\n(TOKEN=.*?)^```", README, re.DOTALL | re.MULTILINE)
    assert found
    return f'set -euo pipefail\n{found[1]}\necho\necho "$TOKEN"\n'


def feedback() -> str:
    """Likewise, from a shell that has RECEIPT and REF."""
    found = re.search(r"^curl -sS \$DOOR/v1/receipts/.*?(?=^```)", README, re.DOTALL | re.MULTILINE)
    assert found
    return found[0]


@pytest.fixture
def door(tmp_path: Path) -> Iterator[dict[str, str]]:
    """Everything, by `afterword up`. Yields the environment of a shell beside it."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("AFTERWORD_", "OPENAI_"))}
    address = f"127.0.0.1:{free_port()}"
    path = os.pathsep.join([str(Path(sys.executable).parent), kept.get("PATH", "")])
    ours = {"AFTERWORD_HOME": str(tmp_path), "AFTERWORD_EXTRACTOR": "rules", "AFTERWORD_HTTP": address}
    environ = kept | ours | {"PATH": path, "DOOR": f"http://{address}"}
    command = [sys.executable, "-c", "from worker.cli import main; main(['up'])"]
    process = subprocess.Popen(command, env=environ, cwd=ROOT, stdout=subprocess.DEVNULL, start_new_session=True)
    try:
        _until(lambda: urlopen(f"http://{address}/readyz").status == 200)
        yield environ
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(60)


def _until(condition: object, within: float = 60) -> None:
    deadline = time.monotonic() + within
    while True:
        try:
            if condition():  # type: ignore[operator]
                return
        except OSError:
            pass
        assert time.monotonic() < deadline
        time.sleep(0.2)


@pytest.mark.skipif(not all(map(shutil.which, ("bash", "curl", "openssl", "od"))), reason="no curl or no openssl")
def test_a_signed_curl_makes_a_fact_that_recall_returns_and_the_page_shows(door: dict[str, str]) -> None:
    done = subprocess.run(["bash", "-c", script()], env=door, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    answers, token = done.stdout.splitlines()
    assert '"outcome":"accepted"' in answers
    assert '"pending":' in answers
    headers = {"authorization": f"Bearer {token}"}

    def recalled() -> list[str]:
        found = httpx.get(f"{door['DOOR']}/v1/recall", params={"customer": "c-1"}, headers=headers).json()
        return [fact["value"] for fact in found["facts"]]

    _until(recalled)
    told = httpx.get(f"{door['DOOR']}/v1/recall", params={"customer": "c-1"}, headers=headers).json()
    named = {"TOKEN": token, "RECEIPT": told["receipt"], "REF": told["facts"][0]["id"][:12]}
    filed = subprocess.run(["bash", "-c", feedback()], env=door | named, capture_output=True, text=True, check=False)
    assert '"outcome":"filed"' in filed.stdout, filed.stderr
    value = recalled()[0]
    with httpx.Client(base_url=door["DOOR"], follow_redirects=True) as page:
        page.post("/memory/sign-in", data={"token": token})
        assert value in page.get("/memory/customer", params={"customer": "c-1"}).text
