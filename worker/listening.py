"""The address that the HTTP door listens on, taken before anything says that the door is open."""

import os
import socket


class CannotListen(Exception):
    """The address cannot be had. One line: which, why, and what to set."""

    for_people = True


def bound(address: str) -> list[socket.socket]:
    """Sockets bound to HOST:PORT, one an address that the host's name stands for; whoever serves listens on them.
    Raises CannotListen."""
    host, _, port = address.rpartition(":")
    taken: list[socket.socket] = []
    try:
        found = socket.getaddrinfo(host.strip("[]"), int(port), type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        for family, where in dict.fromkeys((family, where) for family, _, _, _, where in found):
            taken.append(_socket(family))
            taken[-1].bind(where)
    except OSError as error:
        _close(taken)
        raise CannotListen(f"cannot listen on {address}: {_why(error)}; set AFTERWORD_HTTP") from None
    return taken


def why_not(address: str) -> str | None:
    """None where the address can be had just now, else what CannotListen says."""
    try:
        _close(bound(address))
    except CannotListen as error:
        return str(error)
    return None


def _socket(family: int) -> socket.socket:
    made = socket.socket(family, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if family == socket.AF_INET6:
        made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)  # else it takes IPv4's port too
    return made


def _why(error: OSError) -> str:
    if isinstance(error, socket.gaierror):
        return "no such host"
    return os.strerror(error.errno).lower() if error.errno else type(error).__name__


def _close(sockets: list[socket.socket]) -> None:
    for one in sockets:
        one.close()
