"""The files themselves are searched by keywords, where the index cannot be opened."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from strata.search.indexing import points, writing
from strata.search.indexing.candidates import Candidates
from strata.search.indexing.scanning import scan
from strata.search.language.keywords import with_beside
from strata.search.stores.store import Found

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from datetime import date
    from pathlib import Path

    from strata.hits import Tier
    from strata.search.indexing.manifest import Row
    from strata.search.indexing.paraphrases import Paraphrases
    from strata.search.stores.store import Point, Ranked, Scope


class Scanned:
    """What stands in every memory file of *workspace* now; seconds, not moments."""

    def __init__(
        self, workspace: Path, known: Paraphrases, say: Callable[[str], None]
    ) -> None:
        batches = writing.prepared(workspace, scan(workspace).values(), known, say)
        pieces = [piece for batch in batches for file in batch for piece in file.pieces]
        self._rows: dict[str, Row] = {piece.id: points.row(piece) for piece in pieces}
        self._known = known
        self._points = [points.point(piece) for piece in pieces]

    def search(
        self, sparse: Mapping[int, float], scope: Scope, limit: int
    ) -> Candidates:
        """Return the *limit* best chunks of *scope*."""
        words = with_beside(sparse) if self._known else sparse
        best = best_by_words(self._points, words, scope, limit)
        missing = frozenset(sparse).difference(*(each.sparse for each in self._points))
        size = len(self._rows)
        return Candidates(Found(best, []), self._rows, missing, size, self._known)

    def days(self) -> list[tuple[date, Tier]]:
        """Return every day that a note is named for, with the note's tier."""
        return list({(row.day, row.tier) for row in self._rows.values() if row.day})

    def rows_of_day(self, day: date, tier: Tier) -> list[Row]:
        """Return the chunks of the notes of *tier* that are named for *day*."""
        return [
            row for row in self._rows.values() if (row.day, row.tier) == (day, tier)
        ]


def best_by_words(
    points: Iterable[Point], sparse: Mapping[int, float], scope: Scope, limit: int
) -> Ranked:
    """Score *points* exactly as Qdrant does: a term weighs more where few have it."""
    every = {point.id: point for point in points}.values()
    rarity = {}
    for term in sparse:
        count = sum(term in point.sparse for point in every)
        rarity[term] = math.log((len(every) - count + 0.5) / (count + 0.5) + 1)
    scores = {
        point.id: sum(sparse[t] * rarity[t] * point.sparse[t] for t in shared)
        for point in every
        if (shared := sparse.keys() & point.sparse.keys())
        and scope.holds(point.chunk.day, point.chunk.tier)
    }
    return sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))[:limit]
