"""What a statement says: its terms, which of them it denies, and what narrows it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from strata.distillation import lexicon_glue as glue
from strata.distillation.lexicon import lexicon
from strata.distillation.pieces import Piece, pieces

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_WEIGHTS = {"value": 1.0, "name": 1.0, "word": 1.0, "hanzi": 0.5, "weak": 0.0}
# "Use Redis" and "the cache is Redis" differ in how they say it.
_LIGHT = 0.2
_LIGHT_KEYS = frozenset({"use"})
_CUT = frozenset(",;.!?:、。()\n") | {"-", "--", "–", "—"}
_END = frozenset(".!?。\n")
_LOCAL = frozenset({"without", "而不是", "而非"})
_CONTRASTING = frozenset({"but", "however", "但", "但是"})
_GONE_AFTER = frozenset({"replace", "replaces", "replacing", "ditch", "ditched"})
_SAME_LIMITS = """
if when 如果 要是 若
except unless 除非 除了 除 除外 以外 之外
only 只 只有 仅
before until till 前 之前 以前 直到
after 后 之后
maybe might possibly perhaps probably 可能 也许 或许 大概
sometimes occasionally 有时 有时候 偶尔
mostly almost nearly 大多 几乎 部分 有些
temporarily 暂时 临时
old 旧 老
new 新
other another 其他 另外
during while 期间
without 无
"""
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

    *terms* are what it asserts, in order; *reasons* are keys that only explain. *change*
    is true where it says that something is no longer as it was, *limits* what narrows it.
    """

    terms: tuple[Term, ...]
    reasons: frozenset[str]
    limits: frozenset[str]
    change: bool
    contrast: bool

    @property
    def keys(self) -> dict[str, Term]:
        """The terms by their keys; the first one of a key counts."""
        found: dict[str, Term] = {}
        for term in self.terms:
            found.setdefault(term.key, term)
        return found


@dataclass(slots=True)
class _Clause:
    pieces: list[Piece]
    reason: bool = False
    sign: int = 1
    contrast: bool = False


@lru_cache(maxsize=4096)
def read_meaning(text: str) -> Meaning:
    """Return what *text* says."""
    clauses = [_signed(each) for each in _split(list(pieces(text)))]
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
        reasons=frozenset(
            piece.key
            for clause in clauses
            if clause.reason
            for piece in clause.pieces
            if _WEIGHTS.get(piece.kind, 0)
        ),
        limits=frozenset(_limits(asserted)),
        change=any(piece.said in glue.CHANGES for piece in told),
        contrast=_offers_another(terms),
    )


def _limits(told: Sequence[Piece]) -> Iterator[str]:
    """Give what narrows a statement; a bound of time is told by the time itself."""
    for place, piece in enumerate(told):
        beside = told[max(0, place - 1) : place + 2]
        if piece.kind != "limit" or any(each.kind == "value" for each in beside):
            continue
        yield _LIMIT_GROUPS.get(piece.said, piece.said)


def _split(told: list[Piece]) -> list[_Clause]:
    clauses = [_Clause([])]
    for place, piece in enumerate(told):
        if piece.kind == "mark" and piece.said in _CUT:
            # A reason that opens a sentence ends at its comma, another one at the stop.
            goes_on = clauses[-1].reason and piece.said not in _END and len(clauses) > 1
            goes_on = goes_on and bool(clauses[-2].pieces)
            clauses.append(_Clause([], reason=goes_on))
        elif piece.said in glue.REASONS and piece.said not in {"所以", "因此"}:
            clauses.append(_Clause([], reason=not _dates_from(told, place)))
        elif piece.said in {"所以", "因此", *_CONTRASTING}:
            clauses.append(_Clause([]))
        elif _opens_contrast(clauses[-1].pieces, told, place):
            clauses.append(_Clause([piece], contrast=True))
        elif piece.said in {"是", "而是"} and clauses[-1].contrast:
            clauses.append(_Clause([]))
        else:
            clauses[-1].pieces.append(piece)
    return [clause for clause in clauses if clause.pieces]


def _dates_from(told: Sequence[Piece], place: int) -> bool:
    """Say whether "since" names a time and no reason."""
    after = told[place + 1 : place + 2]
    is_time = bool(after) and (after[0].kind == "value" or after[0].key in _days())
    return told[place].said == "since" and is_time


def _days() -> frozenset[str]:
    kinds = lexicon().kinds
    return frozenset(key for key, kind in kinds.items() if kind == "weekday")


def _opens_contrast(before: Sequence[Piece], told: Sequence[Piece], place: int) -> bool:
    """Say whether a negation at *place* denies only what follows: pnpm, not npm."""
    piece, after = told[place], told[place + 1 : place + 2]
    if piece.said == "不是":
        return True
    if piece.said in _LOCAL or (
        piece.said in {"instead", "rather"}
        and after
        and after[0].said in {"of", "than"}
    ):
        return True
    if piece.said not in glue.NEGATORS or not any(map(_is_content, before)):
        return piece.said == "not" and not any(map(_is_content, before))
    until = _until_cut(told[place + 1 :])
    return bool(_kinds_of(before) & _kinds_of(until)) and piece.kind == "glue"


def _until_cut(told: Sequence[Piece]) -> list[Piece]:
    end = next((at for at, piece in enumerate(told) if piece.kind == "mark"), len(told))
    return list(told[:end])


def _is_content(piece: Piece) -> bool:
    return _WEIGHTS.get(piece.kind, 0) > 0


def _kinds_of(told: Sequence[Piece]) -> set[str]:
    return {kind for piece in told if (kind := kind_of(piece.key, piece.kind))}


def kind_of(key: str, kind: str) -> str | None:
    """Return of what sort *key* is, if two of a sort cannot both fill one slot."""
    if kind == "value":
        sort, _, rest = key.partition(":")
        return f"{sort}:{rest.rpartition(':')[2]}" if sort == "number" else sort
    return lexicon().kinds.get(key)


def _signed(clause: _Clause) -> _Clause:
    """Return *clause* with the sign that its negations give it."""
    words = [piece.said for piece in clause.pieces]
    denials = sum(word in glue.NEGATORS for word in words)
    denied = clause.contrast or denials % 2 == 1
    return replace(clause, sign=-1 if denied else 1)


def _offers_another(terms: Sequence[Term]) -> bool:
    """Say whether one value is denied and another of its sort put in its place."""
    sorts = {
        sign: {kind_of(term.key, term.kind) for term in terms if term.sign == sign}
        for sign in (1, -1)
    }
    return bool((sorts[1] & sorts[-1]) - {None})


def _terms(clause: _Clause, number: int) -> Iterator[Term]:
    gone = _left_behind(clause.pieces)
    scopes = _scopes(clause.pieces)
    sorts = _kinds_of(clause.pieces)
    for place, piece in enumerate(clause.pieces):
        weight = _WEIGHTS.get(piece.kind)
        if weight is None:
            continue
        if piece.key in _LIGHT_KEYS or piece.key in sorts:
            weight = _LIGHT
        sign = -clause.sign if place in gone else clause.sign
        yield Term(piece.key, piece.kind, weight, sign, place in scopes, number)


def _left_behind(told: Sequence[Piece]) -> set[int]:
    """Return the places of what a change leaves: from X to Y, replace X by Y, X改成Y."""
    words = [piece.said for piece in told]
    turns = [at for at, word in enumerate(words) if word in glue.CHANGES]
    if not turns:
        return set()
    if "from" in words:
        start = words.index("from")
        return set(range(start + 1, _next(words, start, {"to", "onto", "into"})))
    if "从" in words:
        start = words.index("从")
        return set(range(start + 1, next((t for t in turns if t > start), start + 1)))
    by = _next(words, turns[0], {"with", "by", "to", "for"})
    after = range(turns[0] + 1, len(words))
    if words[turns[0]] in _GONE_AFTER | {"replaced"} and "被" not in words:
        is_passive = any(
            word in {"is", "was", "been", "be"} for word in words[: turns[0]]
        )
        return set(range(turns[0])) if is_passive else set(range(turns[0] + 1, by))
    return _same_kind_before(told, turns[0], set(after), by)


def _same_kind_before(
    told: Sequence[Piece], turn: int, after: set[int], by: int
) -> set[int]:
    """Return what stands before the turn and is of a kind with something after it."""
    if by < len(told) and turn < by and _kinds_of(told[turn:by]) & _kinds_of(told[by:]):
        later = _kinds_of(told[by:])
        return {
            at
            for at in range(turn, by)
            if kind_of(told[at].key, told[at].kind) in later - {None}
        }
    later = _kinds_of([told[at] for at in sorted(after)])
    return {at for at in range(turn) if kind_of(told[at].key, told[at].kind) in later}


def _next(words: Sequence[str], start: int, wanted: set[str]) -> int:
    places = (at for at in range(start + 1, len(words)) if words[at] in wanted)
    return next(places, len(words))


def _is_point(told: Sequence[Piece], place: int) -> bool:
    """Say whether a value, or the word that a value goes with, stands at *place*."""
    beside = told[place : place + 2]
    return any(each.kind == "value" for each in beside) or told[place].key in _days()


def _scopes(told: Sequence[Piece]) -> set[int]:
    """Return the places of terms that say where a statement holds."""
    found: set[int] = set()
    inside = False
    for place, piece in enumerate(told):
        if piece.said in glue.SCOPE or piece.said in {"在", "给", "对", "针对"}:
            inside = True
        elif piece.said in {
            "to",
            "with",
            "from",
            "at",
            "by",
            "than",
            "用",
            "改用",
            "里",
        }:
            inside = False
        elif inside and not _is_point(told, place):
            found.add(place)
    return found
