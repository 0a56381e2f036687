"""Whether two entries say the same."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from strata.language.cues import words
from strata.patterns import pattern

if TYPE_CHECKING:
    from collections.abc import Iterable

    from strata.models import Fact

_TOKEN = pattern(
    r"[a-z0-9][a-z0-9'./_-]*[a-z0-9]|[a-z0-9]|[\u3400-\u9fff]+", re.IGNORECASE
)
_SMALL = frozenset(words("similarity.small_words"))
# So much of a word tells it from others; "label" and "labelled" are one.
_STEM = 5
_ALIKE = 0.6
_CONTAINED = 0.85


def terms_of(text: str) -> frozenset[str]:
    """Return what *text* is compared by: words, and pairs of neighbouring hanzi."""
    terms: set[str] = set()
    for token in _TOKEN.findall(text.lower()):
        if token[0] >= "\u3400":
            terms.update(token[i : i + 2] for i in range(max(1, len(token) - 1)))
        elif token not in _SMALL:
            terms.add(token[:_STEM] if token.isalpha() else token)
    return frozenset(terms)


def same(one: frozenset[str], other: frozenset[str]) -> bool:
    """Say whether two sets of terms mean one statement in nearly equal words."""
    small, large = sorted((one, other), key=len)
    if not small:
        return not large
    shared = len(small & large)
    if _numbers(small) - _numbers(large):
        return False
    return shared / len(one | other) >= _ALIKE or shared / len(small) >= _CONTAINED


def may_be_alike(one: str, other: str) -> bool:
    """Say whether *one* and *other*, what statements are about, may be the same."""
    return not (one and other) or same(terms_of(one), terms_of(other))


def distinct(facts: Iterable[Fact]) -> list[Fact]:
    """Return *facts* in the order in which they were said; of twins the first stays."""
    kept: list[Fact] = []
    for fact in facts:
        terms = terms_of(fact.text)
        if not any(
            same(terms, terms_of(other.text)) and may_be_alike(fact.topic, other.topic)
            for other in kept
        ):
            kept.append(fact)
    return sorted(kept, key=lambda fact: fact.evidence[0].said_at)


def _numbers(terms: frozenset[str]) -> set[str]:
    return {term for term in terms if any(c.isdigit() for c in term)}
