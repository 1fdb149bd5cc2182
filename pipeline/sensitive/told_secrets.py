"""Passwords, codes of doors and keys that a phrase tells: a command line, a change from one to another, six eights."""
# ruff: noqa: E501 (rows of words and patterns read best one a line)

import re

from pipeline.reasons import Reason
from pipeline.sensitive.phrase import HAN_DIGIT, Phrase, keyed, mixed, no_year

_LETTERS_AND_MORE = re.compile(r"(?=[^a-z]{0,39}[a-z])(?=[^0-9]{0,39}[0-9])[^\s]{5,40}")
_TECHNICAL = re.compile(
    r"v?[0-9.]+[a-z]{0,3}|(?:windows|iphone|ipad|android|ios|office|oauth|sha|utf|ipv|wi-?fi|mp|web|log4j|base|chrome|firefox|safari|edge|python|java|php|node|sql|http|tls|ssl|aes|rsa|macos|win|outlook|sap|galaxy|pixel|mate|level|step|page|error|code|version|build|release|test|case|ticket|order|line|row|room|floor|tier|plan|phase|team|group|q)-?[0-9][0-9a-z.]{0,6}|[0-9]+(?:st|nd|rd|th|px|ms|kb|mb|gb|pm|am|k|m|min|hrs?|days?)|[a-z]{1,3}-?[0-9]{3,8}|.*@[a-z0-9\-]+\.[a-z].*|https?:.*|[0-9]{1,2}[:./-][0-9]{1,2}.*|1password.*"
)


def _chosen(value: str) -> bool:
    """Reads as something that a person made up to log in with: letters and digits, no technical term."""
    value = value.rstrip(".,;!?:)\"'")
    return _LETTERS_AND_MORE.fullmatch(value) is not None and _TECHNICAL.fullmatch(value) is None


def _opens(value: str) -> bool:
    """What a lock opens with: `_chosen`, or digits alone."""
    return _chosen(value) or (value.rstrip("#*.").isdigit() and no_year(value))


def _told_name(value: str) -> bool:
    """An answer to a security question, not talk about one."""
    return _NO_ANSWER.search(value) is None


_NO_ANSWER = re.compile(
    r"(?<![a-z])(?:is|was|not|no|yes|wrong|page|field|form|missing|required|optional|too|never|asked|shown|crash(?:es|ed)?|error|unknown|forgot(?:ten)?|case|sensitive|help|works?|doesn|didn|can|cannot|the|this|that|it|format|text|box|empty|question|answer|needed|changed|incorrect|correct)(?![a-z])|什么|怎么|错|忘|不|没|多少|哪|设置|修改|找回|页面|功能|必填|的$|了$|吗"
)
_LOCKS = r"(?:key ?pad|alarm|gate|(?:front |back |main |side |garage |server ?room |warehouse )?door|garage|lock ?box|key ?box|safe|vault|locker|pad ?lock|bike lock|luggage(?: lock)?|suitcase|phone|tablet|laptop|screen|sim|voice ?mail|intercom|building|entrance|barrier|parental|kids mode)"
_TELLS = r"(?:\s?(?:(?:is|was|to|with|are|set to|now|still|currently|just|the|its?|number|code|combo|combination|pin|lock|reads)(?![a-z])|[:=]|->|=>)){0,5}?\s?[:\"'(]?"
_PLACE = r"(?:wi-?fi|wlan|ssid|wpa[23]?|hot ?spot|guest network|network|router|psk|无线网?|热点)"
_MADE = r"(?P<value>[^\s\"'，。,;；、()（）\u4e00-\u9fff]{4,40})"
_MADE_TOO = r"(?P<value>[^\s\"'，。,;；、()（）\u4e00-\u9fff]{5,40})"

_PASSPHRASE = re.compile(r"(?=[^0-9]{0,60}[0-9])[a-z]{2,20}(?: [a-z0-9]{1,20}){1,4}")
_RULES = re.compile(
    r"(?<![a-z])(?:at least|characters?|digits?|letters?|minimum|must|should|required|reset|expire[sd]?|changed?|days|not|wrong|long|weak)(?![a-z])"
)


def _passphrase(value: str) -> bool:
    """Words with a number among them, not talk about how long a password must be."""
    return _PASSPHRASE.fullmatch(value.strip()) is not None and not _RULES.search(value)


SECRETS: tuple[Phrase, ...] = (
    Phrase(
        reason=Reason.PASSWORD,
        words=("login", "log-in", "cred", " pass", " pw", "<-", "password", "密码"),
        pattern=re.compile(rf"{_MADE_TOO}(?:[\"']? (?:is|are|was) (?:my|the|his|her|our|their|your) (?:[a-z]{{2,10}} )?(?:log-?in|cred(?:ential)?s|pass|pw|pwd)(?![a-z])|\s?<[-=]+\s?(?:the |my )?(?:password|pw|pwd|pass|密码))"),
        valid=_chosen,
    ),
    Phrase(
        reason=Reason.PASSWORD,
        words=("used to be",),
        pattern=re.compile(r"(?<![a-z])used to be (?P<value>[^\s,;]{5,40}),? (?:and |but )?(?:now (?:it's|it is|is)|it's now|is now) (?P<value2>[^\s,;]{5,40})"),
        beside=re.compile(r"passw|pwd|(?<![a-z])(?:pw|login|passcode)(?![a-z])|密码"),
        valid=_chosen,
    ),
    Phrase(
        reason=Reason.PASSWORD,
        words=("wifi", "wi-fi", "wlan", "hotspot", "无线"),
        pattern=re.compile(rf"(?<![a-z])(?:wi-?fi|wlan|hot ?spot)(?![a-z])[^\n:：]{{0,30}}[:：]\s?{_MADE_TOO}|(?:连|接|上)(?:wi-?fi|无线网?)(?:用|输|填|是)\s?(?P<value2>[^\s，。,;\u4e00-\u9fff]{{5,40}})"),
        valid=_chosen,
    ),
    Phrase(
        reason=Reason.PASSWORD,
        words=("alarm",),
        pattern=re.compile(r"(?<![a-z])alarm(?: code| pin)?(?: is|:)? (?P<value>[0-9]{4,6})(?= then| and (?:star|hash|enter)|#|\*|\s*[.,;]|\s*$)"),
        valid=no_year,
    ),
    Phrase(
        reason=Reason.PASSWORD,
        words=("left", "right", "clockwise"),
        pattern=re.compile(r"(?P<value>[0-9]{1,3} (?:to the )?(?:left|right|clockwise|anticlockwise)(?:,? (?:then )?[0-9]{1,3} (?:to the )?(?:left|right|clockwise|anticlockwise)){1,4})"),
        beside=re.compile(r"(?<![a-z])(?:safe|lock|combination|vault|combo|dial)(?![a-z])"),
    ),
    Phrase(
        reason=Reason.SECRET,
        words=("key", "token", "secret", "session"),
        pattern=re.compile(r"(?<![a-z_\-])(?:key|token|secret|session(?: ?id)?)s?(?: [a-z']{1,12}){0,6}?\s?(?:is|=|:|是|为)\s?(?P<value>(?=(?:[a-z_\-]{0,20}[0-9]){3})(?=[0-9_\-]{0,20}[a-z])[a-z0-9_\-]{16,128}+)(?!/|\.[a-z0-9])|(?<![a-z])session(?: ?id)? (?P<value2>[0-9a-f]{24,64})(?![0-9a-z])"),
        reach=420,
        never=re.compile(r"(?<![a-z])(?:idempotency|cache|primary|foreign|object|partition|trace|request|md5|sha-?1|sha-?256|public)(?![a-z])"),
    ),
    # what somebody types
    Phrase(
        reason=Reason.PASSWORD,
        words=("type", "use", "enter", "put in", "log in", "login", "sign in"),
        pattern=re.compile(rf"{_MADE_TOO}(?:[\s,;\"'-]{{1,4}}(?:is|that's|that is|it's|being|was|is still) (?:what|the one|all|the thing|how) (?:i|we|he|she|they|you)(?: always| usually| still)? (?:type|use|enter|put|log|sign|unlock)|(?:[\s,;\"'-]{{1,4}})(?:to|always|for) (?:log|sign)(?:ging|ing)?[ -]?(?:in|on)(?![a-z]))"),
        valid=_chosen,
    ),
    Phrase(
        reason=Reason.PASSWORD,
        words=("type", "use", "enter", "log in", "sign in", "login", "put "),
        pattern=re.compile(rf"(?<![a-z])(?:i|we|he|she|they|you|always|just|then)(?: always| usually| just| can| normally| have to)? (?:type|use|enter|put in|put|log in with|sign in with|login with)(?: in)? {_MADE_TOO}"),
        beside=re.compile(r"(?<![a-z])(?:log|sign)(?:ged|ging|ing)?[ -]?(?:in|on)(?![a-z])|passw|unlock|pwd"),
        valid=_chosen,
    ),
    Phrase(
        reason=Reason.PASSWORD,
        words=("pass", "pwd", "pw", "p:"),
        pattern=re.compile(rf"(?<![a-z])(?:u|usr|user|username|user name|login|log-in|id|e?mail|creds?|credentials|account)\s?(?:is|[:=])?\s?[^\s,;/]{{2,40}}[\s,;/|]{{1,3}}(?:and )?(?:the )?(?:p|pw|pass|pwd|passwd|passcode|secret|key)\s?(?:is|[:=])?\s?{_MADE}"),
        valid=_chosen,
    ),
    Phrase(
        reason=Reason.PASSWORD,
        words=("pass",),
        pattern=re.compile(rf"(?<![a-z])(?<!boarding )(?<!day )(?<!press )pass(?:\s?(?:is|was|=>|->|=|:|to)){{1,2}}\s?[\"']?{_MADE_TOO}"),
        valid=_chosen,
        before=re.compile(r"(?:ski|season|annual|bus|train|travel|first|second|test|the) ?$"),
    ),
    Phrase(
        reason=Reason.PASSWORD,
        words=("cred", "login", "log-in", "log in", "sign", "ssh", "ftp", "account"),
        pattern=re.compile(r"(?<![a-z0-9/.@\-])[a-z][a-z0-9_.\-]{1,24}(?:@[a-z0-9.\-]{4,40})?:(?P<value>[^\s:/，。,;]{6,40})(?![^\s]*://)"),
        beside=re.compile(r"(?<![a-z])(?:creds?|credentials?|log(?:ged)?[ -]?in|sign[ -]?in|ssh|ftp|sftp|basic auth|passw)(?![a-z])"),
        valid=lambda value: _chosen(value) and any(c in "!@#$%^&*?+~" for c in value),
    ),
    Phrase(
        reason=Reason.PASSWORD,
        words=("cred", "login"),
        pattern=re.compile(rf"(?<![a-z])(?:cred(?:ential)?s|log-?in(?: details| data| info)?)(?: (?:are|is|were|for [a-z]{{2,14}}|to [a-z]{{2,14}})){{0,4}}+\s?[: ]\s?[a-z][a-z0-9_.@\-]{{1,40}}\s?[\s,/|:]{{1,3}}\s?(?:(?:and|secret|key)[: ]{{1,2}})?{_MADE_TOO}"),
        valid=_chosen,
    ),
    Phrase(
        reason=Reason.PASSWORD,
        words=("登录", "登陆", "登入", "后台", "账号", "用户名"),
        pattern=re.compile(rf"(?:登录|登陆|登入|后台|账号|用户名|账户)(?:名|是|为|用|:|：|\s){{0,3}}[a-z][a-z0-9_.@\-]{{1,40}}[\s,，、/|]{{1,2}}(?:和|跟)?{_MADE_TOO}"),
        valid=_chosen,
    ),
    Phrase(
        reason=Reason.PASSWORD,
        words=("opens", "open ", "unlock", "works"),
        pattern=re.compile(rf"(?<![a-z])(?:pdf|zip|files?|archive|doc(?:ument)?|sheet|attachment|laptop|phone|safe|screen|door|it|tablet|pc|gate|barrier|garage|box|locker|vault)s? (?:can be )?(?:opens?|opened|unlocks?|unlocked|open) (?:with|using|by) (?:the )?(?:code |pin |password |word )?{_MADE}"),
        valid=_opens,
    ),
    Phrase(
        reason=Reason.PASSWORD,
        words=("passw", "pwd", "pw ", "passcode", "passphrase"),
        pattern=re.compile(rf"{_MADE_TOO}[\"']?,? (?:(?:does not|doesn't|don't|won't|no longer|still|did not|didn't) (?:work|go|open|let me in)|works?|worked|fails|failed)(?: (?:as|for|with|is|not|any ?more))? (?:the |my |a |his |her |our )?(?:[a-z]{{2,12}} )?(?:password|pwd|pw|passcode)|(?:password|pwd|pw|passcode|passphrase)(?: (?:you|they|we|i|he|she|support|it) (?:sent|gave|set|made|chose|issued|mailed|told)(?: (?:me|us|him|her))?)?, (?P<value2>[^\s\"'，。,;]{{5,40}}),|(?<![a-z])(?:tried|typed|entered|used|put in) (?P<value3>[^\s\"'，。,;]{{5,40}})(?: (?:and|or|then) (?P<value4>[^\s\"'，。,;]{{5,40}}))?[,.]? (?:but |and )?(?:neither|no|the|that|it|none|as|both)(?: of the)? ?(?:is |was )?(?:the |my |a |wrong )?(?:password|pwd|pw|passcode|works|wrong)"),
        valid=_chosen,
    ),
    Phrase(
        reason=Reason.PASSWORD,
        words=("change", "reset", "set ", "switch", "updat"),
        pattern=re.compile(rf"(?<![a-z])(?:chang(?:e|ed|ing)|reset(?:ting)?|set(?:ting)?|switch(?:ed)?|updat(?:e|ed))(?: (?:it|mine|that|this|them|the (?:password|login|pw|pwd|code)|(?:my|our|his|her|their) (?:password|pw|pwd|passcode|login)))?(?: back)? (?:to|as) {_MADE_TOO}"),
        beside=re.compile(r"(?<![a-z])(?:passw|pwd|pw(?![a-z])|log(?:ged)?[ -]?in|sign[ -]?in|locked out|passcode|credential)"),
        valid=_chosen,
    ),
    # passwords described
    Phrase(
        reason=Reason.PASSWORD,
        digits=False,
        words=("capital", "upper", "lower", "small", "big "),
        pattern=re.compile(r"(?P<value>(?:capital|upper ?case|lower ?case|small|big)(?: letter)? [a-z0-9](?![a-z0-9])[^\n.]{0,60})"),
        beside=re.compile(r"(?<![a-z])(?:password|passcode|passphrase|pwd|pw|passw|login)(?![a-z])"),
    ),
    Phrase(
        reason=Reason.PASSWORD,
        digits=False,
        words=("大写", "小写"),
        pattern=re.compile(r"(?P<value>(?:大写|小写)的?(?:字母)?[a-z](?![a-z])[^\n。]{0,40})"),
        beside=re.compile(r"密码|口令|pin"),
    ),
    Phrase(
        reason=Reason.PASSWORD,
        words=("passw", "passcode", "pwd", "密码", "口令", "spel"),
        pattern=re.compile(r"(?<![a-z0-9\-])(?P<value>(?=[0-9 \-]{0,20}[a-z])(?:[a-z0-9@#$!][ \-]){4,24}[a-z0-9@#$!])(?![a-z0-9\-])"),
        beside=re.compile(r"(?<![a-z])(?:password|passcode|passphrase|pwd|passwd|spelled|spelt)(?![a-z])|密码|口令"),
    ),
    Phrase(
        reason=Reason.PASSWORD,
        words=("plus", "followed by", "i.e.", "namely", "that's", "meaning", "of "),
        pattern=re.compile(rf"(?:password|passcode|passphrase|pwd|passwd|(?<![a-z])pw)(?![a-z])[^\n.]{{0,60}}?(?:plus|followed by|then|and|with|of)[^\n.]{{0,30}}?(?:[:,(=-]|i\.e\.|namely|that's|that is|meaning|so|ie)[\s:,]{{0,3}}(?:i\.e\.,? )?{_MADE_TOO}"),
        valid=mixed,
    ),
    # Chinese
    Phrase(
        reason=Reason.PASSWORD,
        words=("密码", "口令"),
        pattern=re.compile(rf"(?:密码|口令)(?!错|不对|规则|长度|至少|强度|策略)[^。\n;a-z]{{0,24}}?(?:[,，:：\s]|即|就是|是|为|叫|像|成|到|还是|用)\s?[\"']?{_MADE_TOO}"),
        valid=_chosen,
        never=re.compile(r"用户名?[是为:]|报错|错误码|版本|型号|订单|工单"),
    ),
    Phrase(
        reason=Reason.PASSWORD,
        words=("密码", "口令"),
        pattern=re.compile(r"(?:密码|口令)(?:重置|修改|更改|设置|设定|没改|没换|默认|初始|设|改|换|忘了|[,，]|我|都|一直|应该|可能|好像|大概){0,4}(?:成|为|到|是|用|还是|就是|像是|仍是)了?\s?:?\s?(?P<value>[0-9a-z@#$!]{4,20})(?![0-9a-z]|\s?(?:位|个|次|天|年|月|小时|分钟|秒|种|的人|到|-|~))"),
        valid=lambda value: _opens(value) or _chosen(value),
    ),
    Phrase(
        reason=Reason.PASSWORD,
        words=("密码", "口令"),
        pattern=re.compile(rf"{_MADE_TOO}\s?[,，]?\s?(?:这个|那个|这串|这)?(?:就?是|为|当|做|作)(?:我|他|她|客户|你们|咱|公司|后台|家里)?的?[\u4e00-\u9fff]{{0,6}}?(?:密码|口令)"),
        valid=_chosen,
    ),
    Phrase(
        reason=Reason.PASSWORD,
        words=("mima", "mi ma", "mm", "密", "m码", "蜜", "迷马", "咪马"),
        pattern=re.compile(rf"(?:(?<![a-z])mi ?ma|(?<![a-z0-9])(?<![a-z0-9]:)mm|m码|蜜[马码玛]|密[马玛/|]码?|秘[密码]|[迷咪泌]码|密(?=\s?[:：]))\s?(?:shi|is|[:=是为：])?\s?{_MADE_TOO}"),
        valid=_chosen,
    ),
    Phrase(
        reason=Reason.PASSWORD,
        digits=False,
        words=("解压", "暗号", "通关", "口令"),
        pattern=re.compile(r"(?:(?:解压|压缩包|文件)(?:密码|码|口令)|暗号|通关密语|对口令)\s?(?:是|为|:)?\s?(?P<value>(?![\u4e00-\u9fff]{0,3}(?:是|什么|怎么|错|不|没|系统|功能|红包|在哪))(?:[a-z0-9.@#$!\-]{5,40}|[\u4e00-\u9fff]{4,12}(?=[。,，!！\n]|$)))"),
    ),
    # locks
    Phrase(
        reason=Reason.PASSWORD,
        words=("keypad", "key pad", "alarm", "gate", "door", "garage", "box", "safe", "vault", "lock", "luggage", "suitcase", "phone", "tablet", "laptop", "screen", "sim", "mail", "intercom", "entrance", "barrier", "parental"),
        pattern=re.compile(rf"(?<![a-z]){_LOCKS}(?:'s)? (?:(?:un)?lock|code|combo|combination|pin|passcode|disarm|set|number)(?: (?:for|of|at|on) [^0-9\n.]{{2,30}}?)??{_TELLS}\s?(?P<value>[0-9](?:[ \-]?[0-9]){{2,7}}#?)(?![0-9a-z%]|\s?(?:px|days|times|users|units|am|pm|minutes|seconds|hours|usd|eur|dollars))"),
        never=re.compile(r"(?<![a-z])(?:order|model|part|error|sku|serial|item|price)(?![a-z])"),
        valid=no_year,
    ),
    Phrase(
        reason=Reason.PASSWORD,
        words=("keypad", "key pad", "disarm", "unlock", "lock", "combination", "combo", "code", "pin"),
        pattern=re.compile(rf"(?<![a-z])(?:(?:bike|pad|luggage|suitcase|cable|locker) ?lock(?: code)?|key ?pad(?: code| is|:)?|disarm(?:ed)?(?: code| it)?(?: with|:)?|unlock(?:s|ed)?(?: it| the [a-z]{{3,10}})?(?: with| code| by| using|:)|(?:code|combo|combination|pin|number)s? (?:for|to|of|on|at) (?:the |my |our |his |her )?(?:[a-z]{{3,10}} )?{_LOCKS}(?: (?:is|was|are))?){_TELLS}(?P<value>[0-9]{{3,8}}#?|[0-9]{{1,2}}(?:[ \-,/][0-9]{{1,2}}){{2,4}})(?![0-9a-z%]|\s?(?:px|days|times|users|units|am|pm|minutes|seconds|hours|keys|features|achievements|buttons))"),
        valid=no_year,
    ),
    Phrase(
        reason=Reason.PASSWORD,
        words=("combination", "combo"),
        pattern=re.compile(r"(?<![a-z])(?:combination|combo)(?: (?:is|was|to the [a-z]{3,10} is)|:)? ?(?P<value>[0-9]{1,2}(?:[ \-/][0-9]{1,2}){2,4})(?![0-9])"),
    ),
    Phrase(
        reason=Reason.PASSWORD,
        words=("锁", "门禁", "大门", "保险", "解锁", "行李箱", "开门", "单元门", "图案"),
        pattern=re.compile(r"(?:门锁|智能锁|指纹锁|密码锁|大门|门禁|单元门|开门|保险[柜箱]|手机解锁|屏幕解锁|解锁|锁屏|行李箱|开锁|车库)(?:的)?(?:密码|码|数字|图案|手势|轨迹)?\s?(?:是|为|:|用|按|输|输入)?\s?(?P<value>[0-9]{3,8}#?(?![0-9a-z年月日元台个次只把节张秒寸])|[左右][0-9]{1,3}[左右][0-9]{1,3}(?:[左右][0-9]{1,3}){0,4}|[0-9]{1,2}-[0-9]{1,2}-[0-9]{1,2}|[1-9](?:-[1-9]){3,8})"),
        never=re.compile(r"型号|订单|货号|价格|编号|版本"),
    ),
    # networks
    Phrase(
        reason=Reason.PASSWORD,
        words=("wifi", "wi-fi", "wlan", "ssid", "wpa", "hotspot", "network", "router", "psk", "无线", "热点"),
        pattern=re.compile(rf"(?<![a-z]){_PLACE}(?![a-z])[^\n。]{{0,48}}?(?:(?<![a-z])(?:key|psk|pw|code|pass|login|pwd)(?![a-z])|密钥|密)\s?(?:is|:|=|是|为)?\s?{_MADE_TOO}"),
        valid=lambda value: _chosen(value) or value.count("-") >= 2,
    ),
    Phrase(
        reason=Reason.PASSWORD,
        words=("wifi", "wi-fi", "wlan", "wpa", "psk", "ssid", "无线", "热点"),
        pattern=re.compile(rf"(?<![a-z])(?:wpa[23]?(?: key| psk)?|psk|wi-?fi|wlan|无线网?|热点)\s?[:：=]\s?(?:[^\s,，/;|:]{{2,24}} ?[/,，|;]\s?)?{_MADE_TOO}"),
        valid=_chosen,
    ),
    Phrase(
        reason=Reason.PASSWORD,
        digits=False,
        words=("wifi:",),
        pattern=re.compile(r"wifi:[^\n]{0,80}?p:(?P<value>[^;\n]{4,63})"),
    ),
    Phrase(
        reason=Reason.PASSWORD,
        digits=False,
        words=("net use", "docker", "login"),
        pattern=re.compile(rf"net use [^\n]{{0,40}}? {_MADE}(?= /user)|(?<![a-z])(?:docker|podman|helm|az|oc|cf|kubectl|smbclient|rsync)[^\n]{{0,60}}? -p ?(?P<value2>[^\s\-][^\s]{{3,40}})"),
        valid=mixed,
    ),
    # security questions
    Phrase(
        reason=Reason.PASSWORD,
        digits=False,
        words=("maiden", "secret", "security", "memorable", "safe word", "safeword", "codeword", "code word", "verbal"),
        pattern=re.compile(r"(?<![a-z])(?:(?:mother|mum|mom|mama|grandmother)'?s? maiden name|maiden name of (?:my |his |her )?mother|(?:answer to )?(?:my|the|his|her) (?:secret|security) question(?: answer)?|(?:secret|security) (?:question )?answer|(?:memorable|safe|code|pass|verbal) ?word(?: we agreed| i chose| on file| for the account)?)\s?(?:(?:is|was|would be|we agreed on|we agreed)(?![a-z])|[:=,\-]|\s){1,2}\s?[\"']?(?P<value>[a-z][a-z'\-]{1,24}(?: [a-z][a-z'\-]{1,24}){0,2})(?=[\"']?\s*(?:[.,;!)。，\n\u4e00-\u9fff]|$|and ))"),
        valid=_told_name,
    ),
    Phrase(
        reason=Reason.PASSWORD,
        digits=False,
        words=("maiden", "secret", "security", "question"),
        pattern=re.compile(r"(?<![a-z])(?:first (?:pet|dog|cat|car|school|teacher|street|job|boss|concert)|childhood (?:friend|street|nickname)|favou?rite (?:teacher|book|film|movie|food|color|colour|team)|city (?:i was born|of birth)|mother'?s? (?:maiden )?name)(?:'s name| name)?(?: (?:is|was|called|named|were)){0,3}\s?[:=,\-]?\s?[\"']?(?P<value>[a-z][a-z'\-]{1,24})(?=[\"']?\s*(?:[.,;!)。，\n\u4e00-\u9fff]|$))"),
        beside=re.compile(r"(?<![a-z])(?:secret|security|maiden|verification|recovery|question|challenge)(?![a-z])"),
        valid=_told_name,
    ),
    Phrase(
        reason=Reason.PASSWORD,
        digits=False,
        words=("密保", "安全问题", "安全提问", "验证问题"),
        pattern=re.compile(r"(?:(?:密保|安全(?:问题|提问)|验证问题)(?:的)?(?:问题)?(?:的)?答案(?:[:：是为]|\s){0,3}|(?:密保|安全(?:问题|提问)|验证问题)(?:问题)?(?:[:：是为]|\s){1,3})(?:(?:我|他|她)?(?:妈妈|母亲|爸爸|父亲|小学|初中|宠物|老师|班主任|出生地|配偶|最喜欢)[\u4e00-\u9fff]{0,8}?(?:名字|姓名|学校|城市|是|叫|[:：\s]){1,3})?\s?(?P<value>[\u4e00-\u9fffa-z0-9]{2,12})(?=\s*(?:[。,，;!\n]|$))"),
        valid=_told_name,
    ),
    # keys
    Phrase(
        reason=Reason.SECRET,
        digits=False,
        words=("seed", "setup key", "set-up key", "totp", "authenticator", "2fa", "mfa", "密钥", "验证器"),
        pattern=re.compile(r"(?:(?<![a-z])(?:seed|set-?up key|totp(?: secret| seed| key)?|authenticator(?: app)?(?: secret| seed| key)?|2fa(?: secret| seed| key)|mfa (?:secret|seed|key)|manual (?:entry )?key)|手动(?:输入)?密钥|验证器(?:密钥)?)(?:\s?(?:for|google|authenticator|code|key|is|was|the|microsoft|[:=是为])){0,5}\s?(?P<value>(?=[a-z ]{0,30}[2-7])[a-z2-7]{4}(?: ?[a-z2-7]{4}){2,12})(?![a-z0-9])"),
    ),
    Phrase(
        reason=Reason.SECRET,
        reach=420,
        words=("key", "token", "secret", "密钥", "令牌", "私钥", "秘钥", "token"),
        pattern=re.compile(r"(?:(?<![a-z])(?:private|secret|api|access|encryption|signing|session|service|deploy|master|account|our|your|my|the|deploy|production|staging|live|shared|this|bearer) (?:key|token|secret)s?|(?<![a-z-])(?:key|token)(?= we| i| they| for| from| used)|密钥|令牌|私钥|秘钥|密匙)(?![a-z])[^\n]{0,48}?(?:\n[^\n]{0,10}?)?(?<![0-9a-z/\-:])(?P<value>(?=[a-z_]{0,30}[0-9])(?=[0-9]{0,30}[a-z])(?:[0-9a-f]{24,128}|[a-z]{2,6}_[0-9a-z]{14,64})(?:\s(?=[a-f]{0,30}[0-9])[0-9a-f]{16,64}){0,3})(?![0-9a-z])"),
        never=re.compile(r"(?<![a-z])(?:md5|sha-?1|sha-?256|checksum|digest|commit|hash of|etag|trace|request id|uuid|fingerprint)(?![a-z])"),
    ),
    Phrase(
        reason=Reason.PASSWORD,
        digits=False,
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
        digits=False,
        words=(" -p",),
        pattern=re.compile(r"(?<![a-z0-9\-])(?:mysql(?:dump|admin|import)?|mariadb(?:-dump)?|sshpass|7z|zip|unrar|rar|mongo(?:sh|dump)?)(?![a-z])[^\n]{0,60}? -p ?(?P<value>[^\s\-<][^\s]{3,40})"),
        valid=mixed,
    ),
    Phrase(
        reason=Reason.PASSWORD,
        digits=False,
        words=("--", "redis-cli", "curl", "wget"),
        pattern=re.compile(r"--(?:[a-z]{2,10}-)?pass(?:word|wd|phrase)?[= ](?P<value>[^\s\-<][^\s]{3,40})|redis-cli[^\n]{0,40}? -a (?P<value2>[^\s]{4,40})|(?:curl|wget)[^\n]{0,60} (?:-u|--user) [^\s:]{1,40}:(?P<value3>[^\s]{4,40})"),
        valid=mixed,
    ),
    Phrase(
        reason=Reason.PASSWORD,
        digits=False,
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
    Phrase(
        reason=Reason.PASSWORD,
        words=("pin ", "passcode "),
        pattern=re.compile(
            r"(?<![a-z])(?:pin|passcode) (?:for|to|of|on|at) (?:the |my |our |your |his |her )?[a-z]{2,16}(?: [a-z]{2,16})?\s?(?:is|was|:|=)\s?(?P<value>[0-9]{3,8})(?![0-9a-z%]|[.:][0-9])"
        ),
    ),
    Phrase(
        reason=Reason.PASSWORD,
        words=(" as the pass", " as my pass", " as pass", " as the pw", " as the pwd"),
        pattern=re.compile(
            r"(?<![!-~])(?P<value>[!-~]{5,40}) as (?:the |my |a )?(?:pass|password|passphrase|passcode|pw|pwd)(?![a-z])"
        ),
        valid=_chosen,
    ),
    Phrase(
        reason=Reason.PASSWORD,
        words=("password", "passcode", "passphrase", "密码", "口令"),
        pattern=re.compile(r"(?:password|passcode|passphrase|密码|口令)\s?\?\s{0,2}(?P<value>[!-~]{5,40})"),
        valid=_chosen,
    ),
    Phrase(
        reason=Reason.PASSWORD,
        words=("password", "passcode", "密码", "口令"),
        pattern=re.compile(
            r"(?:password|passcode|密码|口令)[^\n]{0,60}\n(?:[^\n]{0,60}\n)?(?:customer|client|user|caller|客户|用户|顾客)\s?:\s?(?P<value>[!-~]{6,40})(?=[^\S\n]*(?:\n|$))"
        ),
        valid=_chosen,
        reach=200,
    ),
    Phrase(
        reason=Reason.PASSWORD,
        words=("密码", "口令", "password", "passphrase"),
        pattern=re.compile(
            r"(?:(?:密码|口令)\s?(?:是|为|:|也?(?:给|告诉|发)(?:你们?|您|他们?)\s?[,，:])|(?:password|passphrase)\s?(?:is|:|=))\s?(?P<value>[a-z]{2,20}(?: [a-z0-9]{1,20}){1,4})(?=\s?(?:[，。,.;!\n]|$))"
        ),
        valid=_passphrase,
    ),
    Phrase(
        reason=Reason.PASSWORD,
        words=("密码", "口令"),
        pattern=re.compile(
            rf"(?:密码|口令)\s?(?:是|为|就是|:)?\s?(?P<value>[三四五六七八九3-9]\s?个\s?[{HAN_DIGIT}])(?![{HAN_DIGIT}]|月|年|字|位)"
        ),
        digits=False,
    ),
    Phrase(
        reason=Reason.PASSWORD,
        words=("门码", "门禁码", "开门码", "门锁码"),
        pattern=re.compile(
            rf"(?:门|门禁|开门|门锁)码\s?(?:是|为|:)?\s?(?P<value>[井#*星]?[{HAN_DIGIT}]{{4,8}}[井#*]?)(?![{HAN_DIGIT}])"
        ),
        digits=False,
    ),
    Phrase(
        reason=Reason.PASSWORD,
        words=("gate", "door", "garage", "key safe", "lock box", "lockbox", "alarm"),
        pattern=re.compile(
            r"(?<![a-z])(?:gate|door|garage|key ?safe|lock ?box|alarm)(?:'s| is|:)(?: code)? (?P<value>(?=[a-z\-]{0,9}[0-9])[a-z0-9]{1,4}(?:-[a-z0-9]{1,4}){1,4})(?![a-z0-9])"
        ),
    ),
    Phrase(
        reason=Reason.SECRET,
        words=("token", "api key"),
        pattern=re.compile(
            r"(?<![a-z])(?:token|api key)[^\n:]{0,40}:\s?(?P<value>(?=[^0-9\s]{0,30}[0-9])[a-z]{2,12}_[a-z0-9_\-]{12,60})"
        ),
    ),
)  # fmt: skip
