"""A secret that one message asks for or announces, and that another one tells alone."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from strata.transcripts.halves import Halves
from strata.transcripts.redaction.recovery import speaks_of_phrase

if TYPE_CHECKING:
    from collections.abc import Callable

    from strata.models import Role

_TAIL_CHARS = 160
_SHORTEST = 4
_TURNS_ON_PHRASE, _PHRASE_LEAD = 3, "metamask.\n"
_NAME = (
    r"(?P<name>(?:[\w-]{1,24} ){0,2}(?:pass ?(?:word|code|phrase)|pass(?:wd)?|pwd|login"
    r"|pin|token|secret|key"
    r"|credentials?|(?:verification|security|login|2fa|access|one-time|otp) code|otp"
    r"|(?:recovery|seed|secret|backup) ?(?:phrase|words)|mnemonic)"
    r"|[\u4e00-\u9fff]{0,6}"
    r"(?:密码|口令|验证码|授权码|密钥|私钥|令牌|助记词|(?i:token|pin) ?码?))"
)
_ASKS = (
    rf"\b(?:what(?:'s| is| was|s)|and|send|give|tell|paste|enter|provide|type|share"
    rf"|need|know|have)(?: me)?(?: (?:the|your|my|its|our|new|current))+ {_NAME}"
    r"(?: (?:for|of|to|please|again|now)[^.?!\n]{0,40})?[ \t]*[?.!]*\Z"
)
_ASKS_IN_CHINESE = (
    rf"(?:输入|提供|告诉我|发我|发一下|给我|说一下|需要)(?:一下)?[^\n。?？]{{0,8}}?{_NAME}"
    r"[^\n。?？]{0,4}[?？。]*\Z"
)
_ASKS_BEHIND = (
    rf"{_NAME}(?:是什么|是多少|是啥|多少|呢|发我|给我|告诉我)"
    r"[^\n。?？]{0,6}[?？。]*\Z"
)
_ENDS_OPEN = re.compile(
    rf"(?:{_NAME}[^\n.。?？!]{{0,40}}?[ \t]*(?:is|are|was|:|=|->|：|是|为|填)?"
    r"|[A-Z_]{2,40}=)[ \t]*\Z",
    re.IGNORECASE,
)
_QUESTION = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (_ASKS, _ASKS_IN_CHINESE, _ASKS_BEHIND)
)
_MUST = r"(?:do|should|must|shall|can) (?:i|we|they|you)\b"
_OPENS = (
    r"\b(?:unlock|log ?[io]n|sign in|get (?:in|past)|alarm|safe|door|gate|lock)\b"
    r"[^.?!\n]{0,40}\?+\Z"
)
_ASKS_WHAT_OPENS = (
    rf"\bwhat (?:(?:code|number|digits) )?{_MUST}[^.?!\n]{{0,60}}{_OPENS}"
    r"|\bwhat (?:unlocks|opens|gets (?:you|me|us) in)[^.?!\n]{0,40}\?+\Z"
)
_ASKS_HOW_TO_OPEN = rf"\bhow {_MUST}[^.?!\n]{{0,60}}{_OPENS}"
_ASKS_IN_CHINESE_WHAT_OPENS = (
    r"(?:登[录陆入上]|解锁|锁|开机|进[去门]|连上?)[^。？?！!\n]{0,12}"
    r"(?:[输填敲按]|用|是|怎么).{0,3}(?:什么|啥|哪[个串]|多少|几)[^。\n]{0,4}[？?]\Z"
    r"|(?:[输填敲按]|用)(?:什么|啥|哪[个串]|多少|几).{0,4}"
    r"(?:登[录陆入上]|解锁|开[机门]|进[去门])[^。\n]{0,6}[？?]\Z"
)
# What is asked for without its name, and the beginning of a sentence that would tell it.
_NAMELESS_QUESTION = tuple(
    (re.compile(pattern, re.IGNORECASE), beginning)
    for pattern, beginning in (
        (_ASKS_WHAT_OPENS, "what you type to unlock it is "),
        (_ASKS_HOW_TO_OPEN, "unlock with "),
        (_ASKS_IN_CHINESE_WHAT_OPENS, "解锁那串是 "),
    )
)
_LEAD = re.compile(
    r"\s*(?:(?:[a-z']{1,8}[ ,]+){1,4}[-–—:][ \t]+)?"
    r"(?:(?:it(?:'s| is)|that(?:'s| is)|is|sure|here(?: it is| you (?:go|are))?"
    r"|ok(?:ay)?|yes|use|try|with|type|enter|press|(?:key|punch) in|就?是|好的?"
    r"|[用按输敲填])(?:[,:，： \t]+|(?<=[是用按输敲填])))*",
    re.IGNORECASE,
)


class Announced:
    """Follows one conversation, and knows what its last messages leave to be told."""

    def __init__(
        self,
        redact: Callable[[str], str],
        allowed: Callable[[str], bool] | None = None,
    ) -> None:
        self._redact = redact
        self._tails: dict[Role, str] = {}
        self._halves = Halves(allowed)
        self._on_phrase = 0

    def hear(self, role: Role, text: str) -> None:
        """Take note of how a message ends."""
        if text:
            self._tails[role] = text[-_TAIL_CHARS:].rstrip()
            self._on_phrase = max(self._on_phrase - 1, 0)
            if speaks_of_phrase(text):
                self._on_phrase = _TURNS_ON_PHRASE

    def redacted(self, role: Role, text: str) -> str:
        """Return *text* without the secret that an earlier message announced."""
        if role != "user" or not text:
            return text
        whole = self._answer(self._without_phrase(text))
        return whole if whole != text else self._halves.redacted(text, self._redact)

    def _without_phrase(self, text: str) -> str:
        """Return *text* without the row of words that stands alone after its name."""
        if not self._on_phrase:
            return text
        return self._redact(_PHRASE_LEAD + text)[len(_PHRASE_LEAD) :]

    def _answer(self, text: str) -> str:
        if text.endswith((":", "：")):
            return text
        for tail in self._tails.values():
            lead = _introduction(tail)
            if lead and (told := self._told(lead, text)) != text:
                return told
        return text

    def _told(self, lead: str, text: str) -> str:
        before = _LEAD.match(text)
        start = before.end() if before else 0
        told = self._redact(lead + text[start:])[len(lead) :]
        rest = told.partition("⟧")[2]
        value = text[start : len(text) - len(rest)].strip()
        if told.startswith("⟦") and len(value) >= _SHORTEST:
            return text[:start] + told
        return text


def _introduction(tail: str) -> str:
    """Return the beginning of a sentence that the next message would end."""
    for question in _QUESTION:
        if asked := question.search(tail):
            name = asked["name"].strip()
            return f"the {name} is " if name.isascii() else f"{name}是 "
    for question, beginning in _NAMELESS_QUESTION:
        if question.search(tail):
            return beginning
    opened = _ENDS_OPEN.search(tail)
    if opened is None:
        return ""
    line = tail.rpartition("\n")[2]
    return line if line.endswith("=") else f"{line} "
