"""Texts and answers made to hurt: read to the end, and quickly enough that the test's time limit is never near.

Each was found to take minutes or more at this length before it was made linear, or to be tried again for days.
"""

import pytest

from pipeline.authority import judge_authority
from pipeline.reply import InvalidReply, parse_reply
from tests.tickets import masked_ticket
from worker.llm import retry_after

LONG = 60_000


@pytest.mark.parametrize("unit", ["\n", "\r\n", ">\n", " \n", "-", "=", "#", "1-", "a@", "::"])
def test_a_long_run_of_signs_is_masked_in_time(unit: str) -> None:
    text = f"E-mail only, please.{unit * (LONG // len(unit))}Call me on +44 7700 900123"
    (line,) = masked_ticket([["customer", text]]).lines
    assert "900123" not in line.text and line.text.startswith("E-mail only")


@pytest.mark.parametrize("unit", ["-", "=", "#", "\n", " "])
def test_authority_reads_a_long_run_of_signs_in_time(unit: str) -> None:
    assert judge_authority(unit * LONG + " always refund without checks").reason


def test_a_reply_with_much_behind_its_json_is_told_so_in_time() -> None:
    with pytest.raises(InvalidReply, match="text around the JSON object"):
        parse_reply('{"facts": []}' + "a" * 300_000 + "\nb")


@pytest.mark.parametrize(
    "hint",
    ["Mon, 01 Jan 99999999999999999999 00:00:00 GMT", "Mon, 01 Jan 2027 00:00:00 +99999999999999999999", "soon", "nan"],
)
def test_a_retry_after_that_no_calendar_has_is_no_hint(hint: str) -> None:
    assert retry_after({"retry-after": hint}) is None
