"""Passages in which one line holds most of the question come before others."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from strata.search.answering.passages import Passage
    from strata.search.answering.snippets import Marked

# At most this share of a score: LoCoMo's nDCG@10 rose from 0.833 to 0.837 and no set lost;
# with a third, preferences lost more than the others won (bench/ablation.py).
SHARE = 0.2


def by_closeness(
    passages: Sequence[Passage],
    mark: Callable[[Passage], Marked],
    weights: Mapping[str, float],
) -> list[Passage]:
    """Order *passages* anew by how much of *weights* their best line holds."""
    total = sum(weights.values()) or 1.0

    def nearer(passage: Passage) -> Passage:
        held = _best_line(mark(passage), weights) / total
        return replace(passage, score=passage.score * (1 - SHARE + SHARE * held))

    return sorted(map(nearer, passages), key=lambda passage: -passage.score)


def _best_line(marked: Marked, weights: Mapping[str, float]) -> float:
    lines = (sum(map(weights.__getitem__, found)) for found in marked.found if found)
    return max(lines, default=0.0)
