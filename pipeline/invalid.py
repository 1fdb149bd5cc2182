"""What is wrong with what came in, for whoever must mend it: every fault at once, by field, with what to write instead.

Neither a value nor a name that is not ours is ever repeated: both are content.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, get_args

from pydantic import AliasChoices, BaseModel, ValidationError

MOST = 20
"""Faults that are named; of more than these the number is told. A ticket may have thousands of messages."""
UNKNOWN = "(unknown field)"

_MOMENT = "want an ISO 8601 time with its zone, such as 2026-11-29T10:00:00+08:00"
_DAY = "want a day, such as 2026-11-29"
_WANTED = {
    "missing": "is missing",
    "string_type": "want text",
    "string_too_short": "want at least {min_length} characters",
    "string_too_long": "want at most {max_length} characters",
    "string_pattern_mismatch": "want text of the form {pattern}",
    "too_short": "want at least {min_length} of them",
    "too_long": "want at most {max_length} of them",
    "enum": "want {expected}",
    "model_type": "want a JSON object",
    "model_attributes_type": "want a JSON object",
    "tuple_type": "want a list",
    "list_type": "want a list",
    "bool_type": "want true or false",
    "bool_parsing": "want true or false",
    "float_type": "want a number",
    "float_parsing": "want a number",
    "int_type": "want a whole number",
    "int_parsing": "want a whole number",
    "datetime_type": _MOMENT,
    "datetime_parsing": _MOMENT,
    "datetime_from_date_parsing": _MOMENT,
    "datetime_object_invalid": _MOMENT,
    "timezone_aware": _MOMENT,
    "date_type": _DAY,
    "date_parsing": _DAY,
    "date_from_datetime_parsing": _DAY,
    "date_from_datetime_inexact": _DAY,
}
"""By pydantic's code, in our words; {names} are bounds of the schema's own. What is not listed keeps pydantic's."""


@dataclass(frozen=True)
class Fault:
    """`field` says where, as in messages[3].role; `problem` what is wanted there."""

    field: str
    problem: str

    def __str__(self) -> str:
        return f"{self.field}: {self.problem}"


class Invalid(ValueError):
    """What came in is not what was wanted. `faults` are all that is wrong; `field` and `problem` the first of them."""

    def __init__(self, field: str, problem: str, *more: Fault) -> None:
        self.faults = (Fault(field, problem), *more)
        super().__init__(told(self.faults))
        self.field = field
        self.problem = problem

    def rows(self) -> list[dict[str, str]]:
        """All faults, for JSON: [{"field", "problem"}]."""
        return [{"field": one.field, "problem": one.problem} for one in self.faults[:MOST]]


def told(faults: tuple[Fault, ...], prefix: str = "") -> str:
    """All in one line. `prefix` stands before each field."""
    more = [f"and {len(faults) - MOST} more"] if len(faults) > MOST else []
    return "; ".join([*(f"{prefix}{one}" for one in faults[:MOST]), *more])


def faults_of(error: ValidationError, model: type[BaseModel], *, whole: str = "line") -> tuple[Fault, ...]:
    """What `error`, raised by `model`, found. `whole` names what has no field of its own."""
    return faults_in(error.errors(include_input=False, include_url=False), model, whole=whole)


def faults_in(rows: list[Any], model: type[BaseModel] | None, *, whole: str = "line") -> tuple[Fault, ...]:
    """As `faults_of`, from pydantic's own rows. Without a model names are ours wherever they come from."""
    found = tuple(Fault(_where(row["loc"], model) or whole, _problem(row, model)) for row in rows if _own(row, rows))
    return found or (Fault(whole, "is not what was wanted"),)


def _own(row: Mapping[str, Any], rows: list[Any]) -> bool:
    """A list is also 'too short' where its members are wrong: then they are the fault. So are the fields that what was
    left out would have followed from."""
    if row["type"] == "default_factory_not_called":
        return False
    inside = len(row["loc"])
    return row["type"] != "too_short" or not any(
        other["loc"][:inside] == row["loc"] and len(other["loc"]) > inside for other in rows
    )


def _where(loc: tuple[int | str, ...], model: type[BaseModel] | None) -> str:
    text, at = "", model
    for part in loc:
        if isinstance(part, int):
            text += f"[{part}]"
        elif at is None and model is not None:
            text += f".{UNKNOWN}"
        else:
            text += f".{part if at is None or part in _names(at) else UNKNOWN}"
            at = _inner(at, part)
    return text.lstrip(".")


def _problem(row: Mapping[str, Any], model: type[BaseModel] | None) -> str:
    if row["type"] == "extra_forbidden":
        at = _at(row["loc"][:-1], model)
        return f"known here are {', '.join(_spelt(at))}" if at else "unknown"
    wanted = _WANTED.get(row["type"])
    if wanted is None:
        return str(row["msg"]).removeprefix("Value error, ")
    return wanted.format(**row.get("ctx", {}))


def _at(loc: tuple[int | str, ...], model: type[BaseModel] | None) -> type[BaseModel] | None:
    """The model of the object that stands at `loc`."""
    for part in loc:
        model = model if isinstance(part, int) else _inner(model, part)
    return model


def _inner(model: type[BaseModel] | None, name: str) -> type[BaseModel] | None:
    """The model of the field's value, or of its members."""
    fields = _names(model) if model else {}
    return next(models_in(fields[name]), None) if name in fields else None


def models_in(annotation: Any) -> Iterator[type[BaseModel]]:
    """The models that stand in an annotation, as in `tuple[Message, ...]` or `Answer | None`."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for part in get_args(annotation):
        yield from models_in(part)


def _names(model: type[BaseModel]) -> dict[str, Any]:
    """Every name that a field goes by, with its annotation."""
    return {name: field.annotation for own, field in model.model_fields.items() for name in _aliases(own, field)}


def _spelt(model: type[BaseModel]) -> list[str]:
    return [" or ".join(_aliases(own, field)) for own, field in model.model_fields.items()]


def _aliases(own: str, field: Any) -> list[str]:
    alias = field.validation_alias
    if isinstance(alias, AliasChoices):
        return [one for one in alias.choices if isinstance(one, str)]
    return [alias if isinstance(alias, str) else own]
