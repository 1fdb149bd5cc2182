"""Gate 5: forbidden keys in any spelling; look-alikes pass."""
# ruff: noqa: E501, SIM905 (rows of words)

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.forbidden import judge_key
from pipeline.policy import Policy
from pipeline.reasons import Reason
from tests.unit.gate_lines import full_width, labelled

PLAIN = [
    "card_number",
    "credit_card",
    "password",
    "api_key",
    "id_number",
    "passport_no",
    "bank_account",
    "access_token",
    "social_security_number",
    "verification_code",
]


@pytest.mark.parametrize(
    "name", ["gate_keys.jsonl", "gate_unseen.jsonl", "gate_more.jsonl", "gate_last.jsonl", "gate_key_variants.jsonl"]
)
@pytest.mark.parametrize("expect", ["refuse", "pass"])
def test_every_labelled_key_is_judged_as_labelled(name: str, expect: str) -> None:
    wrong = [
        row["key"]
        for row in labelled(name, expect)
        if "key" in row and judge_key(row["key"]).passed is (expect == "refuse")
    ]
    assert wrong == []


@pytest.mark.parametrize("name", PLAIN)
@pytest.mark.parametrize(
    "spelling",
    [
        lambda n: n.replace("_", ""),
        lambda n: n.replace("_", " "),
        lambda n: n.replace("_", "-"),
        lambda n: n.replace("_", "__"),
        lambda n: n.upper(),
        lambda n: n.title().replace("_", ""),
        lambda n: n.title().replace("_", " "),
        lambda n: n + "s",
        lambda n: "user_" + n,
        lambda n: n + "_hash",
        lambda n: "customer" + n.title().replace("_", ""),
        full_width,
        "\u200b".join,
        lambda n: "_".join(n.replace("_", "")),
        lambda n: n.replace("a", "а").replace("o", "о"),
        lambda n: n.replace("o", "0"),
        lambda n: n.replace("s", "$"),
        lambda n: n.replace("a", "á"),
    ],
)
def test_a_forbidden_key_is_refused_in_every_spelling(name: str, spelling: object) -> None:
    assert judge_key(spelling(name)).reason is Reason.FORBIDDEN_KEY  # type: ignore[operator]


@pytest.mark.parametrize(
    "key",
    "keyboard_layout card_design card_layout password_policy password_reset_issue token_budget pin_board passport_js passenger_count secretary"
    " compass_widget tokenizer opinion shipping_address_country phone_model contact_channel email_frequency invoice_title plan seats identity_provider"
    " id_verification_status login_method two_factor_enabled payment_method bank_holiday account_manager key_contact primary_key_column license_seats"
    " sms_notifications process spin business_hours gift_card_balance sim_card_count dashboard_cards code_review discount_code postcode country_code"
    " card_game wildcard_domain discard_policy turkey_market monkey_patch ideal_delivery_time otp_channel shopping_pins 网卡型号 驾驶模式 号码归属地 秘密花园 卡顿 打卡方式 会员卡等级 密码策略 身份验证方式 编码格式 二维码样式 联系方式偏好 发票抬头 证书类型 账单周期 通知渠道 银行转账偏好".split(),
)
def test_a_look_alike_passes(key: str) -> None:
    assert judge_key(key).passed


@pytest.mark.parametrize(
    "key",
    "银行卡 卡号尾号 信用卡CVV 密_码 支付密码 登录口令 验证码 身份證號碼 身份证照片 护照号 驾驶证号码 车牌号 社保卡号 医保卡号 银行账号 私钥 助记词 访问令牌 api密钥 指纹数据 军官证号 港澳通行证".split(),
)
def test_a_chinese_name_of_the_family_is_refused(key: str) -> None:
    assert judge_key(key).reason is Reason.FORBIDDEN_KEY


def test_a_tenants_own_key_is_refused_in_any_spelling() -> None:
    policy = Policy(forbidden_keys=("salary_band", "薪级"))
    assert not judge_key("SalaryBand", policy).passed
    assert not judge_key("user_salary_bands", policy).passed
    assert not judge_key("薪级", policy).passed
    assert judge_key("salary_day", policy).passed


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=80))
def test_any_key_gets_the_same_verdict_twice_and_never_raises(key: str) -> None:
    assert judge_key(key) == judge_key(key)
    assert judge_key(key).reason is not Reason.GATE_ERROR


@pytest.mark.parametrize(
    "key",
    "passwort Paßwort contraseña mot_de_passe senha пароль パスワード 비밀번호 クレジットカード番号 kreditkartennummer numéro_de_carte mima login_mima kahao yinhangkahao shenfenzheng_hao sfzh".split(),
)
def test_a_key_in_another_language_or_in_pinyin_is_refused(key: str) -> None:
    assert judge_key(key).reason is Reason.FORBIDDEN_KEY


@pytest.mark.parametrize(
    "key",
    "password_expiry_days company_tax_number graphics_card monthly_tokens daily_token_usage tokens_per_month パスワード管理ツール animation_style".split(),
)
def test_a_key_about_a_term_a_firm_or_a_quota_passes(key: str) -> None:
    assert judge_key(key).passed
