"""Two meanings side by side: what both tell, what one of them tells alone."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from strata.language.lexicon import kind_of, lexicon

if TYPE_CHECKING:
    from collections.abc import Iterable

    from strata.language.meanings import Meaning, Term

# Words that are left over may weigh this much in two wordings of one thing.
SLIGHT = 0.2


class Comparison:
    """
    An older and a newer meaning.

    *opposed* are terms that one affirms and the other denies.
    """

    def __init__(self, older: Meaning, newer: Meaning) -> None:
        self.older, self.newer = older, newer
        self.old = _with_units_of(older.keys, newer.keys)
        self.new = _with_units_of(newer.keys, older.keys)
        self.shared = self.old.keys() & self.new.keys()
        self.only_old = [t for k, t in self.old.items() if k not in self.shared]
        self.only_new = [t for k, t in self.new.items() if k not in self.shared]
        self.opposed = {k for k in self.shared if self.old[k].sign != self.new[k].sign}

    @cached_property
    def common(self) -> float:
        """How much both tell."""
        return weigh(self.old[key] for key in self.shared)

    def sort(self, term: Term) -> str | None:
        """Return of what sort *term* is, if it is a value; beside a role a name is one."""
        sort = kind_of(term.key, term.kind)
        if sort in {None, "city"} and term.kind == "name":
            return "name" if self.shared & lexicon().roles else None
        return sort

    def topics(self, terms: Iterable[Term]) -> list[Term]:
        """Return those of *terms* that say what a statement is about."""
        return [t for t in terms if t.weight > SLIGHT and not self.sort(t)]

    def told_with(self, side: dict[str, Term]) -> set[int]:
        """Return the clauses of *side* in which what both tell stands."""
        return {t.clause for k, t in side.items() if k in self.shared}


def weigh(terms: Iterable[Term]) -> float:
    """Return how much *terms* tell."""
    return sum(term.weight for term in terms)


def _with_units_of(terms: dict[str, Term], other: dict[str, Term]) -> dict[str, Term]:
    """Return *terms* with the unit of a number that only *other* has: port 80, 80 MB."""
    bare = [key for key in terms if key.endswith(":") and key not in other]
    if not bare:
        return terms
    renamed = {
        key: full
        for key in bare
        for full in other
        if full != key and full.startswith(key)
    }
    return {renamed.get(key, key): term for key, term in terms.items()}
