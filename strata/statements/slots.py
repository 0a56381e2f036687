"""Whether two statements put another value into one slot, and which of them is the news."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.language.lexicon import kind_of
from strata.language.meanings import LIGHT
from strata.statements.comparison import SLIGHT, Comparison, weigh

if TYPE_CHECKING:
    from strata.language.meanings import Term

# A newer value may be told with this much of other words: 涨了.
_ASIDE = 0.5
# What a change is about must be so much of what the older statement is about.
_COVERED = 0.6
# Of two statements of which one denies the other, the shorter must be so much the same.
_OPPOSED = 0.7
# Of these one alone says nothing about what it is the value of.
_VAGUE = frozenset(
    {"weekday", "time of day", "frequency", "colour", "city", "side", "hour"}
)
# "In German" is a value where "in Python" is a place.
_NEVER_SCOPE = frozenset(
    {"human language", "city", "data format", "document", "currency", "script"}
    | {"spelling", "unit system", "degrees", "name", "theme", "colour", "frequency"}
)
# With these the newer statement is about some of what the older is about.
_NARROWING = frozenset(
    {"if", "except", "only", "during", "other", "maybe", "sometimes"}
)


def is_news(pair: Comparison) -> bool:
    """Say whether the newer one says that something is no longer as it was."""
    newer = pair.newer
    return newer.change or newer.contrast or "new" in newer.limits


def replaces(pair: Comparison) -> bool:
    """Say whether the newer one, which tells of a change, leaves the older behind."""
    if (pair.newer.limits - pair.older.limits) & _NARROWING:
        return False
    gone = any(_is_given_up(pair, key) for key in pair.opposed)
    if not gone and not _one_other_value(pair):
        return False
    clauses = pair.told_with(pair.old) or {term.clause for term in pair.only_old}
    rest_old = [t for t in pair.topics(pair.only_old) if t.clause in clauses]
    rest_new = pair.topics(pair.only_new)
    if any(t.scope for t in rest_new) or (_has_name(rest_old) and _has_name(rest_new)):
        return False
    if gone and (not rest_new or _moves_house(pair, rest_new)):
        return True
    both = weigh(pair.topics(pair.old[key] for key in pair.shared))
    return both > 0 and both >= _COVERED * (both + weigh(rest_old))


def contradicts(pair: Comparison) -> bool:
    """Say whether they give one slot two values, or one affirms what the other denies."""
    limits = pair.older.limits ^ pair.newer.limits
    if limits and not pair.newer.limits == limits == {"new"}:
        return False
    rest_old, rest_new = pair.topics(pair.only_old), pair.topics(pair.only_new)
    if pair.opposed:
        # "The cache is Redis": beside its kind the name alone says as much, but the
        # queue is another thing.
        told_old = [t for t in pair.only_old if t.key not in LIGHT and not pair.sort(t)]
        if told_old and any(t.kind != "name" or t.scope for t in rest_new):
            return False
        least = min(weigh(pair.old.values()), weigh(pair.new.values()))
        is_much = pair.common > 1 or (_is_bare(pair.old) and _is_bare(pair.new))
        scoped = any(t.scope for t in rest_new)
        return is_much and not scoped and pair.common >= _OPPOSED * least
    aside = weigh(rest_new) <= _ASIDE and pair.newer.change
    return not rest_old and (not rest_new or aside) and _same_slot(pair)


def _is_given_up(pair: Comparison, key: str) -> bool:
    """Say whether the newer denies a value, or any name, that the older affirms."""
    old, new = pair.old[key], pair.new[key]
    is_value = old.kind in {"value", "name"} or pair.sort(old) is not None
    return is_value and old.sign > 0 > new.sign


def _has_name(terms: list[Term]) -> bool:
    return any(term.kind == "name" for term in terms)


def _one_other_value(pair: Comparison) -> bool:
    """Say whether exactly one slot is filled by another value of its sort."""
    old = _sorts_beside(pair, pair.old, pair.only_old)
    new = _sorts_beside(pair, pair.new, pair.only_new)
    if len(old) != 1 or old != new:
        return False
    (sort,) = old
    scoped = any(t.scope for t in (*pair.only_old, *pair.only_new) if pair.sort(t))
    return sort in _NEVER_SCOPE or not scoped


def _sorts_beside(
    pair: Comparison, side: dict[str, Term], terms: list[Term]
) -> set[str]:
    """Return the sorts of those *terms* that stand in a clause with what both tell."""
    clauses = pair.told_with(side)
    near = (t for t in terms if not clauses or t.clause in clauses)
    return {sort for t in near if (sort := pair.sort(t))}


def _moves_house(pair: Comparison, rest_new: list[Term]) -> bool:
    """Say whether a city is left for a place that is no more than a name here."""
    cities = any(kind_of(key, pair.old[key].kind) == "city" for key in pair.opposed)
    return cities and all(term.kind == "name" for term in rest_new)


def _same_slot(pair: Comparison) -> bool:
    """Say whether both are about one thing beside the value that differs."""
    if not _one_other_value(pair):
        return False
    if any(pair.old[key].weight > SLIGHT for key in pair.shared):
        return True
    sorts = {pair.sort(term) for term in (*pair.only_old, *pair.only_new)}
    return _is_bare(pair.old) and _is_bare(pair.new) and not sorts & _VAGUE


def _is_bare(side: dict[str, Term]) -> bool:
    """Say whether the value is all that is told: "use pnpm", "I prefer tea"."""
    return sum(term.weight > SLIGHT for term in side.values()) == 1
