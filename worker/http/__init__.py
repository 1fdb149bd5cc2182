"""The HTTP door: `uvicorn worker.http:app`, `python -m worker.http`, or as part of `afterword up`.

`app` is made from the environment when it is first asked for; nothing is opened at import.
"""

from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fastapi import FastAPI

__all__ = ["app"]


@cache
def _app_of_environment() -> "FastAPI":
    from worker.http.application import app_of_environment

    return app_of_environment()


def __getattr__(name: str) -> Any:
    if name == "app":
        return _app_of_environment()
    raise AttributeError(name)
