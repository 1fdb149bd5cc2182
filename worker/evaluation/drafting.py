"""What a model makes of the block: a reply drafted with memory and one without, judged by what they say.

Asked for by `--draft`, since it costs two model calls a visit. No judge model: a reply knows a thing where it says most
of its words and nothing against them, so it counts less than a reader would.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pipeline.catalogue import Catalogue
from pipeline.matching import mentions
from worker.evaluation.runner import Visited
from worker.evaluation.scoring import wanted
from worker.evaluation.tickets import event_of
from worker.limits import ModelLimits, Rates
from worker.outcomes import Deadline, Reply
from worker.settings import Settings

_SECONDS = 60.0
_ASKED = {
    "en": "You are a support agent. Reply to the customer in one short paragraph, as JSON. Say what you already know of"
    " how they want to be served and of their situation, where it matters here, so that they need not repeat it. Ask"
    " for what you need and do not know. Make nothing up.",
    "zh": "你是客服。用一小段话回复客户，以 JSON 给出。凡与本次有关、你已知道的客户偏好和情况，都在回复里说明，"
    "让客户不必重复；需要而不知道的就问。不要编造。",
}
_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"reply": {"type": "string"}},
    "required": ["reply"],
    "additionalProperties": False,
}


@dataclass(frozen=True, kw_only=True)
class Drafted:
    """How many needed things the two replies of one visit say; None where the model gave none."""

    ticket: str
    needed: int
    with_memory: int | None
    without_memory: int | None


def drafts(settings: Settings, catalogue: Catalogue, visits: Sequence[Visited]) -> Iterator[Drafted]:
    """Two replies a visit that needs anything. The customer's first message is masked as it is for extraction."""
    from worker.llm import Model

    model = Model(
        api_key=settings.openai_api_key,
        base_url=settings.openai_base_url,
        model=settings.model,
        timeout=settings.model_timeout,
        reply_budget=settings.reply_budget,
        limiter=ModelLimits(None, Rates(requests=0, tokens=0)),
    )
    for one in visits:
        if one.visit.needs:
            yield Drafted(
                ticket=one.customer.tickets[one.visit.ticket].dialogue_id,
                needed=len(one.visit.needs),
                with_memory=_said(_reply(model, one, one.recalled.block), one, catalogue),
                without_memory=_said(_reply(model, one, ""), one, catalogue),
            )


def _reply(model: Any, one: Visited, block: str) -> str | None:
    from pipeline.mask import masked

    ticket = one.customer.tickets[one.visit.ticket]
    opening = masked(event_of(ticket, one.customer.customer_id)).lines[0].text
    language = "zh" if ticket.lang.startswith("zh") else "en"
    messages = [{"role": "system", "content": f"{_ASKED[language]}\n\n{block}"}, {"role": "user", "content": opening}]
    answer = model.ask(messages, _SCHEMA, tokens=1_000, deadline=Deadline(_SECONDS))
    return answer.text if isinstance(answer, Reply) else None


def _said(reply: str | None, one: Visited, catalogue: Catalogue) -> int | None:
    if reply is None:
        return None
    tickets = one.customer.tickets
    needs = (wanted(tickets[need.ticket], one.customer.needed(need), catalogue) for need in one.visit.needs)
    return sum(mentions(reply, need) for need in needs)


def summary(of: Sequence[Drafted]) -> dict[str, Any]:
    """Over the visits for which the model gave both replies."""
    both = [one for one in of if one.with_memory is not None and one.without_memory is not None]
    return {
        "visits": len(both),
        "no_reply": len(of) - len(both),
        "needed": sum(one.needed for one in both),
        "said_with_memory": sum(one.with_memory or 0 for one in both),
        "said_without_memory": sum(one.without_memory or 0 for one in both),
    }
