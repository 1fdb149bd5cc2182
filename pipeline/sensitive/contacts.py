"""Contact identifiers: e-mail addresses, messenger accounts, IP and MAC addresses."""
# ruff: noqa: E501 (rows of words and patterns read best one a line)

import re
from collections.abc import Iterator
from ipaddress import AddressValueError, IPv6Address

from pipeline.reasons import Reason
from pipeline.sensitive.checks import without_codes
from pipeline.sensitive.cues import Cues, cues_of, link_end
from pipeline.sensitive.finding import Hit
from pipeline.sensitive.lexicon import Cue
from pipeline.sensitive.nearby import STRETCH, near_pattern

_TLD = (
    r"(?:com|net|org|edu|gov|info|biz|io|co|me|ai|app|dev|cloud|tech|shop|xyz|online|site|store|email|cn|hk|tw|mo|jp|kr|sg|in|my|th|vn|id|ph|au|nz|uk|ie|de|fr|es|it"
    r"|nl|be|ch|at|pl|cz|se|no|dk|fi|pt|gr|ru|ua|tr|il|ae|sa|za|ng|ke|eg|br|mx|ar|cl|us|ca|eu|test|example|invalid|local|lan|corp|internal)"
)
_DOT = r"(?:\s?[\[({<]\s?(?:dot|\.|点)\s?[\])}>]\s?|\s+dot\s+|\s?点\s?|\s?\.\s?|\s?。\s?)"
_SPOKEN_DOT = r"(?:\s?[\[({<]\s?(?:dot|\.|点)\s?[\])}>]\s?|\s+dot\s+|\s?点\s?)"
_LOCAL = r"[a-z0-9*][a-z0-9._%+\-*]{0,63}"

ADDRESS_PATTERNS: dict[Reason, dict[str, str]] = {
    Reason.EMAIL: {
        "plain": rf"(?<![a-z0-9._%+\-*/])(?!git@)(?P<value>{_LOCAL}\"?(?:@{{1,3}}[ ]?|[ ]@(?=[ ]?(?:[a-z0-9*\-]{{1,63}}[.。]){{1,5}}{_TLD}(?![a-z0-9]))[ ]?)(?:[a-z0-9*\-]{{1,63}}[.。]){{1,5}}(?:xn--[a-z0-9\-]{{2,40}}|(?!(?:png|jpe?g|gif|svg|webp|js|css|ts|py|json|html?)(?![a-z]))[a-z*]{{2,24}}))(?![a-z0-9@])",
        "han": r"(?P<value>[\u4e00-\u9fff\u0400-\u04ff\u3040-\u30ff]{1,12}@(?:[a-z0-9\-\u4e00-\u9fff]{1,63}\.){1,5}(?:[a-z]{2,24}|中国|公司|网络))(?![a-z0-9])",
        "spaced": r"(?<![a-z0-9])(?P<value>[a-z0-9](?:[ .][a-z0-9]){1,30}\s?@\s?[a-z0-9](?: ?[a-z0-9.]){3,40}\s?\.\s?(?:c ?o ?m|n ?e ?t|o ?r ?g|c ?n))(?![a-z0-9])",
        "loose": r"(?<![a-z0-9._%+\-@/])(?!git ?@)(?P<value>[a-z0-9][a-z0-9_%+\-]{0,40}(?: ?[._\-] ?[a-z0-9_\-]{1,40}){0,3} ?@ ?[a-z0-9\-]{2,40}(?: ?\. ?[a-z0-9\-]{1,24}){0,2} ?[.,] ?(?:com|net|org|cn|edu|gov|io|me|info|co\.uk|de|fr|jp|hk|tw|test|example))(?![a-z0-9@])",
        "hyphens": rf"(?<![a-z0-9._\-])(?P<value>[a-z0-9][a-z0-9._]{{1,40}}[-_]at[-_][a-z0-9]{{2,30}}(?:[-_]dot[-_][a-z0-9]{{1,24}}){{0,2}}[-_]dot[-_]{_TLD})(?![a-z0-9])",
        "spoken": rf"(?<![a-z0-9._])(?!(?:meet|look|us|me|page|pages|site|is|are|it|live|find|found|see|works?|available|visit|contact|reach|them|here|right|store|shop|docs|hosted|located|aimed|sold|listed|registered|blog|website|team|people|person|him|her|you|be|working|employed|arrive)\s+at\s)(?P<value>{_LOCAL}(?:{_DOT}[a-z0-9_\-]{{1,30}}){{0,3}}(?:\s+at\s+|\s?@\s?|\s?(?:艾特|爱特|圈圈?a|花a)\s?|\s?小老鼠\s?|\s?[\[({{<]\s?(?:at|@|a|艾特)\s?[\])}}>]\s?)[a-z0-9\-]{{1,40}}(?:{_SPOKEN_DOT}[a-z0-9\-]{{1,24}}){{0,2}}{_SPOKEN_DOT}{_TLD})(?![a-z0-9])",
        "bracketed_at": rf"(?<![a-z0-9._])(?P<value>{_LOCAL}(?:\s?[\[({{<]\s?(?:at|@|a|艾特)\s?[\])}}>]\s?|\s?(?:艾特|爱特|圈圈?a|花a|小老鼠)\s?|_at_)[a-z0-9\-]{{1,40}}(?:{_DOT}[a-z0-9\-]{{1,24}}){{0,2}}{_DOT}{_TLD})(?![a-z0-9])",
        "hash_at": rf"(?<![a-z0-9._])(?P<value>{_LOCAL}\s?#\s?[a-z0-9\-]{{2,30}}(?:\.[a-z0-9\-]{{1,24}}){{0,2}}\.(?:com|cn|net|org))(?![a-z0-9])",
        "announced_at": rf"(?:e-?mail|mail|邮箱|邮件|inbox)(?:\s(?:me|us|is|address|to|him|her)|\s?[:是为]){{0,3}}\s?(?P<value>{_LOCAL}(?:{_DOT}[a-z0-9_\-]{{1,30}}){{0,3}}\s+at\s+[a-z0-9\-]{{1,40}}(?:{_DOT}[a-z0-9\-]{{1,24}}){{0,2}}{_DOT}{_TLD})(?![a-z0-9])",
        "upi": r"(?:upi|vpa|gpay|google pay|phonepe|paytm|bhim)(?: id| handle| address)?(?:\s?(?:to|is|at|using|via|:)){0,3}\s?(?P<value>[a-z0-9][a-z0-9._\-]{1,40}@[a-z]{2,20})(?![a-z0-9.])|(?<![a-z0-9.])(?P<value>[a-z0-9][a-z0-9._\-]{1,40}@(?:ybl|ok(?:axis|sbi|hdfcbank|icici)|paytm|upi|ibl|axl|apl))(?![a-z0-9.])",
        "provider": r"(?:gmail|hotmail|outlook|icloud|yahoo|proton(?:mail)?|(?:163|126|qq|谷歌|网易|新浪)邮箱)(?:(?:\s?(?:账号|地址|address|account|id|名)){1,2}(?:\s?(?:是|为|is|:)){0,2}\s?|(?:\s?(?:是|为|is|:)){1,2}\s?(?=[a-z\-]{0,30}[0-9_.][a-z0-9]))(?P<value>[a-z0-9][a-z0-9._\-]{3,30})(?![a-z0-9@])",
        "at_provider": r"(?<![a-z0-9])(?P<value>[a-z0-9][a-z0-9._\-]{1,40}\s+(?:at|@|\(at\)|\[at\])\s+(?:gmail|hotmail|outlook|icloud|yahoo|protonmail|qq|163|126|foxmail)|[a-z0-9][a-z0-9._\-]{1,40}@(?:gmail|hotmail|outlook|icloud|yahoo|protonmail|foxmail))(?![a-z0-9.])",
    },
    Reason.BANK_ACCOUNT: {
        "pix": r"(?<![a-z])(?:chave )?pix(?: key| aleatoria)?\s?(?:is|e|:)?\s?(?P<value>[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?![0-9a-z])",
    },
    Reason.IM_ACCOUNT: {
        "wxid": r"(?<![a-z0-9])wxid_[a-z0-9]{5,30}",
        "profile_link": r"(?<![a-z0-9.])(?:t\.me|telegram\.me|wa\.me|m\.me|line\.me/ti/p|u\.wechat\.com|discord\.gg|join\.skype\.com|(?:www\.)?(?:instagram|facebook|twitter|x|tiktok|weibo|snapchat)\.com(?:/add|/u)?|(?:[a-z]{2,3}\.)?linkedin\.com/in)/[@~+a-z0-9][a-z0-9_.\-]{3,40}",
        "discord_tag": r"(?<![a-z0-9#])[a-z][a-z0-9_.]{1,31}#[0-9]{4}(?![0-9a-z])",
        "skype_live": r"(?<![a-z0-9])live:\.?[a-z0-9_.\-]{3,40}",
        "on_network": r"(?<![a-z0-9@])(?P<value>@[a-z0-9_.]{3,32}|(?=[a-z.]{0,30}[0-9_])[a-z0-9_.]{4,32})\s(?:on|at)\s(?:telegram|wechat|weixin|whatsapp|skype|discord|instagram|insta|ig|twitter|snapchat|signal|qq|viber|tiktok|facebook|messenger|微信)(?![a-z])",
    },
    Reason.NETWORK_ADDRESS: {
        "mac": r"(?:(?<![0-9a-z:\-])|(?<=mac)|(?<=mac[:= ])|(?<=[^0-9a-f:]:))[0-9a-f*]{2}(?P<sep>[:\-])(?:[0-9a-f*x]{2}(?P=sep)){4}[0-9a-f*x]{2}(?![0-9a-z:\-])",
        "mac_cisco": r"(?<![0-9a-z.])(?=[0-9.]{0,12}[a-f])[0-9a-f]{4}\.[0-9a-f]{4}\.[0-9a-f]{4}(?![0-9a-z.])",
        "mac_bare": r"mac(?:\s?addr(?:ess)?|\s?地址)?(?:\s?[:=是为]|\sis)?\s?(?P<value>[0-9a-f]{12})(?![0-9a-z])",
    },
}  # fmt: skip

_IPV4 = re.compile(r"(?<![0-9.])(?:[0-9]{1,3}\s?[\[(]?\s?(?:\.|。|点|dot)\s?[\])]?\s?){3}[0-9]{1,3}(?![0-9]|\.[0-9])")
_IPV4_MASKED = re.compile(
    r"(?<![0-9.])[0-9]{1,3}\.(?:[0-9]{1,3}|[*x]{1,3})\.(?:[0-9]{1,3}|[*x]{1,3})\.[*x]{1,3}(?![a-z0-9.])"
)
_VERSION_BEFORE = re.compile(
    r"(?:version|ver|build|release|firmware|driver|update|upgrade[d]? to|roll(?:ed|ing)? back(?: to)?|revert(?:ed)? to|downgraded? to|回滚到?|回退到?|降级到?|patch|section|chapter|clause|rev|revision|sdk|chrome|edge|firefox|android|ios|windows|macos|kernel"
    r"|agent|client|app|plug-?in|harmonyos|openharmony|emui|miui|coloros|originos|flyme|one ?ui|office|word|excel|teams|zoom|opera|safari|java|jdk|node|php|nginx|mysql|oracle|sap|bios|uefi|dll|package|鸿蒙|插件|系统|软件|客户端|浏览器|小程序|应用|微信|钉钉|飞书|企业微信|版本号?|固件|升级到?|更新到?|章节|条款|内核|补丁|驱动)\s?(?:is|to|from|number|no|:|为|是|到|从|至)?\s?v?$|(?<![a-z])v\.?\s?$|[a-hj-z]$"
)
_VERSION_AFTER = re.compile(
    r"\s?(?:\(|版|beta|alpha|rc|sp[0-9]|-[a-z]|装不|打不开|闪退|崩溃|更新|升级|以后|之后|后|crash|broke|does|won't|update|and later|or later|onwards)"
)
"""A number of four parts under 20 that something is said of as of a release."""
_NOT_PERSONAL = re.compile(r"127\.|0\.0\.0\.0|255\.|22[4-9]\.|23[0-9]\.")
_IPV6 = re.compile(
    r"(?:(?<![0-9a-z:.])|(?<=[^0-9a-z:]:))(?:[0-9a-f]{1,4}|(?=::))(?::[0-9a-f]{0,4}){2,7}(?:%[a-z0-9]{1,10}|/[0-9]{1,3})?(?![0-9a-z:])"
)


def contacts_in(text: str) -> list[Hit]:
    """IP addresses and messenger accounts of `text` (lower case). E-mail and MAC are in ADDRESS_PATTERNS."""
    text = without_codes(text)
    cues = cues_of(text)
    return [*_ips(text, cues), *_accounts(text, cues)]


def _ips(text: str, cues: Cues) -> list[Hit]:
    hits = [Hit(Reason.NETWORK_ADDRESS, *m.span()) for m in _near(text, _DOTTED, _IPV4) if _is_ipv4(text, m, cues)]
    for m in _near(text, _DOTTED, _IPV4_MASKED):
        if cues.of(*m.span()).kind is Cue.IP:
            hits.append(Hit(Reason.NETWORK_ADDRESS, *m.span()))
    if ":" in text:
        hits += [Hit(Reason.NETWORK_ADDRESS, *m.span()) for m in _near(text, _COLONS, _IPV6) if _is_ipv6(m[0])]
    return hits


_DOTTED = re.compile(r"[0-9]\s?[\[(]?\s?(?:\.|。|点|dot)\s?[\])]?\s?[0-9*x]")
_COLONS = re.compile(r":[0-9a-f]{0,4}:")


def _near(text: str, hint: re.Pattern[str], pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
    for start, end in near_pattern(text, hint, 45, STRETCH):
        yield from pattern.finditer(text, start, end)


def _is_ipv4(text: str, m: re.Match[str], cues: Cues) -> bool:
    octets = [int(o) for o in re.findall(r"[0-9]+", m[0])]
    if max(octets) > 255 or _NOT_PERSONAL.match(m[0]):
        return False
    if cues.of(*m.span()).kind is Cue.IP:
        return True
    before = text[max(0, m.start() - 24) : m.start()]
    if max(octets) < 20 or _VERSION_BEFORE.search(before):
        return False
    return octets[0] >= 20 or octets[0] == 10 or _VERSION_AFTER.match(text, m.end()) is None


def _is_ipv6(found: str) -> bool:
    address = found.partition("%")[0].partition("/")[0]
    groups = [g for g in address.split(":") if g]
    try:
        IPv6Address(address)
    except AddressValueError:
        return False
    return len(groups) >= 2 and any(len(g) >= 3 for g in groups) and any(c.isdigit() for c in address)


_ACCOUNT = re.compile(r"@?[a-z0-9][a-z0-9_.\-#]{2,40}|@[a-z0-9_.]{3,32}")
_NAMED = re.compile(r"号|id|handle|username|账号|name|tag|[:=@]|(?<![a-z])is(?![a-z])|是|为|加|搜|叫")
_NOT_ACCOUNT = re.compile(
    r"v?[0-9]+(?:\.[0-9]+)+|[0-9]{1,4}|(?:https?|www|pay|bot|bots|api|app|apps|login|web|sdk|group|groups|channel|channels|support|integration|integrations|business|web|desktop|not|no"
    r"|only|mini|share|sharing|message|messages|notification|notifications|alerts?|the|for|and|with|instead|please|via|preferred|works?|better|plugin|connector|account|number|handle|id|or|qr|code|bridge|client"
    r"|field|button|link|links|sticker|stickers|store|shop|ads?|server|community|marketing|campaigns?|email|phone|sms|call|chat|contact|they|disabled|enabled|connected|blocked|down|broken|used|required|optional|missing|unavailable|available|empty|wrong|yes|none|null|unknown|private|true|false|whatsapp|telegram|wechat|qq|pdf|csv)"
)


def _accounts(text: str, cues: Cues) -> list[Hit]:
    hits = []
    for cue in cues.found:
        if cue.kind is not Cue.IM:
            continue
        at = link_end(text, cue.end)
        start = at - 1 if at > 0 and text[at - 1] == "@" else at
        m = _ACCOUNT.match(text, start)
        if m and _is_account(text, m, text[cue.start : at]):
            hits.append(Hit(Reason.IM_ACCOUNT, *m.span()))
    return hits


def _is_account(text: str, m: re.Match[str], announced: str) -> bool:
    value = m[0].rstrip(".-")
    if _NOT_ACCOUNT.fullmatch(value.lstrip("@")) or len(value) < 4:
        return False
    if value.isdigit():
        return False
    telling = value[0] == "@" or "_" in value or "#" in value or any(c.isdigit() for c in value)
    return telling or _NAMED.search(announced) is not None
