"""Whether a ticket says anything at all: one in which the customer only greets and thanks costs no model call."""

import re
import unicodedata

from pipeline.events import Role
from pipeline.quoting import own_words
from pipeline.transcript import Transcript

_COURTESY = (
    "hi hello hey hiya there good morning afternoon evening day dear team support all thanks thank you thx ty cheers "
    "very so much many a lot again ok okay k alright great perfect cool nice awesome wonderful excellent sure fine got it "
    "understood noted yes yep yeah yup no nope nothing else that is that's all for now is it's bye goodbye see later take "
    "care have have a nice great good lovely day one weekend evening you too same to welcome your my help it really "
    "appreciated appreciate i you're youre and the best regards kind pleasure no problem worries done works well please "
    "don't dont need anything will do lovely ta brilliant for"
)
_WORDS = frozenset(_COURTESY.split())
_BARE = frozenset(
    ["is", "it's", "its", "i", "a", "so", "the", "and", "for", "my", "your", "will", "need", "it", "all", "no", "yes", "you", "too", "that", "that's", "to", "have", "for", "now"]
)
_HAN = re.compile(
    r"(?:你好|您好|在吗|在么|早上好|上午好|下午好|晚上好|早安|晚安|哈喽|嗨|喂|好的?|行|可以|嗯+|哦+|噢|啊|呢|吧|了|的|哈+|嘿+|嘻+|谢+|谢谢|多谢|感谢|"
    r"非常|十分|太|真|麻烦|辛苦|您|你们?|大家|客服|亲|收到|明白|知道|了解|懂|没有|没|别的|其他|问题|事|不用|不客气|没事|再见|拜拜?|拜|"
    r"祝|生活|工作|愉快|顺利|周末|快乐|就这样|先这样|就这些|是的?|对的?|没错|好吧|好嘞|好滴|棒|赞|帮助|帮忙|回复|解答|耐心|服务|一下|那|就|都|很|也)+"
)
_LATIN = re.compile(r"[a-z]+(?:['’][a-z]+)?")


def says_something(transcript: Transcript) -> bool:
    """False only where no customer message holds more than greetings, thanks and assent. In doubt True."""
    return any(_is_more(own_words(line)) for line in transcript.lines if line.role is Role.CUSTOMER)


def _is_more(text: str) -> bool:
    plain = unicodedata.normalize("NFKC", text).casefold()
    rest = _HAN.sub(" ", plain)
    words = _LATIN.findall(rest)
    if any(char.isalnum() for char in _LATIN.sub(" ", rest)):
        return True
    return any(word.replace("’", "'") not in _WORDS for word in words)
