"""Statements that say nothing: several things were discussed."""

from __future__ import annotations

from strata.language.cues import cue
from strata.language.statement import read

# What a summary is made of that names nothing; each stands for its forms.
_EMPTY = cue("vagueness.empty", 0)
_EMPTY_CHINESE = cue("vagueness.empty_chinese", 0)
_LEAST = 2


def is_vague(text: str) -> bool:
    """Say whether fewer than two words of *text* name anything, and no value does."""
    telling = [
        piece
        for piece in read(_EMPTY_CHINESE.sub(" ", text)).telling
        if not _EMPTY.match(piece.said)
    ]
    if any(piece.kind == "value" for piece in telling):
        return False
    exact = sum(piece.kind == "name" and len(piece.said) > 1 for piece in telling)
    return len(telling) + exact < _LEAST
