"""The demonstration: a story of its own, or any file of tickets or dialogues, through the real way."""

from worker.demo.dialogues import Line, read_lines
from worker.demo.story import Forget, Purge, Recall, Statement, Step, Ticket, load_story

__all__ = ["Forget", "Line", "Purge", "Recall", "Statement", "Step", "Ticket", "load_story", "read_lines"]
