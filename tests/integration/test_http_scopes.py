"""The README's table of scopes: every route that asks for a token stands in it, under the scope that it wants."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from door import DoorWorld, cloud_event, door_world

from store.tokens import Scope

README = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
TABLE = README.split("<!-- scopes -->")[1].split("<!-- /scopes -->")[0]
ROWS = [
    (scope, method, path)
    for scope, routes in re.findall(r"^\| `(\w+)` \|(.*)\|$", TABLE, re.MULTILINE)
    for method, path in re.findall(r"`([A-Z]+) (\S+)`", routes)
]
BODIES = {
    "/v1/events": cloud_event(),
    "/v1/customers/{customer}/facts": {"kind": "preference", "key": "k"},
    "/v1/receipts/{receipt}/feedback": {"verdict": "helpful"},
}


@pytest.fixture
def door(tmp_path: Path, sqlite_url: str) -> Iterator[DoorWorld]:
    with door_world(tmp_path / "home", sqlite_url) as world:
        yield world


def test_every_route_that_asks_for_a_token_stands_in_the_table_and_no_other(door: DoorWorld) -> None:
    paths = door.client.get("/openapi.json").json()["paths"]
    asking = {
        (method.upper(), path)
        for path, methods in paths.items()
        for method, route in methods.items()
        if {"token": []} in route.get("security", [])
    }
    assert asking == {(method, path) for _, method, path in ROWS}
    assert {scope for scope, *_ in ROWS} == {scope.value for scope in Scope}


@pytest.mark.parametrize(("scope", "method", "path"), ROWS)
def test_a_route_wants_the_scope_that_the_table_says(door: DoorWorld, scope: str, method: str, path: str) -> None:
    others = door.bearer(scopes=tuple(one for one in Scope if one.value != scope))
    address = re.sub(r"\{\w+\}", "x", path)
    body = BODIES.get(path) if method == "POST" else None
    answer = door.client.request(
        method, address, json=body, headers=others, params={"customer": "x"} if "recall" in path else {}
    )
    assert (answer.status_code, answer.json()["error"]["message"]) == (403, f"the token lacks the scope {scope}")
