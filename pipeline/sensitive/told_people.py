"""Birthdays, in other languages and calendars too, and data of a body that a phrase tells."""
# ruff: noqa: E501 (rows of words and patterns read best one a line)

import re

from pipeline.reasons import Reason
from pipeline.sensitive.phrase import Phrase

_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mai|juin|juillet|janvier|fevrier|mars|avril|aout|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|januar|februar|marz|juni|juli|okt|dez|gennaio|maggio|giugno|luglio|janeiro|maio|junho|julho)[a-z]{0,6}\.?"
_ONES = "one|two|three|four|five|six|seven|eight|nine"
_DAY_WORD = rf"(?:(?:twenty|thirty)[ \-])?(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|thirteenth|fourteenth|fifteenth|sixteenth|seventeenth|eighteenth|nineteenth|twentieth|thirtieth|{_ONES}|ten|eleven|twelve)"
_YEAR_WORD = rf"(?:nineteen|twenty)[ \-](?:(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|oh)(?:[ \-](?:{_ONES}))?|ten|eleven|twelve|thirteen)|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[ \-](?:{_ONES}))?"
_ZN = "[0-9一二三四五六七八九十]"
DATE = (
    rf"(?:(?:19|20)?[0-9]{{2}}\s?[-/.年 ]\s?{_ZN}{{1,3}}\s?[-/.月 ]\s?{_ZN}{{1,3}}(?:\s?[日号])?(?![0-9])|[0-9]{{1,2}}\s?[-/. ]\s?[0-9]{{1,2}}\s?[-/. ]\s?(?:19|20)?[0-9]{{2}}(?![0-9])|(?:19|20)[0-9]{{6}}(?![0-9])"
    rf"|(?:[0-9]{{1,2}}(?:st|nd|rd|th|\.|er|º)?|{_DAY_WORD}),? ?(?:(?:of|de|-) ?)?{_MONTH}(?:,? ?(?:de )?(?:(?:19|20)[0-9]{{2}}|'?[0-9]{{2}}(?![0-9:])|{_YEAR_WORD}))?"
    rf"|{_MONTH} (?:the )?(?:[0-9]{{1,2}}(?:st|nd|rd|th)?(?![0-9])|{_DAY_WORD})(?:,? (?:(?:19|20)[0-9]{{2}}|'?[0-9]{{2}}(?![0-9:])|{_YEAR_WORD}))?|{_ZN}{{1,3}}\s?月\s?(?:份)?\s?(?:初{_ZN}|{_ZN}{{1,3}}(?:\s?[日号])?)|(?:19|20)?[0-9]{{2}}\s?年(?:\s?{_ZN}{{1,3}}\s?月)?(?:的|生)?)"
)
"""A date that a birthday is told by: day and month, with or without the year; a year in Chinese."""
_LOOSE_DATE = rf"(?:{DATE}|(?:the year )?(?:19[2-9]|200|201)[0-9](?![0-9])|'[0-9]{{2}}(?![0-9])|[0-9]{{1,2}} [0-9]{{1,2}} [0-9][ \-]?[0-9](?![0-9])|{_YEAR_WORD}|[0-9]{{1,2}}[-/.][0-9]{{1,2}}(?![0-9/.%折])|(?:农历|阴历|旧历|阳历|公历)[\u4e00-\u9fff0-9]{{2,8}}|(?:昭和|平成|大正|民国)\s?[0-9元]{{1,3}}\s?年(?:\s?[0-9]{{1,2}}\s?月(?:\s?[0-9]{{1,2}}\s?日)?)?)"
_BORN = r"(?:d\.? ?o\.? ?b\.?|date[ _]?of[ _]?birth|birth[ _\-]?(?:date|day|year)|year[ _]of[ _]birth|b-?day|geburts(?:datum|tag)|geboren(?: am)?|date de naissance|ne{1,2} le|fecha de nacimiento|nacid[oa](?: el)?|data di nascita|nat[oa] il|data de nascimento|nascid[oa] em|дата рождения|родил(?:ся|ась)|fodt|fodselsdato|syntymaaika|data urodzenia|geboortedatum|生年月日|생년월일|出生年月日|出生日期|出生年月|出生日|出世日期?|出世年月日?|生日)"
_GAP = r"(?:'s|\s?(?:is|was|on|in|the|am|el|on the|le|falls|e|est|ist|は|은|는|是|为|在)(?![a-z])|[\s:=\"'(—,\-]){0,6}?"
_NO_PERSON = re.compile(
    r"(?<![a-z])(?:compan(?:y|ies)|firm|start-?up|business|founded|project|product|brand|account(?! holder)|workspace|tenant|repo(?:sitory)?|integration|database|table|coupon|voucher|promo|discount|campaign|sale|feature|bug|idea|version|release|system|field|column|form|site|website|app|server|plan)(?![a-z])|公司|企业|品牌|成立|项目|优惠|活动|券|产品|门店|字段|打折|折扣|促销|账户创建|生日月|祝福"
)

PEOPLE: tuple[Phrase, ...] = (
    Phrase(
        reason=Reason.DATE_OF_BIRTH,
        digits=False,
        words=("turns ", "turned ", "turning ", "turn ", "birthday", "岁"),
        pattern=re.compile(rf"(?<![a-z])(?:turn(?:s|ed|ing)? [0-9]{{1,3}}|[0-9]{{1,2}}(?:st|nd|rd|th) birthday)(?: (?:is|was|will be|falls))?(?: on| this| next)? (?P<value>{DATE})|(?P<value2>{DATE})\s?(?:就|刚好|正好|将)?满\s?[0-9]{{1,2}}\s?周?岁"),
    ),
    Phrase(
        reason=Reason.DATE_OF_BIRTH,
        digits=False,
        words=("birth", "dob", "d.o.b", "d. o", "bday", "b-day", "gebo", "geburt", "naiss", "ne le", "nee le", "nacim", "nacid", "nascit", "nascim", "nascid", "nat", "рожд", "родил", "fod", "synty", "urodz", "geboort", "生年", "생년", "出生", "出世", "生日"),
        pattern=re.compile(rf"(?<![a-z]){_BORN}(?:[\"')\]]|\s?\([a-z/]{{2,12}}\)){{0,2}}{_GAP}(?P<value>{_LOOSE_DATE})"),
        never=_NO_PERSON,
    ),
    Phrase(
        reason=Reason.DATE_OF_BIRTH,
        digits=False,
        words=("born", "b."),
        pattern=re.compile(rf"(?<![a-z])(?:born(?! ready)(?: (?:on|in|the|at|back|around|year|of)){{0,4}}\s{{1,2}}|b\. ?(?=[0-9]{{1,4}}[/.\-]))(?P<value>{_LOOSE_DATE})"),
        never=_NO_PERSON,
        before=re.compile(r"(?:team|office|branch|department|event|band|club|city|town|series|show|game|trend|movement|it)(?: (?:was|were|is|got))? ?$"),
    ),
    Phrase(
        reason=Reason.DATE_OF_BIRTH,
        words=("baby", "kid", "child", "model year", "vintage"),
        pattern=re.compile(r"(?<![a-z])(?:i'm|i am|he's|he is|she's|she is)(?: an?)? (?P<value>(?:19[2-9]|200|201)[0-9]|'[0-9]{2}) (?:baby|kid|child|model|vintage)(?![a-z])"),
    ),
    Phrase(
        reason=Reason.DATE_OF_BIRTH,
        digits=False,
        words=("生", "出世", "年的", "月的", "号的"),
        pattern=re.compile(rf"(?P<value>(?:昭和|平成|大正|民国)?\s?(?:19|20)?[0-9]{{2}}\s?年\s?{_ZN}{{1,3}}\s?月(?:份)?(?:\s?{_ZN}{{1,3}}(?:\s?[日号])?)?|(?:农历|阴历|旧历|阳历|公历)(?:正|腊|冬|{_ZN}{{1,2}})月(?:初|廿)?{_ZN}{{1,3}}[日号]?)\s?(?:出生|出世|诞生|的?生日|まれ|生(?:まれ|人|的)?(?![产效成活命意理长态存病机气鲜肖物化财怕硬]))"),
        never=_NO_PERSON,
    ),
    Phrase(
        reason=Reason.DATE_OF_BIRTH,
        digits=False,
        words=("年", "月"),
        pattern=re.compile(rf"(?:我|他|她|本人|老人|孩子|妈|爸|母亲|父亲|老婆|老公|儿子|女儿)(?:是|系|属于)?\s?(?P<value>(?:19|20)?[0-9]{{2}}\s?年(?:\s?{_ZN}{{1,3}}\s?月(?:份)?(?:\s?{_ZN}{{1,3}}\s?[日号])?)?)\s?(?:的|生的|出生的?|人|生人)(?=\s*(?:[,，。.;!！？?\n]|$|谢谢))"),
    ),
    Phrase(
        reason=Reason.DATE_OF_BIRTH,
        digits=False,
        words=("属", "0后", "5后"),
        pattern=re.compile(rf"(?:[0-9][05]后|属[鼠牛虎兔龙蛇马羊猴鸡狗猪])[^。\n0-9]{{0,12}}(?P<value>(?:19|20)?[0-9]{{2}}\s?[年/.\-](?:\s?{_ZN}{{1,3}}\s?[月/.\-]?(?:\s?{_ZN}{{1,3}}(?:\s?[日号])?)?)?)"),
        never=_NO_PERSON,
    ),
    Phrase(
        reason=Reason.DATE_OF_BIRTH,
        digits=False,
        words=("满", "大寿", "过"),
        pattern=re.compile(rf"(?P<value>(?:{_ZN}{{1,3}}\s?月\s?)?{_ZN}{{1,3}}\s?[日号])\s?(?:就|刚|正好|将|要)?(?:满\s?[0-9]{{1,2}}(?!\s?[0-9减件元送折%天年月人个])(?:周?岁)?|过\s?[0-9]{{1,3}}\s?(?:岁|大寿|岁?生日))"),
    ),
    Phrase(
        reason=Reason.DATE_OF_BIRTH,
        words=("月初", "月廿", "月十"),
        pattern=re.compile(
            r"(?P<value>(?:[0-9一二三四五六七八九〇零]{2,4}年)?(?:农历|阴历)?(?:正|[0-9一二三四五六七八九十冬腊]{1,2})月(?:初|廿|十)[0-9一二三四五六七八九十]{0,2})(?:日|号)?(?:出?生(?:的|人|$|[，。,.;!])|(?:是|的)?(?:我的?)?生日)"
        ),
        digits=False,
    ),
    Phrase(
        reason=Reason.BIOMETRIC,
        words=("fingerprint", "face ", "iris", "voice", "指纹", "人脸"),
        pattern=re.compile(
            r"(?:fingerprint|face|iris|voice ?print|指纹|人脸)\s?(?:template|hash|vector|data|minutiae|模板|数据|特征)[^\n]{0,12}?(?P<value>(?:[0-9a-f]{2}[ :]){5,80}[0-9a-f]{2})(?![0-9a-f])"
        ),
    ),
)  # fmt: skip
