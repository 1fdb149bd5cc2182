"""The operator's command line. This file stays light: `afterword --help` must answer in under half a second."""

from worker.cli.root import main

__all__ = ["main"]
