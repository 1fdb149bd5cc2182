"""What must stand near each pattern of the tables: words, or one cheap pattern. A label that is missing is tried everywhere."""
# ruff: noqa: E501, SIM905 (rows of words and patterns read best one a line)

import re

from pipeline.sensitive.nearby import Trigger

_LONG = re.compile(r"[a-z0-9_\-./+=:]{14,}")
_TWO_DIGITS = re.compile(r"[0-9*]{2}")
_MAIL = ("gmail", "hotmail", "outlook", "icloud", "yahoo", "proton", "邮箱", "qq", "163", "126", "foxmail")

TRIGGERS: dict[str, tuple[Trigger, ...]] = {
    # e-mail
    "plain": ("@",),
    "han": ("@",),
    "spaced": ("@",),
    "loose": ("@",),
    "hyphens": ("dot",),
    "spoken": (" dot ", "(dot", "[dot", "{dot", "<dot", "( dot", "[ dot", "点", "(.", "[."),
    "bracketed_at": ("(at", "[at", "{at", "<at", "( at", "[ at", "(@", "[@", "{@", "( @", "艾特", "_at_", "(a)", "[a]", "{a}", "爱特", "圈a", "圈圈a", "花a", "小老鼠"),
    "hash_at": (re.compile(r"#\s?[a-z0-9\-]{2,30}\.[a-z]"),),
    "announced_at": ("mail", "邮箱", "邮件", "inbox"),
    "pix": ("pix",),
    "upi": ("@",),
    "provider": _MAIL,
    "at_provider": _MAIL,
    # messengers
    "wxid": ("wxid_",),
    "profile_link": (".me/", ".com/", ".gg/"),
    "discord_tag": (re.compile(r"#[0-9]{4}"),),
    "skype_live": ("live:",),
    "on_network": tuple(
        f" {place} {network}"
        for place in ("on", "at")
        for network in "telegram wechat weixin whatsapp skype discord insta ig twitter snapchat signal qq viber tiktok facebook messenger 微信".split()
    ),
    # networks
    "mac": (re.compile(r"[:\-][0-9a-f*x]{2}[:\-]"),),
    "mac_cisco": (re.compile(r"\.[0-9a-f]{4}\."),),
    "mac_bare": ("mac",),
    # documents
    **dict.fromkeys(("curp", "codice_fiscale", "mbi", "nie", "dni", "hetu", "rfc_person"), (_TWO_DIGITS,)),
    "hkid": (re.compile(r"\([0-9a*]\)"),),
    "macau": (re.compile(r"\([0-9]\)|/[0-9]{6}/"),),
    "mrz": ("<",),
    "mrz_second": ("<",),
    "dvla": (re.compile(r"[0-9]{6}"),),
    **dict.fromkeys(("china", "china_two_letters", "china_common_words"), (re.compile(r"[\u4e00-\u9fff] ?[a-z]"),)),
    # secrets
    "aws_key_id": ("akia", "asia", "abia", "acca", "aroa", "aida"),
    "prefixed": (_LONG,),
    "google_oauth_client": ("googleusercontent",),
    "telegram_bot": (re.compile(r"[0-9]{8,10}:"),),
    "twilio": (_LONG,),
    "mailchimp": (_LONG,),
    "discord_token": (_LONG,),
    "webhook": ("hooks.", "webhook", "/hook/", "robot/send"),
    "jwt": ("eyj", "eyi"),
    "private_key": ("private key", "putty-user"),
    "url_login": ("://",),
    "connection": ("password=", "pwd=", "key=", "sharedaccess", "sharedsecret", "secret=", "defaultendpoints"),
    "url_token": (re.compile(r"[?&;#][a-z_\-]{1,40}="),),
    "url_path_token": ("/reset", "/verif", "/invit", "/magic", "/confirm", "/activ", "/recover", "/set", "/forgot", "/sso", "/share", "/join"),
    "private_path": ("/private-",),
    "authorization_header": ("authorization",),
    "authorization": ("bearer", "basic "),
    "cookie": ("cookie", "sessid", "session", "connect.sid", "csrf", "xsrf"),
    "otpauth": ("otpauth",),
    "assigned": ("secret", "token", "key", "password", "passwd", "credential"),
    "ssh_private": ("openssh-key", "b3blbnnz"),
    # wallets
    "ethereum": ("0x",),
    "base58": (_LONG,),
    "bech32": ("bc1", "tb1", "ltc1", "bnb1", "cosmos1", "addr1"),
    "tron": (_LONG,),
    "extended_key": ("prv", "pub"),
    "wif_bare": (re.compile(r"[a-z0-9]{51}"),),
    "wif": ("wif", "private key", "私钥"),
}  # fmt: skip

DIGIT = re.compile(r"[0-9]{2}")
"""Presidio's own ids all hold two digits in a row; its wallets are long words."""
LONG_WORD = re.compile(r"[A-Za-z0-9]{24,}")
