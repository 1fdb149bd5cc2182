"""Passwords, PINs, one-time codes and other secrets that a word in the text announces."""
# ruff: noqa: E501, SIM905 (rows of words and patterns read best one a line)

import re
from collections.abc import Iterator

from pipeline.normalise import turns_of
from pipeline.reasons import Reason
from pipeline.sensitive.checks import without_codes
from pipeline.sensitive.cues import Cues, Found, cues_of, link_end
from pipeline.sensitive.finding import Hit
from pipeline.sensitive.lexicon import Cue
from pipeline.sensitive.nearby import near_words

_REASONS: dict[Cue, Reason] = {
    Cue.PASSWORD: Reason.PASSWORD,
    Cue.LOGIN: Reason.PASSWORD,
    Cue.PIN: Reason.PASSWORD,
    Cue.OTP: Reason.ONE_TIME_CODE,
    Cue.CVV: Reason.CVV,
    Cue.SECRET: Reason.SECRET,
    Cue.WALLET: Reason.WALLET,
}
_TOKEN = re.compile(r"[\"'`(\[{<]{0,2}(?P<value>[^\s\"'`，。,;；、)\]}>（(：\u4e00-\u9fff]{2,80})")
_QUOTED = re.compile(r"(?P<open>[\"'`])(?P<value>[^\"'`\n]{3,60})(?P=open)")
_WORDS = re.compile(r"(?P<value>[a-z]+(?:[ \-][a-z]+){0,11}(?: [0-9]{1,4})?)(?=\s*(?:[.,;!?。，\n\u4e00-\u9fff]|$))")
_HAN_VALUE = re.compile(r"(?P<value>[\u4e00-\u9fff]{3,12})(?=\s*(?:[.,;!?。，\n]|$))")
_EXPLICIT = re.compile(r"[:=>\"'`]|(?<![a-z])(?:is|was|are|to|as)(?![a-z])|是|为|改成|改为|设成|叫")
_ASSIGNED = re.compile(r"\s?(?:[:=]|=>|->|>)\s?")

STOP = frozenset(
    (
        "a about above absent accepted account accounts admin after again all allowed already also always an and another any anymore app are as ask asked at available back bad be because been"
        " before being better blank blocked box broken but by can cannot case caps caching change changed changes characters check complex complexity compromised configured correct cracked current"
        " default deleted disabled does doesn down due each easy either email empty enabled enforced enough entered entry error every everywhere exactly exposed expired expires expiring expiry fail failed failing fails"
        " false field fields filled fine for forgotten form format four from generated generator given gone good greyed group guessable had hard has have having he her here hidden hint his history how if ignored in"
        " incorrect insecure inside instead into invalid is issue it its just kept known later leaked left length less letters like link locked login long longer lost lowercase made mail managed manager mandatory"
        " many masked match matched matching maybe me mentioned message minimum missing mixed modal more must my name needed never new no nobody none not nothing now numbers of off okta old on once one only optional or other our"
        " out over page part pending plain policies policy popup possible private prompt prompts protected provided public random read really received recommended refused rejected remembered reminder removed request requests required reset"
        " resets right rotated rotation rules safe same saml saved screen secret secure see sensitive sent server set settings shared she short should shown side simple since slow so some someone something sometimes soon sso still stored strength"
        " string strong stuck support supported synced system temporary text that the their them then there they this three through time times tls to today tomorrow too true two typed typo unable unavailable under unique unknown"
        " until up updated uppercase us used user users using valid validation value very via visible vpn wanted was way we weak were what when where which while who why will with without working works worked would wrong yes yesterday yet you your"
        " ok okay sure thanks thank hello hi hey done hold wait moment please sorry great perfect cool alright yep yeah nope fine cheers bye twice once again thrice"
        " string number token tokens code codes bucket limit exchange flow refresh endpoint based auth oauth per minute hour day week month year days weeks months characters digits"
    ).split()
)
"""Words that follow 'the password is …' when no password follows. Participles and adverbs are told by their ending."""
_TALK = re.compile(
    r"[a-z]{3,}(?:ing|ly|able|ible|less|ful|tion|ment|ness|ive|ical|ised|ized|ated|tted|cked|cted|ired|used|ored|ashed|ypted)"
)
_HAN_TALK = re.compile(
    r"什么|多少|怎么|哪|对的|不对|正确|错|必填|空|加密|没有?|不是|不能|无法|过期|失效|问题|一样|相同|需要|可以|不行|通过|用户|自己|随机|系统|默认|明文|弱|强|位|字|短信|邮件|发送|发给|重置|修改|找回|忘|输入|登录|设置|更改|的|了|吗|呢|吧|请|否|已|未|要|在|和|或"
)
_FILL = re.compile(
    r"(?:[\s,]{1,2}(?:i've|i|we|he|she|they|you|always|usually|use|uses|used|using|my|for|the|to|on|of|our|account|portal|wi-?fi|e?mail|login|sets?|chose|picked|here|currently|now|right|staging"
    r"|prod|production|admin|sandbox|site|app|router|server|database|db|which|that|laptop|phone|vpn|ftp|root|test|old|new|temp|temporary|his|her|their|this|works?|just|gave|me|us|it|in|at|an?|everywhere|website|system|dashboard|box|machine|computer|guest|office|home|zip|file|pdf|archive|want|like|wanted|made|have|had|texted|sent|emailed|messaged|received|got|gets|by|from|came|shows?|showing|says|sms|door|gate|keypad|safe|garage|warehouse|shop|store|building|alarm|entrance|main|front|back|room|locker|card|atm|bank|sim|vault|of|with|reseller|vendor|supplier|client|partner|team|api|live|master)(?![a-z])){0,10}"
    r"\s?(?:(?<![a-z])(?:is|was|will be|should be|would be)(?![a-z])|[:=]|->|=>)\s{0,2}"
)


def credentials_in(text: str) -> list[Hit]:
    """Announced secrets of `text` (lower case)."""
    cues = cues_of(text)
    whole = without_codes(text)
    announcing = [cue for cue in cues.found if cue.kind in _REASONS and whole[cue.start] == text[cue.start]]
    hits = [hit for cue in announcing for hit in _announced(text, cue)]
    plain = [
        Hit(Reason.PASSWORD, *m.span("value")) for row in (_USER_PASS, _ROOT_PASS) for m in _near(text, ("/",), row)
    ]
    plain += [
        Hit(Reason.PASSWORD, *m.span("value"))
        for m in _near(text, ("password", "passwd", "pwd", " pw "), _BARE)
        if not _is_talk(m["value"])
    ]
    return [*hits, *plain, *_answers(text, cues), *_backwards(text), *_logins(text)]


_BARE = re.compile(
    r"(?<![a-z])(?:root|admin|administrator|guest|sudo|wi-?fi|my|our|default|temp|temporary|master|router|(?:user|username|login) \S{2,30},?) (?:password|pwd|passwd|pw)"
    r" (?P<value>[a-z]{4,20})\s*(?=$|[.,;。，\n\u4e00-\u9fff])"
)
"""'root password toor': one word that ends the clause."""


def _near(text: str, words: tuple[str, ...], pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
    for start, end in near_words(text, words, 70):
        yield from pattern.finditer(text, start, end)


def _announced(text: str, cue: Found) -> list[Hit]:
    if cue.kind is Cue.LOGIN:
        assigned = _ASSIGNED.match(text, cue.end)
        at = assigned.end() if assigned else -1
    else:
        at = link_end(text, cue.end)
    if at < 0:
        return []
    span = _value(text, cue, at) or _pair(text, cue, at) or _sentence(text, cue)
    return [Hit(_REASONS[cue.kind], *span)] if span else []


_USER_PASS = re.compile(
    r"(?:user(?:name)?|login|e?mail|account|账号|用户名)\s?/\s?(?:pass(?:word)?|pwd|密码)\s?(?:[:=]|is|是|为)?\s?[^\s/]{2,40}\s?/\s?(?P<value>[^\s/,;，。]{3,40})"
)
_ROOT_PASS = re.compile(
    r"(?<![a-z0-9])(?:root|admin|administrator|guest|sa) ?/ ?(?P<value>(?=[a-z]{0,30}[0-9@#$!])[^\s/,;，。]{5,40})(?![a-z0-9/])"
)
_PAIR = re.compile(r"(?P<user>[^\s/,]{2,40})\s?/\s?(?P<value>[^\s/,;，。]{4,40})(?=\s*(?:[.,;，。\n]|$))")


def _pair(text: str, cue: Found, at: int) -> tuple[int, int] | None:
    """'credentials: admin / Winter2026'."""
    m = _PAIR.match(text, at) if cue.kind is Cue.LOGIN else None
    return m.span("value") if m and not _is_talk(m["value"]) and not m["user"].isdigit() else None


def _value(text: str, cue: Found, at: int) -> tuple[int, int] | None:
    link = text[cue.end : at]
    quoted = _QUOTED.match(text, max(cue.end, at - 1)) if cue.kind in {Cue.PASSWORD, Cue.SECRET, Cue.PIN} else None
    if quoted and (" " not in quoted["value"] or _secretive(quoted["value"].split())):
        return quoted.span("value") if not _is_talk(quoted["value"]) else None
    token = _TOKEN.match(text, at)
    if token and _fits(cue, text, token):
        return token.start("value"), token.start("value") + len(token["value"].rstrip(".!?:"))
    if cue.kind is not Cue.PASSWORD or not _EXPLICIT.search(link):
        return None
    words = _WORDS.match(text, at)
    answer = "\n" in link and words is not None and " " in words["value"]
    if words and not answer and _secretive(words["value"].split()):
        return words.span("value")
    han = _HAN_VALUE.match(text, at)
    return han.span("value") if han and not _HAN_TALK.search(han["value"]) else None


def _fits(cue: Found, text: str, token: re.Match[str]) -> bool:
    value = token["value"].rstrip(".!?:")
    digits = sum(c.isdigit() for c in value)
    if _MEASURE_LIKE.fullmatch(value) or _UNIT.match(text, token.start("value") + len(value)):
        return False
    match cue.kind:
        case Cue.PASSWORD | Cue.LOGIN | Cue.PIN:
            return _valuey(value)
        case Cue.OTP:
            bare = text[cue.start : cue.end].rstrip("s") == "code"
            if bare and _FAULT.search(text[max(0, cue.start - 24) : cue.start]):
                return False
            return digits >= (4 if bare else 2) and len(value) >= 4 and _OTP.fullmatch(value) is not None
        case Cue.SECRET:
            return _SECRET.fullmatch(value) is not None and (digits >= 2 or (len(value) >= 20 and len(set(value)) > 9))
        case Cue.WALLET:
            return _WALLET.fullmatch(value) is not None and digits >= 2
    return False


_MEASURE_LIKE = re.compile(
    r"v?[0-9]+(?:\.[0-9]+)+|[0-9]{1,3}|[0-9]+(?:px|ms|kb|mb|gb|th|st|nd|rd|s|h|d|x|k|m|am|pm|bit|fa|days?|hours?|min(?:utes?)?|chars?)|20[0-9]{2}-[0-9]{2}-[0-9]{2}.*|[0-9]{1,2}:[0-9]{2}.*|[0-9]+-[0-9]{1,2}|v[0-9]+"
    r"|<.*|2fa|sha-?[0-9]+|md5|aes-?[0-9]*|oauth2?(?:\.0)?|rs256|hs256|base64|utf-?8|q[1-4]|https?://.*"
)
_UNIT = re.compile(
    r"\s?(?:位|个|次|天|年|月|小时|分钟|字符|秒|条|(?:px|ms|mm|characters?|chars?|digits?|days?|times?|attempts?|months?|hours?|minutes?|users?|tokens?|%)(?![a-z]))"
)
_OTP = re.compile(
    r"(?:[a-z]{1,2}-)?[0-9]{4,8}|(?=[a-z0-9]*[0-9])[a-z0-9]{4,10}|[0-9a-z]{4}-[0-9a-z]{4}(?:-[0-9a-z]{4})?"
)
_FAULT = re.compile(r"(?:(?:fail|error|exit|crash|reject|return|end)(?:s|es|ed|ing)? with|returns?)(?: the| an?)?\s?$")
"""'fails with code E4017' tells an error."""
_SECRET = re.compile(r"[a-z0-9_\-./+=~:|%]{8,}")
_WALLET = re.compile(r"[a-z0-9:]{25,110}")


def _valuey(value: str) -> bool:
    """Reads as a secret by itself: digits, or signs inside letters; not a date, a size, a placeholder."""
    if len(value) < 3 or value.startswith(("<", "http", "{{", "${")):
        return False
    digits = sum(c.isdigit() for c in value)
    letters = sum("a" <= c <= "z" for c in value)
    signs = len(value) - digits - letters
    if digits:
        return len(value) >= 4
    return letters >= 3 and sum(c in "@#$%^&*!+=~?_" for c in value.strip("*_!?")) > 0 and signs < len(value)


def _secretive(words: list[str]) -> bool:
    """None of the words (one of four or more) is what people say of a password instead of it."""
    talk = sum(_is_talk(word) for word in words)
    return bool(words) and len("".join(words)) >= 4 and (talk == 0 or (talk == 1 and len(words) >= 4))


def _is_talk(word: str) -> bool:
    return word in STOP or _TALK.fullmatch(word) is not None


def _sentence(text: str, cue: Found) -> tuple[int, int] | None:
    """'the password I always use is correct horse battery staple', 'the code they texted me is 482913'."""
    if cue.kind not in {Cue.PASSWORD, Cue.OTP, Cue.PIN}:
        return None
    link = _FILL.match(text, cue.end)
    if not link:
        return None
    token = _TOKEN.match(text, link.end())
    if token and _fits(cue, text, token):
        return token.span("value")
    words = _WORDS.match(text, link.end()) if cue.kind is Cue.PASSWORD else None
    return words.span("value") if words and _secretive(words["value"].split()) else None


# --- asked and answered ---------------------------------------------------------------------------------------------

_ASKS = re.compile(
    r"\?|please|provide|give|tell|share|confirm|send|enter|what|which|need|verify|请|提供|告诉|发|报|输入|多少|什么|告知|说一下|吗|呢|麻烦|需要"
)
_ANSWER_TOKEN = re.compile(r"[^\s,，。;；:、\"'()（）\u4e00-\u9fff]{3,64}")
_SIZES: dict[Cue, re.Pattern[str]] = {
    Cue.OTP: re.compile(r"[0-9]{4,8}|[a-z0-9]{4,10}"),
    Cue.CVV: re.compile(r"[0-9]{3,4}"),
    Cue.PIN: re.compile(r"[0-9]{3,8}"),
    Cue.SECRET: re.compile(r"[a-z0-9_\-./+=]{8,}"),
}


def _answers(text: str, cues: Cues) -> list[Hit]:
    """What another speaker answers to a line that asks for a secret."""
    turns = turns_of(text)
    hits = []
    for turn, reply, end in zip(turns, turns[1:], [*[t.start() for t in turns[2:]], len(text)], strict=False):
        if turn[1] == reply[1] or not _ASKS.search(text, turn.end(), reply.start()):
            continue
        kinds = [
            c.kind
            for c in cues.found
            if turn.end() <= c.start < reply.start() and c.kind in _REASONS and c.kind is not Cue.WALLET
        ]
        if kinds:
            hits += _answer(text, kinds[0], reply.end(), end)
    return hits


_SAID_PHRASE = re.compile(
    r"\s*(?P<value>[a-z][a-z0-9'\-]{0,20}(?: [a-z0-9][a-z0-9'\-]{0,20}){1,6})(?=\s*(?:[.!,。，\n\u4e00-\u9fff]|\Z))"
)
"""A passphrase that is the whole answer."""


def _answer(text: str, kind: Cue, start: int, end: int) -> list[Hit]:
    said = text[start:end].strip()
    if len(said) > 80:
        return []
    tokens = list(_ANSWER_TOKEN.finditer(text, start, end))
    for token in tokens:
        value = token[0].rstrip(".!?")
        sized = (
            _SIZES[kind].fullmatch(value) is not None and any(c.isdigit() for c in value)
            if kind in _SIZES
            else _valuey(value)
        )
        if sized and not (kind not in {Cue.CVV, Cue.PIN} and _MEASURE_LIKE.fullmatch(value)):
            return [Hit(_REASONS[kind], token.start(), token.start() + len(value))]
    asked = kind in {Cue.PASSWORD, Cue.LOGIN}
    phrase = _SAID_PHRASE.match(text, start, end) if asked else None
    if phrase and not any(_is_talk(word) for word in phrase["value"].split()):
        return [Hit(Reason.PASSWORD, *phrase.span("value"))]
    alone = len(tokens) == 1 and tokens[0][0] == said and said.isalpha() and said.isascii()
    if asked and alone and len(said) >= 4 and not _is_talk(said):
        return [Hit(Reason.PASSWORD, *tokens[0].span())]
    return []


_BACKWARDS = re.compile(
    r"(?P<value>[^\s\"'`，。,;；]{4,40})[\"'`]?(?:\s(?:is|was|as|for)(?: (?:my|the|his|her|our|their))?(?: [a-z]{2,10})?\s(?:password|passcode|passphrase|pwd|pin)(?![a-z])|\s?(?:是|为|就是)(?:我的?|他的?|她的?|客户的?)?[\u4e00-\u9fff]{0,4}(?:密码|口令))"
)


def _backwards(text: str) -> list[Hit]:
    """'hunter2 is my password'."""
    hits = []
    for start, end in near_words(text, _SECRET_WORDS, 60):
        hits += _pointing_back(text, start, end)
    return hits


_SECRET_WORDS = ("password", "passcode", "passphrase", " pwd", " pin", "密码", "口令")


def _pointing_back(text: str, start: int, end: int) -> list[Hit]:
    hits = []
    for m in _BACKWARDS.finditer(text, start, end):
        value = re.sub(r"^.*[\u4e00-\u9fff:：(（<]", "", m["value"])
        if _valuey(value) and not _MEASURE_LIKE.fullmatch(value):
            hits.append(Hit(Reason.PASSWORD, m.end("value") - len(value), m.end("value")))
    return hits


_LOGINS = re.compile(
    r"(?:log(?:ged|s)?[ \-]?(?:in|on)|sign(?:ed)?[ \-]?in|用|username|user|账号|用户名)\s?(?:with|using|as|is|:|=|是|为)?\s?(?P<user>[a-z0-9_.@\-]{2,40})\s?(?:/|and|,|、|\||with|和|，)\s?(?P<value>[^\s\"'`，。,;；/、\u4e00-\u9fff]{5,40})(?=\s*(?:[.,;，。\n]|$|登录|登陆|to |in ))"
)


_OUTCOMES = frozenset(
    "fails fail failed failing works worked returns returned shows showed gives gave ends ended crashes crashed breaks broke stops stopped errors errored blocked denied page screen form attempt attempts issue issues problem problems error".split()
)
"""What a log-in does: 'login fails with E4017' names no user."""


def _logins(text: str) -> list[Hit]:
    """'log in with admin / Winter2026!': a name and a secret behind it."""
    hits = []
    for m in _near(text, ("log", "sign", "user", "用", "账号"), _LOGINS):
        value = m["value"]
        mixed = any(c.isdigit() for c in value) and any("a" <= c <= "z" for c in value)
        named = not m["user"].isdigit() and m["user"] not in _OUTCOMES
        if mixed and named and not _MEASURE_LIKE.fullmatch(value) and "." not in value.strip("."):
            hits.append(Hit(Reason.PASSWORD, *m.span("value")))
    return hits
