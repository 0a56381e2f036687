"""Attempts to plant something in memory, set apart so that a person can look at them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from strata.distillation.pasted_signs import INJECTION
from strata.distillation.quotes import (
    MASK,
    PASTE,
    is_order_to_machines,
    mask_quotations,
)
from strata.models import Origin

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.models import Message

Reason = Literal["hidden", "orders", "forged", "rule"]

_FOREIGN_RUN = re.compile(f"[{MASK}{PASTE}](?:[{MASK}{PASTE}\\s]*[{MASK}{PASTE}])?")
# Letters that no screen shows and a model reads: Unicode's tags.
_HIDDEN = re.compile("[\U000e0020-\U000e007e]{4,}")
_FORGED = re.compile(
    r"^##? ?\d\d:\d\d session:|<!-- ?(?:strata:|trigger|importance|keep)|\(src: ?20\d\d-"
    r"|^[ \t]*[-*]? ?\[(?:preference|decision|偏好|决策)\] |^trigger:",
    re.IGNORECASE | re.MULTILINE,
)
_RULE = re.compile(
    r"\b(?:always|never|from now on|remember (?:that|to|this)|prefers?|permanently"
    r"|by default)\b|以后|今后|从现在起|一律|永远|记住|务必|不用(?:再)?(?:问|确认)|默认",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Attempt:
    """Words that would steer the agent and are not the owner's, and why they look so."""

    words: str
    reason: Reason
    origin: Origin


def attempts(message: Message) -> Iterator[Attempt]:
    """Yield what *message* carries that memory must not believe."""
    if message.role != "user":
        return
    for hidden in _HIDDEN.finditer(message.text):
        words = "".join(chr(ord(letter) - 0xE0000) for letter in hidden[0])
        yield Attempt(words, "hidden", Origin.UNTRUSTED)
    for words in _foreign_words(message):
        if reason := _reason(words):
            yield Attempt(words, reason, Origin.UNTRUSTED)


def is_foreign(message: Message) -> bool:
    """Say whether *message* holds words that are not the owner's own."""
    if message.origin is not Origin.OWNER:
        return True
    return _FOREIGN_RUN.search(mask_quotations(message.text)) is not None


def _foreign_words(message: Message) -> Iterator[str]:
    if message.origin is not Origin.OWNER:
        yield message.text
        return
    masked = mask_quotations(message.text)
    for run in _FOREIGN_RUN.finditer(masked):
        yield message.text[run.start() : run.end()]
    if is_order_to_machines(masked, quoted=False):
        yield message.text


def _reason(words: str) -> Reason | None:
    if _FORGED.search(words):
        return "forged"
    if INJECTION.search(words) or is_order_to_machines(words, quoted=True):
        return "orders"
    return "rule" if _RULE.search(words) else None
