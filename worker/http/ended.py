"""Sessions that were signed out before they were over. In this process: it forgets them when it ends, and another door
over the same database never hears of them; there a copy of the cookie lasts for its time or till its token is revoked.
"""


class Ended:
    """By what signed their cookies, until those are over anyway."""

    def __init__(self) -> None:
        self._until: dict[str, float] = {}

    def add(self, mac: str, *, until: float, now: float) -> None:
        """Seconds since 1970, both. Only who is signed in can sign out, so there are never many."""
        self._until = {name: end for name, end in self._until.items() if end > now} | {mac: until}

    def __contains__(self, mac: str) -> bool:
        return mac in self._until
