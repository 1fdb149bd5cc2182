"""Numbers by kind: every network and country is refused in many groupings, and what only looks like one passes."""
# ruff: noqa: E501, SIM905 (rows of words)

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.reasons import Reason
from pipeline.sensitive import findings, judge_text
from pipeline.sensitive.checks import cn_id18, cn_id_check, luhn

CARDS = (
    "4111111111111111 4012888888881881 4242424242424242 5555555555554444 5105105105105100 2223003122003222 2720990000000007"
    " 378282246310005 371449635398431 30569309025904 38520000023237 6011111111111117 3530111333300000 6200000000000005"
    " 6205500000000000004 6212345678901232 6759649826438453 4111111111111111110"
).split()
SEPARATORS = (" ", "-", ".", "/", "\n", "–", "\u200b", "，", "、")


def grouped(number: str, separator: str) -> str:
    return separator.join(number[at : at + 4] for at in range(0, len(number), 4))


@pytest.mark.parametrize("card", CARDS)
def test_a_card_of_any_network_is_refused_in_any_grouping(card: str) -> None:
    for separator in ("", *SEPARATORS):
        for lead in ("", "card ", "卡号", "退款到"):
            assert not judge_text(lead + grouped(card, separator)).passed, (lead, separator)


@pytest.mark.parametrize("card", CARDS)
def test_a_mistyped_cut_or_masked_card_is_refused_where_a_card_is_named(card: str) -> None:
    typo = card[:-1] + str((int(card[-1]) + 1) % 10)
    for text in (typo, card[:-1], card[:12], f"ending in {card[-4:]}", f"{card[:4]} **** **** {card[-4:]}"):
        assert not judge_text(f"card {text}").passed, text
    assert not judge_text(f"卡尾号{card[-4:]}").passed


@settings(max_examples=150, deadline=None)
@given(
    st.integers(10**13, 10**14 - 1),
    st.sampled_from(["order ", "订单号", "tracking number ", "流水号 ", "invoice no. "]),
)
def test_an_announced_order_number_is_no_card(digits: int, lead: str) -> None:
    number = f"17{digits}"
    assert Reason.PAYMENT_CARD not in {f.reason for f in findings(lead + number)}


@settings(max_examples=150, deadline=None)
@given(st.integers(1_500_000_000_000, 1_999_999_999_999))
def test_a_timestamp_in_milliseconds_passes(moment: int) -> None:
    assert judge_text(f"logged at {moment}").passed


@settings(max_examples=150, deadline=None)
@given(st.uuids())
def test_a_uuid_passes(value: object) -> None:
    assert judge_text(f"request {value}").passed


@settings(max_examples=150, deadline=None)
@given(st.tuples(*[st.integers(0, 40)] * 3))
def test_a_version_passes(parts: tuple[int, int, int]) -> None:
    assert judge_text(f"since version {'.'.join(map(str, parts))} it works").passed


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 10**9), st.sampled_from(["USD", "¥", "€", "退款"]))
def test_an_amount_passes(cents: int, currency: str) -> None:
    assert judge_text(f"{currency} {cents // 100:,}.{cents % 100:02d}").passed


@settings(max_examples=150, deadline=None)
@given(st.integers(10**11, 10**12 - 1))
def test_an_ean_passes(digits: int) -> None:
    body = str(digits)
    check = -sum(int(d) * (3 if i % 2 else 1) for i, d in enumerate(body)) % 10
    assert judge_text(f"EAN {body}{check}").passed


def test_luhn_and_iso_7064_know_their_samples() -> None:
    assert luhn("4111111111111111") and not luhn("4111111111111112")
    assert cn_id_check("11010519491231002x") and not cn_id_check("110105194912310021")
    assert cn_id18("11010519491231002x") and not cn_id18("990105194912310021")


def test_the_digits_of_one_value_are_one_finding() -> None:
    text = "4111 1111 1111 1111 5555 5555 5555 4444"
    assert [text[f.start : f.end] for f in findings(text)] == ["4111 1111 1111 1111", "5555 5555 5555 4444"]
