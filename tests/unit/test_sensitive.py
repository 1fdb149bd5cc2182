"""Gate 6 over the labelled lines, their disguises, and bad input."""

import random
from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipeline import memo
from pipeline.policy import Policy
from pipeline.reasons import Reason
from pipeline.sensitive import Finding, findings, judge_text, preload, recognisers
from tests.unit.gate_lines import DISGUISES, labelled

FILES = ("gate_texts.jsonl", "gate_variants.jsonl")


def missed(expect: str, disguise: str | None = None, variants: slice = slice(None)) -> list[str]:
    change = DISGUISES[disguise] if disguise else str
    rows = [*labelled(FILES[0], expect), *labelled(FILES[1], expect)[variants]]
    return [row["id"] for row in rows if judge_text(change(row["text"])).passed is (expect == "refuse")]


def test_every_line_that_must_be_refused_is_refused() -> None:
    assert missed("refuse") == []


def test_hardly_a_harmless_line_is_refused() -> None:
    harmless = sum(len(labelled(name, "pass")) for name in FILES)
    assert len(missed("pass")) <= harmless // 100


@pytest.mark.parametrize("name", ["gate_unseen.jsonl", "gate_more.jsonl", "gate_last.jsonl"])
@pytest.mark.parametrize(("expect", "passes"), [("refuse", False), ("pass", True)])
def test_lines_that_others_wrote_are_judged_as_they_labelled_them(name: str, expect: str, passes: bool) -> None:
    """Written without a look at the rules, and known to the rules since: they hold what was reached."""
    texts = [row for row in labelled(name, expect) if "text" in row]
    assert [row["id"] for row in texts if judge_text(row["text"]).passed is not passes] == []


@pytest.mark.parametrize("disguise", DISGUISES)
def test_a_disguised_line_stays_refused(disguise: str) -> None:
    """Every line of the sample; of the variants every third, another third for each disguise in turn."""
    turn = list(DISGUISES).index(disguise) % 3
    assert missed("refuse", disguise, variants=slice(turn, None, 3)) == []


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("card 4111 1111 1111 1111", Reason.PAYMENT_CARD),
        ("cvv 737", Reason.CVV),
        ("IBAN GB82WEST12345698765432", Reason.BANK_ACCOUNT),
        ("身份证 11010519491231002X", Reason.GOVERNMENT_ID),
        ("passport E12345678", Reason.PASSPORT),
        ("driving licence MORGA753116SM9IJ", Reason.DRIVING_LICENCE),
        ("车牌京A00001", Reason.LICENCE_PLATE),
        ("call me at 212-555-0199", Reason.PHONE),
        ("jo.bloggs@example.com", Reason.EMAIL),
        ("加我QQ：10000001", Reason.IM_ACCOUNT),
        ("客户登录IP192.0.2.44被封", Reason.NETWORK_ADDRESS),
        ("登录密码：hunter2", Reason.PASSWORD),
        ("验证码 384920", Reason.ONE_TIME_CODE),
        ("AKIAIOSFODNN7EXAMPLE", Reason.SECRET),
        ("ETH 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", Reason.WALLET),
        ("221B Baker Street, London NW1 6XE", Reason.ADDRESS),
        ("39.9042, 116.4074", Reason.POSITION),
        ("一九九零年三月五日出生", Reason.DATE_OF_BIRTH),
        ("customer has type 2 diabetes", Reason.HEALTH),
        ("信仰佛教，不接受肉类礼品", Reason.RELIGION),
        ("人脸特征值 0.123,0.553,-0.221 已采集", Reason.BIOMETRIC),
        ("客户是同性恋", Reason.SEXUAL_LIFE),
        ("votes Republican", Reason.POLITICS),
        ("使用者是 8 岁的儿子", Reason.MINOR),
        ("月薪 23000，有房贷", Reason.SPECIAL_CATEGORY),
    ],
)
def test_the_reason_says_what_was_found(text: str, reason: Reason) -> None:
    assert reason in {finding.reason for finding in findings(text)}


def test_a_finding_points_into_the_original() -> None:
    text = "卡号 4111\u200b1111\u200b1111\u200b1111，谢谢"
    assert findings(text) == (Finding(start=3, end=22, reason=Reason.PAYMENT_CARD),)
    assert text[3:22] == "4111\u200b1111\u200b1111\u200b1111"


def test_a_finding_never_shows_the_text() -> None:
    assert "4111" not in repr(findings("card 4111 1111 1111 1111"))


def test_a_placeholder_of_a_masked_value_passes() -> None:
    assert judge_text("密码是 <PASSWORD_1>，邮箱 <EMAIL_2>").passed


def test_a_number_inside_angle_brackets_is_no_placeholder() -> None:
    assert judge_text("card <4111111111111111>").reason is Reason.PAYMENT_CARD


@pytest.mark.parametrize("place", [0, 11_390, 11_990, 12_000, 60_000, 199_000])
def test_a_value_is_found_anywhere_in_a_long_text(place: int) -> None:
    text = ("nothing to see here. " * 10_000)[:200_000]
    assert judge_text(text[:place] + " 4111 1111 1111 1111 " + text[place:]).reason is Reason.PAYMENT_CARD


def test_a_long_order_number_over_a_window_border_is_no_card() -> None:
    text = "x " * 5_990 + "支付单号 4200001234202609110000000001 " + "y " * 6_000
    assert judge_text(text).passed


def test_a_number_split_over_turns_is_found_with_its_pieces() -> None:
    text = "Customer: card 4111 1111\nAgent: go on\nCustomer: 1111 1111"
    cards = [f for f in findings(text) if f.reason is Reason.PAYMENT_CARD]
    assert [text[f.start : f.end] for f in cards][-1] == "1111 1111"


def test_a_detector_that_raises_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(text: str, lower: str) -> list[object]:
        raise RuntimeError("boom")

    monkeypatch.setattr(recognisers, "hits_in", broken)
    assert judge_text("hello").reason is Reason.GATE_ERROR


def test_a_detector_that_takes_too_long_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recognisers, "TIMEOUT", 1e-9)
    monkeypatch.setattr(recognisers, "TRIGGERS", {})
    assert judge_text("a" * 6_000 + "@").reason is Reason.GATE_TIMEOUT


def test_a_tenant_may_allow_contact_identifiers_and_nothing_else() -> None:
    policy = Policy(allow=frozenset({Reason.EMAIL}))
    assert judge_text("mail jo@example.com", policy).passed
    assert judge_text("mail jo@example.com, card 4111 1111 1111 1111", policy).reason is Reason.PAYMENT_CARD


def test_a_tenants_word_is_refused_in_any_spelling() -> None:
    policy = Policy(refused_words=("Project Falcon",))
    assert judge_text("about ＰＲＯＪＥＣＴ falcon", policy).reason is Reason.POLICY


def test_no_text_stays_in_memory_after_a_judgement() -> None:
    judge_text("card 4111 1111 1111 1111")
    assert memo._KNOWN.get() is None


def test_presidio_logs_nothing(caplog: pytest.LogCaptureFixture) -> None:
    preload()  # its import says which device it runs on
    with caplog.at_level(0):
        judge_text("IBAN GB82WEST12345698765432, jo@example.com, 4111 1111 1111 1111")
    assert [record for record in caplog.records if "presidio" in record.name] == []


def test_the_categories_of_the_sample_are_all_there() -> None:
    categories = Counter(row["category"] for row in labelled("gate_texts.jsonl"))
    assert len(categories) > 40


ALPHABET = st.one_of(
    st.text(max_size=120),
    st.text(alphabet="0123456789 -.*x卡号密码是:：@#/\n一二三四零十", max_size=120),
    st.lists(
        st.sampled_from(
            ["card", "密码", "4111", " ", "is", "：", "@", "x", "\u200b", "&#52;", "%20", "客户：", "\nAgent: ", "号"]
        ),
        max_size=40,
    ).map("".join),
)


@settings(max_examples=500, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(ALPHABET)
def test_any_text_gets_the_same_verdict_twice_and_never_raises(text: str) -> None:
    first = judge_text(text)
    assert first.reason is not Reason.GATE_ERROR
    assert judge_text(text) == first
    for finding in findings(text):
        assert 0 <= finding.start < finding.end <= len(text)


@pytest.mark.parametrize("seed", range(8))
def test_ten_thousand_random_texts_never_raise_and_are_judged_alike_twice(seed: int) -> None:
    dice = random.Random(seed)
    blocks = ((0x20, 0x250), (0x370, 0x530), (0x3000, 0x3100), (0x4E00, 0x4F00), (0xFF00, 0xFF60))
    letters = [chr(code) for first, last in blocks for code in range(first, last)]
    pieces = [*letters, *"0123456789" * 60, *"卡号密码身份证验证", "\u200b", "\n", " ", "@", ":", "card ", "pin "]
    for _ in range(1_250):
        text = "".join(dice.choices(pieces, k=dice.randrange(30)))
        first = judge_text(text)
        assert first.reason not in (Reason.GATE_ERROR, Reason.GATE_TIMEOUT), ascii(text)
        assert judge_text(text) == first, ascii(text)
