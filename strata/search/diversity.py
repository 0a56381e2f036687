"""Of passages of one note that say much the same, one is enough for a while."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from strata.search.passages import Passage

# Maximal marginal relevance. Over all notes, values that changed push each other out: with
# 0.7 it harmed three sets of six, within one note none (bench/ablation.py).
RELEVANCE = 0.8
_LETTERS = 4


def diverse(passages: Sequence[Passage], limit: int) -> list[Passage]:
    """Return *limit* of *passages*, which stand best first, without much repetition."""
    chosen: list[Passage] = []
    rest = list(passages)
    best = rest[0].score if rest else 0.0
    repeated = dict.fromkeys(map(id, rest), 0.0)
    while rest and len(chosen) < limit:
        values = [_value(each.score, best, repeated[id(each)]) for each in rest]
        taken = rest.pop(values.index(max(values)))
        chosen.append(taken)
        for each in rest:
            if each.path == taken.path:
                likeness = _likeness(each.text, taken.text)
                repeated[id(each)] = max(likeness, repeated[id(each)])
    return chosen


def _value(score: float, best: float, repeated: float) -> float:
    return RELEVANCE * score / (best or 1.0) - (1 - RELEVANCE) * repeated


def _likeness(one: str, two: str) -> float:
    """Return the Jaccard index of all that is four letters long in either."""
    first, second = _grams(one), _grams(two)
    either = len(first | second)
    return len(first & second) / either if either else 0.0


def _grams(text: str) -> set[tuple[str, ...]]:
    return set(zip(*(text[at:] for at in range(_LETTERS)), strict=False))
