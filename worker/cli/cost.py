"""Options of the verbs that spend money on a model."""

from typing import Any

import click


class Price(click.ParamType[tuple[float, float]]):
    """'0.40,1.60': dollars a million tokens, in and out."""

    name = "in,out"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[float, float]:
        if isinstance(value, tuple):
            return value
        try:
            one, other = (float(part) for part in str(value).split(","))
        except ValueError:
            self.fail("want two numbers, as 0.40,1.60: dollars a million tokens, in and out", param, ctx)
        return one, other


price_option = click.option("--price", type=Price(), help="Dollars a million tokens, in and out, as 0.40,1.60.")
ceiling_option = click.option("--max-cost", type=click.FloatRange(min=0), help="Refuse what costs more dollars.")
