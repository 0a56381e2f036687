"""Where in a clause stands what a change leaves behind, and what narrows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.language.clauses import days, kinds_of
from strata.language.lexicon import kind_of, lexicon

if TYPE_CHECKING:
    from collections.abc import Sequence

    from strata.language.pieces import Piece

_GONE_AFTER = frozenset(
    {"replace", "replaces", "replaced", "replacing", "ditch", "ditched"}
)
_SCOPE_CHINESE = frozenset({"在", "给", "对", "针对"})
_SCOPE_ENDS = frozenset({"to", "with", "from", "at", "by", "than", "as"})
_SCOPE_ENDS_CHINESE = frozenset(
    {"的", "里", "中", "上", "下", "时", "内", "里面", "上面", "用"}
)


def left_behind(told: Sequence[Piece]) -> set[int]:
    """Return the places of what a change leaves: from X to Y, replace X by Y, X改成Y."""
    words = [piece.said for piece in told]
    turns = [at for at, word in enumerate(words) if word in lexicon().glue.changes]
    if not turns:
        return set()
    if "from" in words and "to" in words[words.index("from") :]:
        start = words.index("from")
        return set(range(start + 1, _next(words, start, {"to", "onto", "into"})))
    if "从" in words:
        start = words.index("从")
        return set(range(start + 1, next((t for t in turns if t > start), start + 1)))
    by = _next(words, turns[0], {"with", "by", "to", "for"})
    after = range(turns[0] + 1, len(words))
    if words[turns[0]] in _GONE_AFTER and "被" not in words:
        is_passive = any(
            word in {"is", "was", "been", "be"} for word in words[: turns[0]]
        )
        return set(range(turns[0])) if is_passive else set(range(turns[0] + 1, by))
    return _same_kind_before(told, turns[0], set(after), by)


def _same_kind_before(
    told: Sequence[Piece], turn: int, after: set[int], by: int
) -> set[int]:
    """Return what stands before the turn and is of a kind with something after it."""
    if by < len(told) and turn < by and kinds_of(told[turn:by]) & kinds_of(told[by:]):
        later = kinds_of(told[by:])
        return {
            at
            for at in range(turn, by)
            if kind_of(told[at].key, told[at].kind) in later - {None}
        }
    later = kinds_of([told[at] for at in sorted(after)])
    return {at for at in range(turn) if kind_of(told[at].key, told[at].kind) in later}


def _next(words: Sequence[str], start: int, wanted: set[str]) -> int:
    places = (at for at in range(start + 1, len(words)) if words[at] in wanted)
    return next(places, len(words))


def scopes(told: Sequence[Piece]) -> set[int]:
    """Return the places of terms that say where a statement holds."""
    found: set[int] = set()
    end = 0
    for place, piece in enumerate(told):
        if piece.said in lexicon().glue.scope:
            end = _scope_end(told, place, _SCOPE_ENDS, len(told))
        elif piece.said in _SCOPE_CHINESE:
            end = _scope_end(told, place, _SCOPE_ENDS_CHINESE, place + 2)
        if (
            place < end
            and piece.said not in lexicon().glue.scope
            and not _is_point(told, place)
        ):
            found.add(place)
    return found


def _scope_end(
    told: Sequence[Piece], start: int, ends: frozenset[str], default: int
) -> int:
    places = (at for at in range(start + 1, len(told)) if told[at].said in ends)
    return next(places, default)


def _is_point(told: Sequence[Piece], place: int) -> bool:
    """Say whether a value, or the word that a value goes with, stands at *place*."""
    beside = told[place : place + 2]
    return any(each.kind == "value" for each in beside) or told[place].key in days()
