"""Masking: what the model must not read is gone, what memory needs stays, and every span is exact."""

import json
import re
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.events import TicketClosed
from pipeline.mask import masked
from pipeline.sensitive import STATEMENTS, findings
from pipeline.transcript import Transcript
from tests.unit.gate_lines import DATA

TICKETS = [json.loads(line) for line in (DATA / "annotated_tickets.jsonl").read_text(encoding="utf-8").splitlines()]


def ticket(*said: str | tuple[str, str], **more: Any) -> TicketClosed:
    messages = [{"role": "customer", "text": s} if isinstance(s, str) else {"role": s[0], "text": s[1]} for s in said]
    return TicketClosed.model_validate(
        {
            "tenant": "t",
            "ticket_id": "1",
            "customer_id": "c",
            "closed_at": datetime(2026, 1, 1, tzinfo=UTC),
            "event_id": "e",
            "messages": messages,
            **more,
        }
    )


def texts(transcript: Transcript) -> list[str]:
    return [line.text for line in transcript.lines]


def plain(text: str) -> str:
    return re.sub(r"\W", "", text).lower()


def unmasked(transcript: Transcript, event: TicketClosed) -> list[str]:
    """The lines with each placeholder replaced by what its span covers in the original."""
    restored = []
    for line in transcript.lines:
        out = line.text
        for span in (s for s in transcript.spans if s.position == line.position):
            at = span.start
            assert out[at : at + len(span.placeholder)] == span.placeholder
            value = event.messages[span.position].text[span.start : span.end]
            out = out[:at] + value + out[at + len(span.placeholder) :]
        restored.append(out)
    return restored


@pytest.mark.parametrize("row", TICKETS, ids=[row["dialogue_id"] for row in TICKETS])
def test_no_secret_of_an_annotated_ticket_reaches_the_model_and_no_evidence_is_lost(row: dict[str, Any]) -> None:
    shown = "\n".join(texts(masked(ticket(*[(m["role"], m["text"]) for m in row["messages"]]))))
    for entry in row["must_not_store_detail"]:
        assert not entry["sensitive"] or plain(entry["text"]) not in plain(shown)
    for fact in row["facts"]:
        assert fact["evidence"] in shown


def test_the_same_value_gets_the_same_placeholder_and_neighbours_get_two() -> None:
    event = ticket("call 13800138000 or +86 138-0013-8000", "4111111111111111 5555555555554444")
    assert texts(masked(event)) == ["call <PHONE_1> or <PHONE_1>", "<PAYMENT_CARD_1> <PAYMENT_CARD_2>"]


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("电话是010-67013036，010-67028866，010-67028811", "电话是<PHONE_1>，<PHONE_2>，<PHONE_3>"),
        ("电话：62910099，62910098", "电话：<PHONE_1>，<PHONE_2>"),
        ("0571-88001234、88001235", "<PHONE_1>、<PHONE_2>"),
        ("13800138000,020-12345678", "<PHONE_1>,<PHONE_2>"),
        ("cards 4111111111111111,5555555555554444", "cards <PAYMENT_CARD_1>,<PAYMENT_CARD_2>"),
    ],
)
def test_each_number_of_a_list_gets_a_placeholder_of_its_own(said: str, shown: str) -> None:
    assert texts(masked(ticket(said))) == [shown]


def test_a_number_over_two_messages_is_masked_in_both() -> None:
    event = ticket("my card is 4111 1111", ("agent", "go on"), "1111 1111", "thanks")
    assert texts(masked(event)) == ["my card is <PAYMENT_CARD_1>", "go on", "<PAYMENT_CARD_1>", "thanks"]


@pytest.mark.parametrize(
    ("asked", "answered", "shown"),
    [
        ("which number?", "212 555 0199", "<PHONE_1>"),
        ("what is your password?", "swordfish", "<PASSWORD_1>"),
        ("请提供登录密码", "abc12345", "<PASSWORD_1>"),
        ("请提供验证码", "384920", "<ONE_TIME_CODE_1>"),
        ("and the CVV please?", "737", "<CVV_1>"),
        ("电话多少？", "62910099", "<PHONE_1>"),
        ("order number?", "3348917502", "3348917502"),
        ("what is your password?", "ok", "ok"),
    ],
)
def test_the_answer_to_a_question_is_what_was_asked_for(asked: str, answered: str, shown: str) -> None:
    assert texts(masked(ticket(("agent", asked), answered)))[1] == shown


@pytest.mark.parametrize("signs", ["!", "?", "$", "#", "*", "!?", "$$", "!.", "！", "#!"])
def test_the_signs_right_behind_a_password_are_masked_with_it(signs: str) -> None:
    last = signs.rstrip(".")
    for said in ("my password is hunter2", "the password: Abc12345", "我的密码是abc12345", "pwd=Winter2026"):
        assert last not in texts(masked(ticket(f"{said}{signs}")))[0]
        assert last not in texts(masked(ticket(f"{said}{signs} thanks")))[0]
    for asked in ("what is your password?", "请提供登录密码"):
        assert texts(masked(ticket(("agent", asked), f"Abc12345{last}")))[1] == "<PASSWORD_1>"


def test_a_password_with_and_without_its_last_sign_has_one_placeholder_and_the_rest_is_left() -> None:
    event = ticket("my password is hunter2!", "I said: my password is hunter2. Does it work? 12$!")
    assert texts(masked(event)) == [
        "my password is <PASSWORD_1>",
        "I said: my password is <PASSWORD_1>. Does it work? 12$!",
    ]


def test_what_the_helpdesk_knows_the_customer_by_is_masked() -> None:
    event = ticket(
        "I am CRYSTAL  minh, 977 625 2661, Crystal.Minh@Example.com",
        "call me Crystal",
        customer_identifiers={
            "name": "Crystal Minh",
            "phone": "+1 (977) 625-2661",
            "email": "crystal.minh@example.com",
        },
    )
    assert texts(masked(event)) == ["I am <NAME_1>, <PHONE_1>, <EMAIL_1>", "call me Crystal"]


def test_a_name_that_is_a_word_is_masked_only_as_it_is_written() -> None:
    event = ticket("I will ask Will", customer_identifiers={"name": "Will"})
    assert texts(masked(event)) == ["I will ask <NAME_1>"]


def test_a_placeholder_that_the_customer_writes_is_not_taken_for_ours() -> None:
    transcript = masked(ticket("what is <PHONE_1>? mine is 13800138000"))
    assert texts(transcript) == ["what is <PHONE_1>? mine is <PHONE_2>"]


def test_masking_what_is_masked_changes_nothing() -> None:
    once = texts(masked(ticket("mail jo@example.com, 电话 13800138000", ("agent", "password?"), "hunter2")))
    assert texts(masked(ticket(once[0], ("agent", once[1]), once[2]))) == once


def test_a_statement_stays_readable() -> None:
    said = ["she is pregnant and our son is 8 years old", "信仰佛教"]
    assert texts(masked(ticket(*said))) == said


@pytest.mark.parametrize(
    "said",
    [
        "Order ID: 3348917502",
        "Username: cminh730",
        "工单号 BL-20931",
        "leave it with the neighbour at number 12",
        "version 4.8.1 since 2026-09-11",
        "退款 468 元",
        "tracking ID is 840887978435",
    ],
)
def test_what_memory_needs_is_not_masked(said: str) -> None:
    assert texts(masked(ticket(said))) == [said]


@pytest.mark.parametrize(("said", "language"), [("你好，Node 22", "zh"), ("hello 你", "en"), ("hello", "en")])
def test_the_language_is_guessed(said: str, language: str) -> None:
    assert masked(ticket(said)).language == language


def test_the_events_language_wins() -> None:
    assert masked(ticket("hello", language="de")).language == "de"


def test_a_private_key_over_many_lines_is_masked_whole() -> None:
    key = "-----BEGIN RSA PRIVATE KEY-----\n" + "MIIEpAIBAAKCAQEA1234\n" * 40 + "-----END RSA PRIVATE KEY-----"
    assert texts(masked(ticket(f"here: {key} ok"))) == ["here: <SECRET_1> ok"]


def test_a_long_token_is_masked_whole() -> None:
    token = "eyJhbGciOiJIUzI1NiJ9." + "a1B2c3D4" * 150 + ".dozjgNryP4J3jVmNHl0w5N"
    assert texts(masked(ticket(f"token {token} ok"))) == ["token <SECRET_1> ok"]


PIECES = st.sampled_from(
    [
        "card 4111 1111",
        "1111 1111",
        "13800138000",
        "jo@example.com",
        "密码 abc123",
        " ",
        "\n",
        "<PHONE_1>",
        "hello",
        "身份证11010519491231002X",
        "customer: 5",
        "４１１１",
        "\u200b",
        "五一零一零",
        "agent: pin?",
        "😀",
    ]
)


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["customer", "agent"]),
            st.one_of(st.lists(PIECES, max_size=6).map(" ".join), st.text(max_size=40)),
        ),
        min_size=1,
        max_size=5,
    )
)
def test_unmasking_by_the_spans_gives_the_original_back(said: list[tuple[str, str]]) -> None:
    event = ticket(*said)
    transcript = masked(event)
    assert unmasked(transcript, event) == [message.text for message in event.messages]


def test_nothing_that_a_detector_finds_is_left() -> None:
    event = ticket(
        "IBAN DE89 3704 0044 0532 0130 00, 12 Oak Street, Springfield, IL 62701, DOB 1990-01-01, ip 203.0.113.7"
    )
    left = findings("customer: " + texts(masked(event))[0])
    assert [f for f in left if f.reason not in STATEMENTS] == []
