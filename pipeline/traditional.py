"""Traditional characters read as simplified ones, so that the words of a rule are written down once.

One character for one, so that offsets stay right. The table holds the characters of the words that rules look for, not
the whole language; the pairs are OpenCC's TSCharacters (Apache-2.0).
"""

from pipeline.lookalikes import TRADITIONAL

_MORE = (
    "說说這这個个為为時时會会沒没點点過过還还給给從从開开來来對对師师學学別别請请讓让認认習习慣惯堅坚覺觉薦荐訴诉歡欢"
    "愛爱討讨厭厌傾倾單单買买賣卖發发電电話话問问斷断決决確确實实慮虑糾纠結结評评暫暂臨临樣样試试湊凑將将間间幾几兩两"
    "陣阵動动變变長长遠远錯错誤误記记寫写準准應应換换遷迁轉转調调刪删關关閉闭復复離离職职訂订務务員员媽妈親亲爺爷孫孙"
    "兒儿鄰邻戶户東东書书夥伙廠厂領领導导經经總总監监閨闺剛刚當当後后裡里裏里麼么嗎吗們们無无體体題题與与並并號号際际"
    "難难簡简飯饭聯联絡络繫系貨货達达樓楼郵邮訊讯帳账賬账據据繳缴費费優优價价錢钱銀银"
)
_TABLE = str.maketrans(
    {old: new for old, new in TRADITIONAL.items() if len(old) == len(new) == 1}
    | dict(zip(_MORE[::2], _MORE[1::2], strict=True))
)


def simplified(text: str) -> str:
    """`text` with traditional characters as simplified ones, of the same length."""
    return text if text.isascii() else text.translate(_TABLE)
