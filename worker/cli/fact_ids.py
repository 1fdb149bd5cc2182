"""A fact as an operator names it: by its whole id, or by what it begins with, as the block's ref prints it."""

import re

from store.models import facts
from store.scope import CustomerView
from worker.cli.exits import Exit, Stop

BEGINNING = re.compile(r"[0-9a-f]{8,31}")


def whole_id(view: CustomerView, given: str) -> str:
    """The id of this customer's fact. Raises Stop (4) where none begins so, or (2) where several do."""
    named = facts.c.id.startswith(given) if BEGINNING.fullmatch(given) else facts.c.id == given
    found: set[str] = {row.id for row in view.select(facts, named, columns=[facts.c.id])}
    if not found:
        raise Stop(
            f"this customer has no fact {given}: give its id or 8 or more of its first digits (`afterword facts list`)",
            Exit.NOTHING_MATCHED,
        )
    if len(found) > 1:
        raise Stop(f"{len(found)} facts of this customer begin with {given}: give more of the id", Exit.USAGE)
    return found.pop()
