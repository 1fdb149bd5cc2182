"""The gates once more, over what is about to be handed out: the last defence.

Everything was judged when it was written. What a stricter policy, a newer version's gates or a hand in the database
have left behind is not told meanwhile; `afterword rescan` clears it away.
"""

import threading
from collections import OrderedDict
from collections.abc import Sequence

from pipeline.catalogue import Catalogue
from pipeline.facts import Fact
from pipeline.ranking import F_co, Scored
from pipeline.reasons import Reason
from pipeline.terms import Terms

SIZE = 50_000
"""Verdicts that one process remembers: about 15 MB."""
_NO_VERDICT = frozenset({Reason.GATE_ERROR, Reason.GATE_TIMEOUT})
"""The gate could not tell: it is asked again."""

_Key = tuple[str, int, int, str]


class ReadGate:
    """Gates 5, 6 and 7 and the tenant's policy, a fact's version judged once a process. Safe among threads.

    What is remembered is ids, versions and reason codes; of what a fact says only a number, which this process alone
    can make (`hash`), so that a row which was changed behind our back is judged anew.
    """

    def __init__(self, terms: Terms, size: int = SIZE) -> None:
        self._terms = terms
        self._size = size
        self._known: OrderedDict[_Key, Reason | None] = OrderedDict()
        self._lock = threading.Lock()

    def refusal(self, fact: Fact) -> Reason | None:
        """Why the fact may not be handed out, None where it may."""
        policy = self._terms.policies[fact.slot.ref.tenant]
        key = (fact.id, fact.version, hash((fact.slot.key, fact.value)), policy.fingerprint)
        with self._lock:
            if key in self._known:
                self._known.move_to_end(key)
                return self._known[key]
        reason = self._terms.judge_fact(fact).reason
        if reason not in _NO_VERDICT:
            self._remember(key, reason)
        return reason

    def first(self, scored: Sequence[Scored[F_co]], k: int) -> tuple[list[Scored[F_co]], dict[str, Reason]]:
        """The best `k` that may be handed out, and by id why those before them may not. Looks at no further one."""
        passed: list[Scored[F_co]] = []
        withheld: dict[str, Reason] = {}
        for one in scored:
            if len(passed) == k:
                break
            if reason := self.refusal(one.fact):
                withheld[one.fact.id] = reason
            else:
                passed.append(one)
        return passed, withheld

    def _remember(self, key: _Key, reason: Reason | None) -> None:
        with self._lock:
            self._known[key] = reason
            if len(self._known) > self._size:
                self._known.popitem(last=False)


class OpenGate(ReadGate):
    """Lets everything through: for measuring retrieval over facts that no gate has seen."""

    def __init__(self) -> None:
        super().__init__(Terms(catalogue=Catalogue(())), size=0)

    def refusal(self, fact: Fact) -> Reason | None:
        return None
