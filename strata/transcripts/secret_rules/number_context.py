"""What stands around a row of digits, and whether that makes it an ordinary number."""

from __future__ import annotations

import re
import string

_LOOK_BACK = 32

_JOINED_AFTER = re.compile(r"[A-Za-z0-9_@]|[.,:/-][A-Za-z0-9]")
_JOINED_BEFORE = frozenset(string.ascii_letters + string.digits + "_#@/\\-")
_JOINTS = frozenset(".,:")
_COUNTRY_CODES = ("+86", "86", "+(86", "(86", "+86)", "(+86")

_UNIT_AFTER = re.compile(
    r"[ \t]{0,2}(?:bytes?|[kmgt]i?b|ns|ms|us|s|secs?|seconds|rows?|tokens?|records?|"
    r"字节|条|次|元|行|个|毫秒|秒|页)(?![A-Za-z])",
    re.IGNORECASE,
)

# The last word before the number, when it says that the number counts or names a thing.
_THING = (
    r"order|invoice|ticket|issue|tracking|trace|span|serial|batch|task|job|run|commit|build|"
    r"message|msg|chat|thread|post|tweet|item|product|user|group|guild|channel|event|request|"
    r"req|transaction|txn|case|reference|ref|part|model|room|meeting|object|row|record|doc"
)
_ORDINARY_NAME = re.compile(
    rf"(?:.*[_.-])?(?:{_THING})[_.-]?(?:ids?|no|num|nr|number|key|ref)?"
    r"|(?:.*[_.-])?(?:ids?|uid|gid|pid|tid|seq|sequence|offset|size|bytes|count|total|hash|"
    r"version|rev|revision|time|timestamp|ts|epoch|duration|elapsed|nonce|seed|sku|isbn|"
    r"ean|upc|barcode|cursor|mtime|ctime|atime|inode|length|sum|checksum|crc|snowflake)"
    r"|.*_at|.*[a-z](?:Ids?|ID|At|Time|No|Seq|Size|Count|Hash|Ts|Offset)"
)
_ORDINARY_CHINESE = re.compile(
    r"(?:订单|运单|快递|物流|流水|工单|单据|发票|合同|批次|设备|序列|交易|商品|会议|任务|追踪)"
    r"[编单]?[号码]?\Z|(?:单号|编号|序号|条码|时间戳|群号|QQ号?|qq号?)\Z"
)
_NAME_CHARACTERS = string.ascii_letters + string.digits + "_.-"
_BETWEEN = " \t:=#：\"'`*"
_COUNTING_WORDS = frozenset({"number", "no", "num", "nr"})

_PHONE_WORDS = (
    *("phone", "mobile", "cell", "tel", "whatsapp", "wechat", "sms"),
    *("手机", "电话", "联系", "号码", "微信"),
)
_CARD_WORDS = (
    *(
        "card",
        "visa",
        "mastercard",
        "amex",
        "unionpay",
        "diners",
        "pay with",
        "卡",
        "银联",
    ),
)
_CITIZEN_WORDS = (
    *(
        "身份证",
        "证件",
        "公民",
        "居民证",
        "id card",
        "identity",
        "national id",
        "citizen",
    ),
)


def is_joined(text: str, start: int, end: int) -> bool:
    """Say whether *start* to *end* is only a part of a longer name or number."""
    if _JOINED_AFTER.match(text, end):
        return True
    before = text[max(0, start - _LOOK_BACK) : start]
    if before.rstrip(" -").endswith(_COUNTRY_CODES):
        return False
    if before[-1:] in _JOINTS:
        return before[-2:-1].isalnum() and before[-2:-1].isascii() and before[-1] != ":"
    return before[-1:] in _JOINED_BEFORE


def is_ordinary(text: str, start: int, end: int) -> bool:
    """Say whether the words around call *start* to *end* an id, a count or a time."""
    if _UNIT_AFTER.match(text, end):
        return True
    before = _before(text, start)
    if _names_one_of(_PHONE_WORDS, before) or _names_one_of(_CARD_WORDS, before):
        return False
    before = (
        before.removesuffix(" is").rstrip(_BETWEEN).removesuffix("是").rstrip(_BETWEEN)
    )
    return _ends_in_ordinary_name(before)


def is_called_card(text: str, start: int) -> bool:
    """Say whether the words before *start* speak of a payment card."""
    return _names_one_of(_CARD_WORDS, _before(text, start))


def is_called_citizen(text: str, start: int) -> bool:
    """Say whether the words before *start* speak of an identity card."""
    return _names_one_of(_CITIZEN_WORDS, _before(text, start))


def _before(text: str, start: int) -> str:
    """Return what stands before *start* on the same line, the nearest 32 characters."""
    return text[max(0, start - _LOOK_BACK) : start].rpartition("\n")[2].rstrip(_BETWEEN)


def _names_one_of(words: tuple[str, ...], before: str) -> bool:
    lowered = before.lower()
    return any(word in lowered for word in words)


def _ends_in_ordinary_name(before: str) -> bool:
    name = _last_name(before)
    if name.lower() in _COUNTING_WORDS:
        name = _last_name(before.removesuffix(name).rstrip(" "))
    if name and _ORDINARY_NAME.fullmatch(name if "_" not in name else name.lower()):
        return True
    return bool(
        _ORDINARY_NAME.fullmatch(name.lower()) or _ORDINARY_CHINESE.search(before)
    )


def _last_name(before: str) -> str:
    return before[len(before.rstrip(_NAME_CHARACTERS)) :]
