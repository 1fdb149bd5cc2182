"""Protected matters as an agent notes them in passing: a clause that is nothing but the matter ('bipolar, off work until
March', '住院了'), a plan, a pill, an aid. Patterns, lower case; what makes them a trade is told in `statements`.
"""
# ruff: noqa: E501 (rows of words and patterns read best one a line)

import re

from pipeline.reasons import Reason

_BEGINS = r"(?:^|(?<=[.,;:!?，。；：！？\n(\u4e00-\u9fff])|(?<=[.,;:!?(] )|(?<= - )|(?<=[^a-z]so )|(?<=[^a-z]and )|(?<=[^a-z]but ))"
_STOPS = r"(?=\s*(?:[.,;:!?，。；！\n)\u4e00-\u9fff]|$|(?:so|and|but|since|from|until|because|after|who|which|last|this|when|makes?|keeps?|means?|on calls|on the phone|pls|please|no calls?)(?![a-z])))"
_ADJ = r"(?:(?:i'm|i am|i m|im|he's|he is|she's|she is|they're|we're|has|have|is|am|are|was|being|got|with|a|an|my|his|her|severe|severely|chronic|mild|acute|bad|terrible|frequent|recurring|newly|legally|partially|registered|also|very|quite|slightly|still|and|pre-?|type [12]|recovering|openly|devout|practi[sc]ing|born-again|strict|observant|lifelong) )"

_ILL = (
    r"(?:diabet(?:es|ic)|pre-?diabetic|hiv(?: positive)?|epilepsy|epileptic|asthma(?:tic)?|bipolar|schizophreni[ac]|ptsd|adhd|autis(?:m|tic)|dementia|alzheimer'?s?|parkinson'?s?|multiple sclerosis|crohn'?s?|c(?:o)?eliac|lupus|arthritis|fibromyalgia|migraines?|menopausal?|miscarriage|dyslexi[ac]|eating disorder|anorexi[ac]|bulimi[ac]|self-?harm(?:ing)?|panic attacks?"
    r"|lactose intolerant|slipped disc|herniated disc|suicidal|chemo(?:therapy)?|dialysis|colou?r[- ]?blind|blind|deaf|hard of hearing|registered disabled|severely disabled|physically disabled|disabled veteran|alcoholic|addict|(?:nut|peanut|penicillin|shellfish|latex|pollen|gluten|milk|egg|wheat) allergy|pregnant|immunocompromised|wheelchair user|wheelchair[- ]bound|bedridden|paraplegic|overweight|obese|infertile|leukaemia|leukemia|cirrhosis|endometriosis|sciatica|vertigo|tinnitus|glaucoma)"
)
_ILL_TOO = rf"(?:{_ILL}|depression|burn-?out|stress|anxiety|exhaustion|cancer|covid|long covid|pneumonia|surgery|an operation|a stroke|a heart attack|insomnia|back pain|a breakdown|a broken [a-z]+|a concussion|a hernia|alcoholism|addiction|an? (?:illness|injury|infection|disease)|(?:an? |the |his |her |my )?(?:[a-z]+ )?(?:operation|surgery|transplant|bypass|accident|fall))"
_MEDICINE = r"(?:blood thinners|beta[- ]?blockers|anti-?depressants|insulin|medication|meds|pain ?killers|steroids|hrt|the pill|chemo|sleeping pills|anti-?psychotics|anti-?histamines|statins|inhalers?|an inhaler|an epi-?pen|epi-?pens?|methadone|tranquilli[sz]ers|blood pressure (?:meds|tablets|pills))"
_BODY = r"(?:leg|arm|hip|wrist|ankle|foot|hand|collarbone|ribs?|back|neck|knee|fingers?|achilles|acl|shoulder|jaw|eye|sight|vision|hearing|hair)"

_ZH_BEGINS = r"(?:^|(?<=[,，。;；:：!！\s看说])|他|她|我|我们|客户|用户|老板|老板娘|本人|对方|联系人|[我他她]?(?:妈妈?|爸爸?|母亲|父亲|阿妈|阿爸|阿婆|阿公|阿嬷|老婆|老公|妻子|丈夫|太太|先生|儿子|女儿|孩子|小孩|老人|爷爷|奶奶|外婆|外公|家人|同事|岳父|岳母|婆婆|公公|弟弟|妹妹|哥哥|姐姐))"
_ZH_TIME = r"(?:前阵子|前段时间|去年|前年|今年|上个?月|上周|最近|目前|正在?|还|在|已经?|现在|刚刚?|又|一直|有点|有些|有|得了?|患|查出|确诊|常年|长期|因为?|要|需要|每[天周月]|每天要|是|家里|从小|天生|先天|轻度|重度|中度|产后|的)"
_ZH_ILL = r"(?:中风(?!险)|脑梗|脑溢血|脑出血|心梗|化疗|放疗|透析|住院|备孕|截肢|骨折|偏瘫|坐轮椅|腿脚不便|腿脚不好|行动不便|听力不好|戴助听器|戴着助听器|眼睛看不见|失眠严重|严重失眠|吃安眠药|吃抗抑郁药?|自闭症|孤独症|老年痴呆|抑郁症?|焦虑症|躁郁症|双相|强迫症|癫痫|哮喘|糖尿病|高血压|心脏病|癌症?|[肺胃肝肠乳腺宫颈甲状]{1,3}癌|白血病|尿毒症|肾衰|红斑狼疮|帕金森|渐冻症|白内障|青光眼|痛风|甲亢|甲减|乙肝|肝硬化|艾滋病?|梅毒|怀孕|流产|坐月子|产后抑郁|更年期|精神分裂|腰突|腰椎间盘突出|颈椎病|残疾|聋哑|失明|失聪|色盲|色弱|多动症|贫血|住进?icu|在?icu|尿毒症透析)"

ASIDES: dict[Reason, tuple[re.Pattern[str], ...]] = {
    Reason.HEALTH: tuple(
        re.compile(source)
        for source in (
            rf"{_BEGINS}{_ADJ}{{0,4}}(?:{_ILL})(?![a-z-]){_STOPS}",
            rf"(?<![a-z])(?:treated for|treatment for|off (?:work |sick )?with|out (?:sick )?with|out due to|away with|signed off(?: sick| work)?(?: with| for)?|recovering from|suffer(?:s|ing|ed)? from|struggl(?:es|ing) with|diagnosed with|battling|fighting|dealing with|coping with|living with|lives with|because of (?:her|his|my|the)?|can't [a-z ]{{2,20}} because of|died of|died from|lost to) (?:(?:severe|chronic|mild|her|his|my|acute|advanced|stage [0-9]|[a-z]+ and|post-?natal|post-?partum|clinical|early|late)\s){{0,3}}{_ILL_TOO}(?![a-z])",
            r"(?<![a-z])(?:is|'s|are|be|been|was) (?:out|off|away|absent|on leave)(?: work| sick)?[, ]{1,2}(?:with |due to |because of |for )?(?:burn-?out|depression|stress|sick(?:ness)?|surgery|chemo|mental health|maternity complications|illness)(?![a-z])",
            rf"(?<![a-z])(?:on|takes?|taking|needs?|carr(?:y|ies)|carrying|uses|prescribed|taken) (?:(?:some|strong|heavy|daily|his|her|my|regular|an?) ){{0,2}}{_MEDICINE}(?![a-z])",
            rf"(?<![a-z])(?:his|her|my|the customer's) {_MEDICINE} (?:make|makes|made|cause|causes|give|gives|is|are|was|were)(?![a-z])",
            r"(?<![a-z])(?:we're|we are|she's|she is|they're|they are|wife is|is|i'm|i am) expecting (?:in (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|spring|summer|autumn|winter)[a-z]*|a (?:baby|child|boy|girl|son|daughter)|twins|our (?:first|second|third))",
            r"(?<![a-z])(?:going through|doing|having|undergoing|started|starts|tried|trying|failed|round of) (?:another |a round of )?ivf(?![a-z])",
            r"(?<![a-z])(?:covid|corona|flu|strep|hiv|pcr|antigen|pregnancy|smear|biopsy|std|sti)(?:-19)?(?: test)?(?:s)?(?: (?:came back|is|was|turned|result|results|are|were|still))* (?:positive|negative|abnormal)(?![a-z])",
            r"(?<![a-z])(?:his|her|my|customer's|the customer's) (?:hba1c|a1c|bmi|cholesterol|blood (?:pressure|sugar|glucose|count)|psa|iq|cd4|t-score|creatinine)(?: (?:is|was|of|at|level|levels))* ?:? ?[0-9]",
            r"(?<![a-z])(?:in|into|entering|entered) (?:therapy|rehab|remission|hospice(?: care)?|intensive care|the icu|a coma|a psychiatric (?:ward|clinic|hospital)|detox|a wheelchair)(?: (?:for|twice|once|every|since|because|with|after|until)|(?=\s*(?:[.,;!?，。\n]|$)))",
            r"(?<![a-z])(?:is|was|'s|are|been|i'm|am) in (?:a )?(?:coma|hospital(?! software|s)|care home|nursing home|hospice|rehab|remission|therapy|intensive care)(?![a-z])",
            r"(?<![a-z])recovering (?:alcoholic|addict)|(?:drinking|drug|gambling|alcohol) (?:problem|addiction|habit)(?! solver)(?![a-z])",
            rf"(?<![a-z])(?:broke|fractured|sprained|tore|lost|dislocated|shattered|injured|is losing|losing) (?:(?:his|her|my|an?|the|both) )(?:left |right )?{_BODY}(?![a-z])(?! (?:of|to the))",
            r"(?<![a-z])(?:waiting for|waiting on|needs|had|got|received|awaiting|on the list for) (?:a|an|his|her|my) (?:new )?(?:kidney|liver|heart|lung|bone marrow|cornea|hip|knee|transplant)(?: (?:transplant|replacement|operation|surgery))(?![a-z])",
            r"(?<![a-z])(?:cancer|diabetes|heart disease|alzheimer'?s?|dementia|huntington'?s?|haemophilia|it|depression|breast cancer) (?:runs|run) in (?:the|his|her|my|their|our) (?:family|blood)",
            r"(?<![a-z])(?:has|have|with) ms(?=(?: and| so|,|\.|;|$))",
            r"(?<![a-z])(?:mental|nervous|emotional) breakdown(?![a-z])|(?<![a-z])menopaus(?:e|al)(?: symptoms| makes| is|[,.。\u4e00-\u9fff]|$)|hot flushes",
            r"(?<![a-z])(?:his|her|my|their) (?:kidneys?|liver|heart|lungs?|eyesight|sight|hearing|health|memory|back|mental health|hearts?|mobility)(?: is| are| was| were|'s| has been) (?:failing|weak|going|bad|poor|getting worse|damaged|deteriorating|not good|limited|shot|terrible)(?![a-z])",
            r"(?<![a-z])(?:has|have|having|with|had) (?:an? )?(?:stoma|colostomy bag|rare (?:[a-z]+ )?(?:disease|condition|disorder)|brain tumou?r|heart murmur|weak heart|hernia|catheter|prosthetic (?:leg|arm|hand)|hearing aids?|pacemaker|chronic (?:illness|pain|condition)|learning (?:disability|difficult(?:y|ies))|speech impediment|stutter|limp|health (?:issue|problem|condition)s?|medical (?:issue|problem|condition)s?|covid|long covid|the flu|cancer|down'?s syndrome)(?![a-z])",
            r"(?<![a-z])(?:lost|losing|miscarried) (?:the|her|our|a|my) baby|on the (?:autism|autistic) spectrum|(?:long-term|extended|indefinite) sick(?: leave)?(?= (?:leave|since|until|with|from)|[.,;]|$)|(?:is|was|'s|been|got|get) signed off(?: sick| work)|(?:undergoing|had|having|needs|after|awaiting|scheduled for) (?:an? )?(?:[a-z]+ )?(?:surgery|mastectomy|hysterectomy|bypass|operation on|chemotherapy|radiotherapy|abortion|gender reassignment)(?! (?:disk|tool|software|clinic))(?![a-z])",
            r"(?<![a-z])(?:is|was|'s|are|been|in|at|from) (?:the )?hospital (?:till|until|since|for (?:a|the|[0-9]|two|three|an)|this|next|all (?:week|day|month)|with (?:a|his|her|my)|again|after)(?![a-z-])|(?:^|(?<=[.,;] ))(?:in )?hospital(?:ised|ized)? (?:all (?:week|day)|until|till|since|this|next)(?![a-z-])",
            r"(?<![a-z])(?:blind|deaf) (?:in|on) (?:one|his|her|my|the left|the right|both|left|right) (?:eye|ear|side)s?|(?<![a-z])hiv ?\+|(?<![a-z])(?:undergoing|having|receiving|needs|finished|after|during|starts?|started|on) (?:[a-z]+ )?(?:cancer|chemo|radiation|radio|dialysis|fertility|hormone|psychiatric|physio|trauma)[a-z]* ?(?:treatment|therapy|sessions?)(?![a-z])",
            r"(?<![a-z])pregnancy (?:complications?|is|scare|loss|symptoms|test was)|(?<![a-z])expecting (?:twins|a baby|triplets|a child)|(?<![a-z])(?:with|has|have|had) (?:very )?(?:high|low) blood (?:pressure|sugar)(?! (?:monitor|meter|cuff|app))|(?<![a-z])stage (?:[1-4]|i{1,3}|iv|one|two|three|four) (?:[a-z]+ )?(?:cancer|lymphoma|melanoma|tumou?r|carcinoma|leuka?emia)",
            r"(?<![a-z])(?:his|her|my|their) (?:depression|anxiety|asthma|diabetes|epilepsy|adhd|arthritis|migraines?|ptsd|cancer|ibs|crohn'?s|blood pressure|dementia|parkinson'?s|alzheimer'?s|allergy|allergies|autism|pregnancy|disability)(?:'s| (?:is|has|gets|got|was|makes|means|acts|came|are|keeps|flared)(?![a-z]))|(?<![a-z])(?:due to|because of|given|with|owing to) (?:my|his|her|their|a|the)? ?disabilit(?:y|ies)(?! (?:access|rights|page|team))|(?<![a-z])mental health (?:issues?|problems?|struggles?|crisis|reasons?|condition)(?![a-z])",
            r"耳背|耳朵(?:听不见|听不清|不好|聋)|眼睛(?:不好|看不见|看不清|不行)|(?:腰|膝盖|颈椎|胃|肺|嗓子)(?:不好|有病|坏了|有毛病|动过手术)|血[糖脂压](?:偏|很|有点|太)?高(?!压)(?=\s*(?:[,，。;；\n]|$|要|不能|谢谢))|(?:^|(?<=[,，。;；:：\s看说是])|她|我)孕妇(?=\s*(?:[,，。;；\n]|$|不能|谢谢|请))|大肚婆|怀了?[\u4e00-\u9fff0-9]{1,4}个月|对(?:海鲜|花生|牛奶|鸡蛋|花粉|尘螨|青霉素|虾|蟹|坚果|药物|酒精|乳糖|麸质|猫毛|狗毛)\s?(?:过敏|敏感)",
            rf"{_ZH_BEGINS}{_ZH_TIME}{{0,5}}{_ZH_ILL}(?:症|了|过|中|期间|在家|期|后遗症|很?严重|卧床|晚期|早期|三个月|好几年|多年)?(?=\s*(?:[,，。;；!！\n]|$|谢谢|请|后|要|吃|不能|没法|所以|手术|[0-9一二三四五六七八九十]+(?:个月|年|周)|三次))",
            r"(?:半边|右半|左半|半个)身(?:子|体)|身体不听使唤|断了(?:一)?(?:条|只|根)?(?:腿|胳膊|手臂|腰|肋骨)|(?:右|左|双|一只)?(?:手|腿|臂|脚)截肢|坐轮椅(?!坡道|配件|的客户群)|戴(?:着)?助听器|有残疾证|(?:新冠|检测|核酸)(?:阳了|阳性|又阳)|(?:体检|检查)(?:查出|发现|显示)(?:了|有)?[\u4e00-\u9fff]{1,10}|腿脚不(?:便|好|方便)|(?:听力|视力|记性|心脏|身体|血压|肾|肝)(?:不好|很差|下降|有问题|不行|出问题)(?!的[\u4e00-\u9fff]{0,4}(?:器|机|系统|软件|电脑|车))|(?:在|住)(?:进)?(?:了)?icu|吃(?:着)?(?:安眠药|降压药|抗抑郁药|激素|靶向药|止痛药|抗排异药)",
        )
    ),
    Reason.RELIGION: tuple(
        re.compile(source)
        for source in (
            rf"{_BEGINS}{_ADJ}{{0,4}}(?:muslim|jewish|hindu|sikh|buddhist(?: monk| nun)?|mormon|jehovah's witness|atheist|catholic|quaker|falun gong (?:member|practitioner))(?![a-z]){_STOPS}",
            r"(?<![a-z])(?:born-again|devout|practi[sc]ing|evangelical|observant|orthodox) (?:christian|muslim|jew|catholic|hindu|buddhist|protestant)(?![a-z])",
            r"(?<![a-z])(?:fasting|no calls|don't call|do not call|not available|unavailable|can't (?:talk|work|eat))[^.\n]{0,30}(?:ramadan|shabbat|sabbath|lent|yom kippur|friday prayers?)|(?:ramadan|shabbat|sabbath|lent|yom kippur)[^.\n]{0,24}(?:fasting|not allowed|not available|can't)|(?<![a-z])(?:fasting|fasts) (?:for|during|in) (?:ramadan|lent)",
            r"(?<![a-z])(?:member of|belongs to|joined|active in|volunteers at|sings in|elder of|deacon of) (?:the |a |an |his |her |my |our )?(?:[a-z]+ )?(?:church|mosque|synagogue|parish|congregation|falun gong|temple choir|church choir)(?![a-z])",
            r"(?<![a-z])(?:was |got |been |were |is |being |getting )?bapti[sz]ed(?![a-z])(?! by fire)|(?<![a-z])(?:our|my|his|her) (?:pastor|priest|imam|rabbi|parish|mosque|synagogue|church)(?![a-z])",
            r"(?:^|(?<=[,，。;；:：\s看说])|他|她|我|客户|用户|本人)(?:也|都|是|为|是个|一家都?是|全家是|系)?(?:一名|一个|个|位)?(?:虔诚的)?(?:穆斯林|回教徒|佛教徒|基督徒|天主教徒|道教徒|居士|法轮功学员|耶和华见证人|摩门教徒)(?=\s*(?:[,，。;；!！\n]|$|谢谢|请|不吃|要|所以))",
            r"斋月(?:期间|里)?(?:不|要|在|我|别|没法)|皈依(?:了|三宝|佛门)|(?:吃素|烧香|初一十五[\u4e00-\u9fff]{0,4}|天天|每天)拜佛|守(?:安息日|斋)|在封斋|(?:要|去|参加)(?:做)?(?:礼拜|弥撒|主麻)",
        )
    ),
    Reason.BIOMETRIC: tuple(
        re.compile(source)
        for source in (
            r"(?<![a-z])(?:finger ?print|face|facial|iris|palm(?: ?vein)?|voice(?: ?print)?|vein|retina|thumb ?print)s? (?:templates?|codes?|hash(?:es)?|ids?|vectors?|samples?|data|features?|embeddings?)[^\n.]{0,24}?(?<![a-z0-9])(?=[a-z:]{0,12}[0-9])[a-z0-9:\-]{7,}(?![a-z])",
            r"(?<![a-z])(?:scanned|captured|took|recorded|stored|enrolled|registered|collected|copied|exported) (?:his|her|my|their|the customer's|the client's) (?:iris|irises|face|finger ?prints?|thumb ?print|palm|voice|retina|voice ?print|gait)(?![a-z])(?! id screen)",
            r"(?<![a-z])(?:scan|print|copy|image|photo) of (?:his|her|my|their|the customer's) (?:right |left )?(?:thumb|finger|index|palm|iris|face|retina)(?![a-z])|(?<![a-z])dna (?:results?|report|tests?|samples?|profile)s? (?:is |are |was |were )?(?:attached|on file|enclosed|received|stored|shows?)|dna样本(?:编号|id|已|是|:)|(?:采集|录入|登记|留存)了?(?:声纹|指纹|虹膜|人脸|掌纹)(?!失败|不|设备|仪|机|功能|超时|时|界面|页|锁)(?=\s*(?:[,，。;；\n]|$|谢谢|请|信息|数据))",
            r"(?<![a-z])voice biometrics? (?:enrolled|registered|captured|stored|recorded|on file)|(?<![a-z])dna (?:profile|sequence|markers?|sample)(?:s)? [a-z0-9]|(?<![a-z])(?:his|her|my|their|the customer's) (?:face id|touch id|facial|biometric|fingerprint|iris|voice) (?:data|record|records|template|image|images|scan|profile)(?: (?:was|were|is|are|has|have))|(?<![a-z])(?:his|her|my|their) (?:thumb ?print|finger ?prints?|palm ?print|voice ?print|iris scan|retina scan) (?:is|are|was|were) (?:on|in|with|stored|taken|kept)",
            r"(?:掌静脉|指静脉|掌纹|虹膜|声纹|指纹|人脸)(?:编号|id|编码|特征码|序号)\s?(?:是|为|:)?\s?[a-z]{0,4}[0-9a-f]{4,}|dna(?:检测|比对|鉴定)(?:结果)?(?:显示|为|是|表明)|基因(?:检测|测序)(?:结果|报告)(?:显示|表明|为)|(?:客户|用户|他|她|我|员工|本人)?(?:留了?|按了?|录了?|采了?|存了?)(?:客户|用户|他|她|我|员工|本人)?的?(?:指纹|掌纹|声纹|虹膜|人脸(?!考勤))(?!锁|打卡|登录|支付|功能|失败|不了|识别)|刷脸(?:数据|记录|照片)(?:已|被)?(?:留存|保存|采集|入库|上传)",
        )
    ),
    Reason.SEXUAL_LIFE: tuple(
        re.compile(source)
        for source in (
            rf"{_BEGINS}{_ADJ}{{0,3}}(?:bisexual|lesbian|transgender|non-?binary|pansexual|asexual|homosexual|gay)(?![a-z])(?! (?:marriage|bar|rights|club|pride|friendly|magazine|dating)){_STOPS}",
            r"(?<![a-z])(?:he|she|they|customer|who|son|daughter|i) (?:has |have |just |recently |finally |only )?c[ao]me out(?= (?:last|this|to (?:his|her|my|their)|as|recently|in [0-9])|\s*(?:[.,;]|$))|(?<![a-z])(?:his|the husband's) (?:boyfriend|husband)(?![a-z])",
            r"(?<![a-z])(?:are|we're|they're|both|is|am|i'm) (?:both )?(?:lesbians?|gay|bisexual|transgender)(?![a-z])(?! (?:bar|club|magazine|dating|rights|marriage|friendly))",
            r"(?:^|(?<=[,，。;；:：\s看说])|他|她|客户|老板|对方|我)(?:在外面|一直|曾经?)?(?:有|搞)(?:了|过)?(?:婚外情|外遇|小三|情人)|和(?:男朋友|男友)同居[^。\n]{0,6}男的|和(?:女朋友|女友)同居[^。\n]{0,6}女的",
        )
    ),
    Reason.POLITICS: tuple(
        re.compile(source)
        for source in (
            r"(?<![a-z])(?:card-carrying|lifelong|registered|proud|hardcore|staunch|die-hard) (?:communist|socialist|republican|democrat|tory|conservative|liberal|marxist|libertarian|green)(?![a-z])|(?<![a-z])(?:trump|biden|brexit|labour|tory|afd|bjp|modi|putin|maga|le pen|farage|corbyn|sanders|dpp|kmt) (?:supporter|voter|fan|backer|donor|activist|member)(?![a-z])",
            r"(?<![a-z])(?:is|was|am|'s|'m|are|became|as) (?:an? |the |our )?(?:shop steward|union (?:rep(?:resentative)?|steward|organi[sz]er|member|official|delegate))(?![a-z])",
            r"(?:民进党|国民党|共和党|民主党|工党|保守党|台独|港独|蓝营|绿营|特朗普|川普|拜登)(?:的)?(?:支持者|拥护者|铁粉|粉丝|党员|选民|志愿者)|(?:^|(?<=[,，。;；:：\s看说])|他|她|客户|我|本人)(?:是|担任|当)?(?:厂里?|公司|单位)?(?:的)?工会(?:主席|干部|骨干|代表|会员|委员)(?=\s*(?:[,，。;；!\n]|$|谢谢|请))",
        )
    ),
    Reason.SPECIAL_CATEGORY: tuple(
        re.compile(source)
        for source in (
            rf"{_BEGINS}{_ADJ}{{0,3}}(?:asylum seeker|refugee(?: from [a-z]+)?|undocumented|stateless|bankrupt|unemployed|homeless|divorced|widowed|ex-con(?:vict)?|convicted felon|black (?:man|woman|guy|lady)|white (?:man|woman|guy|lady)|asian (?:man|woman|guy|lady)|on (?:benefits|welfare|disability|parole|probation|bail|universal credit))(?![a-z])(?:{_STOPS}|(?= (?:last|in|since|this|for) ))",
            r"(?<![a-z])(?:he's|she's|i'm|they're|is|am|are|was) (?:half|part|ethnically|of mixed) (?:chinese|black|white|japanese|korean|indian|african|asian|arab|jewish|turkish|kurdish|russian|german|italian|irish|mexican|native|roma|race)(?![a-z])",
            r"(?<![a-z])(?:earns?|makes?|makings?|paid|on|salary|income|take-?home(?: pay)?|net pay|gross pay|wages?)(?: (?:is|of|about|around|just|only|roughly|at))* ?[$€£¥₹] ?[0-9][0-9,.]{0,10} ?(?:k|m)?(?: (?:a|per) (?:month|year|week|hour|annum))?(?=\s*(?:[.,;!，。\n\u4e00-\u9fff]|$|net|gross|before|after|a |per ))|(?<![a-z])(?:monthly|annual|weekly|net|gross) take-?home(?: pay)?(?: (?:is|of))? ?[0-9][0-9,.]{2,}",
            r"(?<![a-z])(?:in|with|sent to|handed to|gone to) debt collections?(?![a-z])|(?<![a-z])(?:arrested|jailed|convicted|sentenced|charged|imprisoned|deported|cautioned|fined) (?:for|in|with|last|twice|again)(?! (?:the call|the beta|detail))(?![a-z])(?= [a-z0-9])",
            r"(?:^|(?<=[,，。;；:：\s看说])|他|她|我|客户|用户|本人|家里|对方)(?:是|属于|已经?|刚|去年|前年|曾经?|还|系)?(?:个|一个|一名|名|位)?(?:少数民族|难民|黑户|低保户|贫困户|五保户|单亲(?:妈妈|爸爸|家庭)|非法移民|刑满释放人员|失信人员|老赖|破产了?|下岗(?:了|工人)|失业(?:了|中)|离异|离婚了|丧偶)(?=\s*(?:[,，。;；!！\n]|$|谢谢|请|所以|带))",
            r"(?:房贷|车贷|贷款|月供|按揭)(?:每个?月|一个月|还|要|得|是|大概|:|\s){1,4}\s?[0-9一二三四五六七八九][0-9.,千万百]*",
        )
    ),
    Reason.MINOR: tuple(
        re.compile(source)
        for source in (
            r"(?<![a-z])(?:my|his|her|our|their|the) (?:kids|children|sons|daughters|boys|girls|twins|grandkids|grandchildren) (?:are|were|aged?|turn(?:ed)?|just turned) (?:only |just |now |both )?(?:[0-9]|1[0-7])(?:(?:,| and|/| &) ?(?:[0-9]|1[0-7])){0,3}(?![0-9.:%])",
            rf"{_BEGINS}(?:i'm |he's |she's |is |was |still |they're )?(?:under|not yet|below|younger than) (?:13|14|16|18)(?! (?:years? of|%|percent|gb|mb|eur|usd|visitors|users|characters|inch)){_STOPS}",
            r"(?:^|(?<=[,，。;；:：\s看说])|他|她|我|孩子|儿子|女儿|弟弟|妹妹)(?:今年|才|刚满?|还)*(?:上|读|念|在读)(?:小学|初中|高中|初[一二三]|高[一二三]|[一二三四五六]年级|幼儿园)(?=\s*(?:[,，。;；!！\n]|$|谢谢|请|了|呢|的(?=[,，。\n]|$)))|(?:我|他|她|本人)(?:今年|才|刚满?|现在)\s?(?:[0-9]|1[0-7]|十[一二三四五六七]?)\s?(?:周?岁)?(?=\s*(?:[,，。;；!！\n]|$|谢谢|请))",
        )
    ),
}  # fmt: skip
