"""Phones, mail boxes and messenger accounts that a phrase tells."""
# ruff: noqa: E501 (rows of words and patterns read best one a line)

import re

from pipeline.reasons import Reason
from pipeline.sensitive.phrase import Phrase

_NETWORK = r"(?:signal|telegram|tg|whatsapp|wechat|weixin|line|skype|discord|instagram|insta|ig|snapchat|viber|kakao(?:talk)?|zalo|threema|twitter|tiktok|messenger)"
_AS_DIGITS = str.maketrans("lioqszb|!", "110052811")


def _account(value: str) -> bool:
    return any(c.isdigit() or c in "_." for c in value.strip(".")) or value.startswith("@")


def _handle(value: str) -> bool:
    """A name with digits or an @, and no address of a site, no mention of a channel."""
    bare = value.lstrip("@")
    site = re.search(r"\.(?:com|net|org|io|cn|co|dev|app|html?|pdf|js)$", value.partition(":")[0])
    return not site and bare not in _CHANNELS and (value.startswith("@") or any(c.isdigit() for c in value))


_CHANNELS = frozenset(
    ["channel", "here", "everyone", "support", "team", "all", "general", "help", "user", "mention", "admin"]
)


def _mobile_in_letters(value: str) -> bool:
    return (
        sum(c.isdigit() for c in value) >= 4 and re.fullmatch("1[3-9][0-9]{9}", value.translate(_AS_DIGITS)) is not None
    )


def _ten_or_eleven(value: str) -> bool:
    return sum(c.isdigit() for c in value) in {10, 11}


_SOCIAL = r"(?:b站|哔哩哔哩|陌陌|知乎|贴吧|脉脉|豆瓣|虎扑|快手|steam|psn|xbox(?: live)?|epic games?|battle\.?net|riot|gamertag|switch|roblox|minecraft|viber|kik|wire|element|matrix|mattermost|bluesky|threads|twitch|youtube|reddit|snap(?:chat)?|fb|facebook|slack|teams|zoom|github|gitlab)"

CONTACTS: tuple[Phrase, ...] = (
    Phrase(
        reason=Reason.IM_ACCOUNT,
        digits=False,
        words=(" on ", " via ", " over "),
        pattern=re.compile(rf"(?<![a-z])(?:on|via|over) {_NETWORK}(?:,? (?:as|under|by|with|at|i'm|i am)(?: the)?(?: (?:name|handle|username|user|id))?|,? (?:name|handle|username|user|id)(?: is)?):? ?(?P<value>@?[a-z][a-z0-9_.]{{3,31}})(?![a-z0-9@])"),
        valid=_account,
    ),
    Phrase(
        reason=Reason.IM_ACCOUNT,
        digits=False,
        words=("signal",),
        pattern=re.compile(r"(?<![a-z])signal(?: (?:id|handle|username|account|name))?\s?(?:[:=]|is)\s?(?P<value>@?[a-z][a-z_.]{1,24}[._][a-z0-9_.]{1,12})(?![a-z0-9@])"),
        valid=_account,
    ),
    Phrase(
        reason=Reason.IM_ACCOUNT,
        digits=False,
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
    # phones
    Phrase(
        reason=Reason.PHONE,
        words=("l3", "l5", "l7", "l8", "l9", "i3", "i5", "i7", "i8", "i9", "|3", "|5", "|8", "0o", "o0", "1o", "3o", "5o", "8o", "9o"),
        pattern=re.compile(r"(?<![a-z0-9])(?P<value>[1li|][3-9s][0-9oqlisz|!b]{9})(?![a-z0-9])"),
        valid=lambda value: not value.isdigit() and _mobile_in_letters(value),
    ),
    Phrase(
        reason=Reason.PHONE,
        words=("后面", "然后", "接着", "再", "and then", "then"),
        pattern=re.compile(r"(?<![0-9])(?P<value>1[3-9][0-9])\s?(?:后面|然后|接着|再来?|and then|then)(?:是|加|跟着)?\s?(?P<value2>[0-9]{4}[ \-]?[0-9]{4})(?![0-9])"),
    ),
    Phrase(
        reason=Reason.PHONE,
        words=("852", "853", "886"),
        pattern=re.compile(r"(?<![0-9\-.])(?P<value>(?:852|853|886)[ \-][0-9]{4}[ \-]?[0-9]{4,5})(?![0-9\-])"),
    ),
    Phrase(
        reason=Reason.PHONE,
        words=("01.", "02.", "03.", "04.", "05.", "06.", "07.", "08.", "09.", "8 (", "8("),
        pattern=re.compile(r"(?<![0-9.a-z])(?P<value>0[1-9](?:\.[0-9]{2}){4}|8 ?\([0-9]{3}\) ?[0-9]{3}-[0-9]{2}-[0-9]{2})(?![0-9.])"),
    ),
    Phrase(
        reason=Reason.PHONE,
        words=(" is the best", " is best", " is my ", " is where", " is how", " is the number", "'s my ", "'s the best"),
        pattern=re.compile(r"(?<![0-9a-z\-.])(?P<value>[0-9](?:[ \-]?[0-9]{1,3}){5,10})(?: is|'s) (?:the )?(?:best(?: number| one| way)?|my (?:number|cell|mobile|phone)|where (?:to|you)|how to|the number)(?: to)?(?: (?:reach|call|text|ring))?(?![a-z])"),
        valid=_ten_or_eleven,
    ),
    Phrase(
        reason=Reason.PHONE,
        words=("尾号", "后四位", "末四位", "ending", "ends", "last four", "last 4"),
        pattern=re.compile(r"(?:(?:手机|电话)(?:号码?)?(?:的)?(?:尾号|后四位|末四位|后4位)\s?(?:是|为|:)?\s?(?P<value>[0-9]{4})|尾号\s?(?:是|为)?\s?(?P<value2>[0-9]{4})\s?的(?:手机|电话|号码)|(?<![a-z])(?:phone|mobile|cell|number)(?: number)? (?:that )?(?:ends?|ending)(?: in| with)? (?P<value3>[0-9]{4})|last (?:four|4)(?: digits)? of (?:my|his|her|the) (?:phone|mobile|cell)(?: number)?(?: is| are|:)? (?P<value4>[0-9]{4}))(?![0-9])"),
    ),
    # mail
    Phrase(
        reason=Reason.EMAIL,
        words=("gmail", "hotmail", "outlook", "icloud", "yahoo", "proton", "邮箱", "foxmail"),
        pattern=re.compile(r"(?<![a-z0-9@._\-])(?P<value>(?=[a-z\-]{0,30}[0-9_.])[a-z0-9][a-z0-9._\-]{3,30}[a-z0-9])(?: (?:on|at|in|from|via) | ?[@(（] ?| ?在|\s)(?:gmail|hotmail|outlook|icloud|yahoo|proton(?:mail)?|foxmail|(?:163|126|qq|谷歌|网易|新浪|搜狐|腾讯)邮箱)(?![a-z0-9.])|(?:163|126|qq|谷歌|网易|新浪|搜狐|腾讯|企业|foxmail)邮箱\s?(?:账号|地址|是|为|:|名){0,2}\s?(?P<value2>(?=[a-z.\-]{0,30}[0-9_])[a-z0-9][a-z0-9._\-]{3,30})(?![a-z0-9@])"),
    ),
    # messengers
    Phrase(
        reason=Reason.IM_ACCOUNT,
        words=("v:", "v :", "v信", "v号", "薇", "葳", "溦", "绿泡泡", "绿色软件"),
        pattern=re.compile(r"(?:(?<![a-z0-9])v(?:信|❤)?\s?[:：号]|(?<![a-z0-9])v信|(?:(?<![\u4e00-\u9fff])|(?<=[加的我是看说]))[薇葳溦](?:信|芯|心)?|绿泡泡|绿色软件)\s?[:：号是]?\s?(?P<value>[a-z][a-z0-9_\-]{5,19})(?![a-z0-9@.])"),
        valid=lambda value: any(c.isdigit() or c == "_" for c in value),
    ),
    Phrase(
        reason=Reason.IM_ACCOUNT,
        words=("加", "陌陌", "探探"),
        pattern=re.compile(r"(?:(?:陌陌|探探|soul)号?|加(?:我|你|他|她|下|一下|我的)?q)(?:id)?\s?[:：号]?\s?(?P<value>[1-9][0-9]{4,10})(?![0-9])"),
    ),
    Phrase(
        reason=Reason.IM_ACCOUNT,
        digits=False,
        words=("微博", "小红书", "抖音", "快手", "知乎", "b站", "贴吧", "豆瓣", "脉脉", "哔哩"),
        pattern=re.compile(r"(?:微博|小红书|抖音|快手|知乎|b站|贴吧|豆瓣|脉脉|哔哩哔哩)(?:\s?(?:账号|昵称|号|id|名字?|上|搜|叫|关注|是|为|:)){0,4}\s?(?:(?P<value>@[\u4e00-\u9fffa-z0-9_\-]{2,20})|(?<=昵称)(?:是|为|叫|:|\s){0,2}(?P<value2>[\u4e00-\u9fffa-z0-9_\-]{2,16}))"),
    ),
    Phrase(
        reason=Reason.IM_ACCOUNT,
        digits=False,
        words=("微博", "小红书", "抖音", "快手", "知乎", "b站"),
        pattern=re.compile(r"(?:微博|小红书|抖音|快手|知乎|b站)(?:的)?昵称\s?(?:是|为|叫|:)?\s?(?P<value>(?!显示|修改|不|怎么|改|设置|长度)[\u4e00-\u9fffa-z0-9_\-]{2,16})"),
    ),
    Phrase(
        reason=Reason.IM_ACCOUNT,
        digits=False,
        words=("b站", "哔哩", "陌陌", "知乎", "贴吧", "脉脉", "豆瓣", "虎扑", "快手", "steam", "psn", "xbox", "epic", "battle", "riot", "gamertag", "switch", "roblox", "minecraft", "viber", "kik", "wire", "element", "matrix", "mattermost", "bluesky", "threads", "twitch", "youtube", "reddit", "snap", "fb", "facebook", "slack", "teams", "zoom", "git"),
        pattern=re.compile(rf"(?<![a-z0-9\-]){_SOCIAL}(?![a-z0-9])(?:\s?(?:live|member|friend|uid|gamertag|handle|username|user|name|code|tag|id|账号|号|is|at|是|为|[:=])){{0,4}}[\s:]{{0,2}}(?P<value>@[a-z0-9_.\-]{{3,30}}(?::[a-z0-9.\-]{{3,40}})?|(?<=[id:名号])\s?[0-9]{{7,17}}(?![0-9])|(?<=id)\s(?=[a-z]{{0,3}}[0-9])[a-z][a-z0-9]{{8,11}}|(?=[a-z_.\-]{{3,28}}[0-9])[a-z][a-z0-9_.\-]{{4,28}}[a-z0-9])(?![a-z0-9@])"),
        valid=lambda value: _handle(value.strip()),
        never=re.compile(r"(?<![a-z])(?:version|build|release|error|code e|model)(?![a-z])|版本|报错|型号"),
    ),
    Phrase(
        reason=Reason.IM_ACCOUNT,
        digits=False,
        words=("gamertag", "psn", "xbox", "steam"),
        pattern=re.compile(r"(?<![a-z])(?:gamertag|psn id|xbox (?:id|name|gamertag)|steam (?:name|id|user(?:name)?))\s?(?:is|:)?\s(?P<value>[a-z][a-z0-9_\-]{4,20})(?=\s*(?:[.,;!。，\n\u4e00-\u9fff]|$))"),
    ),
    Phrase(
        reason=Reason.IM_ACCOUNT,
        digits=False,
        words=("signal",),
        pattern=re.compile(r"(?<![a-z])signal[\s:]{1,2}(?P<value>[a-z_][a-z0-9_]{2,31}\.[0-9]{2,9})(?![0-9a-z])"),
    ),
    Phrase(
        reason=Reason.IM_ACCOUNT,
        digits=False,
        words=(" on ", " at "),
        pattern=re.compile(rf"(?<![a-z0-9@./])(?P<value>(?=[a-z]{{1,30}}[.])[a-z][a-z0-9]*(?:\.[a-z0-9]+){{1,3}}) (?:on|at) {_NETWORK}(?![a-z])"),
        valid=lambda value: re.search(r"\.(?:com|net|org|io|cn|co|dev|app|html?|pdf|js|etc)$", value) is None and value not in {"e.g", "i.e", "a.m", "p.m"},
    ),
    Phrase(
        reason=Reason.IM_ACCOUNT,
        digits=False,
        words=("line",),
        pattern=re.compile(r"(?<![a-z])(?:(?:my|his|her|our|the|add) )?line(?: ?id| app| account)?\s?(?::|is|=|是)\s?(?P<value>@[a-z0-9_.\-]{4,20}|(?=[a-z_.\-]{3,20}[0-9])[a-z][a-z0-9_.\-]{4,20})(?![a-z0-9])"),
        never=re.compile(r"(?<![a-z])(?:version|error|code|model|item|product)(?![a-z])"),
    ),
    Phrase(
        reason=Reason.IM_ACCOUNT,
        digits=False,
        words=("on x",),
        pattern=re.compile(r"(?<![a-z])on x,?(?: i'm| i am| as| my handle is| it's| under)? (?P<value>@[a-z0-9_]{3,15})(?![a-z0-9])"),
    ),
    # networks
    Phrase(
        reason=Reason.NETWORK_ADDRESS,
        words=("mac",),
        pattern=re.compile(r"(?<![a-z])mac(?: ?addr(?:ess)?| ?地址)?[^0-9a-f\n]{0,6}(?P<value>(?:[0-9a-f]{2}[ ]){5}[0-9a-f]{2})(?![0-9a-f])|(?<![0-9a-z])(?P<value2>(?=[a-f]{0,11}[0-9])[0-9a-f]{12}) (?:is (?:the |my |its )?)?mac(?![a-z])"),
    ),
    Phrase(
        reason=Reason.NETWORK_ADDRESS,
        words=(".x", ".*"),
        pattern=re.compile(r"(?<![0-9.a-z])(?P<value>(?:1[0-9]{2}|2[0-4][0-9])\.(?:[0-9]{1,3}|[x*])\.(?:[0-9]{1,3}|[x*])\.[x*]{1,3})(?![a-z0-9.])"),
        before=re.compile(r"(?:version|ver|v|chrome|firefox|edge|build|release|firmware|driver|版本|固件|驱动)[ :]?$"),
    ),
    # payments to a person
    Phrase(
        reason=Reason.BANK_ACCOUNT,
        digits=False,
        words=("venmo", "cash", "zelle", "paypal", "revolut", "monzo"),
        pattern=re.compile(r"(?<![a-z])(?:venmo|cash ?app|cashtag|paypal|revolut|monzo|wise)(?: (?:handle|tag|user(?:name)?|account|id|is|to|at|me|on|my)){0,4}[\s:]{1,2}(?P<value>[@$][a-z][a-z0-9_\-]{2,24})(?![a-z0-9])|(?<![a-z])(?P<value2>(?:paypal\.me|revolut\.me|monzo\.me|cash\.app|venmo\.com)/[$@]?[a-z][a-z0-9_\-]{2,24})"),
    ),
    Phrase(
        reason=Reason.BANK_ACCOUNT,
        words=("saving", "checking", "chequing", "current", "account", "iban"),
        pattern=re.compile(r"(?<![a-z])(?:savings?|checking|chequing|current account|bank account|giro|iban|account)(?: account)?(?: number| no\.?)?,? (?:that )?(?:ending|ends|end|last (?:four|4)(?: digits)?)(?: in| with| is| are)? (?P<value>[0-9]{3,4})(?![0-9])"),
        valid=lambda value: re.fullmatch(r"(?:19|20)[0-9]{2}", value) is None,
    ),
    Phrase(
        reason=Reason.BANK_ACCOUNT,
        digits=False,
        words=("wxp://", "qr.alipay", "支付宝", "口座", "银行", "支店"),
        pattern=re.compile(r"(?P<value>wxp://[a-z0-9_\-]{10,60}|qr\.alipay\.com/[a-z0-9]{8,40})|支付宝(?:账号|账户|号)?\s?(?:是|为|:)?\s?(?P<value2>(?=[a-z_.\-]{1,28}[0-9])[a-z][a-z0-9_.\-]{4,30})(?![a-z0-9@])|(?:普通|当座)(?:预金|預金|口座)?\s?(?P<value3>[0-9]{7})(?![0-9])(?=[^\n]{0,30}(?:银行|支店|口座))|(?:银行|支店|口座)[^\n]{0,20}(?:普通|当座)(?:预金|預金)?\s?(?P<value4>[0-9]{7})(?![0-9])"),
    ),
    Phrase(
        reason=Reason.BANK_ACCOUNT,
        words=("sort code",),
        pattern=re.compile(
            r"sort ?code[^\n]{0,60}?(?<![a-z])acc(?:oun)?t(?: number| no\.?)?(?: is|:)? (?P<value>[0-9](?:[ \-]?[0-9]){6,8})(?![0-9])"
        ),
    ),
)  # fmt: skip
