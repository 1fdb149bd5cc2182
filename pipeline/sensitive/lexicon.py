"""The words that announce a value, by what they announce. Data only.

English words match whole, with a plural and with space, dash, dot, underscore or nothing between their parts; Chinese
words match anywhere, the longest first, so a longer harmless word ('网卡', '安全码头') shields the shorter one in it.
"""
# ruff: noqa: E501 (rows of words and patterns read best one a line)

from enum import StrEnum, auto


class Cue(StrEnum):
    NONE = auto()
    """A word that only looks like a cue."""
    OTHER = auto()
    """Announces a harmless number: order, invoice, tracking, version, serial, company registration."""
    CARD = auto()
    BRAND = auto()
    CVV = auto()
    BANK = auto()
    PAYOUT = auto()
    """A payment's verb: amounts follow it, too, so that only a long number is an account."""
    ACCOUNT = auto()
    CN_ID = auto()
    SSN = auto()
    GOV_ID = auto()
    PERMIT = auto()
    PASSPORT = auto()
    LICENCE = auto()
    PLATE = auto()
    PHONE = auto()
    PASSWORD = auto()
    LOGIN = auto()
    """Weak: a value counts only behind ':' or '='."""
    PIN = auto()
    OTP = auto()
    SECRET = auto()
    IM = auto()
    IP = auto()
    WALLET = auto()


ENGLISH: dict[Cue, str] = {
    Cue.NONE: """
        business card|gift card|sim card|graphics card|network card|sound card|video card|loyalty card|greeting card
        |card reader|card layout|card design|card view|memory card|sd card|id card printer|score card|report card
        |membership card|key card|punch card|card game|phone model|phone support|phone app|phone system|phone case
        |phone call|call center|call centre|call volume|api call|phone line|mobile app|mobile site|mobile version
        |mobile phone model|pin board|pin map|drop pin|bank holiday|account manager|account executive|key account
        |account age|account team|account plan|account settings|account type|call limit|cell phone plan
        |license plate recognition|license server|license seat|license key|license tier|software license|licence plate recognition
        |text message|cells|fax server|calls per|phone number field|plate count|password manager|password policy
        |password reset|password field|password length|password rotation|password expiry|password expiration|password expires|passwordless
        |pin code field|pin length|token limit|token bucket|token count|token usage|tokens per|context tokens?
        |discount code|promo code|coupon code|voucher code|error code|status code|country code|area code|zip code
        |postal code|postcode|source code|qr code|bar code|color code|colour code|dress code|exit code|response code
        |language code|currency code|product code|item code|referral code|invite code|invitation code|tracking code
        |http code|code review|code block|code page|code line|line of code|lines of code|code freeze|morse code
        |passport photo|passport js|passport control|ip camera|ip phone|visa application|visa processing
        |id token|order code|stock code|fund code|sort by code|supplier code|cost code|project code|airline code|airport code|plu code|gl code|swift code|bic code|unit code|style code|article code|location code|region code|office code|branch code|department code|job code|time code|timecode|machine code|byte code|op code|key code|reason code|decline code|return code|alarm type|event code|fault code|diagnostic code|dtc code|flight code|ticket code|lot code|batch code|date code|serial code|campaign code|source code|affiliate code|class code|course code|subject code|school code|building code|penal code|tax code|vat code|short code|shortcode|embed code|sample code|test code|legacy code|exit codes|pass the code|no code|low code|hs code|tariff code""",
    Cue.OTHER: """
        order|order id|order number|order no|order ref|purchase order|po number|po|invoice|invoice number|invoice no|receipt
        |ticket|ticket number|ticket id|case|case number|case id|tracking|tracking id|tracking number|tracking no|shipment
        |parcel|waybill|awb|consignment|transaction|transaction id|transaction no|transaction number|txn|payment id|charge id
        |reference|reference number|ref|ref no|confirmation number|booking|booking ref|booking reference|reservation|sku
        |asset tag|serial|serial number|serial no|s/n|part number|part no|item id|item number|item|product id|model|ean
        |stop code|bug check|upc|isbn|issn|gtin|barcode|build|version|ver|v|release|firmware|commit|request id|trace id|correlation id
        |session id|job id|run id|batch|lot|timestamp|epoch|unix time|unix|contract|quote|quotation|vat|vat number|vat id|vat no|vat reg|vat registration|vat reg no|ust idnr|ust id|ustid|uid nummer|umsatzsteuer id|btw|btw nummer|tva|iva|p iva|partita iva|moms
        |ein|duns|company number|company no|company registration|companies house|registration no|crn|abn|acn|cnpj|siren|siret
        |kvk|hrb|gst|gstin|subscription id|subscription number|subscription no|user id|userid|uid|customer id|customer number|tenant id|tenant|workspace
        |member id|employee id|staff id|badge|imei|iccid|meid|mac id|device id|udid|issue|bug|pr|pull request|pid
        |port|port number|id|event id|message id|msg id|record|row|article|doc|document number|policy number|claim number
        |claim|flight|meter|room|table|page|step|chapter|seat|phone extension|extension|ext|amount|total|price|usd|eur|gbp
        |cny|rmb|revenue|arr|mrr|budget|rate|quantity|qty|population|views|requests|calls|users|rows|records|bytes|hash|md5
        |sha1|sha256|checksum|uuid|guid""",
    Cue.CARD: """
        card|card number|card num|card no|card nr|card details|card on file|credit card|credit card number|debit card
        |payment card|bank card|prepaid card|corporate card|cc|cc number|ccn|ccnum|pan|primary account number
        |long number|long card number|new card|old card|kreditkarte|kartennummer|carte bancaire|tarjeta|carta di credito""",
    Cue.BRAND: """
        visa|visa card|mastercard|master card|amex|american express|discover|diners|diners club|jcb|unionpay|union pay
        |maestro|rupay|elo|hipercard|interac|cirrus|bancontact|dankort|troy|verve""",
    Cue.CVV: """
        sec code|sec. code|card code|        cvv|cvv2|cvc|cvc2|cvn|cid|csc|cav2|card security code|security code|security number|card verification code
        |card verification number|card verification value|verification value|3 digit code|three digit code|4 digit code
        |3 digits on the back|three digits on the back|last three digits on the back|last 3 on the back
        |number on the back|digits on the back|code on the back""",
    Cue.BANK: """
        account number|account num|account no|account nr|acct|acc|acc no|acc number|acct no|acct number|a/c|a/c no|ac no|ac number|bank account
        |bank account number|bank acct|bank details|checking account|savings account|current account|checking|iban
        |iban number|routing|routing number|routing no|aba|aba number|transit number|sort code|bsb|ifsc|clabe|beneficiary account
        |account ending|giro|kontonummer|konto|bankverbindung|rib|numero de compte|cuenta|numero de cuenta|cbu|agencia|conta
        |wire to|deposit to account|payout account""",
    Cue.ACCOUNT: "account|alipay|alipay account|paypal|venmo|cashapp|zelle|upi|upi id|vpa",
    Cue.SSN: """
        ssn|social security|social security number|social security no|social security num|social security card|ss number|ss no
        |ss#|social|social number|itin|individual taxpayer|individual taxpayer identification number|tin|taxpayer id
        |taxpayer identification number""",
    Cue.GOV_ID: """
        national id|national id number|national identity|national identity number|national insurance|national insurance number
        |national insurance no|ni number|ni no|nino|n.i. number|nhs|nhs number|nhs no|nhs num|aadhaar|aadhar|adhaar|adhar
        |aadhaar number|aadhaar no|aadhaar card|uidai|pan card|pan number|pan no|voter id|epic number|epic no|ration card
        |id number|id num|id no|id card|id card number|id card no|identity card|identity number|identity no|identification number
        |identification no|identification card|government id|gov id|personal id|personal id number|personal number|state id
        |citizen id|citizenship number|sin|sin number|social insurance|social insurance number|tfn|tax file number|medicare
        |medicare number|medicare card|medicare id|medicaid|mbi|medical record number|mrn|health card|health card number|ohip
        |health number|health insurance number|health insurance card|insurance member id|patient id|patient number|cpf|cnh|dni
        |nie|nif|nuss|cedula|curp|rfc|rut|cuit|cuil|codice fiscale|fiscal code|pesel|bsn|burgerservicenummer|steuer id
        |steuerid|steuer-identifikationsnummer|steueridentifikationsnummer|steuernummer|sozialversicherungsnummer|sozialversicherungsnr|personalausweisnr|steuernr
        |personalausweis|personalausweisnummer|ausweisnummer|insee|securite sociale|numero de securite sociale|nir|personnummer
        |person nummer|cpr|cpr number|cpr nummer|hetu|henkilotunnus|fodselsnummer|ahv|ahv number|ahv nummer|avs|tc kimlik|kimlik|kimlik no
        |teudat zehut|emirates id|iqama|nik|ktp|mykad|ic number|nric|nric number|hkid|my number card|my number|rrn
        |numero de secu|num de secu|n de secu|secu|rijksregisternummer|numero national|registre national|numero du registre national|amka|инн|снилс|снилс номер|omang|cnic|nid card|nid number|nid no|israeli id|teudat|taxpayer number|tax payer number|tax payer id|individual tax number|steuer identifikationsnummer|bvn|nin|ghana card|sa id|sa id number|pps|pps number|ppsn|national id card|rodne cislo|birth number|isikukood|asmens kodas|personas kods|kennitala|emso|hkid number|medicare no|health card no|patient no|hospital number|hospital no|chi number|h&c number|resident registration number|resident id|residence permit|residence permit number|snils|inn|cnp|oib|jmbg|egn
        |isikukood|asmens kodas|rodne cislo|pps|pps number|ppsn|ird|ird number|green card|green card number|alien number
        |alien registration number|uscis number|a-number|visa number|birth certificate|birth certificate number
        |birth cert no|military id|student id card|vat personal|tax number|tax id number|ihi|nif number|bvn|nin|philhealth|sss number|umid|tin number
        |idnr|thai id|thai id card|sa id|sa id number|ghana card|nhi|nhi number|utr|utr number""",
    Cue.PERMIT: """
        travel permit|home return permit|exit entry permit|mainland travel permit|hong kong id|macau id|macau id card|hkid card|hk id
        |taiwan id|taiwan id number""",
    Cue.PASSPORT: "passport|passport number|passport no|passport num|passport nr|passport #|reisepass|passeport|pasaporte|travel document|travel document number|travel doc|travel doc no|travel doc number|паспорт|паспорта|pasaport|passaporto|paspoort",
    Cue.LICENCE: """
        driving licence|driving license|driver licence|driver license|drivers licence|drivers license|driver's licence
        |driver's license|driver lic|drivers lic|dl|dl number|dl no|driving licence number|driving licence no
        |driver license number|driver's license number|drivers license number|licence number|license number|license no|licence no
        |fuhrerschein|führerschein|permis de conduire|dvla""",
    Cue.PLATE: """
        license plate|licence plate|number plate|plate|plate number|plate no|plates|license plate number|licence plate number|car plate
        |vehicle plate|car reg|car registration|vehicle registration|vehicle reg|registration plate|reg plate|reg number
        |rego|kennzeichen|kfz-kennzeichen|plaque d'immatriculation|matricula|vrn|immatriculation|immatricule|targa|placa|placas|nummernschild|nummerplaat|kenteken|registreringsnummer""",
    Cue.PHONE: """
        phone|phone number|phone no|phone num|phone #|telephone|telephone number|tel|tel no|tel number|mobile|mobile number
        |mobile no|mobile phone|cell|cell phone|cell number|cellphone|handy|handynummer|telefon|telefonnummer|telefono|téléphone|telephone
        |portable|call|call me|call us|call him|call her|call me at|call me on|call back|callback|callback number|text|text me
        |text me at|ring|ring me|dial|sms|sms to|reach me|reach me at|reach him|contact number|contact no|contact me at|contact
        |hotline|desk line|desk phone|desk number|office line|direct dial|fax|fax number|landline|home phone|work phone|direct line|my number|your number|which number|what number
        |best number|number to call|whatsapp|whats app|viber|signal|imessage|facetime""",
    Cue.PASSWORD: """
        password|passwords|passwd|pwd|pswd|psw|passcode|pass code|passphrase|pass phrase|pass word|pw|p/w|passwort|kennwort|пароль|пароля|haslo|wachtwoord|losenord|adgangskode|parola|sifre
        |contraseña|contrasena|mot de passe|senha|senha e|userpassword|dbpassword|adminpassword|loginpassword|userpwd|dbpass|user pass|userpass
        |wifi password|wi-fi password|wifi key|wifi code|wi-fi code|wifi pass|wi-fi pass|wpa key|network key|login password|security answer|secret answer
        |answer to the security question|memorable word|passkey|unlock code|unlock pattern|door code|gate code|alarm code|lockbox code|entry code|safe code|safe combination""",
    Cue.LOGIN: "pass|login|logon|credentials|creds|combination|log in|sign in",
    Cue.PIN: "pin|pin code|pin number|pin no|card pin|atm pin|sim pin|puk|puk code|tpin|mpin|upi pin|phone pin|voicemail pin",
    Cue.OTP: """
        otp|otp code|one time code|one time password|one time passcode|one time pin|onetime code|verification code|verify code|verification pin
        |2fa|2fa code|mfa|mfa code|totp|authenticator code|auth code|authentication code|authorization code|authorisation code
        |login code|sign in code|signin code|log in code|security passcode|sms code|text code|activation code|confirmation code
        |recovery code|backup code|backup codes|recovery codes|reset code|access code|code|passcode from sms|google code|sms verification|tan|verification""",
    Cue.SECRET: """
        api key|apikey|api secret|api token|secret key|secret|secret access key|access key|access key id|access key secret
        |access token|accesstoken|auth token|authtoken|auth key|bearer|bearer token|refresh token|session token|session cookie|session key|private key|client secret
        |client_secret|app secret|appsecret|app key|appkey|consumer secret|consumer key|signing key|signing secret|webhook secret
        |encryption key|master key|token|x-api-key|x-auth-token|authorization|deploy key|license secret|shared secret|hmac key|hmac secret
        |sessionid|phpsessid|jsessionid|csrf token|csrftoken|cookie|set-cookie|sas token|account key|accountkey|sharedaccesskey|personal access token|pat
        |service key|storage key|subscription key|secretkey|accesskey|accesskeyid|accesskeysecret|access_key_secret|jwt|jwt secret|ssh key|gpg key|totp secret|totp seed|2fa secret|2fa seed|authenticator seed|authenticator key|authenticator secret|setup key|secret key base|hmac|psk secret|pre shared key|preshared key""",
    Cue.IM: """
        wechat|we chat|weixin|wechat id|wechat no|wx|wx id|wxid|vx|v x|v-x|wei xin|q q|qq number|qq no|qq id|telegram|telegram id|telegram handle|telegram username|tg|tg id
        |line id|skype|skype id|skype name|discord|discord id|discord tag|discord username|kakao|kakaotalk|kakao id|zalo|snapchat|snap|snapchat id
        |instagram|insta|ig|ig handle|instagram handle|twitter|twitter handle|x handle|facebook id|facebook|messenger|signal id|icq|threema id|threema|matrix id|wire handle
        |slack handle|slack id|teams id|viber id|linkedin|tiktok|reddit|mastodon|im account|im id|"""
    + """wechat id|wechat username|wechat user|wechat handle|wechat name|wechat account|wechat no|wechat number|weixin id|weixin username|weixin user|weixin handle|weixin name|weixin account|weixin no|weixin number|telegram id|telegram username|telegram user|telegram handle|telegram name|telegram account|telegram no|telegram number|whatsapp id|whatsapp username|whatsapp user|whatsapp handle|whatsapp name|whatsapp account|whatsapp no|whatsapp number|skype id|skype username|skype user|skype handle|skype name|skype account|skype no|skype number|discord id|discord username|discord user|discord handle|discord name|discord account|discord no|discord number|signal id|signal username|signal user|signal handle|signal name|signal account|signal no|signal number|viber id|viber username|viber user|viber handle|viber name|viber account|viber no|viber number|kakaotalk id|kakaotalk username|kakaotalk user|kakaotalk handle|kakaotalk name|kakaotalk account|kakaotalk no|kakaotalk number|kakao id|kakao username|kakao user|kakao handle|kakao name|kakao account|kakao no|kakao number|zalo id|zalo username|zalo user|zalo handle|zalo name|zalo account|zalo no|zalo number|snapchat id|snapchat username|snapchat user|snapchat handle|snapchat name|snapchat account|snapchat no|snapchat number|instagram id|instagram username|instagram user|instagram handle|instagram name|instagram account|instagram no|instagram number|insta id|insta username|insta user|insta handle|insta name|insta account|insta no|insta number|twitter id|twitter username|twitter user|twitter handle|twitter name|twitter account|twitter no|twitter number|facebook id|facebook username|facebook user|facebook handle|facebook name|facebook account|facebook no|facebook number|line id|line username|line user|line handle|line name|line account|line no|line number|messenger id|messenger username|messenger user|messenger handle|messenger name|messenger account|messenger no|messenger number|tiktok id|tiktok username|tiktok user|tiktok handle|tiktok name|tiktok account|tiktok no|tiktok number|linkedin id|linkedin username|linkedin user|linkedin handle|linkedin name|linkedin account|linkedin no|linkedin number|threema id|threema username|threema user|threema handle|threema name|threema account|threema no|threema number|slack id|slack username|slack user|slack handle|slack name|slack account|slack no|slack number|teams id|teams username|teams user|teams handle|teams name|teams account|teams no|teams number|reddit id|reddit username|reddit user|reddit handle|reddit name|reddit account|reddit no|reddit number|youtube id|youtube username|youtube user|youtube handle|youtube name|youtube account|youtube no|youtube number|twitch id|twitch username|twitch user|twitch handle|twitch name|twitch account|twitch no|twitch number|weibo id|weibo username|weibo user|weibo handle|weibo name|weibo account|weibo no|weibo number|dingtalk id|dingtalk username|dingtalk user|dingtalk handle|dingtalk name|dingtalk account|dingtalk no|dingtalk number|feishu id|feishu username|feishu user|feishu handle|feishu name|feishu account|feishu no|feishu number|lark id|lark username|lark user|lark handle|lark name|lark account|lark no|lark number|weibo|weibo id|dingtalk|dingtalk id|ding id|lark id|feishu id|douyin|douyin id|xiaohongshu""",
    Cue.IP: "ip|ip address|ip addr|ipv4|ipv6|ip v4|ip v6|client ip|source ip|home ip|server ip|host|remote addr|public ip|mac|mac address|mac addr|wifi mac|hw address|bssid",
    Cue.WALLET: """
        wallet|wallet address|btc|btc address|bitcoin|bitcoin address|eth|eth address|ethereum|ethereum address|usdt|usdt address|trc20|erc20|tron|trx|sol|solana
        |ltc|litecoin|doge|dogecoin|xrp|ripple|xmr|monero|ada|cardano|crypto address|deposit address|bnb|bch|xlm|ton address""",
}  # fmt: skip

CHINESE: dict[Cue, str] = {
    Cue.NONE: """
        安全码头 卡顿 卡住 卡死 卡在 卡通 卡片 贺卡 卡车 打卡 网卡 显卡 声卡 物联网卡 流量卡 电话卡 手机卡 SIM卡 会员卡 门禁卡 就诊卡 饭卡
        点卡 礼品卡 优惠卡 储值卡 购物卡 体验卡 卡丁 卡路里 卡槽 卡券 卡包 卡布 卡塔尔 卡尔 奥斯卡 一卡通 年卡 月卡 次卡 卡点 卡牌 名片 房卡
        卡位 卡口 卡扣 卡其 卡座 卡机 卡了 太卡 很卡 有点卡 内存卡 存储卡 加油卡 公交卡 密码锁 密码规则 密码策略 密码强度 密码长度 密码框
        密码重置 重置密码的 密码管理器 密码学 密码错误 密码过期 密码有效期 密码输错 忘记密码 验证码错误 验证码登录 验证码有效 验证码过期
        验证码短信 图形验证码 滑块验证码 收不到验证码 验证码收不到 验证码间隔 编码 解码 代码 源码 二维码 条形码 乱码 转码 扫码 错误码 状态码 优惠码 邀请码 兑换码
        激活码数量 转码率 码率 尺码 码头 起码 数码 加密 密集 密封 保密 亲密 秘密 紧密 账户余额 账户类型 子账户 子账号 主账号 账号数 账号管理 账号权限
        账号注销 账号切换 账号登录 手机端 手机版 手机型号 手机壳 手机号码格式 手机号字段 手机号一列 电话客服 电话系统 电话会议 电话支持 号码包 电话号码格式
        证件照 证件类型 证件扫描 身份证照片功能 身份切换 身份验证 身份认证 用户身份 驾照考试 护照阅读 护照识别 车牌识别 识别车牌 证书 证券 证明 保证 认证 验证 签证 凭证 见证 论证 微信支付 微信小程序
        微信公众号 微信登录 微信群发 微信商城 微信分享 微信扫码 微信端 微信版 微信授权 微信客服 qq浏览器 qq音乐 qq登录 qq游戏 qq空间 qq邮箱登录 qq小程序 信号 信息 令牌桶 令牌数 密钥长度 密钥轮换 安全码流""",
    Cue.OTHER: """
        订单 订单号 订单编号 单号 运单 运单号 快递 快递单号 物流 物流单号 流水号 交易号 交易流水 支付单号 商户单号 商户订单号 发票 发票号 发票号码 发票代码 工单 工单号
        编号 序列号 条码 条形码 货号 型号 版本 版本号 错误码 错误代码 请求id 时间戳 合同号 合同编号 税号 纳税人识别号 统一社会信用代码 信用代码 营业执照 注册号 备案号
        许可证号 批次 批号 批次号 券号 兑换码 邀请码 取件码 取货码 商品id 用户id uid 会员号 工号 学号 资产编号 设备号 设备编号 机器码 席位 顺丰 京东物流 圆通 中通 韵达 申通 邮政 极兔
        申请单 申请号 采购单 报价单 案件号 案例号 追踪号 事务id 退款单号 提单号 箱号 航班 车次 期号 房间 金额 总计 合计 共计 单价 余额 销量 人数 总数 端口 行号 版号 id 证书编号 专利号
        商标号 许可 项目号 商户号 门店号 柜号 桌号 序号 分机""",
    Cue.CARD: """
        卡号 卡 银行卡 银行卡号 信用卡 信用卡号 储蓄卡 借记卡 付款卡 支付卡 绑定卡 绑卡 付款卡号 默认付款卡 一类卡 工资卡 银联卡 刷卡 旧卡 新卡 副卡 主卡 黑卡 建行 工行 农行 中行 招行 交行 浦发
        民生 中信 光大 平安银行 建设银行 工商银行 农业银行 中国银行 招商银行 交通银行 邮储 兴业 广发""",
    Cue.BRAND: "银联 万事达 维萨 运通 大来 吉士美",
    Cue.CVV: "cvv cvv码 cvc 安全码 卡背三位 卡背后三位 背面三位 背面后三位 背面末三位 背后三位 背后三位数 卡背面三位 卡背三位数 卡背面的三位数 背面三位数 末三位 卡片验证码 信用卡验证码 信用卡校验码 卡背 签名栏 签名栏后三位 三位安全码 卡验证码",
    Cue.BANK: "银行账号 银行账户 银行帐号 收款账号 收款账户 收款人账号 对公账号 对公账户 打款账号 汇款账号 转账账号 开户账号 开户行账号 开户行 银行户口 账户号 公户 存折 存折号 账户号码 银行户头 户口号码 国际银行账号 户口 汇丰户口 银行户口号码 口座番号 口座 계좌번호 계좌",
    Cue.PAYOUT: "收款 提现 提现到 打款 汇款 转账 退款到 退到 打到 打款到 汇到 转到 转账到",
    Cue.ACCOUNT: "账号 账户 户头 支付宝 支付宝账号 支付宝账户 登录账号",
    Cue.CN_ID: "身份证 身份证号 身份证号码 身分证 身份证件 居民身份证 证件号 证件号码 证件 公民身份号码 身份号码 身份证件号 二代证 老身份证 证号 sfz 身份正 户口本 实名信息",
    Cue.GOV_ID: "マイナンバー 个人番号 주민등록번호 주민번호 社保号 社保卡 社保卡号 社保账号 社会保障号 社会保障号码 社会保障卡 医保 医保卡 医保卡号 医保号 医保账号 公积金账号 公积金号 军官证 军官证号 士兵证 警官证 出生证明 出生证 学籍号 出生医学证明 社会安全号 社会安全号码 社安号 永居证 永久居留证 外国人永久居留证 外国人永久居留身份证 绿卡 健康卡 健保卡 健保卡号 居民健康卡 病历号 住院号 就诊号 就诊卡号 残疾证 残疾证号 退伍证 残疾人证 士官证 个人税号 国民身份证 身份证统号",
    Cue.PERMIT: "居留证 居留证号 港澳证 港澳通行证 港澳通行证号 往来港澳通行证 通行证 通行证号 台胞证 台胞证号 台湾居民来往大陆通行证 回乡证 回乡证号 港澳居民来往内地通行证 居住证 居住证号 港澳台居民居住证 香港身份证 澳门身份证 台湾身份证 台湾通行证 大通证 入台证 入境许可 入台许可证 港澳居民居住证 台湾居民居住证 香港永久居民身份证 澳门居民身份证 往来台湾通行证",
    Cue.PASSPORT: "パスポート 旅券番号 旅券 여권번호 여권 护照 护照号 护照号码 因私护照 旅行证 旅行证件 海员证",
    Cue.LICENCE: "驾驶证 驾驶证号 驾照 驾照号 驾驶执照 驾驶证档案编号 驾照档案编号 档案编号 行驶证 驾驶证编号 机动车驾驶证",
    Cue.PLATE: "车牌 车牌号 车牌号码 号牌 牌照 车号",
    Cue.PHONE: "电话 电话号 电话号码 手机 手机号 手机号码 联系方式 联系电话 座机 固话 热线 传真 拨打 致电 打给 打我 回电 短信 我的号码 我的号 联系号码 绑定手机 预留手机 备用手机 来电 手機 电联 呼叫 预留电话 公司电话 家里电话 tel 移动电话 联系我",
    Cue.PASSWORD: "パスワード 暗証番号 暗证番号 비밀번호 암호 비번 密码 口令 登录密码 初始密码 解压密码 解压码 支付密码 交易密码 取款密码 开机密码 锁屏密码 wifi密码 无线密码 默认密码 临时密码 管理员密码 数据库密码 邮箱密码 账户密码 账号密码 原密码 新密码 旧密码 提取码 访问密码 查询密码 门禁密码 门锁密码 密保答案 密保 通关密语 暗号 密码口令 解锁码 解锁密码 保险箱密码 打开密码 共享密码 会议密码 服务密码 安全密码 卡密 密碼 密马 蜜码 米码 通行码 密保问题答案 开门密码 手势密码 锁屏码 远程密码",
    Cue.PIN: "pin pin码 puk码",
    Cue.OTP: "验证码 动态码 动态密码 动态口令 校验码 短信码 短信验证码 授权码 一次性密码 一次性验证码 一次性口令 确认码 登录码 认证码 激活码 恢复码 备用码 谷歌验证码 安全验证码 手机验证码 邮箱验证码 二次验证码 手机令牌 身份验证器 口令牌 随机码 效验码",
    Cue.SECRET: "接口令牌 端口令牌 接口密码 密钥 秘钥 令牌 访问令牌 私钥 接口密钥 appsecret appkey secretkey accesskey token 凭据 密匙 密钥对 访问密钥 加密密钥 签名密钥 api密钥 主密钥 会话令牌 刷新令牌 开发者密钥 商户密钥 支付密钥",
    Cue.IM: "微信 微信号 微信号码 微信id 加微信 加我微信 加v 加我v 薇信 威信 维信 徽信 微x 企业微信 企微 qq qq号 qq号码 qq群 qq邮箱 加qq 加我qq 扣扣 企鹅号 球球 扣扣号 钉钉 钉钉号 飞书号 飞书 抖音号 抖音 快手号 小红书号 微博 微博号 微博账号 电报 电报号 纸飞机 飞机号 陌陌号 旺旺 旺旺号 whatsapp 脸书 推特 推特账号 领英 蝙蝠号 b站账号 b站uid",
    Cue.IP: "ip ip地址 登录ip 网址 公网ip 内网ip 出口ip mac mac地址 物理地址",
    Cue.WALLET: "钱包 钱包地址 比特币 比特币地址 以太坊 以太坊地址 以太 泰达币 波场 充币地址 提币地址 收币地址 链上地址 币地址",
}  # fmt: skip
