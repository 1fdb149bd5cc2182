"""Accounts, numbers, places, plates and birthdays of a person that a phrase tells."""
# ruff: noqa: E501 (rows of words and patterns read best one a line)

import re

from pipeline.reasons import Reason
from pipeline.sensitive.phrase import Phrase

DATE = (
    r"(?:(?:19|20)[0-9]{2}[-/.年 ]\s?[0-9]{1,2}[-/.月 ]\s?[0-9]{1,2}(?:日|号)?|[0-9]{1,2}[-/. ][0-9]{1,2}[-/. ](?:19|20)?[0-9]{2}|(?:19|20)[0-9]{6}(?![0-9])"
    r"|[0-9]{1,2}(?:st|nd|rd|th)? (?:of )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?(?:,? (?:19|20)[0-9]{2})?|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.? [0-9]{1,2}(?:st|nd|rd|th)?(?:,? (?:19|20)[0-9]{2})?|[0-9]{1,2}月[0-9]{1,2}[日号]?)"
)
_CN_PROVINCE = "京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼"
_NETWORK = r"(?:signal|telegram|tg|whatsapp|wechat|weixin|line|skype|discord|instagram|insta|ig|snapchat|viber|kakao(?:talk)?|zalo|threema|twitter|tiktok|messenger)"


def _account(value: str) -> bool:
    return any(c.isdigit() or c in "_." for c in value.strip(".")) or value.startswith("@")


PEOPLE: tuple[Phrase, ...] = (
    Phrase(
        reason=Reason.IM_ACCOUNT,
        words=(" on ", " via ", " over "),
        pattern=re.compile(rf"(?<![a-z])(?:on|via|over) {_NETWORK}(?:,? (?:as|under|by|with|at|i'm|i am)(?: the)?(?: (?:name|handle|username|user|id))?|,? (?:name|handle|username|user|id)(?: is)?):? ?(?P<value>@?[a-z][a-z0-9_.]{{3,31}})(?![a-z0-9@])"),
        valid=_account,
    ),
    Phrase(
        reason=Reason.IM_ACCOUNT,
        words=("signal",),
        pattern=re.compile(r"(?<![a-z])signal(?: (?:id|handle|username|account|name))?\s?(?:[:=]|is)\s?(?P<value>@?[a-z][a-z_.]{1,24}[._][a-z0-9_.]{1,12})(?![a-z0-9@])"),
        valid=_account,
    ),
    Phrase(
        reason=Reason.IM_ACCOUNT,
        words=("赖", "賴"),
        pattern=re.compile(r"(?:[赖賴]\s?(?:id|号|账号|帐号)|加(?:我|我的)?[赖賴])\s?(?:[:是为]\s?){0,2}(?P<value>@?[a-z0-9_][a-z0-9_.\-]{3,30})"),
    ),
    Phrase(
        reason=Reason.PHONE,
        words=("x", "ext"),
        pattern=re.compile(r"(?<![0-9a-z.\-])(?P<value>(?:[2-9][0-9]{2}[\-. ])?[2-9][0-9]{2}[\-. ][0-9]{4},? ?(?:x|ext\.?|extension) ?[0-9]{1,5})(?![0-9a-z])"),
    ),
    Phrase(
        reason=Reason.PHONE,
        words=("-",),
        pattern=re.compile(r"(?<![0-9a-z.\-/])(?P<value>0[1-9][0-9]{1,2}-[0-9]{7,8})(?![0-9a-z\-])"),
        before=re.compile(r"(?:bill|awb|运单号?|提单号?|单号|isbn|sku|order|part|货号|编号|no\.?|number)\W{0,4}(?:is|was|是|为|no\.?|number)?\W{0,3}$"),
    ),
    Phrase(
        reason=Reason.ADDRESS,
        words=("-ku", "-shi", "-cho", "-machi", "-gun"),
        pattern=re.compile(r"(?<![0-9\-])(?P<value>[0-9]{1,4}-[0-9]{1,4}(?:-[0-9]{1,4})?,? [a-z\-]{3,24},? (?:[a-z\-]{3,24},? )?[a-z]{3,20}-(?:ku|shi|cho|machi|gun)(?![a-z])(?:,? [a-z]{3,20}(?: [0-9]{3}-[0-9]{4})?)?)"),
    ),
    Phrase(
        reason=Reason.LICENCE_PLATE,
        words=tuple(_CN_PROVINCE),
        pattern=re.compile(rf"(?P<value>[{_CN_PROVINCE}] ?[a-z][ ·.\-*]{{0,3}}[a-z0-9](?:[ ·.\-][a-z0-9]){{4,5}})(?![a-z0-9])"),
        valid=lambda value: sum(c.isdigit() for c in value) >= 3,
    ),
    Phrase(
        reason=Reason.DATE_OF_BIRTH,
        words=("turn", "birthday", "岁"),
        pattern=re.compile(rf"(?<![a-z])(?:turn(?:s|ed|ing)? [0-9]{{1,3}}|[0-9]{{1,2}}(?:st|nd|rd|th) birthday)(?: (?:is|was|will be|falls))?(?: on| this| next)? (?P<value>{DATE})|(?P<value2>{DATE})\s?(?:就|刚好|正好|将)?满\s?[0-9]{{1,2}}\s?周?岁"),
    ),
)  # fmt: skip
