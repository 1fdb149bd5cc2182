"""`python -m worker.http`: the door on AFTERWORD_HTTP, with logs as everywhere else."""

import sys
from contextlib import suppress
from socket import socket
from typing import Any, NoReturn

from worker.listening import CannotListen, bound

SWITCH = 0.0005
"""Seconds after which a thread that computes lets another one on. Answers come from one thread, commits from another:
at Python's 5 ms each trip to the kernel can cost the answering one so much."""


def main() -> None:
    """Serves until SIGTERM or Ctrl-C. Exit 2: settings that cannot be; 1: a database in no state to serve from, or an
    address that cannot be had."""
    import uvicorn

    from worker.http import app
    from worker.settings import read_settings

    sys.setswitchinterval(SWITCH)
    address = read_settings().http
    if address == "off":
        _stop("AFTERWORD_HTTP is off", 2)
    sockets = _bound(address)
    server = uvicorn.Server(uvicorn.Config(app, **served()))
    with suppress(KeyboardInterrupt):  # which the server raises again once it has stopped
        server.run(sockets=sockets)
    if not server.started:
        raise SystemExit(1)


def _bound(address: str) -> list[socket]:
    try:
        return bound(address)
    except CannotListen as error:
        _stop(str(error), 1)


def _stop(why: str, code: int) -> NoReturn:
    sys.stderr.write(f"afterword: {why}\n")
    raise SystemExit(code)


def served() -> dict[str, Any]:
    """How uvicorn serves: bounded in connections, in the size of a head, and in every kind of waiting."""
    from worker.http.protocol import BoundedProtocol

    return {
        "http": BoundedProtocol,
        "ws": "none",
        "log_config": None,  # ours is configured; an access log would repeat customers' ids
        "access_log": False,
        "log_level": "warning",
        "server_header": False,
        "date_header": True,
        "timeout_keep_alive": 30,
        "timeout_graceful_shutdown": 10,
        "limit_concurrency": 500,
        "h11_max_incomplete_event_size": 32_768,
    }


if __name__ == "__main__":
    main()
