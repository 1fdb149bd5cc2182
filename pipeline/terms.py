"""On whose terms a statement is taken: the catalogue, the tenants' policies and time zones."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, tzinfo
from typing import TYPE_CHECKING

from pipeline.catalogue import Catalogue
from pipeline.facts import Fact, Observation, Verdict
from pipeline.fold import SlotRules
from pipeline.observe import rules_of
from pipeline.policy import Policies, Policy

if TYPE_CHECKING:
    from pipeline.gates import Judged


@dataclass(frozen=True, kw_only=True)
class Terms:
    """Everything that code decides by, in one value. `policies` has an answer for every tenant."""

    catalogue: Catalogue
    policies: Mapping[str, Policy] = field(default_factory=Policies)
    zones: Mapping[str, tzinfo] = field(default_factory=dict)

    def rules(self, tenant: str) -> Callable[[str], SlotRules]:
        """What catalogue and policy say of this tenant's slots, by key."""
        return rules_of(self.catalogue, overwrite_floor=self.policies[tenant].overwrite_floor)

    def zone(self, tenant: str) -> tzinfo:
        return self.zones.get(tenant, UTC)

    def judge(self, tenant: str, *, kind: str, key: str, value: str, ended: bool = False) -> "Judged":
        """Gates 1, 5, 6 and 7 over a statement."""
        from pipeline.gates import judge_statement  # its recognisers take seconds to load: not for a mere reader

        policy = self.policies[tenant]
        return judge_statement(kind=kind, key=key, value=value, ended=ended, catalogue=self.catalogue, policy=policy)

    def judge_fact(self, fact: Fact) -> Verdict:
        """Gates 5, 6 and 7 over a fact as it stands: before it is handed out, and when a policy has changed."""
        from pipeline.gates import judge_told  # as above

        return judge_told(key=fact.slot.key, value=fact.value, policy=self.policies[fact.slot.ref.tenant])

    def judge_stored(self, observation: Observation) -> Verdict:
        """The same gates over what is stored already, its quotes too: a policy may have changed since."""
        from pipeline.sensitive import judge_text

        tenant = observation.slot.ref.tenant
        verdict = self.judge(
            tenant,
            kind=observation.kind,
            key=observation.slot.key,
            value=observation.value,
            ended=observation.ended,
        ).verdict
        verdicts = [verdict, *(judge_text(quote.text, self.policies[tenant]) for quote in observation.quotes)]
        return next((one for one in verdicts if not one.passed), verdict)
