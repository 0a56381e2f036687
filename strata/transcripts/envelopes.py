"""What OpenClaw and its plugins wrap around the words that a person typed."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from strata.patterns import pattern

if TYPE_CHECKING:
    from collections.abc import Callable

_STAMP = pattern(
    r"\[(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) \d{4}-\d\d-\d\d \d\d:\d\d(?::\d\d)?"
    r"(?: [^\]\n]{1,40})?\] ?"
)
# Before 2026.3 a channel put its name, the sender and the time into one pair of brackets.
_CHANNEL_STAMP = pattern(
    r"\[(?:WhatsApp|Telegram|Signal|Discord|Slack|iMessage|WebChat|MSTeams|Matrix|Feishu)"
    r" [^\]\n]{0,200}\d{4}-\d\d-\d\d[^\]\n]{0,40}\] ?"
)
_HEADER = pattern(
    r"[^\n]{1,100}?(?:(?:\(untrusted(?: metadata|, for context)\):|⟦openclaw:ctx⟧)"
    r"[ \t]*(?:\n|$)|\(untrusted[^)\n]{0,80}\):[ \t]*\n(?=```))"
)
_KNOWN_HEADER = pattern(
    r"^(?:Conversation info|Sender)(?: \(untrusted metadata\):|: ⟦openclaw:ctx⟧)[ \t]*\n"
    r"(?=```)",
    re.MULTILINE,
)
_TRAILING_HEADER = pattern(
    r"^(?:Untrusted context \(metadata, [^)\n]{0,80}\):|Context: ⟦openclaw:ctx⟧)[ \t]*$",
    re.MULTILINE,
)
_EVENT_LINE = pattern(r"System(?: \(untrusted\))?: [^\n]*(?:\n|$)")
_DATED_EVENT_LINE = pattern(
    r"System(?: \(untrusted\))?: ?\[\d{4}-\d\d-\d\d[^\n]*(?:\n|$)"
)
_MARKER_LINE = pattern(
    r"\[(?:Queued user message that arrived while the previous turn was still active"
    r"|Queued messages while agent was busy|User sent media without caption"
    r"|OpenClaw session (?:new|reset))\][ \t]*(?:\n|$)"
)
_RUNTIME_LINE = pattern(r"^Runtime: agent=[^\n]* \| [^\n]*\n?", re.MULTILINE)
_MEDIA_LINE = pattern(
    r"^(?:\[media attached(?: \d+/\d+)?: [^\n]*\]|To send an image back, prefer the message"
    r" tool[^\n]*)[ \t]*\n?",
    re.MULTILINE,
)
_HEAD_PATTERNS = (_STAMP, _CHANNEL_STAMP, _MARKER_LINE, _MEDIA_LINE)
_MESSAGE_ID = pattern(r"\n?\[message_id: [^\]\n]{1,200}\]\s*$")
_STARTUP = "[Startup context loaded by runtime]"
_QUOTED_NOTES = pattern(r"\[Untrusted daily memory: [^\]\n]*\]\nBEGIN_QUOTED_NOTES\n")
_QUOTED_END = "\nEND_QUOTED_NOTES"
_CONTEXT_START = "<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>"
_CONTEXT_END = "<<<END_OPENCLAW_INTERNAL_CONTEXT>>>"
# Memory plugins inject what they recalled in tags of their own making.
_MEMORY_TAG = pattern(
    r"(?:^|(?<=\] ))(?:Context:[ \t]*\n)?<((?:memory|memories)(?=[^>\n]*>[ \t]*\n)"
    r"|[a-z_-]*memor(?:y|ies)[-_][a-z_-]+|[a-z_-]+memor(?:y|ies))(?:\s[^>\n]*)?>",
    re.MULTILINE | re.IGNORECASE,
)
_EXTERNAL = pattern(r"<<<EXTERNAL_UNTRUSTED_CONTENT\b[^>\n]*>>>")
_EXTERNAL_END = pattern(r"<<<END_EXTERNAL_UNTRUSTED_CONTENT\b[^>\n]*>>>")
_PARAGRAPH_END = pattern(r"\n[ \t]*\n")
# Nobody wraps a message more often; it bounds the work that a forged one can cause.
_ROUNDS = 50
_HEADER_CHARS = 300

_REPLY_TAGS = pattern(
    r"(?:\s*\[\[\s*(?:/?(?:reply_to|audio|tts|voice|react|media|sticker)\w*|silent)"
    r"(?:\s*:[^\]\n]*)?\s*\]\])+\s*",
    re.IGNORECASE,
)
_THINKS = ("<think>", "<thinking>", "<thought>")
_THINKING = pattern(r"\s*<(think|thinking|thought)>.*?</\1>\s*", re.DOTALL)
_FINAL = pattern(r"\s*<final>\s*|\s*</final>\s*$")


def unwrap_user(text: str) -> str:
    """
    Return the words a person typed, without envelopes and injected memory.

    What only looks like the start of an envelope ends with its paragraph, so that a forged
    or broken one never takes a whole message with it.
    """
    text = text.strip()
    for sign, remove in _ANYWHERE:
        if sign in text:
            text = remove(text)
    remembers = "memor" in text.lower()
    for _ in range(_ROUNDS):
        inner = _without_head(text)
        inner = _without_memory(inner) if remembers else inner
        if inner == text:
            break
        text = inner
    return text.strip()


def unwrap_assistant(text: str) -> str:
    """Return the words of a reply, without delivery tags and leaked thinking."""
    text = text.strip()
    if text.startswith("<"):
        text = _FINAL.sub(
            "", _THINKING.sub("", text, count=1) if text.startswith(_THINKS) else text
        )
    if text.startswith("[["):
        match = _REPLY_TAGS.match(text)
        text = text[match.end() :] if match else text
    return text.strip()


def _without_head(text: str) -> str:
    for _ in range(_ROUNDS):
        text = text.lstrip()
        end = _envelope_end(text)
        if end == 0:
            break
        text = text[end:]
    return text


def _envelope_end(text: str) -> int:
    """Where the envelope ends that *text* starts with; 0 if it starts with none."""
    if text.startswith("["):
        return _bracket_end(text)
    if text.startswith("System"):
        dated = _DATED_EVENT_LINE.match(text)
        return _events_end(text) if dated or _only_events(text) else 0
    if match := _RUNTIME_LINE.match(text):
        return match.end()
    header = text[:_HEADER_CHARS]
    if ("(untrusted" in header or "⟦" in header) and (match := _HEADER.match(text)):
        return _block_end(text, match.end())
    return 0


def _bracket_end(text: str) -> int:
    if text.startswith(_STARTUP):
        return _startup_end(text)
    ends = (each.match(text) for each in _HEAD_PATTERNS)
    return next((match.end() for match in ends if match), 0)


def _only_events(text: str) -> bool:
    lines = text.split("\n")
    return all(not line.strip() or _EVENT_LINE.match(line) for line in lines)


def _events_end(text: str) -> int:
    end = 0
    while match := _EVENT_LINE.match(text, end):
        end = match.end()
    return end


def _block_end(text: str, start: int) -> int:
    """Where a block of metadata ends: with its fence, else with its paragraph."""
    if text.startswith("```", start):
        close = text.find("\n```", start)
        if close >= 0:
            return _line_end(text, close + 1)
    return _paragraph_end(text, start)


def _startup_end(text: str) -> int:
    end = _paragraph_end(text, 0)
    while match := _QUOTED_NOTES.match(text, _skip_blank(text, end)):
        close = text.find(_QUOTED_END, match.end() - 1)
        if close < 0:
            return _paragraph_end(text, match.end())
        end = _line_end(text, close + 1)
    return end


def _without_context(text: str) -> str:
    for _ in range(_ROUNDS):
        start = text.find(_CONTEXT_START)
        if start < 0:
            break
        end = _closed_end(text, start, _CONTEXT_END)
        text = text[:start] + text[end:].lstrip("\n")
    return text


def _without_memory(text: str) -> str:
    start = 0
    for _ in range(_ROUNDS):
        match = _MEMORY_TAG.search(text, start)
        if match is None:
            break
        start = match.start()
        if _inside_fence(text, start):
            start = match.end()
        else:
            text = (
                text[:start] + text[_closed_end(text, match.end(), f"</{match[1]}>") :]
            )
    return text


def _without_metadata(text: str) -> str:
    # A message that waited carries those of all that waited with it, between the words.
    for _ in range(_ROUNDS):
        match = _KNOWN_HEADER.search(text)
        if match is None:
            break
        rest = text[_block_end(text, match.end()) :].lstrip("\n")
        text = text[: match.start()] + rest
    return text


def _without_trailer(text: str) -> str:
    match = _TRAILING_HEADER.search(text)
    if match is None:
        return text
    end = _skip_blank(text, match.end())
    if not _EXTERNAL.match(text, end):
        return text[: match.start()] + text[_paragraph_end(text, end) :]
    while _EXTERNAL.match(text, end) and (close := _EXTERNAL_END.search(text, end)):
        end = _skip_blank(text, close.end())
    return text[: match.start()] + text[end:]


def _closed_end(text: str, start: int, closing: str) -> int:
    """Behind *closing*; where nothing closes, the end of the paragraph."""
    close = text.find(closing, start)
    return _paragraph_end(text, start) if close < 0 else close + len(closing)


def _inside_fence(text: str, position: int) -> bool:
    return text.count("\n```", 0, position) % 2 == 1 or (
        text.startswith("```") and text.count("\n```", 0, position) % 2 == 0
    )


def _paragraph_end(text: str, start: int) -> int:
    match = _PARAGRAPH_END.search(text, start)
    return match.end() if match else len(text)


def _line_end(text: str, start: int) -> int:
    newline = text.find("\n", start)
    return len(text) if newline < 0 else newline + 1


def _skip_blank(text: str, start: int) -> int:
    while start < len(text) and text[start] in " \t\n":
        start += 1
    return start


# What may stand anywhere in a message, by a sign that is quick to look for.
_ANYWHERE: tuple[tuple[str, Callable[[str], str]], ...] = (
    (_CONTEXT_START, _without_context),
    ("```", _without_metadata),
    ("Runtime: agent=", partial(_RUNTIME_LINE.sub, "")),
    ("[media attached", partial(_MEDIA_LINE.sub, "")),
    ("[message_id: ", partial(_MESSAGE_ID.sub, "")),
    ("ontext", _without_trailer),
)
