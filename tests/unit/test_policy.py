"""The policy file: a tenant may tighten, and allow contact identifiers; never loosen below the floor."""

from pathlib import Path

import pytest

from pipeline.policy import FLOOR, Policy, PolicyError, load_policy, parse_policy
from pipeline.reasons import Reason


def test_a_tenant_without_a_table_has_the_default() -> None:
    policies = parse_policy('[default]\nconfidence_floor = 0.6\n[tenants.acme]\nallow = ["email"]\n')
    assert policies["acme"] == Policy(confidence_floor=0.6, allow=frozenset({Reason.EMAIL}))
    assert policies["other"].confidence_floor == 0.6


def test_an_empty_file_is_the_floor() -> None:
    assert parse_policy("")["anyone"] == FLOOR


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("[tenants.a]\nconfidence_floor = 0.2", "tenants.a.confidence_floor"),
        ("[tenants.a]\noverwrite_floor = 0.5", "tenants.a.overwrite_floor"),
        ("[tenants.a]\nmax_value = 900", "tenants.a.max_value"),
        ('[tenants.a]\nallow = ["payment_card"]', "tenants.a.allow"),
        ('[tenants.a]\nallow = ["password"]', "tenants.a.allow"),
        ('[tenants.a]\nallow = "email"', "tenants.a.allow"),
        ('[tenants.a]\nforbidden_keys = [""]', "tenants.a.forbidden_keys"),
        ("[tenants.a]\nconfidence_floor = true", "tenants.a.confidence_floor"),
        ("[tenants.a]\nwhat = 1", "tenants.a.what"),
        ("[others]\n", "others"),
        ("tenants = 3", "tenants"),
        ("not toml", "policy"),
    ],
)
def test_a_wrong_file_is_refused_with_one_line_that_names_the_field(text: str, where: str) -> None:
    with pytest.raises(PolicyError) as error:
        parse_policy(text)
    assert str(error.value).startswith(where)
    assert "\n" not in str(error.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(PolicyError, match=r"nowhere\.toml"):
        load_policy(tmp_path / "nowhere.toml")


def test_a_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "policy.toml"
    path.write_text('[tenants.acme]\nrefused_words = ["Falcon"]\n', encoding="utf-8")
    assert load_policy(path)["acme"].refused_words == ("Falcon",)


def test_no_policy_may_allow_what_is_not_a_contact_identifier() -> None:
    for reason in (Reason.PASSWORD, Reason.PAYMENT_CARD, Reason.GOVERNMENT_ID, Reason.HEALTH, Reason.NETWORK_ADDRESS):
        with pytest.raises(PolicyError):
            Policy(allow=frozenset({reason}))
