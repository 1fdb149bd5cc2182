"""Helpdesks' webhooks at the door, and the closed tickets that a worker then fetches from them."""

import base64
import hashlib
import hmac
import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from door import DoorWorld, door_world
from helpdesk_api import HelpdeskApi, helpdesk_api
from sqlalchemy import select, update
from vendors import NAMES, NOT_A_CLOSE, put

from pipeline.events import TicketClosed
from store import fetches as fetch_store
from store.engine import reading, writing
from store.models import events, fetches
from store.payload import opened
from store.selection import Selection
from store.states import FetchState
from worker.adapters import ADAPTERS
from worker.adapters import fetch as fetching
from worker.adapters.base import Api, Closed, Endless
from worker.adapters.config import load_hooks
from worker.settings import SettingsError

PAYLOADS = Path(__file__).parents[1] / "data" / "payloads"
SECRET = "fixture-secret-not-real"
NOW = datetime.fromtimestamp(1795939200, UTC)
VENDORS = ("zendesk", "intercom", "freshdesk", "chatwoot", "zammad", "hubspot")


@pytest.fixture
def api() -> Iterator[HelpdeskApi]:
    with helpdesk_api() as server:
        yield server


@pytest.fixture
def door(tmp_path: Path, sqlite_url: str, api: HelpdeskApi) -> Iterator[DoorWorld]:
    """Tenant `acme` has every helpdesk without credentials, tenant `globex` with."""
    path = tmp_path / "hooks.toml"
    plain = [f'[acme.{vendor}]\nsecrets = ["old", "{SECRET}"]\n' for vendor in VENDORS]
    login = f'api_url = "{api.url}"\napi_user = "ops@globex.example/token"\napi_token = "t0ken"\n'
    able = [f'[globex.{vendor}]\nsecrets = ["{SECRET}"]\n{login}' for vendor in VENDORS]
    path.write_text("".join(plain + able))
    given = {"hooks": str(path), "public_url": "https://memory.example.invalid"}
    with door_world(tmp_path / "home", sqlite_url, **given) as world:
        world.now = NOW
        yield world


def webhook(vendor: str, tenant: str = "acme", body: Any = None) -> tuple[str, bytes, dict[str, str]]:
    """Path, body and headers as the vendor would send them, signed for that path."""
    found = json.loads((PAYLOADS / f"{vendor}.json").read_text("utf-8"))
    text = json.dumps(found["body"] if body is None else body, separators=(",", ":"), ensure_ascii=False).encode()
    path = f"/v1/hooks/{vendor}/{tenant}"
    headers = {name: value for name, value in found["headers"].items() if not name.startswith("_")}
    return path, text, headers | _signature(vendor, path, text, headers)


def _signature(vendor: str, path: str, body: bytes, headers: Mapping[str, str]) -> dict[str, str]:
    def mac(signed: bytes, algorithm: str = "sha256") -> bytes:
        return hmac.digest(SECRET.encode(), signed, algorithm)

    if vendor == "freshdesk":
        return {"X-Api-Key": SECRET}
    if vendor in ("intercom", "zammad"):
        return {"X-Hub-Signature": "sha1=" + mac(body, "sha1").hex()}
    if vendor == "chatwoot":
        return {"X-Chatwoot-Signature": "sha256=" + mac(headers["X-Chatwoot-Timestamp"].encode() + b"." + body).hex()}
    if vendor == "zendesk":
        stamp = headers["X-Zendesk-Webhook-Signature-Timestamp"].encode()
        return {"X-Zendesk-Webhook-Signature": base64.b64encode(mac(stamp + body)).decode()}
    stamp = headers["X-HubSpot-Request-Timestamp"]
    signed = f"POSThttps://memory.example.invalid{path}".encode() + body + stamp.encode()
    return {"X-HubSpot-Signature-v3": base64.b64encode(mac(signed)).decode()}


def post(door: DoorWorld, vendor: str, tenant: str = "acme", body: Any = None, **headers: str) -> Any:
    path, text, own = webhook(vendor, tenant, body)
    return door.client.post(path, content=text, headers={"host": "memory.example.invalid"} | own | headers)


def taken_in(door: DoorWorld) -> list[TicketClosed]:
    with reading(door.runtime.engine) as connection:
        rows = connection.execute(select(events).order_by(events.c.received_at)).all()
    return [opened(door.runtime.keys, row.payload, row_id=row.id, tenant=row.tenant) for row in rows]


def noted(door: DoorWorld) -> list[Any]:
    with reading(door.runtime.engine) as connection:
        return list(connection.execute(select(fetches)))


def fetch_all(door: DoorWorld, *, age: timedelta | None = timedelta(0)) -> None:
    """What a worker does with everything that is noted, whether or not it is due, received so long ago (None: as it
    stands)."""
    with writing(door.runtime.engine) as connection:
        if age is not None:
            connection.execute(update(fetches).values(received_at=datetime.now(UTC) - age))
        connection.execute(update(fetches).values(next_attempt=datetime(2026, 1, 1, tzinfo=UTC)))
    for row_id in fetch_store.due(door.runtime.engine, limit=100):
        fetching.fetch(door.runtime, row_id)


def test_a_helpdesk_that_sends_too_much_is_told_to_wait(tmp_path: Path, sqlite_url: str) -> None:
    path = tmp_path / "hooks.toml"
    path.write_text(f'[acme.freshdesk]\nsecrets = ["{SECRET}"]\n')
    given = {"hooks": str(path), "public_url": "https://memory.example.invalid", "http_rate": "2"}
    with door_world(tmp_path / "home", sqlite_url, **given) as door:
        door.now = NOW
        answers = [post(door, "freshdesk") for _ in range(8)]
    assert answers[-1].status_code == 429
    assert answers[-1].headers["Retry-After"] == "1"


# --- at the door ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("vendor", [vendor for vendor in VENDORS if vendor != "hubspot"])
def test_without_credentials_the_webhooks_own_words_are_taken_in_once(door: DoorWorld, vendor: str) -> None:
    first, again = post(door, vendor), post(door, vendor)
    assert (first.status_code, first.json()) == (202, {"outcomes": ["accepted"]})
    assert (again.status_code, again.json()) == (200, {"outcomes": ["duplicate"]})
    (event,) = taken_in(door)
    assert event.tenant == "acme"
    assert len(event.messages) == 1


def test_without_credentials_hubspots_ids_say_nothing(door: DoorWorld) -> None:
    answer = post(door, "hubspot")
    assert (answer.status_code, answer.json()) == (200, {"outcomes": ["ignored"]})


@pytest.mark.parametrize("vendor", VENDORS)
def test_with_credentials_the_ticket_is_noted_to_be_fetched_once(door: DoorWorld, vendor: str) -> None:
    first, again = post(door, vendor, "globex"), post(door, vendor, "globex")
    assert (first.status_code, first.json()) == (202, {"outcomes": ["fetching"]})
    assert (again.status_code, again.json()) == (200, {"outcomes": ["duplicate"]})
    (row,) = noted(door)
    assert (row.vendor, row.state) == (vendor, "pending")


@pytest.mark.parametrize("vendor", VENDORS)
def test_a_wrong_signature_and_an_unknown_tenant_look_the_same(door: DoorWorld, vendor: str) -> None:
    wrong = dict.fromkeys(_signature(vendor, *webhook(vendor)), "sha1=00")
    refused, unknown = post(door, vendor, **wrong), post(door, vendor, "nobody")
    assert (refused.status_code, unknown.status_code) == (401, 401)
    assert refused.json() == unknown.json()
    assert taken_in(door) == []


def test_another_tenants_signature_does_not_count_where_the_secrets_differ(door: DoorWorld) -> None:
    _, text, headers = webhook("hubspot", "globex")
    path = "/v1/hooks/hubspot/acme"
    assert door.client.post(path, content=text, headers={"host": "localhost"} | headers).status_code == 401


@pytest.mark.parametrize("vendor", VENDORS)
def test_what_is_no_close_is_200_and_ignored(door: DoorWorld, vendor: str) -> None:
    change = next(change for name, change in NOT_A_CLOSE if name == vendor)
    body = json.loads((PAYLOADS / f"{vendor}.json").read_text("utf-8"))["body"]
    change(body)
    for tenant in ("acme", "globex"):
        answer = post(door, vendor, tenant, body=body)
        assert (answer.status_code, answer.json()) == (200, {"outcomes": ["ignored"]})
    assert (taken_in(door), noted(door)) == ([], [])


def test_neither_secret_nor_token_nor_a_word_of_the_customer_is_logged(
    door: DoorWorld, api: HelpdeskApi, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    for vendor in VENDORS:
        FETCHED[vendor][0](api)
        api.trouble = [(401, {})]
        for tenant in ("acme", "globex", "nobody"):
            post(door, vendor, tenant)
        fetch_all(door)
        fetch_all(door)
    door.client.post(f"/v1/hooks/freshdesk/acme/{SECRET}", content=b"{", headers={"host": "localhost"})
    assert len(taken_in(door)) == len(VENDORS) * 2 - 1  # without a credential HubSpot says nothing
    basic = base64.b64encode(b"ops@globex.example/token:t0ken").decode()
    ours = " ".join(str(vars(one)) for one in caplog.records if not one.name.startswith(("httpx", "httpcore")))
    assert "not fetched" in ours
    assert not [word for word in (SECRET, "t0ken", basic, "words 1", "c@example.invalid") if word in ours]


def test_an_unknown_vendor_is_404(door: DoorWorld) -> None:
    answer = door.client.post("/v1/hooks/remedy/acme", content=b"{}", headers={"host": "localhost"})
    assert answer.status_code == 404


def test_a_secret_in_the_path_counts_for_freshdesk_alone(door: DoorWorld) -> None:
    _, text, _ = webhook("freshdesk")
    local = {"host": "localhost"}
    assert door.client.post(f"/v1/hooks/freshdesk/acme/{SECRET}", content=text, headers=local).status_code == 202
    assert door.client.post("/v1/hooks/freshdesk/acme/wrong", content=text, headers=local).status_code == 401
    _, text, _ = webhook("zammad")
    assert door.client.post(f"/v1/hooks/zammad/acme/{SECRET}", content=text, headers=local).status_code == 401


def test_a_signed_body_of_another_shape_is_422_and_no_json_400(door: DoorWorld) -> None:
    assert post(door, "zammad", body={"ticket": 7}).status_code == 422
    assert post(door, "zammad", body=[]).status_code == 422
    raw = b"\xff"
    signed = {"X-Hub-Signature": "sha1=" + hmac.digest(SECRET.encode(), raw, hashlib.sha1).hex(), "host": "localhost"}
    assert door.client.post("/v1/hooks/zammad/acme", content=raw, headers=signed).status_code == 400


def test_a_deleted_contact_is_forgotten(door: DoorWorld) -> None:
    door.remember("contact_channel", "e-mail only", customer="C007")
    deleted = {"topic": "contact.deleted", "data": {"item": {"id": "c007", "external_id": "C007"}}}
    answer = post(door, "intercom", body=deleted)
    assert (answer.status_code, answer.json()) == (202, {"outcomes": ["forgotten"]})
    assert door.facts("C007") == []


@pytest.mark.parametrize("vendor", NAMES)
def test_a_customer_who_is_null_is_422_and_shares_no_memory(door: DoorWorld, vendor: str) -> None:
    body = json.loads((PAYLOADS / f"{vendor}.json").read_text("utf-8"))["body"]
    for path in NAMES[vendor]:
        put(*path)(None)(body)
    for tenant in ("acme", "globex"):
        answer = post(door, vendor, tenant, body=body)
        assert (answer.status_code, answer.json()["error"]["code"]) == (422, "invalid_event")
    assert (taken_in(door), noted(door)) == ([], [])


def test_a_ticket_of_nobody_is_not_fetched_for_the_customer_none(door: DoorWorld, api: HelpdeskApi) -> None:
    zendesk_pages(api)
    api.pages["/api/v2/tickets/7001.json"]["ticket"]["requester_id"] = None
    post(door, "zendesk", "globex")
    fetch_all(door)
    (row,) = noted(door)
    assert (taken_in(door), row.reason) == ([], "api_reply_unreadable")


def test_a_deletion_that_names_nobody_is_422_and_forgets_nobody(door: DoorWorld) -> None:
    door.remember("contact_channel", "e-mail only", customer="None")
    nobody = [
        ("zendesk", {"type": "zen:event-type:user.deleted", "detail": {"id": None}}),
        ("intercom", {"topic": "contact.deleted", "data": {"item": {"id": None}}}),
        ("hubspot", [{"subscriptionType": "contact.deletion", "objectId": None}]),
    ]
    assert [post(door, vendor, body=body).status_code for vendor, body in nobody] == [422] * 3
    assert len(door.facts("None")) == 1


def test_closed_reopened_and_closed_again_are_two_events(door: DoorWorld) -> None:
    body = json.loads((PAYLOADS / "freshdesk.json").read_text("utf-8"))["body"]
    post(door, "freshdesk", body=body)
    body["ticket"] |= {"status": 2, "updated_at": "2026-11-29T07:50:00Z"}
    assert post(door, "freshdesk", body=body).json() == {"outcomes": ["ignored"]}
    body["ticket"] |= {"status": 5, "updated_at": "2026-11-29T07:55:00Z"}
    assert post(door, "freshdesk", body=body).json() == {"outcomes": ["accepted"]}
    assert len({event.event_id for event in taken_in(door)}) == 2


# --- fetched ----------------------------------------------------------------------------------------------------------


def zendesk_pages(api: HelpdeskApi) -> None:
    """Cursor paging, users sideloaded: developer.zendesk.com/api-reference/ticketing/tickets/ticket_comments/"""
    users = [
        {"id": 300007, "role": "end-user", "name": "Customer", "email": "c007@example.invalid", "phone": None},
        {"id": 9, "role": "agent", "name": "Agent"},
        {"id": 11, "role": "end-user", "name": "Colleague"},
    ]

    def comment(number: int, author: int, *, public: bool = True) -> dict[str, Any]:
        at = (NOW - timedelta(hours=10 - number)).isoformat().replace("+00:00", "Z")
        plain = f"words {number}"
        return {"id": number, "author_id": author, "body": "b", "plain_body": plain, "public": public, "created_at": at}

    path = "/api/v2/tickets/7001"
    api.pages = {
        f"{path}.json": {"ticket": {"id": 7001, "requester_id": 300007, "status": "solved"}, "users": users},
        f"{path}/comments.json?page[after]=abc": {
            "comments": [comment(3, 9, public=False), comment(4, 11), comment(20, 300007)],
            "users": users,
            "meta": {"has_more": False, "after_cursor": None},
        },
        f"{path}/comments.json?page[size]=100": {
            "comments": [comment(1, 300007), comment(2, 9)],
            "users": users,
            "meta": {"has_more": True, "after_cursor": "abc"},
        },
    }


def intercom_pages(api: HelpdeskApi) -> None:
    item = json.loads((PAYLOADS / "intercom.json").read_text("utf-8"))["body"]["data"]["item"]
    parts = [
        {
            "id": "p1",
            "part_type": "comment",
            "body": "<p>words 2</p>",
            "created_at": 1795900000,
            "author": {"type": "bot"},
        },
        {"id": "p2", "part_type": "note", "body": "words 3", "created_at": 1795900001, "author": {"type": "admin"}},
        {"id": "p3", "part_type": "comment", "body": "words 4", "created_at": 1795900002, "author": {"type": "lead"}},
        {"id": "p4", "part_type": "assignment", "body": None, "created_at": 1795900003, "author": {"type": "admin"}},
        {"id": "p5", "part_type": "comment", "body": "later", "created_at": 1796900003, "author": {"type": "user"}},
    ]
    api.pages = {"/conversations/7001": {**item, "conversation_parts": {"conversation_parts": parts}}}


def chatwoot_pages(api: HelpdeskApi) -> None:
    """The newest 20 first, older ones by `before`."""
    path = "/api/v1/accounts/1/conversations/42"

    def message(number: int, kind: int, **given: Any) -> dict[str, Any]:
        base = {"id": number, "content": f"words {number}", "message_type": kind, "private": False}
        return base | {"created_at": 1795900000 + number} | given

    conversation = json.loads((PAYLOADS / "chatwoot.json").read_text("utf-8"))["body"]
    api.pages = {
        f"{path}/messages?before=1": {"payload": []},
        f"{path}/messages?before=3": {"payload": [message(1, 0), message(2, 1)]},
        f"{path}/messages": {"payload": [message(3, 1, private=True), message(4, 3), message(5, 2, content=None)]},
        path: conversation,
    }


def freshdesk_pages(api: HelpdeskApi) -> None:
    """Pages by number until one is short: developers.freshdesk.com/api/#list_all_ticket_notes"""
    path = "/api/v2/tickets/7001"

    def said(number: int, **given: Any) -> dict[str, Any]:
        base = {"id": number, "body_text": f"words {number}", "incoming": False, "private": False, "user_id": 9}
        return base | {"created_at": "2026-11-28T09:00:00Z"} | given

    api.pages = {
        f"{path}/conversations?page=1": [said(n, incoming=True, user_id=300007) for n in range(100)],
        f"{path}/conversations?page=2": [said(100), said(101, private=True), said(102, incoming=True, user_id=5)],
        path: {
            "id": 7001,
            "requester_id": 300007,
            "requester": {"id": 300007, "name": "C", "email": "c@example.invalid"},
            "description_text": "words first",
            "created_at": "2026-11-28T08:00:00Z",
        },
    }


def zammad_pages(api: HelpdeskApi) -> None:
    article = {"content_type": "text/html", "internal": False, "created_at": "2026-11-29T07:00:00.000Z"}
    api.pages = {
        "/api/v1/tickets/7001": {"id": 7001, "customer_id": 7},
        "/api/v1/users/7": {"id": 7, "firstname": "Customer", "lastname": "C007", "email": "c@example.invalid"},
        "/api/v1/ticket_articles/by_ticket/7001": [
            article | {"id": 1, "sender": "Customer", "body": "<p>words 1</p>"},
            article | {"id": 2, "sender": "Agent", "body": "words 2"},
            article | {"id": 3, "sender": "Agent", "body": "words 3", "internal": True},
            article | {"id": 4, "sender": "System", "body": "words 4"},
        ],
    }


def hubspot_pages(api: HelpdeskApi) -> None:
    thread = "/conversations/v3/conversations/threads/55/messages"
    at = "2026-11-29T07:00:00.000Z"
    api.pages = {
        "/crm/v3/objects/tickets/7001": {
            "properties": {"content": "words first", "hs_pipeline": "0", "hs_pipeline_stage": "4"},
            "associations": {"contacts": {"results": [{"id": 77}]}, "conversations": {"results": [{"id": "55"}]}},
        },
        "/crm/v3/pipelines/tickets/0/stages/4": {"id": "4", "metadata": {"ticketState": "CLOSED"}},
        "/crm/v3/objects/contacts/77": {
            "properties": {"firstname": "C", "lastname": None, "email": "c@example.invalid"}
        },
        f"{thread}?after=x": {
            "results": [{"id": "m2", "type": "MESSAGE", "direction": "OUTGOING", "text": "words 2", "createdAt": at}]
        },
        thread: {
            "results": [{"id": "m1", "type": "MESSAGE", "direction": "INCOMING", "text": "words 1", "createdAt": at}],
            "paging": {"next": {"after": "x"}},
        },
    }


FETCHED: dict[str, tuple[Any, str, list[str], str]] = {
    "zendesk": (zendesk_pages, "300007", ["customer", "agent", "internal_note", "system"], "authorization"),
    "intercom": (intercom_pages, "C007", ["customer", "bot", "internal_note", "customer"], "authorization"),
    "chatwoot": (chatwoot_pages, "C007", ["customer", "agent", "internal_note", "bot"], "api_access_token"),
    "freshdesk": (
        freshdesk_pages,
        "300007",
        ["customer"] * 101 + ["agent", "internal_note", "system"],
        "authorization",
    ),
    "zammad": (zammad_pages, "7", ["customer", "agent", "internal_note", "system"], "authorization"),
    "hubspot": (hubspot_pages, "77", ["customer", "customer", "agent"], "authorization"),
}


@pytest.mark.parametrize("vendor", FETCHED)
def test_a_noted_ticket_is_fetched_page_by_page_with_the_tenants_credential(
    door: DoorWorld, api: HelpdeskApi, vendor: str
) -> None:
    pages, customer, roles, header = FETCHED[vendor]
    pages(api)
    post(door, vendor, "globex")
    fetch_all(door)
    (event,) = taken_in(door)
    assert (event.tenant, event.customer_id) == ("globex", customer)
    assert [message.role.value for message in event.messages] == roles
    assert all("t0ken" in _plain(headers[header]) for _, headers in api.asked)
    assert noted(door) == []
    assert post(door, vendor, "globex").json() == {"outcomes": ["duplicate"]}


def _plain(header: str) -> str:
    kind, _, text = header.partition(" ")
    return base64.b64decode(text).decode() if kind == "Basic" else header


def test_a_hubspot_stage_that_does_not_mean_closed_is_no_event(door: DoorWorld, api: HelpdeskApi) -> None:
    hubspot_pages(api)
    api.pages["/crm/v3/pipelines/tickets/0/stages/4"] = {"metadata": {"ticketState": "OPEN"}}
    post(door, "hubspot", "globex")
    fetch_all(door)
    assert (taken_in(door), noted(door)) == ([], [])


TROUBLE: list[tuple[Any, str, str]] = [
    ((429, {"Retry_After": "120"}), "pending", "rate_limited"),
    ((503, {"Retry_After": "Fri, 31 Dec 2100 23:59:59 GMT"}), "pending", "rate_limited"),
    ((500, {}), "pending", "api_unavailable"),
    ((401, {}), "pending", "api_refuses"),
    ((404, {}), "dead", "ticket_gone"),
    ((302, {"Location": "http://127.0.0.1:9/steal"}), "dead", "api_refuses"),
    ("cut", "pending", "api_unavailable"),
    ("not json", "pending", "api_reply_unreadable"),
    ("hang", "pending", "api_timeout"),
]


@pytest.mark.parametrize(("trouble", "state", "reason"), TROUBLE)
def test_an_api_in_trouble_loses_no_ticket(
    door: DoorWorld, api: HelpdeskApi, monkeypatch: pytest.MonkeyPatch, trouble: Any, state: str, reason: str
) -> None:
    monkeypatch.setattr(fetching, "TIMEOUT", 0.3)
    zendesk_pages(api)
    api.trouble = [trouble]
    post(door, "zendesk", "globex")
    fetch_all(door)
    (row,) = noted(door)
    assert (row.state, row.reason) == (state, reason)
    if reason == "rate_limited":
        assert row.next_attempt - datetime.now(UTC) > timedelta(seconds=100)
    if state == "dead":
        assert fetch_store.put_back(door.runtime.engine, row.id, tenant="globex")
    fetch_all(door)
    assert (len(taken_in(door)), noted(door)) == (1, [])


def test_a_fetch_ends_by_age_and_not_by_count_and_waits_as_long_again_once_put_back(
    door: DoorWorld, api: HelpdeskApi
) -> None:
    longest, engine = timedelta(seconds=door.runtime.settings.max_wait), door.runtime.engine
    api.trouble = [(401, {})] * 4
    post(door, "zendesk", "globex")
    with writing(engine) as connection:
        connection.execute(update(fetches).values(attempts=10_000))
    fetch_all(door, age=longest - timedelta(hours=1))
    assert [row.state for row in noted(door)] == ["pending"]
    fetch_all(door, age=longest + timedelta(hours=1))
    (dead,) = noted(door)
    assert (dead.state, dead.reason) == ("dead", "api_refuses")
    assert fetch_store.put_back(engine, dead.id, tenant="globex")
    fetch_all(door, age=None)
    assert [row.state for row in noted(door)] == ["pending"]


def test_dead_fetches_are_counted_and_selected_by_what_they_are(door: DoorWorld, api: HelpdeskApi) -> None:
    engine = door.runtime.engine
    for vendor in ("zendesk", "chatwoot"):
        post(door, vendor, "globex")  # the API has no page: 404
    fetch_all(door)
    assert fetch_store.dead_by_reason(engine) == {"ticket_gone": 2}
    assert fetch_store.dead_by_reason(engine, tenant="acme") == {}
    one, other = fetch_store.dead_listed(engine, Selection())
    meant: list[tuple[dict[str, Any], int]] = [
        ({"ticket": one["ticket"]}, 1), ({"event_id": other["event_id"]}, 1), ({"reason": "ticket_gone"}, 2),
        ({"reason": "api_timeout"}, 0), ({"limit": 1}, 1), ({"customer": "u1"}, 0), ({"model": "m"}, 0),
        ({"since": datetime.now(UTC) + timedelta(days=1)}, 0), ({"until": datetime(2020, 1, 1, tzinfo=UTC)}, 0),
    ]  # fmt: skip
    for given, number in meant:
        assert len(fetch_store.dead_listed(engine, Selection(tenant="globex", **given))) == number, given
    assert fetch_store.dead_listed(engine, Selection(tenant="acme")) == ()


ENDLESS = {
    "zendesk": ("comments.json", {"comments": [], "meta": {"has_more": True, "after_cursor": "x"}}),
    "freshdesk": ("conversations", [{}] * 100),
    "hubspot": ("/messages", {"results": [], "paging": {"next": {"after": "x"}}}),
}


@pytest.mark.parametrize("vendor", ENDLESS)
def test_pages_that_never_end_are_a_named_fault_and_no_shorter_ticket(
    door: DoorWorld, api: HelpdeskApi, vendor: str
) -> None:
    FETCHED[vendor][0](api)
    end, page = ENDLESS[vendor]
    mine = [name for name in api.pages if end in name]
    assert mine
    api.pages = {name: found for name, found in api.pages.items() if name not in mine}
    api.pages |= {name.partition("?")[0]: page for name in mine}
    post(door, vendor, "globex")
    fetch_all(door)
    assert [(row.state, row.reason) for row in noted(door)] == [("dead", "api_pages_endless")]
    assert taken_in(door) == []


def test_a_chatwoot_conversation_without_a_first_page_is_endless_too() -> None:
    class Older(Api):
        def get(self, path: str, **params: str | int) -> Any:
            return {"payload": [{"id": int(params.get("before", 10**6)) - 1}]}

    with pytest.raises(Endless):
        ADAPTERS["chatwoot"].fetch(Older(), "1-2", NOW)  # type: ignore[misc]


def test_a_fetch_has_one_holder_and_a_lost_one_is_taken_again(door: DoorWorld, api: HelpdeskApi) -> None:
    post(door, "zendesk", "globex")
    engine = door.runtime.engine
    (row_id,) = fetch_store.due(engine, limit=10)
    held = fetch_store.claim(engine, row_id)
    assert held is not None
    assert fetch_store.claim(engine, row_id) is None
    assert fetch_store.due(engine, limit=10) == ()
    with writing(engine) as connection:
        connection.execute(update(fetches).values(next_attempt=datetime(2026, 1, 1, tzinfo=UTC)))
    second = fetch_store.claim(engine, row_id)
    assert second is not None
    fetch_store.bury(engine, held, reason="late")
    assert fetch_store.listed(engine, tenant="globex", state=FetchState.DEAD) == ()


def test_what_was_forgotten_meanwhile_is_not_fetched_into_memory(door: DoorWorld, api: HelpdeskApi) -> None:
    zendesk_pages(api)
    post(door, "zendesk", "globex")
    door.client.delete("/v1/customers/300007", headers=door.bearer(tenant="globex") | {"host": "localhost"})
    fetch_all(door)
    with reading(door.runtime.engine) as connection:
        assert [row.state for row in connection.execute(select(events))] == ["erased"]
    assert noted(door) == []


def test_a_ticket_id_that_could_leave_its_path_is_refused(door: DoorWorld) -> None:
    body = json.loads((PAYLOADS / "zendesk.json").read_text("utf-8"))["body"]
    body["detail"]["id"] = "../../users"
    assert post(door, "zendesk", "globex", body=body).status_code == 422


IMPOSSIBLE = [
    ("zendesk", put("time"), "0001-01-01T00:00:00+14:00"),
    ("zendesk", put("time"), "9999-12-31T23:59:59-14:00"),
    ("zendesk", put("time"), "2999-01-01T00:00:00Z"),
    ("intercom", put("created_at"), -62_000_000_000),
    ("freshdesk", put("ticket", "updated_at"), "1899-12-31T23:59:59Z"),
    ("chatwoot", put("updated_at"), 253_402_300_799),
    ("zammad", put("ticket", "updated_at"), "9999-12-31T23:59:59-14:00"),
    ("hubspot", put(0, "occurredAt"), 32_503_680_000_000),
]


@pytest.mark.parametrize(("vendor", "change", "at"), IMPOSSIBLE)
def test_a_close_at_no_possible_time_is_422_whether_or_not_it_is_fetched(
    door: DoorWorld, vendor: str, change: Any, at: Any
) -> None:
    body = json.loads((PAYLOADS / f"{vendor}.json").read_text("utf-8"))["body"]
    change(at)(body)
    for tenant in ("acme", "globex") if vendor != "hubspot" else ("globex",):
        answer = post(door, vendor, tenant, body=body)
        assert (answer.status_code, answer.json()["error"]["code"]) == (422, "invalid_event")
    assert (taken_in(door), noted(door)) == ([], [])


def test_an_empty_secret_opens_no_helpdesks_door(tmp_path: Path) -> None:
    path = tmp_path / "hooks.toml"
    for vendor in VENDORS:
        for secrets in ("['']", "['s3cret', '']", "[' \t']", "['env:BLANK']"):
            path.write_text(f"[acme.{vendor}]\nsecrets = {secrets}")
            with pytest.raises(SettingsError, match=rf"AFTERWORD_HOOKS: \[acme.{vendor}\]: secrets") as raised:
                load_hooks(path, {"BLANK": "  "})
            assert "s3cret" not in str(raised.value)


def test_a_hook_that_cannot_be_is_said_in_one_line_without_its_secret(tmp_path: Path) -> None:
    path = tmp_path / "hooks.toml"
    cases = {
        "[acme.remedy]\nsecrets=['s3cret']": "no such helpdesk",
        "[acme.zendesk]\nsecrets=[]": "secrets",
        "[acme.zendesk]\nsecrets=['s3cret']\ncolour='red'": "colour",
        "[acme.zendesk]\nsecrets=['env:NOT_SET_ANYWHERE']": "NOT_SET_ANYWHERE is not set",
        "[acme.zendesk]\nsecrets=['s3cret']\napi_url='ftp://x'": "api_url",
        "[acme": "cannot be read as TOML",
    }
    for text, said in cases.items():
        path.write_text(text)
        with pytest.raises(SettingsError, match=said) as raised:
            load_hooks(path, {})
        assert "s3cret" not in str(raised.value)
    path.write_text("[acme.zendesk]\nsecrets=['env:ZENDESK']")
    hook = load_hooks(path, {"ZENDESK": "s3cret"}).of("acme", "zendesk")
    assert hook is not None
    assert hook.secrets == ("s3cret",)
    assert "s3cret" not in repr(hook)


def test_closed_says_nothing_of_the_customer_in_its_repr() -> None:
    event = Closed(
        ticket="1", closed_at=NOW, name="n", customer="c", said=({"text": "zebra"},), identifiers={"name": "z"}
    )
    assert "zebra" not in repr(event)
