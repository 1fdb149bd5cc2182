"""What model calls will cost, before they are made: tokens estimated from the prompts, times a price."""

from collections.abc import Iterable
from dataclasses import dataclass

from worker.batch import Asked
from worker.extractors import tokens_of
from worker.wording import counted

REPLY_TOKENS = 300
"""What a reply costs about: three facts with their quotes. Measured on the recorded replies of the evaluation."""
BATCH_DISCOUNT = 0.5
"""The Batch API answers within a day at half price (https://platform.openai.com/docs/guides/batch)."""
PRICES: dict[str, tuple[float, float]] = {"gpt-4.1-mini": (0.40, 1.60)}
"""Dollars a million tokens, in and out, as listed for the default model in 2025. Name any other with --price."""


class PriceUnknown(ValueError):
    """No price is known for this model: name it with --price IN,OUT in dollars a million tokens."""

    for_people = True


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """`dollars` is None where no price is known."""

    calls: int = 0
    prompt_tokens: int = 0
    reply_tokens: int = 0
    dollars: float | None = None

    def document(self) -> dict[str, float | int | None]:
        return {
            "calls": self.calls,
            "prompt_tokens": self.prompt_tokens,
            "reply_tokens": self.reply_tokens,
            "dollars": None if self.dollars is None else round(self.dollars, 4),
        }

    def __str__(self) -> str:
        tokens = f"{self.prompt_tokens:,} tokens in, about {self.reply_tokens:,} out"
        return f"{counted(self.calls, 'model calls')}, {tokens}: {_price(self.dollars)}"


def _price(dollars: float | None) -> str:
    if dollars is None:
        return "price unknown (--price)"
    return "less than $0.01" if 0 < dollars < 0.005 else f"about ${dollars:.2f}"


def estimated(calls: Iterable[Asked], price: tuple[float, float] | None, *, discount: float = 1.0) -> Estimate:
    """What these calls cost about."""
    tokens = [tokens_of(call.body["messages"]) for call in calls]
    return priced(calls=len(tokens), prompt_tokens=sum(tokens), price=price, discount=discount)


def priced(
    *,
    calls: int,
    prompt_tokens: int,
    price: tuple[float, float] | None,
    discount: float = 1.0,
    reply_tokens: int | None = None,
) -> Estimate:
    replies = REPLY_TOKENS * calls if reply_tokens is None else reply_tokens
    dollars = None if price is None else discount * (prompt_tokens * price[0] + replies * price[1]) / 1_000_000
    return Estimate(calls=calls, prompt_tokens=prompt_tokens, reply_tokens=replies, dollars=dollars)


def price_of(model: str, given: tuple[float, float] | None) -> tuple[float, float] | None:
    return given or PRICES.get(model)


def over(estimate: Estimate, ceiling: float | None) -> bool:
    """Whether it costs more than allowed. Raises PriceUnknown where that cannot be told."""
    if ceiling is None:
        return False
    if estimate.dollars is None:
        raise PriceUnknown(PriceUnknown.__doc__)
    return estimate.dollars > ceiling
