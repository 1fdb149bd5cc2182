"""What is slow to load and wanted by a process's first recall: the encoder of queries, then the gates for facts."""

from contextlib import suppress

from pipeline.gates import preload
from worker.runtime import Runtime


def load_encoder(runtime: Runtime) -> None:
    """Takes two seconds, and nothing where recall goes by words. What fails here fails again, and is told, when it is
    needed."""
    with suppress(Exception):
        if runtime.meaning:
            runtime.meaning.embedder.warm_up()


def load_for_recall(runtime: Runtime) -> None:
    """Encoder first: a recall waits for the gates as long as they take, for the encoder half a second."""
    load_encoder(runtime)
    with suppress(Exception):
        preload()
