"""For the tests of recall: a runtime over a test's database, and embedders that do as they are told."""

import threading
import zlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from remembering import observed
from sqlalchemy import Engine

from pipeline.catalogue import load_catalogue
from pipeline.ids import CustomerRef
from pipeline.kinds import Kind
from pipeline.observe import rules_of
from store.scope import customer_writing
from store.write import apply
from worker.embed import Meaning
from worker.runtime import Runtime, open_runtime
from worker.settings import read_settings

CATALOGUE = load_catalogue()
REF = CustomerRef(tenant="acme", customer="u1")
OTHER = CustomerRef(tenant="acme", customer="u2")


class LetterEmbedder:
    """Texts that share letter pairs are near each other. Counts what it is asked."""

    remote = False
    ready = True

    def __init__(self, name: str = "letters/1") -> None:
        self.name = name
        self.asked: list[list[str]] = []

    def warm_up(self) -> None:
        return

    def embed(self, texts: Sequence[str]) -> Any:
        self.asked.append(list(texts))
        rows = np.zeros((len(texts), 256), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for pair in zip(text.lower(), text.lower()[1:] + " ", strict=True):
                row[zlib.crc32("".join(pair).encode()) % 256] += 1
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        return rows / np.where(lengths == 0, np.float32(1), lengths)


class RaisingEmbedder(LetterEmbedder):
    """Fails, with the text in its exception."""

    def embed(self, texts: Sequence[str]) -> Any:
        raise RuntimeError(f"cannot embed {texts}")


class StuckEmbedder(LetterEmbedder):
    """Answers once `release` is set."""

    def __init__(self) -> None:
        super().__init__()
        self.release = threading.Event()

    def embed(self, texts: Sequence[str]) -> Any:
        self.release.wait(20)
        return super().embed(texts)


def runtime_over(engine: Engine, home: Path, embedder: Any = None, *, seconds: float = 5.0, **given: str) -> Runtime:
    """A runtime whose embedder is `embedder` (None: by words)."""
    url = engine.url.render_as_string(hide_password=False)
    usual = {
        "HOME": str(home / "home"),
        "DATABASE_URL": url,
        "KEY": "6b" * 32,
        "EXTRACTOR": "rules",
        "EMBEDDER": "none",
    }
    runtime = open_runtime(read_settings({f"AFTERWORD_{name}": text for name, text in (usual | given).items()}))
    if embedder is not None:
        embedded_by(runtime, embedder, seconds=seconds)
    return runtime


def embedded_by(runtime: Runtime, embedder: Any, *, seconds: float = 5.0) -> None:
    """Puts another embedder in the place of the runtime's own."""
    runtime.__dict__["meaning"] = Meaning(
        embedder=embedder, catalogue=runtime.catalogue, keys=runtime.keys, seconds=seconds
    )


def remember(runtime: Runtime, *facts: tuple[str, str], ref: CustomerRef = REF, at: float = 0, **given: Any) -> None:
    """(key, value) pairs, past the gates."""
    kind, source = given.pop("kind", Kind.PROFILE), given.pop("source", "system")
    said = [
        replace(
            observed(value, at + n / 1000, key=key, kind=kind, ref=ref, source=source, **given), has_transcript=True
        )
        for n, (key, value) in enumerate(facts)
    ]
    with customer_writing(runtime.engine, runtime.keys, ref, now=said[-1].observed_at) as tx:
        apply(tx, said, rules=rules_of(CATALOGUE))


def texts_asked(embedder: LetterEmbedder) -> list[str]:
    return [text for texts in embedder.asked for text in texts]


def together(*calls: Callable[[], Any]) -> list[Any]:
    """Calls at once, each in a thread; their results in order."""
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(len(calls)) as pool:
        return [future.result() for future in [pool.submit(call) for call in calls]]
