"""Whether a ticket says anything at all: one in which the customer only greets and thanks costs no model call."""

import re
import unicodedata

from pipeline.events import Role
from pipeline.quoting import own_words
from pipeline.transcript import Line, Transcript

_COURTESIES = """
hi hello hey hiya there good morning afternoon evening day dear team support all thanks thank you thx ty cheers very so
much many a lot again ok okay k alright great perfect cool nice awesome wonderful excellent sure fine got it understood
noted yes yep yeah yup no nope nothing else that is that's for now it's bye goodbye see later take care have lovely one
weekend too same to welcome your my help really appreciated appreciate i you're youre and the best regards kind pleasure
problem worries done please don't dont need anything will do ta brilliant
"""
_WORDS = frozenset(_COURTESIES.split())
_HAN = re.compile(
    r"(?:你好|您好|在吗|在么|早上好|上午好|下午好|晚上好|早安|晚安|哈喽|嗨|喂|好的?|行|可以|嗯+|哦+|噢|啊|呢|吧|了|的|哈+|嘿+|"
    r"嘻+|谢+|多谢|感谢|非常|十分|太|真|麻烦|辛苦|您|你们?|大家|客服|亲|收到|明白|知道|了解|懂|没有|没|别的|其他|问题|事|不用|"
    r"不客气|没事|再见|拜+|祝|生活|工作|愉快|顺利|周末|快乐|就这样|先这样|就这些|是的?|对的?|没错|好嘞|好滴|棒|赞|帮助|帮忙|"
    r"回复|解答|耐心|服务|一下|那|就|都|很|也)+"
)
_LATIN = re.compile(r"[a-z]+(?:'[a-z]+)?")
_QUESTION = re.compile(r"[?？]\s*$|(?:吗|么|呢|吧|对不对|是不是|行不行|可以不)[。.!！?？]*\s*$")
_CLOSING = re.compile(
    r"anything else|something else|other questions?|further questions?|help you|assist you|how can i|how may i"
    r"|还有(?:什么|其他|别的)|其他(?:问题|需要)|(?:可以|能)帮|请问有什么|需要帮",
    re.IGNORECASE,
)
_ASSENT = re.compile(
    r"\b(?:yes|yep|yeah|yup|no|nope|sure|ok|okay|fine|right|correct|perfect|great|alright)\b|[好行对是嗯可没不]",
    re.IGNORECASE,
)


def says_something(transcript: Transcript) -> bool:
    """False only where no customer message holds more than greetings, thanks and idle assent. In doubt True."""
    before: Line | None = None
    for line in transcript.lines:
        if line.role is Role.CUSTOMER and (_is_more(own_words(line)) or _answers(line, before)):
            return True
        before = line if line.role is not Role.CUSTOMER else before
    return False


def _is_more(text: str) -> bool:
    plain = unicodedata.normalize("NFKC", text).casefold().replace("’", "'")
    rest = _HAN.sub(" ", plain)
    if any(char.isalnum() for char in _LATIN.sub(" ", rest)):
        return True
    return any(word not in _WORDS for word in _LATIN.findall(rest))


def _answers(line: Line, before: Line | None) -> bool:
    """A 'yes' to 'Shall we write by e-mail?' says a lot; a 'no' to 'Anything else?' does not."""
    if before is None or not _ASSENT.search(line.text):
        return False
    return bool(_QUESTION.search(before.text)) and not _CLOSING.search(before.text)
