"""The memory page: server-rendered HTML for people, no script, nothing from elsewhere."""

from worker.http.pages.routes import routes

__all__ = ["routes"]
