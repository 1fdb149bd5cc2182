"""Numbers and times in sentences, the same wherever people read them."""

from datetime import UTC, datetime


def counted(number: int, things: str, *, one: str = "") -> str:
    """'1 fact', '2 facts': `things` is the plural. Its last s goes for one of them, where `one` does not say how."""
    return f"{number:,} {(one or things.removesuffix('s')) if number == 1 else things}"


def stamp(moment: datetime) -> str:
    """A time as it is read everywhere, and as every option takes it back: 2026-11-29T02:00:00Z."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
