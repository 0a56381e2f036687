"""Messages too long to be worth keeping whole, cut in the middle."""

from __future__ import annotations

import re

LIMIT_CHARS = 64 * 1024
_HEAD_CHARS = 48 * 1024
_MARKER_CHARS = 64
_SPACE = re.compile(r"\s")
# A word cut in half could be half a placeholder; longer ones than this are no words.
_LONGEST_WORD_CHARS = 4096


def shorten(text: str) -> str:
    """
    At most `LIMIT_CHARS` of *text*: its beginning and its end, cut between words.

    Cut after secrets were taken out, never before: half a secret is not recognised.
    """
    if len(text) <= LIMIT_CHARS:
        return text
    head = _cut_back(text[:_HEAD_CHARS])
    tail = _cut_forward(text[-(LIMIT_CHARS - _HEAD_CHARS - _MARKER_CHARS) :])
    left_out = len(text) - len(head) - len(tail)
    return f"{head}\n\n[… {left_out} characters left out …]\n\n{tail}"


def _cut_back(head: str) -> str:
    start = len(head) - _LONGEST_WORD_CHARS
    spaces = list(_SPACE.finditer(head, start))
    return head[: spaces[-1].start()] if spaces else head


def _cut_forward(tail: str) -> str:
    space = _SPACE.search(tail, 0, _LONGEST_WORD_CHARS)
    return tail[space.end() :] if space else tail
