"""What a statement says: its terms, which of them it denies, and what narrows it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from strata.language.clauses import WEIGHTS, kinds_of, split_clauses
from strata.language.cues import words
from strata.language.lexicon import kind_of, lexicon
from strata.language.places import left_behind, scopes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from strata.language.clauses import Clause
    from strata.language.pieces import Piece

__all__ = ["LIGHT", "Meaning", "Term", "kind_of", "meaning_of"]

# "Use Redis" and "the cache is Redis" differ in how they say it.
_LIGHT_WEIGHT = 0.2
LIGHT = frozenset({"use", "name"})
_PERSONS = dict.fromkeys(words("meanings.first_person"), "I") | dict.fromkeys(
    words("meanings.second_person"), "you"
)
_COUNTED = frozenset({"within", "nearly", "almost", "大概"})
# Of words that narrow alike the first stands for all.
_LIMIT_GROUPS = {
    word: group.partition("/")[0]
    for group in words("meanings.limits")
    for word in group.split("/")
}


@dataclass(frozen=True, slots=True)
class Term:
    """A meaning in a statement: *sign* is -1 where it is denied or was left behind."""

    key: str
    kind: str
    weight: float
    sign: int = 1
    scope: bool = False
    clause: int = 0


@dataclass(frozen=True, slots=True)
class Meaning:
    """
    What a statement says.

    *terms* are what it asserts, in order, *keys* those of them that carry meaning;
    *reasons* are keys that only explain. *change* is true where it says that something is
    no longer as it was, *contrast* where it puts one value in the place of another;
    *restated* where it says that something still holds;
    *limits* are what narrows it, *speaker* tells "I" and "you" apart.
    """

    terms: tuple[Term, ...]
    keys: dict[str, Term]
    reasons: frozenset[str]
    limits: frozenset[str]
    speaker: frozenset[str]
    change: bool
    contrast: bool
    restated: bool


def meaning_of(told: Sequence[Piece]) -> Meaning:
    """Return what a statement of the words *told* says."""
    clauses = split_clauses(_with_units(told))
    terms = [
        term
        for number, clause in enumerate(clauses)
        if not clause.reason
        for term in _terms(clause, number)
    ]
    said = [piece for clause in clauses for piece in clause.pieces]
    asserted = [p for clause in clauses if not clause.reason for p in clause.pieces]
    return Meaning(
        terms=tuple(terms),
        keys=_by_key(terms),
        reasons=frozenset(
            piece.key
            for clause in clauses
            if clause.reason
            for piece in clause.pieces
            if WEIGHTS.get(piece.kind, 0)
        ),
        limits=frozenset(_limits(asserted)),
        speaker=frozenset(_PERSONS[p.said] for p in asserted if p.said in _PERSONS),
        change=any(piece.said in lexicon().glue.changes for piece in said),
        contrast=_offers_another(terms),
        restated=any(piece.said in lexicon().glue.restated for piece in said),
    )


def _by_key(terms: Sequence[Term]) -> dict[str, Term]:
    """Return the terms that carry meaning; of a key that comes twice the first counts."""
    found: dict[str, Term] = {}
    for term in terms:
        if term.weight:
            found.setdefault(term.key, term)
    return found


def _with_units(told: Sequence[Piece]) -> Sequence[Piece]:
    """Give a bare number the unit of the other numbers: 15,000 euros, not 12,000."""
    units = {
        piece.key.rpartition(":")[2]
        for piece in told
        if piece.key.startswith("number:") and not piece.key.endswith(":")
    }
    if len(units) != 1:
        return told
    (unit,) = units
    return [
        replace(piece, key=piece.key + unit)
        if piece.key.startswith("number:") and piece.key.endswith(":")
        else piece
        for piece in told
    ]


def _limits(told: Sequence[Piece]) -> Iterator[str]:
    """Give what narrows a statement; "within 24 hours" is told by the hours."""
    for place, piece in enumerate(told):
        after = told[place + 1 : place + 2]
        counted = piece.said in _COUNTED and after and after[0].kind == "value"
        if piece.kind != "limit" or counted:
            continue
        group = _LIMIT_GROUPS.get(piece.said, piece.said)
        # After a name "he" is that person.
        named = any(WEIGHTS.get(each.kind) for each in told[:place])
        if group not in {"he", "she"} or not named:
            yield group


def _offers_another(terms: Sequence[Term]) -> bool:
    """Say whether one value is denied and another of its sort put in its place."""
    sorts = {
        sign: {kind_of(term.key, term.kind) for term in terms if term.sign == sign}
        for sign in (1, -1)
    }
    return bool((sorts[1] & sorts[-1]) - {None})


def _terms(clause: Clause, number: int) -> Iterator[Term]:
    gone = left_behind(clause.pieces)
    narrowing = scopes(clause.pieces)
    sorts = kinds_of(clause.pieces)
    heads = {sort.rpartition(" ")[2] for sort in sorts}
    for place, piece in enumerate(clause.pieces):
        weight = WEIGHTS.get(piece.kind)
        if weight is None:
            continue
        if piece.key in LIGHT or piece.key in sorts or piece.key in heads:
            weight = _LIGHT_WEIGHT
        sign = -clause.sign if place in gone else clause.sign
        yield Term(piece.key, piece.kind, weight, sign, place in narrowing, number)
