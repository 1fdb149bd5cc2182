"""Secrets that their own form tells: vendors' keys, tokens, private keys, connection strings, seed phrases, wallets.

Forms as the vendors document them; all compared in lower case, since a change of case must not let one through.
"""
# ruff: noqa: E501 (rows of words and patterns read best one a line)

import re

from pipeline.reasons import Reason
from pipeline.sensitive.bip39 import WORDS
from pipeline.sensitive.finding import Hit

_B, _E = r"(?<![a-z0-9])", r"(?![a-z0-9])"

SECRET_PATTERNS: dict[Reason, dict[str, str]] = {
    Reason.SECRET: {
        "aws_key_id": rf"{_B}(?:akia|asia|abia|acca|aroa|aida)[a-z2-7]{{16}}{_E}|{_B}(?:akia|asia)[a-z0-9]{{16}}{_E}",
        "prefixed": _B
        + r"(?:gh[pousr]_[a-z0-9]{20,255}|github_pat_[a-z0-9_]{20,255}|gl(?:pat|dt|rt|ptt|cbt)-[a-z0-9_\-]{16,64}|(?:sk|rk)[_-](?:live|test|proj|ant|or)[_-][a-z0-9_\-]{8,200}|sk-[a-z0-9_\-]{20,200}"
        r"|(?:pk|tok|whsec|wpt|seti|pi)_(?:live|test)_[a-z0-9]{8,200}|whsec_[a-z0-9+/=]{8,100}|xox[abeoprs]-[a-z0-9\-]{8,250}|xapp-[0-9]-[a-z0-9\-]{10,250}|aiza[a-z0-9_\-]{30,45}|ya29\.[a-z0-9_\-.]{10,300}|1//0[a-z0-9_\-]{20,120}|gocspx-[a-z0-9_\-]{15,60}"
        r"|sg\.[a-z0-9_\-]{10,40}\.[a-z0-9_\-]{20,60}|key-[0-9a-f]{32}|npm_[a-z0-9]{30,50}|pypi-[a-z0-9_\-]{16,250}|do[opr]_v1_[a-f0-9]{40,70}|hf_[a-z0-9]{20,60}|ltai[a-z0-9]{12,30}|akid[a-z0-9]{13,40}|shp(?:at|ca|pa|ss)_[a-f0-9]{20,40}"
        r"|sq0[a-z]{3}-[a-z0-9_\-]{20,60}|eaaa[a-z0-9]{30,80}|eaac[a-z0-9]{40,200}|rzp_(?:live|test)_[a-z0-9]{10,30}|fl(?:wseck|wpubk)[-_](?:test-)?[a-z0-9\-]{20,80}|dapi[a-f0-9]{32}|pat-[a-z0-9]{2,4}-[a-f0-9\-]{30,50}|pat[a-z0-9]{14}\.[a-f0-9]{40,70}|secret_[a-z0-9]{30,60}|ntn_[a-z0-9]{30,60}|lin_(?:api|oauth)_[a-z0-9]{20,60}"
        r"|figd_[a-z0-9_\-]{20,60}|atatt3[a-z0-9_\-=]{20,250}|hvs\.[a-z0-9_\-]{20,200}|nrak-[a-z0-9]{20,40}|phc_[a-z0-9]{20,60}|re_[a-z0-9]{6,12}_[a-z0-9]{16,40}|sntrys_[a-z0-9_=+/\-]{20,300}|glsa_[a-z0-9_]{30,60}|xkeysib-[a-z0-9\-]{30,100}|ops_[a-z0-9]{40,300}|tskey-[a-z0-9\-]{10,80}|age-secret-key-1[a-z0-9]{50,70}|gsk_[a-z0-9]{30,70}|pplx-[a-z0-9]{30,70}|r8_[a-z0-9]{30,50}|bb_[a-z0-9]{40}|aio_[a-z0-9]{28}|sbp_[a-f0-9]{40}|dckr_pat_[a-z0-9_\-]{20,60}|vercel_[a-z0-9]{20,40}|pul-[a-f0-9]{40})",
        "google_oauth_client": rf"{_B}[0-9]{{6,14}}-[a-z0-9]{{20,40}}\.apps\.googleusercontent\.com",
        "telegram_bot": rf"{_B}(?:bot)?[0-9]{{8,10}}:[a-z0-9_\-]{{33,36}}{_E}",
        "twilio": rf"{_B}(?:sk|ac)[0-9a-f]{{32}}{_E}",
        "mailchimp": rf"{_B}[0-9a-f]{{32}}-us[0-9]{{1,2}}{_E}",
        "discord_token": rf"{_B}[mno][a-z0-9_\-]{{22,27}}\.[a-z0-9_\-]{{6}}\.[a-z0-9_\-]{{27,40}}",
        "webhook": r"hooks\.slack\.com/(?:services|workflows|triggers)/[a-z0-9/_]{10,100}|discord(?:app)?\.com/api/webhooks/[0-9]{10,22}/[a-z0-9_\-]{20,100}|outlook\.office(?:365)?\.com/webhook[a-z0-9]?/[a-z0-9@/\-]{20,250}"
        r"|(?:qyapi\.weixin\.qq\.com/cgi-bin/webhook/send\?key=|oapi\.dingtalk\.com/robot/send\?access_token=|open\.feishu\.cn/open-apis/bot/v2/hook/)[a-z0-9\-]{16,100}|hooks\.zapier\.com/hooks/catch/[0-9a-z/]{8,60}",
        "jwt": rf"{_B}ey[ji][a-z0-9_\-]{{6,2000}}\.[a-z0-9_\-]{{6,3000}}(?:\.[a-z0-9_\-]{{0,1000}})?",
        "private_key": r"-{3,5}\s?begin [a-z0-9 ]{0,30}private key(?: block)?\s?-{3,5}(?:(?:\s|\\n){0,4}[a-z\-]{3,20}: ?[^\n]{0,80}\n){0,3}+(?:(?:\s|\\[nr]){0,4}[a-z0-9+/=]{16,100}){0,120}+"
        r"(?:(?:\s|\\[nr]){0,4}[a-z0-9+/]{1,100}={0,2}(?=(?:\s|\\[nr]){0,4}-{3}|={0,2}(?:\s|\\[nr]){0,4}=))?(?:(?:\s|\\[nr]){0,4}=[a-z0-9+/]{4})?(?:(?:\s|\\[nr]){0,4}-{3,5}\s?end [a-z0-9 ]{0,30}private key(?: block)?\s?-{3,5})?|putty-user-key-file-[0-9]",
        "url_login": r"(?<![a-z0-9+.\-])[a-z][a-z0-9+.\-]{1,20}://[^\s:@/]{0,64}:[^\s@/<]{1,128}@[^\s，。]{1,200}",
        "connection": r"(?:password|pwd|accountkey|sharedaccesskey|sharedsecret|secret)=[^;\s&]{3,200}(?=;|$)|sharedaccesssignature=[^;\s]{8,300}|defaultendpointsprotocol=https?;[^\s]{10,300}",
        "url_token": r"[?&;#](?:[a-z]{1,20}[_-]?){0,3}(?:token|api_?key|key|sig|signature|secret|auth|password|passwd|pwd|session(?:_?id)?|sid|jwt|credential|ticket|otp|hash)=[a-z0-9._\-%+/=~]{8,}|[?&](?:code|t|k|s)=(?=[a-z_\-]{0,40}[0-9])[a-z0-9._\-%+/=~]{16,}",
        "url_path_token": r"/(?:reset|verify|verification|invite|magic|confirm|activate|activation|recover|recovery|set|forgot|sso|share|join)[a-z_\-]{0,24}/(?=[a-z_\-]{0,60}[0-9])[a-z0-9_\-.~]{16,}",
        "private_path": r"/private-[0-9a-f]{12,64}(?![0-9a-z])",
        "authorization_header": r"authorization\s?[:=]\s?(?:basic|bearer|token|digest|apikey)\s{1,3}[^\s,;]{6,}",
        "authorization": r"(?<![a-z])(?:bearer\s{1,3}(?=[a-z_\-.]{0,40}[0-9])[a-z0-9._\-+/=~]{12,}|basic\s{1,3}(?=[a-z+/]{0,40}[0-9=])[a-z0-9+/]{8,}={0,2}(?![a-z]))",
        "cookie": r"(?:set-cookie|cookie)\s?:\s?[a-z0-9_.\-]{1,40}=[^;\s]{6,}|(?:phpsessid|jsessionid|sessionid|session_id|connect\.sid|asp\.net_sessionid|csrftoken|xsrf-token|laravel_session)=[a-z0-9._\-%]{8,}",
        "otpauth": r"otpauth://[^\s]{8,300}",
        "assigned": r"(?<![a-z])(?:[a-z]{2,20}[_-]){0,3}(?:secret|token|api[_-]?key|access[_-]?key|private[_-]?key|password|passwd|auth[_-]?key|credentials?)(?:[_-](?:id|key|value))?[\"']?\s?(?:=|:)\s?[\"'](?P<value>[^\s\"']{6,})",
        "ssh_private": r"openssh-key-v1[a-z0-9+/=]{10,}|b3blbnnzac1rzxktdje[a-z0-9+/=]{10,}",
    },
    Reason.WALLET: {
        "ethereum": rf"{_B}0x[0-9a-f]{{40}}{_E}",
        "base58": rf"(?<![a-z0-9_\-/.])[13](?=[a-z]{{0,9}}[1-9])(?=[1-9a-f]{{0,30}}[g-z])(?=(?:[1-9]{{0,9}}[a-z]){{12}})[1-9a-z]{{25,33}}{_E}",
        "bech32": rf"{_B}(?:bc1|tb1|ltc1|bnb1|cosmos1|addr1)[a-z0-9]{{25,100}}{_E}",
        "tron": rf"{_B}(?=(?:[a-z]{{0,12}}[0-9]){{3}})t[1-9a-z]{{33}}{_E}",
        "extended_key": rf"{_B}[xyzt](?:prv|pub)[1-9a-z]{{50,120}}",
        "wif_bare": r"(?<![a-z0-9])(?=(?:[a-z]{0,24}[1-9]){5})(?:5[1-9a-z]{50}|[kl][1-9a-z]{51})(?![a-z0-9])",
        "wif": r"(?:wif|private key|私钥)(?:\s?(?:is|[:=是为])){0,2}\s?(?P<value>[5kl][1-9a-z]{50,51}|(?:0x)?[0-9a-f]{64})",
    },
}  # fmt: skip

_WORD = re.compile(r"[a-z]+")
_GAP = re.compile(r"[\s,.;:|/\-]{0,3}(?:[0-9]{1,2}[.):\s]{1,3})?")
_SEED_CUE = re.compile(
    r"(?:seed|recovery|mnemonic|secret recovery|backup|wallet|12[ \-]word|24[ \-]word) ?(?:phrase|words?|seed|mnemonic)?(?: (?:is|are|for|my|the|wallet|of|as|follows)){0,4}\s?[:=]?\s?|助记词(?:如下|分别|是|为|[:，]|\s){0,4}|恢复短语[:是为]?\s?|种子(?:词|短语)[:是为]?\s?"
)
_HAN_SEED = re.compile(
    r"(?:助记词|恢复短语|种子短语)\s?(?:是|为|:|如下){1,2}\s?(?P<value>(?:[\u4e00-\u9fff][ ,、]?){11,30})(?=\s*(?:[。,;\n]|$))"
)
_LEAST, _LEAST_ANNOUNCED = 11, 4


def secrets_in(text: str) -> list[Hit]:
    """Seed phrases of `text` (lower case): a run of BIP-39 words; a short one where it is announced."""
    hits = [Hit(Reason.WALLET, *m.span("value")) for m in _HAN_SEED.finditer(text)]
    announced = (
        [m.end() for m in _SEED_CUE.finditer(text)]
        if any(w in text for w in ("seed", "phrase", "mnemonic", "word", "助记", "短语", "种子"))
        else []
    )
    known = "".join(["1" if word in WORDS else "0" for word in _WORD.findall(text)])
    if not _STRETCH.search(known):
        return hits
    words = list(_WORD.finditer(text))
    for stretch in _STRETCH.finditer(known):
        run: list[tuple[int, int]] = []
        for word in words[stretch.start() : stretch.end()]:
            if run and not _GAP.fullmatch(text, run[-1][1], word.start()):
                hits += _seed(run, announced)
                run = []
            run.append(word.span())
        hits += _seed(run, announced)
    return hits


_STRETCH = re.compile(rf"1{{{_LEAST_ANNOUNCED},}}")


def _seed(run: list[tuple[int, int]], announced: list[int]) -> list[Hit]:
    if len(run) >= _LEAST:
        return [Hit(Reason.WALLET, run[0][0], run[-1][1])]
    if len(run) < _LEAST_ANNOUNCED or not announced:
        return []
    for end in announced:
        rest = [word for word in run if word[0] >= end]
        if len(rest) >= _LEAST_ANNOUNCED and rest[0][0] - end <= 12:
            return [Hit(Reason.WALLET, rest[0][0], rest[-1][1])]
    return []
