"""How two statements stand to each other: the same, unlike, at odds, or one the news."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from strata.distillation.lexicon import lexicon
from strata.distillation.meanings import Meaning, Term, kind_of, read_meaning
from strata.distillation.pieces import plain

if TYPE_CHECKING:
    from collections.abc import Iterable


class Relation(StrEnum):
    """What a newer statement is to an older one."""

    SAME = "same"
    DIFFERENT = "different"
    UPDATES = "updates"
    CONTRADICTS = "contradicts"


# Of what two statements at odds say, so much is the same.
_ABOUT = 0.5
# One value on either side: "use pnpm", "use npm".
_TWO = 2
# Words that are left over may weigh this much in two wordings of one thing.
_SLIGHT = 0.2


def relation(older: str, newer: str, *, similarity: float | None = None) -> Relation:
    """
    Say what *newer* is to *older*.

    They are the same where one says all that the other does, in any words of English or
    Chinese: keeping the richer one then loses nothing. *similarity* is the cosine of
    their embeddings, where there are any; it helps only where everything that can be
    compared as such is equal.
    """
    if _bare(older) == _bare(newer):
        return Relation.SAME
    first, second = read_meaning(older), read_meaning(newer)
    pair = _Pair(first, second)
    if not pair.shared:
        return Relation.DIFFERENT
    if pair.at_odds():
        return Relation.UPDATES if pair.is_news() else Relation.CONTRADICTS
    return Relation.SAME if pair.is_same(similarity) else Relation.DIFFERENT


def richer(first: str, second: str) -> str:
    """Return the one of two statements of the same that says more."""
    one, two = read_meaning(first), read_meaning(second)
    weights = [_weight(one.keys.values()), _weight(two.keys.values())]
    if weights[0] != weights[1]:
        return first if weights[0] > weights[1] else second
    if len(one.reasons) != len(two.reasons):
        return first if len(one.reasons) > len(two.reasons) else second
    return first if len(plain(first)) >= len(plain(second)) else second


def folded_terms(text: str) -> frozenset[str]:
    """
    Return what *text* is about, in terms that are the same in English and in Chinese.

    Statements without a term in common are `Relation.DIFFERENT`, unless they are equal.
    """
    meant = [term for term in read_meaning(text).terms if term.weight > _SLIGHT]
    terms = frozenset(
        name
        for term in meant
        for name in (term.key, kind_of(term.key, term.kind))
        if name
    )
    return terms or frozenset({_bare(text)})


def _bare(text: str) -> str:
    return "".join(letter for letter in plain(text).casefold() if letter.isalnum())


def _weight(terms: Iterable[Term]) -> float:
    return sum(term.weight for term in terms)


class _Pair:
    """Two meanings side by side."""

    def __init__(self, older: Meaning, newer: Meaning) -> None:
        self.older, self.newer = older, newer
        self.old = {k: t for k, t in older.keys.items() if t.weight}
        self.new = {k: t for k, t in newer.keys.items() if t.weight}
        self.shared = self.old.keys() & self.new.keys()
        self.only_old = [t for k, t in self.old.items() if k not in self.shared]
        self.only_new = [t for k, t in self.new.items() if k not in self.shared]
        self.opposed = {k for k in self.shared if self.old[k].sign != self.new[k].sign}

    def is_same(self, similarity: float | None) -> bool:
        """Say whether one of the two says all that the other does."""
        del similarity
        if self.opposed or self.older.limits != self.newer.limits:
            return False
        if self._swapped():
            return False
        small, large = sorted((self.only_old, self.only_new), key=_weight)
        if _weight(small) > _SLIGHT:
            return False
        return not any(term.scope for term in large) and (
            _weight(large) <= self._common() / 2
        )

    def _common(self) -> float:
        return _weight(self.old[key] for key in self.shared)

    def _swapped(self) -> bool:
        """Say whether the same values stand in other places: A calls B, B calls A."""
        kept = {
            k for k in self.shared if not self.old[k].scope and not self.new[k].scope
        }
        values = {k for k in kept if self.old[k].kind in {"value", "name"}}
        if len(values) < 2:  # noqa: PLR2004 - one value has no order
            return False
        return self._order(values) and not self._order(kept - values)

    def _order(self, keys: set[str]) -> bool:
        first = [key for key in self.old if key in keys]
        return first != [key for key in self.new if key in keys]

    def at_odds(self) -> bool:
        """Say whether they give one slot two values, or one affirms what one denies."""
        if self.older.limits ^ self.newer.limits:
            return False
        rest_old = [
            t for t in self.only_old if not self._sort(t) and t.weight > _SLIGHT
        ]
        rest_new = [
            t for t in self.only_new if not self._sort(t) and t.weight > _SLIGHT
        ]
        if rest_old and rest_new:
            return False
        if self.opposed:
            return not any(t.scope for t in rest_new)
        return self._other_value() and not rest_old and not rest_new

    def _other_value(self) -> bool:
        """Say whether what is left on either side is another value of one sort."""
        old = {sort for t in self.only_old if (sort := self._sort(t))}
        new = {sort for t in self.only_new if (sort := self._sort(t))}
        scoped = any(t.scope for t in (*self.only_old, *self.only_new))
        return bool(old) and old == new and not scoped and self._is_about_same()

    def _is_about_same(self) -> bool:
        common = self._common()
        small = min(_weight(self.only_old), _weight(self.only_new))
        strong = [t for t in (*self.only_old, *self.only_new) if t.weight > _SLIGHT]
        return common > 0 and (
            common / (common + small) >= _ABOUT or len(strong) == _TWO
        )

    def _sort(self, term: Term) -> str | None:
        """Return of what sort *term* is; a name is a person's beside a role."""
        sort = kind_of(term.key, term.kind)
        if sort is None and term.kind == "name" and self.shared & lexicon().roles:
            return "person"
        return sort

    def is_news(self) -> bool:
        """Say whether the newer one says that it replaces the older."""
        return self.newer.change or self.newer.contrast
