"""What the bank asks of a text, so that whoever answers may remember it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from strata.judges.naming import tagger
from strata.judges.succession import succession
from strata.language.simplified import has_han
from strata.statements.expiry import valid_until
from strata.statements.relations import Relation, folded_terms, relation, richer

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from strata.judges.naming import Cut, Named


# By so many of the people who were learned from a word is used as no name: anybody's.
COMMON = 2


class Reading(Protocol):
    """Reads texts; each answer depends on the words alone."""

    def named(self, texts: Sequence[str]) -> list[tuple[Named, ...]]:
        """Return whom and what each of *texts* names."""
        ...

    def unheard(self, texts: Sequence[str]) -> list[tuple[tuple[int, int], ...]]:
        """Return where each of *texts* has words that hardly anybody uses."""
        ...

    def common(self, word: str) -> int:
        """Return how many people use *word* as no name, from 0 on."""
        ...

    def terms(self, text: str) -> frozenset[str]:
        """Return what *text* is about, in terms that are the same in both languages."""
        ...

    def relations(self, older: Sequence[str], newer: str) -> Sequence[Relation]:
        """Return what *newer* is to each of *older*; as `succession`."""
        ...

    def richer(self, first: str, second: str) -> str:
        """Return the one of two statements of the same that says more."""
        ...

    def until(self, text: str, said: date) -> date | None:
        """Return until when *text*, said on that day, says itself that it holds."""
        ...


class PlainReading:
    """Reads every time anew; *cut* cuts hanzi into words of a dictionary."""

    def __init__(self, cut: Cut | None = None) -> None:
        self._cut = cut

    def named(self, texts: Sequence[str]) -> list[tuple[Named, ...]]:
        return [tagger().named(text, self._cut) for text in texts]

    def unheard(self, texts: Sequence[str]) -> list[tuple[tuple[int, int], ...]]:
        return [tagger().unheard(text, self._cut) for text in texts]

    def common(self, word: str) -> int:
        return tagger().commonness(word)

    def terms(self, text: str) -> frozenset[str]:
        return folded_terms(text)

    def relations(self, older: Sequence[str], newer: str) -> list[Relation]:
        return [self.relation(each, newer) for each in older]

    def relation(self, older: str, newer: str) -> Relation:
        """Return what *newer* is to *older* alone."""
        if has_han(older) != has_han(newer):
            # In two languages a few words in common say little.
            return relation(older, newer)
        return succession(older, newer)

    def richer(self, first: str, second: str) -> str:
        return richer(first, second)

    def until(self, text: str, said: date) -> date | None:
        return valid_until(text, said, bounded=True)
