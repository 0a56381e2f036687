"""A secret of which one message tells a part, and one of the next ones the rest."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

# So many more messages of the same person may hold another part.
_TURNS = 2
_SHORTEST, _LONGEST, _TAIL_CHARS = 3, 120, 200
PART = "⟦secret:part⟧"

_NAMED = (
    r"(?:pass(?:word|code|phrase|wd)?|pwd|pin|token|secret|key|credentials?|code|otp"
    r"|密码|口令|验证码|授权码|密钥|私钥|令牌)"
)
_FIRST = (
    r"(?:first|1st|part one|beginning)(?: (?:half|part|piece|bit|chars?|characters?))?"
    r"|starts? with|begins? with|前半段?|前一半|第一[段部]分?|前面(?:几位)?|开头"
)
_VENDOR = r"(?:sk|pk|rk|ghp|gho|ghs|glpat|xox[abp]|npm|pypi|hf|AKIA|ASIA|AIza|eyJ)[-_]?"
# A message that ends with a value, or a part of one, of something with such a name.
_ENDS_WITH_VALUE = re.compile(
    rf"{_NAMED}[^\n.?!。？！]{{0,40}}?(?:\b(?:is|was|with|half|part|it'?s)\b|[:=：]|是|为|有)"
    r"\s*(?P<value>⟦secret:[\w-]+⟧|[^\s⟦⟧]{3,120}?)[.。,，…\s]*(?:\.\.\.)?\Z",
    re.IGNORECASE,
)
_SAYS_PART = re.compile(_FIRST, re.IGNORECASE)
# After these even a plain word is a part.
_SAYS_SURELY = re.compile(
    r"first half|(?:starts?|begins?) with|前半|前一半|开头", re.IGNORECASE
)
_BEGINS_KEY = re.compile(_VENDOR + r"(?!x{3}|your|test)[A-Za-z0-9]{3}")
_GOES_ON = re.compile(
    r"\s*(?:(?:and|then|plus|now|next|also|it|the|rest|remaining|remainder|second|2nd|third"
    r"|3rd|last|other|final|half|part|piece|bit|ends?|end|continues?|followed|by|with|is"
    r"|here|comes|goes|on|after|that|ok|okay|sure|然后|接着|再|后半段?|后一半|第二[段部]分?"
    r"|后面|剩下|剩余|结尾|其余|最后|还有|的|是|为|几位|部分)[:：,，…\s]*)*",
    re.IGNORECASE,
)


class Halves:
    """Follows what one person says, and knows whether more of a secret is to come."""

    def __init__(self, allowed: Callable[[str], bool] | None = None) -> None:
        self._left = 0
        self._allowed = allowed or (lambda _: False)

    def redacted(self, text: str, as_told: Callable[[str], str]) -> str:
        """
        Return *text* without the part of a secret that it holds, if it does.

        *as_told* takes out whole secrets; a value that it finds may be a first part too.
        """
        told = self._without_rest(text) if self._left else text
        self._left = max(self._left - 1, 0)
        if told != text:
            return told
        ended = _ENDS_WITH_VALUE.search(as_told(text)[-_TAIL_CHARS:])
        if ended is None:
            return text
        value = ended["value"]
        is_part = _is_said_to_be_part(text[-_TAIL_CHARS:], ended["value"])
        begins = is_part or _BEGINS_KEY.match(value) is not None
        if not (begins or value.startswith("⟦") or _is_piece(value)):
            return text
        self._left = _TURNS
        if not begins or value.startswith("⟦"):
            return text
        at = text.rfind(value)
        if self._allowed(value):
            return text
        return f"{text[:at]}{PART}{text[at + len(value) :]}" if at >= 0 else text

    def _without_rest(self, text: str) -> str:
        lead = _GOES_ON.match(text)
        start = lead.end() if lead else 0
        value = text[start:].strip().rstrip(".。,，")
        if not _is_piece(value) or self._allowed(value):
            return text
        return text[:start] + text[start:].replace(value, PART, 1)


def _is_said_to_be_part(tail: str, value: str) -> bool:
    if _SAYS_SURELY.search(tail):
        return True
    return _SAYS_PART.search(tail) is not None and _is_piece(value)


def _is_piece(value: str) -> bool:
    """Say whether *value* is one token as no word, number or name is written."""
    if not _SHORTEST <= len(value) <= _LONGEST or any(c.isspace() for c in value):
        return False
    if not value.isascii() or "://" in value or "⟦" in value:
        return False
    letters, digits = re.search(r"[A-Za-z]", value), re.search(r"\d", value)
    mixed = re.search(r"[a-z][A-Z]|[A-Z]{2}[a-z]", value)
    return bool((letters and digits) or mixed)
