"""Wishes for once, questions and hearsay are no lasting preference, and what only resembles them is one."""

import pytest

from pipeline.catalogue import load_catalogue
from pipeline.gates import judge
from pipeline.policy import FLOOR
from pipeline.reasons import Reason
from tests.tickets import candidate, transcript

CATALOGUE = load_catalogue()


def reason(text: str) -> Reason | None:
    value = "邮件" if "邮件" in text else "e-mail"
    one = candidate(value, (0, text), key="contact_channel")
    return judge(one, transcript(text), catalogue=CATALOGUE, policy=FLOOR).verdict.reason


@pytest.mark.parametrize(
    "text",
    [
        "For this order only, e-mail me",
        "only for this order, please e-mail me",
        "on this occasion e-mail me",
        "for once, e-mail me",
        "E-mail me, but just for this particular shipment",
        "For this one purchase only, e-mail me",
        "只有这个订单发邮件",
        "仅限这个包裹，请发邮件",
        "只是针对这笔订单，发邮件给我",
        "难得一次，发邮件给我吧",
    ],
)
def test_a_wish_for_this_once_is_temporary_in_any_wording(text: str) -> None:
    assert reason(text) is Reason.TEMPORARY


@pytest.mark.parametrize(
    "text",
    [
        "e-mail?",
        "by e-mail?",
        "E-mail then??",
        "e-mail is best?",
        "Someone told me e-mail is best",
        "Someone told me, e-mail is best",
        "I heard e-mail is best",
        "people say e-mail is best",
        "I've heard that e-mail works better",
        "邮件？",
        "发邮件?",
        "听说邮件最好",
        "听说，邮件最好",
        "有人告诉我邮件最好",
        "网上说邮件最好",
    ],
)
def test_a_question_or_hearsay_is_no_preference(text: str) -> None:
    assert reason(text) is Reason.SPECULATION


@pytest.mark.parametrize(
    "text",
    [
        "e-mail",
        "E-mail me, please?",
        "E-mail me, ok?",
        "Could you e-mail me?",
        "e-mail please?",
        "I heard back from nobody, so please e-mail me",
        "People on my team are away, so always e-mail me",
        "This order was late. Always e-mail me",
        "For every order, e-mail me",
        "邮件",
        "请发邮件？",
        "发邮件给我可以吗？",
        "这个订单有问题，以后都发邮件给我",
        "每个订单都发邮件",
        "听说你们支持邮件通知，我要用邮件",
    ],
)
def test_a_wish_that_only_resembles_them_is_kept(text: str) -> None:
    assert reason(text) is None
