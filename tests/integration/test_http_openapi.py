"""The OpenAPI document is right: schemathesis finds nothing that the door answers and the document does not promise."""

import os
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from door import DoorWorld, door_world
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import load_all_checks

load_all_checks()
UNTOLD = "positive_data_acceptance"
"""The one check that is left out: gates, clocks and ids that nobody has refuse what no schema can tell."""
NOTHING_TO_GET_WRONG = ("/healthz", "/readyz", "/metrics")
EXAMPLES = int(os.environ.get("SCHEMATHESIS_EXAMPLES", "6"))


@pytest.fixture(scope="module")
def door(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DoorWorld]:
    home = tmp_path_factory.mktemp("openapi")
    with door_world(home, f"sqlite:///{home / 'afterword.db'}", http_rate="0") as world:
        yield world


@pytest.fixture(scope="module")
def api_schema(door: DoorWorld) -> schemathesis.schemas.BaseSchema:
    return schemathesis.openapi.from_asgi("/openapi.json", door.client.app)


@pytest.mark.parametrize("mode", list(GenerationMode))
def test_every_answer_is_one_that_the_document_promises(
    api_schema: schemathesis.schemas.BaseSchema, door: DoorWorld, mode: GenerationMode
) -> None:
    checks = [check for check in schemathesis.checks.CHECKS.get_all() if check.__name__ != UNTOLD]
    found = 0
    for result in api_schema.get_all_operations():
        operation = result.ok()
        if mode is GenerationMode.NEGATIVE and operation.path in NOTHING_TO_GET_WRONG:
            continue
        _tried(operation.as_strategy(generation_mode=mode), door.bearer(), checks)
        found += 1
    assert found >= 13


def _tried(strategy: st.SearchStrategy[schemathesis.Case], headers: dict[str, str], checks: list[Any]) -> None:
    @given(strategy)
    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def one(case: schemathesis.Case) -> None:
        case.call_and_validate(headers=headers, checks=checks)

    one()


def test_the_document_names_every_route_and_each_way_in(door: DoorWorld) -> None:
    document = door.client.get("/openapi.json").json()
    assert set(document["components"]["securitySchemes"]) == {"token", "signature"}
    assert document["paths"]["/v1/events"]["post"]["security"] == [{"token": []}, {"signature": []}]
    for path, methods in document["paths"].items():
        wants = all(one.get("security") for one in methods.values())
        assert wants == (path.startswith("/v1/") and not path.startswith("/v1/hooks/")), path
