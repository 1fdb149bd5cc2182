"""Tables of characters that read as others: what the normalised view folds. Data only.

Sources: Unicode TR39 confusables (the Latin look-alikes among Cyrillic, Greek and Armenian letters), the Unihan
traditional-to-simplified pairs that occur in the words our detectors look for, GB/T 15835 numerals and the spoken
digits of Chinese radio and telephone use (幺拐洞勾).
"""
# ruff: noqa: E501, SIM905 (rows of words and patterns read best one a line)

HOMOGLYPHS: dict[str, str] = dict(
    zip(
        "аАеЕоОрРсСхХуУіІјЈѕЅԁԛԝҺһВКМНТкмтвнгпиԌԍӏꓲαΑεΕοΟρΡνΝιΙκΚτΤυΥχΧηΗΜΒΖμγωσςօսոցհզ",
        "aAeEoOpPcCxXyYiIjJsSdqwHhBKMHTkmtbhrnuGglIaAeEoOpPvNiIkKtTuYxXnHMBZuywocounghq",
        strict=True,
    )
)
"""Letters of other scripts that look like a Latin one. Folded only inside a word that is meant to look Latin."""

TWINS = frozenset("аАеЕоОрРсСхХуіІјЈѕЅԁԛԝһВКМНТαΑΕοΟρΡΝΙΚΤΥΧΗΜΒΖօս")
"""Those that no reader tells from the Latin letter: a word of them alone is meant to be read as Latin, too."""

LATIN: dict[str, str] = {
    "ı": "i", "ł": "l", "Ł": "L", "ø": "o", "Ø": "O", "đ": "d", "ħ": "h", "ŧ": "t", "æ": "ae", "œ": "oe",
    "ɑ": "a", "ɡ": "g", "ɩ": "i", "ʏ": "y", "ᴀ": "a", "ʙ": "b", "ᴄ": "c", "ᴅ": "d", "ᴇ": "e", "ꜰ": "f", "ɢ": "g",
    "ʜ": "h", "ɪ": "i", "ᴊ": "j", "ᴋ": "k", "ʟ": "l", "ᴍ": "m", "ɴ": "n", "ᴏ": "o", "ᴘ": "p", "ʀ": "r", "ꜱ": "s",
    "ᴛ": "t", "ᴜ": "u", "ᴠ": "v", "ᴡ": "w", "ᴢ": "z",
}  # fmt: skip
"""Latin letters that NFKC leaves alone."""

MARKS: dict[str, str] = {
    **dict.fromkeys("‐‑‒–—―−﹘﹣－⁃˗‧𐆑", "-"),
    **dict.fromkeys("∙・·⋅", "·"),
    **dict.fromkeys("•●○◯◉⬤⚫█▇▆■□▪▫◼◻∗⁎﹡✱✲✳＊⋆★☆", "*"),
    **dict.fromkeys("×✕✖╳⨯", "x"),
    **dict.fromkeys("‘’‛′＇`´", "'"),
    **dict.fromkeys("“”„‟″＂「」『』", '"'),
    **dict.fromkeys("⁄∕╱", "/"),
    **dict.fromkeys("∶﹕", ":"),
    **dict.fromkeys("→⇒➜➔⟶⇨", ">"),
    "﹒": ".", "․": ".", "\u2800": " ", "\u3164": " ", "\u115f": " ", "\u1160": " ", "\uffa0": " ", "\t": " ",
    "\r": "\n", "\x0b": "\n", "\x0c": "\n", "\x85": "\n", "\u2028": "\n", "\u2029": "\n", "№": "no",
}  # fmt: skip
"""Punctuation by what it is used as: dash, bullet, mask, quote, slash."""

TRADITIONAL: dict[str, str] = (
    dict(
        zip(
            "碼號證驗帳賬戶護駕駛車醫銀錢聯繫電話機郵箱訊詢問訂單發票運單卡號密鑰碼錄傳員會參與黨選舉統獨婦產懷診癌療藥術殘"
            "憂鬱糖尿壓肝炎愛滋過敏體檢遺傳紋臉視網膜聲紋採樣處貸債薪資產負繳稅歲兒學級齡寶貝幼婚離異戀性變孃現職業"
            "區縣鎮鄉村路街樓層號棟單門牌園廣場國灣臺澳門臨時鄰里東門關華蘭龍馬鳥麗黃陸貳參肆伍陸柒捌玖萬億點徵國際護照"
            "簽註冊連線設預備認領識別動態驗證輸請給應該這個為說歷對還讓開關無線從經濟與於當實際總結給買賣貨貓犯獄罰拘"
            "萊絡續戰維爾族漢滿韓蘇聖經禮拜禱佛緣靈轉賬匯賣結構聯繫",
            "码号证验帐账户护驾驶车医银钱联系电话机邮箱讯询问订单发票运单卡号密钥码录传员会参与党选举统独妇产怀诊癌疗药术残"
            "忧郁糖尿压肝炎爱滋过敏体检遗传纹脸视网膜声纹采样处贷债薪资产负缴税岁儿学级龄宝贝幼婚离异恋性变娘现职业"
            "区县镇乡村路街楼层号栋单门牌园广场国湾台澳门临时邻里东门关华兰龙马鸟丽黄陆贰叁肆伍陆柒捌玖万亿点征国际护照"
            "签注册连线设预备认领识别动态验证输请给应该这个为说历对还让开关无线从经济与于当实际总结给买卖货猫犯狱罚拘"
            "莱络续战维尔族汉满韩苏圣经礼拜祷佛缘灵转账汇卖结构联系",
            strict=True,
        )
    )
    | dict(
        zip(
            "丟並亂亞佈併來侶侷俬倆倉們倖倫偽傢傭傾僅僞價儀償優儲兌內兩凈凍刪則剛創劑務勞勢協卽厤厭厲唸啓啞啟喪喫嗎嘍嚮嚴囉囌圍圓圖團埰執堅報塊塵墻壞壯夠奧奬媽嬰孫宮寀審寫寬將專尋導屬島崑崗嵗嶺嶽師帶幣幫幹幾庫廈廟"
            "廠廢弔張強彆彈彌彔彙彿後徑復恆悶慣慮慶慼憑憤憶懞戲拋捨掃掙掛換揮損摺撥擁擊擋擔據擬擱擴擺擾攔攜敎敗數斷旂旣昇晉暫曆曉曏書朮査條棄棧極榘榦榮槓樂標橋橫檔檯檻櫃欄權歡歸殻殼氣氾汎汙決沒況洩淨淩減測湊準溝溫"
            "溼滙滬滯漲漸潔潰濕濛濱濾瀏煩熱燈燒營爭爲爺牀牆狀猶獃獎獲瑤環産甦甯畵痠瘍瘓瘡癇癡癥癱癲盜盡監盤眞眾睏瞞矇矯確礎礙祕種稱穀穌積穫竊筆箇節範簡籤糰糾紀約紅納紙細紹終組絕絶綁綜綠綫緊緑緒緝編緩緯練緻織繞繪纍"
            "纏纔羅羣習翫聰聽聾脈脩脫腎腦腫腳腸膠膽臟臥興舊舘艦莊葯蒐蓆蓋蔘薦薩藍藝虛蝦蟎衆衕衚衛裏補裝裡製複覈見規親覲覺覽觀計討訓記訪許訴証詐評詞試誌誕語誠誤誦説誰課調論諷諸諾謂講謝譜議讀讚豐財貧貫責費貼賀賓賠質"
            "賭賴賺購賽贈贊跡踰蹟蹤軌軍軟較載輔輕輩輪辦辭辯農迴週進遊達違遞遠適遲遷邊鄭醣釋釐釘針釦鈅鈕鈡鉆鉑銷錫錯録錶鍵鍼鎖鎭鏈鐘鐵鑑鑒鑽鑿長閃閉間閤閨閱閲闆闇陞陣陰陽隊隨險隱隻雙雜雞難靜韆韻頁頂項順須頓頗頭頸頻"
            "題額類顧顫顯風颱飛飯飲養館饋駁駐騙騰驅驛髒髮鬆鬍鬚鬧鮮鴻鵝鷄麩麫黴齊齋齣",
            "丢并乱亚布并来侣局私俩仓们幸伦伪家佣倾仅伪价仪偿优储兑内两净冻删则刚创剂务劳势协即历厌厉念启哑启丧吃吗喽向严啰苏围圆图团采执坚报块尘墙坏壮够奥奖妈婴孙宫采审写宽将专寻导属岛昆岗岁岭岳师带币帮干几库厦庙"
            "厂废吊张强别弹弥录汇佛后径复恒闷惯虑庆戚凭愤忆蒙戏抛舍扫挣挂换挥损折拨拥击挡担据拟搁扩摆扰拦携教败数断旗既升晋暂历晓向书术查条弃栈极矩干荣杠乐标桥横档台槛柜栏权欢归壳壳气泛泛污决没况泄净凌减测凑准沟温"
            "湿汇沪滞涨渐洁溃湿蒙滨滤浏烦热灯烧营争为爷床墙状犹呆奖获瑶环产苏宁画酸疡痪疮痫痴症瘫癫盗尽监盘真众困瞒蒙矫确础碍秘种称谷稣积获窃笔个节范简签团纠纪约红纳纸细绍终组绝绝绑综绿线紧绿绪缉编缓纬练致织绕绘累"
            "缠才罗群习玩聪听聋脉修脱肾脑肿脚肠胶胆脏卧兴旧馆舰庄药搜席盖参荐萨蓝艺虚虾螨众同胡卫里补装里制复核见规亲觐觉览观计讨训记访许诉证诈评词试志诞语诚误诵说谁课调论讽诸诺谓讲谢谱议读赞丰财贫贯责费贴贺宾赔质"
            "赌赖赚购赛赠赞迹逾迹踪轨军软较载辅轻辈轮办辞辩农回周进游达违递远适迟迁边郑糖释厘钉针扣钥钮钟钻铂销锡错录表键针锁镇链钟铁鉴鉴钻凿长闪闭间合闺阅阅板暗升阵阴阳队随险隐只双杂鸡难静千韵页顶项顺须顿颇头颈频"
            "题额类顾颤显风台飞饭饮养馆馈驳驻骗腾驱驿脏发松胡须闹鲜鸿鹅鸡麸面霉齐斋出",
            strict=True,
        )
    )
    | {
        **dict(zip("咭嘅嗰喺係佢咗冇啲睇搵畀俾唔", "卡的那在是他了没些看找给给不", strict=True)),
        "粵": "粤",
        "遼": "辽",
        "魯": "鲁",
        "贛": "赣",
        "陝": "陕",
        "閩": "闽",
        "貴": "贵",
        "瓊": "琼",
        "寧": "宁",
        "雲": "云",
        "賬": "账",
        "帳": "账",
        "帐": "账",
        "參": "参",
        "叄": "叁",
        "弍": "二",
        "弐": "二",
        "貮": "贰",
    }
)
"""Traditional to simplified, for the characters of the words we look for (OpenCC's TSCharacters, Apache-2.0); 帐 and 账
are one, and the written Cantonese of Hong Kong reads as its Mandarin."""

CN_DIGITS: dict[str, str] = {
    **dict.fromkeys("〇零○洞", "0"), **dict.fromkeys("一壹幺弌", "1"), **dict.fromkeys("二贰两俩兩", "2"),
    **dict.fromkeys("三叁参弎", "3"), **dict.fromkeys("四肆", "4"), **dict.fromkeys("五伍", "5"),
    **dict.fromkeys("六陆", "6"), **dict.fromkeys("七柒拐", "7"), **dict.fromkeys("八捌", "8"),
    **dict.fromkeys("九玖勾", "9"),
}  # fmt: skip
"""Chinese, financial and spoken numerals (after the traditional ones were folded)."""

EN_DIGITS: dict[str, str] = {
    "zero": "0", "oh": "0", "o": "0", "nought": "0", "naught": "0", "nil": "0", "one": "1", "two": "2", "three": "3",
    "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9", "niner": "9", "ten": "10",
    "eleven": "11", "twelve": "12", "thirteen": "13", "fourteen": "14", "fifteen": "15", "sixteen": "16",
    "seventeen": "17", "eighteen": "18", "nineteen": "19", "hundred": "00",
}  # fmt: skip
EN_TENS: dict[str, str] = {
    "twenty": "2", "thirty": "3", "forty": "4", "fourty": "4", "fifty": "5", "sixty": "6", "seventy": "7",
    "eighty": "8", "ninety": "9",
}  # fmt: skip
EN_REPEATS: dict[str, int] = {"double": 2, "triple": 3, "treble": 3, "quadruple": 4}

LEET: dict[str, str] = dict(zip("013457@$!|", "oieastasil", strict=True))
LEET_WORDS = frozenset(
    "password passwd passcode passphrase pwd pass card credit debit secret token pin login social ssn phone mobile email"
    " wechat telegram whatsapp account bank iban passport licence license address identity number apikey key code id"
    " number cvv cvc wallet seed".split()
)
"""Words that are looked for behind digits and signs: 'p4ssw0rd', 'c4rd'."""
