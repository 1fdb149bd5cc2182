"""The HTTP under the model client: one client, and in it a connection of its own for each thread.

The SDK's pool looks through all its idle connections, one system call each, under a lock, whenever a request begins and
ends. With a hundred threads nearly all of them stand at that lock. A thread asks one thing at a time, so a pool a
thread has one connection to look at and nobody to wait for.
"""

import threading
from typing import Any

import openai

try:  # whichever of the two the SDK brings
    from httpx2 import create_ssl_context
except ImportError:
    from httpx import create_ssl_context


class ConnectionPerThread(openai.DefaultHttpxClient):
    """An HTTP client to be shared among threads. Certificates are read once: that costs 50 ms of CPU."""

    def __init__(self) -> None:
        self._certificates = create_ssl_context()
        self._own = threading.local()
        super().__init__(verify=self._certificates)

    def send(self, request: Any, **how: Any) -> Any:
        """Sends through this thread's own connection."""
        return self._of_this_thread().send(request, **how)

    def _of_this_thread(self) -> openai.DefaultHttpxClient:
        if not hasattr(self._own, "client"):
            self._own.client = openai.DefaultHttpxClient(verify=self._certificates)
        own: openai.DefaultHttpxClient = self._own.client
        return own
