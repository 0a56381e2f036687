"""Words of which one turns the other round: above and below, 最多 and 至少."""

from __future__ import annotations

import re
import unicodedata
from itertools import permutations

from strata.language.cues import cue, entries

_SIDES = [
    [side.strip().split("|") for side in line.split(" = ")]
    for line in entries("opposites.pairs")
]


# Whoever adds it says that there is more than was said.
_NOT_ONLY = cue("opposites.not_only", 0)


def turned_round(text: str, quoted: str) -> str | None:
    """Return the word in *text* whose opposite stands in *quoted*, and not it itself."""
    if (more := _NOT_ONLY.search(text)) and not _NOT_ONLY.search(quoted):
        return more[0]
    told, cited = (
        unicodedata.normalize("NFKC", each).lower() for each in (text, quoted)
    )
    for sides in _SIDES:
        for side, other in permutations(sides, 2):
            only_told = _has(told, side, other) and not _has(told, other, side)
            only_cited = _has(cited, other, side) and not _has(cited, side, other)
            if only_told and only_cited:
                return next(word for word in side if _stands(word, told))
    return None


def _has(text: str, side: list[str], other: list[str]) -> bool:
    """Say whether a word of *side* stands in *text*, not as a part of one of *other*."""
    longer = [word for word in other if any(each in word for each in side)]
    for word in longer:
        text = text.replace(word, " ")
    return any(_stands(word, text) for word in side)


def _stands(word: str, text: str) -> bool:
    if word[0] >= "\u3400":
        return word in text
    return re.search(rf"(?<![a-z]){re.escape(word)}(?![a-z])", text) is not None
