"""Card numbers in part, security codes and expiry dates that a phrase tells."""
# ruff: noqa: E501 (rows of words and patterns read best one a line)

import re

from pipeline.reasons import Reason
from pipeline.sensitive.checks import luhn
from pipeline.sensitive.phrase import HAN_DIGIT, Phrase, no_year

_CARD_GAP = r"(?:[\s,，\"')(]|that's|that|is|was|the|it|this|one|a|my|our|his|her|on|i|we|的|那|这|张|是|就|我|他|她|客户){0,12}"
_READ_AS_DIGIT = r"[0-9lioqszb|!]"

_A_CARD = re.compile(
    r"(?<![a-z])(?<!sim )(?<!gift )(?<!score)(?<!loyalty )(?:(?:credit |debit |bank |prepaid )?cards?|debit|visa|master ?card|mc|amex|american express|discover|diners|jcb|union ?pay|maestro|rupay|issuer|tarjeta|carte|karte|kreditkarte|carta|cartao)(?![a-z])"
    r"|银联|万事达|维萨|运通|[建工农中招交]行|浦发|民生银行|中信|光大|平安|邮储|兴业|广发"
    r"|(?<![会员网显声打贺名礼品房门禁月年饭购物点优惠公交社保医话机量内存])卡(?!顿|住|死|在|了|通(?!知)|片式|券|包|槽|路|车|布|位|点)"
)
_NO_CARD = re.compile(
    r"(?<![a-z])(?:order|ticket|parcel|tracking|invoice|phone|mobile|gift|sim|plate|booking|case|serial|voucher|coupon|loyalty)(?![a-z])|订单|单号|快递|运单|手机|电话|车牌|限行|工单|发票|会员卡|礼品卡|流水号|票号"
)
_IS = r"(?:[\s:=,，\"'(]|is|are|was|were|be|in|with|on|the|digits?|numbers?|number|do|reads?|say|of|my|our|that|this|数字?|号码?|字|码|是|为|就|系|四位|四个|的){0,6}?"
_LAST = r"(?:last|final|trailing|end)(?: (?:four|4|few))?(?: of)?"
_EXPIRY = r"(?:0?[1-9]|1[0-2])\s?[/\-.]?\s?(?:20)?(?:2[3-9]|3[0-9])"
_SAID = r"(?:[\s:=,，\"'(\-]|is|are|was|says|said|reads?|shows?|there|it|that|code|number|digits?|printed|the|on|of|my|card|amex|visa|form|at|back|strip|panel|数字?|号码?|字|码|是|为|就|系|写着|印着|的|那|这|了|值|三位|3位|四位|三个|上){0,8}?"
_THREE = r"(?<![0-9./\-])[0-9](?:[ \-.]?[0-9]){2}(?:[ \-.]?[0-9])?(?![0-9/%])(?!\s?(?:[.:]?[0-9]|users?|units?|items?|pieces?|people|minutes?|hours?|days?|seconds?|ms|mm|cm|kg|px|percent|labels?|个|件|条|人|元|次|天|秒|毫米|页|行|张|台))"
_BACK_EN = r"(?:(?:on |at |in )?(?:the |my |its )?(?:back|reverse|rear)(?: side)?(?: of (?:the |my |this |her |his |our )?(?:[a-z]{3,9} )?(?:card|visa|amex|mastercard))|(?:on|at) (?:the|my|its) (?:back|reverse)(?! (?:office|end|burner|door|page|order))|signature (?:strip|panel|bar|line))"
_BACK_ZH = r"(?:(?:信用|银行|储蓄)?卡片?的?(?:背面|反面|背后|后面|背)|背面|背后|反面|卡背|签名[条栏处框])"


def _passes_luhn(value: str) -> bool:
    return luhn(re.sub("[^0-9]", "", value))


CARDS: tuple[Phrase, ...] = (
    Phrase(
        reason=Reason.PAYMENT_CARD,
        words=("那张", "这张"),
        pattern=re.compile(r"(?<![0-9])(?P<value>[0-9]{4})\s?的?(?:那|这)张(?=[^\n。]{0,8}?(?:卡|visa|amex))"),
        never=_NO_CARD,
        valid=no_year,
    ),
    Phrase(
        reason=Reason.CVV,
        words=("cvv", "cvc", "cvn", "csc", "security code"),
        pattern=re.compile(r"(?<![a-z])(?:cv[vcn]2?|csc|security code)(?![a-z])[^0-9\n.]{0,30}?(?:is|was|are|:|=) (?P<value>[0-9]{3,4})(?=\s*(?:[.,;!。，)\n\u4e00-\u9fff]|$|and |exp|thanks|thx|please|if ))"),
        never=re.compile(r"(?<![a-z])(?:error|length|digits|field|limit|http|status|code e)(?![a-z])"),
    ),
    Phrase(
        reason=Reason.PAYMENT_CARD,
        words=("at the end", "as the last"),
        pattern=re.compile(r"(?<![0-9.])(?P<value>[0-9]{4})(?![0-9]) (?:at the end|as the last (?:four|digits|4))(?! of)"),
        beside=re.compile(r"(?<![a-z])(?:card|visa|amex|master ?card|use|charge|pay|paid)(?![a-z])|卡"),
        never=_NO_CARD,
        valid=no_year,
    ),
    Phrase(
        reason=Reason.PAYMENT_CARD,
        words=("..",),
        pattern=re.compile(r"(?<![.0-9])\.{2,4} ?(?P<value>[0-9]{4})(?![0-9.])"),
        beside=_A_CARD,
        never=_NO_CARD,
        valid=no_year,
    ),
    Phrase(
        reason=Reason.PAYMENT_CARD,
        words=("then", "next", "finally", "followed", "然后", "接着", "再", "最后"),
        pattern=re.compile(r"(?<![0-9])(?P<value>[3-6][0-9]{3}(?:[ ,，]{0,2}(?:and )?(?:then|next|finally|followed by|然后|接着|再|最后)?(?:是)?[ ,，]{0,2}[0-9]{4}){3})(?![0-9])"),
        valid=_passes_luhn,
    ),
    Phrase(
        reason=Reason.PAYMENT_CARD,
        words=("再", "然后", "接着", "then", "后面", "后八位", "rest"),
        pattern=re.compile(r"(?<![0-9])(?P<value>[3-6][0-9]{3}[ \-]?[0-9]{4})[^0-9\n]{1,16}(?P<value2>[0-9]{4}[ \-]?[0-9]{4})(?![0-9])"),
        beside=_A_CARD,
        never=_NO_CARD,
    ),
    Phrase(
        reason=Reason.CVV,
        words=("on the back", "at the back", "on the reverse"),
        pattern=re.compile(r"(?<![a-z])(?:it's|it is|its|code|that's|says|number|digits?)(?: is| are|:)? (?P<value>[0-9]{3}) (?:on|at) the (?:back|reverse)(?=\s*(?:[.,;!。，\u4e00-\u9fff]|$)| of (?:the|my) card)"),
    ),
    Phrase(
        reason=Reason.CVV,
        words=("cvv", "cvc", "cvn", "csc", "security code"),
        pattern=re.compile(r"(?<![a-z])cv[vcn]2?\W{1,4}(?P<value>[0-9]{3,4})(?![0-9a-z]|\s?(?:digits|px|ms|seconds))|(?<![0-9a-z.])(?P<value2>[0-9]{3})\s?(?:=|is|->|<-|,|\()\s?(?:the |my )?(?:cv[vcn]2?|csc|security code)(?![a-z])"),
    ),
    Phrase(
        reason=Reason.CVV,
        words=("digit", "last three", "last 3"),
        pattern=re.compile(rf"(?<![a-z0-9])(?:(?:three|3)[ \-]digits?(?: code)?|last (?:three|3)(?: digits?)?(?: (?:on|at) (?:the|my) (?:back|reverse))?)\s?(?:is|are|:)?\s?(?P<value>{_THREE})"),
        beside=re.compile(r"(?<![a-z])(?:back|reverse|cvv|cvc|signature)(?![a-z])|卡"),
        never=_NO_CARD,
    ),
    Phrase(
        reason=Reason.CVV,
        words=("back says", "back reads", "back shows", "back it says"),
        pattern=re.compile(r"(?<![a-z])(?:the|its) back(?: it)? (?:says|reads|shows)(?: code)? (?P<value>[0-9]{3})(?=\s*(?:[.,;!。，\u4e00-\u9fff]|$))"),
    ),
    Phrase(
        reason=Reason.CVV,
        words=("安全验证码", "安全码"),
        pattern=re.compile(r"安全(?:验证)?码\s?(?:\([^()0-9\n]{1,10}\))?\s?(?:是|为|:)?\s?(?P<value>[0-9]{3})(?![0-9]|\s?(?:位|个|次|秒))"),
    ),
    Phrase(
        reason=Reason.CVV,
        words=("/",),
        pattern=re.compile(rf"^[^\S\n]*(?:exp\.? )?{_EXPIRY}[ ,，]{{1,3}}(?P<value>[0-9]{{3,4}})[^\S\n]*$", re.MULTILINE),
    ),
    # the last digits, the first ones
    Phrase(
        reason=Reason.PAYMENT_CARD,
        words=("end", "finish", "termin", "last ", "final", "trailing"),
        pattern=re.compile(rf"(?<![a-z])(?:end(?:s|ing|ed)?(?: up)?|finish(?:es|ing|ed)?|terminat(?:es|ing)|terminada|terminando|finissant|terminant|endet|endend|{_LAST})(?: (?:in|with|on|by|at|en|par|auf|mit))?{_IS}(?P<value>[0-9](?:[ \-.]?[0-9]){{2}}[ \-.]?[0-9]?)(?![0-9%:/]|\s?(?:users|units|items|days|months|releases|years|weeks))"),
        beside=_A_CARD,
        never=_NO_CARD,
        valid=no_year,
    ),
    Phrase(
        reason=Reason.PAYMENT_CARD,
        words=("尾", "末", "后", "最", "结尾"),
        pattern=re.compile(rf"(?:尾[号数巴码]|末尾|结尾|尾?末?(?:(?:最后|末|后|尾)(?:的)?(?:四|4|几|三|3)(?:位|码|个)?)){_IS}(?P<value>[0-9]{{3,4}})(?![0-9%:/年月个])"),
        beside=_A_CARD,
        never=_NO_CARD,
    ),
    Phrase(
        reason=Reason.PAYMENT_CARD,
        words=("结尾", "开头", "打头", "收尾"),
        pattern=re.compile(r"(?<![0-9])(?P<value>[0-9]{4,8})\s?(?:结尾|开头|打头|收尾|起头)(?:[,，]?\s?(?P<value2>[0-9]{3,4})\s?(?:结尾|收尾))?"),
        beside=_A_CARD,
        never=_NO_CARD,
    ),
    Phrase(
        reason=Reason.PAYMENT_CARD,
        words=("bin", "first", "start", "begin", "前"),
        pattern=re.compile(rf"(?:(?<![a-z])(?:bin|iin|first (?:six|6|four|4|eight|8)|start(?:s|ing)?(?: with| in)?|begin(?:s|ning)?(?: with| in)?)|前(?:六|6|四|4|八|8)[位码个]?){_IS}(?P<value>[2-6][0-9]{{3}}(?:[0-9]{{2}})?(?:[0-9]{{2}})?)(?![0-9])[^0-9。\n]{{0,24}}?(?:last(?: ?4(?![0-9]))?|end|finish|尾|末4?|后4?)[^0-9。\n]{{0,16}}?(?P<value2>[0-9]{{3,4}})(?![0-9])"),
        never=_NO_CARD,
    ),
    Phrase(
        reason=Reason.PAYMENT_CARD,
        words=("*",),
        pattern=re.compile(r"(?<![*0-9a-z])(?P<value>(?:\*{4}[ \-]?){1,4}[0-9]{4})(?![0-9*a-z])"),
        valid=lambda value: no_year(value[-4:]) or len(value) > 9,
    ),
    Phrase(
        reason=Reason.PAYMENT_CARD,
        words=("·", "...", "…"),
        pattern=re.compile(r"(?<![·.…0-9a-z])(?P<value>(?:·{4}[ \-]?){1,4}[0-9]{4}|(?:(?:\.{4}|…{1,2}) ?){2,4}[0-9]{4})(?![0-9a-z])"),
    ),
    # expiry
    Phrase(
        reason=Reason.PAYMENT_CARD,
        words=("exp", "valid", "有效期", "到期"),
        pattern=re.compile(rf"(?<![a-z])(?:card|visa|amex|mastercard|debit|credit)(?:'s)?(?: on file)? (?:exp(?:iry|ires?|iration)?(?: date)?|(?:is )?valid (?:thru|through|until|till|to))\s?(?:is|on|:|in)?\s?(?P<value>{_EXPIRY})(?![0-9])|(?<![a-z])exp(?:iry|ires?|iration)?(?: date)?(?: is| on| of|:){{0,2}} ?(?P<value2>{_EXPIRY}) (?:on|of|for) (?:the|my|her|his|our) (?:card|visa|amex|mastercard)|(?<![会员品])卡片?的?(?:有效期|到期日?|有效日期)(?:到|至|是|为|:|\s){{0,3}}(?P<value3>{_EXPIRY})(?![0-9])"),
    ),
    # the security code
    Phrase(
        reason=Reason.CVV,
        words=("exp", "/", "有效期"),
        pattern=re.compile(r"(?<![0-9/\-.])(?P<value>(?:0[1-9]|1[0-2])\s?/\s?(?:20)?(?:2[3-9]|3[0-9]))(?![0-9/])(?:[\s,，;]|and|with|cvv|cvc|cvn|code|sec(?:urity)?|后三位|背面|安全码|是|为|:){1,6}?(?P<value2>[0-9]{3,4})(?![0-9/:.]|\s?(?:users|units))"),
        beside=re.compile(r"(?<![a-z])(?:exp|cvv|cvc|valid|back)|有效期|到期|后三位|背面|安全码|[0-9]{4}[ -]?[0-9]{4}[ -]?[0-9]{4}"),
        valid=lambda value: "/" not in value,
    ),
    Phrase(
        reason=Reason.CVV,
        words=("back", "reverse", "rear", "signature"),
        pattern=re.compile(rf"{_BACK_EN}{_SAID}(?P<value>{_THREE})"),
        beside=re.compile(r"(?<![a-z])(?:card|visa|amex|mastercard|cvv|cvc|code|digits?|numbers?|exp)(?![a-z])|[0-9]{1,2}/[0-9]{2}"),
    ),
    Phrase(
        reason=Reason.CVV,
        words=("/",),
        pattern=re.compile(rf"(?<![0-9/\-.]){_EXPIRY},? and (?P<value>[0-9]{{3,4}})(?![0-9]) (?:on|at) the back"),
    ),
    Phrase(
        reason=Reason.CVV,
        words=("digit", "number", "code", "figure"),
        pattern=re.compile(rf"(?<![a-z0-9])(?:(?:three|four|3|4)[ \-](?:digits?|numbers?|figures?|digit (?:security )?(?:code|number))|(?:little|small) numbers?|security (?:code|number|digits?)|verification (?:code|number|value)|code|cid|csc) [^0-9\n.]{{0,24}}?(?:back|reverse|rear|signature|front|amex|visa|card)(?![a-z])[^0-9\n.]{{0,28}}?(?P<value>{_THREE})"),
        never=re.compile(r"field|form|accepts?|must|should|at most|error|zip|area code|qr|bar ?code|serial|pos code|gift|sim|stock"),
    ),
    Phrase(
        reason=Reason.CVV,
        words=("amex", "american express", "cid"),
        pattern=re.compile(rf"(?<![a-z])(?:amex|american express)(?:'s)? (?:security (?:code|digits?|number)|digits?|code|cid|front code){_SAID}(?P<value>[0-9]{{4}})(?![0-9])|(?<![a-z])cid(?: number| code)?(?: ?\([^)\n0-9]{{1,24}}\))?(?: above the (?:card )?number| on the front)?(?: is|:)? (?P<value2>[0-9]{{4}})(?![0-9])"),
        valid=no_year,
    ),
    Phrase(
        reason=Reason.CVV,
        words=("背", "反面", "签名", "后面"),
        pattern=re.compile(rf"{_BACK_ZH}(?:[\s:,，的)]|那|这|个|上|签名栏|印|写|着|面|最|后|末|里|边){{0,8}}(?:(?:三|3|四|4)(?:个|位|码|组)?(?:安全|验证)?(?:数字?|字|码|号码)?|数字?|码|号码|安全码){_SAID}(?P<value>{_THREE})"),
    ),
    Phrase(
        reason=Reason.CVV,
        words=("三码", "3码", "检查码"),
        pattern=re.compile(rf"(?:(?:末|后|最后)(?:三|3)码|检查码|卡片?检查码){_SAID}(?P<value>[0-9]{{3}})(?![0-9])"),
        never=_NO_CARD,
    ),
    Phrase(
        reason=Reason.CVV,
        words=("三位", "3位", "三个数"),
        pattern=re.compile(rf"(?:末|后|最后)(?:面)?(?:三|3)(?:位|个)(?:数字?|数)?{_SAID}(?P<value>{_THREE})"),
        beside=re.compile(r"信用卡|银行卡|卡片?背|卡号|有效期|安全码|cvv|visa|万事达|咔"),
        never=_NO_CARD,
    ),
    Phrase(
        reason=Reason.CVV,
        words=("cv2", "seguridad", "prüf", "pruf", "cryptogramme", "コード", "코드", "보안", "verificac", "sicherheitscode", "sicurezza", "veiligheids"),
        pattern=re.compile(r"(?:(?<![a-z])cv2|codigo de (?:seguridad|verificacion)|c[oó]digo de seguran[cç]a|(?:karten)?pr[uü]f(?:nummer|ziffern?)|sicherheitscode|cryptogramme(?: visuel)?|codice di sicurezza|veiligheidscode|セキュリティコード|보안 ?코드)[^0-9\n]{0,24}?(?P<value>[0-9]{3,4})(?![0-9])"),
    ),
    Phrase(
        reason=Reason.PAYMENT_CARD,
        words=("bin", "iin", "first six", "first 6"),
        pattern=re.compile(r"(?<![a-z])(?:bin|iin|first (?:six|6)(?: digits)?)(?: (?:number|code|no\.?))?\s?(?:is|was|are|:|=|是|为)?\s?(?P<value>[2-6][0-9]{5}(?:[0-9]{2})?)(?![0-9])"),
        beside=re.compile(r"(?<![a-z])(?:card|visa|mastercard|amex|issuer)|卡"),
    ),
    Phrase(
        reason=Reason.PAYMENT_CARD,
        words=("ending", "ends ", "尾号", "末四位", "后四位"),
        pattern=re.compile(rf"(?:(?<![a-z])(?:ending|ends)(?: in| with| on)?|尾号|末四位|后四位)\s?(?:是|为|:|is)?\s?(?P<value>[0-9]{{4}})(?![0-9]){_CARD_GAP}(?:(?:debit |credit |visa |bank )?(?:card|visa|amex|mastercard)(?![a-z])|(?:银行|信用|储蓄)?卡)"),
    ),
    Phrase(
        reason=Reason.PAYMENT_CARD,
        words=("card", "visa", "amex", "卡"),
        pattern=re.compile(rf"(?:card|visa|amex|卡)[^\n0-9]{{0,16}}(?P<value>(?=[a-z|! \-]{{0,18}}[0-9]){_READ_AS_DIGIT}{{4}}(?P<sep>[ \-]?)(?:{_READ_AS_DIGIT}{{4}}(?P=sep)){{2}}{_READ_AS_DIGIT}{{3,4}})(?![a-z0-9])"),
    ),
    Phrase(
        reason=Reason.PAYMENT_CARD,
        words=("^", "="),
        pattern=re.compile(r"(?P<value>[0-9]{10,19}\^[a-z][a-z /.\-]{1,28}\^[0-9]{4,40})|;(?P<value2>[0-9]{13,19}=[0-9]{7,40})"),
    ),
    Phrase(
        reason=Reason.PAYMENT_CARD,
        words=("卡号",),
        pattern=re.compile(
            rf"卡号\s?(?:是|为|:)?\s?(?P<value>[{HAN_DIGIT}](?:[。、，, .\-]{{1,2}}[{HAN_DIGIT}]){{12,18}})(?![{HAN_DIGIT}])"
        ),
        digits=False,
    ),
)  # fmt: skip
