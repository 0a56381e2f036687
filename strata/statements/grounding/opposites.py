"""Words of which one turns the other round: above and below, 最多 and 至少."""

from __future__ import annotations

import re
import unicodedata
from itertools import permutations
from typing import TYPE_CHECKING

from strata.language.cues import cue, entries

if TYPE_CHECKING:
    from strata.language.statement import Statement

_SIDES = [
    [side.strip().split("|") for side in line.split(" = ")]
    for line in entries("opposites.pairs")
]


# Whoever adds it says that there is more than was said.
_NOT_ONLY = cue("opposites.not_only", 0)


def turned_round(told: Statement, cited: Statement) -> str | None:
    """Return the word in *told* whose opposite stands in *cited*, and not it itself."""
    new, old = (
        unicodedata.normalize("NFKC", each.text).lower() for each in (told, cited)
    )
    if (more := _NOT_ONLY.search(new)) and not _NOT_ONLY.search(old):
        return _reason(more[0])
    for sides in _SIDES:
        for side, other in permutations(sides, 2):
            only_new = _has(new, side, other) and not _has(new, other, side)
            if only_new and _has(old, other, side) and not _has(old, side, other):
                return _reason(next(word for word in side if _stands(word, new)))
    return None


def _reason(word: str) -> str:
    return f"{word!r} turns the words round"


def _has(text: str, side: list[str], other: list[str]) -> bool:
    """Say whether a word of *side* stands in *text*, not as a part of one of *other*."""
    longer = [word for word in other if any(each in word for each in side)]
    for word in longer:
        text = text.replace(word, " ")
    return any(_stands(word, text) for word in side)


def _stands(word: str, text: str) -> bool:
    if word not in text:
        return False
    if word[0] >= "\u3400":
        return True
    return re.search(rf"(?<![a-z]){re.escape(word)}(?![a-z])", text) is not None
