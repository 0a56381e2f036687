"""Search terms that say an entry in other words, and nothing that its words do not say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.language.vocabulary import content_words
from strata.statements.grounding.agreement import invented

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MOST = 6
_MOST_WORDS = 6
_MOST_CHARACTERS = 60


def paraphrases(terms: Iterable[str], quotes: Sequence[str]) -> tuple[str, ...]:
    """
    Return those of *terms* that may stand beside what *quotes* say, each once.

    Other words are what they are for; a name, a number or a path of their own is not.
    """
    kept: dict[str, str] = {}
    for term in (" ".join(each.split()) for each in terms):
        if _is_short(term) and not invented(term, quotes):
            kept.setdefault(term.casefold(), term)
    return tuple(kept.values())[:MOST]


def _is_short(term: str) -> bool:
    words = content_words(term.lower())
    return 0 < words <= _MOST_WORDS and len(term) <= _MOST_CHARACTERS
