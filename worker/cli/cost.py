"""Options of the verbs that spend money on a model."""

from typing import Any

import click

from worker.cli.values import Amount

_DOLLARS = Amount(min=0)


class Price(click.ParamType[tuple[float, float]]):
    """'0.40,1.60': dollars a million tokens, in and out."""

    name = "in,out"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[float, float]:
        if isinstance(value, tuple):
            return value
        try:
            one, other = (_DOLLARS.convert(part.strip(), param, ctx) for part in str(value).split(","))
        except (ValueError, click.UsageError):
            self.fail("want two numbers, as 0.40,1.60: dollars a million tokens, in and out", param, ctx)
        return one, other


price_option = click.option("--price", type=Price(), help="Dollars a million tokens, in and out, as 0.40,1.60.")
ceiling_option = click.option("--max-cost", type=_DOLLARS, help="Refuse what costs more dollars.")
