"""Each vendor's webhook: its signature, a close told from everything else, the customer, and the next close."""

import copy
import json
import re
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from vendors import CUSTOMERS, LATER, NAMES, NO_ID, NOT_A_CLOSE, NOW, ROOT, SECRET, TICKETS, payload, put

from worker.adapters import ADAPTERS
from worker.adapters.base import Adapter, Api, Closed, Deleted, Ignored, Request, Unreadable
from worker.adapters.plain_text import plain_text

FAULTS = (Unreadable, LookupError, TypeError, ValueError, AttributeError)


def request(vendor: str, *, now: datetime = NOW, body: Any = None, key: str = "", **headers: str) -> Request:
    """The vendor's request as its file has it."""
    found = payload(vendor)
    sent = {name.lower(): text for name, text in found["headers"].items()}
    sent |= {"x-api-key": SECRET} if vendor == "freshdesk" else {}
    text = json.dumps(found["body"] if body is None else body, separators=(",", ":"), ensure_ascii=False)
    return Request(headers=sent | headers, body=text.encode(), url=sent.get("_signed_uri", ""), key=key, now=now)


def changed(vendor: str, change: Callable[[Any], None]) -> Any:
    body = copy.deepcopy(payload(vendor)["body"])
    change(body)
    (event,) = ADAPTERS[vendor].read(body)
    return event


@pytest.mark.parametrize("vendor", ADAPTERS)
def test_the_vendors_own_signature_verifies_and_another_secret_does_not(vendor: str) -> None:
    verify = ADAPTERS[vendor].verify
    assert verify(request(vendor), SECRET)
    assert not verify(request(vendor), SECRET + "x")


@pytest.mark.parametrize("vendor", [name for name, one in ADAPTERS.items() if not one.keyed])
def test_a_body_that_was_changed_does_not_verify(vendor: str) -> None:
    assert not ADAPTERS[vendor].verify(request(vendor, body={"changed": True}), SECRET)


@pytest.mark.parametrize("vendor", ["zendesk", "chatwoot", "hubspot"])
def test_where_the_time_is_signed_an_old_request_does_not_verify(vendor: str) -> None:
    assert not ADAPTERS[vendor].verify(request(vendor, now=NOW + timedelta(minutes=6)), SECRET)


def test_where_nothing_is_signed_the_secret_may_stand_in_the_path() -> None:
    verify = ADAPTERS["freshdesk"].verify
    headers = {"x-api-key": ""}
    assert verify(request("freshdesk", key=SECRET, **headers), SECRET)
    assert not verify(request("freshdesk", key="wrong", **headers), SECRET)
    assert not verify(request("freshdesk", **headers), SECRET)


def test_hubspot_signs_the_address_so_another_address_does_not_verify() -> None:
    sent = request("hubspot")
    elsewhere = Request(headers=sent.headers, body=sent.body, url="https://evil.example/x", now=NOW)
    assert not ADAPTERS["hubspot"].verify(elsewhere, SECRET)


@settings(max_examples=25)
@given(st.sampled_from(sorted(ADAPTERS)), st.text(max_size=30), st.text(max_size=30), st.binary(max_size=50))
def test_no_header_and_no_body_make_verifying_raise_or_count(vendor: str, one: str, other: str, body: bytes) -> None:
    headers = dict.fromkeys((name.lower() for name in payload(vendor)["headers"]), one) | {"x-hub-signature": other}
    assert not ADAPTERS[vendor].verify(Request(headers=headers, body=body, url="", now=NOW), SECRET)


@pytest.mark.parametrize("vendor", ADAPTERS)
def test_a_close_is_read_with_its_ticket_customer_and_time(vendor: str) -> None:
    (event,) = ADAPTERS[vendor].read(payload(vendor)["body"])
    assert isinstance(event, Closed)
    assert event.customer == CUSTOMERS[vendor]
    assert event.ticket == ("1-42" if vendor == "chatwoot" else "7001")
    assert abs(event.closed_at - NOW) < timedelta(seconds=1)


@pytest.mark.parametrize(("vendor", "change"), NOT_A_CLOSE)
def test_everything_else_is_ignored(vendor: str, change: Callable[[Any], None]) -> None:
    assert isinstance(changed(vendor, change), Ignored)


@pytest.mark.parametrize("vendor", ADAPTERS)
def test_a_second_close_has_another_name_and_the_same_close_the_same(vendor: str) -> None:
    first, again = changed(vendor, lambda _: None), changed(vendor, lambda _: None)
    second = changed(vendor, LATER[vendor])
    assert first == again
    assert second.ticket == first.ticket
    assert second.name != first.name
    assert second.closed_at > first.closed_at


DELETIONS: list[tuple[str, Any, tuple[str, ...]]] = [
    ("zendesk", {"type": "zen:event-type:user.deleted", "detail": {"id": "300007"}}, ("300007",)),
    (
        "intercom",
        {"topic": "contact.deleted", "data": {"item": {"type": "contact", "id": "c007", "external_id": "C007"}}},
        ("C007", "c007"),
    ),
    ("hubspot", [{"subscriptionType": "contact.privacyDeletion", "objectId": 7}], ("7",)),
]


@pytest.mark.parametrize(("vendor", "body", "customers"), DELETIONS)
def test_a_deleted_contact_is_to_be_forgotten_under_each_of_their_names(
    vendor: str, body: Any, customers: tuple[str, ...]
) -> None:
    assert list(ADAPTERS[vendor].read(body)) == [Deleted(customers=customers)]


@pytest.mark.parametrize("value", NO_ID, ids=repr)
@pytest.mark.parametrize("vendor", ADAPTERS)
def test_a_ticket_without_an_id_is_unreadable(vendor: str, value: Any) -> None:
    with pytest.raises(Unreadable):
        changed(vendor, put(*TICKETS[vendor])(value))


@pytest.mark.parametrize("value", NO_ID, ids=repr)
@pytest.mark.parametrize("vendor", NAMES)
def test_who_has_no_id_is_nobody_and_never_the_customer_none(vendor: str, value: Any) -> None:
    def nameless(body: Any) -> None:
        for path in NAMES[vendor]:
            put(*path)(value)(body)

    with pytest.raises(Unreadable):
        changed(vendor, nameless)


@pytest.mark.parametrize("value", [None, "", " "], ids=repr)
@pytest.mark.parametrize("vendor", [vendor for vendor, paths in NAMES.items() if len(paths) > 1])
def test_where_the_business_has_no_name_for_them_the_vendors_counts(vendor: str, value: Any) -> None:
    own, theirs = NAMES[vendor]

    def renamed(body: Any) -> None:
        put(*own)(value)(body)
        put(*theirs)(77)(body)

    assert changed(vendor, renamed).customer == "77"


@pytest.mark.parametrize(("vendor", "body", "customers"), DELETIONS)
@pytest.mark.parametrize("value", NO_ID, ids=repr)
def test_a_deletion_that_names_nobody_is_unreadable(
    vendor: str, body: Any, customers: tuple[str, ...], value: Any
) -> None:
    def nameless(part: Any) -> Any:
        if isinstance(part, list):
            return [nameless(one) for one in part]
        if not isinstance(part, dict):
            return part
        return {name: value if name.lower().endswith("id") else nameless(one) for name, one in part.items()}

    with pytest.raises(Unreadable):
        ADAPTERS[vendor].read(nameless(body))


def test_a_deletion_of_nobody_cannot_be_said() -> None:
    with pytest.raises(Unreadable):
        Deleted(customers=())


def test_zammads_state_may_be_a_name_or_an_object() -> None:
    assert isinstance(changed("zammad", put("ticket", "state")({"id": 4, "name": "closed"})), Closed)


@pytest.mark.parametrize("status", [4, 5, "4", "5", "Resolved", "closed"])
def test_freshdesks_status_may_be_a_number_or_a_word(status: Any) -> None:
    assert isinstance(changed("freshdesk", put("ticket", "status")(status)), Closed)


def test_internal_notes_and_markup_are_told_apart_from_what_was_said() -> None:
    def note(body: Any) -> None:
        body["article"] |= {
            "internal": True,
            "body": "<p>He&amp;she</p><script>x</script>",
            "content_type": "text/html",
        }

    assert changed("zammad", note).said[0] == {
        "role": "internal_note",
        "text": "He&she",
        "id": "102",
        "at": "2026-11-29T07:59:00+00:00",
    }


def readme_adapter() -> Adapter:
    """The README's example of an adapter, as it stands there."""
    code = re.search(r'```python\n("""Front.*?)```', (ROOT / "README.md").read_text("utf-8"), re.DOTALL)
    assert code
    names: dict[str, Any] = {}
    exec(code[1], names)
    adapter = names["ADAPTER"]
    assert isinstance(adapter, Adapter)
    return adapter


def test_the_readmes_adapter_verifies_and_reads_the_vendors_request() -> None:
    front = readme_adapter()
    assert front.verify(request("front"), SECRET)
    assert not front.verify(request("front"), SECRET + "x")
    assert not front.verify(request("front", body={"changed": True}), SECRET)
    assert not front.verify(request("front", now=NOW + timedelta(minutes=6)), SECRET)
    assert not front.verify(request("front", **{"x-front-request-timestamp": "\xe9"}), SECRET)
    body = payload("front")["body"]
    (event,) = front.read(body)
    assert event == Closed(ticket="cnv_7", closed_at=NOW, name="evt_1", customer="crd_7")
    body["payload"]["type"] = "reopen"
    assert front.read(body) == [Ignored(why="not_a_close")]
    with pytest.raises(FAULTS):
        front.read({"payload": None})


def test_the_readmes_adapter_fetches_the_words() -> None:
    front = readme_adapter()
    assert front.fetch
    conversation = payload("front")["body"]["payload"]["conversation"]
    said = [
        {"id": "m1", "is_inbound": True, "text": "E-mail only.", "created_at": 1795939100.0},
        {"id": "m2", "is_inbound": False, "text": " ", "created_at": 1795939150.0},
    ]
    pages = {"/conversations/cnv_7": conversation, "/conversations/cnv_7/messages": {"_results": said}}

    class Pages(Api):
        def get(self, path: str, **_: str | int) -> Any:
            return pages[path]

    found = front.fetch(Pages(), "cnv_7", NOW)
    assert found
    assert found["customer_id"] == "crd_7"
    assert [(one["role"], one["text"]) for one in found["messages"]] == [("customer", "E-mail only.")]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@given(st.sampled_from(sorted(ADAPTERS)), json_values)
def test_a_body_of_another_shape_raises_only_what_the_door_expects(vendor: str, body: Any) -> None:
    try:
        found = ADAPTERS[vendor].read(body)
    except FAULTS:
        return
    assert all(isinstance(one, Ignored) for one in found)


def test_markup_becomes_lines_of_words() -> None:
    assert (
        plain_text("<div>One<br>two</div><p>th&lt;ree &amp;\n four</p><style>p{}</style>") == "One\ntwo\nth<ree &\nfour"
    )
    assert plain_text(None) == ""
