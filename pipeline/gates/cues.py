"""The words by which a clause shows that it is about somebody else, guessed, for once only, asked or not meant.

Data: each table is one kind of cue, English and Chinese. They are read over whole clauses of the message, not over the
quote alone, so that a quote cut short hides nothing.
"""

import re


def _any(*rules: str) -> re.Pattern[str]:
    return re.compile("|".join(rules), re.IGNORECASE)


_PERSON = (
    r"(?:sister|brother|mother|mom|mum|father|dad|wife|husband|girlfriend|boyfriend|fianc[eé]e?|son|daughter|kids?|child|"
    r"children|parents?|grand\w+|uncle|aunt|cousin|nephew|niece|friends?|buddy|flatmate|room-?mate|landlord|neighbou?rs?|"
    r"colleagues?|co-?workers?|boss|manager|supervisor|ceo|cto|cfo|director|assistant|intern|secretary|accountant|lawyer|"
    r"supplier|vendor|contractor|partner|client|customer|in-?laws?|mother-in-law|father-in-law|teammate|buyer|tenant)"
)
_PERSON_HAN = (
    r"(?:同事|老板|领导|上司|经理|主管|总监|朋友|闺蜜|姐姐?|妹妹?|哥哥?|弟弟?|妈妈?|母亲|爸爸?|父亲|爸妈|父母|老婆|老公|太太|妻子|丈夫|"
    r"女朋友|男朋友|女友|男友|对象|女儿|儿子|孩子|小孩|爷爷|奶奶|外公|外婆|邻居|供应商|厂家|客户|房东|室友|舍友|同学|助理|秘书|"
    r"婆婆|岳母|岳父|表哥|表姐|表弟|表妹|亲戚|对方|合作方|甲方|乙方|买家|卖家)"
)
_VERB = (
    r"(?:loves?|likes?|prefers?|wants?|needs?|hates?|dislikes?|uses?|wears?|lives?|works?|says?|said|told|thinks?|thought|"
    r"asked|asks|is|was|are|has|had|would|will|can|can.?t|doesn.?t|does|did|didn.?t|only|always|never|also|just|mentioned|"
    r"suggested|insists?|speaks?|runs?|got|gets|keeps?|recommends?|swears?)"
)
_VERB_HAN = (
    r"(?:说|讲|喜欢|爱|想|要|偏好|更|习惯|希望|只|不|是|用|在用|觉得|认为|建议|让|叫|一直|平时|每次|都|常|通常|住|需要|讨厌|倾向|提到|"
    r"推荐|告诉|反馈|反映|坚持|从来|对.{1,6}过敏|也)"
)

THIRD_PARTY = _any(
    rf"\b(?:my|our|his|her|their|a|the) (?:\w+ )?{_PERSON}(?:,? (?!and (?:i|me|we)\b)[a-z]+)?(?:['’]s\b| (?:who |that )?{_VERB}\b)",
    rf"\b(?:my|our|his|her|their) (?:\w+ )?{_PERSON} (?!and (?:i|me|we)\b)[a-z]+ {_VERB}\b",
    rf"(?:我|我们|咱们?|他|她|俺)(?:的|家|们)?{_PERSON_HAN}(?:们|那边|家|公司)?[\u4e00-\u9fff]{{0,3}}?{_VERB_HAN}",
    rf"^\W*(?:但是?|不过|然后|因为|而且|可是|那个?|另外)?(?:我们?的?|咱们?的?|这个|那个)?{_PERSON_HAN}(?:们|那边|家)?[\u4e00-\u9fff]{{0,2}}?{_VERB_HAN}",
)
"""An explicit other person as subject or owner."""

THIRD_PERSON = _any(
    rf"^\W*(?:(?:and|but|because|since|so|as|though|while|that|who|which|'?cause) )*(?:s?he|s?he's|they)(?:['’]\w+)? (?:\w+ )?{_VERB}\b",
    r"^\W*(?:(?:and|but|because|since|so|as|though) )*(?:s?he['’](?:s|d|ll))\b",
    rf"^\W*(?:但是?|不过|因为|所以|而且|可是|那)?(?:他|她|TA|对方)(?:们)?(?:\S{{0,2}}?){_VERB_HAN}",
)
"""A pronoun as subject: another person's preference or profile, but not the parcels of an episode ('they stopped')."""

OWN = _any(
    r"\b(?:i|i['’]\w+|we|we['’]\w+|me|us|myself|ourselves|mine|ours)\b|\b(?:my|our) own\b",
    r"(?:我们?|我司|我方|咱们?|俺|本人|本公司|我自己)(?!的?" + _PERSON_HAN + r")",
)

HEDGE = _any(
    r"\b(?:might|may (?!\d)(?:be|try|switch|move|want|need|go|use|consider|also|have|even|start|change)|maybe|perhaps|possibly|probably|presumably|supposedly)\b",
    r"\b(?:thinking (?:about|of)|considering|toying with|tempted to|leaning toward|debating|wondering (?:if|whether|about)|look(?:ing)? into|exploring)\b",
    r"\b(?:i guess|i suppose|not sure (?:if|whether|yet)|unsure|undecided|haven['’]?t decided|have not decided|no decision|could be|who knows|not certain|if i remember|iirc|i assume|apparently|rumou?r)\b",
    r"\bif (?:i|we) (?:ever|were|was|decide|end up)\b|\b(?:i|we) would (?:consider|maybe|probably|perhaps)\b",
    r"(?:可能|也许|或许|说不定|大概会|没准|估计|搞不好|兴许|听说|据说|好像是?要|应该会|可能会|应该[^，,。]{0,14}吧$|应该[^，,。]{0,14}吧[，,。])",
    r"(?:在考虑|考虑(?:要不要|是否|换|改|试)|还在(?:考虑|犹豫|纠结|评估)|犹豫|纠结|想试试|打算试试|有点想|不确定|不太确定|没确定|不好说|看情况)",
)
UNDECIDED = _any(
    r"\b(?:nothing|not|isn['’]?t|hasn['’]?t been|haven['’]?t|never|yet to be|un)[ -]?(?:is |been |yet |really )*(?:decided|final|finali[sz]ed|settled|certain|confirmed|set in stone)\b",
    r"还?(?:没|未|没有)(?:最终|完全)?(?:决定|定下来|定呢|定好|想好|拍板|确定|落实|定(?:$|[，,。]))",
)
"""Hedges that cover the whole sentence, whatever clause they stand in."""

ONCE = _any(
    r"\b(?:just |only )?(?:for )?(?:this|the) (?:one )?time(?: only| around| round)?\b(?! (?:and again|of (?:year|day|the)|zone|frame|slot|last|next|every))(?<!by this time)(?<!all this time)(?<!at the time)(?<!of the time)(?<!all the time)",
    r"\bthis once\b|\bjust (?:this |the |for )?once\b|\bone[- ]off\b|\bone[- ]time (?:only|exception|thing|request)\b",
    r"\b(?:for|only|just) (?:today|tonight|tomorrow|now|the moment|the time being|this week|this order|this one|this ticket|this delivery|this parcel|this trip|this month|this call)\b",
    r"\b(?:today|this time|this week|this order) only\b|\btemporar(?:y|ily)\b|\bfor a change\b|\bas an exception\b|\bexceptionally\b",
    r"这(?:一)?(?:次|回|单|趟|批|笔)(?!数|性|方|以后)|本次|此次|这次|今(?:天|晚|儿)(?:先|就|只)|就今天|仅此|只此|暂时|临时|下不为例|破例|例外|一次性",
    r"先(?:这样|用着|按|试试?|凑合|将就|放着)|(?<![\u4e00-\u9fff])(?:那|就|那就|要不|我|我们|你们?)?先(?!生)[^，,。]{1,10}吧",
)
WHILE = _any(
    r"\b(?:during|while|as long as|whenever|until|throughout) (?:i['’]?m|we['’]?re|i am|we are|my|our|the|on|in|this|that)\b[^,.;!?]*",
    r"[\u4e00-\u9fff]{1,8}期间|这(?:段时间|几天|两天|周|个月|阵子)(?!起|开始|以来)|在?[\u4e00-\u9fff]{1,6}(?:那几天|的那段时间)|在(?:出差|旅行|休假|住院|装修|放假)时",
)
"""A stretch of time: what holds in it holds only with it."""
ALWAYS = _any(
    r"\b(?:always|never|every ?time|each time|as usual|like always|normally|usually|in general|generally|from now on|going forward|in future|ever|every (?:order|delivery|month|week|day|invoice)|permanently|by default|that goes for everything)\b",
    r"以后|今后|从现在起|每次|每回|一直|平时|一般|通常|向来|从来|都是|永远|长期|每个?月|每周|每天|一律|往后|默认|不变|老样子",
)

ASKED = _any(
    r"^\W*(?:(?:and|but|so|or|well|hi|hello|hey|ok|okay|also|then) ?,? )*(?:do|does|did|is|are|was|were|am i|has|have you|will|what|what['’]s|how|why|when|where|which|who|whose|should i|shall i)\b[^.!。]*[?？]\W*$",
    r"(?:吗|么|呢|吧)\s*[?？]\W*$|(?:是不是|有没有|多少|什么|怎么|为何|为什么|哪(?:里|个|家|些|儿)|几(?:点|个|天|号)|是否)[^。！!]*[?？]\W*$",
)
REQUEST = _any(
    r"\b(?:can|could|would|will) (?:you|i|we|someone)\b|\bplease\b|\bmay (?:i|we)\b",
    r"能不能|能否|可以[^，,。]{0,20}吗|可不可以|能[^，,。]{0,20}吗|麻烦|请|帮|行吗|好吗|行不行|好不好",
)
SARCASM = _any(
    r"\b(?:i )?(?:just |really |absolutely |simply |totally )(?:love|adore|enjoy)(?:d|s)? (?:it |how |that |when |being |waiting|having to|getting|explaining|repeating|spending|talking to|your)\b",
    r"\b(?:oh,? )?(?:great|wonderful|fantastic|brilliant|lovely|awesome|perfect)[,!.]? (?:another|yet another|so now|just what|exactly what|as if)\b|\byeah,? right\b|\bas if\b|(?:^|\s)/s\b|\bhow (?:lovely|wonderful|nice|thoughtful|convenient)\b|\bthanks for nothing\b|\bwhat a (?:joke|treat|surprise)\b|\bmy favou?rite (?:thing|part|hobby|pastime) is (?:waiting|calling|repeating|explaining|being)\b|\bwho does ?n['’]?t love\b",
    r"(?:我)?(?:可|真|太|最|简直|特别|超|就)(?:是)?(?:太)?(?:喜欢|爱|享受|开心|荣幸|感谢)[^，,。]{0,4}(?:等|排队|被|反复|重复|折腾|来回|花时间|解释|打电话找)|呵呵|真(?:是)?(?:棒|好|厉害|可以)(?:啊|呢|哦)|好一个|可真(?:行|会|好|棒|是)|谢谢你们啊|服了|笑死|你们可真|真有你们的|反话|讽刺",
)
MOOD_KEYS = frozenset(
    "mood sentiment emotion feeling feelings attitude satisfaction customer_mood emotional_state frustration anger "
    "courtesy greeting thanks gratitude politeness tone_of_customer 情绪 心情 态度 满意度".split()
)
MOOD_VALUE = _any(
    r"^\W*(?:(?:is|was|feels?|felt|very|really|quite|so|a bit|extremely|rather|somewhat|customer|the|user|seems?|sounded?|got) )*(?:angry|upset|frustrated|annoyed|happy|unhappy|satisfied|dissatisfied|disappointed|pleased|furious|irritated|grateful|thankful|polite|impatient|sad|stressed|tired|in a (?:bad|good|hurry) ?mood?|bad mood|good mood)\W*(?:(?:today|now|with (?:the )?(?:service|support|us|wait)|about (?:it|this|the (?:delay|wait|service)))\W*)?$",
    r"^\W*(?:客户|用户)?(?:很|非常|有点|比较|十分|特别|今天|感到|表示|情绪|心情)*(?:生气|愤怒|不满|满意|高兴|开心|失望|着急|焦急|烦躁|不耐烦|感谢|感激|郁闷|难过|激动|不好|急躁|火大|礼貌|友好)(?:了|的)?\W*$",
)
CORRECTION = _any(
    r"\b(?:no,? wait|wait,? no|actually|scratch that|correction|i meant|i mean|sorry,? (?:i meant|not|it['’]?s|make that|wrong)|my (?:mistake|bad)|not .{1,30}(?:but|rather)|on second thou?ght|i misspoke|make that|strike that|instead of)\b",
    r"不对|说错|写错|打错|搞错|弄错|记错|更正|纠正|口误|应该是|不是[^，,。]{1,12}(?:，|,)?(?:是|而是)|改成|改为|还是(?:要|用|改|换|按|开|发|走)|算了|准确(?:地)?说|刚才说的?不",
)
