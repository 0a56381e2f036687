"""Attempts to plant something in memory, set apart so that a person can look at them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Literal

from strata.language.cues import cue
from strata.language.cues import words as listed
from strata.language.pasted import INJECTION
from strata.language.quotes import (
    MASK,
    PASTE,
    is_order_to_machines,
    mask_quotations,
)
from strata.language.sentences import split_sentences
from strata.models import Origin

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.models import Message

Reason = Literal["hidden", "orders", "forged", "rule", "doubtful"]

_FOREIGN_RUN = re.compile(f"[{MASK}{PASTE}](?:[{MASK}{PASTE}\\s]*[{MASK}{PASTE}])?")
# Letters that no screen shows and a model reads: Unicode's tags.
_HIDDEN = re.compile("[\U000e0020-\U000e007e]{4,}")
_FORGED = cue("quarantine.forged", re.IGNORECASE | re.MULTILINE)
_RULE = cue("quarantine.rule")
# What no order to an assistant does without, in lower case: a pattern takes ten times as
# long to look for them, and tools give much.
_STEERING = (
    *listed("quarantine.words"),
    *(
        " ai",
        "ai ",
        "the user",
        "this user",
        "your user",
        "model ",
        "models ",
        "now on",
    ),
)
_TO_MEMORY = cue("quarantine.to_memory")
_ENDS = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])")
_FORMS = re.compile(r"<!--|\[system\]|\bthis user\b|[该此]用户", re.IGNORECASE)
_MOST_OVERHEARD = 3


@dataclass(frozen=True, slots=True)
class Attempt:
    """Words that would steer the agent and are not the owner's, and why they look so."""

    words: str
    reason: Reason
    origin: Origin


def attempts(message: Message) -> Iterator[Attempt]:
    """Yield what *message* carries that memory must not believe."""
    if message.role == "tool":
        yield from _overheard(message.output)
    if message.role != "user":
        return
    for hidden in _HIDDEN.finditer(message.text):
        words = "".join(chr(ord(letter) - 0xE0000) for letter in hidden[0])
        yield Attempt(words, "hidden", Origin.UNTRUSTED)
    for words in _foreign_words(message):
        if reason := _reason(words):
            yield Attempt(words, reason, Origin.UNTRUSTED)


def gives_orders(output: str) -> bool:
    """Say whether what a tool gave speaks to assistants, and so to this one."""
    return any(_overheard(output))


def is_foreign(message: Message) -> bool:
    """Say whether *message* holds words that are not the owner's own."""
    if message.origin is not Origin.OWNER:
        return True
    return _FOREIGN_RUN.search(mask_quotations(message.text)) is not None


def _foreign_words(message: Message) -> Iterator[str]:
    """Give what is not the owner's own."""
    if message.origin is not Origin.OWNER:
        yield message.text
        return
    masked = mask_quotations(message.text)
    for run in _FOREIGN_RUN.finditer(masked):
        yield message.text[run.start() : run.end()]
    if is_order_to_machines(masked, quoted=False):
        yield message.text


def doubts(words: str) -> Iterator[Attempt]:
    """Give the sentences of *words* that would be rules, were they the owner's."""
    rules = (each.text for each in split_sentences(words) if _RULE.search(each.plain))
    for text in islice(rules, _MOST_OVERHEARD):
        if "⟦" not in text:
            yield Attempt(text, "doubtful", Origin.UNTRUSTED)


def _overheard(output: str) -> Iterator[Attempt]:
    """
    Give the sentences of what a tool gave that mean to steer who reads it.

    Manuals and code are full of rules; only what speaks to assistants, of their user or
    of their memory is worth a person's look.
    """
    lines = (line for line in output.split("\n") if _may_steer(line.lower()))
    sentences = (each.strip() for line in lines for each in _ENDS.split(line))
    steering = (each for each in sentences if _is_steering(each))
    for words in islice(dict.fromkeys(steering), _MOST_OVERHEARD):
        hidden = _HIDDEN.search(words) is not None
        yield Attempt(words, "hidden" if hidden else "orders", Origin.UNTRUSTED)


def _may_steer(line: str) -> bool:
    return any(word in line for word in _STEERING) or bool(_HIDDEN.search(line))


def _is_steering(words: str) -> bool:
    if _HIDDEN.search(words):
        return True
    # Pages are full of comments, logs of what the system says and which user is unknown.
    bare = _FORMS.sub(" ", words)
    return (
        INJECTION.search(bare) is not None
        or _TO_MEMORY.search(bare) is not None
        or is_order_to_machines(bare, quoted=False)
    )


def _reason(words: str) -> Reason | None:
    if _FORGED.search(words):
        return "forged"
    if INJECTION.search(words) or is_order_to_machines(words, quoted=True):
        return "orders"
    return "rule" if _RULE.search(words) else None
