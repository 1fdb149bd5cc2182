"""Street addresses and positions. A city, a region or a postcode alone is no address."""
# ruff: noqa: E501, SIM905 (rows of words and patterns read best one a line)

import re
from collections.abc import Iterator

from pipeline.reasons import Reason
from pipeline.sensitive.finding import Hit
from pipeline.sensitive.nearby import near_matches, near_words

_H = r"[\u4e00-\u9fff]"
_N = r"[0-9一二三四五六七八九十百千零〇]"

# --- Chinese --------------------------------------------------------------------------------------------------------

_CN_STREET = re.compile(
    rf"(?P<name>{_H}{{1,8}}?(?:大街|大道|胡同|街道?|路|巷|弄|里|东沿|西沿|北沿|南沿|环|道))(?P<side>[东西南北中]?[一二三四五六七八九十]?(?:段|路|巷|街|弄)?)\s?(?:甲|乙|丙|附)?(?P<no>{_N}{{1,6}}(?:[-之/]{_N}{{1,4}})?)\s?(?:号|弄|巷|號)(?!线|通道|出口|口|公路|文件|接口|窗口|柜台|页|错误|机|服务器|节点|库|梯|电梯|泵|炉|闸|桩|变压器)"
    rf"(?P<rest>(?:[^。，,;；\n]{{0,12}}?(?:号楼|栋|幢|座|单元|层|楼|室|户|号院|院|大厦|广场|中心|小区|[0-9]{{3,4}})){{0,4}})"
)
_NOT_STREET = re.compile(
    r"(?:线|电|链|思|回|通|频|管|渠|赛|轨|跑|车|隧|航|知|报|味|铁|网|短|旁|套|出|门|难|夜|哪|那|这|城|公|心|手|海|邻|千|万|公)(?:路|道|里|环)$|(?:循|闭|开)环$|.*(?:频道|通道|渠道|管道|线路|链路|电路|跑道|车道|轨道|赛道|知道|网路|回路|铁路|街道办|公里|环境|夜里|这里|那里|哪里|心里|手里|城里|线下门路)$"
)
_CN_UNIT = re.compile(
    rf"(?:{_H}{{2,12}}(?:小区|花园|公寓|家园|新村|苑|园|大厦|公馆|府|城|湾|庭|里|村|宿舍|广场|院|中心|国际|名都|豪庭|雅居|庄园|别墅|楼))?\s?(?P<unit>{_N}{{1,4}}\s?(?:号楼|栋|幢|座|期|号院|[a-z]座|#)\s?(?:{_N}{{1,3}}\s?(?:单元|门|梯|座|幢))?\s?(?:{_N}{{1,3}}\s?(?:层|楼))?\s?{_N}{{2,5}}(?:-[0-9]{{1,4}})?\s?(?:室|号|户|房|号房)?)(?![0-9])"
)
_CN_VILLAGE = re.compile(
    rf"{_H}{{1,8}}(?:镇|乡|村|屯|庄){_H}{{0,8}}(?:村|组|队|屯)?\s?{_N}{{1,4}}\s?(?:组|队|社|号)(?:\s?{_N}{{1,4}}\s?号)?(?!线|楼梯)"
)
_CN_ANNOUNCED = re.compile(
    r"(?:家庭住址|家庭地址|住址|收货地址|收件地址|寄件地址|送货地址|派送地址|通讯地址|联系地址|地址|家住|住在|我住|居住在|寄到|寄至|寄往|送到|送至|邮寄到|快递到|搬到|搬到了|位于|定位在|户籍地址|户籍)\s?(?:改成|改为|换成|更新为|变更为|是|为|:|了){0,2}\s?"
    r"(?P<value>(?=[^。;\n]{0,60}?(?:路|街|道|巷|弄|村|镇|乡|苑|园|小区|大厦|花园|公寓|广场|栋|号|楼|室|里|城|湾|府|庄|庭|中心))[^。;\n，,]{3,60})"
)
_CN_FINE = re.compile(
    rf"(?:路|街|大道|巷|弄|胡同|村|苑|小区|大厦|花园|公寓|家园|栋|号楼|单元|室|府|湾|公馆|新村).{{0,24}}?{_N}|{_N}{{1,5}}\s?(?:号|栋|幢|单元|室)|(?:{_H}{{2,}}[省市区县].{{0,12}}(?:路|街|大道|巷|弄|胡同|苑|小区|大厦|花园|公寓|村|镇))"
)
_CN_NOT = re.compile(r"字段|改为选填|必填|格式|功能|页面|列表|接口|校验|长度|簿|栏|管理|不对|错误|显示|为空|模板|系统")

# --- other languages ------------------------------------------------------------------------------------------------

_NO = r"(?<![a-z0-9.,\-/$€£#])(?P<no>[0-9]{1,5}(?:-?[a-z](?![a-z]))?(?:\s?[-/]\s?[0-9]{1,4}[a-z]?)?(?: 1/2)?)"
_NAME = r"(?:(?:[nsew]|ne|nw|se|sw|north|south|east|west|old|new|upper|lower|st|mt|saint|le|la|el|de|rue)\.? )?(?:[a-z0-9'’.\-]{1,24} ){0,3}?[a-z0-9'’.\-]{1,24} "
_CLEAR = r"street|avenue|boulevard|blvd|lane|terrace|crescent|parkway|pkwy|highway|hwy|mews|esplanade|turnpike|causeway|expressway|road|ave|rd|ln|cres|bvd"
_VAGUE = r"st|drive|dr|court|ct|way|place|pl|square|sq|circle|cir|close|row|gardens|grove|trail|loop|alley|walk|gate|view|hill|park|rise|quay|wharf|ridge|path|plaza|point|heights|run|parade|ter|pike|mall|vale|green|yard|bay"
_UNIT = r"(?:,?\s(?:apt|apartment|suite|ste|unit|flat|floor|fl|room|rm|bldg|building|#)\.?\s?[a-z0-9\-]{1,6})?"
_STATES = r"(?:al|ak|az|ar|ca|co|ct|de|fl|ga|hi|id|il|in|ia|ks|ky|la|me|md|ma|mi|mn|ms|mo|mt|ne|nv|nh|nj|nm|ny|nc|nd|oh|ok|or|pa|ri|sc|sd|tn|tx|ut|vt|va|wa|wv|wi|wy|dc|pr|nsw|vic|qld|tas|act|nt|on|qc|bc|ab|mb|sk|ns|nb|nl|pe|arizona|california|texas|florida|new york|illinois|ohio|georgia|washington|colorado|massachusetts|virginia|michigan|pennsylvania|oregon|nevada)"
_POSTAL = rf"(?:{_STATES},?\s[0-9]{{5}}(?:-[0-9]{{4}})?|{_STATES},?\s[0-9]{{4}}|[a-z]{{1,2}}[0-9][0-9a-z]?\s?[0-9][a-z]{{2}}|[a-z][0-9][a-z]\s?[0-9][a-z][0-9]|[0-9]{{5}}(?![0-9])|[0-9]{{4}}\s?[a-z]{{2}}(?![a-z]))"
_REST = rf"(?P<rest>{_UNIT}(?:,?\s(?:[a-z'.\-]{{2,20}},?\s){{0,4}}{_POSTAL}(?:,?\s(?:usa?|uk|united kingdom|united states|canada|australia))?)?)"
_EN_CLEAR = re.compile(rf"{_NO} {_NAME}(?P<suffix>{_CLEAR})(?![a-z])\.?{_REST}")
_EN_VAGUE = re.compile(rf"{_NO} {_NAME}(?P<suffix>{_VAGUE})(?![a-z])\.?{_REST}")
_EN_PLACE = (
    r"(?:(?:home|street|mailing|postal|billing|shipping|delivery|work|office|residential|current|new|old|mail) ?address|address line ?[12]?|address|live[sd]? (?:at|on)|living at|resid(?:es?|ing) at|residence|located at|ship(?:s|ped|ping)? (?:it |them )?to"
    r"|send (?:it |them )?to|deliver(?:y|ed|ies)? (?:it |them )?to|mail(?:ed)? (?:it )?to|moved to|pick ?up (?:at|from)|house (?:is )?(?:at|on)|home (?:is )?(?:at|on)|stays? at)"
)
_EN_ANNOUNCED = re.compile(
    rf"(?<![a-z]){_EN_PLACE}(?![a-z]|\sfield|\sform|\sbook|\svalidation)\s?(?:\*\*)?(?:is|was|:|=|->|to|has changed to|changed to|the){{0,2}}(?:\*\*)?\s{{0,2}}(?P<value>(?:(?:apt|apartment|flat|unit|suite|room|house|building|villa|no|number|plot)\.?\s?)?[0-9]{{1,5}}[a-z]?(?:[-/][0-9]{{1,4}}[a-z]?)?,?\s(?!(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)(?![a-z])|times|days|hours|minutes|weeks|of|users|orders|items|is|was|has|does|can|field|line|warehouses|stores|countries|locations|offices|people|am|pm|percent|business|sites|customers|%|am|units|boxes|pallets|or|and|different|new|more|states|cities)[a-z][^\n;。!?]{{3,80}}?)(?=\s*(?:[.;\n!?。]|$|,? (?:and|but|please|so|because|not|where|which|instead)\s))"
)
_PO_BOX = re.compile(
    r"(?<![a-z])p\.?\s?o\.?\s?box\s?[0-9]{1,6}|(?:信箱|邮政信箱)\s?[0-9]{2,6}\s?号?|postfach\s?[0-9]{1,6}|apartado(?: postal)?\s[0-9]{1,6}|bo[iî]te postale\s[0-9]{1,6}"
)
_FOREIGN = re.compile(
    r"(?<![a-zäöüß])(?:[a-zäöüß\-]{3,30}(?:straße|strasse|str\.|gasse|allee|platz|damm|ufer|chaussee|steig)|[a-zäöüß\-]{3,25}\s(?:straße|strasse|str\.|platz|allee)|[a-zäöüß]{3,25}weg)\s[0-9]{1,4}\s?[a-h]?(?![a-z0-9%.:])(?:,?\s(?:[a-z]-)?[0-9]{4,5}\s[a-zäöüß]{3,25})?"
    r"|(?<![a-zäöüß])(?:am|an der|an den|auf der|im|in der|unter den|zum|zur)\s[a-zäöüß\-]{3,25}\s[0-9]{1,4}\s?[a-h]?,\s(?:[a-z]-)?[0-9]{4,5}\s[a-zäöüß]{3,25}"
    r"|(?<![a-z])(?:[0-9]{1,4}(?:\s?(?:bis|ter))?,?\s)(?:rue|avenue|av\.|boulevard|bd|place|chemin|impasse|all[eé]e|quai|route|cours|passage|square)\s(?:de|du|des|la|le|les|l'|d'|saint|ste?)[\s\-]?[a-zéèêçàâîôû' \-]{2,40}?(?=[,;.\n]|\s[0-9]{5}|$)(?:,?\s[0-9]{5}\s[a-zéèê\-]{2,25})?"
    r"|(?<![a-z])(?:[0-9]{1,4}(?:\s?(?:bis|ter))?,?\s)(?:rue|chemin|impasse|all[eé]e|quai)\s[a-zéèêçàâîôû\-]{3,25}"
    r"|(?<![a-z])(?:calle|avenida|avda\.?|paseo|carrera|rua|travessa|alameda|viale|corso|piazza|vicolo|strada|ulica|ul\.|al\.|os\.|ulitsa|prospekt|jalan|jln?\.|c/|rruga|bulevardul|str\.)\s(?:de |del |della |dei |da |do |dos |la |las |los |di )?[a-záéíóúñçãõàèìòùăâîșțłśżźęąć.' \-]{3,40}?,?\s?(?:n[º°.o]{0,2}\s?|no\.?\s?)?[0-9]{1,5}[a-z]?(?:[-/][0-9]{1,4})?(?![0-9%:])(?:,?\s[0-9]{2}-?[0-9]{3}\s[a-zà-ž]{3,25})?"
    r"|(?<![a-z])(?:via|plaza|largo)\s(?!(?:e-?mail|mail|slack|api|sms|chat|phone|the|our|app|web|portal|a|an|zoom|teams|rest|ftp|sftp|webhooks?|csv|link|ticket|proxy|vpn|port|http|https|ssh|usb|wifi)(?![a-z]))(?:de |del |della |dei |di )?[a-zàèìòù.' ]{3,30}?,?\s?[0-9]{1,4}[a-z]?(?=,\s[a-z]{3}|,?\s[0-9]{5}|\s*(?:[.;\n]|$))(?:,?\s[0-9]{5})?"
    r"|(?<![a-z])[a-zëéèï\-]{3,25}(?:straat|laan|gracht|plein|(?<!bloc)kade|singel|dreef|gatan|vägen|gata|(?<!bri)gade|vej|veien|katu)\s[0-9]{1,4}[a-z]?(?![a-z0-9%:])(?:,?\s[0-9]{4}\s?[a-z]{2})?"
    r"|[\u4e00-\u9fff]{1,6}(?:[0-9一二三四五六七八九十]{1,2}丁目)(?:\s?[0-9]{1,3}(?:番地?|-)){0,2}\s?[0-9]{0,3}号?|[\u4e00-\u9fff\u3040-\u30ff]{2,8}[区市町][\u4e00-\u9fff\u3040-\u30ff]{1,8}\s?[0-9]{1,3}-[0-9]{1,3}(?:-[0-9]{1,4})?"
    r"|[\uac00-\ud7a3]{1,8}(?:로|길)\s?[0-9]{1,4}(?:-[0-9]{1,3})?(?:번지)?"
)
_FOREIGN_HINT = tuple(
    (
        "stra|str.|gasse|allee|platz|damm|ufer|chaussee|steig|weg | am | an de| auf der| im | in der|"
        " unter den| zum | zur |rue |avenue|av. |boulevard|bd |place d|chemin|impasse|allée|quai |route d|"
        "cours |passage|square d|calle|avda|avenida|paseo|plaza|carrera|rua |travessa|alameda|via |viale|"
        "corso|piazza|largo|vicolo|strada|ulica|ul.|al.|os.|ulitsa|prospekt|jalan|jl|c/|rruga|"
        "bulevardul|laan |gracht|plein|kade|singel|dreef|gata|vägen|gade|vej |veien|katu|丁目|区|市|町|로|길"
    ).split("|")
)
"""What a street of another language has in its name; without it _FOREIGN is not tried."""
_STOP_NAME = re.compile(
    r"(?:^|\s)(?:of|on|in|per|for|the|is|are|was|were|to|from|and|or|with|at|times|users|seats|minutes|hours|days|weeks|months|years|star|stars|percent|steps?|hard|test|tests|business|licenses|way|ways|different|more|less|agents|people|items|orders|tickets|"
    r"gb|tb|mb|usb|ssd|disk|flash|thumb|pen|google|cloud|files|rows|columns|by|x|side|points?|level|layer|floor|km|miles|kg|lbs|oz|cm|mm|m|ft|inch|inches|usd|eur|pm|am|out|off|a|an|that|this|these|we|i|you|they|it|our|my|your|their|but|not|no|need|needs|has|have|had|only|about|over|under|until|since|between|last|next|every|each|new requests|calls|errors|pages|lines|words|links|parking|customers|cars|trucks|boxes|units|q1|q2|q3|q4|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|january|february|march|april|june|july|august|september|october|november|december|week|month|year|minute|hour|second|seconds|characters|digits|letters|in a|road tests|fast|lane|long|short|big|small|wide|extra|free|paid|total|remaining|open|closed|via|vs|then|when|if|as)(?=\s|$)"
)

# --- positions ------------------------------------------------------------------------------------------------------

_PAIR = re.compile(
    r"(?<![0-9a-z.\-])(?P<lat>-?[0-9]{1,3}\.[0-9]{3,15})\s?°?\s?(?P<ns>[ns北南]?)[纬]?\s?[,，;/ 、]\s?(?P<lon>-?[0-9]{1,3}\.[0-9]{3,15})\s?°?\s?(?P<ew>[ew东西]?)(?![0-9a-z]|\.[0-9]|\s?,\s?-?[0-9])"
)
_LATLON = re.compile(
    r"(?:lat(?:itude)?|纬度|北纬|南纬)\s?(?:是|为|is|[:=])?\s?(?P<lat>-?[0-9]{1,2}(?:\.[0-9]{1,15})?)\s?[°度]?[^\n。]{0,12}?(?:lon(?:g(?:itude)?)?|lng|经度|东经|西经)\s?(?:是|为|is|[:=])?\s?(?P<lon>-?[0-9]{1,3}(?:\.[0-9]{1,15})?)"
    r"|(?:lon(?:g(?:itude)?)?|lng|经度|东经|西经)\s?(?:是|为|is|[:=])?\s?(?P<lon2>-?[0-9]{1,3}(?:\.[0-9]{1,15})?)\s?[°度]?[^\n。]{0,12}?(?:lat(?:itude)?|纬度|北纬|南纬)\s?(?:是|为|is|[:=])?\s?(?P<lat2>-?[0-9]{1,2}(?:\.[0-9]{1,15})?)"
)
_DMS = re.compile(
    r"[0-9]{1,3}\s?[°度]\s?[0-9]{1,2}(?:\.[0-9]+)?\s?['′分]\s?(?:[0-9]{1,2}(?:\.[0-9]+)?\s?(?:[\"″秒]|''))?\s?[nsew东西南北]?(?:\s?[,，]?\s?[东西ew]?经?\s?[0-9]{1,3}\s?[°度]\s?[0-9]{1,2}(?:\.[0-9]+)?\s?['′分]\s?(?:[0-9]{1,2}(?:\.[0-9]+)?\s?(?:[\"″秒]|''))?\s?[nsew东西南北]?)?"
)
_DEGREES = re.compile(
    r"(?:[0-9]{1,2}\.[0-9]{2,12}\s?°?\s?[ns]|[ns]\s?[0-9]{1,2}\.[0-9]{2,12}°?)\s?[,，/ ]\s?(?:[0-9]{1,3}\.[0-9]{2,12}\s?°?\s?[ew](?![a-z])|[ew]\s?[0-9]{1,3}\.[0-9]{2,12})"
)
_PLUS_CODE = re.compile(r"(?<![a-z0-9+])[23456789cfghjmpqrvwx]{4,8}\+[23456789cfghjmpqrvwx]{2,3}(?![a-z0-9+])")
_MAP_LINK = re.compile(
    r"(?:geo:|/@|[?&](?:q|ll|center|query|daddr|saddr|location)=|maps/place/)-?[0-9]{1,3}\.[0-9]{2,15}(?:,|%2c)-?[0-9]{1,3}\.[0-9]{2,15}"
)
_WHAT3WORDS = re.compile(
    r"(?<![/a-z])(?<![a-z]:)///[a-z]{3,20}\.[a-z]{3,20}\.[a-z]{3,20}(?![a-z.])|(?:what3words|w3w)[^\n]{0,8}?[a-z]{3,20}\.[a-z]{3,20}\.[a-z]{3,20}"
)
_GEOHASH = re.compile(r"geohash\s?(?:is|[:=是为])?\s?(?P<value>(?=[a-z]{0,11}[0-9])[0-9b-hjkmnp-z]{6,12})(?![a-z0-9])")
_MOBILE_CELL = re.compile(r"(?:cell|tower)[ _-]?id\s?[:=]?\s?[0-9]{5,10}|基站(?:编号|id)?\s?[:=是为]?\s?[0-9]{5,10}")
_IN_CODE = re.compile(
    r"(?:[a-z_]\w*\(|\[|\{|vec[234]?|vector|matrix|embedding|translate|scale|rotate|moveto|lineto|point|rgb|hsl|bezier|x\s?[=:]|y\s?[=:]|weights?|ratio|ratios|scores?|values?|range|between|from|rates?|latency|percentiles?|p50|p95|avg|prices?|margins?)[\s:=(]{0,3}$"
)


_DIGIT = re.compile(r"[0-9]")
_CN_NUMBER = re.compile(rf"{_N}\s?[号弄巷之/\-甲乙丙]")
_CN_UNITS = ("栋", "幢", "座", "单元", "号楼", "号院", "#")
_CN_VILLAGES = ("镇", "乡", "村", "屯", "庄")
_CN_CUES = ("址", "住", "寄", "送到", "送至", "搬到", "位于", "快递到", "户籍")


def places_in(text: str) -> list[Hit]:
    """Addresses and positions of `text` (lower case)."""
    hits = [] if text.isascii() else _chinese(text)
    if _DIGIT.search(text):
        hits += [*_english(text), *_positions(text)]
        for pattern, words, reach in ((_PO_BOX, _BOXES, 40), (_FOREIGN, _FOREIGN_HINT, 70)):
            hits += [Hit(Reason.ADDRESS, *m.span()) for m in _in(text, near_words(text, words, reach), pattern)]
    in_words = _in(text, near_words(text, ("///", "what3words", "w3w"), 60), _WHAT3WORDS)
    return hits + [Hit(Reason.POSITION, *m.span()) for m in in_words]


_BOXES = ("box", "信箱", "postfach", "apartado", "postale")
_PLACE_WORDS = "address|live|living|resid|located|ship|send|deliver|mail|moved to|pick up|pickup|house|home|stay".split(
    "|"
)
_HOUSE = re.compile(r"(?<![0-9])[0-9]{1,5}")


def _in(text: str, places: list[tuple[int, int]], pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
    for start, end in places:
        yield from pattern.finditer(text, start, end)


def _chinese(text: str) -> list[Hit]:
    hits = []
    for m in _in(text, near_matches(text, _CN_NUMBER, 30, 80), _CN_STREET):
        if not _NOT_STREET.search(m["name"]) and len(m["name"]) >= 2:
            hits.append(Hit(Reason.ADDRESS, m.start() + _lead(m["name"]), m.end()))
    for m in _in(text, near_words(text, _CN_UNITS, 40), _CN_UNIT):
        if re.search(r"单元|栋|幢|号楼|[a-z]座", m["unit"]):
            hits.append(Hit(Reason.ADDRESS, *m.span()))
    hits += [Hit(Reason.ADDRESS, *m.span()) for m in _in(text, near_words(text, _CN_VILLAGES, 40), _CN_VILLAGE)]
    for m in _in(text, near_words(text, _CN_CUES, 90), _CN_ANNOUNCED):
        if _CN_FINE.search(m["value"]) and not _CN_NOT.search(m["value"]):
            hits.append(Hit(Reason.ADDRESS, *m.span("value")))
    return hits


_LEAD = re.compile(r".*(?:地址是|地址|住址是|位于|[是在到至去住寄往为])")


def _lead(name: str) -> int:
    """How much of what was read as the street's name leads up to it: '的地址是前门大街'."""
    m = _LEAD.match(name)
    return m.end() if m and len(name) - m.end() >= 2 else 0


def _english(text: str) -> list[Hit]:
    hits = []
    for number in _HOUSE.finditer(text):
        m = _EN_CLEAR.match(text, number.start()) or _EN_VAGUE.match(text, number.start())
        if m and _is_street(text, m):
            hits.append(Hit(Reason.ADDRESS, *m.span()))
    announced = _in(text, near_words(text, _PLACE_WORDS, 110), _EN_ANNOUNCED)
    return hits + [Hit(Reason.ADDRESS, *m.span("value")) for m in announced]


def _is_street(text: str, m: re.Match[str]) -> bool:
    name = text[m.end("no") : m.start("suffix")].strip()
    if not name or _STOP_NAME.search(name):
        return False
    if m.re is _EN_CLEAR:
        return True
    return bool(m["rest"].strip(" ,")) or _place_before(text, m.start()) or _ends(text, m)


_PLACE_BEFORE = re.compile(
    rf"(?:{_EN_PLACE}|(?<![a-z])(?:at|from|to))\W{{0,6}}(?:(?:is|was|line 1)\W{{0,5}})?(?:the )?$"
)
_STREET_ENDS = re.compile(
    r"\.?\s*(?:$|[。，\u4e00-\u9fff]|[,;\n]\s*[a-z]{3,20}(?:,|\s[a-z]{2}(?![a-z])|[。\u4e00-\u9fff\n]|$))"
)


def _place_before(text: str, start: int) -> bool:
    return _PLACE_BEFORE.search(text[max(0, start - 40) : start]) is not None


def _ends(text: str, m: re.Match[str]) -> bool:
    """'12 Oak Drive, Springfield': a town follows, or nothing."""
    return m["suffix"] not in {
        "run",
        "view",
        "point",
        "way",
        "green",
        "row",
        "loop",
        "path",
        "gate",
        "park",
        "yard",
    } and bool(
        re.fullmatch(r"[a-z'\- ]{3,30}", text[m.end("no") : m.start("suffix")].strip())
        and _STREET_ENDS.match(text, m.end())
    )


_POSITIONS: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...] = (
    (_DMS, ("°", "度")),
    (_PLUS_CODE, ("+",)),
    (_MAP_LINK, ("geo:", "/@", "=", "maps/place/")),
    (_MOBILE_CELL, ("cell", "tower", "基站")),
)
"""Forms of a position, and what must stand in them."""
_DECIMAL = re.compile(r"[0-9]\.[0-9]{2}")


def _positions(text: str) -> list[Hit]:
    decimals = near_matches(text, _DECIMAL, 12, 60)
    hits = [Hit(Reason.POSITION, *m.span()) for m in _in(text, decimals, _DEGREES)]
    for m in _in(text, decimals, _PAIR):
        marked = bool(m["ns"] or m["ew"])
        coded = _IN_CODE.search(text[max(0, m.start() - 24) : m.start()])
        if _on_earth(m["lat"], m["lon"]) and (marked or _precise(m)) and not coded:
            hits.append(Hit(Reason.POSITION, *m.span()))
    for m in _in(text, near_words(text, ("lat", "lng", "lon", "纬", "经"), 60), _LATLON):
        if "." in m[0] or "度" in m[0] or "°" in m[0]:
            hits.append(Hit(Reason.POSITION, *m.span()))
    for pattern, words in _POSITIONS:
        hits += [Hit(Reason.POSITION, *m.span()) for m in _in(text, near_words(text, words, 50), pattern)]
    geohashes = _in(text, near_words(text, ("geohash",), 40), _GEOHASH)
    return hits + [Hit(Reason.POSITION, *m.span("value")) for m in geohashes]


def _on_earth(lat: str, lon: str) -> bool:
    a, b = abs(float(lat)), abs(float(lon))
    return (a <= 90 and b <= 180) or (a <= 180 and b <= 90)


def _precise(m: re.Match[str]) -> bool:
    """Two numbers with four decimals or more; small ones are vectors and probabilities."""
    decimals = min(len(m["lat"].partition(".")[2]), len(m["lon"].partition(".")[2]))
    return decimals >= 4 and max(abs(float(m["lat"])), abs(float(m["lon"]))) > 2
