"""The memory page without a browser: who gets in, what a form may do, and that a customer's words are never markup."""

import html
import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from door import DoorWorld, cloud_event, door_world, ticket
from sqlalchemy import update

from store.engine import writing
from store.models import events
from store.states import Role
from store.tokens import Created, Scope, revoke
from worker.house import reapply
from worker.http.pages.routes import routes
from worker.http.pages.words import _ROWS, WORDS


@pytest.fixture
def door(tmp_path: Path, sqlite_url: str) -> Iterator[DoorWorld]:
    with door_world(tmp_path / "home", sqlite_url) as world:
        yield world


def sign_in(door: DoorWorld, made: Created | None = None) -> Created:
    """Signs the client in as a person of `acme`."""
    token = made or door.create(role=Role.PERSON, scopes=[Scope.OPERATE])
    answer = door.client.post("/memory/sign-in", data={"token": token.secret})
    assert (answer.status_code, answer.headers["location"]) == (303, "/memory")
    return token


def csrf(door: DoorWorld) -> str:
    found = re.search(r'name="csrf" value="([0-9a-f]{64})"', door.client.get("/memory").text)
    assert found
    return found[1]


def send(door: DoorWorld, path: str, **fields: str) -> Any:
    return door.client.post(path, data={"csrf": csrf(door)} | fields)


def customer_page(door: DoorWorld, customer: str = "c-1") -> str:
    return str(door.client.get("/memory/customer", params={"customer": customer}).text)


PAGES = sorted(
    (method, route.path) for route in routes() for method in getattr(route, "methods", None) or () if method != "HEAD"
)


def test_the_doors_address_leads_to_the_page_whatever_host_was_sent(door: DoorWorld) -> None:
    answer = door.client.get("/", headers={"host": "evil.example"})
    assert (answer.status_code, answer.headers["location"]) == (303, "/memory")


@pytest.mark.parametrize(("method", "path"), [row for row in PAGES if "sign-in" not in row[1]])
def test_nobody_who_is_not_signed_in_sees_or_does_anything(door: DoorWorld, method: str, path: str) -> None:
    fact = door.remember("contact_channel", "e-mail only")
    answer = door.client.request(method, path, params={"customer": "c-1", "fact": fact})
    assert answer.status_code == (303 if method == "GET" else 401)
    assert "e-mail only" not in answer.text
    assert door.facts() == ["contact_channel = e-mail only"]


@pytest.mark.parametrize("path", [path for method, path in PAGES if method == "POST" and "sign-in" not in path])
def test_a_form_without_the_sessions_own_value_does_nothing(door: DoorWorld, path: str) -> None:
    fact = door.remember("contact_channel", "e-mail only")
    sign_in(door)
    for value in ({}, {"csrf": ""}, {"csrf": "0" * 64}, {"csrf": "日"}):
        fields = {"customer": "c-1", "fact": fact, "again": "c-1", "value": "phone"} | value
        assert door.client.post(path, data=fields).status_code == 403
    assert door.facts() == ["contact_channel = e-mail only"]


def test_a_form_from_another_site_does_nothing_even_with_the_right_value(door: DoorWorld) -> None:
    door.remember("contact_channel", "e-mail only")
    sign_in(door)
    fields = {"csrf": csrf(door), "customer": "c-1", "again": "c-1"}
    for headers in ({"origin": "https://evil.example"}, {"sec-fetch-site": "cross-site"}, {"origin": "null"}):
        assert door.client.post("/memory/forget", data=fields, headers=headers).status_code == 403
    assert door.facts() == ["contact_channel = e-mail only"]


STRANGE = ("http://[", "http://testserver:99999", "//testserver", "testserver", "ftp://testserver", "http://", "é", "")


@pytest.mark.parametrize("origin", STRANGE)
def test_an_origin_that_is_none_is_refused_on_a_protected_page(door: DoorWorld, origin: str) -> None:
    sign_in(door)
    for path in ("/memory/sign-in", "/memory/forget"):
        answer = door.client.post(path, data={"csrf": csrf(door)}, headers={"origin": origin.encode("latin-1")})
        assert answer.status_code == 403
        assert answer.headers["cache-control"] == "no-store"


SAME = (
    ("testserver", "http://testserver"),
    ("testserver:80", "http://testserver"),
    ("TESTSERVER", "http://testserver"),
    ("testserver", "http://testserver:80"),
    ("testserver:8321", "http://TestServer:8321"),
    ("[::1]:80", "http://[::1]"),
)


@pytest.mark.parametrize(("host", "origin"), SAME)
def test_a_host_that_is_the_forms_origin_may_be_written_in_any_way(door: DoorWorld, host: str, origin: str) -> None:
    made = door.create(role=Role.PERSON, scopes=[Scope.OPERATE])
    headers = {"host": host, "origin": origin}
    assert door.client.post("/memory/sign-in", data={"token": made.secret}, headers=headers).status_code == 303
    for other in ({"host": "testserver:81"}, {"origin": "https://testserver:81"}):
        assert door.client.post("/memory/sign-in", data={"token": "x"}, headers=headers | other).status_code == 403


@pytest.mark.parametrize("public", ["https://aw.example", "https://AW.example:443/", "https://aw.example/memory"])
def test_a_proxy_may_keep_the_public_address_to_itself(tmp_path: Path, sqlite_url: str, public: str) -> None:
    with door_world(tmp_path / "home", sqlite_url, public_url=public) as door:
        made = door.create(role=Role.PERSON, scopes=[Scope.OPERATE])

        def sent(host: str, origin: str) -> int:
            headers = {"host": host, "origin": origin}
            return int(door.client.post("/memory/sign-in", data={"token": made.secret}, headers=headers).status_code)

        for host in ("127.0.0.1:18321", "aw.example", "aw.example:443", "AW.EXAMPLE"):
            assert sent(host, "https://aw.example") == 303
        for origin in ("http://aw.example", "https://aw.example:8443", "https://evil.example", "https://aw.example."):
            assert sent("127.0.0.1:18321", origin) == 403


def test_the_session_is_safe_from_scripts_and_other_sites_and_from_the_wire(tmp_path: Path, sqlite_url: str) -> None:
    with door_world(tmp_path / "home", sqlite_url, public_url="https://testserver") as door:
        made = door.create(role=Role.PERSON, scopes=[Scope.OPERATE])
        answer = door.client.post("/memory/sign-in", data={"token": made.secret})
        cookie = answer.headers["set-cookie"].lower()
    assert all(word in cookie for word in ("httponly", "samesite=strict", "secure", "path=/memory"))
    assert made.secret.lower() not in cookie


def test_a_forged_an_old_and_a_revoked_session_end_at_the_sign_in(door: DoorWorld) -> None:
    made = sign_in(door)
    assert door.client.get("/memory").status_code == 200
    door.now = datetime.now(UTC) + timedelta(hours=2, minutes=1)
    assert door.client.get("/memory").status_code == 303
    door.now = None
    revoke(door.runtime.engine, made.token.id, actor="test", now=datetime.now(UTC))
    assert door.client.get("/memory").status_code == 303
    for value in ("x", "x.y", "é", "W10=." + "0" * 64):
        door.client.cookies.clear()
        answer = door.client.get("/memory", headers={"cookie": f"afterword_session={value}".encode("latin-1")})
        assert answer.status_code == 303


def test_who_has_signed_out_is_out_with_a_copy_of_the_cookie_too(door: DoorWorld) -> None:
    made = sign_in(door)
    kept = door.client.cookies["afterword_session"]
    assert send(door, "/memory/sign-out").headers["location"] == "/memory/sign-in"
    assert "afterword_session" not in door.client.cookies
    door.client.cookies.clear()
    old = {"cookie": f"afterword_session={kept}"}
    assert door.client.get("/memory", headers=old).headers["location"] == "/memory/sign-in"
    sign_in(door, made)  # anew, with the same token
    assert door.client.get("/memory").status_code == 200


@pytest.mark.parametrize("scopes", [(Scope.RECALL, Scope.WRITE, Scope.ENQUEUE)])
def test_a_token_that_may_not_operate_does_not_open_the_page(door: DoorWorld, scopes: tuple[Scope, ...]) -> None:
    for secret in (door.create(scopes=scopes).secret, door.signing().secret, "", "aw_x_y"):
        answer = door.client.post("/memory/sign-in", data={"token": secret})
        assert answer.status_code == 401
        assert "set-cookie" not in answer.headers


def test_every_answer_is_protected_and_kept_by_nobody(door: DoorWorld) -> None:
    sign_in(door)
    for path in ("/memory", "/memory/customer?customer=c-1", "/memory/nothing?x", "/memory/fact?customer=c-1&fact=f"):
        headers = door.client.get(path).headers
        if path != "/memory/nothing?x":
            assert headers["cache-control"] == "no-store"
            assert "default-src 'none'" in headers["content-security-policy"]
            assert headers["x-frame-options"] == "DENY"


NASTY = (
    '<script>alert("1")</script>',
    '"><img src=x onerror=alert(1)>',
    "=cmd|'/c calc'!A1",
    "{{ 7 * 7 }}",
    "&lt;b&gt;",
)


@pytest.mark.parametrize("nasty", NASTY)
def test_what_a_customer_says_is_shown_as_they_said_it_and_is_never_markup(door: DoorWorld, nasty: str) -> None:
    fact = door.remember("note", nasty, customer=nasty, kind="profile")
    door.remember("note", nasty + " too", customer=nasty, kind="profile", source="extracted")
    sign_in(door)
    shown = customer_page(door, nasty)
    explained = door.client.get("/memory/fact", params={"customer": nasty, "fact": fact}).text
    for page in (shown, explained, door.client.get("/memory/review").text):
        assert nasty in html.unescape(page)
        assert not re.search(r"<(script|img)\b", page)
    exported = door.client.get("/memory/export", params={"customer": nasty})
    assert exported.headers["content-type"] == "application/json"
    assert exported.headers["content-disposition"] == 'attachment; filename="customer.json"'
    assert json.loads(exported.text)["facts"][0]["value"] == nasty


def test_the_page_of_one_tenant_shows_and_changes_nothing_of_another(door: DoorWorld) -> None:
    fact = door.remember("contact_channel", "e-mail only", tenant="globex")
    door.remember("language", "Chinese", tenant="globex", source="extracted")
    sign_in(door)
    assert "e-mail only" not in customer_page(door)
    assert door.client.get("/memory/fact", params={"customer": "c-1", "fact": fact}).status_code == 404
    assert send(door, "/memory/forget-fact", customer="c-1", fact=fact).status_code == 404
    assert "Chinese" not in door.client.get("/memory/review").text
    assert door.facts(tenant="globex") == ["contact_channel = e-mail only"]


def test_a_person_corrects_confirms_and_forgets(door: DoorWorld) -> None:
    fact = door.remember("contact_channel", "phone", source="agent_confirmed")
    sign_in(door)
    confirmed = send(door, "/memory/confirm", customer="c-1", fact=fact)
    assert "Confirmed" in door.client.get(confirmed.headers["location"]).text
    corrected = send(door, "/memory/correct", customer="c-1", fact=fact, value="e-mail only")
    page = door.client.get(corrected.headers["location"]).text
    assert "Corrected" in page
    assert "e-mail only" in page
    assert door.facts() == ["contact_channel = e-mail only"]
    assert "phone" in customer_page(door)  # in its history
    new = dict(pair.split("=") for pair in corrected.headers["location"].partition("?")[2].split("&"))["fact"]
    send(door, "/memory/forget-fact", customer="c-1", fact=new)
    assert door.facts() == ["contact_channel = phone"]


def test_a_correction_that_a_stronger_source_or_a_gate_refuses_is_said(door: DoorWorld) -> None:
    fact = door.remember("contact_channel", "e-mail only")
    sign_in(door)
    for value, code in (("phone", "outranked"), ("4111 1111 1111 1111", "payment_card"), ("", "empty_value")):
        answer = send(door, "/memory/correct", customer="c-1", fact=fact, value=value)
        assert code in door.client.get(answer.headers["location"]).text
    assert door.facts() == ["contact_channel = e-mail only"]


def test_forgetting_a_customer_wants_their_id_typed_once_more(door: DoorWorld) -> None:
    door.remember("contact_channel", "e-mail only")
    sign_in(door)
    refused = send(door, "/memory/forget", customer="c-1", again="c-2")
    assert "Nothing was forgotten" in door.client.get(refused.headers["location"]).text
    assert door.facts() == ["contact_channel = e-mail only"]
    send(door, "/memory/forget", customer="c-1", again="c-1")
    assert door.facts() == []


@pytest.mark.parametrize("spaced", [" vip", "vip ", "\u00a0vip", "vip\u3000", " "])
def test_an_id_with_white_space_at_its_ends_is_a_customer_of_its_own(door: DoorWorld, spaced: str) -> None:
    fact = door.remember("note", "of the one with space", customer=spaced, kind="profile")
    door.remember("note", "of the one without", customer="vip", kind="profile")
    door.remember("note", "said by a ticket", customer=spaced, kind="profile", source="extracted")
    sign_in(door)
    links = re.findall(r'href="(/memory/customer[^"]+)"', door.client.get("/memory/review").text)
    for page in (customer_page(door, spaced), *(door.client.get(html.unescape(link)).text for link in links)):
        assert "of the one with space" in page
        assert "of the one without" not in page
    assert len(links) == 1
    send(door, "/memory/correct", customer=spaced, fact=fact, value="corrected")
    refused = send(door, "/memory/forget", customer=spaced, again="vip")
    assert "not_confirmed" in refused.headers["location"]
    assert len(door.facts(spaced)) == 1
    send(door, "/memory/forget", customer=spaced, again=spaced)
    assert (door.facts(spaced), door.facts("vip")) == ([], ["note = of the one without"])


@pytest.mark.parametrize(("table", "says"), [("erasures", "is noted"), ("ledger_mark", "Nothing was changed")])
def test_the_page_says_whether_a_forgetting_that_failed_will_come_by_itself(
    door: DoorWorld, table: str, says: str
) -> None:
    door.remember("contact_channel", "e-mail only")
    sign_in(door)
    with door.full(table):
        answer = send(door, "/memory/forget", customer="c-1", again="c-1")
    assert answer.status_code == 503
    assert says in answer.text
    assert reapply(door.runtime) == (1 if table == "erasures" else 0)


@pytest.mark.parametrize("sent", ["customer=%ff&again=%ff", "customer=%EF%BF%BD&again=%ff", "%ff=1", "customer=\udcff"])
def test_a_form_that_is_not_utf8_forgets_nobody(door: DoorWorld, sent: str) -> None:
    door.remember("contact_channel", "e-mail only", customer="\ufffd")
    sign_in(door)
    body = f"csrf={csrf(door)}&{sent}".encode("utf-8", "surrogateescape")
    headers = {"content-type": "application/x-www-form-urlencoded"}
    answer = door.client.post("/memory/forget", content=body, headers=headers)
    assert answer.status_code == 400
    assert "cannot be read" in answer.text
    assert answer.headers["cache-control"] == "no-store"
    assert door.facts("\ufffd") == ["contact_channel = e-mail only"]


@pytest.fixture
def either_door(tmp_path: Path, database_url: str) -> Iterator[DoorWorld]:
    with door_world(tmp_path / "home", database_url) as world:
        yield world


def test_a_name_that_no_database_has_is_not_found_and_no_outage(either_door: DoorWorld) -> None:
    door = either_door
    assert door.client.post("/memory/sign-in", data={"token": "aw_\x00_x"}).status_code == 401
    fact = door.remember("contact_channel", "e-mail only")
    sign_in(door)
    for name in ("\x00", f"{fact}\x00", "x" * 300):
        assert door.client.get("/memory/fact", params={"customer": "c-1", "fact": name}).status_code == 404
        for path in ("confirm", "correct", "forget-fact"):
            assert send(door, f"/memory/{path}", customer="c-1", fact=name, value="x").status_code == 404
        for path, field in (("accept", "item"), ("dismiss", "item"), ("replay", "fetch"), ("replay", "event")):
            assert send(door, f"/memory/{path}", **{field: name}).status_code == 404
    refused = send(door, "/memory/correct", customer="c-1", fact=fact, value="a\x00b")
    assert refused.status_code in {303, 422}
    asked = send(door, "/memory/replay", fetch="nothing-of-ours")
    assert asked.status_code == 303
    assert len(door.facts()) == 1


def test_a_question_is_accepted_or_dismissed_on_the_page(door: DoorWorld) -> None:
    door.remember("contact_channel", "phone", source="extracted")
    door.remember("language", "Chinese", source="extracted")
    sign_in(door)
    page = door.client.get("/memory/review").text
    items = list(dict.fromkeys(re.findall(r'name="item" value="([^"]+)"', page)))
    seen = re.findall(r'name="seen" value="([^"]*)"', page)
    assert "Waiting for" in page
    accepted = send(door, "/memory/accept", item=items[0], seen=seen[0])
    dismissed = send(door, "/memory/dismiss", item=items[1])
    assert "Accepted" in door.client.get(accepted.headers["location"]).text
    assert "No question waits" in door.client.get(dismissed.headers["location"]).text
    assert len(door.facts()) == 1


def test_dead_letters_are_listed_and_put_back(door: DoorWorld) -> None:
    for number in ("1", "2"):
        door.post_event(cloud_event(ticket(ticket_id=f"t-{number}"), id=number))
    with writing(door.runtime.engine) as connection:
        values = {"state": "dead", "reason": "invalid_reply", "finished_at": datetime.now(UTC)}
        connection.execute(update(events).values(values))
    sign_in(door)
    page = door.client.get("/memory/dead").text
    assert "invalid_reply" in page
    first = re.findall(r'name="event" value="([^"]+)"', page)[0]
    send(door, "/memory/replay", event=first)
    assert door.client.get("/memory/dead").text.count("invalid_reply") == 1
    send(door, "/memory/replay", all="yes")
    assert "No dead letter" in door.client.get("/memory/dead").text


def test_the_page_speaks_chinese_where_it_is_asked_to(door: DoorWorld) -> None:
    sign_in(door)
    assert "查找客户" in door.client.get("/memory", headers={"accept-language": "zh-CN,zh;q=0.9"}).text
    assert "查找客户" in door.client.get("/memory?lang=zh").text
    assert "查找客户" in door.client.get("/memory").text  # remembered
    assert "Find a customer" in door.client.get("/memory?lang=en").text
    assert 'lang="en"' in door.client.get("/memory?lang=<script>").text


def test_a_notice_in_an_address_says_nothing_but_our_own_words(door: DoorWorld) -> None:
    sign_in(door)
    page = door.client.get("/memory?done=<b>call+0900</b>").text
    assert "0900" not in re.sub(r'href="[^"]*"', "", page)


def test_an_id_that_cannot_be_is_said_and_a_page_that_is_not_there_is_404(door: DoorWorld) -> None:
    sign_in(door)
    assert door.client.get("/memory/customer", params={"customer": "a\x00b"}).status_code == 422
    assert door.client.get("/memory/nothing").status_code == 404
    assert door.client.get("/memory/static/../session.py").status_code == 404
    assert door.client.get("/memory/static/page.css").headers["content-type"].startswith("text/css")


def test_every_word_is_there_in_both_languages() -> None:
    assert all(en and zh for en, zh in _ROWS.values())
    assert WORDS["en"].keys() == WORDS["zh"].keys()
