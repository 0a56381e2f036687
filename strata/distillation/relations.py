"""How two statements stand to each other: the same, unlike, at odds, or one the news."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING

from strata.distillation.lexicon import kind_of, lexicon
from strata.distillation.meanings import Meaning, Term, read_meaning
from strata.distillation.spelling import plain

if TYPE_CHECKING:
    from collections.abc import Iterable


class Relation(StrEnum):
    """What a newer statement is to an older one."""

    SAME = "same"
    DIFFERENT = "different"
    UPDATES = "updates"
    CONTRADICTS = "contradicts"


# "3.5" is no "35", and "c++" no "c".
_MARK = r"[,.;:!?、。…()\[\]\"]"
_MARKS = re.compile(rf"(?<![0-9a-z]){_MARK}+|{_MARK}+(?![0-9a-z])|\s[-–—]+(?=\s)")
_BESIDE_HANZI = re.compile(r"(?<=[\u3400-\u9fff])\s+|\s+(?=[\u3400-\u9fff])")
# Of a clause so much may come on top of what both say, in weight.
_MORE = 0.4
# A newer value may be told with this much of other words: 涨了.
_ASIDE = 0.5
_ORDERED = frozenset({"value", "name", "hanzi"})
# Of these one alone says nothing about what it is the value of.
_VAGUE = frozenset(
    {"weekday", "time of day", "frequency", "colour", "city", "side", "hour"}
)
# "In German" is a value where "in Python" is a place.
_NEVER_SCOPE = frozenset(
    {"human language", "city", "data format", "document", "currency", "script"}
    | {"spelling", "unit system", "degrees", "name", "theme", "colour", "frequency"}
)
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
    del similarity
    pair = _Pair(read_meaning(older), read_meaning(newer))
    if pair.at_odds():
        return Relation.UPDATES if pair.is_news() else Relation.CONTRADICTS
    return Relation.SAME if pair.is_same() else Relation.DIFFERENT


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
    terms = {_bare_number(term.key) for term in meant}
    if len(terms) == 1:
        terms |= {kind for term in meant if (kind := kind_of(term.key, term.kind))}
    return frozenset(terms) or frozenset({_bare(text)})


def _bare_number(key: str) -> str:
    return key.rpartition(":")[0] if key.startswith("number:") else key


def _bare(text: str) -> str:
    """Return *text* in lower case without the marks that tell nothing apart."""
    lower = _MARKS.sub(" ", plain(text).casefold())
    return _BESIDE_HANZI.sub("", " ".join(lower.split()))


def _weight(terms: Iterable[Term]) -> float:
    return sum(term.weight for term in terms)


class _Pair:
    """Two meanings side by side."""

    def __init__(self, older: Meaning, newer: Meaning) -> None:
        self.older, self.newer = older, newer
        self.old, self.new = _aligned(older.keys, newer.keys)
        self.shared = self.old.keys() & self.new.keys()
        self.only_old = [t for k, t in self.old.items() if k not in self.shared]
        self.only_new = [t for k, t in self.new.items() if k not in self.shared]
        self.opposed = {k for k in self.shared if self.old[k].sign != self.new[k].sign}

    def is_same(self) -> bool:
        """Say whether one of the two says all that the other does."""
        speakers = self.older.speaker, self.newer.speaker
        if all(speakers) and not speakers[0] & speakers[1]:
            return False
        if self.opposed or self.older.limits != self.newer.limits or self._swapped():
            return False
        small, large = sorted((self.only_old, self.only_new), key=_weight)
        if _weight(small) > _SLIGHT:
            return False
        clauses = self._told_in(self.old if large is self.only_old else self.new)
        more = [term for term in large if term.clause in clauses]
        if any(self._narrows(term, large) for term in more):
            return False
        common = self._common()
        return common > 0 and _weight(more) <= _MORE * common

    def _narrows(self, term: Term, side: list[Term]) -> bool:
        """Say whether *term* makes the statement one about less than the other."""
        if term.weight <= _SLIGHT:
            return False
        return term.scope or (term.kind == "name" and not self._is_surname(term, side))

    def _is_surname(self, term: Term, side: list[Term]) -> bool:
        """Say whether a name stands beside one that both have: Lena, Lena Hofer."""
        order = list((self.old if side is self.only_old else self.new).values())
        place = order.index(term)
        beside = (*order[max(0, place - 1) : place], *order[place + 1 : place + 2])
        return any(each.kind == "name" and each.key in self.shared for each in beside)

    def _told_in(self, side: dict[str, Term]) -> set[int]:
        """Return the clauses in which what both say stands."""
        return {t.clause for k, t in side.items() if k in self.shared}

    def _common(self) -> float:
        return _weight(self.old[key] for key in self.shared)

    def _swapped(self) -> bool:
        """Say whether two of a sort have changed places: A calls B, B calls A."""
        kept = {k for k in self.shared if not (self.old[k].scope or self.new[k].scope)}
        sorts: dict[str | None, set[str]] = {}
        for key in kept:
            if self.old[key].kind in _ORDERED:
                sorts.setdefault(kind_of(key, self.old[key].kind), set()).add(key)
        values = set().union(*sorts.values())
        if self._reordered(kept - values):
            return False
        return any(self._reordered(keys) for keys in sorts.values())

    def _reordered(self, keys: set[str]) -> bool:
        first = [key for key in self.old if key in keys]
        return first != [key for key in self.new if key in keys]

    def at_odds(self) -> bool:
        """Say whether they give one slot two values, or one affirms what one denies."""
        limits = self.older.limits ^ self.newer.limits
        if limits and not (self.newer.limits == {"new"} and limits == {"new"}):
            return False
        rest_old = [t for t in self.only_old if self._is_topic(t)]
        rest_new = [t for t in self.only_new if self._is_topic(t)]
        if self.opposed:
            named = [t for t in rest_new if t.kind != "name" or t.scope]
            return not (rest_old and named) and not any(t.scope for t in rest_new)
        aside = _weight(rest_new) <= _ASIDE and self.newer.change
        return not rest_old and (not rest_new or aside) and self._other_value()

    def _is_topic(self, term: Term) -> bool:
        return term.weight > _SLIGHT and not self._sort(term)

    def _other_value(self) -> bool:
        """Say whether exactly one slot is filled by another value of its sort."""
        old = {sort for t in self.only_old if (sort := self._sort(t))}
        new = {sort for t in self.only_new if (sort := self._sort(t))}
        if len(old) != 1 or old != new:
            return False
        (sort,) = old
        scoped = any(t.scope for t in (*self.only_old, *self.only_new))
        if scoped and sort not in _NEVER_SCOPE:
            return False
        return any(
            t.weight > _SLIGHT for k, t in self.old.items() if k in self.shared
        ) or (
            self._is_bare(self.old) and self._is_bare(self.new) and sort not in _VAGUE
        )

    def _is_bare(self, side: dict[str, Term]) -> bool:
        """Say whether the value is all that is told: "use pnpm", "I prefer tea"."""
        return sum(term.weight > _SLIGHT for term in side.values()) == 1

    def _sort(self, term: Term) -> str | None:
        """Return of what sort *term* is; a name is a person's beside a role."""
        sort = kind_of(term.key, term.kind)
        if sort in {None, "city"} and term.kind == "name":
            return "name" if self.shared & lexicon().roles else None
        return sort

    def is_news(self) -> bool:
        """Say whether the newer one says that it replaces the older."""
        newer = self.newer
        return newer.change or newer.contrast or "new" in newer.limits


def _aligned(
    old: dict[str, Term], new: dict[str, Term]
) -> tuple[dict[str, Term], dict[str, Term]]:
    """Return both with a number that lacks its unit told by the same one that has it."""
    return _with_units_of(old, new), _with_units_of(new, old)


def _with_units_of(terms: dict[str, Term], other: dict[str, Term]) -> dict[str, Term]:
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
