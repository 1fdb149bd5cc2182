"""Standard Webhooks: what counts as signed, and that nothing that can be sent raises."""

import base64
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worker.http.webhooks import MAX_SIGNATURES, Fault, secret_bytes, signature, verified

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)
SECRET, OTHER = b"s" * 32, b"o" * 32
BODY = '{"text": "你好"}'.encode()


def signed(body: bytes = BODY, secret: bytes = SECRET, at: datetime = NOW, name: str = "msg_1") -> dict[str, str]:
    stamp = int(at.timestamp())
    return {
        "webhook-id": name,
        "webhook-timestamp": str(stamp),
        "webhook-signature": signature(secret, message_id=name, timestamp=stamp, body=body),
    }


def check(headers: dict[str, str], body: bytes = BODY, *secrets: bytes) -> object:
    return verified(headers, body, [(one, one) for one in secrets or (SECRET,)], now=NOW)


def test_the_specifications_own_example_verifies() -> None:
    """From the specification's documentation, secret, id, time, body and signature."""
    secret = secret_bytes("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
    assert secret is not None
    made = signature(
        secret, message_id="msg_p5jXN8AQM9LWM0D4loKWxJek", timestamp=1614265330, body=b'{"test": 2432232314}'
    )
    assert made == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_a_signed_body_is_told_by_whose_secret_it_is() -> None:
    assert check(signed(), BODY, OTHER, SECRET) == SECRET


def test_during_a_rotation_either_secret_and_several_signatures_count() -> None:
    both = signed()
    both["webhook-signature"] = f"{signed(secret=OTHER)['webhook-signature']} {both['webhook-signature']} v1a,xyz"
    assert check(both) == SECRET
    assert check(both, BODY, OTHER) == OTHER


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"webhook-signature": ""}, Fault.MISSING),
        ({"webhook-id": ""}, Fault.MISSING),
        ({"webhook-timestamp": "yesterday"}, Fault.MALFORMED),
        ({"webhook-timestamp": "١٢٣"}, Fault.MALFORMED),
        ({"webhook-timestamp": "-1"}, Fault.MALFORMED),
        ({"webhook-timestamp": "9" * 400}, Fault.MALFORMED),
        ({"webhook-signature": "garbage"}, Fault.MALFORMED),
        ({"webhook-signature": "v1,not base64!"}, Fault.MALFORMED),
        ({"webhook-signature": "v1,日本"}, Fault.MALFORMED),
        ({"webhook-signature": "v2," + base64.b64encode(b"x" * 32).decode()}, Fault.MALFORMED),
        ({"webhook-signature": "v1," + base64.b64encode(b"x" * 32).decode()}, Fault.WRONG),
        ({"webhook-id": "msg_2"}, Fault.WRONG),
    ],
)
def test_headers_that_do_not_count_are_named_by_their_fault(change: dict[str, str], fault: Fault) -> None:
    assert check(signed() | change) is fault


def test_a_truncated_signature_is_wrong() -> None:
    headers = signed()
    raw = base64.b64decode(headers["webhook-signature"].removeprefix("v1,"))
    headers["webhook-signature"] = "v1," + base64.b64encode(raw[:16]).decode()
    assert check(headers) is Fault.WRONG


@pytest.mark.parametrize("minutes", [-6, 6])
def test_a_time_more_than_five_minutes_away_is_old(minutes: int) -> None:
    assert check(signed(at=NOW + timedelta(minutes=minutes))) is Fault.OLD


def test_a_body_that_is_not_utf_8_verifies_like_any_other() -> None:
    body = b"\xff\xfe{"
    assert check(signed(body), body) == SECRET


def test_a_changed_body_is_wrong() -> None:
    assert check(signed(), BODY + b" ") is Fault.WRONG


def test_only_the_first_signatures_of_a_long_list_are_looked_at() -> None:
    headers = signed()
    headers["webhook-signature"] = "v1,AAAA " * MAX_SIGNATURES + headers["webhook-signature"]
    assert check(headers) is Fault.WRONG


@given(
    st.dictionaries(st.sampled_from(["webhook-id", "webhook-timestamp", "webhook-signature"]), st.text()), st.binary()
)
def test_nothing_that_can_be_sent_raises_or_counts(headers: dict[str, str], body: bytes) -> None:
    assert isinstance(check(headers, body), Fault)


@given(st.binary(min_size=1), st.binary(), st.text(alphabet=st.characters(codec="ascii", min_codepoint=33), min_size=1))
def test_whatever_is_signed_verifies(secret: bytes, body: bytes, name: str) -> None:
    assert verified(signed(body, secret, name=name), body, [(secret, "us")], now=NOW) == "us"


@pytest.mark.parametrize("text", ["whsec_", "", "whsec_*", "whsec_é"])
def test_what_is_no_secret_is_none(text: str) -> None:
    assert secret_bytes(text) is None
