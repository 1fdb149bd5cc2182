"""The key catalogue: data that is complete, clear of clashes, and onto which any spelling folds."""

import re
from pathlib import Path

import pytest

from pipeline.catalogue import BadCatalogue, load_catalogue, usable_key
from pipeline.forbidden import judge_key
from pipeline.kinds import Kind

CATALOGUE = load_catalogue()


@pytest.mark.parametrize("row", CATALOGUE.keys, ids=lambda row: row.key)
def test_every_row_is_usable_in_both_languages_and_allowed(row) -> None:  # type: ignore[no-untyped-def]
    assert usable_key(row.key)
    assert re.search(r"[\u4e00-\u9fff]", row.zh)
    assert row.en.isascii()
    assert all(judge_key(name).passed for name in (row.key, row.zh, row.en, *row.aliases))
    for cue in (*row.said_as, *(cue for cues in row.cues.values() for cue in cues)):
        pattern = re.compile(cue.partition(" => ")[0])
        assert cue in row.said_as or " => " in cue or "v" in pattern.groupindex


def test_the_keys_that_support_teams_need_are_there() -> None:
    keys = {row.key for row in CATALOGUE.keys}
    assert {
        "contact_channel",
        "contact_avoid",
        "language",
        "salutation",
        "invoice_type",
        "invoice_title",
        "courier",
    } <= keys
    assert {
        "city",
        "role",
        "industry",
        "team_size",
        "runtime",
        "sdk_version",
        "open_issue",
        "travel",
        "refund_method",
    } <= keys
    owned = {row.key for row in CATALOGUE.keys if row.system_owned}
    assert {"plan", "seats", "balance", "order_status", "subscription_status", "vip_level", "points"} <= owned


def test_what_ends_with_its_ticket_holds_one_value_a_ticket() -> None:
    per_ticket = {row.key: row.kind for row in CATALOGUE.keys if row.per_ticket}
    assert {"open_issue", "billing_issue", "refund_request", "damaged_delivery", "complaint"} <= set(per_ticket)
    assert set(per_ticket.values()) <= {Kind.SITUATION, Kind.EPISODE}


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("preferred_contact", "contact_channel"),
        ("Preferred Contact", "contact_channel"),
        ("preferredContact", "contact_channel"),
        ("联系方式", "contact_channel"),
        ("版本", "plan"),
        ("current_plan", "plan"),
        ("customer_plan_details", "plan"),
        ("user_city", "city"),
        ("open_issues", "open_issue"),
        ("ORDER-STATUS", "order_status"),
        ("VIP等级", "vip_level"),
        ("boot_size", "boot_size"),
        ("Boot Size", "boot_size"),
        ("class_name", "class_name"),
    ],
)
def test_any_spelling_of_a_name_folds_onto_its_key(name: str, key: str) -> None:
    assert CATALOGUE.fold(name) == key


@pytest.mark.parametrize(
    ("value", "key"),
    [
        ("旗舰版", "plan"),
        ("企业版套餐", "plan"),
        ("标准版 40 席", "plan"),
        ("Business plan", "plan"),
        ("50 个席位", "seats"),
        ("40 seats", "seats"),
        ("VIP", "vip_level"),
        ("多扣一个席位", None),
        ("旗舰版导出报错", None),
        ("发邮件", None),
        ("plans to move to Oslo", None),
        ("seat by the window", None),
    ],
)
def test_a_business_systems_fact_is_known_by_its_value(value: str, key: str | None) -> None:
    row = CATALOGUE.claimed(value)
    assert (row.key if row else None) == key


def test_two_rows_may_not_answer_to_one_name(tmp_path: Path) -> None:
    file = tmp_path / "catalogue.toml"
    row = '[{key}]\nzh = "键{key}"\nen = "{key}"\nkind = "profile"\naliases = ["shared"]\n'
    file.write_text(row.format(key="one") + row.format(key="two"), "utf-8")
    with pytest.raises(BadCatalogue, match="shared"):
        load_catalogue(file)


def test_a_wrong_row_is_named(tmp_path: Path) -> None:
    file = tmp_path / "catalogue.toml"
    file.write_text('[one]\nzh = "一"\nen = "one"\nkind = "rule"\n', "utf-8")
    with pytest.raises(BadCatalogue):
        load_catalogue(file)
