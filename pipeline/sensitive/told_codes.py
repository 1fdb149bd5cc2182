"""One-time codes that a phrase tells: where they came from, what they are for, how many digits they have."""
# ruff: noqa: E501 (rows of words and patterns read best one a line)

import re

from pipeline.reasons import Reason
from pipeline.sensitive.phrase import Phrase, no_year

_CODE = (
    r"(?:[0-9]{4,8}|[0-9]{3}[ \-][0-9]{3,4})(?![0-9a-z]|[ \-][0-9]|\s?(?:年|元|次|个|条|分钟|秒|人|%|px|users|times))"
)
_CODE_WORD = r"(?:验证码|动态码|校验码|登录码|短信码|确认码|认证码|(?:verification|login|sms|security|one[- ]time|2fa|auth|sign-?in|texted) (?:pass)?codes?|codes? (?:are|is) (?:now )?(?:arriving|coming)|otps?|passcodes?)"
_POINTS = r"(?:刚才|刚刚|刚|那个|这个|那条|这条|那串|最新|上一个|just now|just|the one|the latest|the last|this one|that one|latest|it)"
_FILL = r"(?:刚才|刚刚|刚|那个|这个|那条|这条|那串|一个|的|是|为|就|收到|发来|了|号码|码|:|\s|,|，|one|i|we|he|she|they|got|was|is|it|received|just|now|came|in|as|says|said|sent|me){0,10}"
_NO_CODE = re.compile(
    r"(?:error|zip|promo|discount|coupon|voucher|tracking|postal|area|product|order|stock|fund|status|item|country|referral|invite|source|sku|dial(?:ing)?|colou?r|qr|bar|exit|hs|tax|dress|currency|language|booking) ?$"
)

_SIX = r"(?<![0-9a-z.\-])[0-9](?:(?:, |[ \-])?[0-9]){5}(?![0-9a-z%]|[ \-.:][0-9]|\s?(?:年|元|次|个|条|件|行|分|秒|人|块|份|users?|units?|rows?|times|ms|seconds|items|records|files|lines|euros?|dollars|usd|eur|views|errors|percent|bytes))"
_SOME = r"(?<![0-9a-z.\-])[0-9](?:(?:, |[ \-])?[0-9]){3,7}(?![0-9a-z%]|[ \-.:][0-9]|\s?(?:年|元|次|个|条|件|行|分|秒|人|块|份|users?|units?|rows?|times|ms|seconds|items|records|files|lines|euros?|dollars|usd|eur|views|errors|percent|bytes|million))"
_ENDS = r"(?=\s*(?:[.,;!?。，]|$|\n|thanks|thx|ok|right|谢谢|对吗|吧))"
_NO_CODES = re.compile(
    r"(?<![a-z])(?:error|zip|promo|discount|coupon|voucher|tracking|postal|product|status|item|invite|referral|sku|order|invoice|ticket|stock|fund|parcel|serial|booking|rows?|dial|postcode|area code|build|version|port|size|price|amount|http|extension|reference|meter|flight|room)(?![a-z])"
    r"|股票|基金|邮编|邮政编码|订单|单号|快递|运单|工单|发票|错误码|状态码|版本|工号|取件|优惠码|邀请码|商品|产品|货号|编号|区号|价格|金额|房间|航班|会员号|行政区"
)
_SENT = r"(?:text(?:ed)?|sms|message[ds]?|msg|sent|e?mailed|pushed|whatsapped|push(?:ed)?)"

CODES: tuple[Phrase, ...] = (
    Phrase(
        reason=Reason.ONE_TIME_CODE,
        words=("got ", "received ", "get "),
        pattern=re.compile(rf"(?<![a-z])(?:got|received|get) (?P<value>{_SIX}) (?:from|by|via|as|on|in) (?:[a-z]{{1,10}} ){{0,4}}?(?:text|sms|message|whatsapp|phone|code|mail|e-?mail|you|bank)(?![a-z])"),
        never=_NO_CODES,
    ),
    Phrase(
        reason=Reason.ONE_TIME_CODE,
        words=("sent", "texted", "mailed", "messaged"),
        pattern=re.compile(rf"(?<![a-z])(?:bank|they|you|system|app|it|he|she|site|website)(?: have| has)?(?: just| now)? (?:sent|texted|e?mailed|messaged)(?: me| us| over)?(?: this| the code)?[\s:,]{{1,2}}(?P<value>{_SIX}){_ENDS}"),
        never=_NO_CODES,
    ),
    Phrase(
        reason=Reason.ONE_TIME_CODE,
        words=("(code", "(the code", "(otp", "telling me", "showing me", "giving me"),
        pattern=re.compile(rf"(?P<value>{_SIX})\s?\((?:the )?(?:code|otp)\)|(?<![a-z])(?:it's|it is|app is|phone is|screen is) (?:telling|showing|giving) me[\s:]{{1,2}}(?P<value2>{_SIX}){_ENDS}"),
        never=_NO_CODES,
    ),
    Phrase(
        reason=Reason.ONE_TIME_CODE,
        words=("steam guard",),
        pattern=re.compile(r"(?<![a-z])steam ?guard(?: code)?(?: is)?\s?:?\s?(?P<value>(?=[a-z]{0,4}[0-9])[a-z0-9]{5})(?![a-z0-9])"),
    ),
    Phrase(
        reason=Reason.ONE_TIME_CODE,
        words=("码", "验证"),
        pattern=re.compile(rf"(?:(?<![\u4e00-\u9fffa-z0-9])|(?<=[看说]))(?:码\s?(?:是|为|:)|验证\s?:)\s?(?P<value>{_SOME})|验证码\s?(?:是|为|:)?\s?(?P<value2>[0-9]{{3}},[0-9]{{3}})(?![0-9,])"),
    ),
    Phrase(
        reason=Reason.ONE_TIME_CODE,
        words=("发", "传来", "弹出", "显示", "看到"),
        pattern=re.compile(rf"(?:发来|发过来|传来|弹出来?|显示出来)的?(?:是|为|:)?\s?(?P<value>{_SIX})|发了?\s?(?P<value2>{_SIX})\s?(?:过来|给我|到我)"),
        never=_NO_CODES,
    ),
    # where it came from
    Phrase(
        reason=Reason.ONE_TIME_CODE,
        words=("text", "sms", "messag", "msg", "whatsapp", "phone", "push"),
        pattern=re.compile(rf"(?<![a-z])(?:sms|texts?|text message|message|msg|phone|mobile|push|whatsapp|they|it|you|he|she|bank|system|app)(?: (?:just|now|only|has|have|had|that|me|i|got|says?)){{0,8}}? (?:{_SENT}|says?|said|shows?|reads?|came|is|was|displays?)(?: (?:me|us|him|her|in|just|now|over|through|says?|as|to|my|phone|mobile|the|a|by|that|this|code|number|digits?|is)){{0,8}}?[\s:,\"'-]{{1,3}}(?:(?:it )?(?:says|said|reads|was|is|it's) )?[\"'(]?(?P<value>{_SIX})"),
        never=_NO_CODES,
        beside=re.compile(r"(?<![a-z])(?:text|sms|messag|msg|phone|whatsapp|push|code)"),
    ),
    Phrase(
        reason=Reason.ONE_TIME_CODE,
        words=("text", "sms", "messag", "msg"),
        pattern=re.compile(rf"(?<![a-z])(?:got|received|get|have|new|this|the|from|via|by|an?) (?:an? |the |this |your |my |new |another )?(?:sms|text|text message|message|msg)(?: (?:message|from [a-z]{{2,12}}|saying|that says|with|which says|now|just now|here|i got|you sent|says)){{0,2}}[\s:,\"'-]{{1,3}}(?P<value>{_SOME})"),
        never=_NO_CODES,
    ),
    Phrase(
        reason=Reason.ONE_TIME_CODE,
        words=("says", "said", "reads", "shows", "shown", "display"),
        pattern=re.compile(r"(?<![a-z])(?:it|screen|app|token|fob|authenticator|dongle|generator|key ?fob|authy|duo|okta|securid|yubi ?key)(?: app)?(?: now| just| currently)? (?:says|said|reads|shows|displays|is showing)(?: now)?[\s:\"'-]{1,3}(?P<value>[0-9]{3}[ \-][0-9]{3})(?![0-9a-z]|[ \-.][0-9])"),
        never=_NO_CODES,
    ),
    Phrase(
        reason=Reason.ONE_TIME_CODE,
        words=("authenticator", "token", "fob", "duo", "okta", "securid", "authy", "2fa", "two-factor", "two factor", "mfa", "令牌", "验证器", "u盾", "将军令", "口令卡"),
        pattern=re.compile(rf"(?:(?<![a-z])(?:authenticator(?: app)?|(?:rsa )?(?:hardware )?(?:token|fob)|key ?fob|duo|okta|rsa securid|securid|authy|2fa|two[ \-]factor|mfa)|(?<!接口)(?<!访问)令牌|(?:身份|谷歌|google ?|微软)?验证器|u盾|将军令|口令卡)(?![a-z])(?: (?:app|code|number|says|shows|reads|displays|gives|is|now|right|currently|on|my|it|me|the|phone|a|of)){{0,8}}?(?:上|里|显示|给的?|的|是|为|现在|数字|写着|这会儿|跳出来){{0,5}}[\s:,]{{0,3}}(?P<value>{_SOME})"),
        never=_NO_CODES,
        valid=no_year,
    ),
    Phrase(
        reason=Reason.ONE_TIME_CODE,
        words=("number", "digits", "code", "pin"),
        pattern=re.compile(rf"(?<![a-z])(?:numbers?|digits|code|pin)(?: that)?(?: was| were| just)?(?: (?:you|they|i|it|we|he|she|your system|the system|the bank|my bank))?(?: just| have| has)? (?:{_SENT}|received|got|in the (?:text|sms|message)|from (?:the |your |that )?(?:text|sms|message|app|email))(?: (?:me|us|on|to|my|phone|by|sms|text|just|now)){{0,8}}?[\s:]{{1,2}}(?:(?:is|are|was|were|says)[\s:]{{1,2}})?(?P<value>{_SOME})"),
        never=_NO_CODES,
    ),
    Phrase(
        reason=Reason.ONE_TIME_CODE,
        words=("received", "got"),
        pattern=re.compile(rf"(?<![a-z])i(?:'ve)?(?: have)?(?: just| only)? (?:received|got)(?: it)?[\s:,]{{1,3}}(?P<value>{_SIX}){_ENDS}"),
        never=_NO_CODES,
    ),
    Phrase(
        reason=Reason.ONE_TIME_CODE,
        words=("digit", "number"),
        pattern=re.compile(rf"(?<![a-z0-9])(?:four|five|six|seven|eight|[4-8])[ \-](?:digits?|numbers?|figures?)(?: (?:code|number|pin|are|is|was|were|i|got|it|says|they|sent|me|you|here)){{0,8}}?[\s:,]{{1,3}}(?P<value>{_SOME})"),
        never=_NO_CODES,
        valid=no_year,
    ),
    # what it is for
    Phrase(
        reason=Reason.ONE_TIME_CODE,
        words=("is your", "is my", "is the"),
        pattern=re.compile(rf"(?P<value>(?:(?<![0-9a-z])[a-z]{{1,2}}-[0-9]{{4,8}}|{_SOME}))\s(?:is|as) (?:your|my|the|our) (?:[a-z0-9.&]{{2,16}} ){{0,3}}(?:verification|security|login|log-in|sign-?in|confirmation|authentication|access|one[ \-]time|otp|2fa|temporary|activation|reset)(?: (?:code|pin|number|passcode|password))?(?![a-z])"),
    ),
    Phrase(
        reason=Reason.ONE_TIME_CODE,
        words=("use ", "enter ", "type ", "with "),
        pattern=re.compile(rf"(?<![a-z])(?:use|enter|type|typed|input|entered)(?: in)?(?: (?:the )?(?:code|pin))? (?P<value>{_SIX}) (?:to|as|for|in order to) (?:verify|log|sign|confirm|authenticate|complete|finish|access|reset|unlock|your|activate|approve|the)"),
    ),
    Phrase(
        reason=Reason.ONE_TIME_CODE,
        words=("g-",),
        pattern=re.compile(r"(?<![a-z0-9\-])(?P<value>g-[0-9]{6})(?![0-9a-z\-])"),
    ),
    Phrase(
        reason=Reason.ONE_TIME_CODE,
        words=("otp", "tan", "yzm", "yanzheng", "code", "codigo", "code de", "コード", "인증", "verif"),
        pattern=re.compile(rf"(?<![a-z])(?:otp(?: (?:for|to|of) [a-z ]{{3,24}}?)? is|(?:m|sms-?|chip-?|push-?)?tan(?:-nummer)?|yzm|yan ?zheng ?ma|c[oó]digo de (?:verificaci[oó]n|seguridad|acceso|verifica[cç][aã]o)|code de (?:v[eé]rification|s[eé]curit[eé]|confirmation)|(?:best[aä]tigungs|sicherheits|verifizierungs|sms-)code|codice di verifica|認証コード|认证コード|確認コード|确认コード|ワンタイムパスワート|인증 ?번호|인증 ?코드)(?![a-z])(?: (?:is|est|es|ist|lautet|:)){{0,8}}[\s:は은는이]{{0,3}}(?P<value>{_SOME})"),
    ),
    Phrase(
        reason=Reason.ONE_TIME_CODE,
        words=("code", "pin"),
        pattern=re.compile(r"(?<![a-z])(?:magic[ \-]?link|login|log-in|sign-?in|recovery|backup|rescue|scratch|reset|verification|2fa|unlock)(?: link)? (?:codes?|pins?|keys?)(?: (?:is|are|was|i|have|left|got|one|of|them|:|=)){0,4}[\s:=]{1,3}(?P<value>(?=[a-z\-]{0,12}[0-9])(?!v?[0-9]{1,2}[.\s])(?:[a-z0-9]{4,10}(?:[ \-][a-z0-9]{2,6}){1,3}|[a-z0-9]{5,12}))(?![a-z0-9])"),
        never=re.compile(r"(?<![a-z])(?:page|button|field|error|days|hours|minutes|characters|digits|limit|policy)(?![a-z])"),
        valid=lambda value: sum(c.isdigit() for c in value) >= 2,
    ),
    # Chinese
    Phrase(
        reason=Reason.ONE_TIME_CODE,
        words=("短信", "简讯", "手机", "收到", "推送", "来电"),
        pattern=re.compile(rf"(?:短信|简讯|信息|推送|手机)(?:里|上|中|内容|刚|给|我|面|那条|收到|来){{0,6}}(?:写的|写着|说的?|显示|内容|数字|收到的?|弹出来?|跳出来?|来了?|发来的?|是|为|的|:|,|，|\s){{1,5}}(?P<value>{_SIX})"),
        never=_NO_CODES,
    ),
    Phrase(
        reason=Reason.ONE_TIME_CODE,
        words=("收到",),
        pattern=re.compile(rf"收到(?:了|啦|的|一|条|串|短信|简讯|信息|消息|数字|是|就是|内容|:|,|，|\s){{0,6}}(?P<value>{_SIX})"),
        never=_NO_CODES,
    ),
    Phrase(
        reason=Reason.ONE_TIME_CODE,
        words=("串", "位", "个数"),
        pattern=re.compile(rf"(?:[那这](?:一)?(?:串|几个|六个|四个|几位)|(?:[四五六八4-8])[位个])(?:的)?(?:数字?|号码|数码|码|验证|动态){{0,3}}(?:是|为|就是|:|\s){{1,3}}(?P<value>{_SOME})"),
        never=_NO_CODES,
        valid=no_year,
    ),
    Phrase(
        reason=Reason.ONE_TIME_CODE,
        words=("码",),
        pattern=re.compile(rf"(?:(?:登录|登入|短信|简讯|手机|动态|校验|认证|确认|安全|随机|一次性|临时)码|验证[码馬马])(?:[我你您他她]|刚|才|收到|看到|的|是|为|就|到|了|发|来|过|这里|显示|:|,|，|\s){{0,8}}(?P<value>{_SOME})"),
        before=re.compile(r"(?:错误|产品|商品|取件)$"),
    ),
    Phrase(
        reason=Reason.ONE_TIME_CODE,
        words=("code", "otp"),
        pattern=re.compile(r"(?<![a-z])(?:pass)?(?:code|otp)s?(?: [a-z']{1,10}){0,6}?\s?(?: is| was|:|=)\s?(?P<value>[0-9]{3}[ \-][0-9]{3,4})(?![0-9a-z]|[ \-][0-9])"),
        before=_NO_CODE,
    ),
    Phrase(
        reason=Reason.ONE_TIME_CODE,
        words=("码", "数字"),
        pattern=re.compile(rf"(?:短信|手机|收到|发来|发过来|弹出)(?!费|套餐|余额|条数)[^。\n,，;:0-9]{{0,8}}(?:(?<![号请惠编条维件换误态货券源])码|[四五六4-8]位数字?|(?<=[里上中的])数字)(?:是|为|:|就是|\s){{0,3}}(?P<value>{_CODE})"),
    ),
    Phrase(
        reason=Reason.ONE_TIME_CODE,
        words=("码", "code", "otp"),
        pattern=re.compile(rf"(?<![0-9a-z\-])(?P<value>[0-9]{{4,8}}|[0-9]{{3}}[ \-][0-9]{{3}})\s?(?:,|，)?\s?(?:(?:这个)?(?:就?是|为)[^。\n,，;0-9]{{0,10}}(?:验证码|动态码|校验码|登录码|短信码|确认码|认证码)|(?:is|was) (?:the |my |your |our )?{_CODE_WORD}(?![a-z])|(?:is|was) the code (?:i|we|you|they|he|she|that)(?![a-z])|(?:刚|刚刚|刚才)?收到的(?:验证码|动态码|校验码|登录码|短信码)|(?:came (?:in|through)|arrived|showed up) as (?:the |my |your )?{_CODE_WORD})"),
    ),
    Phrase(
        reason=Reason.ONE_TIME_CODE,
        words=("码", "code", "otp"),
        pattern=re.compile(rf"{_CODE_WORD}(?:[^\n0-9]{{0,40}}?{_POINTS}|s?\s?(?:已经?)?(?:收到|到|来)了?\s?[,，]?\s?(?:是|:)){_FILL}(?P<value>{_CODE})"),
    ),
)  # fmt: skip
