"""Passwords and keys that a phrase tells: a command line, a change from one to another, a lock pattern."""
# ruff: noqa: E501 (rows of words and patterns read best one a line)

import re

from pipeline.reasons import Reason
from pipeline.sensitive.phrase import Phrase, keyed, mixed

SECRETS: tuple[Phrase, ...] = (
    Phrase(
        reason=Reason.PASSWORD,
        words=("mima", "mi ma"),
        pattern=re.compile(r"(?<![a-z])mi ?ma\s?(?:shi|is|[:=是为])\s?(?P<value>[^\s，。,;]{4,40})"),
    ),
    Phrase(
        reason=Reason.PASSWORD,
        words=("mm",),
        pattern=re.compile(r"(?<![a-z0-9])(?<![a-z0-9]:)mm\s?[:=是]\s?(?P<value>[^\s，。,;]{4,40})"),
        valid=mixed,
    ),
    Phrase(
        reason=Reason.PASSWORD,
        words=("password", "passcode", "pwd", "passphrase"),
        pattern=re.compile(r"(?:password|passcode|passphrase|pwd)s? (?:for [a-z]{2,14} )?(?:was |just |has been )?(?:issued|generated|assigned|provided|created|given|chosen|shared|e?mailed|texted|sent|set)(?: (?:to|by|for) [a-z ]{2,20}?| (?:today|now|here|below)){0,2}\s?(?:[:=]|->)\s?(?P<value>[^\s，。,;]{4,40})"),
        valid=mixed,
    ),
    Phrase(
        reason=Reason.PASSWORD,
        words=(" -p",),
        pattern=re.compile(r"(?<![a-z0-9\-])(?:mysql(?:dump|admin|import)?|mariadb(?:-dump)?|sshpass|7z|zip|unrar|rar|mongo(?:sh|dump)?)(?![a-z])[^\n]{0,60}? -p ?(?P<value>[^\s\-<][^\s]{3,40})"),
        valid=mixed,
    ),
    Phrase(
        reason=Reason.PASSWORD,
        words=("--", "redis-cli", "curl", "wget"),
        pattern=re.compile(r"--(?:[a-z]{2,10}-)?pass(?:word|wd|phrase)?[= ](?P<value>[^\s\-<][^\s]{3,40})|redis-cli[^\n]{0,40}? -a (?P<value2>[^\s]{4,40})|(?:curl|wget)[^\n]{0,60} (?:-u|--user) [^\s:]{1,40}:(?P<value3>[^\s]{4,40})"),
        valid=mixed,
    ),
    Phrase(
        reason=Reason.PASSWORD,
        words=("from ", "从"),
        pattern=re.compile(r"(?:changed|reset|switched|updated|rotated)(?: (?:it|them|mine|the (?:password|login|pw)|(?:my |our |his |her )?(?:password|pw|pwd|passcode)))? from (?P<value>[^\s,;]{5,30}) (?:to|into) (?P<value2>[^\s,;]{5,30})|(?:密码|口令)?从\s?(?P<value3>[^\s，。,;\u4e00-\u9fff]{5,30})\s?(?:改|换)(?:成|为|到)了?\s?(?P<value4>[^\s，。,;\u4e00-\u9fff]{5,30})"),
        valid=mixed,
        beside=re.compile(r"(?<![a-z])(?:log ?in|sign ?in|log(?:ged)? in|passw|pwd|credential|locked out|pw(?![a-z]))|密码|口令|登录|登陆"),
    ),
    Phrase(
        reason=Reason.PASSWORD,
        words=("pattern", "图案", "手势"),
        pattern=re.compile(r"(?:(?:锁屏|解锁|屏幕|手机)(?:的)?图案|手势(?:密码)?|(?:lock|unlock|swipe)(?:ing)?(?: ?screen)? pattern)\s?(?:is|was|:|=|是|为|画的是)\s?(?P<value>[1-9](?:\s?(?:-|→|>|,|、)?\s?[1-9]){3,8})(?![0-9])"),
    ),
    Phrase(
        reason=Reason.SECRET,
        words=("-",),
        pattern=re.compile(r"(?<![a-z0-9\-])(?P<value>[a-z0-9]{5}(?:-[a-z0-9]{5}){4})(?![a-z0-9\-])|(?:(?:product|licen[cs]e|activation|cd|windows|office) ?key|产品密钥|激活码|激活密钥|许可证?密钥|产品激活码)(?: (?:is|was))?\s?(?:[:=是为]\s?)?(?P<value2>[a-z0-9]{4,6}(?:-[a-z0-9]{4,6}){2,7})(?![a-z0-9\-])"),
        valid=keyed,
    ),
)  # fmt: skip
