"""A secret that one message asks for, announces or half tells, and another one tells."""

from __future__ import annotations

import re
from collections import deque
from typing import TYPE_CHECKING

from strata.patterns import pattern
from strata.transcripts.redaction import find_secrets, replaced
from strata.transcripts.redaction.learned import READ_BEFORE, opening
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
_ENDS_OPEN = pattern(
    rf"(?:{_NAME}[^\n.。?？!]{{0,40}}?[ \t]*(?:is|are|was|:|=|->|：|是|为|填)?"
    r"|[A-Z_]{2,40}=)[ \t]*\Z",
    re.IGNORECASE,
)
_QUESTION = tuple(
    pattern(each, re.IGNORECASE) for each in (_ASKS, _ASKS_IN_CHINESE, _ASKS_BEHIND)
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
    (pattern(each, re.IGNORECASE), beginning)
    for each, beginning in (
        (_ASKS_WHAT_OPENS, "what you type to unlock it is "),
        (_ASKS_HOW_TO_OPEN, "unlock with "),
        (_ASKS_IN_CHINESE_WHAT_OPENS, "解锁那串是 "),
    )
)
_LEAD = pattern(
    r"\s*(?:(?:[a-z']{1,8}[ ,]+){1,4}[-–—:][ \t]+)?"
    r"(?:(?:it(?:'s| is)|that(?:'s| is)|is|sure|here(?: it is| you (?:go|are))?"
    r"|ok(?:ay)?|yes|use|try|with|type|enter|press|(?:key|punch) in|就?是|好的?"
    r"|[用按输敲填])(?:[,:，： \t]+|(?<=[是用按输敲填])))*",
    re.IGNORECASE,
)
# So many more messages of the same person may hold another part.
_TURNS = 2
_SHORTEST_PART, _LONGEST_PART, _END_CHARS = 3, 120, 200
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
_ENDS_WITH_VALUE = pattern(
    rf"{_NAMED}[^\n.?!。？！]{{0,40}}?(?:\b(?:is|was|with|half|part|it'?s)\b|[:=：]|是|为|有)"
    r"\s*(?P<value>⟦secret:[\w-]+⟧|[^\s⟦⟧]{3,120}?)[.。,，…\s]*(?:\.\.\.)?\Z",
    re.IGNORECASE,
)
_SAYS_PART = pattern(_FIRST, re.IGNORECASE)
# After these even a plain word is a part.
_SAYS_SURELY = pattern(
    r"first half|(?:starts?|begins?) with|前半|前一半|开头", re.IGNORECASE
)
_BEGINS_KEY = pattern(_VENDOR + r"(?!x{3}|your|test)[A-Za-z0-9]{3}")
_GOES_ON = pattern(
    r"\s*(?:(?:and|then|plus|now|next|also|it|the|rest|remaining|remainder|second|2nd|third"
    r"|3rd|last|other|final|half|part|piece|bit|ends?|end|continues?|followed|by|with|is"
    r"|here|comes|goes|on|after|that|ok|okay|sure|然后|接着|再|后半段?|后一半|第二[段部]分?"
    r"|后面|剩下|剩余|结尾|其余|最后|还有|的|是|为|几位|部分)[:：,，…\s]*)*",
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
        self._allowed = allowed or (lambda _: False)
        self._said: dict[Role, str] = {}
        self._tails: dict[Role, str] = {}
        self._halves = Halves(allowed)
        self._on_phrase = 0
        self._passed_over: deque[str] = deque(maxlen=_TURNS + 1)

    def pass_over(self, role: Role, text: str) -> None:
        """Take note of a message that is not told, but may hold a part of a secret."""
        if role == "user" and text:
            self._passed_over.append(text)

    def hear(self, role: Role, text: str) -> None:
        """Take note of how a message ends."""
        if text:
            self._said[role] = text[-READ_BEFORE:]
            self._tails[role] = text[-_TAIL_CHARS:].rstrip()
            self._on_phrase = max(self._on_phrase - 1, 0)
            if speaks_of_phrase(text):
                self._on_phrase = _TURNS_ON_PHRASE

    def redacted(self, role: Role, text: str) -> str:
        """Return *text* without the secret that an earlier message announced."""
        if role == "user" and text:
            text = self._without_announced(text)
        return self._without_opening(role, text)

    def _without_announced(self, text: str) -> str:
        while self._passed_over:
            # Only now: of most that is passed over nobody asks what comes next.
            self._halves.redacted(self._passed_over.popleft(), self._redact)
        whole = self._answer(self._without_phrase(text))
        return whole if whole != text else self._halves.redacted(text, self._redact)

    def _without_opening(self, role: Role, text: str) -> str:
        """Return *text* without what opens something, by all that was said around it."""
        if role == "tool":
            return text
        other: Role = "assistant" if role == "user" else "user"
        before = [self._said.get(each, "") for each in (role, other)]
        found = [*opening(text, before)]
        if found:
            # Of what a rule finds it knows the whole, and what it is.
            ruled = find_secrets(text, self._allowed)
            found = [
                each for each in found if not any(each.meets(one) for one in ruled)
            ]
        values = ((each, text[each.start : each.end]) for each in found)
        return replaced(
            text, [each for each, told in values if not self._allowed(told)]
        )

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
        ended = _ENDS_WITH_VALUE.search(as_told(text)[-_END_CHARS:])
        if ended is None:
            return text
        value = ended["value"]
        is_part = _is_said_to_be_part(text[-_END_CHARS:], value)
        begins = is_part or _BEGINS_KEY.match(value) is not None
        if not (begins or value.startswith("⟦") or _is_piece(value)):
            return text
        self._left = _TURNS
        if not begins or value.startswith("⟦"):
            return text
        at = text.rfind(value)
        if at < 0 or self._allowed(value):
            return text
        return f"{text[:at]}{PART}{text[at + len(value) :]}"

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
    if not _SHORTEST_PART <= len(value) <= _LONGEST_PART or any(
        c.isspace() for c in value
    ):
        return False
    if not value.isascii() or "://" in value or "⟦" in value:
        return False
    letters, digits = re.search(r"[A-Za-z]", value), re.search(r"\d", value)
    mixed = re.search(r"[a-z][A-Z]|[A-Z]{2}[a-z]", value)
    return bool((letters and digits) or mixed)
