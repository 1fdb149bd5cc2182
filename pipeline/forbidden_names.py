"""The family of keys that are never kept, and what only looks like them. Data only.

English names are lower-case words; plurals, prefixes and suffixes are the matcher's business.
"""
# ruff: noqa: E501, SIM905 (rows of words and patterns read best one a line)

ENGLISH: frozenset[str] = frozenset(
    name.strip()
    for name in (
        # cards
        "card number|card num|card no|card nr|card|card last4|card last 4|card last four|last four of card|last4 of card|card digit|card detail|card data|card info|card pan|pan|pan number|pan no|card expiry|card exp"
        "|card expiration|card expiry date|expiry date of card|card first6|card bin|card first six|credit card|debit card|bank card|payment card|prepaid card|cc number|cc num|cc no|ccnum|ccn|cc|primary account number"
        "|card holder number|card account|card cvv|cvv|cvv2|cvc|cvc2|cvn|csc|cid code|cid amex|amex cid|card cid|cid number|card security code|card verification code|card verification value|card code|card pin|last 4|last4|last four|last four digit|last 4 digit|card on file|card value|card image|card photo|card scan|unionpay card|visa number|visa card|mastercard number|amex number|card track|track data|magstripe|magnetic stripe"
        # accounts
        "|bank acc|bank acc no|bank acc number|swift account|upi|upi id|upi vpa|vpa|paypal email|paypal id|alipay id|wechat pay id|venmo handle|cashapp tag|pix key|card tail|card ending|card end|bank account|bank account number|bank account no|bank acct|account number|account no|account num|account nr|acct number|acct no|acct num|account iban|iban|iban number|iban code|swift iban|routing number|routing no|routing|aba number|aba|sort code|bsb|bsb number|ifsc|clabe|bank routing|bank detail|bank number|bank no|bank info|bank account detail|beneficiary account|payee account|payout account|payout iban|checking account|saving account|giro account|alipay account|paypal account|bank code number|bank passbook"
        # government ids
        "|id number|id num|id no|id nr|id card|id card number|id card no|identity number|identity no|identity num|identity card|identity card number|identity document|id document|id doc|id photo|id scan|id image|id copy|id front|id back|id picture|national id|national identity|national id number|national identification|national number|nationality id|citizen id|citizen number|personal id|personal id number|personal number|personal identity number|personal identification number|government id|gov id|govt id|resident id|resident number|residence permit|residence permit number|state id|tax id|tax number|tax file number|tfn|taxpayer id|taxpayer number|taxpayer identification number|tin|itin|ssn|social security|social security number|social security no|social security num|ss number|ssn last4|social insurance|social insurance number|sin|sin number|national insurance|national insurance number|national insurance no|ni number|nino|nhs number|nhs no|nhs|aadhaar|aadhar|adhaar|aadhaar number|aadhaar no|uidai|voter id|epic number|passport|passport number|passport no|passport num|passport nr|passport photo|passport scan|passport image|passport copy|travel document|travel document number|visa document|dl no|dl num|driver s licence|driver s license|vehicle reg|vehicle reg no|vehicle reg number|car reg|car registration|car reg no|driver license|driver licence|drivers license|drivers licence|driving license|driving licence|driver license number|driving licence number|licence number|license number|dl number|licence no|license no|driver id|license plate|licence plate|number plate|plate number|plate no|vehicle plate|car plate|vehicle registration number|cpf|cnpj personal|dni|nie|nif|curp|rfc|rut|cuil|cuit|codice fiscale|fiscal code|pesel|bsn|personnummer|hkid|hk id|macau id|nric|mykad|rrn|birth certificate|birth certificate number|green card|green card number|alien number|military id|medicare number|medicare id|medicaid number|health card number|health insurance number|medical record number|mrn|health insurance id|insurance id number|travel permit|travel permit number|exit entry permit|home return permit|work permit number"
        # credentials
        "|password|passwd|passcode|pass code|pass phrase|passphrase|pass word|pwd|pswd|psw|pw|pass|user pass|user pw|db pass|wifi pass|wifi key|wpa key|pin|pin code|pin number|pin no|card pin|atm pin|tpin|mpin|puk|puk code|secret|secret key|secret answer|secret question answer|client secret|app secret|api secret|shared secret|consumer secret|webhook secret|signing secret|totp secret|2fa secret|mfa secret|security answer|security question answer|security code|security pin|memorable word|token|auth token|access token|refresh token|api token|bearer|bearer token|session token|id token|csrf token|personal access token|oauth token|push token|device token|login token|reset token|jwt|api key|apikey|api keys|access key|access key id|secret access key|private key|ssh key|pgp key|gpg key|encryption key|decryption key|master key|signing key|app key|auth key|license secret|service account key|private pem|credential|login credential|login password|login code|auth code|authentication code|authorization code|verification code|verify code|verification pin|confirmation code|otp|otp code|one time code|one time password|one time passcode|one time pin|sms code|sms otp|2fa code|mfa code|two factor code|totp|backup code|recovery code|recovery key|access code|activation pin|unlock code|wifi psk|wpa psk|psk|safe combination|lock combination|combination lock code|keypad code|keypad pin|2fa seed|totp seed|authenticator seed|authenticator secret|authenticator key|maiden name|mother maiden name|mother s maiden name|mm login|unlock pattern|door code|gate code|alarm code|safe code|lock code|entry code|cookie|session cookie|session id cookie|connection string|database url|db url|dsn|seed phrase|recovery phrase|seed word|mnemonic|mnemonic phrase|wallet seed|wallet key|wallet private key|wallet address|crypto wallet|btc address|eth address|keystore|certificate key|p12 password|voicemail pin"
        # body
        "|fingerprint|finger print|fingerprint template|fingerprint hash|face template|face id|faceid|face vector|face embedding|face data|facial data|facial template|iris scan|iris template|iris|retina scan|voiceprint|voice print|palm print|biometric|biometric data|biometric id|biometric template|dna|dna profile|genome"
        # other languages in Latin letters, accents taken off
        "|passwort|kennwort|kreditkarte|kreditkartennummer|kartennummer|kontonummer|personalausweis|personalausweisnummer|ausweisnummer|reisepass|reisepassnummer|steuernummer|sozialversicherungsnummer|fuhrerschein"
        "|contrasena|clave secreta|tarjeta de credito|numero de tarjeta|numero tarjeta|passworter|tarjeta credito|cuenta bancaria|numero de cuenta|pasaporte|cedula|senha|cartao de credito|numero do cartao|numero cartao|conta bancaria|mot de passe|motdepasse|carte bancaire|carte de credit|numero de carte|numero carte|compte bancaire|numero de compte|passeport|numero de securite sociale|securite sociale|carta di credito|numero carta|conto bancario|parola d ordine|wachtwoord|hasło|haslo|losenord|salasana|adgangskode|kata sandi|creditcardnummer|rekeningnummer"
        # pinyin
        "|mima|mi ma|denglumima|denglu mima|zhifumima|zhifu mima|kahao|ka hao|yinhangka|yin hang ka|yinhangkahao|yinhangka hao|yinhang kahao|xinyongka|xinyongkahao|xinyongka hao|shenfenzheng|shenfenzhenghao|shenfenzheng hao|shen fen zheng|yzm|dongtaima|zhifumi|sfz|sfzh|sfzhm|sfz hm|sfz hao|yanzhengma|yan zheng ma|huzhao|huzhaohao|huzhao hao|jiazhao|jiashizheng|chepai|chepaihao|chepai hao|shebaohao|shebao hao|zhengjianhao|zhengjian hao|yinhangzhanghao|yinhang zhanghao|siyao|miyao|zhiwen"
    ).split("|")
)

HARMLESS_WORDS: frozenset[str] = frozenset(
    (
        "pass pins access address business process class express progress success wireless status series sales always atlas canvas compass bypass trespass passenger passive passage passion passport_js secretary"
        " iris irises cardinal cardio cardboard scorecard dashboard discard postcard keyboard keyword keynote tokenize tokyo pinned pinning spinner spin shipping ping pinterest mapping opinion options option identity ident idle idea"
        " footprint blueprint sprint bins nationwide nhsx"
    ).split()
) | frozenset(
    "sim card|rfid card|boarding card|boarding pass|business card|gift card|loyalty card|membership card|graphics card|network card|report card|score card|greeting card|post card|trello card|kanban card|memory card|sound card|video card|info card|product card|punch card|fuel card|library card|time card|flash card|summary card|key card|job card|rate card|dash card|dashboard card|kpi card|widget card|content card|index card|recipe card|sales card|map card|graphic card|sale card|company tax|business tax|corporate tax|monthly token|daily token|weekly token|yearly token|input token|output token|prompt token|completion token|total token|used token|max token|free token|bonus token|llm token|ai token|remaining token|spent token|consumed token|included token|extra token|profile card|contact card|hero card|gift cards|tax id|cookie token".split(
        "|"
    )
) - {"tax id", "cookie token"}
"""Words that are left as they are, and pairs whose second word is then no card of money."""

_ABOUT = (
    "channel channels game games layout design view style theme color colour size format reader scanner scanning sorting order preference type brand network issuer vendor provider manager policy rule length strength complexity rotation expiry_policy reset"
    " resets field fields form label screen page tab section widget enabled disabled required supported support supports allowed limit limits count usage quota budget bucket management training awareness topic issue issues problem problems"
    " status state stage error errors failure failures method methods mode option options feature features setting settings setup integration product tool software system app platform tier level plan server seat seats agreement language region country tips guide"
    " frequency interval time timeout hint hints ui ux template_design animation effect position display visible visibility board grid list table layout gallery deck stack column row printing printer delivery replacement request renewal application fee fees cost price pricing program programme benefits rewards point points"
    " question questions change changes reset_frequency verification_status recovery_method login_method consent banner js library middleware check checks checking validation validator checker detection masking redaction security requirement requirements compliance"
    " renewal_month expiry_notice processing processor terminal machine payment payments holder_type surcharge acceptance currency update updates notification notifications reminder reminders count_limit workflow process lock_policy audit preferred preference_order lost stolen blocked declined"
)
HARMLESS_AFTER: dict[str, frozenset[str]] = {
    "*": frozenset(_ABOUT.split()),
    "card number": frozenset({"format", "field", "masking", "validation", "policy"}),
    "pass word": frozenset(_ABOUT.split()) | {"less", "strength", "expiry", "expiration", "age", "days"},
    "password": frozenset(_ABOUT.split()) | {"less", "strength", "expiry", "expiration", "age", "days"},
    "token": frozenset(_ABOUT.split())
    | {
        "used",
        "per",
        "spent",
        "consumed",
        "left",
        "budget",
        "window",
        "context",
        "economy",
        "pricing",
        "length",
        "based",
        "counter",
        "max",
    },
    "pin": frozenset(_ABOUT.split())
    | {"board", "map", "message", "post", "top", "tab", "location", "pad", "layout", "drop"},
    "pass": frozenset(_ABOUT.split())
    | {
        "rate",
        "through",
        "ratio",
        "fail",
        "test",
        "threshold",
        "mark",
        "score",
        "percentage",
        "by",
        "criteria",
        "season",
        "day",
        "event",
        "ski",
        "travel",
        "percent",
    },
    "secret": frozenset(_ABOUT.split())
    | {"santa", "sauce", "menu", "shopper", "sale", "rotation", "scanning", "store", "vault"},
    "id number": frozenset({"format", "field", "masking", "validation", "required"}),
    "cookie": frozenset(_ABOUT.split())
    | {"consent", "banner", "policy", "flavor", "flavour", "preference", "recipe", "settings"},
    "routing": frozenset(_ABOUT.split())
    | {"rule", "group", "queue", "team", "table", "preference", "skill", "strategy", "protocol"},
    "pan": frozenset(_ABOUT.split()) | {"zoom", "and", "european", "gesture", "speed", "size", "region", "eu", "asia"},
    "cc": frozenset(_ABOUT.split())
    | {"email", "list", "recipient", "people", "team", "on", "me", "manager", "license", "address", "cc", "default"},
    "iris": frozenset(_ABOUT.split())
    | {"dataset", "product", "flower", "bulb", "print", "bouquet", "garden", "perfume"},
    "sin": frozenset(_ABOUT.split()) | {"function", "wave"},
    "tin": frozenset(_ABOUT.split()) | {"can", "box", "packaging"},
    "card": frozenset(_ABOUT.split()),
}
"""What follows a name when the key is about the thing: `password_policy`, `card_layout`."""

AFFIXES: frozenset[str] = frozenset(
    "|user|my|the|customer|client|new|old|temp|login|admin|db|database|wifi|root|account|email|web|app|portal|member|own|his|her|primary|secondary|backup|default|main|home|work|bank|user's|s|es|no|num|nr|number|id|code|value|hash|text|plain|raw|enc|encrypted|masked|full|last4|field|str|string|data|info|txt|x|current|original|system|vpn|ftp|ssh|api|host|server|device|phone|mobile|sim|last|first|final|digits|hint|front|back|copy|photo|scan|image|url|file|pic".split(
        "|"
    )
)
"""What may be glued to a forbidden name that is written together."""

FOREIGN: tuple[str, ...] = tuple(
    "пароль парольный номеркарты номерсчета номерсчёта паспорт пинкод снилс секретныйключ パスワード 暗証番号 クレジットカード カード番号 口座番号 マイナンバー パスポート 運転免許 비밀번호 패스워드 카드번호 신용카드 계좌번호 주민등록번호 여권번호 운전면허 인증번호 كلمةالمرور كلمةالسر รหัสผ่าน mậtkhẩu".split()
)
"""Names in other scripts, in lower case and without separators."""
FOREIGN_HARMLESS: tuple[str, ...] = tuple(
    "パスワード管理 パスワードマネージャ パスワードポリシー パスワードリセット カードデザイン クレジットカード決済 クレジットカード払い менеджерпаролей 비밀번호정책 비밀번호관리 신용카드결제".split()
)

CHINESE: tuple[str, ...] = (
    *"信用卡 借记卡 储蓄卡 银行卡 付款卡 支付卡 卡号 卡片号 卡后四位 卡末四码 卡后四码 卡片末四码 卡片后四码 卡片末四位 卡片后四位 卡尾数 卡片尾号 卡片尾数 卡末四码 后四码 末三码 后三码 背面三码 背面末三码 背面数字 检查码 卡hao 卡尾号 卡末四位 卡有效期 卡背 卡cvv 安全码 背面三位 后三位数 验证三位 校验码 银行账号 银行账户 银行户口 银行帐号 账户号 账户号码 收款账号 收款账户 收款人账号 对公账号 对公账户 户口号 户名账号 汇款账号 汇款账户 转账账号 打款账号 微信收款码 支付宝收款码 收款码 开户行账号 银行账 存折 支付宝账号".split(),
    *"账号密码 账号口令 账户密码 身份证 身分证 身份正号 身份证hao sfz号 sfzhao shenfenzheng 居留证 统一证号 健保卡 回乡证 入台证 证件号 证件照 证件扫描 证件图片 证件正反面 证件编号 公民身份 身份号码 身份号 居民证 护照 通行证 台胞证 回乡证 居住证 军官证 士兵证 警官证 户口本 户口簿 户籍号 驾驶证 驾照 行驶证 车牌 社保号 社保卡 社会保障号 社保账号 医保号 医保卡 医保账号 公积金账号 学籍号 出生证 永居证 绿卡号 纳税人识别号 个人税号 社安号 社会安全号 签证号 海员证 残疾证号 病历号 证号".split(),
    *"密码 通行码 登入码 备用验证码 简讯码 mima yzm 口令 暗号 密保 密钥 秘钥 密匙 私钥 令牌 凭据 凭证密钥 验证码 动态码 动态口令 短信码 授权码 认证码 登录码 一次性码 提取码 解锁码 解锁图案 手势密码 取款码 门禁码 开门码 访问码 助记词 恢复短语 种子短语 钱包地址 钱包私钥 pin码 puk码 appsecret appkey accesskey secretkey apikey token 连接字符串 会话cookie 恢复码 备用码 安全问题答案 密语 通关码 支付码".split(),
    *"指纹 人脸数据 人脸特征 人脸照片 人脸模板 人脸图像 虹膜 声纹 掌纹 面部特征 生物特征 生物识别信息 dna 基因数据 基因序列".split(),
)
CHINESE_HARMLESS: tuple[str, ...] = (
    *"护照夹 护照套 护照保护 护照封 车牌框 车牌架 车牌套 车牌螺丝 车牌灯 身份证卡套 身份证夹 证件套 证件夹 密码本 密码箱 密码柜 密码盒 驾照夹 驾照套 驾驶证套 银行卡套 银行卡包 钱包款式 钱包颜色 指纹膜 指纹贴 收款码牌 收款码贴 收款码立牌 卡片布局 卡顿 卡通 卡片(?![末后尾背号]) 会员卡 礼品卡 购物卡 物联网卡 流量卡 网卡 显卡 声卡 打卡 贺卡 信用卡品牌 信用卡类型 信用卡支付偏好 信用卡支付方式 银行卡类型 银行卡品牌 银行卡支付 信用卡支付 信用卡组织 卡组织 安全码头 密码管理器 密码管理工具 密码策略 密码规则 密码强度 密码长度 密码重置 密码找回 忘记密码 密码有效期 密码学 密码锁型号 密码复杂度 密码过期 密码错误".split(),
    *"身份证验证状态 身份验证方式 身份验证 身份认证 实名认证状态 身份证读卡器 身份证识别 护照办理 护照识别 驾照培训 驾照考试 车牌识别 验证码有效期 验证码时长 验证码长度 密码有效期 密码长度 密码时效 验证码登录 验证码接收方式 验证码渠道 验证码方式 验证码语言 验证码问题 令牌桶 令牌数 token用量 token限额 token数 token上限 token预算 指纹登录 指纹识别 指纹锁 指纹浏览器 人脸识别 声纹识别 虹膜识别 通行证办理 居住证办理 密钥轮换 密钥长度 密钥管理 密钥类型 口令红包 发票证号 许可证号 证书编号 校验码长度 校验码规则 校验码算法 指纹解锁 指纹支付 指纹打卡 车牌类型 刷卡 卡券 卡位 授权码数量 发票校验码".split(),
)
