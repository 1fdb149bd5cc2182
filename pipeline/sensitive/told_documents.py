"""Plates and papers that a phrase tells."""
# ruff: noqa: E501 (rows of words and patterns read best one a line)

import re

from pipeline.reasons import Reason
from pipeline.sensitive.checks import cn_id18, date6, luhn
from pipeline.sensitive.phrase import Phrase

_CN_PROVINCE = "京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼"
_REG_WORDS = re.compile(
    r"(?<![a-z])(?:reg(?:istration|istered|o)?|car|van|vehicle|plates?|parking|parked|park|permit|truck|taxi|lorry|drive[srn]?|driving|motorbike|coche|voiture|auto|barrier|dvla|mot|bmw|audi|ford|toyota|tesla|vw)(?![a-z])|车"
)
_NO_REG = re.compile(
    r"(?<![a-z])(?:order|sku|post ?code|zip|version|model|part|serial|flight|room|coupon|promo|ticket|booking|reservation)(?![a-z])"
)
_US_STATE = r"(?:alabama|alaska|arizona|arkansas|california|colorado|connecticut|delaware|florida|georgia|hawaii|idaho|illinois|indiana|iowa|kansas|kentucky|louisiana|maine|maryland|massachusetts|michigan|minnesota|mississippi|missouri|montana|nebraska|nevada|new hampshire|new jersey|new mexico|new york|north carolina|north dakota|ohio|oklahoma|oregon|pennsylvania|rhode island|south carolina|south dakota|tennessee|texas|utah|vermont|virginia|washington|west virginia|wisconsin|wyoming|ny|nj|ca|tx|fl|il|pa|oh|ga|nc|mi|va|wa|az|ma|tn|md|mn|co|wi)"


def _is_cn_id(value: str) -> bool:
    return cn_id18(value.replace(" ", ""))


DOCUMENTS: tuple[Phrase, ...] = (
    Phrase(
        reason=Reason.GOVERNMENT_ID,
        words=("id:", "id ", "id no"),
        pattern=re.compile(r"(?<![a-z])id(?: no\.?| number)?\s?:?\s?(?P<value>[0-9]{13})(?![0-9])"),
        valid=lambda value: date6(value[:6]) and luhn(value),
    ),
    Phrase(
        reason=Reason.LICENCE_PLATE,
        words=tuple(_CN_PROVINCE),
        pattern=re.compile(rf"(?P<value>[{_CN_PROVINCE}] ?[a-z][ ·.\-*]{{0,3}}[a-z0-9](?:[ ·.\-][a-z0-9]){{4,5}})(?![a-z0-9])"),
        valid=lambda value: sum(c.isdigit() for c in value) >= 3,
    ),
    Phrase(
        reason=Reason.LICENCE_PLATE,
        words=("reg", "car", "van", "vehicle", "plate", "park", "truck", "taxi", "driv", "voiture", "coche", "auto", "车", "bmw", "tesla", "permit"),
        pattern=re.compile(r"(?<![a-z0-9\-])(?P<value>[a-z]{2}[0-9]{2}[ \-]?[a-z]{3}|[a-z]{2}-[0-9]{3}-[a-z]{2}|[0-9]{4} ?[bcdfghjklmnpqrstvwxyz]{3})(?![a-z0-9\-])"),
        beside=_REG_WORDS,
        never=_NO_REG,
    ),
    Phrase(
        reason=Reason.LICENCE_PLATE,
        words=("tag", "plate", "reg"),
        pattern=re.compile(rf"(?<![a-z])(?:tags?|plates?|reg)(?: number| no\.?)?(?: is|:)? (?P<value>[a-z]{{1,3}}[ \-]?[0-9]{{3,4}}|[0-9]{{1,3}}[ \-]?[a-z]{{2,3}}[ \-]?[0-9]{{0,4}}),? (?:in |from )?{_US_STATE}(?![a-z])"),
    ),
    Phrase(
        reason=Reason.LICENCE_PLATE,
        words=("kennzeichen", "nummernschild", "kenteken", "车牌"),
        pattern=re.compile(r"(?<![a-z0-9])(?P<value>[a-zäöü]{1,3}[ \-][a-z]{1,2}[ \-]?[0-9]{1,4}[eh]?)(?![a-z0-9])"),
        beside=re.compile(r"kennzeichen|nummernschild|kenteken"),
    ),
    Phrase(
        reason=Reason.LICENCE_PLATE,
        words=("车牌", "牌照", "号牌"),
        pattern=re.compile(r"(?:车牌|牌照|号牌)(?:号码?)?(?:的)?(?:尾号|尾数|后[三四345]位|末[三四345]位)\s?(?:是|为|:)?\s?(?P<value>[0-9a-z]{3,5})(?![0-9a-z])"),
        valid=lambda value: any(c.isdigit() for c in value),
    ),
    Phrase(
        reason=Reason.GOVERNMENT_ID,
        words=tuple(f"{digit}{gap}x" for digit in "0123456789" for gap in ("", " ")),
        pattern=re.compile(r"(?<![0-9a-z])(?P<value>[1-8](?: ?[0-9]){16} ?x)(?![a-z0-9])"),
        valid=_is_cn_id,
    ),
    Phrase(
        reason=Reason.GOVERNMENT_ID,
        words=("字第",),
        pattern=re.compile(r"(?P<value>[\u4e00-\u9fff]{1,2}字第\s?[0-9]{5,8}\s?号)"),
        beside=re.compile(r"军官|士兵|士官|文职|警官|证"),
    ),
    Phrase(
        reason=Reason.PASSPORT,
        words=("passport", "护照"),
        pattern=re.compile(r"(?:(?<![a-z])passports?(?: number| no\.?)?|护照号?码?)(?: that)?\s?(?:ends|ending|starts|starting|begins|beginning|last (?:four|three|4|3)(?: digits?)?|尾号|后[三四]位|末[三四]位|开头)(?: (?:in|with|are|is))?\s?(?:是|为|:)?\s?(?P<value>[a-z0-9]{2,6})(?![a-z0-9])(?:[, ]{1,3}(?:and )?(?:ends|ending|starts|begins)(?: with| in)? (?P<value2>[a-z0-9]{2,6})(?![a-z0-9]))?"),
        valid=lambda value: any(c.isdigit() for c in value),
    ),
    Phrase(
        reason=Reason.GOVERNMENT_ID,
        words=("pan",),
        pattern=re.compile(r"(?<![a-z])pan(?: ?card)?(?: number| no\.?)?\s?(?:is|:|=)?\s?(?P<value>[a-z]{5}[0-9]{4}[a-z])(?![a-z0-9])"),
    ),
    Phrase(
        reason=Reason.GOVERNMENT_ID,
        words=("rg", "nid", "c.c.", "cc "),
        pattern=re.compile(r"(?<![a-z])(?:rg|nid(?: card)?(?: no\.?| number)?|cedula)\s?(?:n[o.º]{0,2}|is|:)?\s?(?P<value>[0-9]{1,2}\.[0-9]{3}\.[0-9]{3}-[0-9x]|(?:19[4-9]|20[01])[0-9]{7,14}|[0-9]{10}|[0-9]{17})(?![0-9])"),
    ),
    Phrase(
        reason=Reason.GOVERNMENT_ID,
        words=("health insurance", "medical insurance", "krankenversich", "krankenkasse"),
        pattern=re.compile(r"(?:(?<![a-z])(?:member|policy|subscriber|insurance|group) (?:id|number|no\.?)(?: (?:of|for|on|with|from))?(?: (?:my|his|her|the|our))? (?:health|medical) insurance|(?:health|medical) insurance (?:member|policy|subscriber|card)? ?(?:id|number|no\.?)|krankenversicher(?:ten|ungs)nummer|krankenkasse(?:nnummer)?)\s?(?:is|:|lautet)?\s?(?P<value>[a-z]{0,4}[ \-]?[0-9][0-9 \-]{5,16}[0-9])(?![0-9a-z])"),
    ),
    Phrase(
        reason=Reason.DRIVING_LICENCE,
        words=("licen",),
        pattern=re.compile(rf"(?<![a-z]){_US_STATE} (?:state )?(?:driver'?s? |driving )?licen[sc]e(?: (?:number|no\.?|is|#|id)){{0,3}}[\s:#]{{1,3}}(?P<value>[a-z]{{0,2}}[ \-]?[0-9](?:[ \-]?[0-9]){{6,13}})(?![0-9a-z])"),
    ),
    Phrase(
        reason=Reason.GOVERNMENT_ID,
        words=("身份证",),
        pattern=re.compile(
            r"身份证[^\n]{0,20}\n[^\n0-9]{0,12}(?:前面|前半|前六位|开头)[^0-9\n]{0,6}(?P<value>[0-9]{4,10})(?:[^0-9]{1,20}(?:后面|后半|剩下|再)[^0-9\n]{0,6}(?P<value2>[0-9]{6,13}x?))?"
        ),
        reach=160,
    ),
    Phrase(
        reason=Reason.LICENCE_PLATE,
        words=("vehicle", "car ", "van ", "truck", "plate", "rego"),
        pattern=re.compile(
            r"(?<![a-z])(?:vehicle|car|van|truck|plate|rego)s?(?![a-z])[^\n]{0,60}?(?<![a-z0-9])(?P<value>[0-9][a-z]{2}[·\- ]?[0-9][a-z]{2})(?![a-z0-9])"
        ),
    ),
)  # fmt: skip
