"""When things happen: Celery, the model, the command line, settings."""

from importlib import import_module
from typing import Any

__all__ = ["enqueue", "extract", "recall"]


def __getattr__(name: str) -> Any:
    """Loaded when first used: the command line's help must not pay for a database or a model client."""
    if name in __all__:
        return getattr(import_module("worker.client"), name)
    raise AttributeError(name)
