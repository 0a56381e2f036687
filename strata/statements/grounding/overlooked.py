"""The entries of one day, each said once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.language.similarity import same, terms_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from strata.models import Fact


def distinct(facts: Iterable[Fact]) -> list[Fact]:
    """Return *facts* in the order in which they were said; of twins the first stays."""
    kept: list[Fact] = []
    for fact in facts:
        terms = terms_of(fact.text)
        if not any(same(terms, terms_of(other.text)) for other in kept):
            kept.append(fact)
    return sorted(kept, key=lambda fact: fact.evidence[0].said_at)
