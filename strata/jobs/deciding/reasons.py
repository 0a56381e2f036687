"""Why something is in memory or not, in the owner's language."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from strata.models import Language

# By event and dimension, then by dimension alone. English reasons come with the record.
_CHINESE = {
    "superseded consistent": "被新的说法取代",
    "waiting consistent": "与已有的说法矛盾，等再次确认",
    "waiting ask": "等你点头",
    "by_agent": "是智能体要记的，对话里你没有这么说",
    "doubtful": "可能是粘贴来的：上一行或下一行在问它",
    "prevents_mistake": "没有它也不会出具体的错",
    "broadly_applicable": "只关乎一时一事，或是心情、玩笑、假设、他人的看法",
    "self_contained": "离开上下文就看不懂",
    "not_duplicate": "已经记着同样的内容",
    "consistent": "与别的说法不一致",
    "expiry": "已过有效期",
    "budget": "记忆已满，它的价值最低",
    "origin": "依据的不是你本人的话",
    "secret": "含有机密或个人号码",
    "injection": "夹带标记，或像是在指挥助手",
    "grounded": "与笔记原文不符",
    "declined": "你拒绝过它",
    "undone": "你撤销过它",
    "reworded": "你换了写法",
    "quarantined_hidden": "用屏幕上看不见的字符写成",
    "quarantined_orders": "在指挥助手，而且不是你写的",
    "quarantined_forged": "冒充记忆自身的格式",
    "quarantined_rule": "在立规矩，而且不是你写的",
    "masked": "看起来像机密或个人号码",
    "masked_short": "看起来像机密或个人号码；太短，只能用设置 trust.never_secret 放行",
    "allowed": "你说过它不是机密",
    "by_hand": "这一行被人改过或删掉了",
}
_CHINESE_EVENTS = {
    "promoted": "记住了",
    "merged": "更新了写法",
    "superseded": "被取代",
    "expired": "过期了",
    "evicted": "被淘汰",
    "rejected": "没采纳",
    "waiting": "等待中",
    "accepted": "你接受了",
    "declined": "你拒绝了",
    "pinned": "你固定了",
    "unpinned": "你取消了固定",
    "edited": "你改了写法",
    "remembered": "你让记住的",
}
_SHORT_ENGLISH = {
    "superseded consistent": "a newer statement took its place",
    "waiting consistent": "it contradicts another statement",
    "waiting ask": "it needs your word",
    "not_duplicate": "a fuller wording says the same",
    "budget": "memory was full, and it was worth least",
    "undone": "you undid it",
}


def reason_in(
    language: Language, record: Mapping[str, Any], *, short: bool = False
) -> str:
    """Return why *record* is as it is; *short* leaves out what it is compared with."""
    dimension = str(record.get("dimension", ""))
    told = str(record.get("reason", ""))
    keys = (f"{record.get('event')} {dimension}", dimension)
    texts = _CHINESE if language == "zh" else _SHORT_ENGLISH if short else {}
    return next((texts[key] for key in keys if key in texts), told)


def event_in(language: Language, event: str) -> str:
    """Return what *event* of the journal is called."""
    return _CHINESE_EVENTS.get(event, event) if language == "zh" else event
