"""Recall, facts, forgetting, export, review and feedback over HTTP: by whose token, and about whom."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from door import DoorWorld, cloud_event, door_world, ticket

from store.states import Role
from store.tokens import Scope
from worker.client import recall
from worker.house import reapply

FACT = {"kind": "preference", "key": "contact_channel", "value": "e-mail only"}


@pytest.fixture
def door(tmp_path: Path, database_url: str) -> Iterator[DoorWorld]:
    with door_world(tmp_path / "home", database_url) as world:
        yield world


@pytest.fixture
def sqlite_door(tmp_path: Path, sqlite_url: str) -> Iterator[DoorWorld]:
    with door_world(tmp_path / "home", sqlite_url) as world:
        yield world


def state(door: DoorWorld, customer: str = "c-1", headers: dict[str, str] | None = None, **given: Any) -> Any:
    path = f"/v1/customers/{customer}/facts"
    return door.client.post(path, json=FACT | given, headers=headers or door.bearer())


def test_a_fact_is_stated_recalled_explained_and_forgotten(door: DoorWorld) -> None:
    headers = door.bearer()
    stated = state(door).json()
    assert (stated["decision"], stated["reason"]) == ("ADD", "new")
    recalled = door.client.get("/v1/recall?customer=c-1", headers=headers).json()
    assert [fact["value"] for fact in recalled["facts"]] == ["e-mail only"]
    assert "e-mail only" in recalled["block"]
    path = f"/v1/customers/c-1/facts/{stated['fact']}"
    shown = door.client.get(path, headers=headers).json()
    assert shown["observations"][0]["source"] == "system"
    assert door.client.delete(path, headers=headers).json()["erased"]["observations"] == 1
    assert door.client.get("/v1/customers/c-1/facts", headers=headers).json() == {"facts": []}
    assert door.client.delete(path, headers=headers).status_code == 404


@pytest.mark.parametrize(
    ("role", "decision", "source"),
    [(Role.SYSTEM, "ADD", "system"), (Role.PERSON, "ADD", "agent_confirmed"), (Role.AGENT, "REJECT", None)],
)
def test_who_speaks_decides_what_a_statement_counts_as(
    sqlite_door: DoorWorld, role: Role, decision: str, source: str | None
) -> None:
    headers = sqlite_door.bearer(role=role)
    answer = state(sqlite_door, headers=headers).json()
    assert answer["decision"] == decision
    facts = sqlite_door.client.get("/v1/customers/c-1/facts", headers=headers).json()["facts"]
    assert [fact["source"] for fact in facts] == ([source] if source else [])
    if role is Role.AGENT:
        assert answer["reason"] == "needs_confirmation"
        questions = sqlite_door.client.get("/v1/review", headers=headers).json()["questions"]
        assert [one["says"] for one in questions] == ["e-mail only"]


def test_no_token_may_claim_a_source_or_a_tenant_that_is_not_its_own(sqlite_door: DoorWorld) -> None:
    agent = sqlite_door.bearer(role=Role.AGENT)
    for claim in ({"source": "system"}, {"source": "agent_confirmed"}, {"tenant": "globex"}):
        assert state(sqlite_door, headers=agent, **claim).status_code == 403
    assert sqlite_door.facts() == []


def test_no_route_answers_across_tenants(sqlite_door: DoorWorld) -> None:
    fact = state(sqlite_door).json()["fact"]
    other = sqlite_door.bearer(tenant="globex")
    client = sqlite_door.client
    assert client.get("/v1/recall?customer=c-1", headers=other).json()["facts"] == []
    assert client.get("/v1/recall?customer=c-1&tenant=acme", headers=other).status_code == 403
    assert client.get("/v1/customers/c-1/facts", headers=other).json() == {"facts": []}
    assert client.get(f"/v1/customers/c-1/facts/{fact}", headers=other).status_code == 404
    assert client.delete(f"/v1/customers/c-1/facts/{fact}", headers=other).status_code == 404
    assert client.delete("/v1/customers/c-1?tenant=acme", headers=other).status_code == 403
    assert client.delete("/v1/customers/c-1", headers=other).status_code == 200
    assert client.get("/v1/customers/c-1/export", headers=other).json()["facts"] == []
    assert sqlite_door.facts() == ["contact_channel = e-mail only"]


@pytest.mark.parametrize(
    ("method", "path", "wanted"),
    [
        ("GET", "/v1/recall?customer=c-1", Scope.RECALL),
        ("GET", "/v1/customers/c-1/facts", Scope.RECALL),
        ("GET", "/v1/customers/c-1/facts/f", Scope.RECALL),
        ("POST", "/v1/customers/c-1/facts", Scope.WRITE),
        ("DELETE", "/v1/customers/c-1/facts/f", Scope.OPERATE),
        ("DELETE", "/v1/customers/c-1", Scope.OPERATE),
        ("GET", "/v1/customers/c-1/export", Scope.OPERATE),
        ("GET", "/v1/review", Scope.OPERATE),
        ("POST", "/v1/review/x/accept", Scope.OPERATE),
        ("POST", "/v1/review/x/dismiss", Scope.OPERATE),
        ("POST", "/v1/receipts/x/feedback", Scope.WRITE),
        ("GET", "/v1/events/x", Scope.ENQUEUE),
    ],
)
def test_every_route_wants_its_scope_and_a_token(sqlite_door: DoorWorld, method: str, path: str, wanted: Scope) -> None:
    others = [scope for scope in Scope if scope is not wanted]
    body = (
        {"json": {"verdict": "helpful"} if "feedback" in path else FACT}
        if method == "POST" and "rev" not in path
        else {}
    )
    assert sqlite_door.client.request(method, path, **body).status_code == 401
    refused = sqlite_door.client.request(method, path, headers=sqlite_door.bearer(scopes=tuple(others)), **body)
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "scope_missing")
    allowed = sqlite_door.client.request(method, path, headers=sqlite_door.bearer(scopes=(wanted,)), **body)
    assert allowed.status_code in (200, 404)


@pytest.mark.parametrize("customer", ["a/b", "客户 一", "..%2F", "a?b#c", "%2F%2e", "x/facts", "a/facts/b", "a+b"])
def test_an_id_with_slashes_or_any_script_is_one_customer(sqlite_door: DoorWorld, customer: str) -> None:
    from urllib.parse import quote

    path = f"/v1/customers/{quote(customer, safe='')}"
    headers = sqlite_door.bearer()
    assert sqlite_door.client.post(f"{path}/facts", json=FACT, headers=headers).json()["decision"] == "ADD"
    assert sqlite_door.facts(customer) == ["contact_channel = e-mail only"]
    recalled = sqlite_door.client.get("/v1/recall", params={"customer": customer}, headers=headers).json()
    assert len(recalled["facts"]) == 1
    assert sqlite_door.client.delete(path, headers=headers).json()["erased"]["customers"] == 1
    assert sqlite_door.facts(customer) == []


@pytest.mark.parametrize("customer", ["%00", "a%0Ab", "%C2%85", "x" * 201])
def test_an_id_with_control_characters_or_too_long_is_422(sqlite_door: DoorWorld, customer: str) -> None:
    for path in (f"/v1/customers/{customer}/facts", f"/v1/recall?customer={customer}"):
        assert sqlite_door.client.get(path, headers=sqlite_door.bearer()).status_code == 422


def test_what_the_gates_refuse_is_an_answer_and_stands_nowhere(sqlite_door: DoorWorld) -> None:
    answer = state(sqlite_door, key="card_number", value="4111 1111 1111 1111")
    assert (answer.status_code, answer.json()["decision"], answer.json()["reason"]) == (200, "REJECT", "forbidden_key")
    assert sqlite_door.facts() == []


@pytest.mark.parametrize(
    "change", [{"importance": 7}, {"observed_at": "yesterday"}, {"until": "soon"}, {"kind": 3}, {"zebra": 1}]
)
def test_a_wrong_field_is_422_and_is_not_repeated(sqlite_door: DoorWorld, change: dict[str, Any]) -> None:
    answer = state(sqlite_door, **change)
    assert answer.status_code == 422
    assert all(word not in answer.text for word in ("yesterday", "soon", "zebra"))


def test_every_wrong_field_is_named_at_once(sqlite_door: DoorWorld) -> None:
    message = state(sqlite_door, importance=7, until="soon", zebra=1).json()["error"]["message"]
    assert message.startswith("body.importance: Input should be less than or equal to 1; body.until: want a day")
    assert "body.(unknown field): known here are kind, key, value, source" in message
    stated = {"kind": "preference", "key": "k", "tenant": "acme", "source": "system", "observed_at": None}
    path, headers = "/v1/customers/c-1/facts", sqlite_door.bearer()
    assert sqlite_door.client.post(path, json=stated | {"value": 5}, headers=headers).json()["error"]["message"] == (
        "body.value: want text"
    )
    asked = sqlite_door.client.get("/v1/recall?k=0&at=monday", headers=headers).json()["error"]["message"]
    assert [part.split(":")[0] for part in asked.split("; ")] == ["query.customer", "query.k", "query.at"]


def test_a_body_that_is_missing_is_told(sqlite_door: DoorWorld) -> None:
    answer = sqlite_door.client.post("/v1/customers/c-1/facts", headers=sqlite_door.bearer())
    assert answer.json()["error"]["message"] == "body: is missing"


def test_forgetting_a_customer_who_is_not_known_is_noted_too(sqlite_door: DoorWorld) -> None:
    answer = sqlite_door.client.delete("/v1/customers/nobody?opt_out=true", headers=sqlite_door.bearer()).json()
    assert answer["line"] == 1
    assert state(sqlite_door, "nobody").json()["reason"] == "opted_out"


def test_an_export_is_the_whole_memory_as_json_with_formulas_and_markup_as_plain_strings(
    sqlite_door: DoorWorld,
) -> None:
    for key, value in (("note", '=HYPERLINK("x")'), ("remark", "<script>alert(1)</script>")):
        state(sqlite_door, kind="profile", key=key, value=value)
    answer = sqlite_door.client.get("/v1/customers/c-1/export", headers=sqlite_door.bearer())
    assert answer.headers["content-type"] == "application/json"
    values = [fact["value"] for fact in json.loads(answer.text)["facts"]]
    assert sorted(values) == ["<script>alert(1)</script>", '=HYPERLINK("x")']


def test_a_question_is_answered_once(door: DoorWorld) -> None:
    agent, person = door.bearer(role=Role.AGENT), door.bearer(role=Role.PERSON)
    state(door, headers=agent)
    state(door, headers=agent, key="language", value="Chinese")
    first, second = door.client.get("/v1/review", headers=person).json()["questions"]
    accepted = door.client.post(f"/v1/review/{first['id']}/accept", json={"seen": first["standing"]}, headers=person)
    assert (accepted.status_code, accepted.json()["outcome"]) == (200, "accepted")
    again = door.client.post(f"/v1/review/{first['id']}/accept", headers=person)
    assert (again.status_code, again.json()["error"]["code"]) == (409, "already_resolved")
    dismissed = door.client.post(f"/v1/review/{second['id']}/dismiss", headers=person)
    assert dismissed.json()["outcome"] == "dismissed"
    assert door.facts() == ["contact_channel = e-mail only"]
    other = door.client.post(f"/v1/review/{second['id']}/dismiss", headers=door.bearer(tenant="globex"))
    assert other.status_code == 404


def test_a_question_whose_slot_has_changed_is_409(sqlite_door: DoorWorld) -> None:
    state(sqlite_door, headers=sqlite_door.bearer(role=Role.AGENT))
    (question,) = sqlite_door.client.get("/v1/review", headers=sqlite_door.bearer()).json()["questions"]
    state(sqlite_door, value="phone", headers=sqlite_door.bearer(role=Role.PERSON))
    path = f"/v1/review/{question['id']}/accept"
    changed = sqlite_door.client.post(path, json={"seen": question["standing"]}, headers=sqlite_door.bearer())
    assert (changed.status_code, changed.json()["error"]["code"]) == (409, "changed")


def recalled(door: DoorWorld, **asked: Any) -> Any:
    return door.client.get("/v1/recall", params={"customer": "c-1", **asked}, headers=door.bearer()).json()


def report(door: DoorWorld, receipt: str, headers: dict[str, str] | None = None, **told: Any) -> Any:
    path = f"/v1/receipts/{receipt}/feedback"
    return door.client.post(path, json=told, headers=headers or door.bearer(role=Role.AGENT))


def test_a_wrong_memory_is_reported_by_its_receipt_and_becomes_a_question_for_a_person(door: DoorWorld) -> None:
    state(door)
    told = recalled(door)
    fact = told["facts"][0]["id"]
    for named in (fact, fact[:12], fact):
        noted = report(door, told["receipt"], verdict="wrong", fact=named).json()
        assert (noted["verdict"], noted["fact"], noted["outcome"]) == ("wrong", fact, "filed")
    (question,) = door.client.get("/v1/review", headers=door.bearer()).json()["questions"]
    assert (question["ended"], question["holds"]) == (True, "e-mail only")
    assert door.facts() == ["contact_channel = e-mail only"]
    lines = door.client.get("/v1/customers/c-1/export", headers=door.bearer()).json()["audit"]
    told_of = [(line["outcome"], line["fact"]) for line in lines if line["action"] == "feedback"]
    assert told_of == [("wrong", fact)] * 3


def test_a_report_may_say_what_is_right_and_a_person_lets_it_hold(sqlite_door: DoorWorld) -> None:
    state(sqlite_door, headers=sqlite_door.bearer(role=Role.PERSON))
    told = recalled(sqlite_door)
    fact = told["facts"][0]["id"]
    assert report(sqlite_door, told["receipt"], verdict="outdated", fact=fact, instead="phone").status_code == 200
    (question,) = sqlite_door.client.get("/v1/review", headers=sqlite_door.bearer()).json()["questions"]
    assert question["says"] == "phone"
    sqlite_door.client.post(f"/v1/review/{question['id']}/accept", headers=sqlite_door.bearer(role=Role.PERSON))
    assert sqlite_door.facts() == ["contact_channel = phone"]
    again = report(sqlite_door, told["receipt"], verdict="wrong", fact=fact).json()
    assert again["outcome"] == "gone"


def test_a_report_that_may_not_be_written_says_why(sqlite_door: DoorWorld) -> None:
    state(sqlite_door)
    told = recalled(sqlite_door)
    fact = told["facts"][0]["id"]
    noted = report(sqlite_door, told["receipt"], verdict="wrong", fact=fact, instead="card 4111 1111 1111 1111").json()
    assert (noted["outcome"], noted["reason"]) == ("refused", "payment_card")


def test_what_helped_is_noted_and_asks_nobody(sqlite_door: DoorWorld) -> None:
    state(sqlite_door)
    noted = report(sqlite_door, recalled(sqlite_door)["receipt"], verdict="helpful").json()
    assert (noted["outcome"], noted["fact"]) == ("noted", None)
    assert sqlite_door.client.get("/v1/review", headers=sqlite_door.bearer()).json() == {"questions": []}


def test_a_fact_may_be_called_by_its_ref_as_over_mcp(sqlite_door: DoorWorld) -> None:
    state(sqlite_door, headers=sqlite_door.bearer(role=Role.PERSON))
    told = recalled(sqlite_door)
    ref = told["facts"][0]["id"][:12]
    noted = report(sqlite_door, told["receipt"], verdict="wrong", ref=ref).json()
    assert (noted["outcome"], noted["fact"]) == ("filed", told["facts"][0]["id"])


def test_feedback_with_a_wrong_field_is_told_which_there_are(sqlite_door: DoorWorld) -> None:
    message = report(sqlite_door, "nothing", canary="x").json()["error"]["message"]
    assert message == ("body.verdict: is missing; body.(unknown field): known here are verdict, fact or ref, instead")


def test_feedback_names_a_receipt_of_its_own_tenant_and_one_of_its_facts(sqlite_door: DoorWorld) -> None:
    state(sqlite_door)
    receipt = recalled(sqlite_door)["receipt"]
    other = sqlite_door.bearer(tenant="globex")
    assert report(sqlite_door, receipt, verdict="wrong").status_code == 422
    assert report(sqlite_door, receipt, verdict="wrong", fact="00000000").status_code == 404
    assert report(sqlite_door, "nothing", verdict="helpful").status_code == 404
    assert report(sqlite_door, receipt, other, verdict="helpful").status_code == 404


def test_recall_explains_and_says_what_has_changed_as_python_and_the_command_line_do(sqlite_door: DoorWorld) -> None:
    state(sqlite_door)
    before = datetime.now(UTC)
    state(sqlite_door, key="language", value="Chinese")
    told = recalled(sqlite_door, k=1, explain=True, changed_since=before.isoformat())
    assert sorted(one["why"] for one in told["explained"]) == ["not_among_k", "told"]
    assert (len(told["changes"]["fresh"]), told["changes"]["gone"]) == (1, [])
    python = recall("acme", "c-1", k=1, explain=True, changed_since=before, using=sqlite_door.runtime).document()
    assert [one["why"] for one in python["explained"]] == [one["why"] for one in told["explained"]]
    assert python["changes"] == told["changes"]
    plain = recalled(sqlite_door)
    assert "explained" not in plain
    assert "changes" not in plain
    headers = sqlite_door.bearer()
    assert sqlite_door.client.get("/v1/recall?customer=c-1&changed_since=monday", headers=headers).status_code == 422


def test_a_forged_host_appears_nowhere_and_is_refused_where_the_address_is_known(
    sqlite_door: DoorWorld, tmp_path: Path
) -> None:
    forged = {"host": "evil.example"}
    for path in ("/memory", "/memory/", "/v1/recall", "/openapi.json", "/nothing/"):
        answer = sqlite_door.client.get(path, headers=forged)
        assert "evil" not in answer.text + str(dict(answer.headers))
    url = str(sqlite_door.runtime.engine.url)
    with door_world(tmp_path / "second", url, public_url="https://memory.example/") as known:
        assert known.client.get("/memory/sign-in", headers=forged).status_code == 400
        assert known.client.get("/memory/sign-in", headers={"host": "memory.example"}).status_code == 200
        assert known.client.get("/healthz", headers=forged).status_code == 200


def test_a_misspelt_parameter_is_422_and_named_by_what_the_route_has(sqlite_door: DoorWorld) -> None:
    answer = sqlite_door.client.delete("/v1/customers/c-1?opt_uot=true", headers=sqlite_door.bearer())
    assert (answer.status_code, answer.json()["error"]["message"]) == (
        422,
        "query: unknown parameter; this route has: opt_out, tenant",
    )


@pytest.mark.parametrize(
    ("method", "address", "field"),
    [
        ("get", "/v1/recall?customer=c-1&customer=c-2", "customer"),
        ("get", "/v1/recall?customer=c-1&tenant=other&tenant=acme", "tenant"),
        ("get", "/v1/customers/c-1/facts?at=2026-03-02T09:00:00Z&at=2026-03-03T09:00:00Z", "at"),
        ("get", "/v1/customers/c-1/facts?past=1&at=2026-03-02T09:00:00Z", "at"),
        ("get", "/v1/review?limit=1&limit=1", "limit"),
        ("delete", "/v1/customers/c-1?tenant=other&tenant=acme", "tenant"),
        ("delete", "/v1/customers/c-1?opt_out=0&opt_out=1", "opt_out"),
    ],
)
def test_a_parameter_that_another_would_overrule_is_422_and_named(
    sqlite_door: DoorWorld, method: str, address: str, field: str
) -> None:
    state(sqlite_door)
    answer = sqlite_door.client.request(method, address, headers=sqlite_door.bearer())
    assert answer.status_code == 422
    assert answer.json()["error"]["message"].startswith(f"query.{field}: ")
    assert len(sqlite_door.facts("c-1")) == 1


def test_a_list_may_be_given_in_several_parameters(sqlite_door: DoorWorld) -> None:
    address = "/v1/recall?customer=c-1&kind=preference&kind=profile"
    assert sqlite_door.client.get(address, headers=sqlite_door.bearer()).status_code == 200


NO_TIMES = [-1, "-1", 1740906000, "1740906000", "1740906000.5", 1740906000.5, "2026-03-02", "inf", True, ""]


@pytest.mark.parametrize("value", NO_TIMES, ids=repr)
def test_a_number_is_no_time(sqlite_door: DoorWorld, value: Any) -> None:
    door, headers = sqlite_door, sqlite_door.bearer()
    for address in ("/v1/recall?customer=c-1&at=", "/v1/customers/c-1/facts?known_at="):
        assert door.client.get(f"{address}{value}", headers=headers).status_code == 422
    assert state(door, observed_at=value).status_code == 422
    answer = door.client.post("/v1/events", json=cloud_event(ticket(closed_at=value)), headers=headers)
    assert (answer.status_code, answer.json()["error"]["code"]) == (422, "invalid_event")
    answer = door.client.post(
        "/v1/events",
        json=cloud_event(ticket() | {"messages": [{"role": "customer", "text": "Hello", "at": value}]}),
        headers=headers,
    )
    assert answer.status_code == 422


@pytest.mark.parametrize("value", [20_000, 1740873600, "1740873600", "2026-03-02T00:00:00Z", "2026-3-2"], ids=repr)
def test_a_number_is_no_day(sqlite_door: DoorWorld, value: Any) -> None:
    assert state(sqlite_door, until=value).status_code == 422


def test_iso_times_in_each_of_their_spellings_are_taken(sqlite_door: DoorWorld) -> None:
    for text in (
        "2026-03-02T09:00:00Z",
        "2026-03-02 09:00:00+08:00",
        "2026-03-02t09:00z",
        "2026-03-02T09:00:00.5-03:30",
    ):
        assert state(sqlite_door, observed_at=text).status_code == 200
    assert state(sqlite_door, until="2030-03-02").status_code == 200


@pytest.mark.parametrize("whole", [True, False], ids=["the customer", "one fact"])
def test_a_forgetting_that_is_in_the_ledger_alone_is_said_to_be_noted_and_comes_by_itself(
    sqlite_door: DoorWorld, whole: bool
) -> None:
    door, headers = sqlite_door, sqlite_door.bearer()
    path = "/v1/customers/c-1" if whole else f"/v1/customers/c-1/facts/{state(door).json()['fact']}"
    state(door)
    with door.full("erasures"):
        answer = door.client.delete(path, headers=headers)
    assert (answer.status_code, answer.json()["error"]["code"]) == (503, "noted")
    assert "nothing was changed" not in answer.text
    assert "noted and will be finished" in answer.text
    assert len(door.facts()) == 1
    assert reapply(door.runtime) == 1
    assert door.facts() == []


def test_a_forgetting_that_did_not_reach_the_ledger_changed_nothing(sqlite_door: DoorWorld) -> None:
    door, headers = sqlite_door, sqlite_door.bearer()
    state(door)
    with door.full("ledger_mark"):
        answer = door.client.delete("/v1/customers/c-1", headers=headers)
    assert (answer.status_code, answer.json()["error"]["code"]) == (503, "unavailable")
    assert "nothing was changed" in answer.text
    assert door.runtime.ledger.last() == 0
    assert len(door.facts()) == 1


def test_what_is_told_of_customers_is_kept_by_no_cache(sqlite_door: DoorWorld) -> None:
    door, headers = sqlite_door, sqlite_door.bearer()
    told = [
        state(door),
        *(door.client.get(path, headers=headers) for path in ("/v1/recall?customer=c-1", "/v1/customers/c-1/export")),
        door.client.get("/v1/customers/a%2Fb/facts", headers=headers),
        door.client.get("/v1/customers/c-1/facts"),
        door.client.get("/v1/nothing", headers=headers),
        door.client.post("/v1/events", content=b"{"),
        door.client.delete("/v1/customers/c-1", headers=headers),
    ]
    assert {answer.headers["cache-control"] for answer in told} == {"no-store"}
    assert {answer.headers["x-content-type-options"] for answer in told} == {"nosniff"}
    assert [answer.status_code for answer in told] == [200, 200, 200, 200, 401, 404, 401, 200]
