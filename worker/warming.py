"""What is slow to load and wanted by a process's first recall: the gates for facts, then the encoder of queries."""

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
    """Gates first: a recall waits for them as long as they take, for the encoder half a second, then goes by words."""
    with suppress(Exception):
        preload()
    load_encoder(runtime)
