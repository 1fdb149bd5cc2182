"""Gate 7: a text that would change rights, money, checks or the agent's own rules is no memory.

A remembered line is read again by an agent that can move money, so a line that gives orders about checks, refunds or
rules would be an instruction from whoever wrote it (memory poisoning). How to serve the customer ('e-mail only', 'no
bullet points', 'refund to the original card, not to balance') is exactly what is kept.

The rules stand in tables, a row a way of saying it. They are read over the normalised text, and over a copy without
gaps, so that '免 审 核' and 'i g n o r e' are what they spell.
"""

import re
import unicodedata
from functools import lru_cache

from pipeline.facts import PASSED, Verdict
from pipeline.normalise import normalised
from pipeline.reasons import Reason

# --- words ------------------------------------------------------------------------------------------------------------

_CHECK = (
    r"(?:(?:identity|id|security|safety|account|credit|fraud|manual|human|further|additional|any|all|the|your|usual|"
    r"normal|standard|prior|extra|kyc|aml|refund|2fa|two-factor|manager(?:'s)?|supervisor) ?)*"
    r"(?:checks?|checking|verif(?:ication|ications|ying)|validation|reviews?|approvals?|authoriz?s?ation|"
    r"authentication|authenticating|audits?|vetting|confirmation|"
    r"kyc|identification|security questions?|questions asked|proof|receipts?|controls?|restrictions?|limits?|polic(?:y|ies))"
)
_OURS = (
    r"(?:refunds?|returns?|credits?|claims?|requests?|orders?|compensation|payments?|charges?|discounts?|replacements?|"
    r"cancell?ations?|withdrawals?|transfers?|transactions?|purchases?|upgrades?|account|customer|user|client|me|us|my \w+|"
    r"this (?:customer|account|user|client))"
)
_STANDING = r"(?:always|never|every ?time|automatically|from now on|in (?:the )?future|going forward|henceforth|forever|by default|unconditionally|no matter what|regardless|immediately|at once|permanently)"
_RULES = r"(?:instructions?|rules?|prompts?|polic(?:y|ies)|guidelines?|guardrails?|directives?|constraints?|restrictions?|safeguards?|filters?|safety (?:\w+ )?(?:settings?|rules?)|training|programming|protocols?)"

_审 = r"(?:人工|身份|安全|实名|任何|所有|一切|再|多次|二次|风控|资质|信用|进行|做|走|经过?|通过|本人)*(?:审核|审查|审批|核验|核实|验证|校验|复核|检查|查验|风控|认证|确认身份|身份确认|盘问|审计|人脸识别|鉴权)"
_免 = r"(?:免除?|免于|无需|无须|不需要?|不用|不必|不要|别|跳过|绕过|绕开|略过|省略|省去|豁免|不经过?|不走|取消|关闭|忽略|去掉|放弃)"
_钱 = r"(?:退款|退货|退钱|赔付|赔偿|补偿|理赔|返现|打款|提现|转账|报销|减免|折扣|优惠|申请|请求|要求|订单|赔款)"

# --- rules: English ---------------------------------------------------------------------------------------------------

_ENGLISH = (
    # the agent's rules: ignore, forget, override
    rf"\b(?:ignore|disregard|forget|override|overrule|bypass|circumvent|disobey|do not follow|don'?t follow|stop following|drop|discard|erase|set aside|pay no attention to)\b[^.!?\n]{{0,20}}?\b(?:all|any|every|the|your|these|those|previous|prior|above|earlier|preceding|existing|current|original|system|safety|company|refund|security)\b[^.!?\n]{{0,24}}?\b{_RULES}\b",
    rf"\b(?:ignore|disregard|forget) (?:everything|all|anything|what) (?:above|before|prior|previous|you (?:were|have been|was) (?:told|instructed)|said|that came before|so far)\b",
    rf"\b(?:your|the) (?:new|real|actual|updated|only) {_RULES} (?:is|are|:)",
    rf"\b(?:new|updated|additional|override) (?:system )?(?:instructions?|directives?|rules?) ?(?:for (?:the |this )?(?:agent|assistant|ai|bot|model|you)|:)",
    r"\bsystem ?(?:prompt|instruction|override|message|notice|command|note|directive|update)s? ?[:：]",
    r"(?:^|[\n.>\"'\[(])\s*\[?(?:system|assistant|developer|admin(?:istrator)?|root|tool|function) ?\]? ?[:：](?! ?(?:ubuntu|windows|mac|ios|android|linux|debian|\d|error|unavailable|is |was ))",
    r"<\|?/?(?:im_start|im_end|system|assistant|tool_call|tool|function_call|endoftext|instructions?|prompt)\b[^>\n]{0,20}\|?>",
    r"\[/?(?:inst|sys|system|tool_call|tool_calls)\]|<<\s*/?sys\s*>>|^\s*#{1,4}\s*(?:system|instructions?|new rules?)\b|\bbegin system\b|\bend of (?:system )?prompt\b",
    r"[\"']?\b(?:tool_calls?|function_call|tool_use|tool_name)\b[\"']?\s*[:=(\[{]",
    r"\{\s*[\"']?(?:action|tool|function|name|command)[\"']?\s*:\s*[\"'](?:issue_?|approve_?|grant_?|give_?|set_?|apply_?|create_?|force_?)\w+[\"']",
    r"\b(?:call|invoke|run|execute|use) (?:the )?(?:tool |function |api )?[`\"']?(?:issue|approve|grant|set|apply|force|process|create)_\w+",
    r"\b(?:issue|approve|grant|force|process|apply|set|give)_(?:refund|discount|credit|admin|access|vip|payment|balance|role|permission)s?\s*\(",
    r"\b(?:you are|you're|youre) now (?:a |an |in |my |the |no longer |free|un|called|acting|operating|admin)",
    r"\b(?:act|behave|respond|answer|operate) as (?:if (?:you|i|we|there) (?:are|were|am|was|had|have)|though (?:you|i)|(?:a|an|the|my) (?:ai|admin|administrator|root|developer|unrestricted|unfiltered|supervisor|different|system|manager|human agent without))",
    r"\b(?:pretend|role ?-?play|imagine|assume|simulate)\b[^.!?\n]{0,16}\b(?:you(?:'re| are| have)|i(?:'m| am) (?:an? |the |your )?(?:admin|administrator|manager|supervisor|owner|ceo|developer|employee|vip|staff|boss)|that (?:you|i|we)(?:'re| are|'m| am)?|to be)",
    r"\b(?:developer|dev|god|debug|admin|sudo|root|jailbreak|dan|maintenance|unrestricted|override) mode\b(?! (?:in|of|on|is (?:off|missing|broken)|button|switch|toggle|setting|option|crash|does|do|doesn|shows?))",
    r"\bjail ?break|\bdo anything now\b|\bprompt injection\b",
    rf"\b(?:reveal|show|print|repeat|output|leak|tell|give|send)\b[^.!?\n]{{0,20}}\b(?:system prompt|your (?:prompt|instructions|rules|hidden|internal)|hidden (?:instructions|prompt)|internal (?:rules|instructions|prompt))",
    r"\b(?:from now on|henceforth|going forward|starting now|as of now|in future|in the future|always)\b[^.!?\n]{0,12}\byou(?:'ll| will| must| shall| should| have to| are to| need to| may| can|r job)?\b (?:must |always |only |never |have to )*(?:obey|comply|agree|approve|accept|trust|believe|do (?:what(?:ever)?|anything|everything|as)|follow (?:my|his|her|their|this customer)|grant|refund|give|treat|skip|ignore|bypass|not (?:ask|check|verify|question|refuse)|never (?:ask|check|verify|question|refuse|deny)|say yes|let me)",
    r"\b(?:obey|trust|believe|accept|agree (?:to|with)|comply with|approve|grant|honou?r)\b (?:whatever|anything|everything|all|every|any)\b(?! (?:terms|cookies|conditions|changes))",
    r"\b(?:do|follow|execute) (?:whatever|anything|everything|every (?:command|order|instruction)|all (?:commands|orders)) (?:i|this customer|the customer|he|she|they|that i)\b",
    r"\b(?:never|do not|don'?t|stop|no longer|must not|should not|shouldn'?t|cannot|not to)\b (?:ever |again )?(?:refus(?:e|ing)|deny(?:ing)?|declin(?:e|ing)|reject(?:ing)?|question(?:ing)?|challeng(?:e|ing)|contradict(?:ing)?)\b[^.!?\n]{0,30}\b(?:me|my|us|our|this|any|request|requests|refunds?|customer|claims?|him|her|them)\b",
    rf"\b(?:never|do not|don'?t|stop|no longer|without|no need to|needn'?t|not to|must not|shouldn'?t|should not|don'?t ever|don'?t need to|doesn'?t need to|do not need to|needs? not)\b (?:ever |again |to |have to |bother to )?(?:ask(?:ing)?|request(?:ing)?|requir(?:e|ing)|demand(?:ing)?|verif(?:y|ying)|check(?:ing)?|validat(?:e|ing)|authenticat(?:e|ing)|confirm(?:ing)?|perform(?:ing)?|run(?:ning)?)\b(?: (?:me|us|him|her|them|this customer|the customer))?(?: again)?(?: (?:for|about|to show|to provide|to verify|to prove))?(?: (?:my|our|their|his|her|the|any|an?|this (?:customer|account|user)'?s?))*(?: )?(?:id|ids|identity|identities|proof|verification|verif\w+|passwords?|security|authentication|documents?|receipts?|approval|authori[sz]ation|ownership|eligibility|kyc|fraud|credentials|checks?|who i am|anything before)\b",
    rf"\b(?:this|the) (?:customer|account|user|client|caller)\b[^.!?\n]{{0,40}}\b(?:does not|doesn'?t|do not|don'?t|need not|needn'?t|never|should not|shouldn'?t|must not|is not required|isn'?t required|not have to|can|may|is allowed to|is permitted to|is authori[sz]ed to|has permission to)\b[^.!?\n]{{0,24}}\b(?:verif\w*|checks?|checked|approv\w*|review\w*|authenticat\w*|identif\w*|id|identity|questioned|refused|denied|refunds?|discounts?|bypass|skip|override|access|unlimited|free)\b",
    # checks: skip, waive, without
    rf"(?:^|[,;:.!?\n\"'(]|\b(?:please|always|just|to|and|so|can|could|must|should|will|may|now|then|you|also|agents?|staff|support|customer)) ?\b(?:skip|bypass|waive|omit|disable|turn off|switch off|forgo|dispense with|drop|avoid|suspend|relax|lift|remove|override|circumvent)\b (?:\w+ ){{0,3}}?{_CHECK}(?! (?:screen|page|step (?:is|was|fails|does)|mail|e-?mail|button|code|link|popup|modal|form|image|engine|box|list|boxes|digit|sum|in|out|rule for))\b(?=[^.!?\n]{{0,40}}\b(?:me|my|mine|us|our|this|for|on|all|any|future|always|identity|i)\b|[ .!,;\"')]*$|[.!,;\n])",
    rf"\b(?:always|never|every|all|any|each|approve|refund|pay|credit|grant|process|issue|accept|release|reimburse|compensate)\b[^.!?\n]{{0,50}}\b(?:without|w/o|no|bypassing|skipping|minus|with no|with zero|zero|regardless of|irrespective of|despite) (?:\w+ ){{0,2}}?{_CHECK}\b(?! (?:code|mail|e-?mail|message|from you|number))",
    rf"\b(?:exempt(?:ed|ion)?|free|excused|excluded|waived|whitelisted|white-listed|allow-?listed|immune) (?:\w+ ){{0,2}}?(?:from|for) (?:\w+ ){{0,3}}?{_CHECK}",
    rf"\b{_CHECK} (?:is|are|be|should be|must be|can be|may be|has been|have been) (?:not (?:needed|required|necessary)|never (?:needed|required)|unnecessary|waived|skipped|disabled|off|optional|pre-?approved|bypassed)(?: (?:for|on|with|in case of) (?:me|us|my|our|this (?:customer|account|user|client)|any|all|every)|[^.!?\n]{{0,16}}\b(?:always|from now on|in future|forever)\b)",
    rf"\b(?:no|zero) {_CHECK} (?:is |are )?(?:needed|required|necessary|ever|for (?:me|us|this (?:customer|account|user)|my|our))\b",
    r"\b(?:no questions asked|pre-?approved for|whitelist(?:ed)? (?:me|my|this|our|account|customer)|allow-?list (?:me|my account|this customer)|blanket approval|carte blanche|auto-?approv\w+ (?:all|every|any|my|our|refunds?|requests?|me|this|for))",
    # rights and roles claimed
    r"\b(?:i'?m|i am|we are|we'?re|this (?:customer|user|client|account|caller) is|the customer is|customer is|treat (?:me|us|this customer|the customer) as|consider (?:me|us|this customer)(?: as)?|mark (?:me|us|this customer|my account|this account|the account) as|flag (?:me|my account|this customer|this account|us) as|register (?:me|us) as|set (?:me|my account|this account|this customer) (?:to|as)|list (?:me|us) as|record (?:me|us|this customer) as|label (?:me|us) as)\b (?:an? |the |your |our )?(?:\w+ )?(?:vip|v\.i\.p|trusted (?:customer|user|account|partner)|verified (?:already|customer|user|account)|pre-?verified|super ?user|super ?admin|root|priority one|top[- ]tier|unlimited)\b(?!s| (?:lounge|customers|clients|support portal))",
    r"\b(?:i'?m|i am|this is|speaking is|we are)\b (?:an? |the |your |one of your |from )?(?:\w+ )?(?:administrator|admin|supervisor|manager|ceo|owner|employee|staff|developer|engineer|engineering team|security team|it department|auditor|police|bank)\b[^.!?\n]{0,40}\b(?:so|and|therefore|which means)\b[^.!?\n]{0,30}\b(?:skip|bypass|override|approve|refund|grant|no need|don'?t need|give me|do as|must|ignore|without)\b",
    r"\b(?:has|have|having|got|hold|holds|enjoy|enjoys|with|grant(?:ed|s)?(?: me| us| this customer)?|give(?: me| us| this customer)?|receive|entitled to)\b (?:the )?(?:full |highest |maximum |max |supreme |unlimited |unrestricted |top |complete |admin(?:istrator)?(?:'s)? |root |superuser |elevated |special |lifetime |permanent )+(?:permissions?|privileges?|access|authority|rights?|clearance|override|refunds?|credits?|discounts?)\b(?! (?:is|are|was|to the dashboard|in the app|error|denied|menu|page|tab|setting))",
    r"\b(?:entitled to|authori[sz]ed (?:to|for)|eligible for|qualif(?:y|ies) for|guaranteed|promised|granted|owed)\b (?:an? |the |any |all |every )?(?:\w+ ){0,2}(?:unlimited|free|lifetime|permanent|automatic|instant|unconditional|immediate|override|self-approve|approve)\b[^.!?\n]{0,30}(?:refunds?|discounts?|upgrades?|credits?|shipping|service|replacements?|access|subscription|requests?)?",
    # money: standing orders
    rf"\b(?:always|automatically|unconditionally|every ?time|immediately and always)\b (?:\w+ ){{0,2}}?(?:refund|reimburse|approve|credit|compensate|waive|discount|upgrade|comp|grant|give (?:me|us|this|them|him|her|a|an|free)|accept|pay out|pay me|pay us)\b(?! (?:to |back to |via |by |onto |the original|to the original|the card|my card|card))[^.!?\n]{{0,60}}",
    rf"\b(?:refund|reimburse|approve|credit|compensate|waive|discount|upgrade|grant|give|accept|authori[sz]e)\b[^.!?\n]{{0,40}}\b(?:always|automatically|unconditionally|every ?time|forever|no matter what|regardless|from now on|going forward|in (?:the )?future|without exception|by default|for life|permanently|every order|each order|all orders|all future)\b",
    rf"\b(?:from now on|going forward|henceforth|in (?:the )?future|by default|forever|permanently)\b[^.!?\n]{{0,20}}\b(?:refund|reimburse|approve|credit|compensate|waive|grant|discount|upgrade|give (?:me|us|this customer|them))\b(?! (?:to |via |by |onto |back to |invoices? |me (?:a )?(?:call|receipt|invoice|notice|heads|short)|us (?:a )?(?:call|receipt|invoice|notice|heads|monthly)))",
    rf"\b(?:approve|accept|authori[sz]e|grant|refund|waive)\b (?:all|everything|any|every|each|whatever|anything)\b(?: (?:\w+ ){{0,3}}{_OURS}| i| this| he| she| they|[.!,]|$| (?:from|by|of|for) (?:me|us|this|my))",
    r"\b(?:all|any|every|each|future|my|our|this customer'?s?) (?:\w+ ){0,2}?(?:refunds?|requests?|claims?|returns?|orders?|charges?|credits?|withdrawals?|transactions?)\b[^.!?\n]{0,16}\b(?:is|are|must be|should be|shall be|to be|will be|be|get|gets)\b (?:\w+ ){0,2}?(?:pre-?approved|approved|granted|accepted|auto-?approved|refunded in full|paid in full|free|unlimited|waived|honou?red)\b(?! (?:yet|by my|by our|by the|by finance|\?))",
    r"\b(?:give|grant|apply|offer|get|gets|receive|receives|owe|owes|provide|add|extend)\b[^.!?\n]{0,30}\b(?:free (?:of charge|shipping|upgrades?|service|orders?|subscription|months?)|(?:\d{1,3} ?%|percent|big|full|maximum|max|permanent|lifetime|staff|employee|special|standing|extra|vip)[^.!?\n]{0,10}(?:discounts?|off|refunds?|credits?)|discounts?)\b[^.!?\n]{0,30}\b(?:always|every|forever|for life|permanently|on all|all orders|each|any|automatically|from now on|without|in future|lifetime|whenever)\b",
    r"\b(?:customer|account|user|client|we|i)\b (?:always |permanently |automatically )*(?:gets?|receives?|has|have|enjoys?|is entitled to|are entitled to|am entitled to|is owed)\b (?:an? |the )?(?:\w+ )?(?:\d{1,3} ?(?:%|percent) (?:off|discount)|(?:permanent|lifetime|free|unlimited|automatic|standing|full|unconditional) (?:\w+ )?(?:discounts?|refunds?|credits?|upgrades?|shipping|replacements?))\b(?: (?:on|for) (?:everything|all|every|life|any)| always| forever|[.!,]|$)",
    r"\b(?:raise|increase|set|change|lift|double|remove|reset|reduce|add|top up|write)\b (?:my|our|the|this customer'?s?|this account'?s?|\w+)? ?(?:account |credit |refund |spending |withdrawal |transfer |daily |store )*(?:balance|credit limit|refund limit|spending limit|withdrawal limit|transfer limit|limit|permissions?|privileges?|access level|debt|invoice|points)\b (?:to|by|from|as|always|permanently|without|entirely)\b[^.!?\n]{0,40}\b(?:\d|zero|unlimited|maximum|max|admin|without|always|permanently|infinite)",
    # memory as the lever
    r"\b(?:add|write|put|save|store|record|note|insert|enter)\b[^.!?\n]{0,30}\b(?:to|in|into|on) (?:my|your|the|this customer'?s?|its|our) (?:\w+ )?(?:profile|memory|memories|file|record|records|notes?|long-term memory|knowledge base|crm)\b[^\n]{0,40}\b(?:vip|approved|no (?:checks?|verification|review)|without|exempt|admin|trusted|verified|unlimited|refund|discount|bypass|skip|override|always right|authori[sz]ed)\b",
    r"\bcustomer is always right\b[^.!?\n]{0,30}\b(?:approve|refund|obey|must)\b",
    r"\b(?:sudo|chmod|grant all|drop table|rm -rf)\b (?:\w+ )?(?:refund|give|make|me|access|privileges|admin|-rf|/)",
)

# --- rules: Chinese, read without gaps and punctuation kept ------------------------------------------------------------

_CHINESE = (
    rf"(?<![避难幸不未])免(?:除)?(?:一切|所有|任何|人工|身份|安全|实名)*(?:审核?|核验|验证|审批|核实|检查|校验|复核|风控|认证|密支付)(?!员|码|失败|页|码?收不到)",
    rf"(?:以后|今后|从此|从现在起|从今以后|永远|一律|每次|任何|所有|凡是|直接|统统|都|全部|默认|请|给我|帮我|可以|能|麻烦|必须|应当|应该|客户|用户|账号|账户|我|咱|本人|且|并|，|^|。|；|：|“|\")(?:的)?(?:{_钱})?(?:都|可|可以|就|请|一律|直接)*{_免}(?:再|走|做|对我|对该客户|我的?|客户的?)*{_审}(?!码|邮件|短信|失败|不通过|的?(?:按钮|页面|步骤|流程图|图片|状态|员))",
    rf"{_钱}[^。！？!?\n]{{0,10}}{_免}[^。！？!?\n]{{0,4}}{_审}",
    rf"{_免}(?:走|做|经)?(?:任何|所有|一切)(?:的)?(?:审核|审查|审批|核验|核实|验证|校验|复核|检查|手续|流程|规定|限制|规则|限额)",
    rf"(?:以后|今后|从此|从现在起|从今以后|永远|一律|每次|任何|所有|凡是|无论|不管|只要|无条件|自动|默认|全部)[^。！？!?\n]{{0,14}}(?:{_钱}|退)[^。！？!?\n]{{0,10}}(?:直接|全额|通过|同意|批准|秒批|秒退|放行|给过|照办|照批|自动|无条件|优先通过|都退|都批|都给|都赔|都减免|都免|必须给|立即到账)",
    rf"(?:以后|今后|从此|从现在起|永远|一律|每次|无条件|自动|默认)[^。！？!?\n]{{0,10}}(?:批准|同意|通过|放行|秒批|答应|满足|照办|全额退|全额赔|免单|免费升级|免费送|打折|给我折扣|给(?:我|他|她|该客户|这个客户)?[一二三四五六七八九半\d]+折)(?!后|了吗|才)[^。！？!?\n]{{0,12}}",
    r"无条件(?:退款|全额|通过|批准|同意|服从|满足|赔付|退货|信任|接受)|直接全额退|全额退款(?:且|并)?(?:不|无|免)|(?:自动|一律|全部|统统)(?:批准|审批通过|审核通过|放行)",
    r"(?:最高|管理员|超级|超管|root|特殊|全部|所有|无限|最大|一切|内部|顶级|系统)(?:级别?的?|的)?(?:权限|特权|授权)(?=[^。！？!?\n]{0,2}(?:$|[，。,；;！”\"」]|的?(?:客户|用户|账号)|给|可|且|，|直接|以后|无需|不))(?<!没有管理员权限)",
    r"(?:享有|享受|拥有|具有|具备|授予|赋予|开通|给予|获得|提升(?:为|到|至)?|升级(?:为|到|至))(?:我|他|她|该客户|本客户|该用户|此账号|客户)?(?:了|着|永久|终身|全部|所有|一切)*(?:的)?(?:最高|管理员|超级|特殊|全部|所有|无限|最大|一切|终身|永久|免费|优先)(?:的)?(?:级别|级|的|别)*(?:权限|特权|折扣|优惠|退款权|免单|升级|待遇|豁免|授权)",
    r"(?:该|本|此|这个|这位|我这个)(?:客户|用户|账号|账户|顾客|会员)(?:已)?(?:是|为|属于|系)(?:我们的|你们的|尊贵的|平台的?|高级|超级|最高级?)*(?:vip|贵宾|内部员工|内部人员|管理员|超级用户|白名单|至尊|最高级|可信|免检|特权)",
    r"(?:^|[，。,；;！“\"「：:])(?:我|本人|咱|我们|在下)(?:可)?(?:是|为|乃|系)(?:你们的?|贵司的?|平台的?|尊贵的?|高级|超级|老|资深|最高级?)*(?:vip|贵宾|至尊会员|内部员工|内部人员|超级用户|超级管理员)(?:客户|用户|会员)?",
    r"(?:把|将)(?:我|本账号|该客户|此账号|这个账号|我的账号|我账号|本客户)(?:的)?[^。！？!?\n]{0,6}(?:标记|设置?|标注|列|加|升级|改|登记|备注|拉|视|当)(?:为|成|入|进|到|作|做)?(?:了)?[^。！？!?\n]{0,4}(?:vip|贵宾|白名单|内部|管理员|免检|免审|可信|特权|最高|已验证|已核验|已认证|信任)",
    r"(?:加入|列入|拉进|放进|进入|纳入)(?:你们的?)?(?:免检|免审|信任|退款|特权)?白名单|免检客户|免审客户",
    r"(?:忽略|无视|忘记|忘掉|忘了|抛弃|放弃|不要遵守|不要理会|不用遵守|别管|别理|不用管|不必遵守|不遵守|违反|推翻|覆盖|绕过|绕开|跳过|解除|取消|突破)(?:掉)?(?:你|你们|以上|之前|上面|前面|先前|此前|原有|原来|所有|一切|全部|任何|系统|公司|当前|现有|平台|这些|那些|的|设定|安全|退款|内置|那套|什么)+(?:的|全部|所有)*(?:指令|指示|规则|规定|提示词?|设定|设置|限制|约束|政策|说明|要求|命令|安全策略|策略|流程|审核流程)(?!里|中的|页)",
    r"(?:系统|管理员|开发者|官方|后台|内部|平台|客服主管|超级管理员|system|admin|assistant|developer)(?:的)?(?:提示词?|指令|消息|通知|命令|公告|备注|授权|设定|更新|prompt)?[:：](?=[^\n]{0,60}(?:请?记住|必须|以后|今后|一律|直接|权限|审核|退款|验证|你(?:现在|要|必须|应)|忽略|该客户|本客户|客户|用户|vip|批准|通过|免))",
    r"(?:^|[\n。；“\"【\[<《])(?:系统|system)(?:提示词?|指令|消息|命令|覆盖|公告|prompt)[】\]>》]?[:：]?",
    r"(?:你|您|ai|机器人|客服|助手)(?:现在|从现在起|接下来|今后|以后)(?:就)?(?:是|扮演|变成|作为|进入|处于|必须|只能|要|应该|不再|要无条件)(?!.{0,3}(?:哪|什么|在线|有空|人工|忙))[^。！？!?\n]{0,24}(?:角色|模式|身份|管理员|服从|听从|听我|照做|执行|答应|同意|批准|退款|开发者|没有限制|不受|规则|限制|助手|超级|无限制|dan)",
    r"(?:从现在起|从现在开始|从今以后|从今往后|自此|从此以后|今后|以后)[，,]?(?:你|您|你们|客服|助手|机器人)(?:都|就|只|必须|要|应该?|一律|永远|不能|不得|不准|不许|只能)+[^。！？!?\n]{0,10}(?:服从|听从|听我|照做|照办|同意|答应|批准|通过|相信|信任|满足|全额|直接退|退款|免|不得拒绝|不能拒绝|拒绝|放行|执行)",
    r"(?:扮演|假装|假设|假定|模拟|进入|切换到?|启用|开启|打开)(?:一个|一下|成|为|你|我|自己|到)*(?:是|成|为)?[^。！？!?\n]{0,6}(?:开发者模式|管理员模式|越狱|没有限制|不受限制|无限制|上帝模式|调试模式|管理员|超级用户|dan模式|维护模式|root)(?!.{0,4}(?:没有反应|失败|打不开|崩溃|按钮|怎么))",
    r"(?:无条件|必须|只能|要|永远|绝对|完全)(?:地)?(?:服从|听从|听信|相信|信任)(?:我|客户|该客户|本人|他|她|用户)|(?:我|客户|该客户)(?:说|讲|要求)(?:的|什么)?(?:都|就|全)(?:是对的|照做|照办|给办|批|同意|算数|听)|听我的(?:命令|指令)|不(?:得|能|准|许|可以?|要)(?:再)?(?:拒绝|质疑|反驳|否决|驳回)(?:我|该客户|本客户|他|她|客户|任何|其|此客户)",
    r"(?:不要|别|不用|无需|不必|不得|不准|禁止|停止|不许|以后不)(?:再)?(?:问|查|核对|核实|验证|要求|索要|让我|向我要|找我要|要我|审查|检查|确认)(?:我|他|她|该客户|客户|本人)?(?:的|提供|出示|上传)?(?:身份证?件?|身份信息|证件|验证码|凭证|证明|实名|密码|资质|购买凭证|订单凭证|发票凭证|退款理由|退款原因|理由|资格)",
    r"(?:写进|写入|记入|记到|存入|存进|加进|加到|录入|备注到|保存到|记在|写到|添加到)(?:我的?|客户|该客户|系统|你的?|你们的?|用户|这个)*(?:的)?(?:档案|记忆|资料|备注|画像|系统|标签|长期记忆|记录|数据库)[里中]?[^。\n]{0,16}(?:vip|免|审核|权限|退款|折扣|优惠|批准|白名单|信任|已验证|已核验|贵宾|最高|全额)",
    r"(?:永久|终身|永远|一直|长期|所有订单|每单|全场|无限|以后都)(?:都|给|享|享有|享受|给我|要给|有|打|的)*(?:免费|免单|[一二三四五六七八九半\d]+折|折扣|优惠价|免运费|全额退|无限退|补偿|免年费|减免)",
    r"(?:给|送|发|加|补|打|转|充|返)(?:我|该客户|他|她|本账号|此客户|这个客户)[^。！？!?\n]{0,8}(?:余额|积分|代金券|红包|补偿金?|折扣|优惠)[^。！？!?\n]{0,10}(?:以后|每次|每单|每月|永久|不用|无需|不需要|直接|自动|都)",
    r"(?:解除|取消|去掉|放开|关闭|提高|调高|调到|改成|设为|取消掉)(?:我|该客户|此账号|本账号|账户|账号|我们)(?:的)?(?:一切|所有|任何|全部|退款|提现|消费|交易|转账|单笔|每日)*(?:限制|限额|额度|风控|冻结|验证)(?:到|为|至|成)?(?:无限|最高|最大|不限|永久|以后|，?(?:不|无|免))",
    r"越狱|提示词注入|(?:告诉|输出|显示|打印|泄露|发|展示)(?:我|给我|一下)*(?:你的?|你们的?|系统)(?:的)?(?:系统)?(?:提示词|系统指令|内部规则|内部指令|隐藏指令)",
    r"(?:调用|执行|运行)(?:工具|函数|接口|命令)?[:：]?(?:[a-z_]*)(?:退款|赠送|提权|授权|refund|grant|approve|discount)[^。\n]{0,10}(?:\(|（|接口|工具|函数|直接|全额)",
)
_TAG_ONLY = r"免审核?|免核验|免验证|免审批|免风控|最高权限|无需审核|不需要审核|无条件退款|skip verification|no verification|bypass verification|full access"

_EN = tuple(re.compile(rule, re.IGNORECASE | re.MULTILINE) for rule in _ENGLISH)
_ZH = tuple(re.compile(rule, re.IGNORECASE | re.MULTILINE) for rule in _CHINESE)
_TAG = re.compile(rf"\W*(?:{_TAG_ONLY})\W*", re.IGNORECASE)
_SPELT = re.compile(r"(?<!\w)(?:\w[ .\-_*·/|]{1,3}){4,}\w(?!\w)")
_BETWEEN_HAN = re.compile(
    r"(?<=[\u3400-\u9fff])[\s.\-_*·/|~、•　]+(?=[\u3400-\u9fffA-Za-z])|(?<=[A-Za-z])[\s]+(?=[\u3400-\u9fff])"
)
MAX_WINDOW = 4_000
OVERLAP = 400


def judge_authority(text: str) -> Verdict:
    """Whether `text` gives an order about rights, money, checks or the agent's rules. Long texts in overlapping windows."""
    step = MAX_WINDOW - OVERLAP
    windows = (text[at : at + MAX_WINDOW] for at in range(0, max(1, len(text) - OVERLAP), step))
    return Verdict(reason=Reason.AUTHORITY) if any(_gives_orders(window) for window in windows) else PASSED


@lru_cache(maxsize=1024)
def _gives_orders(text: str) -> bool:
    plain = _plain(text)
    spelt = _SPELT.sub(lambda match: re.sub(r"[ .\-_*·/|]", "", match[0]), plain)
    if _TAG.fullmatch(spelt) or any(rule.search(spelt) for rule in _EN):
        return True
    joined = _BETWEEN_HAN.sub("", spelt)
    return bool(re.search(r"[\u3400-\u9fff]", joined)) and any(rule.search(joined) for rule in _ZH)


def _plain(text: str) -> str:
    """The normalised text in lower case, with straight quotes and NFKC punctuation."""
    view = unicodedata.normalize("NFKC", normalised(text).text).lower()
    return re.sub(r"[ \t]+", " ", view.replace("’", "'").replace("‘", "'").replace("“", '"').replace("”", '"'))
