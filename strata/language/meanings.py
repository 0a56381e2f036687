"""What a statement says: its terms, which of them it denies, and what narrows it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from strata.language.clauses import WEIGHTS, kinds_of, split_clauses
from strata.language.lexicon import kind_of, lexicon
from strata.language.pieces import Piece, pieces
from strata.language.places import left_behind, scopes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from strata.language.clauses import Clause

__all__ = ["LIGHT", "Meaning", "Term", "kind_of", "read_meaning"]

# "Use Redis" and "the cache is Redis" differ in how they say it.
_LIGHT_WEIGHT = 0.2
LIGHT = frozenset({"use", "name"})
_SAME_LIMITS = """
if when 如果 要是 若
except unless 除非 除了 除 除外 以外 之外
only 只 只有 仅
before until till 前 之前 以前 直到
after 后 之后
maybe might possibly perhaps probably 可能 也许 或许 大概
sometimes occasionally 有时 有时候 偶尔
mostly almost nearly some 大多 几乎 部分 有些
wishfor 想 想要
temporarily 暂时 临时
old 旧 老
new 新
other another 其他 另外
during while 期间
without 无
he his him 他 他的
she her 她 她的
morethan 超过 大于 高于 以上
lessthan 低于 小于 少于 不足 以下
more most much 更多
less fewer least 更少
"""
_FIRST_PERSON = """
i i'm i'd i'll i've me my mine we we're our us user 我 我的 我们 咱们 用户
"""
_SECOND_PERSON = "you you're you'll your yours 你 你的 你们 您"
_PERSONS = dict.fromkeys(_FIRST_PERSON.split(), "I") | dict.fromkeys(
    _SECOND_PERSON.split(), "you"
)
_COUNTED = frozenset({"within", "nearly", "almost", "大概"})
_LIMIT_GROUPS = {
    word: group.split()[0]
    for group in _SAME_LIMITS.strip().splitlines()
    for word in group.split()
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


@lru_cache(maxsize=4096)
def read_meaning(text: str) -> Meaning:
    """Return what *text* says."""
    clauses = split_clauses(_with_units(pieces(text)))
    terms = [
        term
        for number, clause in enumerate(clauses)
        if not clause.reason
        for term in _terms(clause, number)
    ]
    told = [piece for clause in clauses for piece in clause.pieces]
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
        change=any(piece.said in lexicon().glue.changes for piece in told),
        contrast=_offers_another(terms),
        restated=any(piece.said in lexicon().glue.restated for piece in told),
    )


def _by_key(terms: Sequence[Term]) -> dict[str, Term]:
    """Return the terms that carry meaning; of a key that comes twice the first counts."""
    found: dict[str, Term] = {}
    for term in terms:
        if term.weight:
            found.setdefault(term.key, term)
    return found


def _with_units(told: list[Piece]) -> list[Piece]:
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
