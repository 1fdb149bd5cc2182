"""The memory page in a real Chromium: by keyboard alone, in both languages and schemes, with nothing to complain of."""

import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import uvicorn
from browser import Browser, browser, chromium
from door import DoorWorld, cloud_event, door_world
from services import free_port
from sqlalchemy import update

from store.engine import writing
from store.models import events
from store.states import Role
from store.tokens import Scope

pytestmark = pytest.mark.skipif(chromium() is None, reason="no Chromium: apt-get install chromium")


@dataclass(kw_only=True)
class Seen:
    door: DoorWorld
    browser: Browser
    url: str

    def sign_in(self) -> None:
        self.browser.call("Network.clearBrowserCookies")
        self.browser.open(f"{self.url}/memory")
        assert self.browser.run("document.activeElement.name") == "token"
        self.browser.type(self.door.create(role=Role.PERSON, scopes=[Scope.OPERATE]).secret)
        self.browser.enter()


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Seen]:
    """A signed-in tab over a door with a customer who has something to show."""
    home = tmp_path_factory.mktemp("page")
    with door_world(home, f"sqlite:///{home / 'afterword.db'}") as door, browser() as tab:
        _lived(door)
        port = free_port()
        server = uvicorn.Server(uvicorn.Config(door.client.app, port=port, log_config=None, lifespan="off"))
        thread = threading.Thread(target=server.run)
        thread.start()
        while not server.started:
            time.sleep(0.02)
        try:
            found = Seen(door=door, browser=tab, url=f"http://127.0.0.1:{port}")
            found.sign_in()
            yield found
        finally:
            server.should_exit = True
            thread.join()


def _lived(door: DoorWorld) -> None:
    start = datetime.now(UTC) - timedelta(days=20)
    for number, value in enumerate(("phone", "e-mail only <script>document.title='broken'</script>")):
        at = (start + timedelta(days=number)).isoformat()
        door.remember("contact_channel", value, source="agent_confirmed", observed_at=at)
    door.remember("language", "中文", source="extracted")
    door.post_event(cloud_event())


def test_a_person_works_with_the_keyboard_alone(seen: Seen) -> None:
    tab = seen.browser
    seen.sign_in()
    assert "Find a customer" in tab.text()
    tab.type("c-1")
    tab.enter()
    assert "e-mail only <script>" in tab.text()
    reached = [tab.tab() for _ in range(12)]
    assert "A Skip to the content" in reached
    assert "A Why" in reached
    while not tab.tab().startswith("A Why"):
        continue
    tab.enter()
    assert "Why this is remembered" in tab.text()
    while tab.tab() != "INPUT value":
        continue
    tab.type("e-mail, never phone")
    tab.enter()
    assert "Corrected" in tab.text()
    assert seen.door.facts() == ["contact_channel = e-mail, never phone"]
    tab.open(f"{seen.url}/memory/review")
    while not tab.tab().startswith("BUTTON Accept"):
        continue
    tab.enter()
    assert "No question waits" in tab.text()
    assert "language = 中文" in seen.door.facts()


def test_what_has_the_focus_is_outlined(seen: Seen) -> None:
    seen.browser.open(f"{seen.url}/memory")
    seen.browser.tab()
    assert seen.browser.run("getComputedStyle(document.activeElement).outlineStyle") == "solid"


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("path", ["/memory?lang=en", "/memory/customer?customer=c-1&lang=zh", "/memory/review?lang=en"])
def test_words_stand_out_from_their_ground_in_both_schemes(seen: Seen, tmp_path: Path, path: str, dark: bool) -> None:
    """WCAG 2.2 asks for a contrast of 4.5 between words and ground."""
    tab = seen.browser
    tab.open(seen.url + path)
    picture = tab.look(tmp_path / "page.png", dark=dark)
    assert picture.stat().st_size > 5_000
    assert tab.run(CONTRAST) >= 4.5


CONTRAST = """
(() => {
  const light = c => { const v = c / 255; return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; };
  const luminance = t => { const [r, g, b] = t.match(/[0-9.]+/g).map(Number);
    return 0.2126 * light(r) + 0.7152 * light(g) + 0.0722 * light(b); };
  const ground = e => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor;
    if (!/, 0\\)$/.test(c)) return c; } return 'rgb(255, 255, 255)'; };
  let least = 21;
  for (const e of document.querySelectorAll('body *')) {
    if (![...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim())) continue;
    const [a, b] = [luminance(getComputedStyle(e).color), luminance(ground(e))].sort((x, y) => y - x);
    least = Math.min(least, (a + 0.05) / (b + 0.05));
  }
  return least;
})()
"""


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("path", ["/memory", "/memory/customer", "/memory/fact", "/memory/review", "/memory/dead"])
def test_a_narrow_screen_needs_no_scrolling_sideways(seen: Seen, tmp_path: Path, path: str, language: str) -> None:
    tab = seen.browser
    with writing(seen.door.runtime.engine) as connection:
        connection.execute(update(events).values(state="dead", reason="invalid_reply", customer="c" * 150))
    fact = seen.door.remember("remark", "x" * 120, kind="profile")
    tab.open(f"{seen.url}{path}?customer=c-1&fact={fact}&lang={language}")
    tab.look(tmp_path / "narrow.png", width=360, height=700)
    assert "main" in tab.run("document.getElementById('content').tagName").lower()
    assert tab.run("document.documentElement.scrollWidth") <= 360


def test_nothing_was_run_fetched_or_complained_of(seen: Seen) -> None:
    """A script from a customer's words would have changed the title; a policy that it broke would be in the log."""
    tab = seen.browser
    tab.open(f"{seen.url}/memory/customer?customer=c-1")
    assert tab.run("document.title").startswith("c-1")
    assert tab.run("document.scripts.length") == 0
    names = tab.run("performance.getEntriesByType('resource').map(r => new URL(r.name).pathname)")
    assert set(names) <= {"/memory/static/page.css"}
    assert tab.complaints == []
