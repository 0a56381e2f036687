"""The law: what no judge may let into long-term memory. Small, and above every judge."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.language.quotes import carries_orders
from strata.models import Origin
from strata.statements.grounding.agreement import disagreement

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.models import Claim

PLACEHOLDER = "⟦"


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
    return disagreement(text, text, said) or ""


def _plain(text: str) -> str:
    return " ".join(text.lower().split())
