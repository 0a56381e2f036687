"""A store in plain memory, for one search where no index can be kept."""

from __future__ import annotations

import math
from collections import defaultdict
from operator import mul
from typing import TYPE_CHECKING

from strata.search.stores.store import Found

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from strata.search.stores.store import Matrix, Point, Ranked, Scope


class InMemoryStore:
    """Scores every point it was given, exactly as the engine would."""

    def __init__(self) -> None:
        self._points: dict[str, Point] = {}
        self._vectors: dict[str, Matrix] = {}

    def upsert(self, points: Sequence[Point]) -> None:
        for point in points:
            self._points[point.id] = point
            self._vectors.pop(point.id, None)

    def add_vectors(self, vectors: Mapping[str, Matrix]) -> None:
        self._vectors.update(vectors)

    def delete(self, ids: Sequence[str]) -> None:
        for number in ids:
            self._points.pop(number, None)
            self._vectors.pop(number, None)

    def clear(self) -> None:
        self._points.clear()
        self._vectors.clear()

    def search(
        self,
        sparse: Mapping[int, float],
        dense: Sequence[float] | None,
        scope: Scope,
        limit: int,
    ) -> Found:
        rarity = self._rarity(sparse)
        scores: dict[str, float] = defaultdict(float)
        for point in self._within(scope):
            for term in rarity.keys() & point.sparse.keys():
                scores[point.id] += sparse[term] * rarity[term] * point.sparse[term]
        near = {
            point.id: max(sum(map(mul, dense, row)) for row in self._vectors[point.id])
            for point in self._within(scope)
            if dense and point.id in self._vectors
        }
        return Found(sparse=_best(scores, limit), dense=_best(near, limit))

    def terms_of(self, ids: Sequence[str]) -> set[int]:
        return {term for number in ids for term in self._points[number].sparse}

    def count(self) -> int:
        return len(self._points)

    def settle(self, *, optimize: bool) -> None:
        """Do nothing: there is no disk."""

    def close(self) -> None:
        self._points.clear()

    def _within(self, scope: Scope) -> Iterator[Point]:
        return (point for point in self._points.values() if scope.holds(point))

    def _rarity(self, terms: Mapping[int, float]) -> dict[int, float]:
        """Weigh a term by how few points have it, as Qdrant's IDF modifier does."""
        total = len(self._points)
        counts = {
            term: sum(term in point.sparse for point in self._points.values())
            for term in terms
        }
        return {
            term: math.log((total - count + 0.5) / (count + 0.5) + 1)
            for term, count in counts.items()
        }


def _best(scores: Mapping[str, float], limit: int) -> Ranked:
    return sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))[:limit]
