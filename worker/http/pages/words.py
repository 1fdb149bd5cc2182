"""What the memory page says, in English and Chinese. A row that lacks one of them does not load."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from pipeline.reasons import Reason

_ROWS: dict[str, tuple[str, str]] = {
    "title": ("Memory", "客户记忆"),
    "sign_in": ("Sign in", "登录"),
    "sign_out": ("Sign out", "退出登录"),
    "token": ("Token with the scope operate", "带 operate 权限的令牌"),
    "token_hint": (
        "afterword tokens create --tenant … --role person --scope operate",
        "afterword tokens create --tenant … --role person --scope operate",
    ),
    "wrong_token": (
        "This token is unknown, expired or revoked, or lacks the scope operate.",
        "令牌不存在、已过期、已吊销，或没有 operate 权限。",
    ),
    "skip": ("Skip to the content", "跳到正文"),
    "find": ("Find a customer", "查找客户"),
    "customer": ("Customer", "客户"),
    "customer_id": ("Customer id", "客户 ID"),
    "open": ("Open", "打开"),
    "today": ("Today", "今日"),
    "review": ("Review", "待审核"),
    "dead": ("Dead letters", "死信"),
    "facts": ("What is remembered", "已记住的内容"),
    "nothing": ("Nothing is remembered of this customer.", "没有记住关于该客户的任何内容。"),
    "key": ("Key", "键"),
    "value": ("Value", "值"),
    "kind": ("Kind", "类型"),
    "source": ("Source", "来源"),
    "since": ("Since (UTC)", "起（UTC）"),
    "until": ("Until (UTC)", "止（UTC）"),
    "expires": ("Expires (UTC)", "过期（UTC）"),
    "never": ("never", "不过期"),
    "still": ("still", "至今"),
    "why": ("Why", "依据"),
    "why_of": ("Why this is remembered", "为什么记住这一条"),
    "evidence": ("Evidence", "证据"),
    "history": ("History", "历史"),
    "ticket": ("Ticket", "工单"),
    "message": ("message", "第几条消息"),
    "model": ("Model", "模型"),
    "by": ("By", "由"),
    "confidence": ("Confidence", "置信度"),
    "replaced": ("Replaced", "取代了"),
    "replaced_by": ("Replaced by", "被取代为"),
    "withdrawn": ("withdrawn", "已撤回"),
    "no_words": ("stated directly, no ticket behind it", "直接陈述，无工单原文"),
    "correct": ("Correct", "更正"),
    "correct_to": ("The right value", "正确的值"),
    "confirm": ("Confirm", "确认"),
    "confirm_hint": (
        "You have it from the customer: it counts as confirmed by a person.",
        "您已向客户核实：此条视为人工确认。",
    ),
    "forget_fact": ("Forget this fact", "忘记这一条"),
    "forget_customer": ("Forget this customer", "忘记该客户"),
    "forget_hint": (
        "For good: facts, history, evidence, questions, waiting tickets. Type the customer id to confirm.",
        "不可恢复：事实、历史、证据、待审核、等待中的工单都会删除。请输入客户 ID 确认。",
    ),
    "forget_fact_hint": (
        "For good, with all that it rests on. What it had replaced holds again.",
        "不可恢复，连同其证据一起删除。它所取代的内容重新生效。",
    ),
    "export": ("Export", "导出"),
    "says": ("What was said", "所述内容"),
    "holds": ("What holds now", "当前内容"),
    "reason": ("Reason", "原因"),
    "age": ("Waiting for", "已等待"),
    "accept": ("Accept", "接受"),
    "dismiss": ("Dismiss", "忽略"),
    "no_questions": ("No question waits for a person.", "没有等待人工处理的问题。"),
    "changed": ("has changed since the question was put", "提出问题后已有变化"),
    "ended": ("(has ended)", "（已结束）"),
    "no_dead": ("No dead letter.", "没有死信。"),
    "replay": ("Replay", "重放"),
    "replay_all": ("Replay all", "全部重放"),
    "fetch_failed": ("could not be fetched from the helpdesk", "无法从工单系统取回"),
    "received": ("Received (UTC)", "接收时间（UTC）"),
    "attempts": ("Attempts", "尝试次数"),
    "state": ("State", "状态"),
    "accepted": ("accepted", "已接收"),
    "pending": ("waiting", "等待中"),
    "processing": ("being read", "处理中"),
    "done": ("done", "已完成"),
    "dead_n": ("dead", "死信"),
    "erased": ("erased", "已抹除"),
    "oldest": ("oldest waiting", "最久等待"),
    "questions": ("questions", "待审核"),
    "decisions": ("Decisions since midnight (UTC)", "今日决策（UTC 零点起）"),
    "tickets": ("Tickets, in all", "工单总计"),
    "none_yet": ("none yet", "暂无"),
    "did_correct": ("Corrected", "已更正"),
    "did_confirm": ("Confirmed", "已确认"),
    "did_forget": ("Forgotten", "已忘记"),
    "did_accept": ("Accepted", "已接受"),
    "did_dismiss": ("Dismissed", "已忽略"),
    "did_replay": ("Put back, to be read again", "已放回，等待重新处理"),
    "refused": ("Not written", "未写入"),
    "refused_changed": (
        "Not written: what holds has changed since the question was put. Look again.",
        "未写入：提出问题后内容已变化，请重新查看。",
    ),
    "refused_already_resolved": ("It was answered before.", "此前已处理。"),
    "action_ADD": ("added", "新增"),
    "action_UPDATE": ("updated", "更新"),
    "action_NOOP": ("known already", "已知"),
    "action_REJECT": ("refused", "拒绝"),
    "not_confirmed": (
        "Nothing was forgotten: the id that you typed is another one.",
        "未删除任何内容：输入的 ID 不一致。",
    ),
    "changed_since": (
        "What holds has changed since the question was put: look again.",
        "提出问题后内容已变化，请重新查看。",
    ),
    "not_found": ("There is no such thing, or it is gone.", "不存在，或已删除。"),
    "bad_form": ("The form is not from this session: go back and send it again.", "表单不属于当前会话，请返回重试。"),
    "unreadable": ("The form cannot be read: go back and send it again.", "无法读取表单，请返回重试。"),
    "bad_id": (
        "Want an id of 1-200 characters without control characters.",
        "请输入 1-200 个字符、不含控制字符的 ID。",
    ),
    "unavailable": (
        "The database does not answer. Nothing was changed; try again.",
        "数据库无响应，未做任何更改，请重试。",
    ),
    "only_noted": (
        "The forgetting is noted, but the database does not answer now: it will be finished by itself within minutes.",
        "删除请求已登记，但数据库目前无响应：几分钟内将自动完成。",
    ),
    "pending_tickets": ("Tickets of this customer that are not read yet", "该客户尚未处理的工单"),
    "back": ("Back", "返回"),
    "other_language": ("中文", "English"),
    "preference": ("preference", "偏好"),
    "profile": ("profile", "概况"),
    "situation": ("situation", "近况"),
    "episode": ("episode", "经历"),
    "system": ("business system", "业务系统"),
    "agent_confirmed": ("a person", "人工确认"),
    "extracted": ("a ticket", "工单提取"),
}
LANGUAGES = ("en", "zh")
WORDS: Mapping[str, Mapping[str, str]] = {
    language: {name: row[i] for name, row in _ROWS.items()} for i, language in enumerate(LANGUAGES)
}
_REASONS_ZH: Mapping[str, str] = {
    Reason.OUTRANKED: "更可靠的来源另有说法",
    Reason.UNSURE: "把握不足，未替换已有内容",
    Reason.NEEDS_CONFIRMATION: "须先由人工确认",
    Reason.TIE: "两个同级来源同时给出不同说法",
    Reason.SYSTEM_OWNED: "该键由业务系统维护，请到业务系统查询",
    Reason.OPTED_OUT: "客户已关闭记忆",
    Reason.ERASED: "早于客户被抹除的时间",
    Reason.RETRACTED: "该工单已被撤回",
    Reason.FORBIDDEN_KEY: "键名涉及凭证、卡号、账户或证件",
    Reason.AUTHORITY: "会改变权限、资金、校验或坐席规则",
    Reason.EMPTY_VALUE: "没有值",
    Reason.TOO_LONG: "过长",
    Reason.NOT_ALLOWED: "不在目录允许的取值之内",
    Reason.INVALID_REPLY: "模型回复不符合格式，修复后仍不符合",
    Reason.REFUSAL: "模型拒绝回答",
    Reason.CONTENT_FILTER: "被模型的内容过滤拦截",
    Reason.BAD_REQUEST: "模型服务不接受该请求，请检查模型与设置",
    Reason.UNDECRYPTABLE: "无法解密：密钥错误或丢失",
    Reason.WORKER_LOST: "处理它的进程多次异常退出",
    Reason.TOO_OLD: "暂时性故障持续过久",
}
"""The sentences of the reasons that people meet on the page; any other is said in English."""
_UNITS = (("d", "天", 86_400), ("h", "小时", 3_600), ("min", "分钟", 60))


def explained(reason: str | None, language: str) -> str:
    """The sentence of a reason code; '' for what is none."""
    if reason not in list(Reason):
        return ""
    return _REASONS_ZH.get(reason, Reason(reason).explain) if language == "zh" else Reason(reason).explain


def age(span: timedelta, language: str) -> str:
    """'2 d' or '2 天': the largest unit that fits."""
    seconds = max(0, int(span.total_seconds()))
    for en, zh, size in _UNITS:
        if seconds >= size:
            return f"{seconds // size} {zh if language == 'zh' else en}"
    return f"{seconds} {'秒' if language == 'zh' else 's'}"


def moment(value: datetime | str | None) -> str:
    """'2026-11-29 10:00' in UTC; '' for None."""
    if value is None:
        return ""
    return (datetime.fromisoformat(value) if isinstance(value, str) else value).strftime("%Y-%m-%d %H:%M")
