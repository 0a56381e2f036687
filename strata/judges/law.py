"""The law: what no judge may let into long-term memory. Small, and above every judge."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from strata.language.polarity import negation_mismatch
from strata.language.quotes import carries_orders
from strata.models import Origin

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.models import Claim

PLACEHOLDER = "⟦"
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")


def refusal(claim: Claim, text: str) -> tuple[str, str] | None:
    """Return the article and the reason for which the line *text* may not enter."""
    return next(_refusals(claim, text), None)


def _refusals(claim: Claim, text: str) -> Iterator[tuple[str, str]]:
    if not any(mention.origin is Origin.OWNER for mention in claim.mentions):
        yield "origin", "it does not rest on the owner's own words"
    if PLACEHOLDER in text:
        yield "secret", "it holds a secret or a personal number"
    if carries_orders(text):
        yield (
            "injection",
            "it carries markup, or speaks to assistants as no owner would",
        )
    if wrong := _ungrounded(claim, text):
        yield "grounded", wrong


def _ungrounded(claim: Claim, text: str) -> str:
    """Return what *text* says that no entry does, or ""."""
    said = [mention.text for mention in claim.mentions]
    # A rewording was held to all words that its judge was shown before it was journaled.
    if any(_plain(text) in _plain(words) for words in (*said, *claim.reworded)):
        return ""
    known = set(_NUMBER.findall(" ".join(said)))
    for number in _NUMBER.findall(text):
        if number not in known:
            return f"the number {number} is in no entry"
    mismatches = [negation_mismatch(text.lower(), words.lower()) for words in said]
    return "" if None in mismatches else str(mismatches[0])


def _plain(text: str) -> str:
    return " ".join(text.lower().split())
