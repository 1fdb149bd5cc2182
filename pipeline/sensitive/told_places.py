"""Addresses and positions that a phrase tells: a form's field, a house before or behind its street, degrees in words."""
# ruff: noqa: E501 (rows of words and patterns read best one a line)

import re

from pipeline.reasons import Reason
from pipeline.sensitive.phrase import Phrase

_HAN = r"[\u4e00-\u9fff]"
_SUFFIX = r"(?:street|st|road|rd|lane|ln|avenue|ave|drive|dr|close|way|terrace|crescent|court|gardens|place|square|mews|hill|grove|row|walk|rise|yard|wharf|park road|boulevard|blvd)"
_DEGREE = r"[0-9一二三四五六七八九十百零〇点.]{1,12}"
_HAN_DEGREES = rf"(?:东经|西经|北纬|南纬)\s?{_DEGREE}\s?度(?:\s?{_DEGREE}\s?分(?:\s?{_DEGREE}\s?秒)?)?"
_NO_PLACE = re.compile(
    r"(?<![a-z])(?:field|form|column|max(?:imum)?|length|limit|error|characters?|validation|version|order|ticket|invoice|sku|firmware)(?![a-z])|字段|校验|报错|版本"
)

PLACES: tuple[Phrase, ...] = (
    Phrase(
        reason=Reason.ADDRESS,
        words=("单元",),
        pattern=re.compile(r"(?<![0-9])(?P<value>[0-9]{1,4}\s?号?楼\s?[0-9]{1,3}\s?单元\s?[0-9]{1,5}(?:\s?[室号户])?)"),
    ),
    Phrase(
        reason=Reason.ADDRESS,
        digits=False,
        words=("-ku", "-shi", "-cho", "-machi", "-gun"),
        pattern=re.compile(r"(?<![0-9\-])(?P<value>[0-9]{1,4}-[0-9]{1,4}(?:-[0-9]{1,4})?,? [a-z\-]{3,24},? (?:[a-z\-]{3,24},? )?[a-z]{3,20}-(?:ku|shi|cho|machi|gun)(?![a-z])(?:,? [a-z]{3,20}(?: [0-9]{3}-[0-9]{4})?)?)"),
    ),
    Phrase(
        reason=Reason.ADDRESS,
        words=("flat", "plot", "apt", "apartment", "villa", "h.no", "h no", "house", "door", "block", "tower", "-"),
        pattern=re.compile(r"(?<![a-z0-9\-])(?P<value>(?:(?:flat|plot|apt|apartment|villa|h\.? ?no\.?|house(?: no\.?)?|door no\.?|d\.? ?no\.?|block|tower|wing|shop|unit)\s?(?:no\.?|number|#)?\s?[a-z]?-?[0-9]{1,4}[a-z]?|[a-z]-?[0-9]{2,4})(?:[\-/][0-9a-z]{1,4}){0,3},\s?[a-z][^\n;]{2,80}?(?:(?<![a-z])(?:nagar|colony|sector ?[0-9]{0,3}|marg|vihar|enclave|layout|residency|society|chowk|bazaar|heights|cross|extension|puram|gurgaon|mumbai|bengaluru|bangalore|delhi|hyderabad|chennai|pune|kolkata|noida)(?![a-z])|(?<![0-9])[1-9][0-9]{5}(?![0-9]))(?:[, ]{1,2}[a-z]{4,20} [1-9][0-9]{5})?)"),
    ),
    Phrase(
        reason=Reason.ADDRESS,
        words=("number", "no.", "no ", "nr", "#", "house"),
        pattern=re.compile(rf"(?<![a-z])(?P<value>(?:house|building|door|flat)?\s?(?:number|no\.?|nr\.?|#) ?[0-9]{{1,4}}[a-z]?,? (?:of |on |in )?[a-z]{{3,20}} {_SUFFIX}(?![a-z])|(?:[a-z]{{3,20}} )?[a-z]{{3,20}} {_SUFFIX},? (?:at )?(?:house |number |no\.? ?|nr\.? ?|# ?){{1,2}}[0-9]{{1,4}}[a-z]?(?![0-9a-z]))"),
        never=_NO_PLACE,
    ),
    Phrase(
        reason=Reason.ADDRESS,
        words=("street", "addr", "line1", "line_1", "line 1", "strasse", "straat", "calle"),
        pattern=re.compile(r"(?<![a-z])[\"']?(?:street(?:[ _]?(?:address|name|line ?1?))?|addr(?:ess)?(?:[ _]?(?:line)?[ _]?[12])?|line_?1|strasse|stra(?:ss|ß)e)[\"']?\s?[:=]\s?[\"']?(?P<value>(?=[^\"'\n;]{0,60}(?:(?<![0-9.])[0-9]{1,5}[a-z]?[ +,]{1,2}[a-z]{2}|[a-z]{3}\.?[ +][0-9]{1,4}[a-z]?(?:[\"',;.。，\u4e00-\u9fff]|$)))[a-z0-9][^\"'\n;{}&]{5,80})"),
        never=re.compile(r"(?<![a-z])(?:max(?:imum)?|length|limit|error|characters?|validation|version|ip|mac|wallet|e-?mail)(?![a-z])"),
    ),
    Phrase(
        reason=Reason.ADDRESS,
        words=("postbox", "post office box", "post box"),
        pattern=re.compile(r"(?<![a-z])(?P<value>(?:post ?box|post office box)(?: no\.?| number)? [0-9]{1,6})(?![0-9])"),
    ),
    Phrase(
        reason=Reason.ADDRESS,
        words=("postcode", "post code", "house", "flat"),
        pattern=re.compile(r"(?<![a-z0-9])(?P<value>[a-z]{1,2}[0-9][0-9a-z]? ?[0-9][a-z]{2},? (?:and )?(?:house|flat|number|no\.?|door)(?: number| no\.?)? ?(?:is )?[0-9]{1,4}[a-z]?)(?![0-9])|(?<![a-z])(?P<value2>(?:house|flat|number|door)(?: number| no\.?)? ?(?:is )?[0-9]{1,4}[a-z]?,? (?:and |in |at )?(?:the |my )?(?:post ?code )?(?:is )?[a-z]{1,2}[0-9][0-9a-z]? ?[0-9][a-z]{2})(?![a-z0-9])"),
    ),
    Phrase(
        reason=Reason.ADDRESS,
        words=("小区", "花园", "公寓", "家园", "新村", "苑", "府", "湾", "庭", "佳园", "社区", "栋", "幢", "号楼", "门牌"),
        pattern=re.compile(rf"(?P<value>{_HAN}{{2,12}}(?:小区|花园|公寓|家园|新村|苑|府|湾|庭|佳园|社区)\s?[0-9]{{1,3}}-[0-9]{{1,3}}(?:-[0-9]{{2,4}})?(?![0-9\-])|[0-9]{{1,3}}\s?(?:栋|幢|号楼)\s?[a-z0-9]{{1,2}}\s?座\s?[0-9]{{2,5}}|门牌号?码?\s?(?:是|为|:)?\s?[0-9]{{1,5}}\s?(?:-[0-9]{{1,4}})?\s?号?(?![0-9位个]))"),
    ),
    # positions
    Phrase(
        reason=Reason.POSITION,
        digits=False,
        words=("东经", "西经", "北纬", "南纬"),
        pattern=re.compile(rf"(?P<value>{_HAN_DEGREES}(?:[\s,，、]{{0,2}}{_HAN_DEGREES})?)"),
        valid=lambda value: "分" in value or "点" in value or "." in value or ("经" in value and "纬" in value),
    ),
    Phrase(
        reason=Reason.POSITION,
        words=(" deg", "°", " n ", " n,", "0n ", "north", " s ", " s,", "south"),
        pattern=re.compile(r"(?<![0-9a-z.])(?P<value>[0-9]{1,3} ?(?:degrees?|deg|°) ?[0-9]{1,2}(?:\.[0-9]{1,6})? ?(?:minutes?|mins?|'|m) ?(?:[0-9]{1,2}(?:\.[0-9]{1,6})? ?(?:seconds?|secs?|\"|s) ?)?(?:north|south|east|west|[nsew])(?![a-z])(?:[, ]{1,2}[0-9]{1,3} ?(?:degrees?|deg|°) ?[0-9]{1,2}(?:\.[0-9]{1,6})? ?(?:minutes?|mins?|'|m) ?(?:[0-9]{1,2}(?:\.[0-9]{1,6})? ?(?:seconds?|secs?|\"|s) ?)?(?:north|south|east|west|[nsew])(?![a-z]))?|[0-9]{1,2} [0-9]{1,2} [0-9]{1,2}(?:\.[0-9]{1,4})? ?[ns],? [0-9]{1,3} [0-9]{1,2} [0-9]{1,2}(?:\.[0-9]{1,4})? ?[ew](?![a-z])|[0-9]{1,2}\.[0-9]{2,10} ?(?:degrees? )?(?:north|south)[, ]{1,2}(?:and )?[0-9]{1,3}\.[0-9]{2,10} ?(?:degrees? )?(?:east|west)(?![a-z]))"),
    ),
    Phrase(
        reason=Reason.POSITION,
        digits=False,
        words=("maps.app", "goo.gl/maps", "point", "surl.amap", "j.map.baidu"),
        pattern=re.compile(r"(?P<value>(?:maps\.app\.goo\.gl|goo\.gl/maps|surl\.amap\.com|j\.map\.baidu\.com)/[a-z0-9/_\-]{4,40}|(?<![a-z])point ?\(-?[0-9]{1,3}\.[0-9]{4,15}[, ]{1,2}-?[0-9]{1,3}\.[0-9]{4,15}\))"),
    ),
    Phrase(
        reason=Reason.POSITION,
        words=("lat",),
        pattern=re.compile(r"(?P<value>[\"']?lat(?:itude)?[\"']?\s?[:=]\s?[\"']?-?[0-9]{1,2}\.[0-9]{2,15}[\"']?\s?[,;&]\s?[\"']?(?:lng|lon(?:g(?:itude)?)?)[\"']?\s?[:=]\s?[\"']?-?[0-9]{1,3}\.[0-9]{2,15}|[\"']?(?:lng|lon(?:g(?:itude)?)?)[\"']?\s?[:=]\s?[\"']?-?[0-9]{1,3}\.[0-9]{2,15}[\"']?\s?[,;&]\s?[\"']?lat(?:itude)?[\"']?\s?[:=]\s?[\"']?-?[0-9]{1,2}\.[0-9]{2,15})"),
    ),
    Phrase(
        reason=Reason.POSITION,
        words=("mgrs", "utm", "grid ref"),
        pattern=re.compile(r"(?<![a-z])(?:mgrs:? ?(?P<value>[0-9]{1,2}[c-x] ?[a-z]{2}(?: ?[0-9]{3,5}){2})|utm:? ?(?P<value2>(?:zone )?[0-9]{1,2} ?[c-x]? [0-9]{6}(?:m?e)?,? [0-9]{7}(?:m?n)?)|grid ref(?:erence)?(?: is|:)? ?(?P<value3>[a-z]{2} ?[0-9]{3,5} ?[0-9]{3,5}))(?![0-9])"),
    ),
)  # fmt: skip
