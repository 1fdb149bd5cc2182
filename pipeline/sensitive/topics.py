"""Words without which no pattern of a protected matter can match. Data only.

Stems, found anywhere in the text as it stands between two spaces; a blank before or after one is a word's edge. They only
spare the work: a pattern is tried near them and nowhere else.
"""
# ruff: noqa: E501 (rows of words and patterns read best one a line)

from pipeline.reasons import Reason

TOPICS: dict[Reason, tuple[str, ...]] = {
    reason: tuple(stems.split("|"))
    for reason, stems in {
        Reason.HEALTH: (
            "耳背|耳朵|眼睛|膝盖|胃|肺|嗓子|大肚|敏感|operation|accident|hospital|pressure|complication|mental|autism|allergies|drinking|gambling|burnout|burn-out|stress|expecting|ivf|therapy|covid|pcr|hba1c|bmi|menopaus|breakdown|self-harm|selfharm|epipen|epi-pen|meds|medicine|pill|inhaler|prescri|collarbone|lost |broke |tore |sprain|failing|eyesight|stoma|catheter|hernia|spectrum|ms |coma|care home|nursing home|out sick|hot flush|bedridden|parapleg|stutter|killers|thinners|医院|住院|icu|残疾|轮椅|助听|安眠|阳了|又阳|备孕|身子|身体|腿脚|断了|听力|体检|检查|记性|吃着|吃|腰|diabet|cancer|tumo|leuk|lymphoma|melanoma|hiv|aids|hepatit|tubercul|epilep|asthma|copd|depress"
            "|anxiety|bipolar|schizo|ptsd|ocd|adhd|autis|asperg|dementia|alzheim|parkinson|sclerosis|crohn|ibs"
            "|coeliac|celiac|lupus|arthrit|fibromyal|migraine|blood|hypertens|heart|stroke|kidney|dialysis"
            "|cirrhos|anemia|anaemia|hemophil|haemophil|sickle|thyroid|pcos|endometr|infertil|disorder|anorex"
            "|bulimi|alcohol|addict|covid|pneumon|syphil|gonorr|chlamyd|herpes|hpv|eczema|psorias|glaucoma"
            "|cataract|blind|deaf|hearing|dyslex|syndrome|palsy|fibrosis|dystroph|sepsis|angina|arrhyth|insomn"
            "|apnea|apnoea|concuss|broken|fractur|slipped|back injury|back pain|chronic| mental|disab|panic att"
            "|psychos|suicid|allerg|intoleran|vision loss|tinnitus| gout|ulcer|colitis|osteopor|scolios|aneurysm"
            "|paraly|seizure|vertigo|miscarri|abortion|diagnos|suffer|positive|treated for|treatment for|medicat"
            "|medical|hospital|surgery| sick| ill|ill with|terminally|survivor|off work|signed off|on leave"
            "|carrier of| carries|itis|osis|emia|oma |pathy|plegia|algia|phobia|pregnan|expecting|breast|colour-b"
            "|colour b|color-b|color b|wheelchair|immunocomp|insulin|chemo|antidepr|methadone|ssri| leave"
            "|warfarin|prozac|lithium|statin|beta block|beta-block|antiretro| prep | hrt|rehab|remission|undergo"
            "|radioth| ivf|lactose|gluten|overweight|obese|sterile|recover|in therapy|therapist|transplant"
            "| bypass|vasectomy|colonosc|biopsy|amputat|c-section|hip replacement|knee replacement|pacemaker"
            "|mastect|hysterect|metformin|zoloft|lexapro|sertral|fluoxet|ritalin|adderall|xanax|valium|viagra"
            "|lisinop|levothyr|oxyco|antipsych|truvada|ozempic|humira|citalop|gabapent|tamoxif|steroid|painkill"
            "|sleeping pill|guide dog| cane|prosthe|colostomy|cochlear| stent|weeks|months|due date|bmi|hba1c"
            "|cholest|iq is|iq of|cd4|psychiat|psycholog|oncolog|palliative|hospice| als | std| sti | stis| tb|炎"
            "|硬化|艾滋|hiv|梅毒|淋病|性病|糖尿|血压|血脂|血糖|心脏|冠心|心梗|脑|中风|癌|白血|淋巴|肿瘤|抑郁|焦虑|躁郁|双相|精神|自闭|孤独症|多动|强迫症|癫痫|哮喘|结核|新冠|尿毒"
            "|肾|透析|痛风|狼疮|帕金森|阿尔茨|痴呆|贫血|血友|甲亢|甲减|甲状腺|溃疡|类风湿|椎|骨折|残疾|失明|失聪|聋|色盲|色弱|白内障|青光眼|不孕|多囊|肌瘤|脂肪肝|结石|银屑|白癜风"
            "|湿疹|过敏|瘫|截肢|心律|房颤|失眠|厌食|病|唐氏|渐冻|障碍|先天|综合征|患|确诊|诊断|怀孕|怀了|怀二胎|有喜|身孕|孕|预产|备孕|试管|流产|生完孩子|坐月子|哺乳|产假|更年期"
            "|产妇|手术|化疗|放疗|移植|搭桥|支架|服用|胰岛素|药|血型|住院|卧床|轮椅|行动不便|听力|视力|戒毒|酗酒|去世|盲人|体检|体重|肌酐|转氨酶|糖化|阳性|尿酸|胆固醇|心理医生|乙肝|肝|治疗|甲肝|丙肝|注射"
            "|激素"
        ),
        Reason.RELIGION: (
            "baptis|fasting|fasts|lent |shabbat|falun|皈依|斋|拜佛|礼拜|弥撒|主麻|居士|muslim|christian|catholic|protestant| jew|buddhis|hindu|sikh|mormon|atheis|agnost|jehovah|baptis"
            "|baptiz|lutheran|methodist|anglican|presbyter|evangel|quaker|orthodox|islam|taois|daois|shinto| jain"
            "|baha|scientolog|pagan|wicca|satan|zoroast|pentecost|adventist|falun|judaism| god|jesus|allah|church"
            "|mosque|synagogue|temple| mass|bible|prayer|pray|worship|congregat|parish|sunday service|kosher"
            "|halal|sabbath|shabbat|ramadan| lent|passover|yom kippur|hijab|turban|kippah|yarmulke|niqab|burqa"
            "|priest|imam|rabbi|pastor| nun| monk|deacon|bishop|mitzvah|religio|faith|belief|信仰|信奉|皈依|信佛|信基督|信天主"
            "|信伊斯兰|信道|信主|信上帝|佛|基督|天主|伊斯兰|道教|东正|印度教|犹太|摩门|耶稣|上帝|真主|菩萨|信了|信的|法轮|一贯道|妈祖|回教|喇嘛|穆斯林|教徒|道士|和尚|尼姑|神父|牧师"
            "|阿訇|居士|清真|教友|信徒|信众|无神论|出家|修女|礼拜|教堂|弥撒|吃斋|受洗|祷告|祈祷|封斋|朝觐|安息日|诵经|打坐|宗教|寺"
        ),
        Reason.SEXUAL_LIFE: (
            "nonbinary|non-binary|came out|come out|boyfriend|外遇|小三|情人|同居|gay|lesbian|bisex|homosex|heterosex| straight|transgend| trans |queer|asex|pansex|non-binary"
            "|nonbinary|intersex|polyam|virgin|sexual|impotent|celibate|swinger|sex work| escort|closeted|lgbt"
            "|sex life|came out|coming out|same-sex|same sex|boyfriend|girlfriend|husband|her wife|gender"
            "|attracted|erectile|one-night|one night|affair|marital|cheat|bdsm|is bi|同性|双性|异性恋|无性恋|跨性别|变性|同志|gay"
            "|拉拉|les|性少数|酷儿|出柜|泛性|性工作|性取向|性倾向|性向|性生活|婚外|出轨|嫖|一夜情|阳痿|早泄|性冷淡|性功能|性伴侣|男生和女生"
        ),
        Reason.POLITICS: (
            " steward|card-carry|supporter|voter|backer|donor|支持者|铁粉|拥护者|工会| vot|republic|democrat|labour|labor|conservat| tory|tories|lib dem|green party|liberal|snp|ukip"
            "|reform uk|afd|spd|cdu|fdp|socialis|communis|rally|trump|biden|obama|harris|clinton|brexit|maga|bjp"
            "|congress party|ndp|kuomintang|kmt|dpp|libertarian|far-right|far right|far-left|far left|antifa"
            "|proud boys|marxis|anarch|leftist|left-w|left w|right-w|right w|activist|union|politic|monarch"
            "|fascist|nationalist|national rally|nationality|separat|teamster| unite|unison|gmb|protest| party"
            "|demonstration| remain| bloc|ver.di|党|民盟|民革|九三|工会|左派|右派|自由派|保守派|台独|港独|异见|上访|维权|左翼|右翼|团员|政治|特朗普|川普|拜登"
            "|奥巴马|哈里斯|绿营|蓝营|游行|示威|抗议"
        ),
        Reason.MINOR: (
            " kids| children|grandk|grandch| twins|under |below |younger|读|念|今年|才|岁|year|month|yrs|yr | old|-old|y/o| son|daughter|child| kid| boy| girl| baby|babies|nephew|niece"
            "|toddler|twins| minor|underage|under-age|under age|under 1|kinderg|nursery|preschool|school| grade"
            "|-grade|newborn|infant|gave birth|new mother|new father|teenage| aged|儿子|女儿|孩|宝宝|娃|闺女|小朋友|婴|孙|侄|弟弟"
            "|妹妹|学生|双胞胎|未成年|少年|少女|岁|个月|幼儿园|小学|中学|初中|高中|年级|未满|不满|二胎|月龄"
        ),
        Reason.SPECIAL_CATEGORY: (
            " half | part |earn|collection|arrested|cautioned|fined|jailed|widowed|take-home|homeless|net pay|gross pay| on benefits| black | white | asian |少数|单亲|下岗|失业|按揭|难民|黑户|低保|salary|income|wage|take-home|takes home|take home|paycheck|pay slip|payslip|pension| earn| worth"
            "|bonus|compens| makes | make | made | paid|brings home|bring home|credit score|credit rating|fico"
            "|bankrupt| debt|insolven|welfare|benefits|unemploy|homeless|foreclos|evict|food stamp| owe| owing"
            "|divorc|separated|mortgage| loan|savings|universal credit|social security|criminal|police record|felon|convict|dui"
            "|dwi|rap sheet|arrest|incarcer|jail|prison|sentenced|indicted|charged with|probation|parole|on bail"
            "|deport|ex-con|sex offend| drug| served|house arrest|restraining|guilty|domestic|victim|smokes"
            "|cocaine|heroin| meth |薪|工资|收入|年终奖|退休金|养老金|公积金缴存|存款|资产|身家|月入|年入|挣|赚|月收|到手|征信|信用|芝麻|欠|负债|外债|房贷|车贷|贷款"
            "|网贷|离婚|离了婚|离异|分居|丧偶|月供|逾期|高利贷|赌债|失信|老赖|低保|贫困|被执行|破产|失业|无家可归|还贷|背着|犯罪|刑|违法|吸毒|案底|前科|坐牢|坐过牢|蹲|监狱|牢|入狱|被判|判了|缓刑|假释|拘留"
            "|逮捕|被捕|通缉|取保|酒驾|醉驾|劳改|劳教|社区矫正|诈骗罪|盗窃罪|家暴|赌博被| black| white|caucasian|african|hispanic|latin|asian"
            "|native |first nations|indigen|aborigin| roma|gypsy| arab|kurd|uyghur|uighur|tibet|han chinese"
            "|biracial|mixed race|multirac|islander|maori|inuit|ashkenazi|descent| origin |ancestry|heritage"
            "|ethnic| race|racial|skin col|immigra|citizenship|caste|undocum|refugee|asylum|stateless|overstayed"
            "|dreamer|daca|illegal|族|民族|种族|维人|藏人|回民|黑人|白人|混血|吉普赛|罗姆|非裔|拉丁裔|亚裔|华裔|原住民|难民|偷渡|黑户|移民|阿拉伯裔|印度裔|庇护"
        ),
        Reason.DATE_OF_BIRTH: (
            "birth| born|dob|d.o.b|b-day|bday|出生|生于|生日|生辰|诞生|生人|年生|月生|日生|号生|后生|0后|5后|年的人|0生|0 生|1生|1 生|2生|2 生|3生"
            "|3 生|4生|4 生|5生|5 生|6生|6 生|7生|7 生|8生|8 生|9生|9 生"
        ),
        Reason.BIOMETRIC: (
            "biometric|touch id|finger print|irises|掌静脉|采|录|留|刷脸|按了|存了| face|facial|fingerprint|iris|retina|voice|palm|biometric| gait|dna|hand geom|thumb| vein|brca|apoe"
            "| htt|cftr|genetic|left index|right index|人脸|面部|脸部|指纹|虹膜|声纹|掌纹|指静脉|视网膜|面容|步态|笔迹|基因|dna|耳廓"
        ),
    }.items()
}
