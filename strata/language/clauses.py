"""A statement as clauses: what explains it, and what it denies."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

from strata.language.lexicon import kind_of, lexicon

if TYPE_CHECKING:
    from collections.abc import Sequence

    from strata.language.pieces import Piece

WEIGHTS = {"value": 1.0, "name": 1.0, "word": 1.0, "hanzi": 0.5, "weak": 0.0}
_CUT = frozenset(",;.!?:、。()\n") | {"-", "--", "–", "—"}
_END = frozenset(".!?。\n")
_LOCAL = frozenset({"without", "而不是", "而非"})
_CONTRASTING = frozenset({"but", "however", "但", "但是"})
_CONSEQUENCES = frozenset({"所以", "因此"})


@dataclass(slots=True)
class Clause:
    """Words that belong together; *sign* is -1 where they are denied."""

    pieces: list[Piece]
    reason: bool = False
    sign: int = 1
    contrast: bool = False


def split_clauses(told: Sequence[Piece]) -> list[Clause]:
    """Return the clauses of a statement, each with its sign."""
    return [_signed(clause) for clause in _split(told)]


def _split(told: Sequence[Piece]) -> list[Clause]:
    clauses = [Clause([])]
    for place, piece in enumerate(told):
        if piece.kind == "mark" and piece.said in _CUT:
            # A reason that opens a sentence ends at its comma, another one at the stop.
            goes_on = clauses[-1].reason and piece.said not in _END and len(clauses) > 1
            goes_on = goes_on and bool(clauses[-2].pieces)
            clauses.append(Clause([], reason=goes_on))
        elif piece.said in lexicon().glue.reasons and piece.said not in _CONSEQUENCES:
            clauses.append(Clause([], reason=not _dates_from(told, place)))
        elif piece.said in _CONSEQUENCES | _CONTRASTING:
            clauses.append(Clause([]))
        elif clauses[-1].contrast and _ends_contrast(clauses[-1], piece):
            clauses.append(Clause([piece]))
        elif _opens_contrast(clauses[-1].pieces, told, place):
            clauses.append(Clause([piece], contrast=True))
        elif piece.said in {"是", "而是"} and clauses[-1].contrast:
            clauses.append(Clause([]))
        else:
            clauses[-1].pieces.append(piece)
    return [clause for clause in clauses if clause.pieces]


def _dates_from(told: Sequence[Piece], place: int) -> bool:
    """Say whether "since" names a time and no reason."""
    after = told[place + 1 : place + 2]
    is_time = bool(after) and (after[0].kind == "value" or after[0].key in days())
    return told[place].said == "since" and is_time


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
    if piece.said not in lexicon().glue.negators or not any(map(_is_content, before)):
        return piece.said == "not" and not any(map(_is_content, before))
    until = _until_cut(told[place + 1 :])
    return bool(kinds_of(before) & kinds_of(until)) and piece.kind == "glue"


def _ends_contrast(clause: Clause, piece: Piece) -> bool:
    """Say whether what follows a denied word is meant of both: not npm, in this repo."""
    return piece.said in lexicon().glue.scope and any(map(_is_content, clause.pieces))


def _until_cut(told: Sequence[Piece]) -> list[Piece]:
    end = next((at for at, piece in enumerate(told) if piece.kind == "mark"), len(told))
    return list(told[:end])


def _is_content(piece: Piece) -> bool:
    return WEIGHTS.get(piece.kind, 0) > 0


def _signed(clause: Clause) -> Clause:
    """Return *clause* with the sign that its negations give it."""
    words = [piece.said for piece in clause.pieces]
    denials = sum(word in lexicon().glue.negators for word in words)
    denied = clause.contrast or denials % 2 == 1
    return replace(clause, sign=-1 if denied else 1)


@cache
def days() -> frozenset[str]:
    """Return the keys of the weekdays."""
    kinds = lexicon().kinds
    return frozenset(key for key, kind in kinds.items() if kind == "weekday")


def kinds_of(told: Sequence[Piece]) -> set[str]:
    """Return the sorts of which *told* names something."""
    return {kind for piece in told if (kind := kind_of(piece.key, piece.kind))}
