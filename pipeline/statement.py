"""What a system or a person states directly, with no ticket to read it from; decoded once, at the edge."""

import json
from collections.abc import Mapping
from datetime import date
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from pipeline.events import Id, Moment, Text
from pipeline.facts import Source
from pipeline.ids import CustomerRef
from pipeline.invalid import Invalid, faults_of
from pipeline.moments import written_day
from pipeline.wire import wire_json

Day = Annotated[date, BeforeValidator(written_day)]


class BadStatement(Invalid):
    """The line is not a statement. `faults` say where and what is wanted, and never repeat the content."""


class Statement(BaseModel):
    """One fact as it is stated: `remember`'s options, and a line of `remember --lines`.

    `kind`, `key` and `value` are the gates' to judge. Without `observed_at` it is stated now; `until` is inclusive.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    tenant: Id
    customer: Id
    kind: str
    key: str
    value: Text = ""
    source: Source
    observed_at: Moment | None = None
    importance: float | None = Field(default=None, ge=0, le=1)
    confidence: float = Field(default=1.0, ge=0, le=1)
    ticket: Id | None = None
    ended: bool = False
    until: Day | None = None

    @property
    def ref(self) -> CustomerRef:
        return CustomerRef(tenant=self.tenant, customer=self.customer)


def parse_statement(line: str | bytes) -> Statement:
    """A JSON text as a Statement. Raises BadStatement, which names the field and never the content."""
    try:
        raw = json.loads(line)
    except (ValueError, RecursionError):
        raise BadStatement("line", "is not JSON") from None
    if not isinstance(raw, dict):
        raise BadStatement("line", "want a JSON object")
    return checked_statement(raw)


def checked_statement(raw: Mapping[str, Any]) -> Statement:
    """Decoded fields as a Statement: times and dates as ISO 8601 text. Raises BadStatement."""
    given = {name: value for name, value in raw.items() if value is not None}
    try:
        return Statement.model_validate_json(wire_json(given, words=("value",)))
    except ValidationError as error:
        first, *more = faults_of(error, Statement)
        raise BadStatement(first.field, first.problem, *more) from None
