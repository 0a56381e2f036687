"""Whether one of two statements says all that the other does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.language.lexicon import kind_of, lexicon
from strata.statements.comparison import SLIGHT, Comparison, weigh

if TYPE_CHECKING:
    from collections.abc import Sequence

    from strata.language.meanings import Term

# Of a clause so much may come on top of what both say, in weight.
_MORE = 0.4
# So much is said again by "the rule stands: no parcel over 20 kilos".
_RESTATED = 2.0
# Vectors put "Swedish" and "Finnish" at 0.90: they may vouch for one odd word at most.
_ALIKE = 0.92
_ORDERED = frozenset({"value", "name", "hanzi"})


def is_same(pair: Comparison, similarity: float | None) -> bool:
    """Say whether one of the two says all that the other does."""
    if pair.opposed or not pair.common or _other_speaker(pair):
        return False
    # Whether two have changed places takes longest to tell.
    return _says_all(pair, similarity) and not _swapped(pair)


def _says_all(pair: Comparison, similarity: float | None) -> bool:
    """Say whether one of the two says all that the other does, in whatever places."""
    if _restates(pair):
        return True
    if pair.older.limits != pair.newer.limits:
        return False
    small, large = sorted((pair.only_old, pair.only_new), key=weigh)
    if weigh(small) > SLIGHT and not _one_odd_word(pair, similarity):
        return False
    side = pair.old if large is pair.only_old else pair.new
    clauses = pair.told_with(side)
    more = [term for term in large if term.clause in clauses]
    if any(_narrows(pair, term, side) for term in more):
        return False
    return weigh(more) <= _MORE * pair.common


def _other_speaker(pair: Comparison) -> bool:
    speakers = pair.older.speaker, pair.newer.speaker
    return all(speakers) and not speakers[0] & speakers[1]


def _restates(pair: Comparison) -> bool:
    """Say whether the newer one only says that the older still holds."""
    return (
        pair.newer.restated
        and pair.common >= _RESTATED
        and weigh(pair.only_new) <= SLIGHT
        and pair.newer.limits <= pair.older.limits
    )


def _one_odd_word(pair: Comparison, similarity: float | None) -> bool:
    """Say whether vectors vouch for one word that the dictionary does not know."""
    if similarity is None or similarity < _ALIKE or pair.common < _RESTATED:
        return False
    sides = (pair.only_old, pair.only_new)
    return all(_is_odd_word([t for t in side if t.weight > SLIGHT]) for side in sides)


def _is_odd_word(terms: Sequence[Term]) -> bool:
    known = lexicon().concepts
    return len(terms) == 1 and terms[0].kind == "word" and terms[0].key not in known


def _narrows(pair: Comparison, term: Term, side: dict[str, Term]) -> bool:
    """Say whether *term* makes the statement one about less than the other."""
    if term.weight <= SLIGHT:
        return False
    if term.scope or term.key in lexicon().relatives or term.key.startswith("count:"):
        return True
    return term.kind == "name" and not _is_surname(pair, term, side)


def _is_surname(pair: Comparison, term: Term, side: dict[str, Term]) -> bool:
    """Say whether a name stands beside one that both have: Lena, Lena Hofer."""
    order = list(side.values())
    place = order.index(term)
    beside = (*order[max(0, place - 1) : place], *order[place + 1 : place + 2])
    return any(each.kind == "name" and each.key in pair.shared for each in beside)


def _swapped(pair: Comparison) -> bool:
    """Say whether two of a sort have changed places: A calls B, B calls A."""
    sorts: dict[str | None, set[str]] = {}
    for key in pair.shared:
        if pair.old[key].kind in _ORDERED and len(key) > 1:
            sorts.setdefault(kind_of(key, pair.old[key].kind), set()).add(key)
    others = pair.shared - set().union(*sorts.values())
    turned = len(others) > 1 and _reordered(pair, others)
    return any(
        _changed_places(pair, keys, turned=turned, paired=sort is not None)
        for sort, keys in sorts.items()
    )


def _changed_places(
    pair: Comparison, keys: set[str], *, turned: bool, paired: bool
) -> bool:
    """
    Say whether *keys* stand in another order while the rest does not.

    Values that are *paired* with something each, and the rest *turned* round, are no
    better: piano on Wednesday and swimming on Friday.
    """
    narrowing = (
        {k for k in keys if pair.old[k].scope},
        {k for k in keys if pair.new[k].scope},
    )
    if narrowing[0] - narrowing[1] and narrowing[1] - narrowing[0]:
        return True
    free = keys - narrowing[0] - narrowing[1]
    reordered = _reordered(pair, free)
    affirmed = sum(pair.old[key].sign > 0 for key in keys)
    return reordered != turned and (reordered or (paired and affirmed > 1))


def _reordered(pair: Comparison, keys: set[str]) -> bool:
    first = [key for key in pair.old if key in keys]
    return first != [key for key in pair.new if key in keys]
